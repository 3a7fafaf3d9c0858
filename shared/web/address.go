package web

import (
	"net/url"
	"strings"
)

// Addresses are the web addresses that a text names, for comparing; see AddressOf.
type Addresses map[string]bool

// AddressOf returns a URL for comparing: host, path and query, as most servers read
// them; without scheme, fragment, a slash at the end, and www.
func AddressOf(u *url.URL) string {
	host := strings.TrimPrefix(strings.TrimSuffix(strings.ToLower(u.Hostname()), "."), "www.")
	if port := u.Port(); port != "" && port != "80" && port != "443" {
		host += ":" + port
	}
	address := host + strings.TrimSuffix(u.EscapedPath(), "/")
	if u.RawQuery != "" {
		address += "?" + u.RawQuery
	}
	return address
}

// mostAddress limits what is looked at as one address, in bytes.
const mostAddress = 2048

// Find adds the addresses in a text: with a scheme, or a host that stands alone, like
// example.com/page.
func (a Addresses) Find(text string) {
	for part := range strings.FieldsFuncSeq(text, func(r rune) bool { return r <= ' ' || strings.ContainsRune("<>\"`|", r) }) {
		if !strings.Contains(part, ".") && !strings.Contains(part, "://") {
			continue
		}
		rest := part
		for {
			at := strings.Index(rest, "://")
			if at < 0 {
				break
			}
			rest = rest[at+len("://"):]
			a.add(rest)
		}
		if rest == part {
			a.add(strings.TrimLeft(part, "([{'*_"))
		}
	}
}

// add adds the address at the begin of a text, with and without what may be the
// punctuation around it.
func (a Addresses) add(text string) {
	if len(text) > mostAddress {
		return
	}
	for _, whole := range []string{text, before(text, ")"), before(text, "]"), before(text, "'")} {
		for range mostMarks {
			if u, err := url.Parse("https://" + whole); err == nil && u.Host != "" {
				a[AddressOf(u)] = true
			}
			n := len(whole) - 1
			if n < 0 || !strings.ContainsRune(".,;:!?)]}'*_", rune(whole[n])) {
				break
			}
			whole = whole[:n]
		}
	}
}

// mostMarks is how many marks of punctuation may follow an address.
const mostMarks = 6

func before(text, mark string) string {
	text, _, _ = strings.Cut(text, mark)
	return text
}

// Has reports whether the addresses hold a URL.
func (a Addresses) Has(u *url.URL) bool { return a[AddressOf(u)] }
