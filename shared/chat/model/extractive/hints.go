package extractive

import (
	"regexp"
	"regexp/syntax"
	"slices"
	"strings"
	"unicode"
	"unicode/utf8"

	"lectern/shared/chat/model/extractive/amount"
	"lectern/shared/chat/model/extractive/cell"
	"lectern/shared/chat/model/extractive/doer"
	"lectern/shared/chat/model/extractive/label"
	"lectern/shared/chat/model/extractive/lazy"
	"lectern/shared/chat/model/extractive/line"
	"lectern/shared/text/sentence"
	"lectern/shared/text/spelling"
	"lectern/shared/text/terms"
)

// hints are values in a text that may fill a field.
type hints struct {
	numbers []float64
	names   []string // runs of capitalised words inside a sentence
	quoted  []string
	emails  []string
	urls    []string
	dates   []string
}

// Patterns of hints, compiled on first use: most answers need none, and compiling
// would slow every cold start.
var (
	quoteForm = form("[\"“”«»`]([^\"“”«»`]{1,200})[\"“”«»`]|(?:^|\\s)'([^']{1,200})'")
	emailForm = form(`[\w.+-]+@[\w-]+(?:\.[\w-]+)+`)
	urlForm   = form(`https?://[^\s"'<>]+`)
	dateForm  = form(`\b\d{4}-\d{2}-\d{2}\b`)
)

// pattern is a regular expression that is compiled when it is first used.
type pattern = lazy.Pattern

// form returns a pattern.
func form(text string) *pattern { return lazy.New(text) }

var numberWords = label.Spelt

func hintsOf(text string) hints {
	if len(text) > 20000 {
		text = strings.ToValidUTF8(text[:20000], "")
	}
	h := hints{emails: emailForm.Get().FindAllString(text, 20), urls: urlForm.Get().FindAllString(text, 20),
		dates: dateForm.Get().FindAllString(text, 20)}
	for i, u := range h.urls {
		h.urls[i] = strings.TrimRight(u, ".,;:!?)")
	}
	for _, n := range label.All(text) {
		h.numbers = append(h.numbers, n.Value)
	}
	for _, m := range quoteForm.Get().FindAllStringSubmatch(text, 20) {
		h.quoted = append(h.quoted, m[1]+m[2])
	}
	h.names = names(text)
	return h
}

// names returns runs of capitalised words. The first word of a sentence counts only
// inside a longer run or if nothing else is found.
func names(text string) []string {
	var found, firsts []string
	var run []terms.Word
	flush := func() {
		if len(run) == 0 {
			return
		}
		name := text[run[0].Start:run[len(run)-1].End]
		if len(run) == 1 && sentence.Opens(text, run[0].Start) {
			if !terms.Stop("", run[0].Text) {
				firsts = append(firsts, name)
			}
		} else {
			if sentence.Opens(text, run[0].Start) && terms.Stop("", run[0].Text) {
				name = text[run[1].Start:run[len(run)-1].End]
			}
			found = append(found, name)
		}
		run = nil
	}
	for _, w := range terms.Words(text) {
		if w.Part {
			continue
		}
		first, _ := utf8.DecodeRuneInString(text[w.Start:])
		if !unicode.IsUpper(first) || w.Text == "i" {
			flush()
			continue
		}
		if len(run) > 0 && strings.TrimSpace(text[run[len(run)-1].End:w.Start]) != "" {
			flush()
		}
		run = append(run, w)
	}
	flush()
	return append(found, firsts...)
}

// str returns a string for a field, by what the text says of it, else by its format,
// its name and the text's hints. An answer has nothing else.
func (f *filler) str(name string, s map[string]any) string {
	format, _ := s["format"].(string)
	pattern, _ := s["pattern"].(string)
	v, said := f.stated(f.field(name, s), format)
	if !said && !f.answers {
		v = f.candidate(strings.ToLower(name), format)
	}
	if pattern != "" {
		v = f.matching(pattern, v)
		said = said || v != "" && strings.Contains(f.text+"\n"+strings.Join(f.sentences, "\n"), v)
	}
	f.count(said)
	if most := intOf(s, "maxLength", 0); most > 0 && utf8.RuneCountInString(v) > most {
		v = string([]rune(v)[:most])
	}
	for least := intOf(s, "minLength", 0); least < 10000 && utf8.RuneCountInString(v) < least; {
		v += "."
	}
	return v
}

// stated returns what the text says of a field.
func (f *filler) stated(field label.Field, format string) (string, bool) {
	words := label.Words(field.Name)
	named := func(list ...string) bool {
		return slices.ContainsFunc(list, func(w string) bool { return slices.Contains(words, w) })
	}
	of := func(list []string) (string, bool) {
		v, ok := f.labels.String(field)
		for _, one := range list {
			if ok && strings.Contains(v, one) {
				return one, true
			}
		}
		if len(list) == 0 || !f.answers {
			return "", false
		}
		return list[0], true
	}
	switch format {
	case "date", "date-time":
		day, ok := f.labels.Date(field)
		if ok && format == "date-time" {
			day += "T00:00:00Z"
		}
		return day, ok
	case "email":
		return of(f.hints.emails)
	case "uri", "url", "iri":
		return of(f.hints.urls)
	case "time", "uuid", "ipv4", "ipv6", "duration", "json-pointer":
		return "", false
	}
	switch {
	case named("email", "mail"):
		return of(f.hints.emails)
	case named("url", "uri", "link", "href", "website"):
		return of(f.hints.urls)
	}
	if v, ok := f.labels.String(field); ok {
		return v, true
	}
	if named("date", "day") {
		if day, ok := f.labels.Date(field); ok {
			return day, true
		}
	}
	if !f.answers {
		return "", false
	}
	if named("question", "query") && f.text != "" {
		return f.text, true
	}
	if f.whollyAnswers(words) {
		v := f.whole()
		return v, v != ""
	}
	if f.asked(words) {
		for _, list := range [][]string{f.hints.quoted, f.hints.names} {
			for _, v := range list {
				if !strings.Contains(strings.ToLower(f.text), strings.ToLower(v)) {
					return v, true
				}
			}
		}
	}
	return "", false
}

// wholeNames are words of fields that take all that answers.
var wholeNames = []string{"answer", "summary", "text", "content", "description", "reason", "explanation", "response", "result", "message",
	"quote", "quotes", "evidence", "output"}

func (f *filler) whollyAnswers(words []string) bool {
	return slices.ContainsFunc(words, func(w string) bool { return slices.Contains(wholeNames, w) })
}

// askedBy lists fields that a question word asks for.
var askedBy = []struct {
	word   string
	fields []string
}{
	{"where", []string{"city", "place", "location", "country", "town", "address"}}, {"who", []string{"name", "person"}},
	{"how", []string{"height", "length", "distance", "count", "price", "cost", "age", "width", "depth", "weight", "duration", "total"}},
}

// asked reports whether the question, which has an answer, asks for the field.
func (f *filler) asked(words []string) bool {
	if len(f.sentences) == 0 {
		return false
	}
	question := terms.Stems(f.text)
	said := strings.FieldsFunc(strings.ToLower(f.text), func(r rune) bool { return !unicode.IsLetter(r) })
	for _, by := range askedBy {
		if slices.Contains(said, by.word) && slices.ContainsFunc(words, func(w string) bool { return slices.Contains(by.fields, w) }) {
			return true
		}
	}
	return slices.ContainsFunc(words, func(w string) bool { return !terms.Stop("", w) && question[terms.Stem(w)] })
}

func (f *filler) candidate(name, format string) string {
	pick := func(list []string, fallback string) string {
		if len(list) > 0 {
			return list[0]
		}
		return fallback
	}
	switch format {
	case "date":
		return pick(f.hints.dates, "1970-01-01")
	case "date-time":
		return pick(f.hints.dates, "1970-01-01") + "T00:00:00Z"
	case "time":
		return "00:00:00Z"
	case "email":
		return pick(f.hints.emails, "unknown@example.invalid")
	case "uri", "url", "iri":
		return pick(f.hints.urls, "https://example.invalid/")
	case "uuid":
		return "00000000-0000-4000-8000-000000000000"
	case "ipv4":
		return "192.0.2.1"
	case "ipv6":
		return "2001:db8::1"
	case "duration":
		return "PT0S"
	case "json-pointer":
		return ""
	}
	has := func(parts ...string) bool {
		for _, p := range parts {
			if strings.Contains(name, p) {
				return true
			}
		}
		return false
	}
	switch {
	case has("email"):
		return pick(f.hints.emails, f.whole())
	case has("url", "uri", "link", "href"):
		return pick(f.hints.urls, f.whole())
	case has("date", "day") && len(f.hints.dates) > 0:
		return f.hints.dates[0]
	case has("query", "question", "prompt", "request", "message", "text", "input", "search", "answer", "summary", "content", "description",
		"reason", "explanation"):
		return f.whole()
	case len(f.hints.quoted) > 0:
		return f.hints.quoted[min(f.strings, len(f.hints.quoted)-1)]
	case len(f.hints.names) > 0:
		v := f.hints.names[min(f.strings, len(f.hints.names)-1)]
		f.strings++
		return v
	}
	return f.whole()
}

// whole returns the text of the answer, or the last turn if there is none; a question is
// no answer.
func (f *filler) whole() string {
	if len(f.sentences) > 0 {
		return strings.Join(f.sentences, " ")
	}
	one := strings.TrimSpace(f.text)
	if f.answers && (f.material || strings.HasSuffix(one, "?") && len(sentence.Split(one)) == 1) {
		return ""
	}
	return f.text
}

// matching returns a part of the text that matches the pattern.
func (f *filler) matching(pattern, v string) string {
	re, err := regexp.Compile(pattern)
	if err != nil || re.MatchString(v) {
		return v
	}
	for _, text := range append([]string{f.text}, f.sentences...) {
		for _, word := range strings.Fields(text) {
			if w := strings.Trim(word, ".,;:!?()\"'"); re.MatchString(w) {
				return w
			}
		}
		if m := re.FindString(text); m != "" {
			return m
		}
	}
	return example(pattern)
}

// example returns a short string that matches a simple regular expression, with
// repetitions at their minimum.
func example(pattern string) string {
	re, err := syntax.Parse(pattern, syntax.Perl)
	if err != nil {
		return ""
	}
	var out strings.Builder
	writeExample(&out, re.Simplify(), 0)
	return out.String()
}

func writeExample(out *strings.Builder, re *syntax.Regexp, depth int) {
	if depth > maxDepth || out.Len() > 4096 {
		return
	}
	switch re.Op {
	case syntax.OpLiteral:
		out.WriteString(string(re.Rune))
	case syntax.OpCharClass:
		if len(re.Rune) > 0 {
			out.WriteRune(plainest(re.Rune))
		}
	case syntax.OpAnyChar, syntax.OpAnyCharNotNL:
		out.WriteByte('a')
	case syntax.OpConcat:
		for _, sub := range re.Sub {
			writeExample(out, sub, depth+1)
		}
	case syntax.OpCapture, syntax.OpPlus:
		writeExample(out, re.Sub[0], depth+1)
	case syntax.OpAlternate:
		writeExample(out, re.Sub[0], depth+1)
	case syntax.OpRepeat:
		for range max(re.Min, 0) {
			writeExample(out, re.Sub[0], depth+1)
		}
	}
}

// plainest returns a letter or digit of a class, else its first character.
func plainest(ranges []rune) rune {
	for _, want := range []rune{'a', 'A', '1', '0'} {
		for i := 0; i+1 < len(ranges); i += 2 {
			if ranges[i] <= want && want <= ranges[i+1] {
				return want
			}
		}
	}
	return ranges[0]
}

// speaksOfIt reports whether a sentence speaks of what a question asks for.
func speaksOfIt(c *candidate, q question) bool {
	return slices.ContainsFunc(c.stems, func(stem string) bool {
		k := slices.Index(q.stems, stem)
		return k >= 0 && q.focus[k]
	})
}

// tellsCount reports whether a sentence has a number that may be one of things: not only of metres, weeks or euros.
func tellsCount(c *candidate, q question) bool {
	if q.bent && countsOther(c, q) || !q.bent && c.countsElse(q) {
		return false
	}
	if hasAmount(amount.Counted(ends(q.text, askedBytes), c.text)) {
		return true
	}
	for i, w := range c.parsed {
		if isNumberWord(w.Text) && w.Text != "twice" && !slices.ContainsFunc(c.parsed[i+1:min(i+3, len(c.parsed))], func(next terms.Word) bool {
			perEach := next.Text == "per" && next.Start > w.End+1 // "three crates per person"
			return isDateWord(next.Text) || amount.IsUnit(next.Text) && !perEach
		}) {
			return true
		}
	}
	return false
}

func wordSet(list string) map[string]bool {
	set := map[string]bool{}
	for _, w := range strings.Fields(list) {
		for i := range len(w) {
			if w[i] >= utf8.RuneSelf {
				w = terms.Fold(w)
				break
			}
		}
		set[w] = true
	}
	return set
}

// hasName looks for a capitalised word that occurs neither in the question nor at the beginning of the sentence, where only what
// is no other word is a name; days and months aside.
func hasName(c *candidate, q question) bool {
	if q.bent && terms.Of(q.query) == "de" {
		return hasGermanName(c, q)
	}
	skip := c.skipped()
	for i, w := range c.parsed[skip:] {
		first := i == 0 && !q.proper[w.Text] && (q.bent || len(w.Text) < nameLetters || spelling.English(w.Text) || terms.Stop("", w.Text))
		if !first && len(w.Text) > 1 && !w.Part && capital(c.text[w.Start:]) && !slices.Contains(q.stems, c.stems[skip+i]) &&
			!isDateWord(w.Text) {
			return true
		}
	}
	return false
}

// nameLetters are of a word at least that is a name at the beginning of a sentence.
const nameLetters = 4

// hasPerson looks for what may be the name of somebody: capitalised words one of which is no other word, or several that no article
// stands before, as before an office. Words of the question, acronyms, days and months are none.
func hasPerson(c *candidate, q question) bool {
	if q.bent {
		return hasName(c, q)
	}
	if matchesForm(incoming, q.text) && matchesForm(leaving, c.text) {
		return false // who was it until then
	}
	skip := c.skipped()
	named := func(i int) bool {
		w := c.parsed[i]
		return len(w.Text) > 1 && !w.Part && capital(c.text[w.Start:]) && !capital(c.text[w.Start+1:]) && !isDateWord(w.Text) &&
			!slices.Contains(q.stems, c.stems[i]) && !(i == skip && (terms.Stop("", w.Text) || spelling.English(w.Text)))
	}
	for from := skip; from < len(c.parsed); from++ {
		if !named(from) {
			continue
		}
		to, own := from, false // after the words of the name, and whether one is no other word
		for ; to < len(c.parsed) && named(to); to++ {
			own = own || !spelling.English(c.parsed[to].Text)
		}
		at := from - 1 // of what stands before the capitalised words
		for at > skip && capital(c.text[c.parsed[at].Start:]) && !articles[c.parsed[at].Text] {
			at--
		}
		before := func(at int) string { return c.parsed[max(0, at)].Text }
		office := articles[before(at)] || at > skip && articles[before(at-1)] // "the current Secretary"
		alone := to-from == 1 && from > skip && q.proper[c.parsed[from].Text] // a surname that is another word, too
		if own || (to-from > 1 || alone) && !office || titles[before(from-1)] {
			return true
		}
		from = to
	}
	return false
}

// Questions for who holds an office from now on, and sentences that tell who leaves one.
var (
	incoming = form(`(?i)\b(?:new|next|now|current|succe\w+|today)\b`)
	leaving  = form(`(?i)\b(?:steps?|stepped|stepping|stood|stands?) down\b|\b(?:resign(?:s|ed)?|retires?|retired|former|outgoing|leaves|left|gives up|gave up)\b`)
)

// articles stand before offices, not before names.
var articles = wordSet("the a an each every any no our your their its his her this that")

// hasGermanName looks for what tells a name from other nouns in German: a title or a word for what it is of before it, quotes,
// digits or capitals in it, a second capitalised word after it; words of the question aside.
func hasGermanName(c *candidate, q question) bool {
	own := func(i int) bool {
		return i < len(c.parsed) && !c.parsed[i].Part && capital(c.text[c.parsed[i].Start:]) && !isDateWord(c.parsed[i].Text) &&
			!slices.Contains(q.stems, c.stems[i])
	}
	skip := c.skipped()
	for i, w := range c.parsed {
		second := own(i) && own(i+1) && c.parsed[i+1].Start == w.End+1 && c.text[w.End] == ' '
		if titles[w.Text] && own(i+1) || second && !((i == skip || sentence.Opens(c.text, w.Start)) && terms.Stop("de", w.Text)) {
			return true
		}
	}
	return matchesForm(namedGerman, c.text)
}

// namedGerman matches what is called something.
var namedGerman = form(`(?i:\b(?:heißt|hieß|heißen|hießen|namens|genannt|nennt sich|nannte|firma)\b) |[„“"»][\pL\d][^“”"«]{1,40}[“”"«]|\p{Lu}\p{Lu}|\bder (?:stadt|gemeinde) \p{Lu}`)

// codeTerm matches a paragraph that is nothing but code, as the options are of a manual whose entries are not indented.
var codeTerm = form("^`[^`]+`(?:,? `[^`]+`)*$")

// namedEntries notes the paragraphs of code that name what is said below them as the terms of that; of several, one after the
// other, the last one has the words of all. Lines that say who wrote what is below, and when, are such terms, too.
func namedEntries(list []*candidate) {
	term := -1
	for i, c := range list {
		if term >= 0 && (list[term].passage != c.passage || list[term].section != c.section) {
			term = -1
		}
		plain := c.term < 0 && !c.heading && !c.row && c.item == 0 && i+1 < len(list)
		stamp := plain && line.Stamped(c.text) && !line.Stamped(list[i+1].text)
		names := stamp || plain && c.opens && list[i+1].opens && matchesForm(codeTerm, c.text)
		switch {
		case names && term >= 0 && term == i-1 && !stamp:
			c.stems, term, c.title = slices.Concat(list[term].stems, c.stems), i, true
			list[i-1].title = true
		case names:
			term, c.title = i, c.title || stamp
		case term >= 0 && c.term < 0:
			c.term = term
		}
	}
}

// isNamed reports whether the term of a sentence, or one just before that, is what is looked for.
func (c *candidate) isNamed(list []*candidate, name string) bool {
	for at := c.term; at >= 0 && list[at].passage == c.passage; at-- {
		if hasTerm(list[at].text, name) {
			return true
		}
		if !matchesForm(codeTerm, list[at].text) {
			break
		}
	}
	return false
}

// cells returns the cells of a line that blanks part; nil of any other.
func cells(c *candidate) []string {
	if c.parted != nil || c.heading || c.row || c.item > 0 || strings.ContainsAny(c.text, "\n|") || c.code && strings.ContainsAny(c.text, "(){}[]=<>") {
		return nil
	}
	return cell.Aligned(c.text)
}

// countsOther reports whether each number of a German sentence stands before a noun that is not what the question counts.
func countsOther(c *candidate, q question) bool {
	if q.small == nil {
		return false
	}
	numbers := 0
	for i, w := range c.parsed {
		if !unicode.IsDigit(rune(w.Text[0])) && !isNumberWord(w.Text) {
			continue
		}
		if numbers++; i+1 == len(c.parsed) || !capital(c.text[c.parsed[i+1].Start:]) {
			return false
		}
		next := c.parsed[i+1].Text
		if amount.IsUnit(next) {
			return false
		}
		for k, focus := range q.focus {
			if focus && (c.stems[i+1] == q.stems[k] || bent(q.words[k], next) || compound(next, q.words[k])) {
				return false
			}
		}
	}
	return numbers > 0
}

// noted reports whether a line of a record's head names who is asked for, or a sentence says what is called as what is to be defined.
func (c *candidate) noted(q question) bool {
	return line.Terms(c.text, q.defines) || q.kind == person && c.cover >= offered && doer.Heads(q.text, c.text)
}

// countsElse reports whether a sentence speaks of what a question counts and has no number beside it: "one car per pitch" counts no
// pitches.
func (c *candidate) countsElse(q question) bool {
	speaks := false
	for i, stem := range c.stems {
		if k := slices.Index(q.stems, stem); k < 0 || !q.focus[k] {
			continue
		}
		speaks = true
		if i > 0 && c.parsed[i-1].Text == "per" {
			continue
		}
		for _, w := range c.parsed[max(0, i-besideCounted):min(i+besideCounted+1, len(c.parsed))] {
			if unicode.IsDigit(rune(w.Text[0])) || isNumberWord(w.Text) || shares[w.Text] {
				return false
			}
		}
	}
	return speaks
}

// besideCounted is how many words from what it counts a number stands at most.
const besideCounted = 4
