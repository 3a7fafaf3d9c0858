// Package price tells what is said of prices.
package price

import "lectern/shared/chat/model/extractive/lazy"

var (
	// Free matches what says that something costs nothing.
	Free = lazy.New(`(?i)\b(?:free|gratis|kostenlos|kostenfrei|umsonst|unentgeltlich|complimentary|nothing|included|no (?:extra )?(?:charge|cost|fee))\b`)

	// Paying matches what is said of what is paid for, and of what it is paid for by.
	Paying = lazy.New(`(?i)\b(?:costs?|prices?|fees?|charged?|charges|pay|pays|paid|rates?|rents?|salar(?:y|ies)|wages?|premiums?|surcharges?|subscriptions?|worth|crowns?|euros?|dollars?|pounds?|francs?|cents?|an? (?:night|hour|day|week|month|year)|per|per ?cent|each|` +
		`kostet|kosten|euro|preise?|gebühr|zahlt|zahlen|je|pro)\b`)

	// Words matches what is said of prices in words.
	Words = lazy.New(`(?i)\b(?:costs?|prices?|fees?|charges|pay|pays|paid|crowns?|euros?|dollars?|pounds?|francs?|cents?|kostet|kosten|preise?|gebühr|zahlt|zahlen)\b`)

	// List matches the titles of what lists prices.
	List = lazy.New(`(?i)price|fare|tariff|fees?(?:[^a-z]|$)|rates?(?:$|[^a-z -]|[ -](?:[^l]|l[^i]|$))|charges|toll|preis|tarif|precio|prix|£|€|\$|\b(?:pounds|euros?|dollars|EUR|GBP|USD|CHF)\b`)
)

// What names columns whose numbers may be money, and the name of one of tasks, which does not; and amounts that are none of money.
var (
	columns = lazy.New(`(?i)price|cost|fee|rate|salary|wage|\bpay|amount|total|sum\b|charge|each|net\b|gross|value|budget|revenue|spent|balance|due|rent|deposit|` +
		`day|week|month|year|hour|night|preis|betrag|kosten|gehalt|lohn|miete|summe|prix|montant|tarif|precio|importe`)
	inCharge = lazy.New(`(?i)\bin charge\b`)
	others   = lazy.New(`(?i)\b\d[\d.,]*[ -]?(?:seconds?|min(?:ute)?s?|hours?|hrs?|days?|nights?|weeks?|months?|years?|km|[mck]?m²?|met(?:er|re)s?|miles?|feet|k?g|grams?|kilos?|` +
		`l|lit(?:er|re)s?|square \pL+|quadratmetern?|sqm|hektar|hectares?|acres?|°C?|persons?|people|sekunden?|minuten?|stunden?|tagen?|tage|wochen?|monaten?|monate|jahren?|jahre|personen)\b`)
)

// Columns reports whether the names of columns have one whose numbers may be money.
func Columns(names string) bool {
	return columns.In(counted.Get().ReplaceAllString(inCharge.Get().ReplaceAllString(names, ""), "$1"))
}

// counted matches what names a column of things that are counted in a time, as "labels per day", by these.
var counted = lazy.New(`(?i)\b(\pL+s) (?:per|an?|each|pro) (?:second|minute|hour|day|night|week|month|year|stunde|tag|nacht|woche|monat|jahr)\b`)

// WithoutOthers returns a text without the amounts of time, way and weight.
func WithoutOthers(text string) string { return others.Get().ReplaceAllString(text, "") }
