package naming_test

import (
	"testing"

	"lectern/shared/database"
	"lectern/shared/database/plainsql/naming"
)

func TestRestated(t *testing.T) {
	s := &database.Schema{Tables: []database.Table{
		{Name: "trip_signups", Columns: []database.Column{{Name: "member"}, {Name: "price_per_night_eur"}, {Name: "wage_per_h"}}},
		{Name: "calls", Columns: []database.Column{{Name: "wait_s"}, {Name: "handle_time_min"}}},
		{Name: "mitglieder", Columns: []database.Column{{Name: "beitrag_eur"}}},
	}}
	for question, want := range map[string]string{
		"How many sign-ups are there?":        "How many signups are there?",
		"How many check-ins are there?":       "",
		"What is the average hourly wage?":    "What is the average wage per h?",
		"What is the average monthly wage?":   "",
		"What is the hourly price?":           "",
		"What is the highest nightly price?":  "What is the highest price per night?",
		"Summe der Mitgliedsbeiträge":         "Summe der Beiträge",
		"Wie viele Mitgliedschaften gibt es?": "",
		"Who are the members?":                "",
		"average wait in seconds by member":   "average wait by member",
		"average waiting time in seconds":     "average waiting time",
		"average handling in seconds":         "",
		"average wait in minutes":             "",
		"what did they pay, in EUR?":          "what did they pay?",
		"what did they pay in USD?":           "",
		"":                                    "",
	} {
		if got := naming.Restated(question, s); got != want {
			t.Errorf("%q: %q, want %q", question, got, want)
		}
	}
}
