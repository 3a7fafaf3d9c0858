package mail_test

import (
	"fmt"
	"strings"
	"testing"
	"time"

	"lectern/shared/fault/cputest"
	"lectern/shared/knowledge/reader/intake"
	"lectern/shared/knowledge/reader/mail"
)

// TestParameters: the first parameters of a field are used, and those after many cost nothing.
func TestParameters(t *testing.T) {
	var many strings.Builder
	for i := range 200_000 {
		fmt.Fprintf(&many, "; name*%d=x", i)
	}
	const head = "From: a@b.c\n"
	const typed = head + "Content-Type: text/plain; charset=iso-8859-1"
	const parts = head + "Content-Type: multipart/mixed; boundary=x"
	file := "Content-Type: application/octet-stream\nContent-Disposition: attachment; filename=a.xyz"
	limits := intake.Limits{Entries: 10000, TextBytes: 1 << 20}
	for name, c := range map[string]struct{ mail, text, warning string }{
		"few":         {typed + "; format=flowed\n\ncaf\xe9", "café", ""},
		"many":        {typed + many.String() + "\n\ncaf\xe9", "café", ""},
		"long":        {typed + "; name=" + strings.Repeat("x", 1<<20) + "\n\ncaf\xe9", "café", ""},
		"folded":      {typed + strings.ReplaceAll(many.String(), "; ", ";\n ") + "\n\ncaf\xe9", "café", ""},
		"boundary":    {parts + many.String() + "\n\n--x\n\nfirst\n--x\n\nsecond\n--x--", "first\n\nsecond", ""},
		"part":        {parts + "\n\n--x\nContent-Type: text/plain" + many.String() + "\n\nfirst\n--x--", "first", ""},
		"disposition": {parts + "\n\n--x\n" + file + many.String() + "\n\nfirst\n--x--", "", "a.xyz"},
	} {
		cputest.Most(t, 3*time.Second, name, func() {
			d, err := mail.Read(t.Context(), []byte(c.mail), limits, none)
			if err != nil {
				t.Errorf("%s: %v", name, err)
				return
			}
			if !strings.HasSuffix(d.Text, c.text) || !strings.Contains(strings.Join(d.Warnings, "\n"), c.warning) {
				t.Errorf("%s: Text = %q, want %q; Warnings = %q, want %q", name, d.Text, c.text, d.Warnings, c.warning)
			}
		})
	}
}
