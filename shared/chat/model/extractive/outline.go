package extractive

import (
	"cmp"
	"slices"
	"strings"

	"lectern/shared/message/passage"
)

// Limits of a summary.
const (
	leadLeast = 4   // sentences, where there are as many
	leadMost  = 8   // sentences
	leadBytes = 900 // of them
)

// A document is meant if its passages have so much of the score of all, or its best one
// so many times that of any other document's.
const (
	clearShare = .5
	clearLead  = 1.25
)

// lead returns the first sentences of the sections of the document that is meant, in
// its order, for summaries.
func lead(list []*candidate, passages []passage.Passage, q question) []*candidate {
	ordered := inOrder(list, passages, q)
	says := func(c *candidate) bool {
		return !c.heading && !c.title && !c.code && !matchesForm(letterhead, c.text) && (len(c.parsed) >= 3 || len(list) <= 3)
	}
	chosen := make([]bool, len(ordered))
	size, n := 0, 0
	take := func(i int) {
		if n < leadMost && size < leadBytes && !slices.ContainsFunc(ordered[:i], func(o *candidate) bool { return o.text == ordered[i].text }) {
			chosen[i] = true
			n++
			size += len(ordered[i].text)
		}
	}
	opened, headings := map[string]bool{}, headingsOf(list)
	for i, c := range ordered {
		p := passages[c.passage]
		section := documentOf(p) + "\n" + cmp.Or(headings[c.section], strings.Join(p.Headings, "\n"))
		if says(c) && !opened[section] {
			opened[section] = true
			take(i)
		}
	}
	for i, c := range ordered {
		if n < leadLeast && says(c) && !chosen[i] {
			take(i)
		}
	}
	var out []*candidate
	for i, c := range ordered {
		if chosen[i] {
			out = append(out, c)
		}
	}
	if len(out) == 0 {
		return list[:1]
	}
	return out
}

// written matches questions about what stands above a letter.
var written = form(`(?i)\b(?:e-?mails?|mails?|letter|message|sent|sends?|sender|wrote|writes?|written|subject|recipients?|addressed|cc)\b`)

// letterhead matches the lines above a letter.
var letterhead = form(`^(?:From|To|Cc|Date|Subject|Reply-To|Von|An|Datum|Betreff): `)

func documentOf(p passage.Passage) string {
	return p.Collection + "\n" + cmp.Or(p.ArtifactID, p.Title, p.Key)
}

// documentMeant returns the document that a search means, empty if none is clear, and
// the first passage of each. A document whose name has more of the question than any other's
// is meant.
func documentMeant(passages []passage.Passage, q question) (meant string, first map[string]int) {
	best, sum, total := map[string]float64{}, map[string]float64{}, 0.0
	first = map[string]int{}
	for i, p := range passages {
		doc := documentOf(p)
		best[doc] = max(best[doc], p.Score)
		sum[doc] += p.Score
		total += p.Score
		if _, ok := first[doc]; !ok {
			first[doc] = i
		}
	}
	if doc := documentNamed(passages, q); doc != "" {
		return doc, first
	}
	for doc := range best {
		if sum[doc] > clearShare*total {
			return doc, first
		}
	}
	for doc := range best {
		ahead := best[doc] > 0
		for other := range best {
			ahead = ahead && (other == doc || best[doc] >= clearLead*best[other])
		}
		if ahead {
			return doc, first
		}
	}
	return "", first
}

// documentNamed returns the document whose title, name or first heading has the most words of
// the question; empty where several have as many.
func documentNamed(passages []passage.Passage, q question) string {
	words := map[string][]float64{}
	for _, p := range passages {
		doc := documentOf(p)
		if words[doc] == nil {
			words[doc] = make([]float64, len(q.stems))
		}
		hold(words[doc], wordsIn(p.Title+"\n"+p.ArtifactID, q), 1)
		if len(p.Headings) > 0 && p.Start == 0 {
			hold(words[doc], wordsIn(p.Headings[0], q), 1)
		}
	}
	named, most, twice := "", 0.0, false
	for doc, hits := range words {
		n := 0.0
		for _, hit := range hits {
			n += hit
		}
		switch {
		case n > most:
			named, most, twice = doc, n, false
		case n == most:
			twice = true
		}
	}
	if twice {
		return ""
	}
	return named
}

// titleMeant returns the title of the document that a search means: its outermost
// heading, else its name.
func titleMeant(passages []passage.Passage, q question) string {
	meant, _ := documentMeant(passages, q)
	title := ""
	for _, p := range passages {
		if p.Kind != passage.Artifact || documentOf(p) != meant {
			continue
		}
		if len(p.Headings) > 0 && p.Start == 0 {
			return p.Headings[0]
		}
		title = cmp.Or(title, p.Title)
	}
	return title
}

// inOrder returns the sentences of the document that is meant, or of all if none is,
// as they stand in it.
func inOrder(list []*candidate, passages []passage.Passage, q question) []*candidate {
	meant, first := documentMeant(passages, q)
	var out []*candidate
	for _, c := range list {
		if meant == "" || documentOf(passages[c.passage]) == meant {
			out = append(out, c)
		}
	}
	slices.SortStableFunc(out, func(a, b *candidate) int {
		p, q := passages[a.passage], passages[b.passage]
		return cmp.Or(cmp.Compare(first[documentOf(p)], first[documentOf(q)]), cmp.Compare(p.Start, q.Start))
	})
	return out
}

// sectionForm matches a question for a section by its number.
var sectionForm = form(`(?i)(?:\b(?:section|chapter|clause|article|part|paragraph|abschnitt|kapitel|artikel|ziffer|absatz)|§)\s*(\d+(?:\.\d+)*)`)

// numberedSection returns the section that the question names by its number; none if
// it names none or the material has none.
func numberedSection(list []*candidate, passages []passage.Passage, q question) []*candidate {
	m := sectionForm.get().FindStringSubmatch(q.text)
	if m == nil {
		return nil
	}
	var out []*candidate
	size, level, within, begun := 0, 0, false, -1
	inSection := func(h string) bool { return numbered(h, m[1]) }
	for _, c := range inOrder(list, passages, q) {
		starts := inSection(c.text)
		switch {
		case c.heading && !c.row && starts:
			within, level, begun = true, c.level, c.passage
			continue
		case c.passage != begun: // the section may go on in the next passage
			begun = c.passage
			within = slices.ContainsFunc(passages[c.passage].Headings, inSection)
		case c.heading && !c.row && c.level <= level:
			within = false
		}
		if c.heading || !within && !starts {
			continue
		}
		if size += len(c.text); size > blockBytes && len(out) > 0 {
			break
		}
		out = append(out, c)
	}
	return out
}

// numbered reports whether a heading or sentence begins with a number of a section.
func numbered(text, number string) bool {
	text = strings.TrimLeft(strings.ToLower(text), "#* §")
	for _, word := range []string{"section ", "chapter ", "clause ", "article ", "abschnitt ", "kapitel ", "artikel "} {
		text = strings.TrimPrefix(text, word)
	}
	rest, ok := strings.CutPrefix(text, number)
	if !ok {
		return false
	}
	rest = strings.TrimPrefix(rest, `\`)
	return rest == "" || strings.ContainsRune(" .:)", rune(rest[0]))
}
