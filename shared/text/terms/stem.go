package terms

import (
	"strings"
	"sync/atomic"
	"unicode/utf8"

	"github.com/kljensen/snowball/english"
	"github.com/kljensen/snowball/russian"
)

// Stem returns the stem of a folded word.
func Stem(word string) string {
	if len(word) < 3 {
		return word
	}
	for i := range len(word) {
		if c := word[i]; c < utf8.RuneSelf && class[c] == digit {
			return word
		}
	}
	switch c := word[0]; {
	case c < utf8.RuneSelf:
		return english.Stem(word, true)
	case c == 0xD0 || c == 0xD1:
		return russian.Stem(word, true)
	case c >= 0xD8 && c <= 0xDB: // U+0600 to U+06FF
		return stemArabic(word)
	case strings.HasPrefix(word, "\xE0\xA4") || strings.HasPrefix(word, "\xE0\xA5"): // Devanagari
		return stemHindi(word)
	}
	return word
}

// Stems returns the stems of the words of a text that carry meaning; compounds such
// as get_weather count by their parts too.
func Stems(text string) map[string]bool {
	set := map[string]bool{}
	for _, w := range Words(text) {
		if !Stop("", w.Text) {
			set[Stem(w.Text)] = true
		}
	}
	return set
}

// Stemmer caches the stems of recent words. The zero value is ready to use;
// safe for concurrent use; about 6 MB when full.
type Stemmer struct {
	slots [1 << 16]atomic.Pointer[stemmed]
}

type stemmed struct{ word, stem string }

// Stem returns Stem(string(word)).
func (s *Stemmer) Stem(word []byte) string {
	slot := &s.slots[hash(word)%uint32(len(s.slots))]
	if e := slot.Load(); e != nil && e.word == string(word) {
		return e.stem
	}
	w := string(word)
	e := &stemmed{word: w, stem: Stem(w)}
	slot.Store(e)
	return e.stem
}

// hash is 32-bit FNV-1a.
func hash(b []byte) uint32 {
	h := uint32(2166136261)
	for _, c := range b {
		h = (h ^ uint32(c)) * 16777619
	}
	return h
}
