package webfetch

import (
	"context"
	"io"
	"net/http"
	"net/url"
	"time"

	"github.com/temoto/robotstxt"

	"lectern/shared/fault"
)

const (
	robotsTime  = 5 * time.Second
	robotsBytes = 500 << 10
	agent       = "Lectern"
)

// robots refuses what the site's robots.txt disallows. A file that is not
// there allows everything; one that breaks off, or that the site fails to give,
// nothing. A site that cannot be reached is left to the fetch itself, which
// says so in its own words.
//
// Source: RFC 9309.
func (t *Tool) robots(ctx context.Context, u *url.URL) error {
	ctx, cancel := context.WithTimeout(ctx, robotsTime)
	defer cancel()
	file := url.URL{Scheme: u.Scheme, Host: u.Host, Path: "/robots.txt"}
	req, err := http.NewRequestWithContext(ctx, http.MethodGet, file.String(), nil)
	if err != nil {
		return err
	}
	req.Header.Set("User-Agent", "Lectern/1.0")
	resp, err := t.Fetch.HTTP().Do(req)
	if err != nil {
		return t.Fetch.Refused(err, u.Hostname()) // others fail again, with their own words
	}
	defer resp.Body.Close()
	body, err := io.ReadAll(io.LimitReader(resp.Body, robotsBytes))
	if err != nil {
		return fault.New(fault.Forbidden, "the robots.txt of %s breaks off; LECTERN_WEB_ROBOTS can ignore it", u.Hostname())
	}
	rules, err := robotstxt.FromStatusAndBytes(resp.StatusCode, body)
	if err == nil && !rules.TestAgent(u.EscapedPath(), agent) {
		return fault.New(fault.Forbidden, "the robots.txt of %s does not allow this address; LECTERN_WEB_ROBOTS can ignore it", u.Hostname())
	}
	return nil
}
