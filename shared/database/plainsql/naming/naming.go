// Package naming puts words of a question as the tables and columns that are meant are called.
package naming

import (
	"regexp"
	"slices"
	"strings"

	"lectern/shared/database"
	"lectern/shared/database/plainsql/lexicon"
)

// Restated returns a question in which "sign-ups" is the signups of a table trip_signups, "hourly wage" a column wage_per_h, and
// "Mitgliedsbeiträge" the Beiträge of a table mitglieder, and which does not say the unit that a column has; empty where nothing is called
// so.
func Restated(question string, s *database.Schema) string {
	var names []string // of tables and columns
	for _, t := range s.Tables {
		names = append(names, t.Name)
		for _, c := range t.Columns {
			names = append(names, c.Name)
		}
	}
	out := hyphened.ReplaceAllStringFunc(question, func(word string) string {
		joined := strings.ReplaceAll(word, "-", "")
		if slices.ContainsFunc(names, func(name string) bool { return lexicon.Among(lexicon.Parts(name), strings.ToLower(joined)) }) {
			return joined
		}
		return word
	})
	out = repeated.ReplaceAllStringFunc(out, func(words string) string {
		m := repeated.FindStringSubmatch(words)
		for _, name := range names {
			first, unit, ok := strings.Cut(name, "_per_")
			unit, _, _ = strings.Cut(unit, "_")
			if ok && slices.Contains(spans[strings.ToLower(m[1])], unit) && lexicon.Among(lexicon.Parts(first), strings.ToLower(m[2])) {
				return strings.ReplaceAll(first, "_", " ") + " per " + unit
			}
		}
		return words
	})
	out = compound.ReplaceAllStringFunc(out, func(word string) string {
		for _, t := range s.Tables {
			if column := second(word, t); column != "" {
				return column
			}
		}
		return word
	})
	out = inUnit.ReplaceAllStringFunc(out, func(words string) string {
		unit := units[strings.ToLower(inUnit.FindStringSubmatch(words)[1])]
		if slices.ContainsFunc(s.Tables, func(t database.Table) bool { return tells(t, unit, question) }) {
			return ""
		}
		return words
	})
	if out == question {
		return ""
	}
	return out
}

// tells reports whether a column of a table tells in a unit what a question asks for: of money any one, where none is in another.
func tells(t database.Table, unit, question string) bool {
	found, other := false, false
	said := strings.Fields(strings.ToLower(question))
	for _, c := range t.Columns {
		parts := lexicon.Parts(c.Name)
		last := parts[max(0, len(parts)-1):]
		switch {
		case !slices.Contains(last, unit):
			other = other || currencies[unit] && len(last) > 0 && currencies[last[0]]
		case currencies[unit]:
			found = true
		default:
			found = found || slices.ContainsFunc(said, func(w string) bool {
				return slices.ContainsFunc(parts[:len(parts)-1], func(p string) bool {
					return lexicon.Same(p, w) || len(p) >= leastVerb && strings.HasPrefix(w, p)
				})
			})
		}
	}
	return found && !other
}

// leastVerb is how many letters a verb has at least of which a name has the stem: wait, of waiting.
const leastVerb = 4

// inUnit matches in which unit an answer is to be.
var inUnit = regexp.MustCompile(`(?i),? in (seconds|minutes|hours|usd|eur|gbp|chf|euros?|dollars|pounds|francs|kilos|kilograms|grams|sekunden|minuten|stunden)\b`)

// units are last parts of names of columns for such words.
var units = map[string]string{"seconds": "s", "sekunden": "s", "minutes": "min", "minuten": "min", "hours": "h", "stunden": "h",
	"usd": "usd", "dollars": "usd", "eur": "eur", "euro": "eur", "euros": "eur", "gbp": "gbp", "pounds": "gbp", "chf": "chf", "francs": "chf",
	"kilos": "kg", "kilograms": "kg", "grams": "g"}

var currencies = lexicon.Set("usd eur gbp chf")

var (
	hyphened = regexp.MustCompile(`\b\pL+-\pL+\b`)
	repeated = regexp.MustCompile(`(?i)\b(hourly|nightly|daily|weekly|monthly|yearly|annual) (\pL+)\b`)
	compound = regexp.MustCompile(`\pL{9,}`)
)

// spans are what columns call that for which something is paid again and again.
var spans = map[string][]string{
	"hourly": {"h", "hour", "hr", "hrs", "std", "stunde"}, "nightly": {"night", "nacht"}, "daily": {"day", "tag"},
	"weekly": {"week", "wk", "woche"}, "monthly": {"month", "mo", "monat"}, "yearly": {"year", "yr", "jahr"}, "annual": {"year", "yr", "jahr"},
}

// second returns the second part of a compound of a table's name and that of one of its columns, as a noun; empty of another word.
func second(word string, t database.Table) string {
	low := strings.ToLower(word)
	for _, part := range lexicon.Parts(t.Name) {
		for n := len(part); n >= leastPart && n >= len(part)-2; n-- { // mitglied of mitglieder
			rest, ok := strings.CutPrefix(low, part[:n])
			if !ok {
				continue
			}
			for _, joint := range []string{"", "s", "n", "en", "er"} {
				column, ok := strings.CutPrefix(rest, joint)
				called := func(c database.Column) bool { return lexicon.Among(lexicon.Parts(c.Name), column) }
				if ok && len(column) >= leastPart && slices.ContainsFunc(t.Columns, called) {
					return lexicon.Capital(column)
				}
			}
		}
	}
	return ""
}

// leastPart is how many letters a part of a compound has at least.
const leastPart = 5
