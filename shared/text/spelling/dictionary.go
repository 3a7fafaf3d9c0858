package spelling

import (
	_ "embed" // of the dictionary
	"hash/fnv"
)

// dictionary is a Bloom filter of 63,000 English words of four letters and more, from
// SCOWL; see LICENSE. It takes a hundredth of other words for one of them. It is made by
// scripts/dictionary.
//
//go:embed dictionary.bin
var dictionary string

// English reports whether a folded word is an English one that is spelt right. A
// hundredth of the words that are none pass.
func English(word string) bool {
	for _, bit := range bits(word, len(dictionary)*8) {
		if dictionary[bit/8]>>(bit%8)&1 == 0 {
			return false
		}
	}
	return true
}

const (
	bitsOfWord   = 7
	bytesOfWords = 80_000
)

// Pack makes the dictionary of words.
func Pack(words []string) []byte {
	packed := make([]byte, bytesOfWords)
	for _, w := range words {
		for _, bit := range bits(w, len(packed)*8) {
			packed[bit/8] |= 1 << (bit % 8)
		}
	}
	return packed
}

// bits returns the bits of a word among many.
func bits(word string, many int) (list [bitsOfWord]int) {
	sum := fnv.New64a()
	sum.Write([]byte(word))
	h := sum.Sum64()
	step := h>>32 | 1
	for i := range list {
		list[i] = int(h % uint64(many))
		h += step
	}
	return list
}
