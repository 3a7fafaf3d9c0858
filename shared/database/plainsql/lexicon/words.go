// Package lexicon knows the words of questions about tables, English and German: which mean the same, what is short for
// what, and what words of a role are. No library has these for names of columns.
package lexicon

import (
	"cmp"
	"slices"
	"strings"
	"sync"
	"unicode"
	"unicode/utf8"
)

// Stem unifies singular and plural.
func Stem(w string) string {
	switch {
	case len(w) > 4 && strings.HasSuffix(w, "ies"):
		return w[:len(w)-3] + "y"
	case len(w) > 4 && (strings.HasSuffix(w, "sses") || strings.HasSuffix(w, "xes") || strings.HasSuffix(w, "ches") ||
		strings.HasSuffix(w, "shes")):
		return w[:len(w)-2]
	case len(w) > 3 && strings.HasSuffix(w, "s") && !strings.HasSuffix(w, "ss") && !strings.HasSuffix(w, "us") &&
		!strings.HasSuffix(w, "is"):
		return w[:len(w)-1]
	}
	return w
}

// Parts returns the words of a name, in lower case and singular.
func Parts(name string) []string {
	var b strings.Builder
	before := ' '
	for _, r := range name {
		if unicode.IsUpper(r) && unicode.IsLower(before) {
			b.WriteByte(' ')
		}
		if unicode.IsLetter(r) || unicode.IsDigit(r) {
			b.WriteRune(unicode.ToLower(r))
		} else {
			b.WriteByte(' ')
		}
		before = r
	}
	var list []string
	for _, w := range strings.Fields(b.String()) {
		list = append(list, numbered(w)...)
	}
	list = initials(list)
	for i := 0; i < len(list); i++ {
		if i+1 < len(list) && parted(list[i], list[i+1]) {
			list[i] += list[i+1]
			list = slices.Delete(list, i+1, i+2)
		}
		list[i] = Stem(cmp.Or(squared[list[i]], written[list[i]], list[i]))
	}
	return list
}

// parted reports whether two parts of a name are one word: e_mail, p.a., Rec'd, sq m.
func parted(a, b string) bool {
	return a == "e" || a == "p" && b == "a" || a == "rec" && b == "d" || a == "sq" && squared[a+b] != ""
}

// written are words for the abbreviations of names of columns that stand for one word alone.
var written = map[string]string{"pd": "paid", "svc": "service", "bkg": "booking", "rpt": "report", "recd": "received",
	"amt": "amount", "pmt": "payment",
	"geschl": "geschlecht", "kastr": "kastriert", "gew": "gewicht", "kennz": "kennzeichen", "stu": "stammumfang",
	"no3": "nitrate", "po4": "phosphate",
	"nh4": "ammonium", "disc": "discount", "odo": "odometer", "mgr": "manager",
	"dest": "destination", "dep": "departure", "arr": "arrival", "ext": "extension"}

// squared are the ways to write square metres and feet.
var squared = map[string]string{"sqm": "m2", "qm": "m2", "sqmetre": "m2", "sqmeter": "m2", "sqft": "ft2", "sqfeet": "ft2"}

// initials joins three or more single letters, as of "D.O.B.".
func initials(list []string) (out []string) {
	for i := 0; i < len(list); {
		n := i
		for n < len(list) && len(list[n]) == 1 && (list[n] < "0" || list[n] > "9") {
			n++
		}
		if n-i < leastInitials {
			n = i + 1
		}
		out = append(out, strings.Join(list[i:n], ""))
		i = n
	}
	return out
}

const leastInitials = 3

// numbered parts a name such as "artikelnr" from its number.
func numbered(word string) []string {
	for _, ending := range []string{"nr", "nummer"} {
		if head, ok := strings.CutSuffix(word, ending); ok && len(head) >= LeastPart {
			if slices.ContainsFunc([]string{"ds", "gs", "ns", "ts"}, func(link string) bool { return strings.HasSuffix(head, link) }) {
				head = strings.TrimSuffix(head, "s") // of an order, in German
			}
			return []string{head, "nr"}
		}
	}
	return []string{word}
}

// Identifies reports whether a name is that of an identifier.
func Identifies(words []string) bool {
	return len(words) > 1 && slices.Contains([]string{"id", "no", "nr"}, words[len(words)-1])
}

// plural folds what German plurals change.
var plural = strings.NewReplacer("ä", "a", "ö", "o", "ü", "u")

// Among reports whether a word is one of a list, in singular or plural.
func Among(list []string, word string) bool {
	return slices.ContainsFunc(list, func(w string) bool { return Same(w, word) })
}

// Same compares a part of a name with a word, in singular or plural.
func Same(part, word string) bool {
	bare := plural.Replace(word)
	least := LeastPart
	if bare != word {
		least-- // Kühe
	}
	part, word = plural.Replace(part), bare
	if part == Stem(word) || part == word {
		return true
	}
	if ending, ok := strings.CutPrefix(word, part); ok && len(part) >= least {
		return slices.Contains([]string{"e", "en", "n", "s", "es", "er", "ern", "em", "nen"}, ending)
	}
	ending, ok := strings.CutPrefix(part, word)
	return ok && len(word) > 3 && slices.Contains([]string{"e", "en", "n"}, ending)
}

// Set returns the words of a list.
func Set(list string) map[string]bool {
	m := map[string]bool{}
	for w := range strings.FieldsSeq(list) {
		m[w] = true
	}
	return m
}

// Compounds reports whether a word is a compound with a part: an invoice is not one with a voice.
func Compounds(word, part string) bool {
	at := strings.Index(word, part)
	return at == 0 || at >= LeastPrefix
}

// BareOf returns a word without the syllable that denies it: "active" of "inactive"; the word itself without.
func BareOf(word string) string {
	for _, prefix := range []string{"un", "in", "non", "dis", "im"} {
		if bare, ok := strings.CutPrefix(word, prefix); ok && len(bare) >= LeastPart {
			return bare
		}
	}
	return word
}

// Rooted reports whether two words begin alike, as "manager" and "managed" do.
func Rooted(a, b string) bool {
	n := 0
	for n < len(a) && n < len(b) && a[n] == b[n] {
		n++
	}
	return n >= RootLetters && max(len(a), len(b))-n <= rootEnding || bareVerb(a) == bareVerb(b) && len(bareVerb(a)) >= LeastPart
}

// bareVerb returns a word without what makes a noun or a participle of a verb: "clos" of closing and closed.
func bareVerb(w string) string {
	for _, ending := range []string{"als", "al", "ations", "ation", "ings", "ing", "ions", "ion", "ures", "ure", "ed", "es", "e", "s"} {
		if base, ok := strings.CutSuffix(w, ending); ok && len(base) >= LeastPart {
			return base
		}
	}
	return w
}

// SameVerb reports whether a word is the noun of what a participle says: "cancellations" of "cancelled".
func SameVerb(participle, word string) bool {
	verb := bareVerb(word)
	return strings.HasSuffix(participle, "ed") && word != participle && verb == bareVerb(participle) && len(verb) > LeastPart
}

// Happens reports whether a part of a name is the verb of a participle: "pflanzjahr" of "gepflanzt",
// "waiting" of "wait".
func Happens(part, word string) bool {
	if verb, ok := strings.CutPrefix(word, "ge"); ok && len(verb) > LeastPart {
		verb = strings.TrimSuffix(strings.TrimSuffix(verb, "t"), "e")
		return len(verb) >= LeastPart && strings.HasPrefix(part, verb)
	}
	if verb, ok := strings.CutSuffix(part, "er"); ok && len(verb) >= LeastPrefix && verb != "met" &&
		(word == verb+"s" || word == verb+"es" || word == verb+"e" || word == verb+"ed") {
		return true // who owns is the owner
	}
	for _, ending := range []string{"ing", "ed", "ion", "er"} {
		if verb, ok := strings.CutSuffix(part, ending); ok && len(verb) >= LeastPart &&
			(verb == word || verb == strings.TrimSuffix(word, "s")) {
			return true
		}
	}
	return false
}

// Able reports whether a part of a name says that what a verb says can be done: "billable" of bill, "abrechenbar" of
// abrechnen.
func Able(part, word string) bool {
	for _, ending := range []string{"able", "ible", "bar"} {
		verb, ok := strings.CutSuffix(part, ending)
		if !ok || len(verb) < LeastPart {
			continue
		}
		bare := strings.TrimSuffix(strings.TrimSuffix(strings.TrimSuffix(word, "ed"), "n"), "e")
		n := 0
		for n < len(verb) && n < len(bare) && verb[n] == bare[n] {
			n++
		}
		return n >= LeastPart && len(bare)-n <= 1 && len(verb)-n <= 2
	}
	return false
}

// NumberOf returns the number from two to ten that a word is; 0 if it is none.
func NumberOf(word string) int {
	if at := numberPlaces()[word]; at > 0 {
		return at + 1
	}
	return 0
}

var numberPlaces = sync.OnceValue(func() map[string]int { return placesOf(numbers) })

// ordinals are words for places, from the first.
var ordinals = []string{"first erste ersten erster erstes 1st", "second zweite zweiten zweiter zweites 2nd",
	"third dritte dritten dritter drittes 3rd",
	"fourth vierte vierten vierter viertes 4th"}

// OrdinalOf returns the place that a word names; 0 for another word.
func OrdinalOf(word string) int {
	return slices.IndexFunc(ordinals, func(names string) bool { return word != "" && slices.Contains(strings.Fields(names), word) }) + 1
}

// roles end German compounds for somebody who does something for what they begin with.
var roles = strings.Fields("lehrer lehrerin leiter leiterin sprecher sprecherin chef chefin trainer trainerin wart vorsitzender vorsitzende betreuer betreuerin")

// RoleOf returns the end of a compound by which it is for somebody, as "leiter" is of "Kursleiter"; empty for another word.
func RoleOf(word string) string {
	at := slices.IndexFunc(roles, func(r string) bool { return strings.HasSuffix(word, r) && len(word) > len(r)+LeastPrefix-1 })
	if at < 0 {
		return ""
	}
	return roles[at]
}

// times are words for how often.
var times = []string{"once einmal", "twice zweimal", "thrice dreimal", "viermal", "fünfmal"}

// TimesOf returns how often a word says; 0 for another word.
func TimesOf(word string) int {
	return slices.IndexFunc(times, func(names string) bool { return word != "" && slices.Contains(strings.Fields(names), word) }) + 1
}

// MonthOf returns the month, 1..12, that a word names; 0 if it names none.
func MonthOf(word string) int {
	return monthNumbers()[word]
}

var monthNumbers = sync.OnceValue(func() map[string]int { return placesOf(months) })

// placesOf returns the places, from 1 on, of lists that words are in.
func placesOf(lists []string) map[string]int {
	out := map[string]int{}
	for i, names := range lists {
		for w := range strings.FieldsSeq(names) {
			out[w] = i + 1
		}
	}
	return out
}

// WeekdaysOf returns the days of the week that a word is for, 0..6 from Sunday: two of a weekend, none of another word.
func WeekdaysOf(word string) []int {
	if weekends[word] {
		return []int{0, 6}
	}
	at := slices.IndexFunc(weekdays, func(names string) bool {
		list := strings.Fields(names)
		return word != "" && (slices.Contains(list, word) || slices.Contains(list, strings.TrimSuffix(word, "s")) ||
			slices.Contains(list, strings.TrimSuffix(word, "en")))
	})
	if at < 0 {
		return nil
	}
	return []int{at}
}

// Weekday returns the name, in lower case, of a day of the week, 0..6 from Sunday.
func Weekday(day int, german bool) string {
	names := strings.Fields(weekdays[day])
	if german {
		return names[1]
	}
	return names[0]
}

// Capital returns a word with a capital letter.
func Capital(word string) string {
	_, n := utf8.DecodeRuneInString(word)
	return strings.ToUpper(word[:n]) + word[n:]
}

// DayIn returns the day of the week, 0..6 from Sunday, that a word or the beginning of one is, in German or in English: "wed", "mi";
// -1 for another word.
func DayIn(word string, german bool) int {
	least, at := LeastPrefix, 0
	if german {
		least, at = 2, 1
	}
	return slices.IndexFunc(weekdays, func(names string) bool {
		return len(word) >= least && strings.HasPrefix(strings.Fields(names)[at], word)
	})
}

// GermanDay reports whether a word is a day of the week in German and not in English.
func GermanDay(word string) bool { return DayIn(word, true) >= 0 && DayIn(word, false) < 0 }

// Letters of a word, or of a part of one.
const (
	LeastPart   = 4 // of one that may be part of a compound
	LeastPrefix = 3 // before a part of a compound
	RootLetters = 5 // that words of one root share
	rootEnding  = 4 // after these
)

// Exact returns the concepts of a word itself, not of a part of it.
func Exact(word string) []int { return concepts()[word] }

// Folded returns a word without what German plurals change.
func Folded(word string) string { return plural.Replace(word) }

// DayOf returns what a German compound with a word for a day is the day of, "eintritt" of "eintrittsdatum"; any other word as
// it is.
func DayOf(word string) string {
	if head, ok := strings.CutSuffix(word, "datum"); ok && len(head) >= LeastPart {
		return strings.TrimSuffix(head, "s")
	}
	return word
}
