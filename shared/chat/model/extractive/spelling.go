package extractive

import (
	"regexp"
	"slices"
	"strconv"
	"strings"
	"sync"

	"lectern/shared/chat/model/extractive/cell"
	"lectern/shared/message/passage"
	"lectern/shared/text/sentence"
	"lectern/shared/text/spelling"
	"lectern/shared/text/terms"
)

// mended returns the question with the words mended that are misspelt, as the words of
// the material tell.
func (q question) mended(passages []passage.Passage) question {
	if len(q.query) > askedBytes || len(passages) == 0 {
		return q
	}
	has := sync.OnceValue(func() map[string]bool { // most questions have only English words, and need it not
		stems := map[string]bool{}
		for _, p := range passages {
			for _, text := range append([]string{p.Title, p.Text}, p.Headings...) {
				terms.Scan(text, func(word []byte, _, _ int, _ bool) { stems[q.stemmer.Stem(word)] = true })
			}
		}
		return stems
	})
	mend := func(text string) string {
		spelt := spelling.New(text, func(word string) bool { return !has()[q.stem(word)] })
		if spelt.Complete() {
			return text
		}
		foreign := true
		for i, p := range passages {
			if lang := terms.Of(p.Text); lang == "" || lang == "en" {
				spelt.See(p.Text, 1/float64(i+2))
				foreign = false
			}
		}
		if foreign { // and so may the question be, which is too short to tell
			return text
		}
		return spelt.Mended()
	}
	right := question{stemmer: q.stemmer, text: mend(q.text), results: q.results, rounds: q.rounds}
	earlier := make([]string, len(q.earlier))
	for i, text := range q.earlier {
		earlier[i] = mend(text)
	}
	if right.text == q.text && slices.Equal(earlier, q.earlier) {
		return q
	}
	return right.asking(earlier)
}

// matches returns how well a sentence matches each question word, by stem or by
// spelling.
func matches(c *candidate, q question, unknown []bool) []float64 {
	hits := make([]float64, len(q.stems))
	for k, stem := range q.stems {
		if re := q.spelt[k]; re != nil && re.MatchString(c.text) {
			hits[k] = 1
			continue
		}
		if shownBy[q.needs][q.words[k]] && provides(c, q) ||
			q.naming && namings[q.words[k]] && matchesForm(namedForm, c.text) && namesIt(c, q) {
			hits[k] = 1
			continue
		}
		if slices.Contains(c.stems, stem) || bounds(q.words[k], c.text) || shows(q.words[k], c) {
			hits[k] = 1
			continue
		}
		if c.row || c.record {
			hits[k] = c.ranged(q.words[k])
		}
		if slices.ContainsFunc(q.alike, func(o other) bool { return o.of == k && slices.Contains(c.stems, o.stem) }) {
			hits[k] = alikeShare
			c.alike = append(c.alike, k)
		}
		for _, w := range c.parsed {
			switch {
			case !q.bent:
			case bent(q.words[k], w.Text):
				hits[k] = max(hits[k], bentShare)
			case compound(w.Text, q.words[k]) && !q.isVerb(k):
				hits[k] = max(hits[k], partShare)
			}
		}
		if hits[k] == 0 && q.bent && halves(q.words[k], c.parsed) {
			hits[k] = partShare
		}
		if !unknown[k] {
			continue // the material has its exact spelling
		}
		if joined(q.words[k], c.parsed) {
			hits[k] = 1
			continue
		}
		for _, w := range c.parsed {
			if len(stem) >= partLetters && strings.Contains(w.Text, stem) ||
				q.bent && len(q.words[k]) >= partLetters && strings.Contains(w.Text, q.words[k]) {
				hits[k] = max(hits[k], partShare) // of a compound
			}
			if !q.bent && len(q.words[k]) <= shortLetters && spelling.English(q.words[k]) || strings.ContainsAny(q.words[k], "0123456789") {
				continue // loud is no load, and T-390 no T-350
			}
			if s := likeness(q.words[k], w.Text); s > hits[k] && !(q.bent && s < likeBent) && (q.bent || !q.names[k] || capital(c.text[w.Start:])) {
				hits[k] = s // Faust is no fault
			}
		}
	}
	return hits
}

// likeBent is how alike spellings are, at least, in languages with long compounds: "Osterferien" are no "Sommerferien".
const likeBent = .65

// shortLetters are of a word at most that is another one with one letter changed, more often than it is that one misspelt.
const shortLetters = 4

// alikeShare is how much of a question's word counts where a sentence has one that means
// nearly the same.
const alikeShare = .7

// other is the stem of a word that means nearly what a word of the question does.
type other struct {
	stem string
	of   int
}

// mostLikened is how many words a question has at most whose like are looked for.
const mostLikened = 40

// others returns the words that mean nearly what words of the question do; words are all of it.
func (q *question) others(words []terms.Word) (list []other) {
	if len(q.words) > mostLikened {
		return nil
	}
	for k, word := range q.words {
		q.stemmer.Alike(word, func(stem string) { list = append(list, other{stem, k}) })
	}
	if q.bent || len(q.query) > askedBytes {
		return list
	}
	q.stemmer.Phrased(words, func(at int, stem string) {
		if k := q.index(words[at].Text); k >= 0 && !slices.Contains(q.stems, stem) {
			list = append(list, other{stem, k})
			if q.phrased == nil {
				q.phrased = make([]bool, len(q.stems))
			}
			q.phrased[k] = true
		}
	})
	return list
}

// dotted matches an abbreviation with points, decade a decade.
var (
	dotted = form(`\b(?:\p{Lu}\.){2,}`)
	decade = form(`\b((?:1[0-9]|20)?[0-9])0['’]?s\b`)
)

// undotted returns an abbreviation without its points.
func undotted(text string) string { return strings.ReplaceAll(text, ".", "") + " " }

const (
	leastInitials = 2
	mostInitials  = 5
)

// joinedLetters are of a word at least that texts may write as two.
const joinedLetters = 6

// joinedLeast are of one at least that stand beside each other, as in "Wi-Fi".
const joinedLeast = 4

// joined reports whether a text writes a word as two: "Super Bowl" for "superbowl".
func joined(word string, words []terms.Word) bool {
	if len(word) < joinedLeast || len(words) == 0 {
		return false
	}
	for i, w := range words[:len(words)-1] {
		if len(word) < joinedLetters && words[i+1].Start != w.End+1 {
			continue
		}
		if next := words[i+1].Text; len(w.Text)+len(next) == len(word) && strings.HasPrefix(word, w.Text) && strings.HasSuffix(word, next) {
			return true
		}
	}
	return false
}

// numerals are how numbers are written: in words, as ordinals, in digits. Romans are the
// same numbers after the name of what has one, from two on: "Phase II".
const (
	numerals = " one|first|1st|1 two|second|2nd|2 three|third|3rd|3 four|fourth|4th|4 five|fifth|5th|5 six|sixth|6th|6 seven|seventh|7th|7 " +
		"eight|eighth|8th|8 nine|ninth|9th|9 ten|tenth|10th|10 eleven|eleventh|11th|11 twelve|twelfth|12th|12 "
	romans = "I II III IV V VI VII VIII IX X XI XII"
)

// numeral returns a pattern for the ways in which a number is written; empty for other words.
func numeral(word string) string {
	at := -1
	for from := 0; at < 0; {
		next := strings.Index(numerals[from:], word)
		if next < 0 {
			return ""
		}
		from += next
		end := from + len(word)
		if strings.IndexByte(" |", numerals[from-1]) >= 0 && strings.IndexByte(" |", numerals[end]) >= 0 {
			at = from
		}
		from = end
	}
	first, last := strings.LastIndexByte(numerals[:at], ' ')+1, at+strings.IndexByte(numerals[at:], ' ')
	forms := numerals[first:last]
	if i := strings.Count(numerals[:first], " ") - 1; i > 0 {
		forms += "|" + strings.Fields(romans)[i]
	}
	return `\b(?:` + forms + `)\b`
}

// openingForm matches the hours at which something is open, and timesForm how these are written.
var openingForm = form(`(?i)\b(open(?:ing)?[- ](?:hours|times?)|öffnungszeit(?:en)?|heures d['’]ouverture)\b|` +
	`\b(?:when|what time|how long|wann)\b.{1,80}?\b(open|opens|offen|geöffnet|auf)\b`)

const timesForm = `\b\d{1,2}(?:[:.]\d{2})?\s?(?:am|pm|h|Uhr)?\s?(?:[–-]|to|bis|until)\s?\d{1,2}(?:[:.]\d{2}|\s?(?:am|pm|h|Uhr))`

// otherwise returns how texts write words of the question otherwise: an abbreviation with
// points or in full and the reverse, a number in words or digits, years for their decade.
func (q *question) otherwise(words []terms.Word) map[int]*regexp.Regexp {
	if len(q.query) > askedBytes {
		return nil
	}
	var patterns map[int]*regexp.Regexp
	add := func(word, pattern string) {
		if k := q.index(word); k >= 0 && len(patterns) < mostPatterns {
			if patterns == nil {
				patterns = map[int]*regexp.Regexp{}
			}
			patterns[k] = regexp.MustCompile(pattern)
		}
	}
	for _, m := range openingForm.Get().FindAllStringSubmatch(q.query, 2) {
		for _, word := range terms.Words(m[1] + " " + m[2]) {
			add(word.Text, timesForm) // "opening hours" are told by hours
		}
	}
	begin := -1 // of the run of capitalised words at hand
	run := func(end int) {
		if n := end - begin; begin >= 0 && n >= leastInitials && n <= mostInitials {
			var letters []string
			for _, w := range words[begin:end] {
				letters = append(letters, q.query[w.Start:w.Start+1])
			}
			pattern := `\b` + strings.Join(letters, "") + `A?\b|\b` + strings.Join(letters, `\. ?`) + `\.` // the United States are the USA
			for _, w := range words[begin:end] {
				add(w.Text, pattern)
			}
		}
		begin = -1
	}
	for i, w := range words {
		if i > 0 && words[i-1].Start == w.Start {
			continue // the same word, such as US beside us
		}
		text := q.query[w.Start:w.End]
		switch capital := text[0] >= 'A' && text[0] <= 'Z' && !w.Part && !sentence.Opens(q.query, w.Start); {
		case !capital:
			run(i)
		case begin < 0:
			begin = i
		}
		if n := len(text); n >= leastInitials && n <= mostInitials && strings.Trim(text, capitals) == "" {
			letters := strings.Split(text, "")
			add(w.Text, `\b`+strings.Join(letters, `\. ?`)+`\.|\b`+strings.Join(letters, `[a-z]+[ -](?:(?:of|and|the|for) )*`)+`[a-z]+`)
		}
		if pattern := numeral(w.Text); pattern != "" {
			add(w.Text, pattern)
		}
	}
	run(len(words))
	for _, d := range cell.Days(q.query) {
		for _, w := range words { // of the day, if they are its own
			n, err := strconv.Atoi(w.Text)
			month := slices.Contains(cell.Days("1 "+q.query[w.Start:w.End]), cell.Day{Month: d.Month, Day: 1})
			if month || err == nil && (n == d.Day || n == d.Year) {
				add(w.Text, d.Pattern())
			}
		}
	}
	if strings.Contains(q.query, "0") {
		for _, m := range decade.Get().FindAllStringSubmatch(q.query, -1) {
			century := ""
			if len(m[1]) == 1 {
				century = "(?:1[0-9]|20)"
			}
			for _, ending := range []string{"0", "0s"} {
				add(m[1]+ending, `\b`+century+m[1]+`\d(?:\b|s)`)
			}
		}
	}
	return patterns
}

// mostPatterns bounds what a question is looked for by.
const mostPatterns = 16

const capitals = "ABCDEFGHIJKLMNOPQRSTUVWXYZ"

// Words for bounds that a question calls a maximum or a minimum.
var (
	atMost  = form(`(?i)\b(?:at most|up to|no more than|not more than|not exceed|no longer than|cannot be more|upper (?:bound|limit))\b`)
	atLeast = form(`(?i)\b(?:at least|no (?:fewer|less|shorter) than|not less than|lower (?:bound|limit))\b`)
)

// bounds reports whether a text says in other words that it gives a maximum or a minimum.
func bounds(word, text string) bool {
	switch word {
	case "maximum", "max":
		return matchesForm(atMost, text)
	case "minimum", "min":
		return matchesForm(atLeast, text)
	}
	return false
}

// Forms of values that say what they are without a word for it.
var (
	money   = form(`[€£$¥]\s?\d|\d\s?[€£$¥]|\b(?:EUR|USD|GBP|CHF)\b`)
	phone   = form(`(?:^|[^\w.-])(?:\+\d|0\d)[\d ()/-]{5,}\d|(?:^|[^\w.-])\d{3}[ -]\d{4}(?:$|[^\w.-])`)
	address = form(`[\w.+-]+@[\w-]+\.\w`)
)

var days = wordSet(`monday tuesday wednesday thursday friday saturday sunday`)

// dayParts are the hours of the parts of a day, the first and the last.
var dayParts = map[string][2]int{"morning": {5, 11}, "afternoon": {12, 16}, "evening": {17, 22}, "night": {20, 23},
	"vormittag": {5, 11}, "nachmittag": {12, 17}, "abend": {17, 22}, "abends": {17, 22}, "morgens": {5, 11}, "nachmittags": {12, 17}}

// clock matches times of day; record a line that says a row of a table.
var (
	clock  = form(`\b(\d{1,2})[:.]\d\d\b`)
	record = form(`^[^:;]{1,40}: [^;]*; [^:;]{1,40}: [^;]*; [^:;]{1,40}: `)
)

// recorded reports whether a sentence says a row of a table, value by value.
func recorded(c *candidate) bool { return c.item > 0 && matchesForm(record, c.text) }

// shows reports whether a sentence has a value of the kind that a word asks for: a row
// with an amount of money has a price, one with Fri is about a Friday.
func shows(word string, c *candidate) bool {
	if days[strings.TrimSuffix(word, "s")] {
		return (c.row || recorded(c)) && has(c, func(w string) bool { return w == word[:3] })
	}
	if between, ok := dayParts[word]; ok && (c.row || recorded(c)) {
		for _, m := range clock.Get().FindAllStringSubmatch(c.text, -1) {
			if hour, _ := strconv.Atoi(m[1]); hour >= between[0] && hour <= between[1] {
				return true
			}
		}
		return false
	}
	if unit := unitForms[word]; unit != nil {
		return matchesForm(unit, c.text)
	}
	switch word {
	case "price", "prices", "cost", "costs", "charge", "charges", "fee", "fees", "money", "preis", "preise", "kosten", "kostet",
		"prix", "precio":
		return c.row && matchesForm(money, c.text)
	case "phone", "telephone", "telefonnummer", "telefon", "téléphone":
		return matchesForm(phone, c.text)
	case "email", "mail":
		return matchesForm(address, c.text)
	}
	return false
}

// namings are words of a question for what something is called.
var namings = wordSet("synonym synonyms nickname nicknames nicknamed alias aliases another other different alternative way refer referring say saying call calling term terms derogatory slang informal colloquial official scientific")

// namesIt reports whether a sentence has a word of that for which another name is asked.
func namesIt(c *candidate, q question) bool {
	for k, stem := range q.stems {
		if !namings[q.words[k]] && !frames[q.words[k]] && slices.Contains(c.stems, stem) {
			return true
		}
	}
	return false
}

// unitForms match how values are written, by words for their units.
var unitForms = func() map[string]*pattern {
	forms := map[string]*pattern{}
	for words, written := range map[string]string{
		"degree degrees grad": `\d\s?[°º]`,
		"celsius centigrade":  `[°º]\s?C\b`,
		"fahrenheit":          `[°º]\s?F\b`,
		"percent prozent":     `\d\s?%`,
		"euro euros":          `€|\bEUR\b`,
		"pound pounds":        `£|\bGBP\b|\d\s?lbs?\b`,
		"dollar dollars":      `\$\s?\d|\bUSD\b`,
		"square quadratmeter": `(?:\bsq\.?\s|\b[kcm]?m)(?:²|2\b|m\b|ft\b|mi\b)|²`,
		"cubic kubikmeter":    `\b[kcdm]?m(?:³|3\b)|³`,
		"kilometre kilometres kilometer kilometers":     `\d\s?km\b|\bkm²`,
		"metre metres meter meters":                     `\d\s?m(?:²|³|\b)`,
		"centimetre centimetres zentimeter":             `\d\s?cm\b`,
		"millimetre millimetres millimeter":             `\d\s?mm\b`,
		"mile miles":                                    `\d\s?mi\b|\b(?:sq\.? mi|mph)\b`,
		"feet foot":                                     `\d\s?(?:ft\b|′|')`,
		"inch inches":                                   `\d\s?(?:in\b|″|")`,
		"kilogram kilograms kilo kilos kilogramm":       `\d\s?kg\b`,
		"gram grams gramm":                              `\d\s?g\b`,
		"litre litres liter liters":                     `\d\s?l\b`,
		"millilitre millilitres milliliter milliliters": `\d\s?ml\b`,
		"hour hours stunde stunden":                     `\d\s?(?:h|hrs?)\b`,
		"minute minutes minuten":                        `\d\s?min\b`,
		"second seconds sekunden":                       `\d\s?(?:s|sec|sek)\b`,
		"watt watts":                                    `\d\s?k?W\b`,
		"volt volts":                                    `\d\s?V\b`,
		"decibel decibels dezibel":                      `\d\s?dB\b`,
	} {
		for _, word := range strings.Fields(words) {
			forms[word] = form(written)
		}
	}
	return forms
}()

// bent reports whether two words are the same but for their endings.
func bent(a, b string) bool {
	n := 0
	for n < len(a) && n < len(b) && a[n] == b[n] {
		n++
	}
	return n >= bentLetters && len(a)-n <= bentEnding && len(b)-n <= bentEnding
}

// compound reports whether a word is made of another, which is its head or its tail: "Jahresbericht" of "Bericht".
func compound(word, part string) bool {
	return len(part) >= partLetters && len(word) >= len(part)+compoundLetters &&
		(strings.HasSuffix(word, part) || strings.HasPrefix(word, part))
}

// writtenSmall reports which words of a German question are no nouns, as they are written; nil where it writes none with a capital.
func (q *question) writtenSmall(words []terms.Word) []bool {
	if !q.bent || terms.Of(q.query) != "de" {
		return nil
	}
	small, nouns := make([]bool, len(q.stems)), false
	for i, w := range words {
		if k := q.index(w.Text); k >= 0 {
			small[k] = !capital(q.query[w.Start:])
			nouns = nouns || i > 0 && !small[k]
		}
	}
	if !nouns {
		return nil
	}
	return small
}

// isVerb reports whether a word of a German question that writes nouns with capitals is none.
func (q *question) isVerb(k int) bool {
	if q.small == nil || k >= len(q.small) {
		return false
	}
	return q.small[k]
}

// halves reports whether a sentence has both parts of a compound as words: a cake on birthdays is a "Geburtstagskuchen".
func halves(word string, parsed []terms.Word) bool {
	for _, tail := range generalTails { // a "Yogakurs" is one of yoga
		if head, ok := strings.CutSuffix(word, tail); ok && len(head) >= bentLetters &&
			slices.ContainsFunc(parsed, func(w terms.Word) bool { return w.Text == head || w.Text == strings.TrimSuffix(head, "s") }) {
			return true
		}
	}
	if len(word) < 2*partLetters {
		return false
	}
	has := func(part string) bool {
		return slices.ContainsFunc(parsed, func(w terms.Word) bool { return len(w.Text) < len(word) && bent(part, w.Text) })
	}
	for at := partLetters; at <= len(word)-bentLetters; at++ {
		if has(word[at:]) && has(strings.TrimSuffix(word[:at], "s")) {
			return true
		}
	}
	return false
}

// generalTails end compounds and say little of what these name.
var generalTails = strings.Fields("kurs kurse kurses gruppe stunde training angebot veranstaltung abend")

const compoundLetters = 3 // of the other part of a compound, at least

// likeness returns the similarity of two spellings, 0 unless at most one in four
// letters is wrong, missing, added or swapped.
func likeness(a, b string) float64 {
	if len(a) < 4 || len(b) < 4 {
		return 0
	}
	most := max(len(a), len(b)) / 4
	d := terms.Distance(a, b, most)
	if d > most {
		return 0
	}
	return .9 - .1*float64(d)
}

// separated returns the verb of a German question that is parted from its first syllable, which stands at the end, and the
// whole of it: "macht … auf" is aufmachen; -1 without.
func separated(text string, list []terms.Word, lang terms.Language) (verb int, whole string) {
	n := len(list) - 1
	if lang != "de" || n < 2 || !separable[list[n].Text] {
		return -1, ""
	}
	for i, w := range list[:min(verbWords, n)] {
		stem := strings.TrimSuffix(strings.TrimSuffix(w.Text, "t"), "e")
		if i > 0 && (capital(text[w.Start:]) || list[i-1].Text == "wie") || stem == w.Text && !strings.HasSuffix(w.Text, "en") || len(stem) < bentLetters-1 ||
			noVerbs[w.Text] {
			continue
		}
		return i, list[n].Text + strings.TrimSuffix(stem, "en") + "en"
	}
	return -1, ""
}

const verbWords = 4 // of a question, one of which is its verb

var (
	separable = wordSet("ab an auf aus ein mit nach vor weg zu zurück los fest statt teil")
	noVerbs   = wordSet("was wer wann wo wie warum welche welcher welches bitte wird hat ist darf kann muss soll alle viele keine eine meine seine ihre unsere")
)

// deniesIt reports whether a sentence says that what a question asks the time of does not happen: "passwords do not expire".
func deniesIt(c *candidate, q question) bool {
	last := len(q.stems) - 1
	for i, w := range c.parsed {
		if (w.Text == "not" || w.Text == "never" || w.Text == "nicht" || w.Text == "nie") && i+1 < len(c.stems) && last >= 0 &&
			(c.stems[i+1] == q.stems[last] || i > 0 && c.stems[i-1] == q.stems[last]) {
			return true
		}
	}
	return false
}

// otherDeed reports whether a sentence has nothing of what a question for a way wants to do: of its first word that says so.
func (c *candidate) otherDeed(q question) bool {
	for k, named := range q.names {
		if named && c.self[k] >= present && (c.scope == nil || !c.scope[k]) {
			return false // it is about the thing that the question names
		}
	}
	at := strings.Index(q.query, q.text[:min(len(q.text), deedBytes)])
	for _, w := range terms.Words(q.query[max(0, at):]) {
		k := q.index(w.Text)
		if k < 0 || w.Part || frames[w.Text] || q.names[k] {
			continue
		}
		return c.self[k] < toldLeast && c.have[k] < present
	}
	return false
}

const deedBytes = 20 // of a text by which it is found in the query

// sharesIt reports whether a sentence says of what is counted that there are none, few, or all of them.
func (c *candidate) sharesIt(q question) bool {
	for i, w := range c.parsed {
		if !shares[w.Text] || w.Text == "once" {
			continue
		}
		for _, stem := range c.stems[i+1 : min(i+2+countedWithin, len(c.stems))] {
			if k := slices.Index(q.stems, stem); k >= 0 && q.focus[k] {
				return true
			}
		}
		if _, exact := strings.CutSuffix(w.Text, "s"); exact && i+1 < len(c.parsed) && c.parsed[i+1].Text == "of" {
			return true // "hundreds of them"
		}
	}
	return false
}
