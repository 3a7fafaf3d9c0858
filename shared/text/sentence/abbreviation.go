package sentence

import (
	"strings"
	"unicode"
	"unicode/utf8"
)

// isAbbreviation reports whether the full stop after word is part of it and
// does not end the sentence. next is the following word, empty if unknown;
// alone says that word is the whole sentence so far.
func isAbbreviation(word, next string, alone bool) bool {
	if word == "" {
		return false
	}
	lower := strings.ToLower(word)
	if binds(lower) {
		return true
	}
	r, size := utf8.DecodeRuneInString(word)
	switch {
	case size == len(word) && unicode.IsLetter(r) && !isHan(r):
		// An initial, or the letter of an enumeration.
		return !isStarter(next) || alone
	case strings.IndexByte(word, '.') > 0 && dotted(word):
		// "U.S.", "p.m.", "z.B."
		return !isStarter(next)
	case unicode.IsDigit(r):
		// "3. Next", and the ordinals of German dates.
		return alone && len(word) <= 3 || len(word) <= 2 && isMonth(next)
	}
	return mayEndSentence(lower) && !isStarter(next)
}

// dotted reports whether every part of word between dots is short.
func dotted(word string) bool {
	for part := range strings.SplitSeq(word, ".") {
		if n := utf8.RuneCountInString(part); n == 0 || n > 2 {
			return false
		}
	}
	return true
}

// binds reports whether an abbreviation is always followed by more.
func binds(lower string) bool {
	switch lower {
	case "mr", "mrs", "ms", "dr", "prof", "st", "rev", "gen", "col", "lt", "sgt", "capt", "hon", "messrs", "mme", "mlle",
		"fig", "figs", "eq", "eqs", "sec", "ch", "chap", "vol", "vols", "pp", "art", "ref", "refs", "tab", "app", "para", "paras", "sect", "ext",
		"vs", "cf", "viz", "al", "approx", "ca", "resp", "incl", "excl", "esp", "e.g", "i.e", "eg", "ie", "ibid",
		"bzw", "z.b", "d.h", "u.a", "vgl", "abs", "nr", "hr", "fr", "evtl", "ggf", "sog", "usf", "geb", "dipl", "ing",
		"sr", "sra", "srta", "dña", "núm", "pág", "ej", "p.ej", "av", "avda", "ud", "uds",
		"m", "mm", "т.е", "т.к", "т.н", "др", "проф", "рис", "стр", "им", "ул", "гл", "см", "напр":
		return true
	}
	return false
}

// mayEndSentence reports whether a word is an abbreviation that can also end a
// sentence.
func mayEndSentence(lower string) bool {
	switch lower {
	case "etc", "inc", "ltd", "co", "corp", "bros", "jr", "dept", "est", "no", "nos", "ed", "eds", "op",
		"jan", "feb", "mar", "apr", "jun", "jul", "aug", "sep", "sept", "oct", "nov", "dec",
		"mon", "tue", "wed", "thu", "fri", "sat", "ave", "blvd", "rd", "mt", "ft", "min", "max", "hrs", "gov", "sen", "rep", "pres",
		"usw", "str", "mio", "mrd", "tel", "gmbh", "г", "гг", "руб", "тыс", "млн", "млрд", "etw":
		return true
	}
	return false
}

// isStarter reports whether a word, as written, is more likely the start of a
// sentence than a name.
func isStarter(word string) bool {
	switch word {
	case "The", "A", "An", "It", "He", "She", "They", "We", "I", "You", "This", "That", "These", "Those", "There", "Here",
		"In", "On", "At", "By", "For", "From", "With", "After", "Before", "During", "When", "While", "If", "As", "Since", "Although",
		"But", "And", "Or", "So", "However", "Its", "His", "Her", "Their", "Our", "My", "Your", "What", "Who", "How", "Why", "Where",
		"Der", "Die", "Das", "Ein", "Eine", "Es", "Er", "Sie", "Wir", "Im", "Am", "Bei", "Nach",
		"El", "La", "Los", "Las", "Un", "Una", "En", "Le", "Les", "Il", "Elle", "Ce", "Cette",
		"Он", "Она", "Они", "Это", "В", "На", "По", "Но", "И":
		return true
	}
	return false
}

func isMonth(word string) bool {
	switch word {
	case "Januar", "Jänner", "Februar", "März", "April", "Mai", "Juni", "Juli", "August", "September", "Oktober", "November", "Dezember",
		"January", "February", "March", "May", "June", "July", "October", "December",
		"Jahrhundert", "Jahrhunderts", "Jh", "Platz", "Auflage", "Kapitel":
		return true
	}
	return false
}
