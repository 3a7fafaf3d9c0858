package terms

import (
	"slices"
	"strings"
)

// Forms returns other forms of a folded word in the language of a query: "kinder" for
// "kind". It returns none for other scripts, and for words of one or two letters.
//
// Stems do not depend on language (see the package) and fold regular English endings, so
// for English it knows what they leave apart: "wrote" for "write", "payment" for "pay",
// "color" for "colour"; so too where the language is not known. For the other languages
// it removes endings like a light stemmer and adds all endings of nouns and adjectives,
// and the most common ones of verbs. Forms that do not exist find nothing.
//
// Source: J. Savoy, "Light stemming approaches for the French, Portuguese, German and
// Hungarian languages", 2006; similar for Spanish and Italian.
func Forms(lang Language, word string) []string {
	inflect := inflections[lang]
	if inflect == nil || len(word) < 3 {
		return nil
	}
	for i := range len(word) {
		if c := word[i]; c < 'a' || c > 'z' {
			return nil
		}
	}
	var list []string
	inflect(word, func(form string) {
		if len(form) >= 3 && form != word && !slices.Contains(list, form) {
			list = append(list, form)
		}
	})
	return list
}

// inflections are by language; read only.
var inflections = map[Language]func(word string, add func(string)){
	"": related, "en": related, "de": german, "es": spanish, "fr": french, "it": italian, "pt": portuguese, "nl": dutch,
}

// cutEnding removes the first ending that leaves a stem of at least least letters.
func cutEnding(word string, least int, endings ...string) string {
	for _, e := range endings {
		if stem, ok := strings.CutSuffix(word, e); ok && len(stem) >= least {
			return stem
		}
	}
	return word
}

// put adds the stem with each ending.
func put(add func(string), stem string, endings ...string) {
	for _, e := range endings {
		add(stem + e)
	}
}

func german(word string, add func(string)) {
	stem := cutEnding(word, 3, "ern", "em", "en", "er", "es", "e")
	if stem == word && len(word) > 3 && word[len(word)-1] == 's' && strings.IndexByte("bdfghklmnrt", word[len(word)-2]) >= 0 {
		stem = word[:len(word)-1]
	}
	put(add, stem, "", "e", "en", "er", "ern", "es", "em", "n", "s")
	if stem != word || len(stem) > 3 { // Gas is no form of Gast
		put(add, stem, "t", "te", "ten")
	}
	put(add, word, "s", "n", "e")
	if verb, ok := strings.CutSuffix(word, "ung"); ok && len(verb) > 3 {
		put(add, verb, "en", "t")
	} else if verb, ok := strings.CutSuffix(word, "en"); ok && len(verb) > 3 {
		put(add, verb, "ung", "ungen")
	}
	participles(word, add)
	irregular(word, add)
}

// irregulars are the stems of German verbs with those of their participles, as words are folded.
var irregulars = [][2]string{{"bring", "bracht"}, {"denk", "dacht"}, {"geh", "gangen"}, {"steh", "standen"}, {"nehm", "nommen"},
	{"schliess", "schlossen"}, {"sprech", "sprochen"}, {"treff", "troffen"}, {"werf", "worfen"}, {"helf", "holfen"}, {"schreib", "schrieben"},
	{"bleib", "blieben"}, {"leih", "liehen"}, {"steig", "stiegen"}, {"zieh", "zogen"}, {"biet", "boten"}, {"verlier", "verloren"},
	{"beginn", "begonnen"}, {"find", "funden"}, {"bind", "bunden"}, {"trink", "trunken"}, {"sitz", "sessen"}, {"lieg", "legen"},
	{"bitt", "beten"},
	{"kenn", "kannt"}, {"nenn", "nannt"}, {"schneid", "schnitten"}, {"streich", "strichen"}, {"weis", "wiesen"}, {"schwimm", "schwommen"}}

// irregular converts the infinitive of an irregular German verb to its participle, and vice versa.
func irregular(word string, add func(string)) {
	for _, v := range irregulars {
		if before, ok := strings.CutSuffix(word, v[0]+"en"); ok {
			put(add, before, "ge"+v[1], v[1])
		}
		if before, ok := strings.CutSuffix(word, v[1]); ok {
			put(add, strings.TrimSuffix(before, "ge")+v[0], "en", "t")
		}
	}
}

// separable are German prefixes that precede the ge of a participle.
var separable = []string{"", "ab", "an", "auf", "aus", "bei", "ein", "mit", "nach", "vor", "weg", "zu"}

// participles converts a German infinitive to its participle, and vice versa.
func participles(word string, add func(string)) {
	for _, prefix := range separable {
		verb, ok := strings.CutPrefix(word, prefix)
		if !ok {
			continue
		}
		if stem, ok := strings.CutSuffix(verb, "en"); ok && len(stem) >= 3 {
			put(add, prefix+"ge"+stem, "t", "en")
		}
		if rest, ok := strings.CutPrefix(verb, "ge"); ok {
			for _, end := range []string{"t", "en"} {
				if stem, ok := strings.CutSuffix(rest, end); ok && len(stem) >= 3 {
					put(add, prefix+stem, "en", "t", "e")
				}
			}
		}
	}
}

func spanish(word string, add func(string)) {
	stem := cutEnding(word, 3, "os", "as", "es", "o", "a", "e")
	if root, ok := strings.CutSuffix(word, "ces"); ok {
		stem = root + "z"
	}
	put(add, stem, "", "o", "a", "os", "as", "e", "es", "an", "en", "ar", "er", "ir")
	if root, ok := strings.CutSuffix(stem, "z"); ok {
		add(root + "ces")
	}
	if verb := cutEnding(word, 4, "an", "en"); verb != word {
		put(add, verb, "a", "e", "ar", "er", "ir")
	}
}

func french(word string, add func(string)) {
	if root, ok := strings.CutSuffix(word, "aux"); ok && !strings.HasSuffix(root, "e") {
		add(root + "al")
	}
	stem := cutEnding(word, 3, "ees", "es", "ee", "s", "x", "e")
	put(add, stem, "", "s", "e", "es", "x", "ee", "ees", "er", "ent")
	if root, ok := strings.CutSuffix(stem, "al"); ok {
		add(root + "aux")
	}
	if verb := cutEnding(word, 4, "ent"); verb != word {
		put(add, verb, "e", "es", "er")
	}
}

func italian(word string, add func(string)) {
	stem := cutEnding(word, 3, "he", "hi", "ie", "io", "ia", "a", "e", "i", "o")
	put(add, stem, "o", "a", "i", "e", "io", "ia", "ie", "hi", "he", "are", "ano", "ono")
}

func portuguese(word string, add func(string)) {
	if stem := cutEnding(word, 3, "oes", "aes", "aos", "ao"); stem != word {
		put(add, stem, "ao", "oes", "aes", "aos")
		return
	}
	if root, ok := strings.CutSuffix(word, "ns"); ok {
		add(root + "m")
	}
	if root, ok := strings.CutSuffix(word, "is"); ok {
		add(root + "l")
	}
	stem := cutEnding(word, 3, "os", "as", "es", "s", "o", "a", "e")
	put(add, stem, "", "o", "a", "os", "as", "e", "es", "am", "em", "ar", "er", "ir")
	switch stem[len(stem)-1] {
	case 'm':
		add(stem[:len(stem)-1] + "ns")
	case 'l':
		add(stem[:len(stem)-1] + "is")
	}
}

const vowels = "aeiou"

// dutch also handles spelling: a long vowel is doubled in a closed syllable, a
// consonant after a short vowel: maan, manen; man, mannen.
func dutch(word string, add func(string)) {
	stem := cutEnding(word, 3, "en", "s", "e")
	n := len(stem)
	last, before := stem[n-1], stem[n-2]
	vowel := func(c byte) bool { return strings.IndexByte(vowels, c) >= 0 }
	if last == before && !vowel(last) {
		stem = stem[:n-1]
		n--
		before = stem[n-2]
	}
	put(add, stem, "", "en", "e", "s", "t", "te", "ten")
	switch {
	case vowel(last) || !vowel(before):
	case n >= 3 && stem[n-3] == before: // a long vowel
		put(add, stem[:n-2]+stem[n-1:], "en", "e")
	default:
		put(add, stem+string(last), "en", "e")
		add(stem[:n-1] + string(before) + string(last))
	}
}
