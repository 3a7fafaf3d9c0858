package price_test

import (
	"fmt"
	"testing"

	"github.com/google/go-cmp/cmp"

	"lectern/shared/chat/model/extractive/price"
)

func TestThings(t *testing.T) {
	for question, want := range map[string][]string{
		"How much is a group ticket for the castle?": {"group ticket false", "group ticket true", "the castle? false"},
		"What does a lost key cost?":                 {"lost key false"},
		"Wie teuer ist der Eintritt?":                {"Eintritt false", "Eintritt true", " false"},
		"Who has the key?":                           nil,
	} {
		var got []string
		for thing, whole := range price.Things(question) {
			got = append(got, fmt.Sprint(thing, " ", whole))
		}
		if d := cmp.Diff(want, got); d != "" {
			t.Errorf("%q (-want +got):\n%s", question, d)
		}
	}
}

func TestColumns(t *testing.T) {
	for names, want := range map[string]bool{
		"Plan | Requests per minute | Labels per day": false, "Harbour | Per day | Longest stay": true, "Plan | Fees per month": true, "Boat | Day | Week": true,
	} {
		if got := price.Columns(names); got != want {
			t.Errorf("%q: %v", names, got)
		}
	}
}
