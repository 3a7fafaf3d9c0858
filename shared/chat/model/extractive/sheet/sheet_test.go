package sheet_test

import (
	"testing"

	"lectern/shared/chat/model/extractive/sheet"
)

// TestComputes: what is computed of rows is no row, unless one tells it.
func TestComputes(t *testing.T) {
	for _, c := range []struct {
		question, told string
		rows           int
		want           bool
	}{
		{"What percentage of our income did we save?", "Month: May; Income: 4305; Savings: 950", 2, true},
		{"What percentage of our income did we save?", "Month: May; Income: 4305; Saved (%): 22", 1, false},
		{"How many orders did Ann place?", "No: 7; Customer: Ann", 2, true},
		{"How many seats does the Transit have?", "Vehicle: Transit; Seats: 3", 1, false},
		{"What do the wages come to in total?", "Name: Kofi; Hours: 40; Pay: £12.40", 3, true},
		{"What did we pay in total?", "Invoice: 7; Net: 90; Total: 107", 1, false},
		{"Wie viele verschiedene Marken haben wir?", "Marke: VW; Modell: Golf", 1, true},
		{"Who drives the Transit?", "Vehicle: Transit; Driver: Marek", 2, false},
	} {
		if got := sheet.Computes(c.question, c.told, c.rows); got != c.want {
			t.Errorf("%q of %q: %t", c.question, c.told, got)
		}
	}
}
