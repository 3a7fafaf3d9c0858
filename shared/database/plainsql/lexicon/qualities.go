package lexicon

import "strings"

// Quality is an adjective: which way its most goes, and the parts of names of columns that it
// may speak of, of numbers and of dates; a date goes the other way where backwards is set.
type Quality struct {
	Way       int
	Of        string
	Dates     string
	Backwards bool
}

// Parts of names of columns that adjectives may speak of.
const (
	Priced  = "price cost fee charge rate preis kosten gebühr miete rent amount betrag"
	Births  = "birth born birthday dob geboren geburt geburtsdatum geburtstag geb gebdat"
	Since   = "joined hired eintritt start opened founded built baujahr purchase bought date datum year since"
	Dated   = Births + " date datum planted hired start eintritt opened founded built year baujahr purchase bought joined since"
	Thick   = "diameter girth thickness circumference umfang durchmesser dicke stammumfang"
	Lasting = "duration length minute hour hr day night week woche dauer länge term time zeit tage stunden zahlungsziel"
)

// Qualities are adjectives by their stem, of which compared forms are made.
var Qualities = map[string]Quality{
	"valuable": {1, "value wert worth estimate amount price preis betrag", "", false}, "wertvoll": {1,
		"value wert schätzwert amount preis betrag", "", false},
	"expensive": {1, Priced, "", false}, "dear": {1, Priced, "", false}, "pricey": {1, Priced, "", false},
	"costly": {1, Priced, "", false}, "teuer": {1, Priced, "", false}, "teur": {1, Priced, "", false},
	"cheap": {-1, Priced, "", false}, "günstig": {-1, Priced, "", false}, "billig": {-1, Priced, "", false},
	"old": {1, "age alter", Dated, true}, "alt": {1, "age alter", Dated, true}, "ält": {1, "age alter", Dated, true},
	"young": {-1, "age alter", Births, true}, "jung": {-1, "age alter", Births, true},
	"jüng": {-1, "age alter", Births, true},
	"new":  {-1, "", Since, true}, "neu": {-1, "", Since, true},
	"recent": {1, "", Dated, false}, "recently": {1, "", Dated, false},
	"late": {1, "", Dated, false}, "early": {-1, "", Dated, false}, "früh": {-1, "", Dated, false},
	"spät": {1, "", Dated, false},
	"long": {1, Lasting, "", false}, "lang": {1, Lasting, "", false}, "lange": {1, Lasting, "", false}, "läng": {1, Lasting, "", false},
	"short": {-1, Lasting, "", false}, "kurz": {-1, Lasting, "", false}, "kürz": {-1, Lasting, "", false},
	"heavy": {1, "weight gewicht kg mass", "", false}, "schwer": {1, "weight gewicht kg", "", false},
	"light": {-1, "weight gewicht kg mass", "", false}, "leicht": {-1, "weight gewicht kg", "", false},
	"tall": {1, "height höhe", "", false}, "high": {1, "height höhe", "", false}, "hoch": {1, "height höhe", "", false},
	"höch": {1, "height höhe", "", false}, "höh": {1, "height höhe", "", false},
	"low": {-1, "height höhe", "", false}, "niedrig": {-1, "", "", false}, "nied": {-1, "", "", false},
	"big":   {1, "area size fläche größe capacity amount quantity betrag menge", "", false},
	"large": {1, "area size fläche größe capacity amount quantity betrag menge", "", false},
	"groß":  {1, "area size fläche größe capacity amount quantity betrag menge höhe wuchshöhe", "", false},
	"größ":  {1, "area size fläche größe capacity amount quantity betrag menge höhe wuchshöhe", "", false},
	"great": {1, "amount quantity", "", false},
	"small": {-1, "area size fläche größe capacity amount quantity betrag menge", "", false},
	"klein": {-1, "area size fläche größe capacity amount quantity betrag menge", "", false},
	"thick": {1, Thick, "", false}, "dick": {1, Thick, "", false}, "fat": {1, Thick, "", false}, "fatt": {1, Thick, "", false},
	"fett": {1, Thick, "", false}, "heft": {1, Thick, "", false},
	"wide": {1, "width breite", "", false}, "breit": {1, "width breite", "", false},
	"deep":  {1, "depth tiefe", "", false},
	"tief":  {1, "depth tiefe", "", false},
	"quick": {-1, Lasting, "", false}, "slow": {1, Lasting, "", false},
	"fast": {1, "speed geschwindigkeit kmh", "", false}, "schnell": {1, "speed geschwindigkeit kmh", "", false},
	"strong": {1, "abv alcohol alkohol strength", "", false},
	"stark":  {1, "abv alcohol alkohol stärke", "", false}, "stärk": {1, "abv alcohol alkohol stärke", "", false},
	"close": {-1, Ways, "", false}, "near": {-1, Ways, "", false}, "furth": {1, Ways, "", false}, "farth": {1, Ways, "", false},
	"steep": {1, "climb climbing gradient", "", false},
	"hot":   {1, "temperature temp temperatur", "", false}, "warm": {1, "temperature temp temperatur", "", false},
	"wärm": {1, "temperature temp temperatur", "", false}, "cold": {-1, "temperature temp temperatur", "", false},
	"kalt": {-1, "temperature temp temperatur", "", false}, "kält": {-1, "temperature temp temperatur", "", false},
}

// Extremes are words that say which way alone.
var Extremes = map[string]int{"stärksten": 1, "zuletzt": 1, "zuerst": -1, "most": 1, "highest": 1, "maximum": 1, "max": 1, "top": 1,
	"meisten": 1, "meiste": 1, "höchste": 1, "höchsten": 1,
	"last": 1, "latest": 1, "letzte": 1, "letzten": 1, "largest": 1, "biggest": 1, "größte": 1, "größten": 1,
	"least": -1, "lowest": -1, "fewest": -1, "minimum": -1, "min": -1, "bottom": -1, "wenigsten": -1, "wenigste": -1, "niedrigste": -1,
	"niedrigsten": -1, "first": -1, "erste": -1, "ersten": -1, "smallest": -1, "kleinste": -1, "kleinsten": -1, "geringste": -1,
	"geringsten": -1, "häufigsten": 1, "häufigste": 1, "seltensten": -1, "earliest": -1, "früheste": -1, "frühesten": -1}

// Superlative reports whether a word asks for the most or the least of something.
func Superlative(word string) bool {
	_, ok := QualityOf(word, MostEndings...)
	return ok || Extremes[word] != 0
}

// QualityOf returns the adjective that a word is the most of, or compares with.
func QualityOf(word string, endings ...string) (Quality, bool) {
	for _, ending := range endings {
		base, ok := strings.CutSuffix(word, ending)
		if !ok {
			continue
		}
		for _, try := range []string{base, base + "e", strings.TrimSuffix(base, "i") + "y", base[:max(0, len(base)-1)]} {
			if q, ok := Qualities[try]; ok && len(try) > 1 {
				return q, true
			}
		}
	}
	return Quality{}, false
}

var (
	// MostEndings end what something is most of.
	MostEndings = []string{"te", "ten", "ter", "tes", "est", "ste", "sten", "ster", "stes", "este", "esten", "ester", "estes"}
	// MoreEndings end what something is more of.
	MoreEndings = []string{"er", "r", "ere", "eren"}
)

// Ways are parts of names of columns that say how far something goes.
const Ways = "distance strecke entfernung länge km kilometer mileage"

// Entries are parts of names of days on which somebody came to stay.
const Entries = "joined hired eintritt einzug eingezogen start moved since seit entry beginn"
