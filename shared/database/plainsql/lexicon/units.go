package lexicon

import (
	"maps"
	"slices"
	"strings"
)

// Unit is a unit of measure: its kind, such as mass, and how many of the least one of the kind it is.
type Unit struct {
	Kind string
	Size float64
}

// Sizes are units by their words in questions and in names of columns.
var Sizes = func() map[string]Unit {
	out := map[string]Unit{}
	for _, u := range []struct {
		kind  string
		size  float64
		words string
	}{
		{"time", 1, "minute minutes minuten min mins"}, {"time", 60, "hour hours stunde stunden hr hrs h std"},
		{"time", 1440, "day days tag tage tagen"}, {"time", 10080, "week weeks woche wochen"},
		{"span", 1, "month months monat monate monaten"}, {"span", 12, "year years jahr jahre jahren"},
		{"mass", .001, "mg"}, {"mass", 1e-6, "µg ug"}, {"mass", 1, "g gram grams gramm"}, {"mass", 1000, "kg kilo kilos kilogram kilograms kilogramm"},
		{"mass", 1e6, "t tonne tonnes tonnen"},
		{"way", .01, "cm centimetre centimetres centimeter zentimeter"}, {"way", 1, "m metre metres meter meters metern"},
		{"way", 1000, "km kilometre kilometres kilometer kilometers kilometern"},
		{"energy", 1, "kwh"}, {"energy", 1000, "mwh"}, {"volume", 1, "ml"}, {"volume", 1000, "l litre litres liter liters litern"},
	} {
		for _, w := range strings.Fields(u.words) {
			out[w] = Unit{u.kind, u.size}
		}
	}
	return out
}()

// Whole returns the word that a unit is short for; of several the first by spelling, so that a question is read alike
// each time.
func Whole(unit string) string {
	for _, w := range slices.Sorted(maps.Keys(Shorts)) {
		if Shorts[w] == unit && strings.HasSuffix(w, "s") {
			return Stem(w)
		}
	}
	return unit
}
