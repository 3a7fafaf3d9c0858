package beside_test

import (
	"testing"

	"lectern/shared/chat/model/extractive/beside"
)

func TestTells(t *testing.T) {
	for _, c := range []struct {
		question, text string
		want           bool
	}{
		{"Until when is it open?", "It opens at 11.", true},
		{"Until when is it open?", "It is open from 11 to 18.", false},
		{"Bis wie viel Uhr ist es offen?", "Dienstags bis sonntags ab 11 Uhr.", true},
		{"When does it open?", "It opens at 11.", false},
		{"What does delivery beyond 25 miles cost?", "It costs £12 within 10 miles and £20 up to 25 miles.", true},
		{"What does delivery beyond 25 miles cost?", "It costs £20 up to 25 miles and £30 beyond 25 miles.", false},
		{"What does delivery cost?", "It costs £20 up to 25 miles.", false},
		{"How much salt goes into it?", "Take 200 g of flour, oil and salt.", true},
		{"How much salt goes into it?", "Take 200 g of flour, 5 g of salt and oil.", false},
		{"How much salt goes into it?", "Take a pinch of salt.", false},
		{"How much salt goes into it?", "Take 5 g.", false},
		{"How high will the frame be?", "The appeal for the frame has reached 6,340 pounds.", true},
		{"How high will the frame be?", "The frame of 3 m costs 6,340 pounds.", false},
		{"How high is the deposit?", "The deposit is 300 pounds.", false},
		{"What is the monthly fee?", "Members get 10 percent of the monthly fee back.", true},
		{"What is the monthly fee?", "The monthly fee is 10 percent.", false},
		{"Which is cheaper, the road or the rim brake?", "The road brake does not work with the rim.", true},
		{"Which is cheaper, the road or the rim brake?", "The road brake costs 30 euros.", false},
		{"How can I reach Ines Carvalho?", "Person: Ines Carvalho (ombudsperson)", true},
		{"How can I reach Ines Carvalho?", "Ines Carvalho is at extension 12.", false},
		{"How can I reach the settings page?", "Press the menu key.", false},
	} {
		if got := beside.Of(c.question).Tells(c.text, "", false); got != c.want {
			t.Errorf("%q of %q: %v, want %v", c.question, c.text, got, c.want)
		}
	}
	if beside.Of("Which is cheaper, A or B?").Tells("A | 30", "name | eur", true) {
		t.Error("of a row the columns tell")
	}
}
