package origin_test

import (
	"testing"

	"lectern/shared/chat/model/extractive/origin"
)

func TestQuarters(t *testing.T) {
	for _, tc := range []struct {
		question, text string
		want           bool
	}{
		{"What was the turnover in the third quarter?", "Site: Ulm; Turnover Q4: 310,000", true},
		{"What was the turnover in Q4?", "Site: Ulm; Turnover Q4: 310,000", false},
		{"What was the turnover in Q2?", "Turnover Q1–Q4: 310,000", false},
		{"What was the turnover in Q2?", "Q1: 3; Q2: 4", false},
		{"Wie hoch war der Umsatz im zweiten Quartal?", "Umsatz 3. Quartal: 310", true},
		{"What was the turnover?", "Turnover Q4: 310,000", false},
		{"What was the turnover in Q2?", "A quarter of the members came.", false},
	} {
		if got := origin.QuartersOf(tc.question).Else(tc.text); got != tc.want {
			t.Errorf("%q of %q: %v", tc.question, tc.text, got)
		}
	}
}
