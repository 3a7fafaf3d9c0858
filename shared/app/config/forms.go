package config

import (
	"errors"
	"fmt"
	"net"
	"net/netip"
	"net/url"
	"regexp"
	"slices"
	"strings"
)

// driver returns the URL of a driver, whose name may stand alone: bolt is bolt:.
func driver(value string) string {
	if value == "" || strings.Contains(value, ":") {
		return value
	}
	return value + ":"
}

func drivers(values []string) []string {
	for i, v := range values {
		values[i] = driver(v)
	}
	return values
}

var (
	hostName  = regexp.MustCompile(`^[A-Za-z0-9_]([A-Za-z0-9_-]*[A-Za-z0-9_])?(\.[A-Za-z0-9_]([A-Za-z0-9_-]*[A-Za-z0-9_])?)*$`)
	digits    = regexp.MustCompile(`^[0-9.]+$`)
	namespace = regexp.MustCompile(`^[A-Za-z0-9_-]{1,64}$`)
)

// host reports whether s is a name or an address of a machine, without a port. What
// is all digits and dots is an address, or nothing.
func host(s string) bool {
	if _, err := netip.ParseAddr(s); err == nil {
		return true
	}
	return len(s) <= 253 && hostName.MatchString(s) && !digits.MatchString(s)
}

// checkForms rejects settings that would be taken and never match anything.
func (c *Config) checkForms() (problems []error) {
	problem := func(format string, args ...any) { problems = append(problems, fmt.Errorf(format, args...)) }
	for _, h := range c.Hosts {
		if !host(h) {
			problem("LECTERN_HOSTS: %q is no name of a host; names are listed with commas, without scheme and port", h)
		}
	}
	for _, h := range c.AllowHosts {
		if _, err := netip.ParsePrefix(h); err != nil && !host(h) {
			problem("LECTERN_ALLOW_HOSTS: %q is neither the name nor the address of a host nor a CIDR like 10.0.0.0/8; "+
				"they are listed with commas, without scheme and port", h)
		}
	}
	if c.Origin != "" && c.Origin != "*" && !origin(c.Origin) {
		problem("LECTERN_CORS_ORIGIN: %q should be an origin as browsers send it, like https://app.example.com or http://localhost:3000, "+
			"or *, or none", c.Origin)
	}
	for _, n := range c.Files {
		if !namespace.MatchString(n) || n == "none" {
			problem("LECTERN_FILES: %q is no namespace; namespaces are letters, digits, - and _, listed with commas, or the setting is none", n)
		}
	}
	if len(c.Files) > 0 && !slices.Contains(c.Files, ownNamespace) {
		problem("LECTERN_FILES: %q should list %s, the namespace of requests that name none and of files that tools make; or be none",
			strings.Join(c.Files, ","), ownNamespace)
	}
	if err := checkPort(c.Addr); err != nil {
		problems = append(problems, err)
	}
	return problems
}

// ownNamespace is file.DefaultNamespace, which a test compares.
const ownNamespace = "session"

// origin reports whether s is a web origin as browsers write it: they compare it byte
// for byte, so that a path, a capital or the port of the scheme would match nothing.
func origin(s string) bool {
	u, err := url.Parse(s)
	if err != nil || u.Host == "" || s != strings.ToLower(u.Scheme+"://"+u.Host) {
		return false
	}
	if u.Scheme == "ftp" || u.Scheme == "file" || strings.HasSuffix(u.Host, ":") {
		return false
	}
	if u.Port() == "" {
		return true
	}
	known := map[string]string{"http": "80", "https": "443"}
	port, err := net.LookupPort("tcp", u.Port())
	return err == nil && port > 0 && u.Port() != known[u.Scheme]
}

// checkPort rejects an address that nothing can listen on.
func checkPort(addr string) error {
	_, port, err := net.SplitHostPort(addr)
	if err == nil {
		_, err = net.LookupPort("tcp", port)
	}
	if err != nil {
		return fmt.Errorf("LECTERN_ADDR: %q should be host:port with a port from 0 to 65535, like 127.0.0.1:8080", addr)
	}
	return nil
}

// errNoKeys says that nobody could use a service that asks for keys.
var errNoKeys = errors.New("LECTERN_KEYS lists no key, and neither SERVER_AUTH_SECRET nor LECTERN_OIDC is set: " +
	"with SERVER_AUTH_ENABLED=true nobody could use the service")
