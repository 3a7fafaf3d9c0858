package origin_test

import (
	"slices"
	"testing"

	"lectern/shared/chat/model/extractive/origin"
)

func TestInstead(t *testing.T) {
	for _, c := range []struct {
		question, text string
		want           []string
	}{
		{"Which marina found the defect TM-4203?", "The defect TM-4188 was found by the marina of Port Ellary.", []string{"4203"}},
		{"Which marina found the defect TM-4188?", "The defect TM-4188 was found by the marina of Port Ellary.", nil},
		{"How many families were found at T5?", "At T1 we found 23 families. T3 yielded 19.", []string{"t5"}},
		{"How many families were found at T5?", "T5 had fewer than T1.", nil},
		{"How many families were found at T2?", "T1 to T4 had 20 families each.", nil},
		{"How many families were found at T5?", "We found 23 families.", nil},
		{"How loud is the DH-35?", "The EH-20 has 40 dB.", nil},
		{"What did we sell in Q3?", "In Q1 we sold 20.", nil},
		{"Where is it?", "Room B12 is in the yard.", nil},
	} {
		if got := origin.Instead(origin.Codes(c.question), c.text); !slices.Equal(got, c.want) {
			t.Errorf("Instead(%q, %q) = %q, want %q", c.question, c.text, got, c.want)
		}
	}
}
