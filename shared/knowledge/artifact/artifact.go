// Package artifact holds the rules of ingested documents: how one is
// accepted, read, cut, embedded and indexed, how it is replaced and deleted,
// and how it is shown.
//
// Every ingest works under a generation, a fresh ULID. The registry item of an
// artifact says which generation is wanted (the last one accepted) and which
// is live (the one that searches may show). A generation becomes live by one
// conditional write, so readers see all of the old document or all of the new
// one, whatever dies in between; what a dead ingest left is swept later and
// is never shown.
package artifact

import (
	"context"
	"log/slog"
	"path"
	"strings"
	"time"
	"unicode"
	"unicode/utf8"

	"lectern/shared/auth"
	"lectern/shared/fault"
	"lectern/shared/fault/budget"
	"lectern/shared/ident"
	"lectern/shared/knowledge/embedding"
	"lectern/shared/knowledge/index"
	"lectern/shared/knowledge/reader"
	"lectern/shared/storage/object"
	"lectern/shared/storage/record"
	"lectern/shared/storage/sweep"
	"lectern/shared/web/fetch"
)

// DefaultCollection is used where a request names none.
const DefaultCollection = "vendor_collection"

// Service is the use case. Safe for concurrent use.
type Service struct {
	Objects  object.Store
	Records  record.Store
	Index    index.Store
	Embedder embedding.Embedder
	// Vectors says whether chunks get vectors; without them the words leg
	// answers alone.
	Vectors bool
	Readers *reader.Set
	Fetch   *fetch.Client
	// Budget limits the memory of what is unpacked, Reading that of documents while they
	// are read; nil is unlimited. They are two, so that those who hold a document and wait
	// to read it leave room to the one that reads.
	Budget, Reading *budget.Budget
	// Slots bounds how many large documents are worked on at once; nil is unlimited.
	Slots *budget.Slots
	// KeepsSizes stores the sizes of collections once they were counted; the process
	// may write the registry.
	KeepsSizes bool
	// NoOriginals keeps no more than the text of what is ingested.
	NoOriginals bool
	IDs         ident.Source
	Now         func() time.Time
	Log         *slog.Logger
	// Later frees what is no longer shown, after the request: an index may take a
	// minute to show that chunks are gone, and nobody has to wait for that. Nil
	// frees at once.
	Later func(context.Context, Accepted) error
	// Guard bounds what a sweep frees.
	Guard sweep.Guard
	// IndexBelongs is asked before a sweep of the index; an error of it leaves
	// the index alone. Nil: it does.
	IndexBelongs func(context.Context) error

	rebuilding rebuilding
}

// Doc describes an ingested artifact.
type Doc struct {
	Artifact string         `json:"artifact"`
	Object   string         `json:"object" enum:"ingest.document"`
	Metadata map[string]any `json:"doc_metadata" nullable:"true"`
}

func newDoc(e *entry) Doc {
	return Doc{Artifact: e.Artifact, Object: "ingest.document", Metadata: e.Doc}
}

// What files are called that come without a name; the extension of a file is
// that of its content.
const (
	unnamedText = "text_content.txt"
	unnamedFile = "file_content"
)

// FileName is the name that an artifact's file came with; empty without one.
func (d *Doc) FileName() string {
	name, _ := d.Metadata["file_name"].(string)
	if name == unnamedText || strings.TrimSuffix(name, path.Ext(name)) == unnamedFile {
		return ""
	}
	return name
}

// Input is the material of an ingest or a conversion.
type Input struct {
	Type  string `json:"type" required:"true" enum:"file,text,uri"`
	Value string `json:"value" required:"true" doc:"base64 content, plain text, or the URI to download from"`

	data []byte // of a file, in place of Value
}

// Body is a request to ingest.
type Body struct {
	Artifact   string         `json:"artifact" required:"true" minlen:"1" maxlen:"255" doc:"identifier within the collection"`
	Input      *Input         `json:"input" required:"true"`
	Collection string         `json:"collection" default:"vendor_collection" minlen:"1" maxlen:"255"`
	Metadata   map[string]any `json:"metadata,omitempty" doc:"when given, must include file_name with a supported extension"`
}

// checkNames refuses names that could not be shown or logged whole.
func checkNames(ctx context.Context, collection, artifact string) error {
	var problems []fault.Problem
	for _, n := range []struct{ field, value string }{{"collection", collection}, {"artifact", artifact}} {
		if p := nameProblem(n.value); p != "" {
			problems = append(problems, fault.Problem{Loc: []any{"body", n.field}, Msg: p, Type: "value_error"})
		}
	}
	if len(problems) > 0 {
		return fault.Problems(problems)
	}
	return auth.Check(ctx, collection)
}

func nameProblem(name string) string {
	for _, r := range name {
		if unicode.IsControl(r) || r == utf8.RuneError {
			return "a name should not hold control characters or broken text"
		}
	}
	return ""
}
