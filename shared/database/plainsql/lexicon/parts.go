package lexicon

import (
	"regexp"
	"slices"
	"strconv"
	"strings"
)

// IsRate reports whether a compound is one of a rate: "stundenlohn".
func IsRate(word string) bool {
	for _, ending := range []string{"lohn", "preis", "gehalt", "satz", "quote", "alter", "jahr", "temperatur", "umfang", "durchmesser",
		"höhe", "breite", "tiefe"} {
		if head, ok := strings.CutSuffix(word, ending); ok && len(head) > 2 {
			return !strings.HasPrefix(head, "gesamt") && !strings.HasPrefix(head, "um")
		}
	}
	return false
}

// Pairs reports whether two names say when something begins and ends.
func Pairs(first, last []string) bool {
	for _, p := range [][2]string{
		{"arrival arrived arr anreise", "departure departed dep abreise"}, {"in", "out"},
		{"start begin beginning from", "end finish finished to until"}, {"checkin", "checkout"}, {"anreise", "abreise"},
		{"beginn von start", "ende bis"}, {"sown", "harvested"},
		{"loan loaned lent borrowed issued ausgeliehen", "returned return back zurück zurückgegeben rückgabe"},
		{"order ordered shipped sent dispatched versandt verschickt bestellt bestellung",
			"delivered received delivery geliefert lieferung erhalten"},
		{"aufgenommen aufnahme admitted admission", "vermittelt entlassen discharged adopted entlassung"},
		{"bought purchased acquired gekauft eingekauft", "sold verkauft"},
		{"opened reported received requested created eingang annahme angenommen gemeldet eingegangen auftragsdatum abgegeben",
			"closed finished solved resolved completed done repaired ausgang erledigt fertig fertiggestellt abgeschlossen abholung abgeholt collected"},
	} {
		a := slices.ContainsFunc(first, func(w string) bool { return slices.Contains(strings.Fields(p[0]), w) })
		b := slices.ContainsFunc(last, func(w string) bool { return slices.Contains(strings.Fields(p[1]), w) })
		if a && b {
			return true
		}
	}
	return false
}

// Words of the names of counters that are read twice.
var (
	countsFrom = Set("start begin beginning from old out before anfang beginn von alt abfahrt previous opening")
	countsTo   = Set("end finish to new in after until ende bis neu ankunft current closing")
)

// Counted reports whether two names are of a counter that is read first and last.
func Counted(first, last []string) bool {
	return slices.ContainsFunc(first, func(w string) bool { return countsFrom[w] }) &&
		slices.ContainsFunc(last, func(w string) bool { return countsTo[w] })
}

// Uncounted returns the words of a name that do not say which reading of a counter it is.
func Uncounted(words []string) []string {
	return slices.DeleteFunc(slices.Clone(words), func(w string) bool { return countsFrom[w] || countsTo[w] })
}

// YearIn returns the one year that a name has; 0 without.
func YearIn(name string) int {
	year := 0
	for _, w := range Parts(name) {
		if strings.Trim(w, "0123456789") == "" && len(w) == 4 && (w[:2] == "19" || w[:2] == "20") {
			if year > 0 {
				return 0
			}
			year, _ = strconv.Atoi(w)
		}
	}
	return year
}

// Short returns how a unit is abbreviated in names of columns.
func Short(word string) string { return Shorts[word] }

// Shorts are units by their names, as names of columns abbreviate them.
var Shorts = map[string]string{"minutes": "min", "minuten": "min", "hours": "hr", "stunden": "hr", "kilometers": "km", "kilometres": "km",
	"kilometer": "km", "kilos": "kg", "kilo": "kg", "kilogramm": "kg", "kilograms": "kg", "litres": "l", "liters": "l", "liter": "l",
	"hectares": "ha", "hektar": "ha",
	"tonnes": "t", "tonnen": "t"}

// Doing reports whether a word may be for who does something, by its ending: "singer".
func Doing(word string) bool {
	ends := func(ending string) bool { return strings.HasSuffix(word, ending) }
	return slices.ContainsFunc([]string{"er", "or", "ist", "ee", "ant", "in"}, ends)
}

// OfOther reports whether a word that resembles words of a column's name is of another sort than it: who did something, of a
// column that says when or how much, "publisher" of "Published"; or a time, a price or a paper of a column of texts, "Lieferzeit"
// of "Lieferant".
func OfOther(words []string, word string, text bool) bool {
	if !text {
		return strings.HasSuffix(word, "er") && slices.ContainsFunc(words, func(w string) bool {
			return strings.HasSuffix(w, "ed") && strings.TrimSuffix(w, "ed") == strings.TrimSuffix(word, "er")
		})
	}
	for _, tail := range []string{"zeit", "zeiten", "dauer", "datum", "termin", "kosten", "gebühr", "preis", "frist", "schein"} {
		if strings.HasSuffix(word, tail) && len(word) > len(tail)+2 {
			return !slices.ContainsFunc(words, func(w string) bool { return strings.HasSuffix(w, tail) || w == word })
		}
	}
	return false
}

// Gerund reports whether a word is what is done, in the singular or the plural, by a word for doing it: "hikes" of "hiking".
func Gerund(doing, word string) bool {
	root, ok := strings.CutSuffix(doing, "ing")
	return ok && len(root) > 2 && slices.Contains([]string{root, root + "s", root + "e", root + "es"}, word)
}

// spanOfMonths matches from when to when something is asked for.
var spanOfMonths = regexp.MustCompile(`(?i)\b(?:from|between|von|zwischen)\s+(\pL+)[^?]*?\b(?:to|until|till|and|bis|und)\s+(\pL+)`)

// SpansMonths reports whether a question asks for what lies from one month to another: of a column for each the two are not all.
func SpansMonths(question string) bool {
	m := spanOfMonths.FindStringSubmatch(question)
	return m != nil && MonthOf(strings.ToLower(m[1])) > 0 && MonthOf(strings.ToLower(m[2])) > 0
}

// DeedNoun reports whether a word is for what is done, such as collection or approval, rather than for who does it.
func DeedNoun(word string) bool {
	return slices.ContainsFunc([]string{"ion", "al", "ment", "ing", "ery"}, func(end string) bool { return strings.HasSuffix(word, end) })
}
