package amount_test

import (
	"testing"

	"lectern/shared/chat/model/extractive/amount"
)

func TestRanges(t *testing.T) {
	for _, x := range []struct {
		text, number string
		has          bool
	}{
		{"| 100 to 199 | £2.40 |", "150", true}, {"| 100 to 199 | £2.40 |", "250", false}, {"| £1,000 – £2,000 | 4 |", "1500", true},
		{"| up to 20 | 3 |", "12", true}, {"| up to 20 | 3 |", "21", false}, {"| ab 50 | 3 |", "60", true}, {"| 500 or more | 1 |", "1,200", true},
		{"| under twelve |", "4", false}, {"| 1 to 9 |", "many", false}, {"| 1 to 9 |", "-3", false},
	} {
		if got := amount.Ranged(x.text).Has(x.number); got > 0 != x.has || got > 1 {
			t.Errorf("%q of %s: %v", x.number, x.text, got)
		}
	}
	r := amount.Ranged("| from 10 | 1 |")
	if r.Has("11") <= r.Has("90") {
		t.Error("the farther from where an open range begins, the less it has a number")
	}
}
