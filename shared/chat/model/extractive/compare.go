package extractive

import (
	"cmp"
	"context"
	"slices"

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

// compare rates sentences by how near their words, as they are meant where they stand,
// come to those of the question.
func compare(ctx context.Context, ranked, list []*candidate, passages []passage.Passage, q question, meaning Meaning) error {
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
	if total == 0 {
		return nil
	}
	headings := headingsOf(list)
	texts, places := contexts(ranked, list, passages, headings)
	alone := make([]int, len(ranked)) // the text that is the sentence by itself
	found := 0.0                      // by words
	for i, c := range ranked {
		text := introduced(c, list, headings)
		if alone[i] = places[i].text; texts[alone[i]].Text != text || len(text) > readBytes {
			alone[i] = len(texts)
			texts = append(texts, embedding.Text{Text: clip(text, readBytes)})
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
	near, err := meaning(ctx, asked, texts)
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
		asked, shown := 0.0, 0.0
		for k, w := range weights {
			c.spoken += w * words[k] / total
			soft := max(c.have[stems[k]], min(1, max(0, words[k]-spokenLeast)/spokenRange))
			c.soft += w * soft / total
			if soft < toldLeast {
				c.without += w / total
				c.aside = c.aside || q.things[stems[k]]
			}
			if q.focus[stems[k]] {
				asked, shown = asked+1, shown+soft
			}
		}
		if asked > 0 {
			c.missed = 1 - shown/asked
		}
		c.compared = true
		c.meant = c.worth * (spokenWeight*max(0, c.spoken-spokenLeast) + (nearWeight+otherWeight*(1-min(1, found)))*c.nearness())
		c.score += c.meant
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
	list := ranked[:1:1]
	most := ranked[0].own
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

// introduced returns a sentence with its heading, a row with the names of its columns.
func introduced(c *candidate, list []*candidate, headings map[int]string) string {
	text := c.text
	if c.header >= 0 {
		text = list[c.header].text + "\n" + text
	} else if c.term >= 0 {
		text = list[c.term].text + "\n" + text
	}
	if h := headings[c.section]; h != "" {
		text = h + ": " + text
	}
	return text
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
