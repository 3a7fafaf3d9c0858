package wording_test

import (
	"strings"
	"testing"

	"lectern/shared/database"
	"lectern/shared/database/plainsql/wording"
)

func TestTokens(t *testing.T) {
	schema := &database.Schema{Tables: []database.Table{{Name: "visits", Columns: []database.Column{
		{Name: "status", Type: "TEXT", Values: []string{"attended", "No-show"}}, {Name: "test_1", Type: "INTEGER"}, {Name: "umsatz", Type: "REAL"},
		{Name: "gehalt", Type: "REAL"},
	}}}}
	for question, want := range map[string]string{
		"Ada's books, please":                             "ada|books|,|please",
		`Is "New York" over 1,000.50 €?`:                  "is|new york|over|1000.50|€|?",
		"Wie viele über 1.500 am 3.4.2026?":               "wie|viele|über|1500|am|2026-04-03|?",
		"How many did not show up?":                       "how|many|did|no|-|show|?",
		"Which event took place on a day of the week?":    "which|event|happened|on|a|weekday|?",
		"Who was best in the first test?":                 "who|was|best|in|the|1|test|?",
		"Was wurde umgesetzt?":                            "was|wurde|umsatz|?",
		"Durchschnittsgehalt":                             "durchschnittliches|gehalt",
		"Who sold the most, and how much was it?":         "who|sold|the|most|,",
		"Who brought back the books that were given back": "who|returned|the|books|that|were|returned",
	} {
		var got []string
		for _, token := range wording.Tokens(question, schema) {
			if token.Kind == wording.Word {
				got = append(got, token.Low)
			} else {
				got = append(got, strings.ToLower(token.Text))
			}
		}
		if all := strings.Join(got, "|"); all != want {
			t.Errorf("Tokens(%q) = %s, want %s", question, all, want)
		}
	}
}

func TestValueAt(t *testing.T) {
	column := &database.Column{Name: "city", Type: "TEXT", Values: []string{"New York", "York", "Ada", "ada", "Grey dog"}}
	for question, want := range map[string]string{"new york": "New York", "york city": "York", "ada": "", "grey dogs": "Grey dog", "new": ""} {
		if got, _ := wording.ValueAt(wording.Split(question), 0, column); got != want {
			t.Errorf("ValueAt(%q) = %q, want %q", question, got, want)
		}
	}
}
