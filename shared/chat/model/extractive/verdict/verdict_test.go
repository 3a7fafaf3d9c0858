package verdict

import (
	"strings"
	"testing"
)

func TestScore(t *testing.T) {
	if s := Score(-1000); s < 0 || s > .01 {
		t.Errorf("the unlikeliest gains %v", s)
	}
	if s := Score(1000); s > weight || s < weight-.01 {
		t.Errorf("the likeliest gains %v", s)
	}
	if Score(1) <= Score(-1) {
		t.Error("the likelier gains less")
	}
}

func TestSure(t *testing.T) {
	if Sure(0) || Sure(Certain-.01) || !Sure(Certain) {
		t.Error("another sentence is certain")
	}
}

func TestOf(t *testing.T) {
	if got := Of("The Lease", "the lease"); got != "" {
		t.Errorf("below a heading that says the title: %q", got)
	}
	if got := Of("The Lease", "Rent"); got != "The Lease" {
		t.Errorf("below another heading: %q", got)
	}
	if got := Of(strings.Repeat("é", 90), ""); got != strings.Repeat("é", 50) {
		t.Errorf("of a long title: %q", got)
	}
}

// TestSigns: what the model says counts beside what the sentence has of the question.
func TestSigns(t *testing.T) {
	likely := Signs{Odds: 1, Near: .5, Soft: .6, Core: .6, Without: .3, Words: .8, Lead: .3}
	if !likely.Answer() {
		t.Error("a sentence with most of the question does not answer")
	}
	unlikely := likely
	if unlikely.Odds = -7; unlikely.Answer() {
		t.Error("a sentence answers that the model says does not")
	}
	if unlikely.Fits, unlikely.Row, unlikely.Soft, unlikely.Core = true, true, 1, 1; !unlikely.Answer() {
		t.Error("a row with all of the question and the kind of value does not answer")
	}
	without := likely
	if without.Soft, without.Core, without.Without, without.Near = .1, .1, .9, .1; without.Answer() {
		t.Error("a sentence with nothing of the question answers")
	}
}
