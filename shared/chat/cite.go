package chat

import (
	"strings"
	"unicode"
	"unicode/utf8"

	"lectern/shared/message/passage"
	"lectern/shared/text/proof"
	"lectern/shared/text/sentence"
	"lectern/shared/text/terms"
)

// maxMarker limits the bytes held back as a possible marker.
const maxMarker = 96

// citer removes markers such as [AB12] or [AB12, CD34] from a streamed text and
// reports which sentence each one supports. It processes every character once
// and holds back only white space and possible markers.
//
// Code, Markdown links and unknown ids are left unchanged. A code block is between
// lines that begin with three backticks or more, a code span between equal runs of
// backticks in one line. Manuals open quotes with backticks that they never close: a
// marker that ends a sentence or a line is none of the span's. A sentence ends at punctuation
// before white space or at a line break; its citations follow it immediately.
type citer struct {
	find func(id string) (passage.Passage, bool)
	text func(s string)                             // visible text
	cite func(sentence string, p []passage.Passage) // after a cited sentence

	out      strings.Builder // visible, not yet passed on
	space    strings.Builder // white space that may end the sentence
	marker   strings.Builder // starts with "["
	closed   bool            // marker has its "]"; a "(" would make it a link
	fence    int             // backticks that opened the code we are in
	block    bool            // it is a block
	ticks    int             // consecutive backticks just seen
	begun    bool            // the line has more than white space, before those backticks
	sentence strings.Builder
	pending  []passage.Passage
	last     rune // last visible character other than white space
}

// feed processes the next piece of the text.
func (c *citer) feed(s string) {
	for _, r := range s {
		c.rune(r)
	}
	c.handOn()
}

// flush ends the text.
func (c *citer) flush() {
	c.endMarker(c.outside('\n'))
	c.endTicks()
	if len(c.pending) > 0 {
		c.endSentence()
	}
	c.out.WriteString(c.space.String())
	c.space.Reset()
	c.handOn()
}

func (c *citer) handOn() {
	if c.out.Len() > 0 {
		c.text(c.out.String())
		c.out.Reset()
	}
}

func (c *citer) rune(r rune) {
	if c.marker.Len() > 0 && c.inMarker(r) {
		return
	}
	if r == '`' {
		c.ticks++
		c.show(r)
		return
	}
	c.endTicks()
	switch {
	case r == '\n':
		c.begun = false
		if !c.block {
			c.fence = 0
		}
	case !unicode.IsSpace(r):
		c.begun = true
	}
	switch {
	case c.block:
		c.show(r)
	case r == '[':
		c.marker.WriteRune(r)
	case unicode.IsSpace(r):
		if r == '\n' && len(c.pending) > 0 {
			c.endSentence()
		}
		c.space.WriteRune(r)
	default:
		c.show(r)
	}
}

// endTicks opens or closes code after a run of backticks.
func (c *citer) endTicks() {
	switch {
	case c.ticks == 0:
		return
	case c.fence == 0:
		c.fence, c.block = c.ticks, c.ticks >= blockTicks && !c.begun
	case c.block && c.ticks >= c.fence && !c.begun, !c.block && c.ticks == c.fence:
		c.fence, c.block = 0, false
	}
	c.ticks, c.begun = 0, true
}

// blockTicks are the fewest backticks that open a code block.
const blockTicks = 3

// inMarker processes one more character of a possible marker and reports whether
// it is part of it; if not, the marker has been settled and r is ordinary text.
func (c *citer) inMarker(r rune) bool {
	switch {
	case c.closed:
		c.endMarker(r != '(' && c.outside(r))
		return false
	case r == ']':
		c.marker.WriteRune(r)
		c.closed = true
		return true
	case r >= 'A' && r <= 'Z' || r >= '0' && r <= '9' || r == ',' || r == ';' || r == ' ':
		if c.marker.Len() < maxMarker {
			c.marker.WriteRune(r)
			return true
		}
	}
	c.endMarker(false)
	return false
}

// outside reports whether a marker before next stands outside of code: in a span it does
// where it ends a sentence or a line, for then the span is none.
func (c *citer) outside(next rune) bool {
	if c.fence == 0 {
		return true
	}
	return c.space.Len() > 0 && next != '`' && (next == '\n' || terminated(c.sentence.String()))
}

// endMarker settles a held-back marker as citations or as plain text.
func (c *citer) endMarker(good bool) {
	if c.marker.Len() == 0 {
		return
	}
	held := c.marker.String()
	c.marker.Reset()
	if good && c.closed && c.accept(held[1:len(held)-1]) {
		c.closed, c.fence = false, 0
		return
	}
	c.closed = false
	for _, r := range held {
		if unicode.IsSpace(r) {
			c.space.WriteRune(r)
		} else {
			c.show(r)
		}
	}
}

// accept reads the ids of a marker and reports whether any of them is known.
func (c *citer) accept(inside string) bool {
	var found []passage.Passage
	var unknown []string
	for id := range strings.FieldsFuncSeq(inside, func(r rune) bool { return r == ',' || r == ';' || r == ' ' }) {
		if p, ok := c.find(id); ok && p.Citable {
			found = append(found, p)
		} else {
			unknown = append(unknown, id)
		}
	}
	if len(found) == 0 {
		return false
	}
	c.pending = append(c.pending, found...)
	if len(unknown) > 0 {
		for _, r := range "[" + strings.Join(unknown, ", ") + "]" {
			c.show(r)
		}
	}
	if strings.TrimSpace(c.space.String()) == "" && !strings.Contains(c.space.String(), "\n") {
		c.space.Reset() // the space before the marker is removed with it
	}
	return true
}

// show adds a visible character, first ending the sentence if one ends there.
func (c *citer) show(r rune) {
	if c.fence == 0 && c.ended(r) {
		if len(c.pending) > 0 {
			c.endSentence()
		}
		c.sentence.Reset()
	}
	if c.space.Len() > 0 {
		c.out.WriteString(c.space.String())
		if c.sentence.Len() > 0 {
			c.sentence.WriteString(c.space.String())
		}
		c.space.Reset()
	}
	c.out.WriteRune(r)
	c.sentence.WriteRune(r)
	c.last = r
}

// ended reports whether a sentence ends before r.
func (c *citer) ended(r rune) bool {
	if strings.ContainsRune("。！？", c.last) {
		return !unicode.IsPunct(r)
	}
	if c.space.Len() == 0 {
		// A cited sentence with closing punctuation is over, even without a space.
		return len(c.pending) > 0 && terminated(c.sentence.String()) && !unicode.IsPunct(r)
	}
	if strings.Contains(c.space.String(), "\n") {
		return true
	}
	return terminated(c.sentence.String()) && !unicode.IsLower(r)
}

// sentenceEnd is how many trailing bytes decide whether a sentence has ended.
const sentenceEnd = 48

// terminated reports whether a text ends like a sentence: punctuation, then
// optional quotes and brackets.
func terminated(s string) bool {
	if n := len(s); n > sentenceEnd {
		s = s[n-sentenceEnd:] // earlier text cannot change the result
	}
	s = strings.TrimRight(s, "\"'”’»)]")
	r, size := utf8.DecodeLastRuneInString(s)
	if r != '.' {
		return strings.ContainsRune("!?…。！？؟।", r) && s != ""
	}
	word := s[:len(s)-size]
	word = word[strings.LastIndexAny(word, " \n(")+1:]
	return len(word) > 1 && !abbreviations[strings.ToLower(word)]
}

var abbreviations = map[string]bool{"mr": true, "mrs": true, "ms": true, "dr": true, "st": true, "prof": true, "e.g": true, "i.e": true,
	"vs": true, "no": true, "fig": true, "u.s": true, "jr": true, "sr": true, "inc": true, "approx": true, "cf": true}

func (c *citer) endSentence() {
	c.handOn()
	c.cite(strings.TrimSpace(c.sentence.String()), c.pending)
	c.pending = nil
	c.sentence.Reset()
}

// support returns the span of a passage that supports a sentence: the sentence
// itself if the passage contains it, else the most similar sentence, else the
// whole passage. A match with only the tail of a passage's sentence is extended
// to the whole sentence, since the two may be split by different rules.
func support(p *passage.Passage, said string) (start, end int) {
	if i := strings.Index(p.Text, said); said != "" && i >= 0 {
		start, end = i, i+len(said)
		for s := range sentence.All(p.Text) {
			if p.Text[s.Start:s.End] == said || s.End == end && s.Start < start {
				return s.Start, s.End
			}
		}
		return start, end
	}
	want := terms.Stems(said)
	best, bestScore := sentence.Span{}, 0.0
	for _, s := range sentence.Split(p.Text) {
		have := terms.Stems(p.Text[s.Start:s.End])
		shared := 0
		for w := range have {
			if want[w] {
				shared++
				if strings.ContainsAny(w, "0123456789") {
					shared++ // values tell more than the names of their columns
				}
			}
		}
		score := float64(shared) / float64(len(have)+len(want)+1)
		// A row says as much as the names of its columns, where its values are said with these.
		row := p.Text[s.Start] == '|' || sentence.Columned(p.Text[s.Start:s.End])
		if score > bestScore || row && score == bestScore {
			best, bestScore = s, score
		}
	}
	if bestScore > 0.1 {
		return best.Start, best.End
	}
	return 0, len(p.Text)
}

// proved returns the passages that a sentence may cite: what it puts in quotation
// marks has to stand in one of them, and each of them has to have some of it. verified
// says that its numbers, dates and names stand in the passages, or in the titles and
// headings above them.
func proved(sentence string, list []passage.Passage) (kept []passage.Passage, verified bool) {
	quotes := proof.Quotes(sentence)
	around := make([]*proof.Source, len(list))
	has := make([]bool, len(list))
	texts := make([]*proof.Source, len(list))
	for i, p := range list {
		around[i] = proof.NewSource(p.Title + "\n" + strings.Join(p.Headings, "\n") + "\n" + p.Columns + "\n" + p.Text)
		texts[i] = proof.NewSource(p.Text)
	}
	for _, q := range quotes {
		found := false
		for i := range list {
			if _, _, ok := texts[i].Find(q); ok {
				found, has[i] = true, true
			}
		}
		if !found {
			return nil, false
		}
	}
	for i, p := range list {
		if has[i] || len(quotes) == 0 {
			kept = append(kept, p)
		}
	}
	return kept, len(proof.Missing(sentence, around...)) == 0
}
