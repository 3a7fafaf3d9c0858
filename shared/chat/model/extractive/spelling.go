package extractive

import (
	"regexp"
	"slices"
	"strings"
	"sync"

	"lectern/shared/message/passage"
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
		for i, p := range passages {
			spelt.See(p.Text, 1/float64(i+2))
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
		if slices.Contains(c.stems, stem) || bounds(q.words[k], c.text) || shows(q.words[k], c) {
			hits[k] = 1
			continue
		}
		for _, w := range c.parsed {
			if q.bent && bent(q.words[k], w.Text) {
				hits[k] = bentShare
			}
		}
		if !unknown[k] {
			continue // the material has its exact spelling
		}
		for _, w := range c.parsed {
			if len(stem) >= partLetters && strings.Contains(w.Text, stem) {
				hits[k] = max(hits[k], partShare) // of a compound
			}
			if s := likeness(q.words[k], w.Text); s > hits[k] {
				hits[k] = s
			}
		}
	}
	return hits
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

// otherwise returns how texts write words of the question otherwise: an abbreviation with
// points or in full, years for their decade.
func (q *question) otherwise() map[int]*regexp.Regexp {
	var out map[int]*regexp.Regexp
	add := func(word, pattern string) {
		if k := q.index(word); k >= 0 {
			if out == nil {
				out = map[int]*regexp.Regexp{}
			}
			out[k] = regexp.MustCompile(pattern)
		}
	}
	for _, w := range terms.Words(q.query) {
		if text := q.query[w.Start:w.End]; len(text) >= leastInitials && len(text) <= mostInitials && strings.Trim(text, "ABCDEFGHIJKLMNOPQRSTUVWXYZ") == "" {
			letters := strings.Split(text, "")
			add(w.Text, `\b`+strings.Join(letters, `\. ?`)+`\.|\b`+strings.Join(letters, `[a-z]+[ -](?:(?:of|and|the|for) )*`)+`[a-z]+`)
		}
	}
	for _, m := range decade.get().FindAllStringSubmatch(q.query, -1) {
		century := ""
		if len(m[1]) == 1 {
			century = "(?:1[0-9]|20)"
		}
		add(m[1]+"0", `\b`+century+m[1]+`\d(?:\b|s)`)
	}
	return out
}

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
	phone   = form(`(?:^|[^\w.-])(?:\+\d|0\d)[\d ()/-]{5,}\d`)
	address = form(`[\w.+-]+@[\w-]+\.\w`)
)

var days = wordSet(`monday tuesday wednesday thursday friday saturday sunday`)

// shows reports whether a sentence has a value of the kind that a word asks for: a row
// with an amount of money has a price, one with Fri is about a Friday.
func shows(word string, c *candidate) bool {
	if days[strings.TrimSuffix(word, "s")] {
		return c.row && has(c, func(w string) bool { return w == word[:3] })
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

// bent reports whether two words are the same but for their endings.
func bent(a, b string) bool {
	n := 0
	for n < len(a) && n < len(b) && a[n] == b[n] {
		n++
	}
	return n >= bentLetters && len(a)-n <= bentEnding && len(b)-n <= bentEnding
}

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
