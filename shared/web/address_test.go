package web_test

import (
	"net/url"
	"testing"

	"lectern/shared/web"
)

// TestAddresses: an address is known as it stands in a text, and no longer or other one.
func TestAddresses(t *testing.T) {
	known := web.Addresses{}
	for _, text := range []string{"Read https://example.com/robins?year=1#top, please.", "see [the wrens](http://www.Example.org/wrens/) or <https://a.example/x>",
		"on owls.example/barn (and https://en.example/wiki/Owl_(bird)).", `{"url":"https://json.example/a"}`, "https://redirect.example/?to=https://inner.example/z",
		"'https://quoted.example/q'", "at http://127.0.0.1:8080/page"} {
		known.Find(text)
	}
	for address, want := range map[string]bool{
		"https://example.com/robins?year=1": true, "http://EXAMPLE.com:443/robins?year=1#x": true, "https://example.org/wrens": true,
		"https://a.example/x": true, "https://owls.example/barn": true, "https://en.example/wiki/Owl_(bird)": true, "https://json.example/a": true,
		"https://redirect.example/?to=https://inner.example/z": true, "https://inner.example/z": true, "https://quoted.example/q": true,
		"http://127.0.0.1:8080/page": true,
		"https://example.com/robins": false, "https://example.com/robins?year=12": false, "https://example.com/robins?year=1&secret=x": false,
		"https://secret.a.example/x": false, "https://a.example/xsecret": false, "https://a.example/x/secret": false, "https://example.org": false,
		"http://127.0.0.1:8081/page":    false,
		"https://a.example@evil.test/x": false,
	} {
		u, err := url.Parse(address)
		if err != nil {
			t.Fatal(err)
		}
		if got := known.Has(u); got != want {
			t.Errorf("Has(%s) = %v, want %v", address, got, want)
		}
	}
}
