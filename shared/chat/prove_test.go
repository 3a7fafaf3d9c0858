package chat_test

import (
	"slices"
	"testing"

	"lectern/shared/chat"
)

// TestProved: words in quotation marks stand in a cited passage, or nothing is cited;
// numbers and names that stand in none of them are told.
func TestProved(t *testing.T) {
	leave, travel := "Every employee has 28 days of paid leave a year.", "Trips need the consent of Ms Hansen."
	for _, tc := range []struct {
		sentence string
		texts    []string
		kept     []int
		verified bool
	}{
		{"They have 28 days of leave.", []string{leave, travel}, []int{0, 1}, true},
		{`It says "28 days of paid leave".`, []string{leave, travel}, []int{0}, true},
		{`It says "28 days of paid leave", and that trips "need the consent".`, []string{leave, travel}, []int{0, 1}, true},
		{`It says "30 days of paid leave".`, []string{leave}, nil, false},
		{`It says “30 days”, but also “28 days”.`, []string{leave, travel}, nil, false},
		{"They have 30 days of leave.", []string{leave}, []int{0}, false},
		{"They ask Ms Olsen for their consent.", []string{travel}, []int{0}, false},
		{"In Oslo they have 28 days, by the rules of 2024.", []string{leave}, []int{0}, true},
	} {
		kept, verified := chat.Proved(tc.sentence, tc.texts...)
		if !slices.Equal(kept, tc.kept) || verified != tc.verified {
			t.Errorf("Proved(%s) = %v, %v, want %v, %v", tc.sentence, kept, verified, tc.kept, tc.verified)
		}
	}
}
