package extractive

import (
	"cmp"
	"slices"
	"strings"

	"lectern/shared/chat/model/extractive/talk"
	"lectern/shared/message/passage"
	"lectern/shared/text/sentence"
	"lectern/shared/text/terms"
)

// mostQuestions is how many questions of one turn are answered one by one.
const mostQuestions = 8

// questions returns the questions of a turn that has several, which are answered one after
// the other; none of a turn that has one. A question may refer to the one before it. What is
// said besides belongs to the question that follows, or else to the last.
func (q *question) questions() []question {
	texts := questionsIn(q.text)
	if len(texts) < 2 || len(texts) > mostQuestions {
		return nil
	}
	list := make([]question, len(texts))
	for i := range texts {
		at, earlier := i, []string(nil)
		for ; at > 0 && leans(texts[at]) && len(earlier) < carriedTurns; at-- {
			earlier = append(earlier, texts[at-1])
		}
		if at == 0 && leans(texts[0]) {
			earlier = append(earlier, q.earlier[:min(len(q.earlier), carriedTurns-len(earlier))]...)
		}
		list[i] = question{stemmer: q.stemmer, text: texts[i], results: q.results, rounds: q.rounds}.asking(earlier)
	}
	return list
}

// questionsIn returns the texts of the questions of a turn, without small talk; none where these
// are not told from what else is said.
func questionsIn(text string) []string {
	if len(text) > askedBytes || strings.Count(text, "?") < 2 {
		return nil
	}
	var list []string
	begin := 0
	for i := range len(text) {
		if text[i] != '?' || i+1 < len(text) && !strings.ContainsRune(" \n\r\t", rune(text[i+1])) {
			continue // inside an address or a quotation
		}
		if one := withoutTalk(text[begin : i+1]); strings.Trim(one, "? ") != "" {
			list = append(list, one)
		}
		begin = i + 1
	}
	if rest := withoutTalk(text[begin:]); rest != "" && len(list) > 0 {
		list[len(list)-1] += " " + rest
	}
	return list
}

// withoutTalk returns a text without the small talk that it begins with.
func withoutTalk(text string) string {
	for s := range sentence.All(text) {
		if _, ok := talk.Reply(text[s.Start:s.End], false); !ok {
			return strings.TrimSpace(text[s.Start:])
		}
	}
	return ""
}

// joint stands between two questions of one sentence.
var joint = form(`(?i),?\s+(?:and|und|et|y|e)\s+((?:when|who|whom|where|why|what|which|how|wann|wer|wo|warum|was|welche[rsmn]?|wie|quand|qui|où|pourquoi|` +
	`combien|comment|cuándo|quién|dónde|cuánto|qué)\s.{4,})$`)

// clauses returns the two questions of a sentence that asks two, the second of which
// may be about the subject of the first; none where it asks one.
func (q *question) clauses() []question {
	if q.kind == summary || len(q.text) > askedBytes {
		return nil
	}
	at := joint.get().FindStringSubmatchIndex(q.text)
	if at == nil {
		return nil
	}
	first, second := q.text[:at[0]], q.text[at[2]:]
	one := question{stemmer: q.stemmer, text: first}.asking(nil)
	two := question{stemmer: q.stemmer, text: second}.asking([]string{first})
	if len(one.words) < enoughWords || !slices.Contains(two.carried, false) {
		return nil
	}
	return []question{one, two}
}

// contrasts match questions that ask about two things in comparison, and what these are.
var contrasts = []*pattern{
	form(`(?i)\bdifferences?\s+between\s+(?:the\s+)?(.+?)\s+and\s+(?:the\s+)?(.+?)(?:\s+(?:in|of|for|on|with|at|under|when)\s+.*)?\s*\??$`),
	form(`(?i)\bhow\s+(?:do|does|did)\s+(?:the\s+)?(.+?)\s+(?:and|differ\s+from)\s+(?:the\s+)?(.+?)(?:\s+(?:differ|compare)\b.*|\s+(?:in|on)\s+.*)?\s*\??$`),
	form(`(?i)\b(?:what|how\s+\w+)\s+(?:do|does|did)\s+(?:the\s+)?(.+?)\s+and\s+(?:the\s+)?(.+?)\s+(?:each\s+)?(?:cost|weigh|measure|need|use|last|take|hold|have)\b.*\??$`),
	form(`(?i)^\s*(?:which|what|who|where|is|are|does|do)\b.*(?:,|:|\bis|\bare)\s+(?:(?:at|in|on|with|from)\s+)?(?:the\s+)?(.{2,60}?)\s+or\s+` +
		`(?:(?:at|in|on|with|from)\s+)?(?:the\s+)?(.{2,60}?)\s*\??$`),
	form(`(?i)\bunterschied\w*\s+(?:.{0,40}\s)?zwischen\s+(?:de[rnm]\s+|einem\s+|einer\s+)?(.+?)\s+und\s+(?:de[rnm]\s+|einem\s+|einer\s+)?(.+?)\s*\??$`),
	form(`(?i)^\s*(?:was|wer|welche[rsmn]?|wo)\b.*(?:,|:|\bist|\bsind|\bkostet)\s+(?:(?:bei|in|im|am|mit)\s+)?(?:de[rnm]\s+|die\s+|das\s+)?(.{2,60}?)\s+oder\s+` +
		`(?:(?:bei|in|im|am|mit)\s+)?(?:de[rnm]\s+|die\s+|das\s+)?(.{2,60}?)\s*\??$`),
	form(`(?i)^\s*(?:the\s+)?(.{2,60}?)\s+or\s+(?:the\s+)?(.{2,60}?)\s*[,:–-]\s*(?:which|what|who)\b`),
	form(`(?i)\bcompare\s+(?:the\s+)?(.+?)\s+(?:and|with|to)\s+(?:the\s+)?(.+?)\s*[.?]?$`),
	form(`(?i)^\s*(?:the\s+)?(.{2,60}?)\s+(?:vs\.?|versus)\s+(?:the\s+)?(.{2,60}?)\s*\??$`),
}

// differs matches questions for what tells two things apart, rather than which of them
// has more of something.
var (
	differs     = form(`(?i)\bdiffer`)
	differsFrom = form(`(?i)\bdiffers?\s+from\b`)
)

// sides returns, by stem, which words of a question tell the two things from each other
// that it compares; nil if it compares none.
func (q *question) sides() (one, other []string) {
	for _, f := range contrasts {
		m := f.get().FindStringSubmatch(q.text)
		if m == nil {
			continue
		}
		stems := func(text string) (list []string) {
			for _, w := range terms.Words(text) {
				if k := q.index(w.Text); k >= 0 && !w.Part && !frames[w.Text] {
					list = append(list, q.stems[k])
				}
			}
			return list
		}
		thing, _, _ := strings.Cut(m[1], " of ") // "the brass valve of the pump" differs from "the steel one"
		if !matchesForm(differsFrom, q.text) {
			thing = m[1]
		}
		first, second := stems(thing), stems(m[2])
		without := func(list, from []string) []string {
			return slices.DeleteFunc(slices.Clone(list), func(s string) bool { return slices.Contains(from, s) })
		}
		if one, other = without(first, second), without(second, first); len(one) > 0 && len(other) > 0 {
			return one, other
		}
	}
	return nil, nil
}

// contrasted returns, for a question that compares two things, what is said of the one and
// of the other, in one document; none where one of them is not spoken of by itself.
func contrasted(ranked, list []*candidate, passages []passage.Passage, q question) []*candidate {
	one, other := q.sides()
	if one == nil {
		return nil
	}
	both := hasAll(ranked[0], list, one) && hasAll(ranked[0], list, other)
	if both && !matchesForm(differs, q.text) {
		return nil // the best sentence speaks of both
	}
	if row := ofSide(ranked, list, one, other, func(c *candidate) bool { return c.row }); row != nil && !matchesForm(differs, q.text) {
		another := ofSide(ranked, list, other, one, func(c *candidate) bool {
			return c.row && c.names == row.names && documentOf(passages[c.passage]) == documentOf(passages[row.passage])
		})
		if another != nil && max(row.cover, another.cover) >= halfCover {
			return []*candidate{row, another}
		}
	}
	first := ofSide(ranked, list, one, other, func(*candidate) bool { return true })
	if first == nil {
		return nil
	}
	second := ofSide(ranked, list, other, one, func(c *candidate) bool {
		return documentOf(passages[c.passage]) == documentOf(passages[first.passage])
	})
	least := halfCover
	if first.record {
		least = sideCover
	}
	if second == nil || max(first.cover, second.cover) < least || both && !defined(list, first, one) && !defined(list, second, other) {
		return nil
	}
	return append(side(list, first), side(list, second)...)
}

// defined reports whether a sentence says what something is: it opens the entry of that, or begins with it.
func defined(list []*candidate, c *candidate, words []string) bool {
	return c.term >= 0 && c.at == c.term+1 && containsAll(list[c.term].stems, words) ||
		!c.parsed[0].Part && containsAll(c.stems[:min(len(c.stems), len(words)+1)], words)
}

// sideCover is the cover from which a record, which has no words of its neighbours, is about
// one of two things.
const sideCover = .3

// side returns a sentence about one of two things with the rest of a short paragraph.
func side(list []*candidate, c *candidate) []*candidate {
	if c.row {
		return []*candidate{c}
	}
	at := c.at
	return run(list, at, factBytes, func(i int) bool {
		return i < len(list) && list[i].passage == c.passage && list[i].term == c.term && !list[i].opens && !list[i].heading && !list[i].row
	})
}

// ofSide returns the best sentence that has the words of one thing and not those of the
// other: what opens its entry, or else begins with it, if there is one.
func ofSide(ranked, list []*candidate, words, others []string, fit func(*candidate) bool) *candidate {
	var begins, best *candidate
	for _, c := range ranked {
		if asks(c.text) || !fit(c) || !hasAll(c, list, words) || hasAll(c, list, others) || isTerm(list, c.at) {
			continue
		}
		entry := c.term >= 0 && c.at == c.term+1 && containsAll(list[c.term].stems, words)
		if entry {
			return c
		}
		if best == nil {
			best = c
		}
		if begins == nil && defined(list, c, words) {
			begins = c
		}
	}
	return cmp.Or(begins, best)
}

// hasAll reports whether a sentence has all words, itself or in the term of its entry.
func hasAll(c *candidate, list []*candidate, words []string) bool {
	return !slices.ContainsFunc(words, func(s string) bool {
		return !slices.Contains(c.stems, s) && (c.term < 0 || !slices.Contains(list[c.term].stems, s))
	})
}

func containsAll(stems, words []string) bool {
	return !slices.ContainsFunc(words, func(s string) bool { return !slices.Contains(stems, s) })
}
