package mcp

import (
	"context"
	"errors"
	"fmt"
	"strings"
	"unicode/utf8"

	"github.com/modelcontextprotocol/go-sdk/mcp"

	"lectern/shared/fault"
	"lectern/shared/knowledge/artifact"
	"lectern/shared/knowledge/retrieval"
	"lectern/shared/message"
)

const standardCollection = "vendor_collection"

// server returns a server without state.
func (d Deps) server() *mcp.Server {
	s := mcp.NewServer(&mcp.Implementation{Name: "lectern", Title: "Lectern", Version: "1"}, &mcp.ServerOptions{
		Instructions: "Search the ingested documents with semantic_search and read one whole with read_artifact. list_artifacts lists them.",
		Capabilities: &mcp.ServerCapabilities{Tools: &mcp.ToolCapabilities{}, Resources: &mcp.ResourceCapabilities{}},
	})
	reads := &mcp.ToolAnnotations{ReadOnlyHint: true, IdempotentHint: true}
	mcp.AddTool(s, &mcp.Tool{Name: "semantic_search",
		Description: "Find the passages of ingested documents that answer a question, best first.", Annotations: reads}, handle(d, d.search))
	mcp.AddTool(s, &mcp.Tool{Name: "list_collections", Description: "List the collections of documents.", Annotations: reads},
		handle(d, d.listCollections))
	mcp.AddTool(s, &mcp.Tool{Name: "list_artifacts", Description: "List the documents of a collection.", Annotations: reads},
		handle(d, d.listArtifacts))
	mcp.AddTool(s, &mcp.Tool{Name: "read_artifact", Description: "Read the text of a document, as markdown.", Annotations: reads},
		handle(d, d.readArtifact))
	d.addResources(s)
	return s
}

// handle makes a tool of a function that returns its text and its data. An
// error becomes a result with isError.
func handle[In, Out any](d Deps, run func(context.Context, In) (string, Out, error)) mcp.ToolHandlerFor[In, Out] {
	return func(ctx context.Context, _ *mcp.CallToolRequest, in In) (*mcp.CallToolResult, Out, error) {
		text, out, err := run(ctx, in)
		if err != nil {
			return nil, out, d.public(ctx, err)
		}
		return &mcp.CallToolResult{Content: []mcp.Content{&mcp.TextContent{Text: text}}}, out, nil
	}
}

// public returns the part of an error that clients may read.
func (d Deps) public(ctx context.Context, err error) error {
	if fault.CodeOf(err) == fault.Internal {
		d.Log.ErrorContext(ctx, "MCP call failed", "error", err)
		return errors.New("internal error")
	}
	return errors.New(fault.Public(err))
}

func named(collection string) string {
	if collection == "" {
		return standardCollection
	}
	return collection
}

// within returns n, or standard when n is nil; n must lie in 1 to most.
func within(field string, n *int, standard, most int) (int, error) {
	switch {
	case n == nil:
		return standard, nil
	case *n < 1 || *n > most:
		return 0, fault.New(fault.Invalid, "%s should be 1 to %d", field, most)
	}
	return *n, nil
}

type searchInput struct {
	Query      string   `json:"query" jsonschema:"what to look for, in natural language"`
	Collection string   `json:"collection,omitempty" jsonschema:"default: vendor_collection"`
	Artifacts  []string `json:"artifacts,omitempty" jsonschema:"search only these documents"`
	Limit      *int     `json:"limit,omitempty" jsonschema:"how many passages, 1 to 100; default: 10"`
}

type passages struct {
	Results []found `json:"results"`
}

type found struct {
	Artifact string  `json:"artifact"`
	Title    string  `json:"title,omitempty"`
	URI      string  `json:"uri"`
	Score    float64 `json:"score"`
	Text     string  `json:"text"`
}

func (d Deps) search(ctx context.Context, in searchInput) (string, passages, error) {
	out := passages{Results: []found{}}
	limit, err := within("limit", in.Limit, 10, 100)
	if err == nil && strings.TrimSpace(in.Query) == "" {
		err = fault.New(fault.Invalid, "query should not be empty")
	}
	if err != nil {
		return "", out, err
	}
	collection := named(in.Collection)
	hits, err := d.Searcher.Search(ctx, retrieval.Query{Text: in.Query, Filter: message.ContextFilter{Collection: collection,
		Artifacts: in.Artifacts}, Limit: limit})
	if err != nil {
		return "", out, err
	}
	var text strings.Builder
	for _, c := range hits.Chunks {
		title, _ := c.Metadata["title"].(string)
		one := found{Artifact: c.Document.Artifact, Title: title, URI: uriOf(collection, c.Document.Artifact), Score: c.Score, Text: c.Text}
		out.Results = append(out.Results, one)
		fmt.Fprintf(&text, "[%s]\n%s\n\n", one.Artifact, one.Text)
	}
	if len(out.Results) == 0 {
		if len(hits.Warnings) > 0 {
			return "No relevant passages were found: " + strings.Join(hits.Warnings, "; ") + ".", out, nil
		}
		return "No relevant passages were found.", out, nil
	}
	return strings.TrimSpace(text.String()), out, nil
}

type collectionsInput struct {
	After string `json:"after,omitempty" jsonschema:"cursor: list collections after this one"`
	Limit *int   `json:"limit,omitempty" jsonschema:"1 to 1000; default: 100"`
}

type collections struct {
	Collections []collection `json:"collections"`
	More        bool         `json:"has_more"`
}

type collection struct {
	Name      string `json:"name"`
	Artifacts int    `json:"artifacts"`
}

func (d Deps) listCollections(ctx context.Context, in collectionsInput) (string, collections, error) {
	out := collections{Collections: []collection{}}
	limit, err := within("limit", in.Limit, 100, 1000)
	if err != nil {
		return "", out, err
	}
	list, more, err := d.Artifacts.Collections(ctx, in.After, limit)
	if err != nil {
		return "", out, err
	}
	var text strings.Builder
	for _, c := range list {
		out.Collections = append(out.Collections, collection{c.Name, c.Artifacts})
		fmt.Fprintf(&text, "%s (%d documents)\n", c.Name, c.Artifacts)
	}
	out.More = more
	return listing(&text, more, "There are no collections."), out, nil
}

// listing returns the text of a list, or none if it is empty.
func listing(text *strings.Builder, more bool, none string) string {
	switch {
	case text.Len() == 0:
		return none
	case more:
		text.WriteString("There are more: ask again with after set to the last one.")
	}
	return strings.TrimSpace(text.String())
}

type artifactsInput struct {
	Collection string `json:"collection,omitempty" jsonschema:"default: vendor_collection"`
	After      string `json:"after,omitempty" jsonschema:"cursor: list documents after this one"`
	Limit      *int   `json:"limit,omitempty" jsonschema:"1 to 1000; default: 100"`
}

type artifacts struct {
	Artifacts []item `json:"artifacts"`
	More      bool   `json:"has_more"`
}

type item struct {
	Artifact string `json:"artifact"`
	Title    string `json:"title,omitempty"`
	FileName string `json:"file_name,omitempty"`
	URI      string `json:"uri"`
}

func (d Deps) listArtifacts(ctx context.Context, in artifactsInput) (string, artifacts, error) {
	out := artifacts{Artifacts: []item{}}
	limit, err := within("limit", in.Limit, 100, 1000)
	if err != nil {
		return "", out, err
	}
	docs, err := d.Artifacts.List(ctx, named(in.Collection), in.After, limit+1)
	if err != nil {
		return "", out, err
	}
	if out.More = len(docs) > limit; out.More {
		docs = docs[:limit]
	}
	var text strings.Builder
	for _, doc := range docs {
		one := itemOf(named(in.Collection), doc)
		out.Artifacts = append(out.Artifacts, one)
		fmt.Fprintf(&text, "%s (%s)\n", one.Artifact, one.FileName)
	}
	return listing(&text, out.More, "The collection has no documents."), out, nil
}

func itemOf(collection string, doc artifact.Doc) item {
	one := item{Artifact: doc.Artifact, URI: uriOf(collection, doc.Artifact)}
	one.Title, _ = doc.Metadata["title"].(string)
	one.FileName, _ = doc.Metadata["file_name"].(string)
	return one
}

type readInput struct {
	Artifact   string `json:"artifact" jsonschema:"the document's name"`
	Collection string `json:"collection,omitempty" jsonschema:"default: vendor_collection"`
	Offset     int    `json:"offset,omitempty" jsonschema:"cursor in bytes: next_offset of the previous answer; default: 0"`
	Limit      *int   `json:"max_bytes,omitempty" jsonschema:"1 to 500000; default: 50000"`
}

type content struct {
	Text string `json:"text"`
	Size int    `json:"size" jsonschema:"size of the whole text, in bytes"`
	Next *int   `json:"next_offset,omitempty" jsonschema:"offset of the rest; absent at the end"`
}

func (d Deps) readArtifact(ctx context.Context, in readInput) (string, content, error) {
	limit, err := within("max_bytes", in.Limit, 50_000, 500_000)
	if err != nil {
		return "", content{}, err
	}
	text, err := d.text(ctx, named(in.Collection), in.Artifact)
	if err != nil {
		return "", content{}, err
	}
	if in.Offset < 0 || in.Offset > len(text) {
		return "", content{}, fault.New(fault.Invalid, "offset should be 0 to %d", len(text))
	}
	start, end := boundary(text, in.Offset), boundary(text, min(in.Offset+max(limit, utf8.UTFMax), len(text)))
	out := content{Text: text[start:end], Size: len(text)}
	if end < len(text) {
		out.Next = &end
		return fmt.Sprintf("%s\n\n[%d of %d bytes; go on at offset %d]", out.Text, end-start, len(text), end), out, nil
	}
	return out.Text, out, nil
}

// boundary returns the start of the character that byte i belongs to.
func boundary(s string, i int) int {
	for i > 0 && i < len(s) && !utf8.RuneStart(s[i]) {
		i--
	}
	return i
}

// text returns a document as markdown.
func (d Deps) text(ctx context.Context, collection, name string) (string, error) {
	if name == "" {
		return "", fault.New(fault.Invalid, "artifact should not be empty")
	}
	list, err := d.Artifacts.Content(ctx, &artifact.ContentBody{Filter: &artifact.Filter{Collection: collection,
		Artifacts: []string{name}}, Format: "markdown"})
	if err != nil {
		return "", err
	}
	if len(list) == 0 {
		return "", fault.New(fault.NotFound, "no artifact %q", name)
	}
	text, _ := list[0].Content.(string)
	return text, nil
}
