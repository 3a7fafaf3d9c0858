// Package terms turns text into what an index and an extractive model compare:
// words, stems, character 4-grams and stop words.
//
// Everything is a pure function of the text, and a stem is a pure function of
// its word: three words of a query do not reveal its language, so stems that
// depended on the language of the text would differ between queries and
// documents. Latin words are stemmed as English, which folds Romance and
// Germanic plurals acceptably and leaves the rest unchanged; Cyrillic words as
// Russian, Arabic and Devanagari ones by our own light rules; other scripts not
// at all. A query whose stop words reveal its language also searches for other
// forms of its words (Forms); 4-grams match the remaining inflections.
//
// Scripts without spaces (Han, Kana, Hangul, Thai, Lao, Khmer, Myanmar) are
// split into overlapping pairs of characters, each of which counts as a word.
package terms

import (
	"strings"
	"unicode"
	"unicode/utf8"
)

// MaxWord is the maximum length of a word in bytes; longer ones are truncated.
const MaxWord = 64

// Word is one word of a text.
type Word struct {
	Text       string // lower-cased, accents folded
	Start, End int    // byte offsets in the text
	Part       bool   // a part of the compound word that precedes it
}

// Words returns the words of text in order.
func Words(text string) []Word {
	list := make([]Word, 0, len(text)/6+1)
	Scan(text, func(word []byte, start, end int, part bool) {
		list = append(list, Word{Text: string(word), Start: start, End: end, Part: part})
	})
	return list
}

// Scan calls f with each word of text: the folded word, valid only during the
// call, and its byte offsets.
//
// A compound such as readHTTPBody, user_name or AX-1000B is reported whole,
// without its separators, followed by its parts (part is true). Words joined by
// hyphens only (high-speed) are separate words. A possessive 's is dropped,
// other apostrophes join, a decimal point is kept, thousands separators are
// removed.
//
// Symbols are words where people mean them: an option (-e, --posix), a variable or
// dot name ($HOME, .bashrc) is reported with its mark before the word itself, C++ and
// C# after it, and operators such as $@, !!, [[ and && by themselves. IT, US and other
// capitals that would be stop words are also reported as written.
func Scan(text string, f func(word []byte, start, end int, part bool)) {
	s := scanner{text: text, f: f}
	for s.pos < len(text) {
		c := text[s.pos]
		switch {
		case c < utf8.RuneSelf:
			switch {
			case class[c]&(letter|digit) != 0:
				s.word()
			case class[c] == mark:
				s.mark()
			default:
				s.pos++
			}
		default:
			r, n := utf8.DecodeRuneInString(text[s.pos:])
			switch {
			case unspaced(r):
				s.pairs()
			case unicode.IsLetter(r) || unicode.IsDigit(r):
				s.word()
			default:
				s.pos += n
			}
		}
	}
}

const (
	letter = 1 << iota
	upper
	digit
	mark // may be part of a symbol
)

// class and lower describe ASCII.
var class, lower = tables()

func tables() (class, lower [utf8.RuneSelf]byte) {
	for c := range byte(utf8.RuneSelf) {
		lower[c] = c
		switch {
		case 'a' <= c && c <= 'z':
			class[c] = letter
		case 'A' <= c && c <= 'Z':
			class[c], lower[c] = letter|upper, c+'a'-'A'
		case '0' <= c && c <= '9':
			class[c] = digit
		case strings.IndexByte("-.$!&[]<>=:+@*?#", c) >= 0:
			class[c] = mark
		}
	}
	return class, lower
}

type scanner struct {
	text string
	pos  int
	f    func(word []byte, start, end int, part bool)
	buf  [3 * MaxWord]byte

	// The current word.
	from  int  // offset of its first character
	n     int  // folded bytes
	end   int  // offset after its last character
	prev  byte // class of the character before; 0 after a separator
	split bool // it has parts
	cuts  [MaxWord]cut
	parts int // number of parts so far
}

// cut is a position inside a word where a part starts.
type cut struct {
	buf, text int // offsets of the part in the folded word and in the text
}

// word reads one word, compound or not, from s.pos.
func (s *scanner) word() {
	start := s.pos
	s.from, s.n, s.end, s.prev, s.split, s.parts = start, 0, start, 0, false, 1
	s.cuts[0] = cut{0, start}
	i, more := start, true
	for more && i < len(s.text) {
		c := s.text[i]
		if c >= utf8.RuneSelf {
			i, more = s.wide(i)
			continue
		}
		k := class[c] &^ mark
		if k == 0 {
			i, more = s.joint(start, i)
			continue
		}
		if s.prev != 0 && k != s.prev {
			s.boundary(i, k)
		}
		if s.n < MaxWord {
			s.buf[s.n] = lower[c]
			s.n++
		}
		s.prev = k
		i++
		s.end = i
	}
	if i == start {
		_, size := utf8.DecodeRuneInString(s.text[i:])
		i += size
	}
	s.pos = max(i, s.end)
	if s.n == 0 {
		return
	}
	n := wholeRunes(s.buf[:s.n])
	end := s.end
	s.f(s.buf[:n], start, end, false)
	if s.split {
		s.emitParts(s.parts, n, end)
	}
	s.capitals(start, end)
}

// capitals reports a word as written that would be a stop word in small letters.
func (s *scanner) capitals(start, end int) {
	if end-start < 2 || end-start > 4 || s.prev != letter|upper {
		return
	}
	written := s.text[start:end]
	for i := range len(written) {
		if class7(written[i]) != letter|upper {
			return
		}
	}
	if Stop("", string(s.buf[:s.n])) {
		s.f(append(s.buf[:0], written...), start, end, false)
	}
}

// operators are symbols of two characters that are words.
var operators = map[string]bool{
	"$@": true, "$*": true, "$#": true, "$?": true, "$!": true, "$$": true, "!!": true, "&&": true, "[[": true, "]]": true, ">>": true,
	"<<": true, "==": true, "!=": true, "<=": true, ">=": true, ":=": true, "=>": true, "->": true, "&>": true, "<>": true,
}

// mark reads a run of marks at s.pos, and reports the symbol that it is or begins.
func (s *scanner) mark() {
	start := s.pos
	i := start
	for i < len(s.text) && s.text[i] < utf8.RuneSelf && class[s.text[i]] == mark {
		i++
	}
	s.pos = i
	run := s.text[start:i]
	next := byte(0)
	if i < len(s.text) {
		next = s.text[i]
	}
	switch {
	case (run == "++" || run == "#" && s.end-s.from == 1) && s.end == start && start > 0 && s.n <= MaxWord && class7(next) == 0:
		s.f(append(s.buf[:s.n], run...), s.from, i, false) // C++, C#
	case (run == "-" || run == "--" || run == "." || run == "$") && class7(next)&letter != 0 && s.apart(start):
		end := i
		for end < len(s.text) && (class7(s.text[end]) != 0 || s.text[end] == '-' && end+1 < len(s.text) && class7(s.text[end+1])&letter != 0) {
			end++
		}
		symbol := append(s.buf[:0], run...)
		for _, c := range []byte(s.text[i:min(end, i+MaxWord-len(run))]) {
			symbol = append(symbol, lower[c])
		}
		s.f(symbol, start, end, false)
	default:
		s.operators(run, start)
	}
}

// operators reports the operator that a run of marks is, begins with or ends with, as
// in "[[...]]".
func (s *scanner) operators(run string, start int) {
	n := len(run)
	if n < 2 {
		return
	}
	if operators[run[:2]] && (n == 2 || run[2] != run[1]) {
		s.f(append(s.buf[:0], run[:2]...), start, start+2, false)
	}
	if n > 3 && operators[run[n-2:]] && run[n-3] != run[n-2] {
		s.f(append(s.buf[:0], run[n-2:]...), start+n-2, start+n, false)
	}
}

// apart reports whether what begins at i stands apart from what is before it.
func (s *scanner) apart(i int) bool {
	return i == 0 || s.text[i-1] >= utf8.RuneSelf || strings.IndexByte(" \t\n\r\"'`([{|,/=", s.text[i-1]) >= 0
}

// wide processes the character outside ASCII at text[i]; more is false at the
// end of the word.
func (s *scanner) wide(i int) (next int, more bool) {
	r, size := utf8.DecodeRuneInString(s.text[i:])
	if r == '’' {
		return s.apostrophe(i, size)
	}
	if unspaced(r) || !(unicode.IsLetter(r) || unicode.IsMark(r) || unicode.IsDigit(r)) {
		return i, false
	}
	if s.n < MaxWord {
		s.n += copy(s.buf[s.n:], appendFolded(nil, r))
	}
	s.prev = letter
	if unicode.IsUpper(r) {
		s.prev |= upper
	}
	s.end = i + size
	return s.end, true
}

// joint processes the character at text[i], which is neither letter nor digit
// but may be inside a word.
func (s *scanner) joint(start, i int) (next int, more bool) {
	text := s.text
	switch c := text[i]; {
	case c == '\'':
		return s.apostrophe(i, 1)
	case c == '_' && i+1 < len(text) && alnum(text[i+1]), c == '-' && s.coded(start, i):
		s.cut(s.n, i+1)
		s.split, s.prev = true, 0
		return i + 1, true
	case c == '.' && s.prev == digit && i+1 < len(text) && text[i+1]-'0' < 10:
		if s.n < MaxWord {
			s.buf[s.n] = '.'
			s.n++
		}
		return i + 1, true
	case c == ',' && s.prev == digit && thousands(text[i+1:]):
		return i + 1, true
	}
	return i, false
}

// boundary records that a part starts at or just before text[i], of class k.
func (s *scanner) boundary(i int, k byte) {
	switch {
	case k&upper != 0 && s.prev == letter: // camelCase
		s.cut(s.n, i)
	case k == letter && s.prev == letter|upper && i-2 >= s.cuts[s.parts-1].text && class7(s.text[i-2])&upper != 0: // HTTPServer
		s.cut(s.n-1, i-1)
	case (k == digit) != (s.prev == digit):
		s.cut(s.n, i)
	default:
		return
	}
	s.split = true
}

func (s *scanner) cut(buf, text int) {
	if s.parts < len(s.cuts) && s.n < MaxWord {
		s.cuts[s.parts] = cut{buf, text}
		s.parts++
	}
}

func (s *scanner) emitParts(parts, n, end int) {
	for p := range parts {
		from, to, stop := s.cuts[p].buf, n, end
		if p+1 < parts {
			to, stop = min(n, s.cuts[p+1].buf), s.cuts[p+1].text
		}
		// A single character next to digits carries no meaning.
		if to-from < 2 || to-from == n {
			continue
		}
		s.f(s.buf[from:to], s.cuts[p].text, stop, true)
	}
}

// apostrophe processes the one at text[i]: it joins, or ends the word, possibly
// dropping a letter.
func (s *scanner) apostrophe(i, size int) (next int, more bool) {
	next = i + size
	rest := s.text[next:]
	if len(rest) == 0 || !letterAt(rest) {
		return next, false
	}
	if (rest[0] == 's' || rest[0] == 'S') && (len(rest) == 1 || !alnum(rest[1])) {
		return next + 1, false
	}
	elided := s.n == 1 || s.n == 2 && s.buf[0] == 'q' && s.buf[1] == 'u' // l'homme, qu'elle
	return next, !elided
}

// coded reports whether the hyphen at text[i] is inside a code such as
// AX-1000B, not between two words: a digit on one side, letters and digits
// around it, and not a date or a range of numbers.
func (s *scanner) coded(start, i int) bool {
	t := s.text
	if i+1 >= len(t) || !alnum(t[i+1]) || i == start {
		return false
	}
	var left, right byte
	for j := i - 1; j >= start && class7(t[j]) != 0; j-- {
		left |= class7(t[j])
	}
	for j := i + 1; j < len(t) && class7(t[j]) != 0; j++ {
		right |= class7(t[j])
	}
	both := left | right
	return both&digit != 0 && both&letter != 0 && (both&upper != 0 || left&digit != 0 && left&letter != 0)
}

// pairs processes a run of a script without spaces.
func (s *scanner) pairs() {
	prev, size := utf8.DecodeRuneInString(s.text[s.pos:])
	at := s.pos
	s.pos += size
	single := true
	for s.pos < len(s.text) {
		r, n := utf8.DecodeRuneInString(s.text[s.pos:])
		if !unspaced(r) {
			break
		}
		s.emitRunes(at, s.pos+n, prev, r)
		single = false
		at, prev = s.pos, r
		s.pos += n
	}
	if single {
		s.emitRunes(at, s.pos, prev)
	}
}

func (s *scanner) emitRunes(start, end int, runes ...rune) {
	b := s.buf[:0]
	for _, r := range runes {
		b = utf8.AppendRune(b, r)
	}
	s.f(b, start, end, false)
}

// unspaced reports whether r belongs to a script written without spaces.
func unspaced(r rune) bool {
	switch {
	case r < 0x0E00:
		return false
	case r < 0x0F00: // Thai, Lao
		return unicode.IsLetter(r) || unicode.IsMark(r)
	case r >= 0x1000 && r < 0x10A0, r >= 0x1780 && r < 0x1800: // Myanmar, Khmer
		return unicode.IsLetter(r) || unicode.IsMark(r)
	case r < 0x3000:
		return false
	}
	return r >= 0x3005 && r <= 0x3007 || r >= 0x3040 && r < 0x3100 || r >= 0x3400 && r < 0xA000 ||
		r >= 0xAC00 && r < 0xD7B0 || r >= 0xF900 && r < 0xFB00 || r >= 0x20000 && r < 0x33480
}

func alnum(c byte) bool { return c >= utf8.RuneSelf || class[c]&^mark != 0 }

// class7 returns the class of an ASCII letter or digit, 0 of anything else.
func class7(c byte) byte {
	if c >= utf8.RuneSelf {
		return 0
	}
	return class[c] &^ mark
}

func letterAt(s string) bool {
	if s[0] < utf8.RuneSelf {
		return class[s[0]]&letter != 0
	}
	r, _ := utf8.DecodeRuneInString(s)
	return unicode.IsLetter(r)
}

// thousands reports whether s begins with exactly three digits.
func thousands(s string) bool {
	n := 0
	for n < len(s) && n < 4 && s[n]-'0' < 10 {
		n++
	}
	return n == 3
}

// wholeRunes returns the length of b without a rune that was cut off.
func wholeRunes(b []byte) int {
	if n := min(len(b), MaxWord); n < len(b) {
		b = b[:n]
		for len(b) > 0 && !utf8.Valid(b) {
			b = b[:len(b)-1]
		}
	}
	return len(b)
}
