package label_test

import (
	"slices"
	"testing"

	"lectern/shared/chat/model/extractive/label"
)

// TestOver: the heading that a text begins with is above all of it only where no other section follows.
func TestOver(t *testing.T) {
	headings := []string{"Settings", "mode string"}
	for _, tc := range []struct {
		text string
		want []string
	}{
		{"### `mode string`\n\nNo effect.\n\n### `local bool`\n\nSets apart.\n", headings[:1]},
		{"### `mode string`\n\nNo effect.\n\n#### Details\n\nNone.\n", headings},
		{"### `mode string`\n\nNo effect.\n", headings},
		{"The rest of it.\n\n### `local bool`\n\nSets apart.\n", headings},
		{"", headings},
	} {
		if got := label.Over(tc.text, headings); !slices.Equal(got, tc.want) {
			t.Errorf("Over(%q) = %q, want %q", tc.text, got, tc.want)
		}
	}
	if got := label.Over("# A\n\n# B\n", nil); got != nil {
		t.Errorf("Over without headings = %q", got)
	}
}
