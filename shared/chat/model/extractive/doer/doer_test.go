package doer_test

import (
	"testing"

	"lectern/shared/chat/model/extractive/doer"
	"lectern/shared/text/terms"
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

// TestAskedFor: what a question is about, whose answer is not told without it.
func TestAskedFor(t *testing.T) {
	for _, c := range []struct {
		of             func(question string) string
		question, want string
	}{
		{doer.Deed, "Who audited the books?", "audited"}, {doer.Deed, "Who has restored the boat?", "restored"}, {doer.Deed, "Who is the chair?", ""},
		{doer.Deed, "Who did they appoint?", ""}, {doer.Deed, "When was it?", ""},
		{doer.Done, "In which year was the bell cast?", "cast"}, {doer.Done, "When was the boat restored?", "restored"},
		{doer.Done, "How long does the jam keep?", "keep"}, {doer.Done, "When does it open?", ""},
		{doer.Object, "Can I bring my dog to the office?", "dog"}, {doer.Object, "May I use an old gas grill on the terrace?", "grill"},
		{doer.Object, "Is smoking allowed in the cabins?", "smoking"}, {doer.Object, "Can I cancel?", ""}, {doer.Object, "Darf ich meinen Hund mitbringen?", "hund"},
	} {
		if got := c.of(c.question); got != c.want {
			t.Errorf("%q: %q, want %q", c.question, got, c.want)
		}
	}
}

func TestNamed(t *testing.T) {
	words := terms.Words("Wood must be bought from us; no grandfather clocks.")
	for thing, want := range map[string]bool{"firewood": true, "clocks": true, "clock": false, "charcoal": false, "father": true} {
		if got := doer.Named(thing, words); got != want {
			t.Errorf("Named(%q) = %v", thing, got)
		}
	}
}

func TestHeads(t *testing.T) {
	for _, tc := range []struct {
		question, line string
		want           bool
	}{
		{"Who took the minutes of the meeting?", "**Minutes:** Ada Berg", true},
		{"Who wrote the minutes in May?", "Minutes taken by: Ada Berg", true},
		{"Wer hat das Protokoll geführt?", "Protokoll: Ada Berg", true},
		{"Who chaired the meeting?", "Chair: Ada Berg", true},
		{"Who wrote the report?", "Author: Ada Berg", true},
		{"How long did it take, in minutes?", "Minutes: Ada Berg", false},
		{"Who took the minutes?", "Minutes: of the last meeting", false},
		{"Who took the minutes?", "Author: Ada Berg", false},
	} {
		if got := doer.Heads(tc.question, tc.line); got != tc.want {
			t.Errorf("%q of %q: %v", tc.question, tc.line, got)
		}
	}
}

func TestUntoldOfOtherForms(t *testing.T) {
	if !doer.Untold("Who wrote the program?", "The file was written, but not closed.") || doer.Untold("Who wrote the program?", "It was written by Ada Berg.") {
		t.Error("who wrote something is told by whom it was written")
	}
}
