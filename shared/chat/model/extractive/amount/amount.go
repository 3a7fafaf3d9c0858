// Package amount knows which questions ask for an amount, in what unit, and what of a sentence may tell it.
package amount

import (
	"regexp"
	"slices"
	"strings"
	"sync"

	"lectern/shared/chat/model/extractive/lazy"
)

// ForeignWords are number words of German, French and Spanish, without those that mean
// something else as well.
const ForeignWords = `zwei drei vier fünf sechs sieben acht neun zehn elf zwölf fünfzehn zwanzig dreißig vierzig fünfzig sechzig hundert tausend
	deux trois quatre cinq sept huit dix onze douze quinze vingt trente quarante cinquante soixante cent mille
	dos tres cuatro cinco seis siete ocho nueve diez doce veinte treinta cuarenta cincuenta cien mil`

// Often matches what asks how often something is done, often what may tell it.
var (
	Often = lazy.New(`(?i)\bhow (?:often|frequently|regularly)\b|\bwie oft\b`)
	often = lazy.New(`(?i)\b(?:every|each|daily|hourly|nightly|weekly|fortnightly|monthly|quarterly|yearly|annual(?:ly)?|once (?:an?|per|each|every|in|daily)|twice|thrice|never|regular(?:ly)?|` +
		`rarely|seldom|occasionally|whenever|frequently|often|per|times|(?:a|an|one|two|three|four|first|last|second|third|other) (?:second|minute|hour|day|week|month|quarter|year|time)s?|` +
		`jede[nrs]?|täglich\pL*|wöchentlich\pL*|monatlich\pL*|jährlich\pL*|\pL+jährlich\pL*|einmal|zweimal|dreimal|\pL+mal|mal|regelmäßig\pL*|nie|selten|häufig|pro|alle)\b|` +
		`\bat (?:the )?(?:start|end|beginning) of|\b(?:mon|tues|wednes|thurs|fri|satur|sun)days\b|\d ?[x×]`)
)

// perDay matches what asks how much there is of something in a day, daily what may tell it.
var (
	perDay = lazy.New(`(?i)\bhow (?:many|much) (?:[\w-]+ ){1,3}?(?:per|an?|each|every) day\b|\bwie viele? \pL+ (?:pro|am) tag\b`)
	daily  = lazy.New(`(?i)\b(?:days?|daily|/d|weekdays?|tage?|täglich\pL*|24 ?h(?:ours)?)\b`)
)

// rateForm matches what asks how much there is of something in a time, rates what may tell it.
var (
	rateForm = lazy.New(`(?i)\bhow (?:many|much) (?:[\w-]+ ){1,3}?(?:per|an?|each|every) (?:second|minute|hour)\b`)
	rates    = lazy.New(`(?i)\b(?:per|an?|each|every) (?:second|minute|hour|sec\b|min\b)|/ ?(?:s|sec|min|h|hr|hour)\b|\b(?:hourly|k?m/h|mph|kph|rpm|bpm|fps|[kmg]?bps|[kmg]?hz|knots?)\b`)
)

// spanForm matches what asks for a number of units of time; spans are these, the shortest first. Weight and heatForm
// match what asks for a weight and a temperature.
var (
	Weight      = lazy.New(`(?i)\bhow heavy\b|\b(?:what|how much) (?:do|does|did)\b[^?]*\bweigh\b|\bwhat (?:is|was|are) (?:the|its|their) (?:[\w-]+ ){0,2}weight\b|\bwie schwer\b|\bwie viel wiegt\b`)
	weightUnits = lazy.New(`(?i)\d\s?(?:[mk]?g\b|grams?|kilo|tons?\b|tonnes?|lbs?\b|-pound\b|oz\b|ounces?|gramm|tonnen?)|(?:\bweigh|gewicht|wiegt)[^.!?]{0,60}\d`)
	heatForm    = lazy.New(`(?i)\b(?:how|wie) (?:hot|cold|heiß|kalt|warm)(?:\s|\?|$)|\b(?:what|which|welche) temperatur`)
	loudForm    = lazy.New(`(?i)\bhow loud\b|\bwie laut\b`)
	decibels    = lazy.New(`(?i)\bdb\b|\bdb\(|\bdecibels?\b|\bdezibel\b`)
	degrees     = lazy.New(`(?i)\d\s?(?:°|º|[CF]\b|K\b|grad|degrees)|\bzero\b`)
	spanForm    = lazy.New(`(?i)\bhow many (?:\w+ )?(second|minute|hour|day|night|week|month|year)s\b|\bwie ?viele \pL*(sekunde|minute|stunde|tage|nächte|woche|monat|jahre)`)
	spans       = []string{`sec(?:onds?|s)?\b|sek`, `min(?:s?\b|ut)`, `hours?\b|hrs?\b|h\b|stunde|heure|hora`, `day|night|tage?|nacht|nächte|jour|día|dia`,
		`week|fortnight|woche|semaine|semana`, `month|quarter|monat|mois|mes(?:es)?\b`, `year|annual|decade|centur|jahr|ans?\b|año`}
)

// Share matches what asks for a share of a hundred, shares what may tell one.
var (
	Share = lazy.New(`(?i)\bwhat(?:['’]s| is| was| are)? (?:the |an? )?(?:annual |yearly |fixed |current )?(?:interest(?: rate)?|rate of interest|percentage)\b|\b(?:at )?(?:what|which) (?:rate of interest|interest rate|percentage|per ?cent)\b|` +
		`\bhow many per ?cent\b|\bhow high (?:is|are|was) (?:the )?interest\b|\bzinssatz\b|\bwie ?viel prozent\b|\bwie hoch (?:ist|sind|war|waren) (?:der|die) zins\pL*`)
	shares = lazy.New(`(?i)\d\s?(?:%|per ?cent\b|percent\b|prozent\b|basis points?\b)|\bper ?cent\b|\bpercent(?:age)?\b|\bprozent\b|%|\b(?:half|third|thirds|quarter|quarters|fifth|tenth|hälfte|drittel|viertel)\b|` +
		`\b(?:interest[- ]free|without interest|no interest|zinslos)\b`)
)

// Measured reports whether a question asks for a weight, a speed, or a share of a hundred.
func Measured(text string) bool { return Weight.In(text) || Speed.In(text) || Share.In(text) }

// Unit returns the pattern of what may tell the span of time that is asked for, a number of
// that unit or of the next shorter or longer one; nil where none is asked for.
func Unit(text string) *regexp.Regexp {
	m := spanForm.Get().FindStringSubmatch(text)
	switch {
	case m == nil && Weight.In(text):
		return weightUnits.Get()
	case m == nil && Speed.In(text):
		if movesForm.In(text) {
			return speeds()
		}
		return numberOf(strings.Join(spans, "|") + "|" + speedUnits)
	case Often.In(text):
		return often.Get()
	case perDay.In(text):
		return daily.Get()
	case rateForm.In(text):
		return rates.Get()
	case m == nil && heatForm.In(text):
		return degrees.Get()
	case m == nil && Share.In(text):
		return shares.Get()
	case m == nil && loudForm.In(text):
		return decibels.Get()
	case m == nil && unitForm.In(text):
		return unitsOf(unitForm.Get().FindStringSubmatch(text)[1])
	case m == nil && (sizeForm.In(text) || Length.In(text)):
		return sizeUnits()
	case m == nil:
		return nil
	}
	unit := strings.ToLower((m[1] + m[2])[:3])
	at := slices.IndexFunc(spans, func(s string) bool { return strings.Contains("|"+s, "|"+unit) })
	units := strings.Join(spans[max(0, at-1):min(at+2, len(spans))], "|")
	if m[2] != "" {
		units += `|\pL+` + strings.ToLower(m[2]) // "sechs Arbeitsstunden"
	}
	return numberOf(units)
}

// unitForm matches what asks for so many of a unit.
var unitForm = lazy.New(`(?i)\b(?:how many|wie ?viele) (hectares?|acres?|square (?:metres|meters|feet|miles)|hektar|quadratmeter|kilos?|kilograms?|kilogramm|tonnes?|tons?|tonnen|grams?|gramm|` +
	`lit(?:re|er)s?|gallons?|pints?|volts?|watts?|kilowatts?)\b`)

// unitsOf is the pattern of an amount in a unit of the kind of one.
func unitsOf(unit string) *regexp.Regexp {
	for _, kind := range kinds {
		if kind.of.In(unit) {
			return numberOf(kind.units)
		}
	}
	return nil
}

var kinds = []struct {
	of    *lazy.Pattern
	units string
}{
	{lazy.New(`(?i)^(?:hect|acre|square|hekt|quadrat)`), `ha\b|hect|acre|hekt|k?m²|m2\b|sqm|square|quadrat|qm\b`},
	{lazy.New(`(?i)^(?:kilo(?:s|gram)?|ton|gram)`), `[mk]?g\b|gram|kilo|ton|pounds?\b|lbs?\b|stone|ounce|t\b`},
	{lazy.New(`(?i)^(?:lit|gall|pint)`), `[mcdh]?l\b|lit(?:re|er)|gallon|pint|m³|cubic|kubik`},
	{lazy.New(`(?i)^(?:volt)`), `k?v\b|volt`},
	{lazy.New(`(?i)^(?:kilo)?watt`), `k?wh?\b|k?va\b|watt`},
}

// sizeForm matches what asks for a length; sizeUnits is the pattern of what may tell one, a way's also by the time it takes.
var (
	sizeForm = lazy.New(`(?i)\bhow (?:deep|wide|tall|thick|far)\b|\bhow many (?:\w+ )?(?:(?:milli|centi|kilo)?met(?:er|re)s|feet|inches|miles|yards)\b|` +
		`\bwie (?:tief|breit|dick)(?:\s|\?|$)|\bwie ?viele (?:kilo|zenti|milli)?meter\b`)
	sizeUnits = sync.OnceValue(func() *regexp.Regexp {
		return numberOf(strings.Join(spans, "|") + `|[mck]?m[²2]?\b|(?:milli|centi|zenti|kilo)?met(?:er|re)|feet|foot|ft\b|inch|["″′”]|miles?|yards?|hands?\b|` +
			`x\b|×|depth|length|width|height|distance|thickness|range|tiefe|breite|höhe|länge|dicke|strecke`)
	})
)

// Speed matches what asks how fast something is, movesForm of these what asks for a speed rather than for a span of time.
var (
	Speed     = lazy.New(`(?i)\bhow fast\b|\bwie schnell\b|\btop speed\b`)
	movesForm = lazy.New(`(?i)\b(?:fly|flies|run|runs|drive|drives|go|goes|travel|travels|swim|swims|ride|ride|sail|sails|spin|spins|blow|blows|fährt|fliegt|läuft|schwimmt|speed)\b`)
	speeds    = sync.OnceValue(func() *regexp.Regexp { return numberOf(speedUnits) })
)

const speedUnits = `k(?:m/h|ph)|mph|m/s|knots?\b|rpm|(?:\w+ )?(?:an|per|a|in der|pro|je) (?:hour|second|minute|stunde|sekunde)|times\b|mach\b`

// Span returns the pattern of what may tell a span of time.
var Span = sync.OnceValue(func() *regexp.Regexp { return numberOf(strings.Join(spans, "|")) })

// numberOf returns the pattern of a number of one of some units.
func numberOf(units string) *regexp.Regexp {
	return regexp.MustCompile(`(?i)(?:\d|\bhalf|\bseveral|\bfew|\b\w+ty|\b\w+teen|\b\w*(?:one|two|three|four|five|six|seven|eight|nine|ten|eleven|twelve|hundred)|\b(?:` +
		strings.Join(strings.Fields(ForeignWords), "|") + `))[\s)-]*(?:\w+[\s-]+)?(?:` + units + `)|fortnight|decade|\d:\d\d`)
}

// thingsForm matches what asks how many there are of something, by what is counted; aMeasure the units in which something is
// measured instead, measured amounts of these, and of money and shares.
var (
	thingsForm = lazy.New(`(?i)\b(?:how many|wie ?viele)\s+(?:(?:of|von)\s+)?(?:(?:the|our|your|different|other|new|more|der|die|den)\s+)*([\pL-]+)`)
	aMeasure   = lazy.New(`(?i)^(?:square|cubic|km|[cm]m|kg|kwh?|mph|(?:centi|milli)met(?:re|er)s?|hectares?|hektar|acres?|milligrams?|(?:milli)?lit(?:re|er)s?|kilowatts?|hertz|decibels?|megabytes?|gigabytes?|seconds?|minutes?|hours?|days?|nights?|weeks?|months?|years?|quarters?|decades?|times|metres?|meters?|kilomet(?:re|er)s?|miles?|feet|foot|inch(?:es)?|yards?|` +
		`kilos?|kilograms?|grams?|tons?|tonnes?|pounds?|lit(?:re|er)s?|gallons?|pints?|euros?|dollars?|francs?|cents?|per|percent|degrees?|watts?|volts?|points?|bytes?|pages?|hol+idays?|vacations?|leave|overtime|shifts?|urlaub\pL*|ferientage|feiertage|überstunden|` +
		`stunden?|minuten?|sekunden?|tagen?|wochen?|monaten?|jahren?|nächten?|quadratmeter|meter|kilometer|kilogramm|gramm|tonnen?|prozent|grad|seiten?|punkten?)$`)
	spent = lazy.New(`(?i)[€£$]\s?\d[\d.,]*|\b\d[\d.,]*[ -]?(?:€|£|\$|euros?\b|pounds?\b|dollars?\b|francs?\b|(?:eur|gbp|usd|chf)\b|(?:seconds?|min(?:ute)?s?|hours?|days?|nights?|weeks?|months?|years?|` +
		`stunden?|tagen?|tage|wochen?|monaten?|monate|jahren?|jahre)\b)|\b(?:between|from|zwischen|von)\s+(?:1\d|20)\d\d\s+(?:and|to|until|und|bis)\s+(?:1\d|20)\d\d\b|\b(?:around|in|since|until|before|after|im|seit|bis)\s+(?:1\d|20)\d\d\b`)
	measured = lazy.New(`(?i)[€£$]\s?\d[\d.,]*|\b\d[\d.,]*[ -]?(?:€|£|\$|%|per ?cent\b|euros?\b|pounds?\b|dollars?\b|francs?\b|crowns?\b|cents?\b|(?:eur|gbp|usd|chf)\b|prozent\b|` +
		`(?:seconds?|min(?:ute)?s?|hours?|hrs?|days?|nights?|weeks?|months?|years?|km|[mck]?m²?|mm|met(?:er|re)s?|miles?|feet|[km]?g|grams?|kilos?|[mc]?l|lit(?:er|re)s?|k?W|kWh|V|bar|dB|[GMk]B|square \pL+|` +
		`sekunden?|minuten?|stunden?|tagen?|tage|wochen?|monaten?|monate|jahren?|jahre|quadratmetern?|qm|hektar|(?:zenti|kilo)?metern?|gramm|am|pm|a\.m|p\.m|uhr)\b|°)|\b\d{1,2}[:.]\d\d\b|\b(?:between|from|zwischen|von)\s+(?:1\d|20)\d\d\s+(?:and|to|until|und|bis)\s+(?:1\d|20)\d\d\b|\b(?:around|in|since|until|before|after|im|seit|bis)\s+(?:1\d|20)\d\d\b`)
)

// dimensions are what a length may be of: by how it is asked for, and how one is told.
var dimensions = []struct{ asked, told *lazy.Pattern }{
	{lazy.New(`(?i)\bhow (?:tall|high)\b|\bwie hoch\b`), lazy.New(`(?i)\b(?:height|altitude) of (?:about |around |some )?\d[\d.,]*|\d[\d.,]*\s?\pL+[ -](?:high|tall|hoch|höhe)\b`)},
	{lazy.New(`(?i)\bhow long\b|\bwie lang\b`), lazy.New(`(?i)\blength of (?:about |around |some )?\d[\d.,]*|\d[\d.,]*\s?\pL+[ -](?:long|lang)\b`)},
	{lazy.New(`(?i)\bhow (?:wide|broad)\b|\bwie breit\b`), lazy.New(`(?i)\b(?:width|breadth) of (?:about |around |some )?\d[\d.,]*|\d[\d.,]*\s?\pL+[ -](?:wide|broad|breit)\b`)},
	{lazy.New(`(?i)\bhow deep\b|\bwie tief\b`), lazy.New(`(?i)\bdepth of (?:about |around |some )?\d[\d.,]*|\d[\d.,]*\s?\pL+[ -](?:deep|tief|tiefe)\b`)},
}

// WithoutOthers returns a sentence without the lengths that it tells of other dimensions than the one asked for: a height is no
// length.
func WithoutOthers(question, text string) string {
	asked := slices.IndexFunc(dimensions, func(d struct{ asked, told *lazy.Pattern }) bool { return d.asked.In(question) })
	for i, d := range dimensions {
		if asked >= 0 && i != asked {
			text = d.told.Get().ReplaceAllString(text, "")
		}
	}
	return text
}

// sizedForm matches what asks how big something is, which neither money nor a span of time tells.
var (
	sizedForm = lazy.New(`(?i)\bhow (?:big|large) (?:is|are|was|were)\b|\bwie groß (?:ist|sind|war|waren)\b`)
	ofMoney   = lazy.New(`(?i)\b(?:budget|fund|sum|debt|turnover|grant|price|bill|profit|loss|deficit|income|fortune|donation|loan|market|economy|share|etat|summe|gewinn|verlust)s?\b`)
)

// CountsThings reports whether a question asks how many there are of what is no unit of measure, or how big something is.
func CountsThings(text string) bool {
	m := thingsForm.Get().FindStringSubmatch(text)
	return m != nil && !aMeasure.In(m[1]) || sizedForm.In(text) && !ofMoney.In(text)
}

// Length matches what asks how long something is.
var Length = lazy.New(`(?i)^\W*(?:and |but )?how long (?:is|are|was|were) (?:the|an?|this|that|these|our|your|its|their)\b|^\W*wie lang (?:ist|sind|war|waren) (?:der|die|das|ein|eine)\b`)

// Counted returns a sentence without the amounts in it that are none of what a question counts: of metres, weeks or euros, or,
// where it asks how big something is, of money and time alone.
func Counted(question, text string) string {
	if sizedForm.In(question) {
		return spent.Get().ReplaceAllString(text, "")
	}
	return measured.Get().ReplaceAllString(firstOf.Get().ReplaceAllString(text, "$1"), "")
}

// firstOf matches the first of two numbers that have a unit together, and the second one: "5 and 15 minutes".
var firstOf = lazy.New(`(?i)\b\d[\d.,]* ?(?:and|to|or|–|-|und|bis|oder) ?(\d[\d.,]* ?(?:seconds?|min(?:ute)?s?|hours?|days?|weeks?|months?|years?|met(?:er|re)s?|sekunden|minuten|stunden|tagen?|wochen|` +
	`monaten?|jahren?|kg|km|cm|mm|%|per ?cent|prozent|euros?|pounds?))\b`)

// IsUnit reports whether a word is a unit in which something is measured.
func IsUnit(word string) bool { return aMeasure.In(word) }

// bare matches a number that is no part of a name, such as sqlite3_open or E-417.
var bare = lazy.New(`(?:^|[^\pL\d_.-]|[^\pL\d_]-|[€£$])\d`)

// None matches numbers that are no amounts: of addresses of pages and a list's lines, days of months, years that something is
// in, pages of a manual such as pty(4), 3D.
var None = lazy.New(`(?i)\b(?:https?://|mailto:)\S+|(?m:^\s*\d{1,2}(?:\.\d{1,2})*\s{2,}\pL)|\b\pL+(?:straße|str\.|gasse|weg|platz|allee) \d+[a-z]?\b|\b\d+[a-z]? (?-i:(?:\p{Lu}[\pL'’]+ ){1,3})(?:street|road|lane|avenue|row|square|hill|quay|wynd|rise)\b|\b(?:halls?|rooms?|flats?|apartments?|suites?|sections?|chapters?|pages?|figures?|tables?|years?|grades?|trams?|bus|buses|lines?|routes?|gates?|platforms?|buildings?|` +
	`blocks?|phases?|volumes?|versions?|v\.|no\.|nr\.|numbers?|halle|raum|zimmer|wohnung|kapitel|seite|klasse|linie|gleis|haus|nummer) \d+[a-z]?\b(?: (?:and|to|und|bis|or) \d+\b)?|\b(?:since|in|until|before|after|of) (?:19|20)\d\d\b|\b[a-z]\w*\(\d[a-z]?\)|\b[23]-?d\b|(?-i:\b\d{1,2}[A-Z]\b)|\b\d{1,2}(?:st|nd|rd|th|\.)? (?:of )?(?:` + Months + `)\b(?: \d{4}\b)?|\b(?:` + Months + `) \d{1,2}(?:, \d{4})?\b|` +
	`\b\d{4}-\d{2}-\d{2}\b|\b(?:phone|tel|telephone|telefon|mobile|fax|call|ring)\b[.:]? ?[+(]?\d[\d ()/-]{4,}|\b\d{3}-\d{4}\b|(?:\+\d|\b0\d)[\d ()/-]{5,}\d`)

// Months are the names of months, as a regular expression has them.
const Months = `january|february|march|april|may|june|july|august|september|october|november|december|januar|februar|märz|mai|juni|juli|oktober|dezember`

// Has reports whether a text has an amount.
func Has(text string) bool {
	// What is no amount takes long to leave out, and most sentences have no number at all.
	return bare.In(text) && bare.In(None.Get().ReplaceAllString(text, ""))
}
