package cell

import (
	"regexp"
	"slices"
	"strings"
	"sync"
)

// Dimension is what a measure tells; empty of a bare number.
type Dimension string

// The dimensions that are told from each other.
const (
	Duration    Dimension = "duration"
	Length      Dimension = "length"
	Area        Dimension = "area"
	Volume      Dimension = "volume"
	Mass        Dimension = "mass"
	Data        Dimension = "data"
	Energy      Dimension = "energy"
	Power       Dimension = "power"
	Temperature Dimension = "temperature"
	Speed       Dimension = "speed"
	Money       Dimension = "money"
)

type unit struct {
	of    Dimension
	times float64 // the dimension's smallest unit here
}

const (
	minute = 60
	hour   = 60 * minute
	day    = 24 * hour
	kilo   = 1000
)

// units are those that tables write, by their names in small letters.
var units = sync.OnceValue(func() map[string]unit {
	out := map[string]unit{}
	for _, u := range unitNames {
		for name := range strings.FieldsSeq(u.names) {
			out[name] = u.unit
		}
	}
	return out
})

var unitNames = []struct {
	unit
	names string
}{
	{unit{Duration, 1}, "s sec secs second seconds sek sekunde sekunden"},
	{unit{Duration, minute}, "min mins minute minutes minuten"},
	{unit{Duration, hour}, "h hr hrs hour hours std stunde stunden"},
	{unit{Duration, day}, "d day days tag tage tagen"},
	{unit{Duration, 7 * day}, "week weeks wk wks woche wochen"},
	{unit{Duration, 30.4 * day}, "month months mo mos monat monate monaten"},
	{unit{Duration, 365 * day}, "year years yr yrs jahr jahre jahren"},
	{unit{Length, 1}, "mm"},
	{unit{Length, 10}, "cm"},
	{unit{Length, kilo}, "m metre metres meter meters"},
	{unit{Length, kilo * kilo}, "km"},
	{unit{Length, 25.4}, "in inch inches zoll"},
	{unit{Length, 304.8}, "ft foot feet"},
	{unit{Length, 1609344}, "mi mile miles"},
	{unit{Area, 1}, "m² m2 qm sqm"},
	{unit{Area, 10000}, "ha hectare hectares hektar"},
	{unit{Area, kilo * kilo}, "km² km2"},
	{unit{Volume, 1}, "ml"},
	{unit{Volume, 10}, "cl"},
	{unit{Volume, kilo}, "l litre litres liter liters"},
	{unit{Volume, kilo * kilo}, "m³ m3"},
	{unit{Mass, 1}, "mg"},
	{unit{Mass, kilo}, "g gram grams gramm"},
	{unit{Mass, kilo * kilo}, "kg kilo kilos kilogram kilograms kilogramm"},
	{unit{Mass, kilo * kilo * kilo}, "t tonne tonnes tonnen"},
	{unit{Mass, 453592}, "lb lbs pounds"},
	{unit{Data, 1}, "kb kib"},
	{unit{Data, kilo}, "mb mib"},
	{unit{Data, kilo * kilo}, "gb gib"},
	{unit{Data, kilo * kilo * kilo}, "tb tib"},
	{unit{Energy, 1}, "wh"},
	{unit{Energy, kilo}, "kwh"},
	{unit{Energy, kilo * kilo}, "mwh"},
	{unit{Power, 1}, "w watt watts"},
	{unit{Power, kilo}, "kw"},
	{unit{Temperature, 1}, "°c °f ° c"},
	{unit{Speed, 1}, "km/h kmh kph"},
	{unit{Speed, 1.609}, "mph"},
	{unit{Money, 1}, "£ € $ eur euro euros gbp usd chf fr"},
	{unit{Money, .01}, "p ct cent cents"},
}

// UnitOf returns what a word measures that is the name of a unit, such as hours, or of a dimension, such as temperature; empty of
// any other.
func UnitOf(word string) Dimension {
	word = strings.ToLower(word)
	if d, ok := dimensions[word]; ok {
		return d
	}
	return units()[word].of
}

// dimensions are nouns for them.
var dimensions = map[string]Dimension{"temperature": Temperature, "temperatur": Temperature, "duration": Duration, "dauer": Duration,
	"time":   Duration,
	"length": Length, "länge": Length, "height": Length, "höhe": Length, "weight": Mass, "gewicht": Mass, "volume": Volume, "speed": Speed,
	"price": Money, "preis": Money, "energy": Energy, "electricity": Energy, "strom": Energy, "storage": Data}

// measureForm matches a number with the unit after it, timesForm what parts the sides of a size.
var (
	measureForm = sync.OnceValue(func() *regexp.Regexp {
		return regexp.MustCompile(`^([£€$]?)\s?(\d[\d.,]*)\s?([°£€$]?\s?[\pL°²³/]*[23]?)\.?(?:\s|$)`)
	})
	digitsForm = sync.OnceValue(func() *regexp.Regexp { return regexp.MustCompile(`\d(?:[\d.,]*\d)?`) })
	timesForm  = sync.OnceValue(func() *regexp.Regexp { return regexp.MustCompile(`\s?[×x*]\s?`) })
)

// asideForm matches what is said of a measure behind it: "3 h 30 min (plus overnight)", "2 Stunden, eine Pause".
var asideForm = sync.OnceValue(func() *regexp.Regexp { return regexp.MustCompile(`\s*(?:\([^()]*\)|, \D.*)$`) })

// measure reads a number with its unit, or several one after the other such as "3 h 40 min".
func measure(cell string) (n float64, of Dimension, ok bool) {
	cell = asideForm().ReplaceAllString(strings.Trim(cell, " *_~"), "")
	if sides := timesForm().Split(cell, -1); len(sides) == 2 || len(sides) == 3 { // a size
		n = 1
		for _, side := range sides {
			m, _, ok := measure(side)
			if !ok {
				return 0, "", false
			}
			n *= m
		}
		return n, []Dimension{Area, Volume}[len(sides)-2], true
	}
	for parts := 0; cell != ""; parts++ {
		m := measureForm().FindStringSubmatch(cell)
		if m == nil {
			return 0, "", false
		}
		value, read := Number(m[2])
		name := strings.ToLower(strings.TrimSpace(m[3]))
		u, known := units()[name], name == "" && m[1] == ""
		if m[1] != "" && name == "" {
			u = unit{Money, 1}
		}
		if !read || u.of == "" && !known || parts > 0 && u.of != of {
			return 0, "", false
		}
		cell = strings.TrimSpace(cell[len(m[0]):])
		if u.of == "" {
			return value, "", cell == "" && value != 0
		}
		n, of = n+value*u.times, u.of
	}
	return n, of, of != ""
}

// Measures reads the measures of a column, whatever units of one dimension they have: 900 MB is less than 2 GB. ok is
// false where one that is filled cannot be read, is of another dimension, or leaves open what its marks part.
func Measures(column []string) (of Dimension, ok bool) {
	read := false
	var numbers []string
	for _, c := range column {
		if !Filled(c) {
			continue
		}
		_, this, can := measure(c)
		if !can || read && this != of {
			return "", false
		}
		of, read = this, true
		numbers = append(numbers, digitsForm().FindAllString(c, -1)...)
	}
	if !read || !Comparable(numbers) {
		return "", false
	}
	return of, true
}

// Measure reads a number with its unit in the smallest unit of its dimension.
func Measure(cell string) (float64, bool) {
	n, _, ok := measure(cell)
	return n, ok
}

// sizes are what adjectives compare, the most and the least of it.
var sizes = map[string][]Dimension{
	"long": {Duration, Length}, "short": {Duration, Length}, "quick": {Duration}, "fast": {Speed, Duration}, "slow": {Speed, Duration},
	"big": {Area, Volume, Length, Mass}, "large": {Area, Volume, Length}, "small": {Area, Volume, Length}, "tall": {Length}, "high": {Length},
	"wide": {Length}, "deep": {Length}, "heavy": {Mass}, "light": {Mass}, "hot": {Temperature}, "warm": {Temperature}, "cold": {Temperature},
	"cool": {Temperature}, "expensive": {Money}, "cheap": {Money}, "dear": {Money},
}

// Compared reports whether an adjective in its plain form, such as long, compares what has a dimension.
func Compared(adjective string, of Dimension) bool { return slices.Contains(sizes[adjective], of) }

// Strict reports whether an adjective in its plain form is said of its own dimensions alone, as heavy is, but not of any amount, as
// high and large are.
func Strict(adjective string) bool {
	return len(sizes[adjective]) > 0 && !slices.Contains([]string{"high", "big", "large", "small"}, adjective)
}

// Adjective returns the plain form of a superlative, such as long of longest; empty of any other word.
func Adjective(superlative string) string {
	if plain, ok := superlatives[superlative]; ok {
		return plain
	}
	stem, ok := strings.CutSuffix(superlative, "est")
	if !ok {
		if stem = strings.TrimRight(superlative, "nrs"); !strings.HasSuffix(stem, "ste") {
			return ""
		}
		return superlatives[stem]
	}
	if y, ok := strings.CutSuffix(stem, "i"); ok {
		stem = y + "y"
	}
	if _, ok := sizes[stem]; !ok && len(stem) > 2 && stem[len(stem)-1] == stem[len(stem)-2] {
		stem = stem[:len(stem)-1] // biggest
	}
	if _, ok := sizes[stem]; !ok {
		stem += "e" // largest
	}
	return stem
}

// superlatives are those that are not made from their plain form by an ending; those of German by their English one.
var superlatives = map[string]string{"längste": "long", "kürzeste": "short", "schnellste": "fast", "langsamste": "slow",
	"größte": "big", "kleinste": "small",
	"höchste": "high", "niedrigste": "high", "breiteste": "wide", "tiefste": "deep", "schwerste": "heavy", "leichteste": "light",
	"heißeste": "hot",
	"wärmste":  "warm", "kälteste": "cold", "teuerste": "expensive", "billigste": "cheap", "günstigste": "cheap"}
