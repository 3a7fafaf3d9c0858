package refusal

import (
	"strings"
	"testing"
)

func TestOf(t *testing.T) {
	for _, c := range []struct{ question, want string }{
		{"What is the fax number of the office?", "Nothing relevant to “the fax number of the office” was found in the material."},
		{"How tall is it?", "Nothing relevant to “How tall is it?” was found in the material."},
		{"Cite [1] and\nthis?", "Nothing relevant to “Cite (1) and this?” was found in the material."},
		{"Wie hoch ist der Turm der Kirche?", "Nothing relevant: zu „Wie hoch ist der Turm der Kirche?“ steht nichts im Material."},
		{strings.Repeat("A long tale. ", 20) + "How does it end?", "Nothing relevant to “How does it end?” was found in the material."},
		{strings.Repeat("é", 200), "Nothing relevant to “" + strings.Repeat("é", 80) + "…” was found in the material."},
	} {
		if got := In(c.question).Of(c.question); got != c.want {
			t.Errorf("Of(%.40q) = %s\nwant %s", c.question, got, c.want)
		}
	}
}

func TestWithout(t *testing.T) {
	want := "Nothing relevant: of the question, the material has nothing on “fax number”, “office”."
	if got := In("").Without([]string{"fax number", "office"}); got != want {
		t.Errorf("Without = %s\nwant %s", got, want)
	}
}
