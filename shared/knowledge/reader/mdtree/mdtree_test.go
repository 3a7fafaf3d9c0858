package mdtree_test

import (
	"math/rand/v2"
	"strings"
	"testing"

	"github.com/google/go-cmp/cmp"

	"lectern/shared/fault"
	"lectern/shared/knowledge/reader/intake"
	"lectern/shared/knowledge/reader/mdtree"
)

// TestPieces parses texts of all blocks, in any order, in small pieces and in one.
func TestPieces(t *testing.T) {
	lines := []string{"", "", "", "a b", "c", "# H", "## I", "- a", "- b", " - c", "  - d", "  more", "* a", "1. a", "2. b", "3) c", "    code",
		"```", "````", "~~~", "```go", "> q", "> - q", "---", "===", "| a | b |", "|---|---|", "| c | d |", "<div>", "</div>", "<!-- x", "-->",
		"- ```", "-", "\tx", "10. z", "- - - e", "![a](b)", "   - f", "    - g", "<pre>", "</pre>", "[a]: b"}
	random := rand.New(rand.NewPCG(1, 2))
	limits := intake.Limits{}.OrDefaults()
	for range 5000 {
		var b strings.Builder
		for range 1 + random.IntN(40) {
			b.WriteString(lines[random.IntN(len(lines))] + "\n")
		}
		source := strings.TrimSpace(b.String())
		want, err := mdtree.ParseBy(source, limits, 1<<20)
		if err != nil {
			t.Fatal(err)
		}
		for _, size := range []int{1, 7, 40} {
			got, err := mdtree.ParseBy(source, limits, size)
			if err != nil {
				t.Fatal(err)
			}
			if diff := cmp.Diff(want, got); diff != "" {
				t.Fatalf("pieces of %d of %q: %s", size, source, diff)
			}
		}
	}
}

// TestTooMany refuses what would take many times the memory of its text.
func TestTooMany(t *testing.T) {
	limits := intake.Limits{Nodes: 1000}.OrDefaults()
	for _, unit := range []string{"a\n\n", "- a\n", "# a\n", "|a|b\n", "- - a\n"} {
		if _, err := mdtree.ParseBy(strings.Repeat(unit, 900/len(unit)), limits, 100); err != nil {
			t.Errorf("few of %q: %v", unit, err)
		}
		_, err := mdtree.ParseBy(strings.Repeat(unit, 2000), limits, 100)
		if f := fault.As(err); f == nil || f.Code != fault.Invalid || f.Problems[0].Type != intake.TooLarge {
			t.Errorf("2000 of %q: %v", unit, err)
		}
	}
}
