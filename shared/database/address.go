package database

import (
	"net/url"
	"strconv"
	"strings"

	"lectern/shared/fault"
)

// Address is the parsed form of a SQLAlchemy connection string:
// dialect+driver://user:password@host:port/name?option=value.
type Address struct {
	Dialect        Dialect
	Host           string
	Port           int
	User, Password string
	Name           string // of the database; of SQLite, of the file
	// TLS is how the connection is secured.
	TLS TLS
	// Path is PostgreSQL's search path.
	Path string
}

// TLS is how a connection is secured.
type TLS int

// TLS modes.
const (
	Prefer TLS = iota // if the server offers it
	Off
	Require // without verifying the certificate, because private servers use self-signed ones
	Verify  // with a certificate of a public authority for the host
)

// schemes maps URL schemes to dialects and default ports.
var schemes = map[string]struct {
	dialect Dialect
	port    int
}{
	"postgresql": {Postgres, 5432}, "postgres": {Postgres, 5432}, "mysql": {MySQL, 3306}, "mariadb": {MySQL, 3306},
	"mssql": {SQLServer, 1433}, "sqlserver": {SQLServer, 1433}, "sqlite": {SQLite, 0},
}

// elsewhere are options that refer to other hosts or local files.
var elsewhere = map[string]bool{"host": true, "hostaddr": true, "port": true, "service": true, "servicefile": true, "passfile": true,
	"sslcert": true, "sslkey": true, "sslrootcert": true,
	"sslcrl": true, "unix_socket": true, "read_default_file": true, "ssl_ca": true, "ssl_cert": true, "ssl_key": true,
	"odbc_connect": true, "instance": true, "krb5-configfile": true}

// Parse parses a connection string. ssl requires TLS if the string does not
// say. Errors are Invalid at loc, and contain only the scheme and names of
// options.
func Parse(raw string, ssl bool, loc ...any) (Address, error) {
	wrong := func(msg string) (Address, error) { return Address{}, fault.Field("value_error", msg, loc...) }
	scheme, rest, ok := strings.Cut(strings.TrimSpace(raw), "://")
	kind, _, _ := strings.Cut(strings.ToLower(scheme), "+")
	known, found := schemes[kind]
	if !ok || !found {
		return wrong("connection_string should begin with postgresql://, mysql://, mariadb://, mssql:// or sqlite://")
	}
	a := Address{Dialect: known.dialect, Port: known.port}
	rest, query, _ := strings.Cut(rest, "?")
	if a.Dialect == SQLite {
		a.Name = unescaped(strings.Trim(rest, "/"))
		return a, nil
	}
	at := strings.LastIndexByte(rest, '@')
	if at >= 0 {
		user, password, _ := strings.Cut(rest[:at], ":")
		a.User, a.Password, rest = unescaped(user), unescaped(password), rest[at+1:]
	}
	host, name, _ := strings.Cut(rest, "/")
	a.Name = unescaped(name)
	if end := strings.IndexByte(host, ']'); strings.HasPrefix(host, "[") && end > 0 {
		a.Host, host = host[1:end], host[end+1:]
		host = strings.TrimPrefix(host, ":")
	} else {
		a.Host, host, _ = strings.Cut(host, ":")
	}
	if a.Host == "" || strings.ContainsAny(a.Host, `,/\% `) {
		return wrong("connection_string should name one host")
	}
	if host != "" {
		port, err := strconv.Atoi(host)
		if err != nil || port < 1 || port > 65535 {
			return wrong("the port of connection_string should be a number from 1 to 65535")
		}
		a.Port = port
	}
	if strings.ContainsAny(a.User+a.Password+a.Name, "\x00\n\r") {
		return wrong("connection_string should not hold control characters")
	}
	options, err := url.ParseQuery(query)
	if err != nil {
		return wrong("the options of connection_string cannot be parsed")
	}
	if ssl {
		a.TLS = Require
	}
	for name, values := range options {
		if elsewhere[strings.ToLower(name)] {
			return wrong("connection_string should not have the option " + strconv.Quote(strings.ToLower(name)) +
				": it names another host or a file of this machine")
		}
		a.option(strings.ToLower(name), strings.ToLower(values[0]), values[0])
	}
	return a, nil
}

// option applies an option and ignores those of connection pools and drivers.
func (a *Address) option(name, value, raw string) {
	on := value == "true" || value == "1" || value == "yes" || value == "on"
	switch name {
	case "sslmode":
		switch value {
		case "disable":
			a.TLS = Off
		case "require":
			a.TLS = max(a.TLS, Require)
		case "verify-ca", "verify-full":
			a.TLS = Verify
		}
	case "ssl", "tls", "encrypt":
		switch {
		case on, value == "mandatory", value == "require", value == "strict", value == "skip-verify":
			a.TLS = max(a.TLS, Require)
		case value == "verify-full":
			a.TLS = Verify
		}
	case "ssl_verify_cert", "ssl_verify_identity":
		if on {
			a.TLS = Verify
		}
	case "trustservercertificate":
		if value == "no" || value == "false" {
			a.TLS = Verify
		}
	case "ssl_disabled":
		if on {
			a.TLS = Off
		}
	case "options":
		if path, ok := strings.CutPrefix(strings.ReplaceAll(strings.TrimSpace(raw), "-c ", "-c"), "-csearch_path="); ok {
			a.Path = path
		}
	case "search_path", "currentschema":
		a.Path = raw
	}
}

// Hide masks the password in a text.
func (a *Address) Hide(s string) string {
	if len(a.Password) < 3 {
		return s
	}
	return strings.ReplaceAll(strings.ReplaceAll(s, a.Password, "***"), url.PathEscape(a.Password), "***")
}

func unescaped(s string) string {
	if u, err := url.PathUnescape(s); err == nil {
		return u
	}
	return s
}
