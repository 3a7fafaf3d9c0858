package sheet

import (
	"strings"

	"lectern/shared/chat/model/extractive/lazy"
)

// Words that ask for an extreme of a column; the first ones of time mean the least of days
// and years.
var (
	Most = lazy.New(`(?i)\b(?:highest|largest|biggest|greatest|most|maximum|longest|slowest|heaviest|tallest|widest|deepest|hottest|warmest|latest|newest|oldest|top|dearest|costliest|priciest|` +
		`höchste[nrs]?|größte[nrs]?|meisten?|längste[nrs]?|langsamste[nrs]?|schwerste[nrs]?|teuerste[nrs]?)\b`)
	Least = lazy.New(`(?i)\b(?:lowest|smallest|least|fewest|cheapest|minimum|shortest|quickest|fastest|lightest|coldest|coolest|earliest|` +
		`niedrigste[nrs]?|kleinste[nrs]?|wenigsten?|billigste[nrs]?|günstigste[nrs]?|kürzeste[nrs]?|schnellste[nrs]?|leichteste[nrs]?)\b`)
	Latest = lazy.New(`(?i)\b(?:latest|newest|oldest|earliest|most recent(?:ly)?|älteste[nrs]?|neueste[nrs]?)\b|\b(?:first|last)\s*\??\s*$`)
	First  = lazy.New(`(?i)\b(?:oldest|earliest|first|älteste[nrs]?)\b`)
	Totals = lazy.New(`(?i)^\W*(?:(?:grand |sub-?)?totals?|sum|all|average|mean|gesamt(?:summe)?|summe|durchschnitt)(?: \d{4})?\W*(?:$|:)|\b(?:sub)?total\W*$`)
)

// Extreme returns the words of a question that ask for an extreme, folded; empty without
// one, or with two.
func Extreme(question string) string {
	most, least := Most.Get().FindString(question), Least.Get().FindString(question)
	switch {
	case most != "" && least != "":
		return ""
	case most == "" && least == "":
		return strings.ToLower(strings.TrimRight(Latest.Get().FindString(question), " ?"))
	}
	return strings.ToLower(most + least)
}
