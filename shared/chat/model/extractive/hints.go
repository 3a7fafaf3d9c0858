package extractive

import (
	"regexp"
	"regexp/syntax"
	"slices"
	"strings"
	"sync"
	"unicode"
	"unicode/utf8"

	"lectern/shared/chat/model/extractive/label"
	"lectern/shared/text/sentence"
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
type pattern struct {
	text string
	once sync.Once
	re   *regexp.Regexp
}

// form returns a pattern. It is so short that variables of it need no code at the start.
func form(text string) *pattern { return &pattern{text: text} }

func (p *pattern) get() *regexp.Regexp {
	p.once.Do(func() { p.re = regexp.MustCompile(p.text) })
	return p.re
}

var numberWords = label.Spelt

func hintsOf(text string) hints {
	if len(text) > 20000 {
		text = strings.ToValidUTF8(text[:20000], "")
	}
	h := hints{emails: emailForm.get().FindAllString(text, 20), urls: urlForm.get().FindAllString(text, 20),
		dates: dateForm.get().FindAllString(text, 20)}
	for i, u := range h.urls {
		h.urls[i] = strings.TrimRight(u, ".,;:!?)")
	}
	for _, n := range label.All(text) {
		h.numbers = append(h.numbers, n.Value)
	}
	for _, m := range quoteForm.get().FindAllStringSubmatch(text, 20) {
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

// spanForm matches what asks for a number of units of time; spans are these, the shortest first. weightForm and heatForm
// match what asks for a weight and a temperature.
var (
	weightForm  = form(`(?i)\bhow heavy\b|\b(?:what|how much) (?:do|does|did)\b[^?]*\bweigh\b|\bwie schwer\b|\bwie viel wiegt\b`)
	weightUnits = form(`(?i)\d\s?(?:[mk]?g\b|grams?|kilo|tons?\b|tonnes?|lbs?\b|pounds?|oz\b|ounces?|gramm|tonnen?)`)
	heatForm    = form(`(?i)\b(?:how|wie) (?:hot|cold|heiß|kalt|warm)(?:\s|\?|$)|\b(?:what|which|welche) temperatur`)
	loudForm    = form(`(?i)\bhow loud\b|\bwie laut\b`)
	decibels    = form(`(?i)\bdb\b|\bdb\(|\bdecibels?\b|\bdezibel\b`)
	degrees     = form(`(?i)\d\s?(?:°|º|[CF]\b|K\b|grad|degrees)|\bzero\b`)
	spanForm    = form(`(?i)\bhow many (?:\w+ )?(second|minute|hour|day|night|week|month|year)s\b|\bwie ?viele \pL*(sekunde|minute|stunde|tage|nächte|woche|monat|jahre)`)
	spans       = []string{`sec(?:onds?|s)?\b|sek`, `min(?:s?\b|ut)`, `hours?\b|hrs?\b|h\b|stunde|heure|hora`, `day|night|tage?|nacht|nächte|jour|día|dia`,
		`week|fortnight|woche|semaine|semana`, `month|quarter|monat|mois|mes(?:es)?\b`, `year|annual|decade|centur|jahr|ans?\b|año`}
)

// spanOf returns the pattern of what may tell the span of time that is asked for, a number of
// that unit or of the next shorter or longer one; nil where none is asked for.
func spanOf(text string) *regexp.Regexp {
	m := spanForm.get().FindStringSubmatch(text)
	switch {
	case m == nil && matchesForm(weightForm, text):
		return weightUnits.get()
	case m == nil && matchesForm(speedForm, text):
		if matchesForm(movesForm, text) {
			return speeds()
		}
		return numberOf(strings.Join(spans, "|") + "|" + speedUnits)
	case m == nil && matchesForm(heatForm, text):
		return degrees.get()
	case m == nil && matchesForm(loudForm, text):
		return decibels.get()
	case m == nil && (matchesForm(sizeForm, text) || matchesForm(longForm, text)):
		return sizeUnits()
	case m == nil:
		return nil
	}
	unit := strings.ToLower((m[1] + m[2])[:3])
	at := slices.IndexFunc(spans, func(s string) bool { return strings.Contains("|"+s, "|"+unit) })
	units := strings.Join(spans[max(0, at-1):min(at+2, len(spans))], "|")
	if m[2] != "" {
		units += `|\pL+` + strings.ToLower(m[2]) // "sechs Arbeitsstunden"
	}
	return numberOf(units)
}

// sizeForm matches what asks for a length; sizeUnits is the pattern of what may tell one, a way's also by the time it takes.
var (
	sizeForm = form(`(?i)\bhow (?:deep|wide|tall|thick|far)\b|\bhow many (?:\w+ )?(?:(?:milli|centi|kilo)?met(?:er|re)s|feet|inches|miles|yards)\b|` +
		`\bwie (?:tief|breit|dick)(?:\s|\?|$)|\bwie ?viele (?:kilo|zenti|milli)?meter\b`)
	sizeUnits = sync.OnceValue(func() *regexp.Regexp {
		return numberOf(strings.Join(spans, "|") + `|[mck]?m[²2]?\b|(?:milli|centi|zenti|kilo)?met(?:er|re)|feet|foot|ft\b|inch|["″′”]|miles?|yards?|hands?\b|` +
			`x\b|×|depth|length|width|height|distance|thickness|range|tiefe|breite|höhe|länge|dicke|strecke`)
	})
)

// speedForm matches what asks how fast something is, movesForm of these what asks for a speed rather than for a span of time.
var (
	speedForm = form(`(?i)\bhow fast\b|\bwie schnell\b|\btop speed\b`)
	movesForm = form(`(?i)\b(?:fly|flies|run|runs|drive|drives|go|goes|travel|travels|swim|swims|ride|ride|sail|sails|spin|spins|blow|blows|fährt|fliegt|läuft|schwimmt|speed)\b`)
	speeds    = sync.OnceValue(func() *regexp.Regexp { return numberOf(speedUnits) })
)

const speedUnits = `k(?:m/h|ph)|mph|m/s|knots?\b|rpm|(?:\w+ )?(?:an|per|a|in der|pro|je) (?:hour|second|minute|stunde|sekunde)|times\b|mach\b`

// speaksOfIt reports whether a sentence speaks of what a question asks for.
func speaksOfIt(c *candidate, q question) bool {
	return slices.ContainsFunc(c.stems, func(stem string) bool {
		k := slices.Index(q.stems, stem)
		return k >= 0 && q.focus[k]
	})
}

// anySpan returns the pattern of what may tell a span of time.
var anySpan = sync.OnceValue(func() *regexp.Regexp { return numberOf(strings.Join(spans, "|")) })

// numberOf returns the pattern of a number of one of some units.
func numberOf(units string) *regexp.Regexp {
	return regexp.MustCompile(`(?i)(?:\d|\bhalf|\bseveral|\bfew|\b\w+ty|\b\w+teen|\b\w*(?:one|two|three|four|five|six|seven|eight|nine|ten|eleven|twelve|hundred)|\b(?:` +
		strings.Join(strings.Fields(foreignNumberWords), "|") + `))[\s)-]*(?:\w+[\s-]+)?(?:` + units + `)|fortnight|decade|\d:\d\d`)
}

// thingsForm matches what asks how many there are of something, by what is counted; aMeasure the units in which something is
// measured instead, measured amounts of these, and of money and shares.
var (
	thingsForm = form(`(?i)\b(?:how many|wie ?viele)\s+(?:(?:of|von)\s+)?(?:(?:the|our|your|different|other|new|more|der|die|den)\s+)*([\pL-]+)`)
	aMeasure   = form(`(?i)^(?:square|cubic|km|[cm]m|kg|kwh?|mph|(?:centi|milli)met(?:re|er)s?|hectares?|hektar|acres?|milligrams?|(?:milli)?lit(?:re|er)s?|kilowatts?|hertz|decibels?|megabytes?|gigabytes?|seconds?|minutes?|hours?|days?|nights?|weeks?|months?|years?|quarters?|decades?|times|metres?|meters?|kilomet(?:re|er)s?|miles?|feet|foot|inch(?:es)?|yards?|` +
		`kilos?|kilograms?|grams?|tons?|tonnes?|pounds?|lit(?:re|er)s?|gallons?|pints?|euros?|dollars?|francs?|cents?|per|percent|degrees?|watts?|volts?|points?|bytes?|pages?|hol+idays?|vacations?|leave|overtime|shifts?|urlaub\pL*|ferientage|feiertage|überstunden|` +
		`stunden?|minuten?|sekunden?|tagen?|wochen?|monaten?|jahren?|nächten?|quadratmeter|meter|kilometer|kilogramm|gramm|tonnen?|prozent|grad|seiten?|punkten?)$`)
	spent = form(`(?i)[€£$]\s?\d[\d.,]*|\b\d[\d.,]*[ -]?(?:€|£|\$|euros?\b|pounds?\b|dollars?\b|francs?\b|(?:eur|gbp|usd|chf)\b|(?:seconds?|min(?:ute)?s?|hours?|days?|nights?|weeks?|months?|years?|` +
		`stunden?|tagen?|tage|wochen?|monaten?|monate|jahren?|jahre)\b)|\b(?:between|from|zwischen|von)\s+(?:1\d|20)\d\d\s+(?:and|to|until|und|bis)\s+(?:1\d|20)\d\d\b|\b(?:around|in|since|until|before|after|im|seit|bis)\s+(?:1\d|20)\d\d\b`)
	measured = form(`(?i)[€£$]\s?\d[\d.,]*|\b\d[\d.,]*[ -]?(?:€|£|\$|%|per ?cent\b|euros?\b|pounds?\b|dollars?\b|francs?\b|crowns?\b|cents?\b|(?:eur|gbp|usd|chf)\b|prozent\b|` +
		`(?:seconds?|min(?:ute)?s?|hours?|hrs?|days?|nights?|weeks?|months?|years?|km|[mck]?m²?|mm|met(?:er|re)s?|miles?|feet|[km]?g|grams?|kilos?|[mc]?l|lit(?:er|re)s?|k?W|kWh|V|bar|dB|[GMk]B|` +
		`sekunden?|minuten?|stunden?|tagen?|tage|wochen?|monaten?|monate|jahren?|jahre|am|pm|a\.m|p\.m|uhr)\b|°)|\b\d{1,2}[:.]\d\d\b|\b(?:between|from|zwischen|von)\s+(?:1\d|20)\d\d\s+(?:and|to|until|und|bis)\s+(?:1\d|20)\d\d\b|\b(?:around|in|since|until|before|after|im|seit|bis)\s+(?:1\d|20)\d\d\b`)
)

// dimensions are what a length may be of: by how it is asked for, and how one is told.
var dimensions = []struct{ asked, told *pattern }{
	{form(`(?i)\bhow (?:tall|high)\b|\bwie hoch\b`), form(`(?i)\b(?:height|altitude) of (?:about |around |some )?\d[\d.,]*|\d[\d.,]*\s?\pL+[ -](?:high|tall|hoch)\b`)},
	{form(`(?i)\bhow long\b|\bwie lang\b`), form(`(?i)\blength of (?:about |around |some )?\d[\d.,]*|\d[\d.,]*\s?\pL+[ -](?:long|lang)\b`)},
	{form(`(?i)\bhow (?:wide|broad)\b|\bwie breit\b`), form(`(?i)\b(?:width|breadth) of (?:about |around |some )?\d[\d.,]*|\d[\d.,]*\s?\pL+[ -](?:wide|broad|breit)\b`)},
	{form(`(?i)\bhow deep\b|\bwie tief\b`), form(`(?i)\bdepth of (?:about |around |some )?\d[\d.,]*|\d[\d.,]*\s?\pL+[ -](?:deep|tief)\b`)},
}

// ofOthers returns a sentence without the lengths that it tells of other dimensions than the one asked for: a height is no
// length.
func ofOthers(question, text string) string {
	asked := slices.IndexFunc(dimensions, func(d struct{ asked, told *pattern }) bool { return matchesForm(d.asked, question) })
	for i, d := range dimensions {
		if asked >= 0 && i != asked {
			text = d.told.get().ReplaceAllString(text, "")
		}
	}
	return text
}

// sizedForm matches what asks how big something is, which neither money nor a span of time tells.
var (
	sizedForm = form(`(?i)\bhow (?:big|large) (?:is|are|was|were)\b|\bwie groß (?:ist|sind|war|waren)\b`)
	ofMoney   = form(`(?i)\b(?:budget|fund|sum|debt|turnover|grant|price|bill|profit|loss|deficit|income|fortune|donation|loan|market|economy|share|etat|summe|gewinn|verlust)s?\b`)
)

// countsThings reports whether a question asks how many there are of what is no unit of measure, or how big something is.
func countsThings(text string) bool {
	m := thingsForm.get().FindStringSubmatch(text)
	return m != nil && !matchesForm(aMeasure, m[1]) || matchesForm(sizedForm, text) && !matchesForm(ofMoney, text)
}

// tellsCount reports whether a sentence has a number that may be one of things: not only of metres, weeks or euros.
func tellsCount(c *candidate, q question) bool {
	text := measured.get()
	if matchesForm(sizedForm, q.text) {
		text = spent.get()
	}
	if hasAmount(text.ReplaceAllString(c.text, "")) {
		return true
	}
	for i, w := range c.parsed {
		if isNumberWord(w.Text) && w.Text != "twice" && !slices.ContainsFunc(c.parsed[i+1:min(i+3, len(c.parsed))], func(next terms.Word) bool {
			perEach := next.Text == "per" && next.Start > w.End+1 // "three crates per person"
			return isDateWord(next.Text) || matchesForm(aMeasure, next.Text) && !perEach
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
