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

func TestAsked(t *testing.T) {
	for _, c := range []struct {
		question, text string
		tells          func(question, text string) bool
		want           bool
	}{
		{"Until when is it open?", "It opens at 11.", amount.FromWhen, true},
		{"Until when is it open?", "It is open from 11 to 18.", amount.FromWhen, false},
		{"Bis wie viel Uhr ist es offen?", "Dienstags ab 11 Uhr.", amount.FromWhen, true},
		{"When does it open?", "It opens at 11.", amount.FromWhen, false},
		{"What does delivery beyond 25 miles cost?", "It costs £12 within 10 miles and £20 up to 25 miles.", amount.Within, true},
		{"What does delivery beyond 25 miles cost?", "It costs £20 up to 25 miles and £30 beyond 25 miles.", amount.Within, false},
		{"What does delivery cost?", "It costs £20 up to 25 miles.", amount.Within, false},
		{"How much salt goes into it?", "Take 200 g of flour, oil and salt.", amount.Apart, true},
		{"How much salt goes into it?", "Take 200 g of flour, 5 g of salt and oil.", amount.Apart, false},
		{"How much salt goes into it?", "Take a pinch of salt.", amount.Apart, false},
		{"How much salt goes into it?", "Take 5 g.", amount.Apart, false},
	} {
		if got := c.tells(c.question, c.text); got != c.want {
			t.Errorf("%q of %q: %v, want %v", c.question, c.text, got, c.want)
		}
	}
}
