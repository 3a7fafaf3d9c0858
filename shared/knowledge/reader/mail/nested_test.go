package mail_test

import (
	"context"
	"fmt"
	"strings"
	"testing"
	"time"

	"lectern/shared/knowledge/reader"
	"lectern/shared/knowledge/reader/intake"
	"lectern/shared/knowledge/reader/mail"
)

// nested is a mail of so many multiparts, each within the one before; the inner ones are closed where that is wanted.
func nested(n int, closed bool) []byte {
	var b strings.Builder
	b.WriteString("From: a@b.c\nMIME-Version: 1.0\n")
	for i := range n {
		fmt.Fprintf(&b, "Content-Type: multipart/mixed; boundary=b%d\n\n--b%d\n", i, i)
	}
	b.WriteString("\nThe boathouse opens at nine.")
	for i := n - 1; closed && i >= 0; i-- {
		fmt.Fprintf(&b, "\n--b%d--\n", i)
	}
	return []byte(b.String())
}

func none(string) []reader.Reader { return nil }

// TestNested: multiparts that are nested and not closed, of which each doubles the parser's work, are refused, and reading them
// ends with its context. Without the limit the last mail takes longer than any test may.
func TestNested(t *testing.T) {
	limits := intake.Limits{Entries: 10000, TextBytes: 1 << 20}
	for _, n := range []int{1, 3, 8} {
		for _, closed := range []bool{true, false} {
			if _, err := mail.Read(t.Context(), nested(n, closed), limits, none); err != nil {
				t.Errorf("%d multiparts, closed %v: %v", n, closed, err)
			}
		}
	}
	for _, n := range []int{24, 60, 3000} {
		if _, err := mail.Read(t.Context(), nested(n, false), limits, none); err == nil || !strings.Contains(err.Error(), "not a mail") {
			t.Errorf("%d multiparts that are not closed: %v", n, err)
		}
	}
	ctx, cancel := context.WithDeadline(t.Context(), time.Now().Add(-time.Second))
	defer cancel()
	if _, err := mail.Read(ctx, nested(60, false), limits, none); err != context.DeadlineExceeded {
		t.Errorf("after its end: %v", err)
	}
}
