// Package wording cuts questions about tables into tokens, and writes idioms as the words that columns and rules have. No
// library does this for English and German.
package wording

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

// Tokens returns the tokens of a question about a schema, with idioms as one word, compounds as their parts, and without
// an end that asks for nothing more.
func Tokens(question string, s *database.Schema) []Token {
	return numbered(headOf(flows(parted(idioms(Split(asNamed(question, s)), s), s), s)), s)
}

// asNamed returns a question with names of columns as these have them: "electricity and gas" of a column "Electricity & gas"; and
// without what their names say already: "hours this week" of "Hours this week", "rent per month" of "Monthly rent".
func asNamed(question string, s *database.Schema) string {
	low := strings.ToLower(question)
	if len(low) != len(question) || !joins.MatchString(low) && !each.MatchString(low) {
		return question
	}
	replaced := func(phrase, by string) {
		at := strings.Index(low, phrase)
		if at < 0 || at > 0 && letterAt(low, at-1) && phrase[0] != ' ' || letterAt(low, at+len(phrase)) {
			return
		}
		question = question[:at] + by + question[at+len(phrase):]
		low = strings.ToLower(question)
	}
	for _, t := range s.Tables {
		for _, c := range t.Columns {
			parts := strings.Split(strings.ToLower(c.Name), "_")
			for i := 0; i+1 < len(parts); i++ {
				a, b := parts[i], parts[i+1]
				if len(a) < leastNamed || len(b) < leastNamed {
					continue
				}
				replaced(a+" and "+b, a+" "+b)
				replaced(a+" und "+b, a+" "+b)
				replaced(a+" for "+b, a+" "+b)
				told := slices.ContainsFunc(parts, func(p string) bool { // another word of its name
					return len(p) >= leastNamed && p != "this" && !slices.Contains(periods, p) && adverbs[p] == "" && strings.Contains(low, p)
				})
				if a == "this" && told && slices.Contains(periods, b) {
					replaced(" this "+b, "")
				}
				for _, adverb := range []string{a, b} {
					if period := adverbs[adverb]; period != "" && told && len(s.Tables) == 1 {
						replaced(" per "+period, "")
						replaced(" a "+period, "")
					}
				}
			}
		}
	}
	return question
}

// letterAt reports whether a letter or a digit of ASCII stands at a place of a text, or a part of another letter.
func letterAt(text string, at int) bool {
	if at < 0 || at >= len(text) {
		return false
	}
	c := text[at]
	return c >= utf8.RuneSelf || c >= 'a' && c <= 'z' || c >= '0' && c <= '9'
}

const leastNamed = 3 // letters of a word of a column's name that a question may join

var periods = []string{"week", "month", "year", "season", "term"}

// each matches for each what something is, adverbs are how names of columns say it; joins matches what may stand in names.
var (
	each    = regexp.MustCompile(` (?:per|a) (?:month|week|year|day|hour|night)\b`)
	joins   = regexp.MustCompile(` (?:and|und|this|for) `)
	adverbs = map[string]string{"monthly": "month", "weekly": "week", "yearly": "year", "daily": "day", "hourly": "hour", "nightly": "night"}
)

// Kind is what a token is.
type Kind int

// What tokens are: words, numbers, days, what is within quotes, and marks.
const (
	Word Kind = iota
	Number
	Date
	Quoted
	Mark
)

// Token is one word of a question.
type Token struct {
	Kind Kind
	Text string // as written; without quotes
	Low  string // in lower case
}

// Is reports whether the token is one of the words.
func (t Token) Is(words ...string) bool { return t.Kind == Word && slices.Contains(words, t.Low) }

// Whole returns the token as an integer; 0 if it is not one.
func (t Token) Whole() int {
	if t.Kind != Number {
		return 0
	}
	n, err := strconv.Atoi(t.Text)
	if err != nil || n < 0 {
		return 0
	}
	return n
}

var form = regexp.MustCompile(`"[^"]+"|“[^”]+”|'[^']+'|\d{4}-\d{2}-\d{2}\b|\d{1,2}[./]\d{1,2}[./]\d{4}\b|[$€£]?\d[\d,]*(?:\.\d+)*|[eE]-\p{L}+|[\p{L}_][\p{L}\p{N}_]*|[<>]=|[^\s]`)

// Split cuts a question, or the value of a cell, into tokens.
func Split(question string) []Token {
	var list []Token
	german := germanWords.MatchString(question)
	for _, m := range form.FindAllString(apostrophe.ReplaceAllString(written.Replace(question), "$1’$2"), 200) {
		m = strings.ReplaceAll(m, "’", "'")
		t := Token{Text: m, Low: strings.ToLower(m)}
		if strings.HasPrefix(t.Low, "e-") {
			t.Low = "e" + t.Low[2:] // as names of columns have it: email
		}
		first, day := []rune(m)[0], writtenDay(m)
		switch {
		case len(m) > 2 && strings.ContainsRune("\"“'", first):
			t.Kind, t.Text = Quoted, strings.Trim(m, "\"“”'")
		case len(m) == 10 && m[4] == '-':
			t.Kind = Date
		case day != "":
			t.Kind, t.Text = Date, day
		case strings.ContainsAny(m, "0123456789") && !unicode.IsLetter(first) && first != '_':
			t.Kind, t.Text = Number, plainNumber(strings.TrimLeft(m, "$€£"), german)
		case !unicode.IsLetter(first) && first != '_':
			t.Kind = Mark
		}
		if n := len(list); t.Is("s") && n > 1 && list[n-1].Text == "'" && list[n-2].Kind == Word {
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

// mayBegin reports whether a value may begin with a token: a cheap look, since most do not.
func mayBegin(value string, t Token) bool {
	if t.Kind == Quoted {
		return true
	}
	value = strings.TrimLeft(value, " \t\n")
	n := len(t.Low)
	for k := range min(n, len(value)) {
		if value[k] >= utf8.RuneSelf || t.Low[k] >= utf8.RuneSelf {
			return true // its small letter may have another length
		}
	}
	return len(value) >= n && strings.EqualFold(value[:n], t.Low)
}

// ValueAt returns the stored value of the column that is at i, and its number
// of tokens. Values that differ only by case are ambiguous and not returned.
func ValueAt(tokens []Token, i int, c *database.Column) (string, int) {
	best, length, twice := "", 0, false
	for _, v := range c.Values {
		if i >= len(tokens) || !mayBegin(v, tokens[i]) {
			continue
		}
		words := Split(v)
		if len(words) == 0 || len(words) > 8 {
			continue
		}
		n := 0
		if i < len(tokens) && tokens[i].Kind == Quoted && strings.EqualFold(tokens[i].Text, v) {
			n = 1
		} else if i+len(words) <= len(tokens) {
			n = len(words)
			for k, w := range words {
				if tokens[i+k].Low != w.Low && !(k > 0 && k == len(words)-1 && w.Kind == Word && len(w.Low) >= leastPlural &&
					tokens[i+k].Low == w.Low+"s") {
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
const leastPlural = 2

// IsYear reports whether a token may be a year.
func IsYear(t Token) bool { return t.Whole() >= 1900 && t.Whole() <= 2100 && len(t.Text) == 4 }

// parted makes two words of a German compound that begins with what is computed, where no column is called so:
// "Durchschnittsgehalt", "Gesamtkosten".
func parted(tokens []Token, s *database.Schema) []Token {
	var list []Token
	for _, t := range tokens {
		list = append(list, t)
		for _, n := range []string{"ein", "zwei", "drei", "vier", "fünf", "sechs"} { // "Zweizimmerwohnungen"
			rest, ok := strings.CutPrefix(t.Low, n)
			at := strings.Index(rest, "zimmer")
			if !ok || at != 0 || len(rest) < len("zimmer")+lexicon.LeastPart || !calledSo(s, "zimmer") {
				continue
			}
			number := strconv.Itoa(max(1, lexicon.NumberOf(n)))
			noun := rest[len("zimmer"):]
			list = append(list[:len(list)-1], Token{Number, number, number}, Token{Word, "Zimmer", "zimmer"},
				Token{Word, lexicon.Capital(noun), noun})
		}
		if head, tail := kindOf(t, s); head != "" {
			list = append(list[:len(list)-1], Token{Word, head, head}, Token{Word, lexicon.Capital(tail), tail})
			continue
		}
		for _, first := range []string{"durchschnitts", "gesamt"} {
			rest, ok := strings.CutPrefix(t.Low, first)
			if !ok || t.Kind != Word || len(rest) < lexicon.LeastPart || t.Low == t.Text || calledSo(s, t.Low) {
				continue
			}
			whole := map[string]string{"durchschnitts": "durchschnittliches", "gesamt": "gesamt"}[first]
			list[len(list)-1] = Token{Word, whole, whole}
			list = append(list, Token{Word, lexicon.Capital(rest), rest})
		}
	}
	return list
}

// kindOf parts a German compound of a value and of what a column is called, as "Rotwein" where wines are "rot"; empty for another word.
func kindOf(t Token, s *database.Schema) (head, tail string) {
	if t.Kind != Word || t.Text == t.Low || calledSo(s, t.Low) || holds(s, t.Low) {
		return "", ""
	}
	for _, table := range s.Tables {
		for _, c := range table.Columns {
			for _, p := range lexicon.Parts(c.Name) {
				at := strings.LastIndex(t.Low, p)
				if len(p) < lexicon.LeastPart || at < lexicon.LeastPrefix || len(t.Low)-at-len(p) > 2 {
					continue
				}
				of := func(o database.Column) bool {
					return o.Name != c.Name && o.Kind() == database.Textual &&
						slices.ContainsFunc(o.Values, func(v string) bool { return strings.EqualFold(v, t.Low[:at]) })
				}
				if slices.ContainsFunc(table.Columns, of) {
					return t.Low[:at], t.Low[at:]
				}
			}
		}
	}
	return "", ""
}

// names reports whether a column is called by two words.
func names(s *database.Schema, a, b Token) bool {
	return slices.ContainsFunc(s.Tables, func(t database.Table) bool {
		return slices.ContainsFunc(t.Columns, func(c database.Column) bool {
			parts := lexicon.Parts(c.Name)
			return len(parts) == 2 && lexicon.Same(parts[0], a.Low) && lexicon.Same(parts[1], b.Low)
		})
	})
}

// idioms writes phrases of two words as one, which no table has where it has no role.
func idioms(tokens []Token, s *database.Schema) []Token {
	var list []Token
	for i := 0; i < len(tokens); i++ {
		t := tokens[i]
		if t.Is("not") && i+2 < len(tokens) && tokens[i+2].Is("up") && tokens[i+1].Is("show", "turn", "shown", "turned") && holds(s, "no-show") {
			list, i = append(list, Split("no-show")...), i+2
			continue
		}
		if t.Is("most", "fewest") && i+2 < len(tokens) && tokens[i+1].Is("of") && tokens[i+2].Is("our", "the", "my", "all") && i > 0 {
			i += 2 // most of our wines
		}
		if t.Is("day") && i+3 < len(tokens) && tokens[i+1].Is("of") && tokens[i+2].Is("the") && tokens[i+3].Is("week") {
			t, i = Token{Word, "weekday", "weekday"}, i+3
		}
		if i+1 < len(tokens) && t.Kind == Word {
			if one, ok := lexicon.Phrases[[2]string{t.Low, tokens[i+1].Low}]; ok && !names(s, t, tokens[i+1]) {
				first, last, two := strings.Cut(one, " ")
				switch unsaid := !calledSo(s, first); {
				case first == "joined" && unsaid:
					first = "registered"
				case first == "unreturned" && !calledSo(s, "returned") && !calledSo(s, "rückgabe") && !calledSo(s, "return") && !calledSo(s,
					"zurück"):
					first, last, two = t.Low, tokens[i+1].Low, true
				case first == "waitlist" && unsaid:
					first, last, two = t.Low, tokens[i+1].Low, true
				case first == "lead" && (unsaid || calledSo(s, "delivery")):
					first, last = t.Low, tokens[i+1].Low
				}
				i++
				t.Low, t.Text = cmp.Or(first, t.Low+" "+tokens[i].Low), cmp.Or(first, t.Low+" "+tokens[i].Low)
				if two {
					list = append(list, t)
					t = Token{Word, last, last}
				}
			}
		}
		list = append(list, t)
	}
	return list
}

// holds reports whether a column has a value, in any case.
func holds(s *database.Schema, value string) bool {
	return slices.ContainsFunc(s.Tables, func(t database.Table) bool {
		return slices.ContainsFunc(t.Columns, func(c database.Column) bool {
			return slices.ContainsFunc(c.Values, func(v string) bool { return strings.EqualFold(v, value) })
		})
	})
}

// flowVerbs are verbs for money that comes or goes, with the nouns of columns for it.
var flowVerbs = map[string]string{"eingenommen": "einnahme", "einnehmen": "einnahme", "ausgegeben": "ausgabe", "ausgeben": "ausgabe",
	"gekostet": "ausgabe", "umgesetzt": "umsatz", "umsetzen": "umsatz", "spent": "expense", "earned": "income"}

// flows writes verbs for money that came or went as the columns are called that have it, and a noun of a noun as the
// column that is called by both: "Teil der Stadt" of a column "Stadtteil".
func flows(tokens []Token, s *database.Schema) []Token {
	var list []Token
	money := false
	for i := 0; i < len(tokens); i++ {
		t := tokens[i]
		if i+2 < len(tokens) && tokens[i+1].Is("der", "des") && t.Text != t.Low && tokens[i+2].Text != tokens[i+2].Low {
			if whole := tokens[i+2].Low + t.Low; len(t.Low) >= lexicon.LeastPart && calledSo(s, whole) {
				t, i = Token{Word, whole, whole}, i+2
			}
		}
		if noun := flowVerbs[t.Low]; noun != "" && calledSo(s, noun) && !calledSo(s, t.Low) {
			t, money = Token{Word, noun, noun}, true
		}
		list = append(list, t)
	}
	if money {
		list = slices.DeleteFunc(list, func(t Token) bool { return t.Is("geld", "money") })
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
func headOf(tokens []Token) []Token {
	most := false
	for i, t := range tokens {
		most = most || lexicon.Superlative(t.Low)
		if !most || i < 3 || !t.Is("and", "und") || i+1 >= len(tokens) || !asking(tokens[0].Low) && !(len(tokens) > 1 &&
			asking(tokens[1].Low)) {
			continue
		}
		next := tokens[i+1]
		if next.Is("how", "what", "wie", "was") || next.Is("by") && i+2 < len(tokens) && tokens[i+2].Is("how") {
			return measuredHead(tokens[:i], tokens[i:])
		}
	}
	return tokens
}

// measuredHead returns a question for the most of something with what its end says that is measured in: "most wheat, and
// how many kilos was that" asks for the most kilos.
func measuredHead(head, end []Token) []Token {
	for i := 1; i+1 < len(end); i++ {
		if !end[i].Is("many", "much", "viele", "viel") || !lexicon.MeasureWords[end[i+1].Low] {
			continue
		}
		for k, t := range head {
			if t.Is("most", "fewest", "meisten", "least") {
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
func numbered(tokens []Token, s *database.Schema) []Token {
	for i, t := range tokens {
		n := lexicon.OrdinalOf(t.Low)
		if n == 0 || i+1 >= len(tokens) || t.Kind != Word {
			continue
		}
		next := tokens[i+1].Low
		if slices.ContainsFunc(s.Tables, func(table database.Table) bool {
			return slices.ContainsFunc(table.Columns, func(c database.Column) bool {
				parts := lexicon.Parts(c.Name)
				return slices.Contains(parts, strconv.Itoa(n)) && (lexicon.Among(parts, next) ||
					slices.ContainsFunc(parts, func(p string) bool { return lexicon.Abbreviates(p, next) }))
			})
		}) {
			tokens[i] = Token{Number, strconv.Itoa(n), strconv.Itoa(n)}
		}
	}
	return tokens
}
