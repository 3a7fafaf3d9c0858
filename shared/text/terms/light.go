package terms

import (
	"strings"
	"unicode/utf8"
)

// Light stemmers for scripts without a Snowball stemmer here: they remove
// affixes of nouns by a list and leave a root of at least two or three
// characters.

// stemArabic follows Larkey's light10: it removes article and conjunction at
// the start, pronouns and plural endings at the end.
func stemArabic(word string) string {
	word = strings.Map(arabicLetter, word)
	const least = 3
	for _, p := range [...]string{"وال", "بال", "كال", "فال", "ال", "لل"} {
		if rest, ok := strings.CutPrefix(word, p); ok && utf8.RuneCountInString(rest) >= least-1 {
			word = rest
			break
		}
	}
	if rest, ok := strings.CutPrefix(word, "و"); ok && utf8.RuneCountInString(rest) >= least {
		word = rest
	}
	for _, s := range [...]string{"ها", "ان", "ات", "ون", "ين", "يه", "ه", "ي", "ا"} {
		if rest, ok := strings.CutSuffix(word, s); ok && utf8.RuneCountInString(rest) >= least-1 {
			word = rest
		}
	}
	return word
}

// arabicLetter unifies letters that are often interchanged.
func arabicLetter(r rune) rune {
	switch r {
	case 'أ', 'إ', 'آ':
		return 'ا'
	case 'ى':
		return 'ي'
	case 'ة':
		return 'ه'
	case 'ـ':
		return -1
	}
	return r
}

// stemHindi follows Ramanathan and Rao: it removes endings of number, gender
// and case.
func stemHindi(word string) string {
	const least = 2
	for _, s := range [...]string{
		"ाइयाँ", "ाइयों", "ाएँगे", "ाएगा", "ियाँ", "ियों", "ियां", "ाओं", "ाएँ", "ाएं", "ुओं", "ुएँ", "ुएं", "ाना", "ाने", "ानी", "ाता",
		"ाती", "ाते",
		"ों", "ें", "ीं", "ाँ", "ां", "ता", "ती", "ते", "ना", "नी", "ने", "ओं", "एँ", "एं", "ा", "े", "ी", "ो", "ि", "ु", "ू",
	} {
		if rest, ok := strings.CutSuffix(word, s); ok && utf8.RuneCountInString(rest) >= least {
			return rest
		}
	}
	return word
}
