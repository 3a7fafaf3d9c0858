package formats_test

import (
	"strings"
	"testing"
)

// TestMarkdownTables reads tables that Markdown has in HTML, but for what is code.
func TestMarkdownTables(t *testing.T) {
	table := "<table>\n  <tr>\n    <td>Arch Linux</td>\n    <td>\n      <code>pacman -S lamp</code>\n    </td>\n  </tr>\n" +
		"  <tr>\n    <td>Debian</td>\n    <td><code>apt install lamp</code></td>\n  </tr>\n</table>\n"
	d := read(t, "a.md", "# Lamp\n\nInstall it.\n\n"+table+"\nAfter it.\n\n```html\n"+table+"```\n")
	for _, want := range []string{"| Arch Linux | `pacman -S lamp` |", "| Debian | `apt install lamp` |", "After it.", "```html\n<table>"} {
		if !strings.Contains(d.Text, want) {
			t.Errorf("the text lacks %q:\n%s", want, d.Text)
		}
	}
	if strings.Count(d.Text, "<td>") != 4 {
		t.Errorf("the table in code is changed, or the other is not:\n%s", d.Text)
	}
	for _, whole := range []string{"a\n<table>\n<tr><td>1", "<table></table>\nx", "text <table> text\n", "<table>\n" + strings.Repeat("<tr>", 3) + "\n"} {
		if d := read(t, "a.md", whole); !strings.Contains(d.Text, "<table>") {
			t.Errorf("%q became %q", whole, d.Text)
		}
	}
}
