// Package mcp is the service as a server of the Model Context Protocol: tools
// to search and read ingested documents, and the documents as resources.
//
// It speaks streamable HTTP without sessions: each request stands on its own,
// as a function's must. Keys hold as everywhere else, so that one limited to
// collections reaches these alone.
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

// Deps are the group's collaborators.
type Deps struct {
	Searcher  *retrieval.Searcher
	Artifacts *artifact.Service
	Origins   []string // from which browsers may call; "*" for any
	Log       *slog.Logger
}

// New returns the group's handler.
func New(d Deps) http.Handler { return rest.Mux(d.Routes()) }

// call is one message of the protocol.
type call struct {
	Version string         `json:"jsonrpc" required:"true" enum:"2.0"`
	ID      any            `json:"id,omitempty" doc:"absent from notifications"`
	Method  string         `json:"method" required:"true"`
	Params  message.Object `json:"params,omitempty"`
}

// answer is what comes back.
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
		Doc: "The service as an MCP server (streamable HTTP)", Body: call{}, Answer: answer{},
	}}
}

// checkOrigin refuses pages of other origins, which may have pointed their own
// name at this machine. Clients that are no browsers name no origin.
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
	return fault.New(fault.Forbidden, "pages of this origin may not call the MCP server; LECTERN_CORS_ORIGIN can name it")
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
