package chat

import "strings"

// stopper watches a text for stop sequences, across deltas. It holds back
// only what may still become one.
type stopper struct {
	sequences []string
	held      string
	met       string // the sequence that was found; nothing follows it
}

// feed returns what of the text so far may be shown.
func (s *stopper) feed(delta string) string {
	if len(s.sequences) == 0 || s.met != "" {
		if s.met != "" {
			return ""
		}
		return delta
	}
	text := s.held + delta
	at := -1
	for _, q := range s.sequences {
		if i := strings.Index(text, q); i >= 0 && (at < 0 || i < at || i == at && len(q) > len(s.met)) {
			at, s.met = i, q
		}
	}
	if at >= 0 {
		s.held = ""
		return text[:at]
	}
	keep := s.prefixLen(text)
	s.held = text[len(text)-keep:]
	return text[:len(text)-keep]
}

// prefixLen is the length of the longest end of text that begins a sequence.
func (s *stopper) prefixLen(text string) int {
	longest := 0
	for _, q := range s.sequences {
		for n := min(len(q)-1, len(text)); n > longest; n-- {
			if text[len(text)-n:] == q[:n] {
				longest = n
				break
			}
		}
	}
	return longest
}

// flush returns what was held back, at the end of the text.
func (s *stopper) flush() string {
	held := s.held
	s.held = ""
	return held
}
