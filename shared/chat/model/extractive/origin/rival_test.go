package origin_test

import (
	"slices"
	"testing"

	"lectern/shared/chat/model/extractive/origin"
	"lectern/shared/message/passage"
)

// TestRivals: a name of the question which another document of the kind is called by, too, is that one's, where this one has another
// name in its place.
func TestRivals(t *testing.T) {
	corva, museum, firm := []string{"corva", "24", "efficiency"}, []string{"tour", "railway", "museum"}, []string{"northwind", "traders", "board"}
	for name, c := range map[string]struct {
		title  string
		words  []string
		called map[string][]bool
		names  []bool
		want   []bool
	}{
		"another model":      {"Corva 30", corva, map[string][]bool{"a": {true, false, false}, "b": {true, true, false}}, []bool{true, true, false}, []bool{false, true, false}},
		"no model":           {"Corva boilers", corva, map[string][]bool{"a": {true, false, false}, "b": {true, true, false}}, []bool{true, true, false}, nil},
		"alone":              {"Corva 30", corva, map[string][]bool{"a": {true, false, false}}, []bool{true, true, false}, nil},
		"another museum":     {"The Maritime Museum", museum, map[string][]bool{"a": {false, false, true}, "b": {false, true, true}}, []bool{false, true, true}, []bool{false, true, false}},
		"the museum":         {"Museum guide", museum, map[string][]bool{"a": {false, false, true}, "b": {false, true, true}}, []bool{false, true, true}, nil},
		"of the firm":        {"Northwind minutes", firm, map[string][]bool{"a": {true, false, false}, "b": {true, true, false}}, []bool{true, true, false}, nil},
		"two that are named": {"Corva 30", corva, map[string][]bool{"a": {true, false, true}, "b": {true, true, false}}, []bool{true, true, true}, nil},
	} {
		if got := origin.Rivals([]passage.Passage{{ArtifactID: "a", Title: c.title}}, called(c.called), c.words, c.names)["\na"]; !slices.Equal(got, c.want) {
			t.Errorf("%s: %v, want %v", name, got, c.want)
		}
	}
}

func called(by map[string][]bool) map[string][]bool {
	out := map[string][]bool{}
	for id, words := range by {
		out[origin.Document(passage.Passage{ArtifactID: id})] = words
	}
	return out
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
		{"What was decided on October 14?", notes("Minutes October 2026", "They met on the 14th."), false},
		{"What is planned in Strategy 2026?", notes("Strategy 2025-2030", "It says so."), false},
		{"What is in Room 12?", notes("Room 2026", "Chairs."), false},
		{"What does Corva (24) cost?", notes("corva30.pdf", "Costs."), false},
	} {
		if got := origin.Siblings([]passage.Passage{c.passage}, c.question)[origin.Document(c.passage)]; got != c.want {
			t.Errorf("%q of %s: %v", c.question, c.passage.Title, got)
		}
	}
}
