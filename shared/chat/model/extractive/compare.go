package extractive

import (
	"cmp"
	"context"
	"slices"
	"strings"

	"lectern/shared/chat/model/extractive/doer"
	"lectern/shared/chat/model/extractive/origin"
	"lectern/shared/chat/model/extractive/price"
	"lectern/shared/chat/model/extractive/sheet"
	"lectern/shared/chat/model/extractive/verdict"
	"lectern/shared/knowledge/embedding"
	"lectern/shared/message/passage"
	"lectern/shared/text/terms"
)

// What is read around a sentence, in bytes.
const (
	beforeBytes = 200
	afterBytes  = 100
	readBytes   = 1000 // of sentences of one passage that are read together
)

// How near two words come: any two, and how much more such that mean the same.
const (
	spokenLeast = .35
	spokenRange = .45
)

// toldLeast is how near at least a word comes that a sentence may say in other words.
const toldLeast = .35

// nearMissed is how much of what is asked for a sentence may do without, at most, that has it in other words.
const nearMissed = .35

// compare rates sentences by how near their words, as they are meant where they stand,
// come to those of the question.
func compare(ctx context.Context, ranked, list []*candidate, passages []passage.Passage, headings map[int]string, q question,
	meaning Meaning) error {
	asked := embedding.Text{Text: q.query}
	var stems []int // of the parts
	var weights []float64
	total := 0.0
	for _, w := range terms.Words(q.query) {
		if k := q.index(w.Text); k >= 0 && !w.Part && w.End <= askedBytes {
			asked.Parts = append(asked.Parts, embedding.Span{Start: w.Start, End: w.End})
			stems, weights = append(stems, k), append(weights, q.weights[k])
			total += q.weights[k]
		}
	}
	if total == 0 || len(ranked) == 0 {
		return nil
	}
	texts, places := contexts(ranked, list, passages, headings)
	alone := make([]int, len(ranked)) // the text that is the sentence by itself
	found := 0.0                      // by words
	for i, c := range ranked {
		text := clip(introduced(c, list, headings), readBytes)
		if alone[i] = places[i].text; texts[alone[i]].Text != text {
			alone[i] = len(texts)
			texts = append(texts, embedding.Text{Text: text})
		}
		found = max(found, c.own)
	}
	questions := map[string]int{} // the texts that are headings which ask
	for _, c := range ranked {
		if h := headings[c.section]; !c.row && questions[h] == 0 && asks(h) {
			questions[h] = len(texts)
			h = clip(h, readBytes)
			texts = append(texts, embedding.Text{Text: h, Parts: []embedding.Span{{Start: 0, End: len(h)}}})
		}
	}
	near, err := meaning.Compare(ctx, asked, texts)
	if err != nil || near == nil {
		return err
	}
	for i, c := range ranked {
		words := near[places[i].text].Words[places[i].part]
		c.cosine = near[alone[i]].Whole
		if at := questions[headings[c.section]]; at > 0 && !c.row { // what answers it answers the question that means the same
			words = larger(words, near[at].Words[0])
			c.cosine = max(c.cosine, near[at].Whole)
		}
		focus, shown, met := 0.0, 0.0, slices.Clone(c.have)
		for k, w := range weights {
			c.spoken += w * words[k] / total
			said := min(1, max(0, words[k]-spokenLeast)/spokenRange)
			soft := max(c.have[stems[k]], said)
			c.soft += w * soft / total
			met[stems[k]] = max(met[stems[k]], soft)
			c.self[stems[k]] = max(c.self[stems[k]], said)
			if soft < toldLeast {
				if c.gone != nil && c.gone[stems[k]] {
					c.beside = true
					c.modified = c.modified || k+1 < len(stems) && asked.Parts[k+1].Start == asked.Parts[k].End+1 && c.have[stems[k+1]] >= present
				}
				c.without += w / total
				c.aside = c.aside || q.things[stems[k]]
			}
			if q.focus[stems[k]] {
				focus, shown = focus+1, shown+soft
				c.lost = c.lost || soft < toldLeast
			}
		}
		if focus > 0 {
			c.missed = 1 - shown/focus
			c.astray = c.astray && (c.missed > nearMissed || c.given)
		}
		c.core, c.told = c.coreOf(met, q.weights, q)
		c.compared = true
		c.meant = c.worth * (spokenWeight*max(0, c.spoken-spokenLeast) + (nearWeight+otherWeight*(1-min(1, found)))*c.nearness())
		c.meant += verdict.Score(c.odds)
		c.score += c.meant
		if c.core < coreLeast {
			c.score *= coreless
		}
	}
	return nil
}

// larger returns the larger ones of two lists of the same length.
func larger(a, b []float64) []float64 {
	out := slices.Clone(a)
	for i, v := range b {
		out[i] = max(out[i], v)
	}
	return out
}

// How far behind the best one by its words a sentence is that is not compared by its meaning. Of 353 questions the
// right sentence was farther behind in one.
const (
	farBehind   = .12
	wordlessFar = .5 // more where no sentence has words of the question
)

// promising returns the sentences that may turn out to be the best one by their meaning, of those that are the best ones by
// their words and come first: comparing takes longer than all else. In a document that came with the question, which is
// short as a rule, the first ones are compared all; else the ones that are not far behind, and one with the most words.
func promising(ranked []*candidate) []*candidate {
	ranked = ranked[:min(judged, len(ranked))]
	if len(ranked) == 0 || ranked[0].given {
		return ranked
	}
	found := 0.0
	for _, c := range ranked {
		found = max(found, c.own)
	}
	least := ranked[0].score - farBehind - wordlessFar*(1-min(1, found))
	list, most := ranked[:1:1], ranked[0].own
	for _, c := range ranked[1:] {
		if c.score >= least {
			list, most = append(list, c), max(most, c.own)
		}
	}
	if most < found {
		list = append(list, ranked[slices.IndexFunc(ranked, func(c *candidate) bool { return c.own >= found })])
	}
	return list
}

// compareAll judges the promising sentences, with those around them. Where none of these answers the question for certain, the
// next ones are judged: an answer may share no word with what is asked. The first promising ones and those that may answer are compared.
func compareAll(ctx context.Context, ranked, list []*candidate, passages []passage.Passage, q question, meaning Meaning) error {
	if !meaning.Understands(q.query) {
		return nil
	}
	headings := headingsOf(list)
	first := promising(ranked)
	lines := linesOf(list, passages, headings)
	certain, err := judge(ctx, first, list, lines, firstWindows, q, meaning)
	if err == nil && !certain {
		_, err = judge(ctx, ranked, list, lines, moreWindows, q, meaning)
	}
	if err != nil {
		return err
	}
	few := min(leastCompared, len(first))
	hopeful := slices.DeleteFunc(slices.Clone(first[few:]), func(c *candidate) bool { return c.hopeless() && !c.given })
	if err := compare(ctx, append(first[:few:few], hopeful...), list, passages, headings, q, meaning); err != nil {
		return err
	}
	likely := slices.DeleteFunc(slices.Clone(ranked), func(c *candidate) bool { return c.odds == 0 || c.hopeless() || c.compared })
	return compare(ctx, likely, list, passages, headings, q, meaning)
}

// leastCompared is how many promising sentences are compared whatever the log odds say of them: what is said in other words than a
// question has is sometimes found by its meaning alone.
const leastCompared = 5

// judge notes the log odds of sentences that are asked for, in so many windows at most, and of those around them. It reports
// whether one of them answers for certain, or nothing is judged at all.
func judge(ctx context.Context, asked, list []*candidate, lines []verdict.Line, most int, q question,
	meaning Meaning) (certain bool, err error) {
	places := make([]int, len(asked))
	for i, c := range asked {
		places[i] = c.at
	}
	windows, inside := verdict.Windows(lines, places, most)
	odds, err := meaning.Judge(ctx, q.query, windows)
	for i := range odds {
		for k, v := range odds[i] {
			c := list[inside[i][k]]
			if c.noted(q) {
				v = max(v, verdict.Certain)
			}
			c.odds, certain = v, certain || verdict.Sure(v)
		}
	}
	return certain || odds == nil, err
}

// How many windows are judged around the promising sentences, and around the next ones.
const (
	firstWindows = 6
	moreWindows  = 3
)

// linesOf returns sentences and headings as they are judged.
func linesOf(list []*candidate, passages []passage.Passage, headings map[int]string) []verdict.Line {
	lines := make([]verdict.Line, len(list))
	for i, c := range list {
		h := headings[c.section]
		lines[i] = verdict.Line{Text: clip(c.text, readBytes), Passage: c.passage, Of: verdict.Of(passages[c.passage].Title, h),
			Under: clip(h, readBytes), Above: c.above(), Heading: c.heading}
	}
	return lines
}

// introduced returns a sentence with its heading, a row with the names of its columns.
func introduced(c *candidate, list []*candidate, headings map[int]string) string {
	text := c.text
	if above := c.above(); above >= 0 {
		text = list[above].text + "\n" + text
	}
	if h := headings[c.section]; h != "" {
		text = h + ": " + text
	}
	return text
}

// above is the line that is read before a sentence, as an index of the list: the names of a row's columns, the term of an entry,
// what introduces values; -1 without.
func (c *candidate) above() int {
	if c.header >= 0 {
		return c.header
	}
	return max(c.term, c.intro)
}

// reading is where a sentence stands in what is read.
type reading struct{ text, part int }

// contexts returns what is read of the passages, and where each sentence stands in it:
// rows with their columns' names, others with what is around them, several together
// where they are near.
func contexts(ranked, list []*candidate, passages []passage.Passage, headings map[int]string) (texts []embedding.Text, places []reading) {
	order := make([]int, len(ranked)) // in the order of the material
	for i := range order {
		order[i] = i
	}
	slices.SortFunc(order, func(a, b int) int {
		return cmp.Or(cmp.Compare(ranked[a].passage, ranked[b].passage), cmp.Compare(ranked[a].start, ranked[b].start))
	})
	places = make([]reading, len(ranked))
	last, from, to := -1, 0, 0 // the sentence that opened the last text, and what of the passage that has
	for _, i := range order {
		c := ranked[i]
		if c.row {
			text := introduced(c, list, headings)
			texts = append(texts, embedding.Text{Text: text, Parts: []embedding.Span{{Start: len(text) - len(c.text), End: len(text)}}})
			places[i], last = reading{len(texts) - 1, 0}, -1
			continue
		}
		body := passages[c.passage].Text
		start, end := around(c, list)
		if last < 0 || ranked[last].passage != c.passage || ranked[last].section != c.section || end-from > readBytes {
			prefix := ""
			if h := headings[c.section]; h != "" {
				prefix = clip(h, readBytes/4) + ": "
			}
			texts = append(texts, embedding.Text{Text: prefix + body[start:end]})
			last, from, to = i, start, end
		}
		t := &texts[len(texts)-1]
		if end > to {
			t.Text += body[to:end]
			to = end
		}
		before := len(t.Text) - to // what is added to an offset of the passage
		t.Parts = append(t.Parts, embedding.Span{Start: before + c.start, End: before + c.end})
		places[i] = reading{len(texts) - 1, len(t.Parts) - 1}
	}
	return texts, places
}

// around returns where what is read around a sentence begins and ends.
func around(c *candidate, list []*candidate) (from, to int) {
	at := c.at
	from, to = c.start, c.end
	within := func(i int) bool {
		return i >= 0 && i < len(list) && list[i].passage == c.passage && list[i].section == c.section && !list[i].row && !list[i].heading
	}
	for i := at - 1; within(i) && c.start-list[i].start <= beforeBytes; i-- {
		from = list[i].start
	}
	for i := at + 1; within(i) && list[i].end-c.end <= afterBytes; i++ {
		to = list[i].end
	}
	return from, to
}

// nearness is the cosine above that of any two sentences, 0..1.
func (c *candidate) nearness() float64 { return min(1, max(0, (c.cosine-.2)/.6)) }

// leadsOn reports whether a sentence leads into what follows it, or into the list below it: "by one of the following names."
func leadsOn(list []*candidate, at int) bool {
	return announces(list[at]) || counts(list, at) && has(list[at], func(word string) bool { return word == "following" })
}

// exactly is the cover by the question's own words.
func (c *candidate) exactly() float64 { return c.cover - c.likened }

// paragraphBytes is the size of a document up to which its beginning does not say what all of it is about.
const paragraphBytes = 1600

// coreLeast is the share of what a question asks of a document from which a sentence speaks of it, coreless what the score of
// one counts that has nothing but what the document is called.
const (
	coreLeast = .15
	coreless  = .6
)

// callings returns, by document, which words of the question are those by which it is called: in its title and its name, in the
// heading above all that is at hand of it, and names at its beginning. Nil without such.
func callings(list []*candidate, passages []passage.Passage, openings map[string][]float64, q question) map[string][]bool {
	out, tops := map[string][]bool{}, map[string]string{}
	below := map[string]bool{} // documents with something below what stands above all
	for _, p := range passages {
		top := ""
		if len(p.Headings) > 0 {
			top = p.Headings[0]
		}
		in := origin.Document(p)
		below[in] = below[in] || out[in] != nil || len(p.Headings) > 1
		if out[in] == nil {
			out[in], tops[in] = make([]bool, len(q.stems)), top
		} else if tops[in] != top {
			tops[in] = ""
		}
	}
	for in := range tops {
		if !below[in] {
			tops[in] = "" // of a section, of which one passage is at hand
		}
	}
	named := map[[3]string]bool{} // documents whose names were looked at
	for _, p := range passages {
		in := origin.Document(p)
		var texts []string
		if called := [3]string{in, p.Title, p.ArtifactID}; !named[called] {
			texts, named[called] = []string{withoutEnding(p.Title), withoutEnding(p.ArtifactID), tops[in]}, true
		}
		for _, text := range texts {
			nearly := nearlyIn(text, q)
			for k, hit := range wordsIn(text, q) {
				out[in][k] = out[in][k] || hit > 0 || nearly[k] > 0
			}
		}
		if p.Start <= startsWithin && p.Last && len(p.Text) < paragraphBytes {
			continue // its beginning is most of it
		}
		for k, hit := range openings[in] {
			out[in][k] = out[in][k] || hit > 0 && !q.bent // where all nouns have capitals, they may be no names
		}
	}
	for _, c := range list {
		if c.level == 1 && !c.row && passages[c.passage].Start+c.start <= startsWithin { // the title
			for k, hit := range wordsIn(c.text, q) {
				called := out[origin.Document(passages[c.passage])]
				called[k] = called[k] || hit > 0
			}
		}
	}
	for in, called := range out {
		if !slices.Contains(called, true) || !slices.Contains(called, false) {
			delete(out, in) // nothing, or all that is asked
		}
	}
	return out
}

// coreOf returns the share of what is asked of a document, by weight, of which so much stands in a sentence or around it, and
// that without the words that say what kind of thing the answer is, which it need not repeat.
func (c *candidate) coreOf(have, weights []float64, q question) (core, told float64) {
	if c.scope == nil {
		return 1, 1
	}
	share := func(leave func(k int) bool) float64 {
		has, total := 0.0, 0.0
		for k, w := range weights {
			if !c.scope[k] && !leave(k) {
				has, total = has+w*have[k], total+w
			}
		}
		if total == 0 {
			return 1
		}
		return has / total
	}
	core = share(func(int) bool { return false })
	return core, share(func(k int) bool { return frames[q.words[k]] || !q.exact && q.focus[k] })
}

// topicSections is in how many sections of a document a word stands, at least, that all of it is about.
const topicSections = 4

// topicsOf returns, by document and question word, whether all of what is at hand of it is about that.
func topicsOf(list []*candidate, hits [][]float64, passages []passage.Passage, q question) map[string][]bool {
	out, counts, last := map[string][]bool{}, map[string][]int{}, map[string][]int{}
	for i, c := range list {
		in := origin.Document(passages[c.passage])
		if out[in] == nil {
			out[in], counts[in], last[in] = make([]bool, len(q.stems)), make([]int, len(q.stems)), make([]int, len(q.stems))
		}
		for k, hit := range hits[i] {
			if hit >= 1 && last[in][k] != c.section {
				last[in][k] = c.section
				counts[in][k]++
				out[in][k] = counts[in][k] >= topicSections
			}
		}
	}
	return out
}

// headingsOf returns the headings by section.
func headingsOf(list []*candidate) map[int]string {
	headings := map[int]string{}
	for _, h := range list {
		if _, ok := headings[h.section]; h.heading && !ok {
			headings[h.section] = h.text
		}
	}
	return headings
}

// leading notes how far the best sentence that may answer is before the next one of these.
func leading(ranked []*candidate, q question) {
	able := make([]*candidate, 0, 2)
	for _, c := range ranked {
		if !c.lacks(q) || c == ranked[0] && q.needs == nothing {
			if able = append(able, c); len(able) == cap(able) {
				break
			}
		}
	}
	if len(able) < 2 || able[0].score <= 0 {
		return
	}
	second := able[1].score
	if !able[1].compared {
		second += able[0].meant // as if it meant as much
	}
	able[0].lead = max(0, able[0].score-second) / able[0].score
}

// itself returns how much of a word of the question stands in a sentence or in what it is said with: a row with the names of its
// columns, an entry with its term, a line of values with what introduces it. own counts what stands in the title or at the
// beginning of its document too, self what stands in the title and in the headings above it.
func (c *candidate) itself(hits [][]float64, above []int, document, titled []float64, k int, q question) (own, self float64) {
	own = hits[c.at][k]
	for _, with := range []int{c.header, max(c.term, c.intro)} {
		if with >= 0 {
			own = max(own, headerShare*hits[with][k])
		}
	}
	self = max(own, titled[k])
	for _, h := range above {
		self = max(self, scopeShare*hits[h][k])
	}
	if q.carried == nil || !q.carried[k] {
		own = max(own, scopeOwn*document[k])
	}
	return own, self
}

// properNames returns the words that are capitalised within English sentences: where one begins a sentence, it is a name
// there, too.
func properNames(list []*candidate) map[string]bool {
	out := map[string]bool{}
	for _, c := range list {
		for i, w := range c.parsed {
			if i > 0 && capital(c.text[w.Start:]) && !c.heading && !terms.Stop("", w.Text) && !isDateWord(w.Text) {
				out[w.Text] = true
			}
		}
	}
	for _, c := range list { // what is written small, too, is none
		for _, w := range c.parsed {
			if out[w.Text] && !capital(c.text[w.Start:]) {
				delete(out, w.Text)
			}
		}
	}
	return out
}

// priced reports whether a sentence speaks of an amount of money, or of paying and of an amount that is not one of time, way or weight.
func priced(c *candidate) bool {
	return matchesForm(money, c.text) || price.Paying.In(c.text) && hasAmount(price.WithoutOthers(c.text))
}

// negated reports which words of the question are denied: "who has not paid".
func (q *question) negated(words []terms.Word) []bool {
	var denied []bool
	after := 0
	for _, w := range words {
		if w.Start < len(q.query)-len(q.text) {
			continue // of an earlier turn
		}
		if after > 0 {
			after--
		}
		switch k := q.index(w.Text); {
		case negates(w) && w.Text != "than":
			after = deniedWords
		case after > 0 && k >= 0 && !w.Part && !frames[w.Text]:
			if denied == nil {
				denied = make([]bool, len(q.stems))
			}
			denied[k], after = true, 0
		}
	}
	return denied
}

const deniedWords = 4 // after the word that denies them

// limitColumn matches the names of columns whose spans of time are limits, as that of a notice is.
var limitColumn = form(`(?i)notice|deadline|within|latest|before|after|until|due|period|return|cancel|frist|\bbis\b|\bab\b|spätestens`)

// somebody reports whether a sentence says who, by a word for people that the question has not itself, or an address of e-mail.
func somebody(c *candidate, q question) bool {
	return matchesForm(address, c.text) || doer.Somebody(c.text, !doer.Leads.In(q.text), func(word string) bool {
		word = terms.Fold(word)
		return !q.bent && slices.Contains(q.words, word) || q.bent && strings.HasSuffix(word, "men") // genommen
	})
}

// deedOf returns the word of a question for what was done, or for what it asks whether it may be; empty without.
func (q *question) deedOf(text string) string {
	switch q.needs {
	case aSomebody:
		return doer.Deed(text)
	case aMoment, aYear, aDay, aSpan:
		return doer.Done(text)
	case nothing:
		return doer.Object(text)
	}
	return ""
}

// undone reports whether a row tells when something else was done than a question asks of, or a sentence has not what it asks who did.
func (c *candidate) undone(q question) bool {
	switch k := q.deed; {
	case !c.row:
		return c.compared && !c.given && k >= 0 && c.self[k] < toldLeast && !doer.Named(q.words[k], c.parsed) &&
			(verdict.Unlikely(c.odds) || q.needs == nothing && !verdict.Sure(c.odds))
	case !c.compared || q.needs != aMoment || !matchesForm(pastForm, q.text):
		return false
	}
	for k := len(q.words) - 1; k >= 0; k-- {
		if !q.names[k] && strings.HasSuffix(q.words[k], "ed") {
			return c.self[k] < toldLeast
		}
	}
	return false
}

// withoutOthers leaves out the rows that lack a name of the question which the first one has, and have none that it lacks; and all
// rows where something was to be computed of them and is not.
func withoutOthers(found []*candidate, q question) []*candidate {
	if len(found) > 0 && (found[0].row || found[0].record) && !found[0].computed && found[0].count == "" &&
		sheet.Computes(q.text, found[0].names+found[0].text, len(found)) {
		return nil
	}
	return slices.DeleteFunc(found, func(c *candidate) bool {
		more := false
		for k, stem := range q.stems {
			first, second := slices.Contains(found[0].stems, stem), slices.Contains(c.stems, stem)
			if more = more || q.names[k] && !strings.ContainsAny(stem, "0123456789") && first && !second; second && !first {
				return false
			}
		}
		return more && found[0].row && c.row && found[0].count == ""
	})
}
