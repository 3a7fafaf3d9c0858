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

// TestMarkdownUnseen: lines of anchors and comments in HTML are no text of a document in Markdown, but stay within code.
func TestMarkdownUnseen(t *testing.T) {
	d := read(t, "a.md", "# Settings\n\n<a id='mode'></a>\n## Mode\n\n<a name=\"x\"></a> <!-- to do -->\nObsolete, no effect. See <a id=\"y\"></a>below.\n\n"+
		"```\n<!-- shown -->\n```\n\n<!--\nopen\n")
	for _, s := range []string{"'mode'", "to do", `name="x"`} {
		if strings.Contains(d.Text, s) {
			t.Errorf("%q is still in the text: %q", s, d.Text)
		}
	}
	for _, s := range []string{"## Mode", "See <a id=\"y\"></a>below.", "<!-- shown -->", "<!--\nopen"} {
		if !strings.Contains(d.Text, s) {
			t.Errorf("%q is no longer in the text: %q", s, d.Text)
		}
	}
}

// TestMarkdownOpenTables: each line is looked at once for the end of a table and read once as part of one, however many begin;
// to look anew at each beginning takes minutes.
func TestMarkdownOpenTables(t *testing.T) {
	for _, text := range []string{strings.Repeat("<table\n", 100_000), strings.Repeat("<table>\n", 30_000) + "</table>\n"} {
		if d := read(t, "a.md", text); d.Text != text {
			t.Errorf("%d bytes became %d", len(text), len(d.Text))
		}
	}
	closed := "<table><tr><td>a</td><td>b</td></tr>\n<tr><td>c</td><td>d</td></tr>\n</table>\n"
	if d := read(t, "a.md", "<table>\n</table>\n\n"+closed); !strings.Contains(d.Text, "<table>\n</table>") || !strings.Contains(d.Text, "| c | d |") {
		t.Errorf("the table after one that cannot be read: %q", d.Text)
	}
}
