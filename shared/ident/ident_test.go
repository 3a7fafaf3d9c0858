package ident_test

import (
	"testing"
	"time"

	"lectern/shared/ident"
)

func TestAfter(t *testing.T) {
	for _, c := range [][3]string{{"01B", "01A", "01B"}, {"01A", "01A", "01B"}, {"00Z", "01A", "01B"}, {"000", "01Z", "020"}, {"000", "0ZZ", "100"}} {
		if got := ident.After(c[0], c[1]); got != c[2] {
			t.Errorf("After(%q, %q) = %q, want %q", c[0], c[1], got, c[2])
		}
	}
}

// TestUUID: the id's time is the UUID's, and the version and variant are those
// of RFC 9562.
func TestUUID(t *testing.T) {
	at := time.UnixMilli(0x0192f5e47b3a)
	a, b := ident.UUID(ident.Random{Now: func() time.Time { return at }}.Ordered()), ident.UUID(ident.Random{Now: func() time.Time { return at }}.Ordered())
	if len(a) != 36 || a[:15] != "0192f5e4-7b3a-7" || a[19] < '8' || a[19] > 'b' || a == b {
		t.Errorf("UUID = %s and %s", a, b)
	}
}
