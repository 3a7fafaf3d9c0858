// Package multiple is about questions that ask what several of something cost: "four nights in the Gull", "3 chairs and 2 tables".
//
// Without the numbers such a question asks for prices, which package plainsql reads; the statement multiplies them.
package multiple

import (
	"regexp"
	"strconv"
	"strings"

	"lectern/shared/database"
	"lectern/shared/database/plainsql/lexicon"
)

// Several is how many there are of each thing that a question names, in its order, and how the price is to be.
type Several struct {
	Numbers []int
	unit    string // of which the price is: "night"; empty where things are counted
}

// In returns a question without the numbers of what it asks the price of; ok is false of another question.
func In(question string) (rest string, of Several, ok bool) {
	if !priced.MatchString(question) || compared.MatchString(question) {
		return "", of, false
	}
	rest = counted.ReplaceAllStringFunc(question, func(found string) string {
		m := counted.FindStringSubmatch(found)
		n, err := strconv.Atoi(m[2])
		if err != nil {
			n = lexicon.NumberOf(strings.ToLower(m[2]))
		}
		if n < 2 || n > most {
			return found
		}
		of.Numbers = append(of.Numbers, n)
		if unit := units[lexicon.Stem(strings.ToLower(m[3]))]; unit != "" {
			of.unit = unit
			return " "
		}
		return m[1] + m[3]
	})
	if of.unit != "" && len(of.Numbers) > 1 {
		return "", of, false // so many people for so many nights
	}
	if come.MatchString(rest) {
		rest = "what do " + come.ReplaceAllString(leading.ReplaceAllString(rest, ""), "") + " cost?"
	}
	return rest, of, len(of.Numbers) > 0
}

// most is how many of a thing a question asks the price of at most; more is a year or a code.
const most = 1000

// Of returns the statement for several of what a statement reads the prices of; ok is false where it reads anything else.
func (s Several) Of(sql string, d database.Dialect) (out string, ok bool) {
	m := prices.FindStringSubmatch(sql)
	if m == nil {
		return "", false
	}
	column, from, by, values := m[1]+m[2], m[3], m[4], strings.Split(m[5]+m[6], "', '")
	words := lexicon.Parts(strings.Trim(column, `"`))
	per, priced := "", false
	for _, w := range words {
		per += units[w]
		priced = priced || naming[w] || strings.HasSuffix(w, "preis")
		if !naming[w] && !strings.HasSuffix(w, "preis") && !apiece[w] && units[w] == "" {
			return "", false // for a kilo, or for all
		}
	}
	if per != s.unit || !priced || len(values) != len(s.Numbers) {
		return "", false
	}
	price := column + " * " + strconv.Itoa(s.Numbers[0])
	if len(values) > 1 {
		price = column + " * CASE " + by
		for i, v := range values {
			price += " WHEN '" + v + "' THEN " + strconv.Itoa(s.Numbers[i])
		}
		price += " END"
	}
	condition := by + " = '" + values[0] + "'"
	if len(values) > 1 {
		condition = by + " IN ('" + strings.Join(values, "', '") + "')"
	}
	return "SELECT SUM(" + price + ") AS " + d.Quote("total") + " FROM " + from + " WHERE " + condition +
		" HAVING COUNT(*) = " + strconv.Itoa(len(values)), true
}

var (
	priced = regexp.MustCompile(`(?i)\b(?:costs?|how much|pay|prices?|charged?|comes? to|kosten|kostet|zahlen|zahle|bezahlen|preis)\b`)
	// compared matches a question with a bound, or about one of a kind.
	compared = regexp.MustCompile(`(?i)\b(?:than|over|under|above|below|least|most|top|between|within|average|als|über|unter|mindestens|` +
		`höchstens|zwischen|durchschnitt\pL*)\b|\d[.,]\d`)
	counted = regexp.MustCompile(`(?i)(^|(?:for|in|do|does|would|will|are|is|and|to|a|get|buy|kosten|und|für|von|ich|wir|,)\s+)` +
		`(\d{1,4}|two|three|four|five|six|seven|eight|nine|ten|zwei|drei|vier|fünf|sechs|sieben|acht|neun|zehn)` +
		`\s*(?:x\s+|times\s+|× ?)?(?:of\s+)?(\pL[\pL-]*)`)
	come    = regexp.MustCompile(`(?i),?\s*\b(?:what (?:does|do|would) (?:that|it|they) )?comes? to\b[\s?.]*`)
	leading = regexp.MustCompile(`(?i)^\s*(?:(?:what|how much) (?:does|do|would|will)\b|(?:in|at|for)\b)?\s*`)
	// prices matches a statement that reads prices of some rows that are called by name.
	prices = regexp.MustCompile(`^SELECT (?:DISTINCT ("[^"]+")|SUM\(("[^"]+")\) AS "[^"]+") FROM ("[^"]+") WHERE ("[^"]+") ` +
		`(?:= '([^']+)'|IN \('((?:[^']|', ')+)'\))(?: LIMIT 100)?$`)
)

// naming are words of the names of columns that say what one of something costs.
var naming = lexicon.Set("price cost fee rate rent charge tariff gbp eur usd preis kosten gebühr miete tarif einzelpreis stückpreis")

// apiece are other words of such names.
var apiece = lexicon.Set("per each unit item piece je pro stück ticket entry net gross brutto netto")

// units are words for what a price may be for, each with one name.
var units = map[string]string{"night": "night", "nacht": "night", "nächte": "night", "nächten": "night", "day": "day", "tag": "day",
	"tage": "day", "tagen": "day", "week": "week", "woche": "week", "wochen": "week", "month": "month", "monat": "month", "monate": "month",
	"monaten": "month", "hour": "hour", "stunde": "hour", "stunden": "hour", "hr": "hour", "year": "year", "jahr": "year", "jahre": "year",
	"person": "person", "people": "person", "personen": "person", "guest": "person", "head": "person", "pp": "person",
	"nightly": "night", "daily": "day", "weekly": "week", "monthly": "month", "hourly": "hour", "yearly": "year", "annual": "year"}
