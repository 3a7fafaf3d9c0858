package verdict

import "lectern/shared/knowledge/embedding"

// Line is a sentence or a heading as it is judged.
type Line struct {
	Text    string
	Passage int    // the one that it is of
	Of      string // what that is from; may be empty
	Under   string // the heading above it; may be empty
	Above   int    // the line that is read before it, as the names of its columns are: its index, -1 without
	Heading bool   // it is not judged itself
	judged  bool
}

// windowBytes is how much is judged together. More takes longer and tells less: with 480 bytes, of 1,469 questions with an answer
// one more is answered right and 14 more wrong.
const windowBytes = 400

// Windows returns what is judged around lines, in the order in which they are asked for: with each of them the nearest ones of
// its passage; inside are the indexes of the sentences of each window. Lines that a window had before are not judged again.
func Windows(lines []Line, asked []int, most int) (windows []embedding.Window, inside [][]int) {
	for _, at := range asked {
		if len(windows) == most {
			break
		}
		if lines[at].judged || lines[at].Heading {
			continue
		}
		w, in := window(lines, at)
		windows, inside = append(windows, w), append(inside, in)
	}
	return windows, inside
}

// window returns what is judged together with a line.
func window(lines []Line, at int) (w embedding.Window, in []int) {
	from, to, left := at, at, windowBytes-len(lines[at].Text)
	fits := func(i int) bool {
		return i >= 0 && i < len(lines) && lines[i].Passage == lines[at].Passage && !lines[i].judged &&
			(lines[i].Heading || len(lines[i].Text) <= left)
	}
	for {
		before, after := fits(from-1), fits(to+1)
		if !before && !after {
			break
		}
		i := to + 1
		if before && (!after || at-from < to-at) {
			i = from - 1
		}
		if from, to = min(from, i), max(to, i); !lines[i].Heading {
			left -= len(lines[i].Text)
		}
	}
	under, above := "", -1
	for i := from; i <= to; i++ {
		l := &lines[i]
		if l.Heading {
			continue
		}
		s := embedding.Sentence{Text: l.Text}
		if len(in) == 0 && l.Of != "" {
			s.Lead = l.Of + ": "
		}
		if l.Under != "" && (len(in) == 0 || l.Under != under) {
			s.Lead += l.Under + ": "
		}
		if l.Above >= 0 && l.Above != above && (lines[l.Above].Heading || l.Above < from) {
			s.Lead += lines[l.Above].Text + "\n"
		}
		l.judged = true
		under, above = l.Under, l.Above
		w, in = append(w, s), append(in, i)
	}
	return w, in
}
