package chat

import "lectern/shared/message/passage"

// SetMaxTurns bounds the model calls of one answer.
func (e *Engine) SetMaxTurns(n int) { e.maxTurns = n }

// Stops feeds the deltas to a stopper and returns what it shows and which
// sequence it met.
func Stops(sequences []string, deltas ...string) (shown, met string) {
	s := stopper{sequences: sequences}
	for _, d := range deltas {
		shown += s.feed(d)
	}
	return shown + s.flush(), s.met
}

// Cited is a piece of text that the citer showed, with the passages cited
// after it.
type Cited struct {
	Text string
	IDs  []string
}

// Cite feeds the deltas to a citer.
func Cite(known []string, deltas ...string) []Cited {
	out := []Cited{{}}
	c := &citer{
		find: func(id string) (passage.Passage, bool) {
			for _, k := range known {
				if k == id {
					return passage.Passage{ID: id, Citable: true}, true
				}
			}
			return passage.Passage{}, false
		},
		text: func(s string) { out[len(out)-1].Text += s },
		cite: func(_ string, list []passage.Passage) {
			last := &out[len(out)-1]
			for _, p := range list {
				last.IDs = append(last.IDs, p.ID)
			}
			out = append(out, Cited{})
		},
	}
	for _, d := range deltas {
		c.feed(d)
	}
	c.flush()
	if last := out[len(out)-1]; last.Text == "" && last.IDs == nil {
		out = out[:len(out)-1]
	}
	return out
}

// Support finds the span of a passage's text that a sentence rests on.
func Support(text, said string) (start, end int) {
	return support(&passage.Passage{Text: text}, said)
}

// Proved says which passages with these texts a sentence may cite, by their numbers,
// and whether what else it says stands in them.
func Proved(sentence string, texts ...string) (kept []int, verified bool) {
	var list []passage.Passage
	for i, text := range texts {
		list = append(list, passage.Passage{Text: text, Start: i, Title: "Oslo.pdf", Headings: []string{"Rules of 2024"}})
	}
	left, verified := proved(sentence, list)
	for _, p := range left {
		kept = append(kept, p.Start)
	}
	return kept, verified
}

// Quoted is how a model reads a passage.
func Quoted(p passage.Passage) string { return quotedText(p) }
