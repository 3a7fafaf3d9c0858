// Package mcp exposes the service as a Model Context Protocol server: tools to
// search and read ingested documents, and the documents as resources.
//
// It speaks streamable HTTP without sessions, because a function keeps no state
// between requests. API keys apply as everywhere else: a key that is limited to
// some collections reaches only those.
package mcp

import (
	"log/slog"
	"net"
	"net/http"
	"net/netip"
	"net/url"
	"slices"
	"strings"

	"github.com/modelcontextprotocol/go-sdk/mcp"

	"lectern/shared/api/rest"
	"lectern/shared/fault"
	"lectern/shared/knowledge/artifact"
	"lectern/shared/knowledge/retrieval"
	"lectern/shared/message"
)

// Deps are the collaborators of the group.
type Deps struct {
	Searcher  *retrieval.Searcher
	Artifacts *artifact.Service
	Origins   []string // from which browsers may call; "*" for any
	Log       *slog.Logger
}

// call is one JSON-RPC message.
type call struct {
	Version string         `json:"jsonrpc" required:"true" enum:"2.0"`
	ID      any            `json:"id,omitempty" doc:"absent in notifications"`
	Method  string         `json:"method" required:"true"`
	Params  message.Object `json:"params,omitempty"`
}

// answer is a JSON-RPC response.
type answer struct {
	Version string         `json:"jsonrpc"`
	ID      any            `json:"id"`
	Result  message.Object `json:"result,omitempty"`
	Error   message.Object `json:"error,omitempty"`
}

// Routes lists the group's endpoints.
func (d Deps) Routes() []rest.Route {
	server := d.server()
	handler := mcp.NewStreamableHTTPHandler(func(*http.Request) *mcp.Server { return server },
		&mcp.StreamableHTTPOptions{Stateless: true, JSONResponse: true})
	return []rest.Route{{
		Pattern: "POST /mcp",
		Handle: rest.HandlerFunc(func(w http.ResponseWriter, r *http.Request) error {
			if err := d.checkOrigin(r); err != nil {
				return err
			}
			out := &refusals{ResponseWriter: w}
			handler.ServeHTTP(out, r)
			return out.err()
		}),
		Doc: "Call the service as an MCP server (streamable HTTP)", Body: call{}, Answer: answer{},
	}}
}

// checkOrigin rejects browser pages from other origins, which may use DNS
// rebinding to reach this machine. Clients other than browsers send no Origin.
//
// Source: Model Context Protocol, transports, "Security Warning".
func (d Deps) checkOrigin(r *http.Request) error {
	origin := r.Header.Get("Origin")
	if origin == "" || slices.Contains(d.Origins, "*") || slices.Contains(d.Origins, origin) {
		return nil
	}
	if u, err := url.Parse(origin); err == nil && loopback(u.Hostname()) && loopback(hostOf(r.Host)) {
		return nil
	}
	return fault.New(fault.Forbidden, "this origin may not call the MCP server; allow it with LECTERN_CORS_ORIGIN")
}

func hostOf(hostport string) string {
	if host, _, err := net.SplitHostPort(hostport); err == nil {
		return host
	}
	return strings.Trim(hostport, "[]")
}

func loopback(host string) bool {
	ip, err := netip.ParseAddr(host)
	return strings.EqualFold(host, "localhost") || err == nil && ip.IsLoopback()
}
