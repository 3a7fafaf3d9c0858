package amount_test

import (
	"testing"

	"lectern/shared/chat/model/extractive/amount"
)

// TestUnit: what is asked for in units is told in these.
func TestUnit(t *testing.T) {
	for _, tc := range []struct {
		question, text string
		want           bool
	}{
		{"How much does the mill weigh?", "The mill weighs 300 pounds.", true},
		{"How much does the mill weigh?", "Its empty weight: 145", true},
		{"What is the weight of the mill?", "145 kg; 3 bar", true},
		{"How much does the mill weigh?", "The mill was offered for 81,900 pounds.", false},
		{"What interest rate does the bank charge?", "The loan costs 4.5 per cent a year.", true},
		{"What interest rate does the bank charge?", "The loan of 400,000 is paid back over eight years.", false},
		{"What percentage of the price is paid at once?", "A third is paid at once.", true},
		{"Wie hoch ist der Zinssatz?", "Verlangt werden 3 % im Jahr.", true},
	} {
		unit := amount.Unit(tc.question)
		if unit == nil || !amount.Measured(tc.question) {
			t.Errorf("%q has no unit", tc.question)
			continue
		}
		if got := unit.MatchString(tc.text); got != tc.want {
			t.Errorf("%q of %q: %v", tc.question, tc.text, got)
		}
	}
}
