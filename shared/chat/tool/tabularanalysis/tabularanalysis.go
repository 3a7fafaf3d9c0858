// Package tabularanalysis is the tool that answers questions from tables: those
// of ingested documents, and of texts, files and URLs in the request. It loads
// the tables into an in-memory database for the one call.
package tabularanalysis

import (
	"context"
	"encoding/base64"
	"encoding/json"
	"fmt"
	"path"
	"strings"

	"lectern/shared/chat/tool"
	"lectern/shared/chat/tool/inquiry"
	"lectern/shared/database"
	"lectern/shared/database/datatable"
	"lectern/shared/fault"
	"lectern/shared/file"
	"lectern/shared/knowledge/artifact"
	"lectern/shared/knowledge/index/filter"
	"lectern/shared/knowledge/retrieval"
	"lectern/shared/message"
	"lectern/shared/text/document"
)

// Type declares the tool in a request.
const Type = "tabular_analysis_v1"

// Limits of one call.
const (
	maxDocuments = 100
	maxBytes     = 64 << 20
)

// Tool queries tables. Safe for concurrent use.
type Tool struct {
	Open      database.Opener
	Inquiry   *inquiry.Service
	Artifacts *artifact.Service
	Reader    Reader        // of material in the request
	Files     *file.Service // nil disables files
}

// Reader parses files in a request.
type Reader interface {
	ReadBytes(ctx context.Context, name, mediaType string, data []byte) (*document.Document, error)
	ReadURL(ctx context.Context, url string) (*document.Document, error)
}

// Type is tabular_analysis_v1.
func (*Tool) Type() string { return Type }

// Describe returns the description for models.
func (*Tool) Describe() tool.Description {
	return tool.Description{
		Description: "Answer a question by computing with the tables of this conversation's documents: CSV files, sheets, tables in texts. Give the question in words, or a SQLite SELECT statement when the tables are known. Returns the statement, its rows and a CSV file of them.",
		InputSchema: message.Object(`{"type":"object","properties":{"query":{"type":"string","description":"the question, complete in itself"},` +
			`"sql":{"type":"string","description":"one SELECT statement of SQLite to run instead, when the tables are known"}}}`),
		Instructions: "Compute figures from tables with this tool instead of estimating them.",
	}
}

// Check reports missing contexts.
func (t *Tool) Check(ctx context.Context, spec tool.Spec) error {
	return tool.CheckContext(ctx, t.Artifacts.CheckContext, func(ctx context.Context, c message.ContextItem) (*document.Document, error) {
		doc, _, err := t.read(ctx, 0, c)
		return doc, err
	}, spec.Context)
}

// Run answers one question. An unusable filter is Invalid; an unknown artifact, or
// documents without tables, are a failed result.
func (t *Tool) Run(ctx context.Context, call tool.Call) (tool.Result, error) {
	var input struct {
		Query string `json:"query"`
		SQL   string `json:"sql"`
	}
	if err := json.Unmarshal(call.Input, &input); err != nil || strings.TrimSpace(input.Query) == "" && strings.TrimSpace(input.SQL) == "" {
		return tool.Failed("the input needs a query, or a statement in sql"), nil
	}
	tables, cut, err := t.tables(ctx, call.Context)
	if f := fault.As(err); f != nil && (f.Code == fault.NotFound || f.Code == fault.TooLarge) {
		return tool.Failed(f.Msg), nil
	}
	if err != nil {
		return tool.Result{}, err
	}
	if len(tables) == 0 {
		return tool.Failed("there are no tables in the tool's context; give it context items of type ingested_artifact, file, text or uri with tables"), nil
	}
	db, err := t.Open(ctx, database.Target{Address: database.Address{Dialect: database.SQLite}, Tables: tables})
	if err != nil {
		return tool.Result{}, err
	}
	defer db.Close() //nolint:errcheck // in memory only
	about := ""
	if cut {
		about = "not all tables of the documents are here"
	}
	answer, err := t.Inquiry.Answer(ctx, []inquiry.Source{{DB: db, Scope: database.Everything, About: about}},
		inquiry.Question{Text: input.Query, SQL: input.SQL, Model: call.Model})
	return inquiry.Result(ctx, t.Files, call.Session, input.Query, answer, err)
}

// tables collects the tables of all contexts; cut says that the list is truncated.
func (t *Tool) tables(ctx context.Context, items []message.ContextItem) (list []database.Data, cut bool, err error) {
	var set datatable.Set
	size := 0
	add := func(name string, doc *document.Document) error {
		if size += len(doc.Text); size > maxBytes {
			return fault.New(fault.TooLarge, "the tables are over %d MiB together; name fewer artifacts", maxBytes>>20)
		}
		return set.Add(strings.TrimSuffix(path.Base(name), path.Ext(name)), doc)
	}
	for i, c := range items {
		if c.Type == "ingested_artifact" && c.ContextFilter != nil {
			docs, err := t.stored(ctx, c.ContextFilter)
			if err != nil {
				return nil, false, err
			}
			for _, d := range docs {
				name := d.FileName()
				if name == "" {
					name = d.Artifact
				}
				if err := add(name, d.Content); err != nil {
					return nil, false, err
				}
			}
			continue
		}
		doc, name, err := t.read(ctx, i, c)
		if err != nil {
			return nil, false, err
		}
		if doc != nil {
			if err := add(name, doc); err != nil {
				return nil, false, err
			}
		}
	}
	list, cut = set.Tables()
	return list, cut, nil
}

// stored reads the ingested documents that a filter selects.
func (t *Tool) stored(ctx context.Context, f *message.ContextFilter) ([]artifact.Document, error) {
	conditions, err := retrieval.Conditions(f.MetadataFilter)
	if err != nil {
		return nil, err
	}
	clauses, err := filter.Compile(conditions)
	if err != nil {
		return nil, err
	}
	n := 0
	docs, err := t.Artifacts.Documents(ctx, &artifact.Filter{Collection: f.Collection, Artifacts: f.Artifacts}, func(l artifact.Live) bool {
		if !filter.Match(clauses, filter.Encode(l.Doc.Metadata)) {
			return false
		}
		n++
		return n <= maxDocuments+1
	})
	if err == nil && n > maxDocuments {
		return nil, fault.New(fault.TooLarge, "the filter names over %d documents; name fewer artifacts", maxDocuments)
	}
	return docs, err
}

func (t *Tool) read(ctx context.Context, i int, c message.ContextItem) (*document.Document, string, error) {
	name := c.FileName
	if name == "" {
		name = fmt.Sprintf("table_%d", i+1)
	}
	switch c.Type {
	case "text":
		as := c.FileName
		if as == "" {
			as = textName(c.Value)
		}
		doc, err := t.Reader.ReadBytes(ctx, as, "", []byte(c.Value))
		return doc, name, err
	case "uri":
		doc, err := t.Reader.ReadURL(ctx, c.Value)
		if c.FileName == "" {
			name = path.Base(c.Value)
		}
		return doc, name, err
	case "file":
		data, err := base64.StdEncoding.DecodeString(c.Value)
		if err != nil {
			return nil, "", fault.Field("value_error", "value is not valid base64", "context", i, "value")
		}
		doc, err := t.Reader.ReadBytes(ctx, c.FileName, "", data)
		return doc, name, err
	}
	return nil, "", nil
}

// textName returns the file name by which a text is parsed: a delimited one if
// its first two lines have the same number of columns.
func textName(s string) string {
	lines := strings.SplitN(strings.TrimSpace(s), "\n", 3)
	if len(lines) > 1 {
		for _, mark := range []string{"\t", ";", ","} {
			if n := strings.Count(lines[0], mark); n > 0 && n == strings.Count(lines[1], mark) && !strings.HasPrefix(lines[0], "|") {
				return "table.csv"
			}
		}
	}
	return "table.md"
}
