// Package fetch is the guarded HTTP client for URLs from users and documents,
// which prevents request forgery: it connects only to public addresses, checked
// when it dials, so that redirects and DNS rebinding are covered. Hosts and
// networks that the operator allows are exempt.
package fetch

import (
	"context"
	"errors"
	"fmt"
	"io"
	"mime"
	"net"
	"net/http"
	"net/netip"
	"net/url"
	"path"
	"runtime"
	"slices"
	"strings"
	"syscall"
	"time"

	"code.dny.dev/ssrf"

	"lectern/shared/fault"
	"lectern/shared/fault/budget"
)

// Client fetches. Safe for concurrent use.
type Client struct {
	// Own reads URLs of the service itself, by scheme. Only Get uses it, never a
	// redirect. Set before the first use.
	Own map[string]func(ctx context.Context, u *url.URL) (*File, error)

	// Budget limits the memory of fetches; nil is unlimited. Set before the
	// first use.
	Budget *budget.Budget

	http  *http.Client
	guard *ssrf.Guardian
	hosts []string
	nets  []netip.Prefix
}

// Limits of a fetch.
const (
	Timeout  = 25 * time.Second
	MaxBytes = 100 << 20
)

// New returns a client. allow lists hosts and CIDRs that may be reached
// although they are private, and by plain http where https is required.
func New(allow []string) *Client {
	c := &Client{guard: ssrf.New(ssrf.WithAnyPort())}
	for _, a := range allow {
		if p, err := netip.ParsePrefix(a); err == nil {
			c.nets = append(c.nets, p)
		} else if ip, err := netip.ParseAddr(a); err == nil {
			c.nets = append(c.nets, netip.PrefixFrom(ip, ip.BitLen()))
		} else {
			c.hosts = append(c.hosts, strings.ToLower(a))
		}
	}
	transport := http.DefaultTransport.(*http.Transport).Clone()
	transport.Proxy = nil
	transport.DialContext = c.dial
	transport.MaxIdleConnsPerHost = 2
	c.http = &http.Client{Transport: transport, CheckRedirect: func(r *http.Request, via []*http.Request) error {
		if len(via) >= 5 {
			return errors.New("more than 5 redirects")
		}
		return c.CheckURL(r.URL)
	}}
	return c
}

// HTTP returns the guarded client, for protocols on top of it.
func (c *Client) HTTP() *http.Client { return c.http }

// Dial connects to a host and port for protocols other than HTTP. A blocked
// address is Forbidden.
func (c *Client) Dial(ctx context.Context, network, address string) (net.Conn, error) {
	if !strings.HasPrefix(network, "tcp") {
		return nil, fault.New(fault.Forbidden, "only TCP connections are allowed")
	}
	conn, err := c.dial(ctx, network, address)
	host, _, _ := net.SplitHostPort(address)
	if refused := c.Refused(err, host); refused != nil {
		return nil, refused
	}
	return conn, err
}

// Refused returns a Forbidden fault if err means that the host's address, or that of
// a host that it redirected to, was blocked; nil for every other error.
func (c *Client) Refused(err error, host string) error {
	if !errors.Is(err, errBlocked) {
		return nil
	}
	if failed, ok := errors.AsType[*url.Error](err); ok { // of the last redirect
		if u, err := url.Parse(failed.URL); err == nil && u.Host != "" {
			host = u.Hostname()
		}
	}
	return fault.Wrap(err, fault.Forbidden, "the address of %q is not public; LECTERN_ALLOW_HOSTS can allow it", host)
}

// errBlocked marks a blocked address.
var errBlocked = errors.New("address is not public")

func (c *Client) dial(ctx context.Context, network, address string) (net.Conn, error) {
	host, _, err := net.SplitHostPort(address)
	if err != nil {
		return nil, err
	}
	d := net.Dialer{Timeout: 10 * time.Second}
	if !c.Allowed(host) {
		d.Control = func(network, address string, raw syscall.RawConn) error {
			if c.allowedAddress(address) {
				return nil
			}
			if err := c.guard.Safe(network, address, raw); err != nil {
				return errors.Join(errBlocked, err)
			}
			return nil
		}
	}
	return d.DialContext(ctx, network, address)
}

// Allowed reports whether the operator allows the host.
func (c *Client) Allowed(host string) bool {
	host = strings.TrimSuffix(strings.ToLower(host), ".")
	if slices.Contains(c.hosts, host) {
		return true
	}
	ip, err := netip.ParseAddr(host)
	return err == nil && c.allowedIP(ip)
}

func (c *Client) allowedAddress(address string) bool {
	ap, err := netip.ParseAddrPort(address)
	return err == nil && c.allowedIP(ap.Addr())
}

func (c *Client) allowedIP(ip netip.Addr) bool {
	ip = ip.Unmap()
	return slices.ContainsFunc(c.nets, func(p netip.Prefix) bool { return p.Contains(ip) })
}

// CheckURL rejects URLs other than http and https.
func (c *Client) CheckURL(u *url.URL) error {
	if u.Scheme != "http" && u.Scheme != "https" || u.Host == "" {
		return fault.New(fault.Invalid, "only http and https URLs can be fetched")
	}
	return nil
}

// CheckAddress rejects URLs other than http and https, and, as Forbidden, hosts
// that resolve to an address that is not public. It accepts names that do not
// resolve; dialling checks again.
func (c *Client) CheckAddress(ctx context.Context, u *url.URL) error {
	if err := c.CheckURL(u); err != nil || c.Allowed(u.Hostname()) {
		return err
	}
	ctx, cancel := context.WithTimeout(ctx, 2*time.Second)
	defer cancel()
	list, err := net.DefaultResolver.LookupNetIP(ctx, "ip", u.Hostname())
	if err != nil {
		return nil
	}
	for _, ip := range list {
		network := "tcp6"
		if ip = ip.Unmap(); ip.Is4() {
			network = "tcp4"
		}
		if err := c.guard.Safe(network, netip.AddrPortFrom(ip, 443).String(), nil); err != nil && !c.allowedIP(ip) {
			return fault.Wrap(err, fault.Forbidden, "the address of %q is not public; LECTERN_ALLOW_HOSTS can allow it", u.Hostname())
		}
	}
	return nil
}

// File is a fetched file.
type File struct {
	Data        []byte
	Name        string // the last path segment of the final URL
	ContentType string // without parameters; may be empty
	URL         string // the final URL; empty for the service's own
}

// Get fetches a URL, within Timeout and MaxBytes. A URL that cannot be fetched
// is Invalid with type unreachable_uri and the given location; a blocked
// address is Forbidden.
func (c *Client) Get(ctx context.Context, address string, loc ...any) (*File, error) {
	return c.GetIf(ctx, address, nil, loc...)
}

// GetIf is Get with a check: permit is called with the URL and each redirect's
// before they are fetched, and a fault that it returns is returned. nil permits
// all.
func (c *Client) GetIf(ctx context.Context, address string, permit func(*url.URL) error, loc ...any) (*File, error) {
	unreachable := func(why string) error { return fault.Field("unreachable_uri", why, loc...) }
	u, err := url.Parse(address)
	if err != nil {
		return nil, unreachable("the address cannot be parsed")
	}
	if own, ok := c.Own[u.Scheme]; ok {
		file, err := own(ctx, u)
		if fault.Is(err, fault.NotFound) {
			return nil, unreachable(fault.As(err).Msg)
		}
		if fault.Is(err, fault.TooLarge) {
			return nil, fault.Field("too_large", fault.As(err).Msg, loc...)
		}
		return file, err
	}
	if err := c.CheckURL(u); err != nil {
		return nil, unreachable(fault.As(err).Msg)
	}
	ctx, cancel := context.WithTimeout(ctx, Timeout)
	defer cancel()
	client := c.http
	if permit != nil {
		if err := permit(u); err != nil {
			return nil, err
		}
		client = c.only(permit)
	}
	req, err := http.NewRequestWithContext(ctx, http.MethodGet, address, nil)
	if err != nil {
		return nil, unreachable("the address cannot be parsed")
	}
	req.Header.Set("User-Agent", "Lectern/1.0")
	resp, err := client.Do(req)
	if err != nil {
		return nil, c.explain(err, u.Hostname(), unreachable)
	}
	defer resp.Body.Close()
	if resp.StatusCode >= 400 {
		return nil, unreachable(fmt.Sprintf("the address answered with status %d", resp.StatusCode))
	}
	if resp.ContentLength > MaxBytes {
		return nil, fault.Field("too_large", fmt.Sprintf("the file is over %d MiB", MaxBytes>>20), loc...)
	}
	claim := c.Budget.Within(ctx)
	defer claim.Release()
	data, err := readAll(resp.Body, func(bytes int64) error { return claim.Grow(ctx, bytes) })
	if errors.Is(err, errTooLarge) {
		return nil, fault.Field("too_large", fmt.Sprintf("the file is over %d MiB", MaxBytes>>20), loc...)
	}
	if fault.As(err) != nil {
		return nil, err
	}
	if err != nil {
		return nil, unreachable("the address broke off its answer")
	}
	claim.Leave(int64(len(data)))
	kind, _, _ := mime.ParseMediaType(resp.Header.Get("Content-Type"))
	name := path.Base(resp.Request.URL.Path)
	if name == "/" || name == "." {
		name = ""
	}
	return &File{Data: data, Name: name, ContentType: kind, URL: resp.Request.URL.String()}, nil
}

// only returns the guarded client with permit applied to redirects.
func (c *Client) only(permit func(*url.URL) error) *http.Client {
	client := *c.http
	client.CheckRedirect = func(r *http.Request, via []*http.Request) error {
		if err := c.http.CheckRedirect(r, via); err != nil {
			return err
		}
		return permit(r.URL)
	}
	return &client
}

func (c *Client) explain(err error, host string, unreachable func(string) error) error {
	if refused := c.Refused(err, host); refused != nil {
		return refused
	}
	if f := fault.As(err); f != nil && f.Code == fault.Forbidden {
		return f
	}
	switch {
	case errors.Is(err, context.DeadlineExceeded):
		return unreachable("the address did not answer in time")
	case errors.Is(err, context.Canceled):
		return err
	}
	return unreachable("the address cannot be reached")
}

var errTooLarge = errors.New("over MaxBytes")

// readAll reads to the end. It does not trust the declared length: data is
// collected in slabs, and grow claims memory for each.
func readAll(r io.Reader, grow func(bytes int64) error) ([]byte, error) {
	const first, most = 32 << 10, 4 << 20
	var slabs [][]byte
	total := int64(0)
	got, read := 0, 0 // read since others had their turn
	for size := first; ; size = min(2*size, most) {
		if total += int64(size); total > first {
			if err := grow(2 * total); err != nil { // slabs are joined at the end
				return nil, err
			}
		}
		slab := make([]byte, 0, size)
		for len(slab) < size {
			n, err := r.Read(slab[len(slab):min(size, len(slab)+budget.PieceBytes)])
			slab = slab[:len(slab)+n]
			if got += n; got > MaxBytes {
				return nil, errTooLarge
			}
			if read += n; read >= budget.PieceBytes { // there may always be more to unpack
				read = 0
				runtime.Gosched()
			}
			if err == io.EOF {
				return joined(append(slabs, slab)), nil
			}
			if err != nil { // a truncated body is io.ErrUnexpectedEOF
				return nil, err
			}
		}
		slabs = append(slabs, slab)
	}
}

func joined(slabs [][]byte) []byte {
	size := 0
	for _, s := range slabs {
		size += len(s)
	}
	out := make([]byte, 0, size)
	for _, s := range slabs {
		budget.Pieces(s, func(part []byte) { out = append(out, part...) })
	}
	return out
}
