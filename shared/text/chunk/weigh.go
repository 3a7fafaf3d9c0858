package chunk

import (
	"strings"
	"unicode/utf8"
)

// Text is weighed in half words, so that scripts without spaces have weight
// too: a word weighs two, plus two for every 24 letters beyond the first; a
// Chinese, Japanese, Korean or Thai letter weighs one.

const longWord = 24

func halves(words int) int { return 2 * words }

func weigh(s string) int {
	w, _ := measure(s, int(^uint(0)>>1))
	return w
}

// MayGoOn reports whether a chunk may have been ended by its size alone, so that a piece such
// as its last line may have followed: one that could take two more of these was not.
func MayGoOn(text string) bool {
	text = strings.TrimSpace(text)
	last := text[strings.LastIndexByte(text, '\n')+1:]
	target := halves(targetWords)
	weight := weigh(text)
	return weight*3 >= target*2 && weight+2*weigh(last) > target
}

// fit returns how many bytes of s weigh at most limit, cut at a word boundary
// if one is in the last part; at least one rune.
func fit(s string, limit int) int {
	_, n := measure(s, max(limit, 2))
	return n
}

// measure weighs s until the weight is over limit, and returns the weight and
// where to cut: len(s) when all of it fits.
func measure(s string, limit int) (weight, cut int) {
	border := 0 // the last place between words
	letters := 0
	for i := 0; i < len(s); {
		c := s[i]
		size := 1
		switch {
		case c <= ' ':
			letters = 0
			i++
			border = i
			continue
		case c < utf8.RuneSelf:
			letters++
		default:
			var r rune
			r, size = utf8.DecodeRuneInString(s[i:])
			if dense(r) {
				border = i
				weight++
				letters = 0
				if weight > limit && border > 0 {
					return weight, border
				}
				i += size
				continue
			}
			letters++
		}
		if letters%longWord == 1 {
			weight += 2
			if weight > limit && i > 0 {
				// Cut inside a word only if the word itself is too long.
				if border > i/2 {
					return weight, border
				}
				return weight, i
			}
		}
		i += size
	}
	return weight, len(s)
}

// dense reports whether r belongs to a script without spaces between words, in
// which a letter is about half a word.
func dense(r rune) bool {
	switch {
	case r < 0x0E00:
		return false
	case r < 0x1100:
		return r < 0x0F00 || r >= 0x1000 && r < 0x10A0 // Thai, Lao, Burmese
	case r < 0x1780:
		return false
	case r < 0x1800:
		return true // Khmer
	}
	return r >= 0x2E80 && r < 0xD7B0 || r >= 0xF900 && r < 0xFB00 || r >= 0xFF00 && r < 0xFFF0 || r >= 0x20000 && r < 0x40000
}
