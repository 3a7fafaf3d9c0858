package terms

import "unicode/utf8"

// Gram is a character 4-gram as a 32-bit hash of its characters. Values are
// stable and may be stored.
type Gram uint32

// AppendGrams appends the 4-grams of a folded word, whose start and end count
// as one character each: "cat" has "^cat" and "cat$". A shorter word has one
// gram. Duplicates are kept.
func AppendGrams(dst []Gram, word []byte) []Gram {
	var window [4]rune
	n := 0
	push := func(r rune) {
		window[0], window[1], window[2], window[3] = window[1], window[2], window[3], r
		if n++; n >= 4 {
			dst = append(dst, gram(window))
		}
	}
	push('^')
	for i := 0; i < len(word); {
		if c := word[i]; c < utf8.RuneSelf {
			push(rune(c))
			i++
			continue
		}
		r, size := utf8.DecodeRune(word[i:])
		push(r)
		i += size
	}
	push('$')
	if n < 4 {
		dst = append(dst, gram(window))
	}
	return dst
}

// GramCount is how many 4-grams AppendGrams finds in a word.
func GramCount(word []byte) int { return max(1, utf8.RuneCount(word)-1) }

func gram(w [4]rune) Gram {
	h := uint64(w[0])
	h = h*0x9E3779B97F4A7C15 + uint64(w[1])
	h = h*0x9E3779B97F4A7C15 + uint64(w[2])
	h = h*0x9E3779B97F4A7C15 + uint64(w[3])
	h ^= h >> 29
	h *= 0xBF58476D1CE4E5B9
	return Gram(h >> 32)
}
