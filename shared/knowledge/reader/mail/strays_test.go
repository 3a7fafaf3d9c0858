package mail_test

import (
	"encoding/base64"
	"runtime"
	"strings"
	"testing"

	"lectern/shared/knowledge/reader/intake"
	"lectern/shared/knowledge/reader/mail"
)

// TestStrays: a part that says it is in Base64 and is not is refused before every byte of it
// is an error; one that is, or has few other bytes, is read.
func TestStrays(t *testing.T) {
	limits := intake.Limits{Entries: 10000, TextBytes: 64 << 20}
	const head = "From: a@b.c\nSubject: s\n"
	const parts = head + "Content-Type: multipart/mixed; boundary=x\n\n--x\n"
	const encoded = "Content-Transfer-Encoding: base64\n\n"
	good := base64.StdEncoding.EncodeToString([]byte(strings.Repeat("The boathouse opens at nine. ", 100_000)))
	for name, mailText := range map[string]string{
		"good": head + encoded + good, "some": head + encoded + strings.Repeat("!\n", 1000) + good,
		"text": head + "\n" + strings.Repeat("!@#$\n", 500_000) + encoded,
	} {
		d, err := mail.Read(t.Context(), []byte(mailText), limits, none)
		if err != nil || len(d.Text) < 1<<20 {
			t.Errorf("%s: %v", name, err)
		}
	}
	for name, mailText := range map[string]string{
		"mail":    head + encoded + strings.Repeat("!@#$\n", 1_000_000),
		"part":    parts + encoded + strings.Repeat("!@#$\n", 1_000_000) + "--x--",
		"control": parts + encoded + strings.Repeat("\x01\x02\x03\x04\n", 1_000_000) + "--x--",
		"fold":    parts + "content-transfer-encoding:\n BASE64\n\n" + strings.Repeat("!@#$\n", 1_000_000) + "--x--",
	} {
		var before, after runtime.MemStats
		runtime.ReadMemStats(&before)
		if _, err := mail.Read(t.Context(), []byte(mailText), limits, none); err == nil || !strings.Contains(err.Error(), "Base64") {
			t.Errorf("%s: %v", name, err)
		}
		runtime.ReadMemStats(&after)
		if taken := (after.TotalAlloc - before.TotalAlloc) >> 20; taken > 100 {
			t.Errorf("%s: reading took %d MiB", name, taken)
		}
	}
}
