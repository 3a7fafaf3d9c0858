package minilmembedding

import (
	"unicode"
	"unicode/utf8"

	"golang.org/x/text/unicode/norm"
)

// Tokens with a meaning of their own.
const (
	unknownToken = 100
	firstToken   = 101
	lastToken    = 102
)

// maxWord is the length of a word, in characters, from which it is unknown.
const maxWord = 100

// wordPieces cuts a text into at most maxTokens tokens, with the marks of its
// ends, as Hugging Face's tokenizer of BERT does. With each comes the offset at
// which its word ends, or at which it stands if it is punctuation; the last mark
// has none.
func (m *model) wordPieces(text string) (ids []int32, places []int) {
	c := cutter{vocabulary: m.vocabulary, ids: append(make([]int32, 0, 64), firstToken), places: append(make([]int, 0, 64), 0)}
	for c.at < len(text) && len(c.ids) < maxTokens-1 {
		if b := text[c.at]; b < utf8.RuneSelf {
			c.ascii(b)
			c.at++
			continue
		}
		// Up to the next ASCII character: marks belong to what is before them.
		from := c.at
		for c.at < len(text) && text[c.at] >= utf8.RuneSelf {
			c.at++
		}
		c.others(text[from:c.at])
	}
	c.end()
	n := min(len(c.ids), maxTokens-1)
	return append(c.ids[:n], lastToken), c.places[:n]
}

// pieces returns the tokens of a text without the marks at its ends.
func (m *model) pieces(text string) []int32 {
	ids, _ := m.wordPieces(text)
	return ids[1 : len(ids)-1]
}

// cutter collects the word that it is in.
type cutter struct {
	vocabulary map[string]int32
	at         int // in the text
	ids        []int32
	places     []int  // in the text, by token
	word       []byte // lower case
	runes      int
	piece      []byte
}

func (c *cutter) ascii(b byte) {
	switch {
	case b >= 'a' && b <= 'z' || b >= '0' && b <= '9':
		c.word = append(c.word, b)
		c.runes++
	case b >= 'A' && b <= 'Z':
		c.word = append(c.word, b+'a'-'A')
		c.runes++
	case b == ' ' || b >= '\t' && b <= '\r':
		c.end()
	case b > ' ' && b < 0x7f:
		c.alone(rune(b))
	}
}

func (c *cutter) others(text string) {
	for _, r := range text {
		switch {
		case unicode.IsSpace(r):
			c.end()
		case r == unicode.ReplacementChar || unicode.In(r, unicode.Cc, unicode.Cf, unicode.Co, unicode.Cs):
		case ideograph(r):
			c.alone(r)
		default:
			c.decomposed(r)
		}
	}
}

// decomposed adds a character without its accents.
func (c *cutter) decomposed(r rune) {
	var buf, out [utf8.UTFMax * 4]byte
	parts := norm.NFD.Append(out[:0], buf[:utf8.EncodeRune(buf[:], r)]...)
	for len(parts) > 0 {
		r, n := utf8.DecodeRune(parts)
		c.letter(r)
		parts = parts[n:]
	}
}

func (c *cutter) letter(r rune) {
	switch {
	case unicode.Is(unicode.Mn, r):
	case unicode.IsSpace(r):
		c.end()
	case r >= utf8.RuneSelf && unicode.IsPunct(r):
		c.alone(r)
	case r < utf8.RuneSelf:
		c.ascii(byte(r))
	default:
		c.word = utf8.AppendRune(c.word, unicode.ToLower(r))
		c.runes++
	}
}

// alone makes a word of one character.
func (c *cutter) alone(r rune) {
	c.end()
	c.word, c.runes = utf8.AppendRune(c.word, r), 1
	c.end()
}

func ideograph(r rune) bool {
	return r >= 0x4E00 && r <= 0x9FFF || r >= 0x3400 && r <= 0x4DBF || r >= 0x20000 && r <= 0x2A6DF || r >= 0x2A700 && r <= 0x2B73F ||
		r >= 0x2B740 && r <= 0x2B81F || r >= 0x2B820 && r <= 0x2CEAF || r >= 0xF900 && r <= 0xFAFF || r >= 0x2F800 && r <= 0x2FA1F
}

// end cuts the word into the longest pieces that are known, from its beginning.
func (c *cutter) end() {
	word, before := c.word, len(c.ids)
	if c.runes > maxWord {
		c.ids, word = append(c.ids, unknownToken), nil
	}
	for from := 0; from < len(word); {
		id, to := int32(-1), len(word)
		for ; to > from; to-- {
			if to < len(word) && !utf8.RuneStart(word[to]) {
				continue
			}
			c.piece = c.piece[:0]
			if from > 0 {
				c.piece = append(c.piece, "##"...)
			}
			c.piece = append(c.piece, word[from:to]...)
			if found, ok := c.vocabulary[string(c.piece)]; ok {
				id = found
				break
			}
		}
		if id < 0 {
			c.ids = append(c.ids[:before], unknownToken)
			break
		}
		c.ids, from = append(c.ids, id), to
	}
	for len(c.places) < len(c.ids) {
		c.places = append(c.places, c.at)
	}
	c.word, c.runes = c.word[:0], 0
}
