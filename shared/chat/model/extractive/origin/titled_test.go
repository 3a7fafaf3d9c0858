package origin_test

import (
	"strings"
	"testing"

	"lectern/shared/chat/model/extractive/origin"
)

func TestOthers(t *testing.T) {
	for _, tc := range []struct{ question, text, want string }{
		{"How many lifejackets are on MV Kestrel Sound?", "MV Tarrow Star carries 14 lifejackets.", "sound"},
		{"How many lifejackets are on MV Kestrel Sound?", "The Kestrel Sound carries 20, MV Tarrow Star 14.", ""},
		{"How many lifejackets are on MV Kestrel Sound?", "There are 14 of them.", ""},
		{"How did Mr Keel vote on the lamps?", "Mr Hoekman voted against it.", "keel"},
		{"How did Mr Keel vote on the lamps?", "Ms Aras voted against it.", ""},
		{"Wann kommt Herr Keel?", "Herrn Hoekman erwarten wir um acht.", "keel"},
		{"Who voted on the lamps?", "Mr Hoekman voted against it.", ""},
	} {
		if got := strings.Join(origin.Others(origin.Titled(tc.question), tc.text), " "); got != tc.want {
			t.Errorf("%q of %q: %q, want %q", tc.question, tc.text, got, tc.want)
		}
	}
}
