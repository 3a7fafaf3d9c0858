package plainsql

import (
	"cmp"
	"regexp"
	"slices"
	"strconv"
	"strings"
	"time"
	"unicode"
	"unicode/utf8"

	"lectern/shared/database"
	"lectern/shared/database/plainsql/lexicon"
)

type tokenKind int

const (
	wordToken tokenKind = iota
	numberToken
	dateToken
	quotedToken
	markToken
)

// token is one word of the question.
type token struct {
	kind tokenKind
	text string // as written; without quotes
	low  string
}

func (t token) is(w string) bool { return t.kind == wordToken && t.low == w }

// whole returns the token as an integer; 0 if it is not one.
func (t token) whole() int {
	if t.kind != numberToken {
		return 0
	}
	n, err := strconv.Atoi(t.text)
	if err != nil || n < 0 {
		return 0
	}
	return n
}

var form = regexp.MustCompile(`"[^"]+"|“[^”]+”|'[^']+'|\d{4}-\d{2}-\d{2}\b|\d{1,2}[./]\d{1,2}[./]\d{4}\b|[$€£]?\d[\d,]*(?:\.\d+)*|[eE]-\p{L}+|[\p{L}_][\p{L}\p{N}_]*|[<>]=|[^\s]`)

func split(question string) []token {
	var list []token
	german := germanWords.MatchString(question)
	for _, m := range form.FindAllString(apostrophe.ReplaceAllString(written.Replace(question), "$1’$2"), 200) {
		m = strings.ReplaceAll(m, "’", "'")
		t := token{text: m, low: strings.ToLower(m)}
		if strings.HasPrefix(t.low, "e-") {
			t.low = "e" + t.low[2:] // as names of columns have it: email
		}
		first, day := []rune(m)[0], writtenDay(m)
		switch {
		case len(m) > 2 && strings.ContainsRune("\"“'", first):
			t.kind, t.text = quotedToken, strings.Trim(m, "\"“”'")
		case len(m) == 10 && m[4] == '-':
			t.kind = dateToken
		case day != "":
			t.kind, t.text = dateToken, day
		case strings.ContainsAny(m, "0123456789") && !unicode.IsLetter(first) && first != '_':
			t.kind, t.text = numberToken, plainNumber(strings.TrimLeft(m, "$€£"), german)
		case !unicode.IsLetter(first) && first != '_':
			t.kind = markToken
		}
		if n := len(list); t.is("s") && n > 1 && list[n-1].text == "'" && list[n-2].kind == wordToken {
			list = list[:n-1] // Ada's
			continue
		}
		list = append(list, t)
	}
	return list
}

// written writes signs as names of columns and rules have them.
var written = strings.NewReplacer("’", "'", "²", "2", "³", "3")

// apostrophe is one within a word, which begins no quotation.
var apostrophe = regexp.MustCompile(`(\p{L})'(\p{L})`)

var germanWords = regexp.MustCompile(`(?i)\b(?:wie|welche[rsmn]?|wer|der|die|das|und|mehr als|als|über|unter|ist|sind|haben|hat)\b`)

// writtenDay returns a day that is written with points or slashes, the day first; empty for
// another text.
func writtenDay(s string) string {
	for _, form := range []string{"2.1.2006", "2/1/2006"} {
		if t, err := time.Parse(form, s); err == nil {
			return t.Format(time.DateOnly)
		}
	}
	return ""
}

// plainNumber returns a number with a decimal point and nothing between thousands.
func plainNumber(s string, german bool) string {
	parts := strings.Split(s, ".")
	if german && len(parts) > 1 && !slices.ContainsFunc(parts[1:], func(p string) bool { return len(p) != 3 }) {
		return strings.Join(parts, "")
	}
	whole, fraction, comma := strings.Cut(s, ",")
	if comma && !strings.ContainsAny(fraction, ",.") && len(fraction) != 3 {
		return strings.TrimSuffix(whole+"."+fraction, ".")
	}
	return strings.ReplaceAll(s, ",", "")
}

// nameAt returns how many tokens at i spell the name, in words or as written; 0
// if they do not.
func (p *parse) nameAt(i int, name string) int {
	if i < len(p.tokens) && (p.tokens[i].kind == wordToken || p.tokens[i].kind == quotedToken) && strings.EqualFold(p.tokens[i].text, name) {
		return 1
	}
	words := lexicon.Parts(name)
	if len(words) == 0 || i+len(words) > len(p.tokens) {
		return 0
	}
	for k, w := range words {
		t := p.tokens[i+k]
		if t.kind != wordToken && t.kind != numberToken || lexicon.Stem(t.low) != w {
			return 0
		}
	}
	return len(words)
}

func (p *parse) tableAt(i int) int { return p.nameAt(i, p.table.Name) }

// columnAt returns the column with the longest name at i.
func (p *parse) columnAt(i int) (*database.Column, int) {
	var best *database.Column
	length := 0
	for k := range p.table.Columns {
		c := &p.table.Columns[k]
		if n := p.nameAt(i, c.Name); n > length {
			best, length = c, n
		}
	}
	return best, length
}

// operators are the phrases of comparisons.
var operators = []struct{ phrase, sign string }{
	{"greater than or equal to", ">="}, {"less than or equal to", "<="}, {"at least", ">="}, {"at most", "<="}, {"up to", "<="},
	{"no more than", "<="}, {"no less than", ">="},
	{"greater than", ">"}, {"more than", ">"}, {"higher than", ">"}, {"larger than", ">"}, {"bigger than", ">"}, {"later than", ">"},
	{"over", ">"}, {"above", ">"}, {"after", ">"}, {">", ">"}, {">=", ">="},
	{"less than", "<"}, {"lower than", "<"}, {"smaller than", "<"}, {"fewer than", "<"}, {"earlier than", "<"}, {"under", "<"},
	{"below", "<"}, {"before", "<"}, {"<", "<"}, {"<=", "<="},
	{"since", ">="}, {"equal to", "="}, {"equals", "="}, {"=", "="},
}

// comparison parses a comparison of a column with a value at i, and returns the
// condition and the position after it.
func (p *parse) comparison(i int, c *database.Column) (cond string, next int, ok bool) {
	sub := &parse{tokens: p.tokens, pos: i}
	for sub.phrase("is", "are", "was", "were", "of", "in", "the", "value") { // they only link
	}
	if sub.pos < len(sub.tokens) && sub.tokens[sub.pos].is("between") {
		return p.between(sub.pos+1, c)
	}
	for _, o := range operators {
		words := strings.Fields(o.phrase)
		if sub.pos+len(words) >= len(sub.tokens) {
			continue
		}
		same := true
		for k, w := range words {
			same = same && sub.tokens[sub.pos+k].low == w && sub.tokens[sub.pos+k].kind != quotedToken
		}
		if same {
			cond, next, ok = p.condition(sub.pos+len(words), c, o.sign)
			return cond, next, ok
		}
	}
	return p.condition(sub.pos, c, "=")
}

func (p *parse) between(i int, c *database.Column) (string, int, bool) {
	low, next, ok := p.condition(i, c, ">=")
	if !ok || next >= len(p.tokens) || !p.tokens[next].is("and") || c.Kind() == database.Textual {
		return "", 0, false
	}
	high, next, ok := p.condition(next+1, c, "<=")
	return low + " AND " + high, next, ok
}

// condition compares a column with the value at i, whose type must match.
func (p *parse) condition(i int, c *database.Column, sign string) (string, int, bool) {
	if i >= len(p.tokens) {
		return "", 0, false
	}
	name := p.dialect.Quote(c.Name)
	t := p.tokens[i]
	switch c.Kind() {
	case database.Numeric:
		if t.kind == numberToken {
			return name + " " + sign + " " + t.text, i + 1, true
		}
	case database.Moment:
		if t.kind == dateToken {
			cond, ok := p.day(name, sign, t.text)
			return cond, i + 1, ok
		}
	case database.Truth:
		if sign == "=" && (t.is("true") || t.is("yes")) {
			return name + " = " + p.truth(), i + 1, true
		}
	default:
		if sign != "=" {
			return "", 0, false
		}
		if v, n := valueAt(p.tokens, i, c); n > 0 {
			return name + " = " + p.dialect.QuoteText(v), i + n, true
		}
		if t.kind == quotedToken {
			return name + " = " + p.dialect.QuoteText(t.text), i + 1, true
		}
	}
	return "", 0, false
}

// mayBegin reports whether a value may begin with a token: a cheap look, since most do not.
func mayBegin(value string, t token) bool {
	if t.kind == quotedToken {
		return true
	}
	value = strings.TrimLeft(value, " \t\n")
	n := len(t.low)
	for k := range min(n, len(value)) {
		if value[k] >= utf8.RuneSelf || t.low[k] >= utf8.RuneSelf {
			return true // its small letter may have another length
		}
	}
	return len(value) >= n && strings.EqualFold(value[:n], t.low)
}

// valueAt returns the stored value of the column that is at i, and its number
// of tokens. Values that differ only by case are ambiguous and not returned.
func valueAt(tokens []token, i int, c *database.Column) (string, int) {
	best, length, twice := "", 0, false
	for _, v := range c.Values {
		if i >= len(tokens) || !mayBegin(v, tokens[i]) {
			continue
		}
		words := split(v)
		if len(words) == 0 || len(words) > 8 {
			continue
		}
		n := 0
		if i < len(tokens) && tokens[i].kind == quotedToken && strings.EqualFold(tokens[i].text, v) {
			n = 1
		} else if i+len(words) <= len(tokens) {
			n = len(words)
			for k, w := range words {
				if tokens[i+k].low != w.low && !(k > 0 && k == len(words)-1 && w.kind == wordToken && len(w.low) >= leastPlural &&
					tokens[i+k].low == w.low+"s") {
					n = 0
					break
				}
			}
		}
		switch {
		case n > length:
			best, length, twice = v, n, false
		case n > 0 && n == length:
			twice = true
		}
	}
	if twice {
		return "", 0
	}
	return best, length
}

// leastPlural is how many letters a word has at least that may stand in the plural.
const leastPlural = 3

func isYear(t token) bool { return t.whole() >= 1900 && t.whole() <= 2100 && len(t.text) == 4 }

// parted makes two words of a German compound that begins with what is computed, where no column is called so:
// "Durchschnittsgehalt", "Gesamtkosten".
func parted(tokens []token, s *database.Schema) []token {
	var list []token
	for _, t := range tokens {
		list = append(list, t)
		for _, n := range []string{"ein", "zwei", "drei", "vier", "fünf", "sechs"} { // "Zweizimmerwohnungen"
			rest, ok := strings.CutPrefix(t.low, n)
			at := strings.Index(rest, "zimmer")
			if !ok || at != 0 || len(rest) < len("zimmer")+lexicon.LeastPart || !calledSo(s, "zimmer") {
				continue
			}
			number := strconv.Itoa(max(1, lexicon.NumberOf(n)))
			noun := rest[len("zimmer"):]
			list = append(list[:len(list)-1], token{numberToken, number, number}, token{wordToken, "Zimmer", "zimmer"},
				token{wordToken, strings.ToUpper(noun[:1]) + noun[1:], noun})
		}
		for _, first := range []string{"durchschnitts", "gesamt"} {
			rest, ok := strings.CutPrefix(t.low, first)
			if !ok || t.kind != wordToken || len(rest) < lexicon.LeastPart || t.low == t.text || calledSo(s, t.low) {
				continue
			}
			whole := map[string]string{"durchschnitts": "durchschnittliches", "gesamt": "gesamt"}[first]
			list[len(list)-1] = token{wordToken, whole, whole}
			list = append(list, token{wordToken, strings.ToUpper(rest[:1]) + rest[1:], rest})
		}
	}
	return list
}

// idioms writes phrases of two words as one, which no table has where it has no role.
func idioms(tokens []token, s *database.Schema) []token {
	var list []token
	for i := 0; i < len(tokens); i++ {
		t := tokens[i]
		if t.is("day") && i+3 < len(tokens) && tokens[i+1].is("of") && tokens[i+2].is("the") && tokens[i+3].is("week") {
			t, i = token{wordToken, "weekday", "weekday"}, i+3
		}
		if i+1 < len(tokens) && t.kind == wordToken {
			if one, ok := lexicon.Phrases[[2]string{t.low, tokens[i+1].low}]; ok {
				first, last, two := strings.Cut(one, " ")
				switch unsaid := !calledSo(s, first); {
				case first == "joined" && unsaid:
					first = "registered"
				case first == "unreturned" && !calledSo(s, "returned") && !calledSo(s, "rückgabe") && !calledSo(s, "return") && !calledSo(s,
					"zurück"):
					first, last, two = t.low, tokens[i+1].low, true
				case first == "waitlist" && unsaid:
					first, last, two = t.low, tokens[i+1].low, true
				case first == "lead" && (unsaid || calledSo(s, "delivery")):
					first, last = t.low, tokens[i+1].low
				}
				i++
				t.low, t.text = cmp.Or(first, t.low+" "+tokens[i].low), cmp.Or(first, t.low+" "+tokens[i].low)
				if two {
					list = append(list, t)
					t = token{wordToken, last, last}
				}
			}
		}
		list = append(list, t)
	}
	return list
}

// flowVerbs are verbs for money that comes or goes, with the nouns of columns for it.
var flowVerbs = map[string]string{"eingenommen": "einnahme", "einnehmen": "einnahme", "ausgegeben": "ausgabe", "ausgeben": "ausgabe",
	"gekostet": "ausgabe", "umgesetzt": "umsatz", "umsetzen": "umsatz", "spent": "expense", "earned": "income"}

// flows writes verbs for money that came or went as the columns are called that have it, and a noun of a noun as the
// column that is called by both: "Teil der Stadt" of a column "Stadtteil".
func flows(tokens []token, s *database.Schema) []token {
	var list []token
	money := false
	for i := 0; i < len(tokens); i++ {
		t := tokens[i]
		if i+2 < len(tokens) && (tokens[i+1].is("der") || tokens[i+1].is("des")) && t.text != t.low && tokens[i+2].text != tokens[i+2].low {
			if whole := tokens[i+2].low + t.low; len(t.low) >= lexicon.LeastPart && calledSo(s, whole) {
				t, i = token{wordToken, whole, whole}, i+2
			}
		}
		if noun := flowVerbs[t.low]; noun != "" && calledSo(s, noun) && !calledSo(s, t.low) {
			t, money = token{wordToken, noun, noun}, true
		}
		list = append(list, t)
	}
	if money {
		list = slices.DeleteFunc(list, func(t token) bool { return t.is("geld") || t.is("money") })
	}
	return list
}

// calledSo reports whether the name of a column has a word.
func calledSo(s *database.Schema, word string) bool {
	return slices.ContainsFunc(s.Tables, func(t database.Table) bool {
		return slices.ContainsFunc(t.Columns, func(c database.Column) bool { return lexicon.Among(lexicon.Parts(c.Name), word) })
	})
}

// headOf leaves out the end of a question for the most of something that asks how much that is, which is told anyway:
// "…, and how many were there?"
func headOf(tokens []token) []token {
	most := false
	for i, t := range tokens {
		most = most || lexicon.Superlative(t.low)
		if !most || i < 3 || !t.is("and") && !t.is("und") || i+1 >= len(tokens) || !asking(tokens[0].low) && !(len(tokens) > 1 &&
			asking(tokens[1].low)) {
			continue
		}
		next := tokens[i+1]
		if next.is("how") || next.is("what") || next.is("wie") || next.is("was") || next.is("by") && i+2 < len(tokens) &&
			tokens[i+2].is("how") {
			return measuredHead(tokens[:i], tokens[i:])
		}
	}
	return tokens
}

// measuredHead returns a question for the most of something with what its end says that is measured in: "most wheat, and
// how many kilos was that" asks for the most kilos.
func measuredHead(head, end []token) []token {
	for i := 1; i+1 < len(end); i++ {
		if !end[i].is("many") && !end[i].is("much") && !end[i].is("viele") && !end[i].is("viel") || !lexicon.MeasureWords[end[i+1].low] {
			continue
		}
		for k, t := range head {
			if t.is("most") || t.is("fewest") || t.is("meisten") || t.is("least") {
				return slices.Concat(head[:k+1], end[i+1:i+2], head[k+1:])
			}
		}
	}
	return head
}

func asking(w string) bool {
	return w == "which" || w == "who" || w == "what" || w == "wer" || strings.HasPrefix(w, "welche")
}

// numbered writes an ordinal before what columns are told apart by, as "first test" of "test 1" and "test 2", as the number.
func numbered(tokens []token, s *database.Schema) []token {
	for i, t := range tokens {
		n := lexicon.OrdinalOf(t.low)
		if n == 0 || i+1 >= len(tokens) || t.kind != wordToken {
			continue
		}
		next := tokens[i+1].low
		if slices.ContainsFunc(s.Tables, func(table database.Table) bool {
			return slices.ContainsFunc(table.Columns, func(c database.Column) bool {
				parts := lexicon.Parts(c.Name)
				return slices.Contains(parts, strconv.Itoa(n)) && (lexicon.Among(parts, next) ||
					slices.ContainsFunc(parts, func(p string) bool { return lexicon.Abbreviates(p, next) }))
			})
		}) {
			tokens[i] = token{numberToken, strconv.Itoa(n), strconv.Itoa(n)}
		}
	}
	return tokens
}

// doer returns the field that names who does what the question says: the borrower of who has borrowed; nil without.
func (r *reading) doer() *field {
	if f := r.only(func(f *field) bool {
		return f.text() && len(f.words) == 2 && f.has([]string{"by", "von"}) && slices.ContainsFunc(r.tokens, func(t token) bool {
			return t.kind == wordToken && (lexicon.Same(f.words[0], t.low) || lexicon.Rooted(f.words[0], t.low))
		})
	}); f != nil {
		return f
	}
	for _, d := range lexicon.Doers {
		if r.says(strings.Fields(d.Verbs)...) {
			if f := r.of(d.Of, func(f *field) bool { return f.text() && !f.id }); f != nil {
				return f
			}
			if p := r.people(); p == nil || d.Not == "" || p.has(strings.Fields(d.Not)) {
				r.unclear = true // they do something else
				return p
			}
		}
	}
	return r.only(func(f *field) bool {
		return f.text() && !f.id && f.Kind() == database.Textual && slices.ContainsFunc(f.words, func(p string) bool {
			return strings.HasSuffix(p, "er") && slices.ContainsFunc(r.tokens, func(t token) bool {
				return t.kind == wordToken && len(t.low) > lexicon.RootLetters && t.low != p && lexicon.Rooted(p, t.low) && !lexicon.Same(p, t.low)
			})
		})
	})
}

// ofKind returns the field and the value that the first part of a compound with a general noun is: "Taxifahrten" of an art
// "Taxi"; nil for another word.
func (r *reading) ofKind(word string) (*field, string) {
	for _, tail := range []string{"rechnung", "fahrt", "besuch", "kurs", "buchung", "termin", "einsatz", "einsätz", "zahlung", "lieferung",
		"bestellung",
		"spende", "karte", "auftrag", "aufträg", "stunde", "vertrag", "verträg"} {
		if at := strings.LastIndex(word, tail); at >= lexicon.LeastPrefix && len(word)-at-len(tail) <= 2 {
			return r.holder(strings.TrimSuffix(word[:at], "s"))
		}
	}
	return nil, ""
}

// spends reports whether a word is one for money, or a compound with one: "Reisekosten".
func spends(word string) bool {
	return moneyWords[word] || earned[lexicon.Stem(word)] || word != "" &&
		slices.ContainsFunc([]string{"kosten", "ausgaben", "einnahmen", "umsätze"},
			func(w string) bool { return strings.HasSuffix(word, w) })
}

// spentOn returns the first part of a compound with a word for money, as "taxi" is of "Taxikosten", where it is none of the
// table's own name.
func (r *reading) spentOn(word string) (head string, ok bool) {
	for _, w := range []string{"kosten", "ausgaben", "einnahmen", "umsätze"} {
		head, ok = strings.CutSuffix(word, w)
		own := func(n string) bool { return strings.HasPrefix(n, head) || strings.Contains(n, word) }
		if ok && len(head) >= lexicon.LeastPrefix && head != "gesamt" && !slices.ContainsFunc(r.own, own) {
			return head, true
		}
	}
	return "", false
}

// havings reports whether the question asks how many of something there are, of rows that tell only what happened to it.
func (r *reading) havings() bool {
	last := len(r.tokens) - 1
	for last > 0 && (r.tokens[last].kind == markToken || r.is(last, "noch", "left", "still", "insgesamt", "wir")) {
		last--
	}
	entities := r.people() != nil && r.unique(r.people()) || r.stock() != nil || r.of("quantity qty menge anzahl", (*field).additive) != nil
	held := false
	for next := range r.counting {
		held = held || r.near[next].f == nil && r.used[next] && !r.rowNoun && len(r.where) > 0
	}
	return r.is(last, "have", "haben") && held && r.dates() && !entities && len(r.measures) == 0 && !r.joined
}

// tellsDeed reports whether a field says whether what a participle says was done.
func (r *reading) tellsDeed(w string) bool {
	return participle(w) && slices.ContainsFunc(r.fields, func(f field) bool {
		return f.yes != "" && (lexicon.Same(f.deed(), w) || lexicon.Alike(f.deed(), w))
	})
}

// hyphened returns the word before a hyphen that values of a field have before the word at i, too; empty without.
func (r *reading) hyphened(of *field, i int) string {
	if i < 2 || r.tokens[i-1].text != "-" || r.used[i-2] {
		return ""
	}
	whole := r.word(i-2) + "-" + r.tokens[i].low
	if !slices.ContainsFunc(of.Values, func(v string) bool { return strings.Contains(strings.ToLower(v), whole) }) {
		return ""
	}
	return r.word(i - 2)
}

// hyphens reports whether the word at i ends one with a hyphen that values have.
func (r *reading) hyphens(i int) bool {
	return i > 1 && r.tokens[i-1].text == "-" && slices.ContainsFunc(r.fields, func(f field) bool { return r.hyphened(&f, i) != "" })
}

// lacksAt takes "is missing" behind the word at i, and reports whether it stands there.
func (r *reading) lacksAt(i int) bool {
	for k := i + 1; k <= i+3; k++ {
		if r.is(k, "missing", "fehlt", "fehlen", "fehlten") {
			r.used[k] = true
			return true
		}
		if !lexicon.Neutral[r.word(k)] {
			break
		}
	}
	return false
}

// begin reports whether a German noun at i begins compounds of a field's values, as "Halle" does of "Hallenmiete".
func (r *reading) begin(f *field, i int) bool {
	t := r.tokens[i]
	if !r.german || t.text == t.low || len(t.low) < lexicon.RootLetters || i == 0 || r.near[i].f != nil || lexicon.Among(r.nouns, t.low) {
		return false
	}
	for w := range f.vocabulary().words {
		if strings.HasPrefix(w, t.low) && len(w) > len(t.low)+lexicon.LeastPrefix {
			return true
		}
	}
	return false
}

// actedOn reports whether the word at i is what somebody did something to, as a field says who did: the meters of a field
// "read by".
func (r *reading) actedOn(i int) bool {
	if !r.is(i-1, "the", "a", "an", "our", "their", "den", "die", "das", "einen", "eine", "ein") {
		return false
	}
	verb := r.near[max(0, i-2)].f
	return verb != nil && verb.text() && verb.has([]string{"by", "von", "durch"})
}

// ended returns the value, quoted, by which a field says that something was called off; empty without.
func (r *reading) ended(f *field) string {
	if at := slices.IndexFunc(f.Values, func(v string) bool { return lexicon.Alike(strings.ToLower(v), "cancelled") }); at >= 0 {
		return r.dialect.QuoteText(f.Values[at])
	}
	return ""
}

// yearField returns the field with years that the question speaks of; nil without.
func (r *reading) yearField() *field {
	for _, m := range r.near {
		if m.f != nil && m.f.numeric() && m.f.ofYears() {
			return m.f
		}
	}
	return nil
}
