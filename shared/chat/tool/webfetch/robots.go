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

// robots rejects what the site's robots.txt disallows. A missing file allows
// everything; an incomplete file, or a server error, allows nothing. If the
// site is unreachable, the fetch itself reports it.
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
		return t.Fetch.Refused(err, u.Hostname()) // other errors recur in the fetch
	}
	defer resp.Body.Close()
	body, err := io.ReadAll(io.LimitReader(resp.Body, robotsBytes))
	if err != nil {
		return fault.New(fault.Forbidden, "the robots.txt of %s is incomplete; LECTERN_WEB_ROBOTS can ignore it", u.Hostname())
	}
	rules, err := robotstxt.FromStatusAndBytes(resp.StatusCode, body)
	if err == nil && !rules.TestAgent(u.EscapedPath(), agent) {
		return fault.New(fault.Forbidden, "the robots.txt of %s disallows this URL; LECTERN_WEB_ROBOTS can ignore it", u.Hostname())
	}
	return nil
}
