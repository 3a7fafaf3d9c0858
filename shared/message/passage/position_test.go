package passage_test

import (
	"reflect"
	"strings"
	"testing"

	"lectern/shared/api/schema"
	"lectern/shared/message"
	"lectern/shared/message/passage"
)

// TestPositions: positions of citations count UTF-16 code units, and their description
// says so.
func TestPositions(t *testing.T) {
	p := passage.Passage{Kind: passage.Artifact, Text: "🐦 é sings.", Start: 3}
	c := p.Cite(strings.Index(p.Text, "sings"), len(p.Text))
	if *c.StartCharIndex != 3+2+1+1+1 || *c.EndCharIndex != *c.StartCharIndex+len("sings.") {
		t.Errorf("the citation is of [%d, %d), want [8, 14)", *c.StartCharIndex, *c.EndCharIndex)
	}
	g := schema.NewGenerator(func(reflect.Type) string { return "" }, nil)
	for _, direction := range []schema.Direction{schema.Request, schema.Answer} {
		properties := g.Describe(direction, message.Citation{})["properties"].(schema.Doc)
		for _, name := range []string{"start_char_index", "end_char_index"} {
			if what, _ := properties[name].(schema.Doc)["description"].(string); !strings.Contains(what, "UTF-16 code units") {
				t.Errorf("%s is described as %q", name, what)
			}
		}
	}
}
