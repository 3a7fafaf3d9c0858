package origin_test

import (
	"slices"
	"testing"

	"lectern/shared/chat/model/extractive/origin"
	"lectern/shared/message/passage"
)

// TestRivals: a name of the question which another document of the kind is called by, too, is that one's; of "the Corva 24's efficiency"
// the words are corva, 24 and efficiency.
func TestRivals(t *testing.T) {
	names := []bool{true, true, false}
	for name, c := range map[string]struct {
		called map[string][]bool
		want   []bool
	}{
		"another model":      {map[string][]bool{"30": {true, false, false}, "24": {true, true, false}}, []bool{false, true, false}},
		"alone":              {map[string][]bool{"30": {true, false, false}}, nil},
		"nothing in common":  {map[string][]bool{"30": {false, false, true}, "24": {true, true, false}}, nil},
		"two that are named": {map[string][]bool{"30": {true, false, true}, "24": {false, true, true}}, nil},
		"no name":            {map[string][]bool{"30": {true, true, false}, "24": {true, true, true}}, nil},
	} {
		if got := origin.Rivals(c.called, names)["30"]; !slices.Equal(got, c.want) {
			t.Errorf("%s: %v, want %v", name, got, c.want)
		}
	}
}

// TestSiblings: a document of another number of what the question names is a sibling, unless it speaks of that number.
func TestSiblings(t *testing.T) {
	notes := func(title, text string) passage.Passage {
		return passage.Passage{Title: title, ArtifactID: title, Text: text}
	}
	for _, c := range []struct {
		question string
		passage  passage.Passage
		want     bool
	}{
		{"When will Quillbase 5.3 be released?", notes("quillbase_5.2.md", "Released on 11 March."), true},
		{"When will Quillbase 5.3 be released?", notes("quillbase_5.2.md", "Quillbase 5.3 follows in May."), false},
		{"When was Quillbase 5.2 released?", notes("quillbase_5.2.md", "Released on 11 March."), false},
		{"What is new in Python 3?", notes("Python 3.14", "New things."), false},
		{"How heavy is the Corva 24?", notes("corva30.pdf", "It weighs 40 kg."), true},
		{"How heavy is the Corva 24?", notes("boilers.pdf", "It weighs 40 kg."), false},
		{"How heavy is the boiler of 24 kW?", notes("boiler 30", "It weighs 40 kg."), false},
		{"What does Corva (24) cost?", notes("corva30.pdf", "Costs."), false},
	} {
		if got := origin.Siblings([]passage.Passage{c.passage}, c.question)[origin.Document(c.passage)]; got != c.want {
			t.Errorf("%q of %s: %v", c.question, c.passage.Title, got)
		}
	}
}
