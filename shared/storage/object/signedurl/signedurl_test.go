package signedurl_test

import (
	"context"
	"net/url"
	"strings"
	"testing"
	"time"

	"lectern/shared/fault"
	"lectern/shared/storage/object"
	"lectern/shared/storage/object/signedurl"
)

func TestSigner(t *testing.T) {
	noon := time.Date(2026, 6, 1, 12, 0, 0, 0, time.UTC)
	key := signedurl.Key("0123456789abcdef0123456789abcdef")
	sign := key.Signer(func(context.Context) string { return "http://h:1" }, func() time.Time { return noon })
	signed, err := sign(t.Context(), "PUT", "files/a/b", object.PresignOptions{Expires: time.Hour, Size: 7})
	if err != nil || signed.Method != "PUT" || !strings.HasPrefix(signed.URL, "http://h:1/v1/blobs/files/a/b?") ||
		!signed.ExpiresAt.Equal(noon.Add(time.Hour)) {
		t.Fatalf("Signer = %+v, %v", signed, err)
	}
	u, err := url.Parse(signed.URL)
	if err != nil {
		t.Fatal(err)
	}
	if size, err := key.Check("PUT", "files/a/b", u.Query(), noon.Add(59*time.Minute)); size != 7 || err != nil {
		t.Errorf("Check = %d, %v", size, err)
	}
	changed := func(name, value string) url.Values { q := u.Query(); q.Set(name, value); return q }
	for name, check := range map[string]func() (int64, error){
		"late":           func() (int64, error) { return key.Check("PUT", "files/a/b", u.Query(), noon.Add(time.Hour)) },
		"another method": func() (int64, error) { return key.Check("GET", "files/a/b", u.Query(), noon) },
		"another key":    func() (int64, error) { return key.Check("PUT", "files/a/c", u.Query(), noon) },
		"another size":   func() (int64, error) { return key.Check("PUT", "files/a/b", changed("size", "8"), noon) },
		"more time":      func() (int64, error) { return key.Check("PUT", "files/a/b", changed("expires", "9999999999"), noon) },
		"no signature":   func() (int64, error) { return key.Check("PUT", "files/a/b", changed("signature", ""), noon) },
		"another signer": func() (int64, error) { return signedurl.Key("x").Check("PUT", "files/a/b", u.Query(), noon) },
		"nothing at all": func() (int64, error) { return key.Check("PUT", "files/a/b", nil, noon) },
	} {
		if _, err := check(); !fault.Is(err, fault.Forbidden) {
			t.Errorf("%s: %v, want Forbidden", name, err)
		}
	}
	get, err := sign(t.Context(), "GET", "files/a/b", object.PresignOptions{Expires: time.Hour})
	if err != nil {
		t.Fatal(err)
	}
	named, err := sign(t.Context(), "GET", "files/a/b", object.PresignOptions{Expires: time.Hour, ContentType: "text/plain", Disposition: "inline"})
	if err != nil {
		t.Fatal(err)
	}
	u, _ = url.Parse(named.URL)
	if kind, how := signedurl.Replaced(u.Query()); kind != "text/plain" || how != "inline" {
		t.Errorf("Replaced = %q, %q", kind, how)
	}
	if _, err := key.Check("GET", "files/a/b", u.Query(), noon); err != nil {
		t.Errorf("Check of a GET with headers: %v", err)
	}
	for _, q := range []url.Values{changed("content-type", "text/html"), changed("content-type", ""), changed("content-disposition", "attachment")} {
		if _, err := key.Check("GET", "files/a/b", q, noon); !fault.Is(err, fault.Forbidden) {
			t.Errorf("Check of %v: %v, want Forbidden", q, err)
		}
	}
	u, _ = url.Parse(get.URL)
	if size, err := key.Check("GET", "files/a/b", u.Query(), noon); size != -1 || err != nil {
		t.Errorf("Check of a GET = %d, %v", size, err)
	}
}
