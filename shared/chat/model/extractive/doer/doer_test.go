package doer_test

import (
	"testing"

	"lectern/shared/chat/model/extractive/doer"
)

func TestUntold(t *testing.T) {
	for _, c := range []struct {
		question, text string
		want           bool
	}{
		{"Who broke the pane in the library?", "A pane in the library was broken during the holidays.", true},
		{"Who planted the reed bed?", "The reed bed, which was planted in 2016, is choked.", true},
		{"Who has restored the boat?", "It was carefully restored in 2014 with the help of a legacy.", true},
		{"Who restored the boat?", "It was restored by the Harlow yard.", false},
		{"Who restored the boat?", "The Harlow yard has restored it.", false},
		{"Who was elected?", "Ann Lee was elected chair.", false},
		{"Who chairs the meeting?", "The chair is elected every year.", false},
		{"When was it restored?", "It was restored in 2014.", false},
	} {
		if got := doer.Untold(c.question, c.text); got != c.want {
			t.Errorf("Untold(%q, %q) = %v, want %v", c.question, c.text, got, c.want)
		}
	}
}

// TestPeople: words for people are told from things whose names end like these.
func TestPeople(t *testing.T) {
	for text, want := range map[string]bool{
		"The tenant pays.": true, "Two students came.": true, "The committee met.": true, "A trustee signs.": true, "The pianist left.": true,
		"The effluent of the dairy.": false, "A payment is due.": false, "The plant is closed.": false, "The fee is due.": false,
	} {
		if got := doer.People.In(text); got != want {
			t.Errorf("People in %q is %v, want %v", text, got, want)
		}
	}
}
