package rest

import (
	"net"
	"net/http"
	"net/netip"
	"net/url"
	"slices"
	"strings"

	"lectern/shared/fault"
)

// Door keeps pages of other sites out of a service without authentication.
// A page that the user opens can send requests to this machine, and can point a
// host name of its own at it (DNS rebinding), so both the Host and the Origin of
// a request have to be the service's own.
type Door struct {
	// Hosts are further names by which clients may reach the service.
	Hosts []string
	// Origin is a further origin whose pages may call it; empty for none.
	Origin string
}

// check returns a Forbidden fault for a request that a foreign page may have
// sent.
func (d *Door) check(r *http.Request) error {
	host := hostname(r.Host)
	if !d.own(r, host) {
		return fault.New(fault.Forbidden, "the host %q is not a name of this service; add it to LECTERN_HOSTS", clip(host, 255))
	}
	origin := r.Header.Get("Origin")
	switch {
	case origin == "" && r.Header.Get("Sec-Fetch-Site") == "cross-site" && r.Header.Get("Sec-Fetch-Mode") != "navigate",
		origin != "" && origin != d.Origin && !sameOrigin(origin, r.Host) && !(loopbackOrigin(origin) && loopback(host)):
		return fault.New(fault.Forbidden, "pages of other origins may not call a service without authentication")
	}
	return nil
}

// own reports whether a host is this service's: a loopback name, the address that the
// client connected to, or a configured name.
func (d *Door) own(r *http.Request, host string) bool {
	if loopback(host) || slices.ContainsFunc(d.Hosts, func(h string) bool { return strings.EqualFold(h, host) }) {
		return true
	}
	ip, err := netip.ParseAddr(host)
	local, ok := r.Context().Value(http.LocalAddrContextKey).(net.Addr)
	if err != nil || !ok {
		return false
	}
	at, err := netip.ParseAddrPort(local.String())
	return err == nil && at.Addr().Unmap() == ip.Unmap()
}

// hostname returns a Host header without port and brackets.
func hostname(host string) string {
	if name, _, err := net.SplitHostPort(host); err == nil {
		return strings.TrimSuffix(name, ".")
	}
	return strings.TrimSuffix(strings.Trim(host, "[]"), ".")
}

func loopback(host string) bool {
	ip, err := netip.ParseAddr(host)
	return strings.EqualFold(host, "localhost") || err == nil && ip.Unmap().IsLoopback()
}

// sameOrigin reports whether an origin is the service itself.
func sameOrigin(origin, host string) bool {
	u, err := url.Parse(origin)
	return err == nil && (u.Scheme == "http" || u.Scheme == "https") && strings.EqualFold(u.Host, host)
}

// loopbackOrigin reports whether a page comes from a server on the same
// machine, such as a development server.
func loopbackOrigin(origin string) bool {
	u, err := url.Parse(origin)
	return err == nil && (u.Scheme == "http" || u.Scheme == "https") && loopback(u.Hostname())
}
