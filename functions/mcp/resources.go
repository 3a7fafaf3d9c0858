package mcp

import (
	"context"
	"encoding/base64"
	"encoding/json"
	"net/url"
	"strings"

	"github.com/modelcontextprotocol/go-sdk/jsonrpc"
	"github.com/modelcontextprotocol/go-sdk/mcp"

	"lectern/shared/fault"
)

const (
	uriPrefix = "lectern://artifacts/"
	markdown  = "text/markdown"
	pageSize  = 100 // resources per page
)

// uriOf returns the resource URI of a document.
func uriOf(collection, artifact string) string {
	return uriPrefix + escape(collection) + "/" + escape(artifact)
}

// escape percent-encodes every character that any part of a URI reserves.
func escape(s string) string { return strings.ReplaceAll(url.QueryEscape(s), "+", "%20") }

// parseURI is the inverse of uriOf.
func parseURI(uri string) (collection, artifact string, ok bool) {
	rest, ok := strings.CutPrefix(uri, uriPrefix)
	c, a, cut := strings.Cut(rest, "/")
	collection, err := url.PathUnescape(c)
	artifact, err2 := url.PathUnescape(a)
	return collection, artifact, ok && cut && err == nil && err2 == nil && collection != "" && artifact != ""
}

// addResources lists every document as a resource, page by page on request: the
// SDK's own list would hold them all in memory.
func (d Deps) addResources(s *mcp.Server) {
	s.AddResourceTemplate(&mcp.ResourceTemplate{
		Name: "artifact", Title: "Ingested document", Description: "The text of an ingested document.", MIMEType: markdown,
		URITemplate: uriPrefix + "{collection}/{artifact}",
	}, d.readResource)
	s.AddReceivingMiddleware(func(next mcp.MethodHandler) mcp.MethodHandler {
		return func(ctx context.Context, method string, req mcp.Request) (mcp.Result, error) {
			list, ok := req.(*mcp.ListResourcesRequest)
			if !ok || method != "resources/list" {
				return next(ctx, method, req)
			}
			result, err := d.listResources(ctx, list.Params)
			if err != nil {
				return nil, err
			}
			return result, nil
		}
	})
}

func (d Deps) readResource(ctx context.Context, r *mcp.ReadResourceRequest) (*mcp.ReadResourceResult, error) {
	collection, name, ok := parseURI(r.Params.URI)
	if !ok {
		return nil, mcp.ResourceNotFoundError(r.Params.URI)
	}
	text, err := d.text(ctx, collection, name)
	if fault.Is(err, fault.NotFound) {
		return nil, mcp.ResourceNotFoundError(r.Params.URI)
	}
	if err != nil {
		return nil, d.public(ctx, err)
	}
	return &mcp.ReadResourceResult{Contents: []*mcp.ResourceContents{{URI: r.Params.URI, MIMEType: markdown, Text: text}}}, nil
}

// collectionsAtOnce is how many collections are read ahead of their documents.
const collectionsAtOnce = 20

// cursor is the position of a list of resources: the last artifact of the page.
type cursor struct {
	Collection string `json:"c"`
	Artifact   string `json:"a"`
}

func (d Deps) listResources(ctx context.Context, p *mcp.ListResourcesParams) (*mcp.ListResourcesResult, error) {
	var at cursor
	if p != nil && p.Cursor != "" {
		raw, err := base64.RawURLEncoding.DecodeString(p.Cursor)
		if err != nil || json.Unmarshal(raw, &at) != nil {
			return nil, &jsonrpc.Error{Code: jsonrpc.CodeInvalidParams, Message: "unknown cursor"}
		}
	}
	out := &mcp.ListResourcesResult{Resources: []*mcp.Resource{}}
	for names, more := []string{at.Collection}, true; ; {
		for _, name := range names {
			if name == "" {
				continue // before the first collection
			}
			after := ""
			if name == at.Collection {
				after = at.Artifact
			}
			docs, err := d.Artifacts.List(ctx, name, after, pageSize-len(out.Resources)+1)
			if err != nil {
				return nil, d.public(ctx, err)
			}
			for _, doc := range docs {
				if len(out.Resources) == pageSize {
					raw, err := json.Marshal(at)
					out.NextCursor = base64.RawURLEncoding.EncodeToString(raw)
					return out, err
				}
				one := itemOf(name, doc)
				out.Resources = append(out.Resources, &mcp.Resource{URI: one.URI, Name: one.Artifact, Title: one.Title, MIMEType: markdown})
				at = cursor{name, one.Artifact}
			}
		}
		if !more {
			break
		}
		list, further, err := d.Artifacts.Collections(ctx, names[len(names)-1], collectionsAtOnce)
		if err != nil {
			return nil, d.public(ctx, err)
		}
		names, more = names[:0], further
		for _, c := range list {
			names = append(names, c.Name)
		}
	}
	return out, nil
}
