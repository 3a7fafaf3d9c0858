// Package index is the port to the search index: chunks of documents, found by
// their words, by their vectors, and by where they came from.
//
// A document version is a generation: a ULID that its ingest made up. The
// index knows nothing about which generation is the current one; callers say
// so with Query.Live and Query.Dead. Everything is kept apart by collection,
// statistics included, so that a chunk's score never depends on what another
// collection holds. How scores come about is the business of package rank,
// what a metadata condition means that of package filter; drivers share both.
package index

import (
	"cmp"
	"context"
	"iter"
	"sort"

	"lectern/shared/fault"
	"lectern/shared/text/document"
)

// Chunk is one passage of a document.
type Chunk struct {
	ID         string // unique per (Generation, Order) and chosen by the caller; at most 512 bytes
	Collection string
	Artifact   string
	Generation string // the document version; unique over all collections and artifacts
	Order      int    // zero-based position in the document, below 1<<31

	Text                 string // exact slice of the stored text
	Start, End           int    // byte offsets of Text in the stored text
	UTF16Start, UTF16End int    // the same in UTF-16 units

	Headings []string         // heading path, outermost first
	Page     int              // 1-based; 0 when unknown
	Breaks   []document.Break // where later pages begin in Text
	// Columns is the row with the columns' names of the table that Text goes on with; it is
	// searched like a heading. Continues tells that the table at its end goes on in the next
	// chunk.
	Columns   string
	Continues bool
	Tokens    int

	// The rest describes the document. It is the same for every chunk of a
	// generation; drivers may keep that of one chunk for all.
	Title       string
	FileName    string
	ContentType string
	Metadata    map[string]any // the artifact's own: JSON values as encoding/json decodes them into any

	// Vector is the chunk's embedding, of the length the index was opened
	// with; nil when there is none. Its length does not matter, only its
	// direction. Searches do not return it.
	Vector []float32
}

// Condition is one test of a chunk's metadata. Package filter says what each
// operator means.
type Condition struct {
	Key      string
	Operator string // == != > < >= <= in nin contains text_match is_empty; "" reads as ==
	Value    any
}

// Query says what to search for and where.
type Query struct {
	Collection string
	Text       string    // natural language; its words make the words leg
	Keywords   []string  // further words for the words leg
	Vector     []float32 // nil or all zeros: no vector leg; none either beside words when the embedder's weight is zero

	Filter    []Condition // all must hold
	Artifacts []string    // nil: every artifact; empty: none
	Live      []string    // nil: every generation; empty: none; else these alone
	Dead      []string    // generations to leave out

	Limit int // hits wanted; below 1 reads as 10, above MaxLimit as MaxLimit
}

// MaxLimit bounds Query.Limit.
const MaxLimit = 400

// Hit is a found chunk. Its Vector is nil.
type Hit struct {
	Chunk
	Score   float64 // the blend, absolute in 0..1
	Lexical float64 // the words leg alone, 0..1
	Cosine  float64 // cosine to Query.Vector, -1..1; 0 without a vector leg
	Signals Signals
}

// SortByScore orders hits best first; equal scores keep their order.
func SortByScore(hits []Hit) {
	// slices.SortStableFunc would be compiled anew for elements of this size.
	sort.SliceStable(hits, func(i, j int) bool { return hits[i].Score > hits[j].Score })
}

// Signals are the parts of a score, for explanation and for the decision
// whether anything was found at all. All are in 0..1.
type Signals struct {
	Stems    float64 // words of the query by stem
	Grams    float64 // character 4-grams of the query's words
	Bigrams  float64 // neighbouring stems of the query
	Coverage float64 // weight of the query's words that the chunk has, similar spellings counted in part; of the first hits only
	Vector   float64 // the cosine above the embedder's floor
}

// Result is what a search found.
type Result struct {
	Hits []Hit // best first; equal scores in the order of (artifact, generation, order)

	Chunks    int     // chunks in the collection, whatever the filters
	AvgWords  float64 // average words of a chunk, title and headings included
	WordsLeg  bool    // the query had words
	VectorLeg bool    // the query had a vector and the collection has vectors
	// Relevance says how well the hits answer the query, 0..1; package rank
	// knows from where on they do at all.
	Relevance float64
	// Unknown are the words of the query, folded, that no chunk of the collection has
	// in any form.
	Unknown []string
}

// Generation is what the index holds of one document version.
type Generation struct {
	Collection, Artifact, Generation string
	Chunks                           int   // estimated, to one in a thousand, by indexes that cannot count thousands
	Bytes                            int64 // of text
}

// Compare orders generations by collection, artifact and generation.
func (g Generation) Compare(other Generation) int {
	return cmp.Or(cmp.Compare(g.Collection, other.Collection), cmp.Compare(g.Artifact, other.Artifact),
		cmp.Compare(g.Generation, other.Generation))
}

// Match says how many chunks of a document version match a query.
type Match struct {
	Artifact, Generation string
	Chunks               int // at least 1
}

// Stamp says which embedder filled an index. Vectors of different embedders
// cannot be compared, so an index belongs to one.
type Stamp struct {
	Embedder   string `json:"embedder"` // embedding.Embedder's name; "" when vectors are not used
	Dimensions int    `json:"dimensions"`
}

// Check reports what of a chunk no driver can keep, as fault.Invalid.
func (s Stamp) Check(c *Chunk) error {
	switch {
	case c.ID == "" || c.Collection == "" || c.Artifact == "" || c.Generation == "":
		return fault.New(fault.Invalid, "chunk %q needs an id, a collection, an artifact and a generation", c.ID)
	case c.Order < 0 || int64(c.Order) >= 1<<31:
		return fault.New(fault.Invalid, "chunk %q has order %d", c.ID, c.Order)
	case c.Start < 0 || c.End < 0 || c.UTF16Start < 0 || c.UTF16End < 0 || c.Page < 0 || c.Tokens < 0:
		return fault.New(fault.Invalid, "chunk %q has a negative position", c.ID)
	}
	return s.CheckVector(c.Vector)
}

// CheckVector reports a vector of another length than the index was made for,
// as fault.Invalid; nil has none.
func (s Stamp) CheckVector(v []float32) error {
	if v == nil || len(v) == s.Dimensions {
		return nil
	}
	return fault.New(fault.Invalid, "a vector has %d dimensions, the index was made for %d of %q: documents have to be ingested again",
		len(v), s.Dimensions, s.Embedder)
}

// Filler is a store that gives vectors to chunks that were written without one.
type Filler interface {
	// Vectors returns how many of the chunks have a vector: of a generation, with
	// an empty generation of an artifact, with an empty artifact of a collection,
	// and with an empty collection of all. Both are 0 where no vectors are kept.
	Vectors(ctx context.Context, collection, artifact, generation string) (have, of int, err error)
}

// Store is a search index.
//
// All methods are safe for concurrent use. A search sees one state of the
// index: no chunk twice, although the same chunk may have been written twice.
type Store interface {
	// Write stores chunks. It is idempotent by ID: the same ID must come with
	// the same content, and writing it again changes nothing. When it returns
	// nil all chunks are durable; they become visible at once or later, Await
	// tells. After an error some of the chunks may be there. Chunks of several
	// collections and generations may come together. A chunk without ID,
	// collection, artifact or generation, and a vector whose length is not
	// the index's, is fault.Invalid and nothing is written.
	Write(ctx context.Context, chunks []Chunk) error

	// Search returns the best chunks. An unknown collection and a query
	// without words and vector are an empty result, not an error. A condition
	// that cannot be evaluated, or a vector of the wrong length, is
	// fault.Invalid. Filters apply before ranking, so a narrow filter finds
	// whatever fulfils it.
	Search(ctx context.Context, q Query) (Result, error)

	// Matches counts the distinct chunks that have all words of the query's text and
	// keywords, each in one of its forms, and pass its filters: by generation, in no
	// particular order, exactly. Vector and Limit do not matter. Stop words count only
	// where there is nothing else, as in a search; without any word nothing matches.
	// Fails like Search.
	Matches(ctx context.Context, q Query) ([]Match, error)

	// Around returns up to before chunks that precede order in the document
	// and up to after chunks that follow it, in document order and without
	// the chunk itself. An unknown place is an empty list.
	Around(ctx context.Context, collection, artifact, generation string, order, before, after int) ([]Chunk, error)

	// Await returns nil once want distinct chunks of the generation are
	// visible to Search; fault.Unavailable when that takes longer than the
	// driver allows, ctx's error when ctx ends first.
	Await(ctx context.Context, collection, artifact, generation string, want int) error

	// Count returns how many distinct chunks of the generation Search sees.
	Count(ctx context.Context, collection, artifact, generation string) (int, error)

	// Drop removes what was written before it: a generation, with an empty
	// generation all of an artifact, with an empty artifact a whole
	// collection. Dropping what is not there is no error. Searches that begin
	// after it returns do not see the chunks, as far as they were visible
	// before; a write that arrives later is stored like any other, so callers
	// name dead generations in queries and drop once more.
	Drop(ctx context.Context, collection, artifact, generation string) error

	// Generations yields what the index holds, of one collection or, with
	// "", of all: each generation once, in the order of the names of collection,
	// artifact and generation. after is a cursor: what comes after this one, the zero
	// value for everything. It ends after its first error.
	Generations(ctx context.Context, collection string, after Generation) iter.Seq2[Generation, error]

	// Close ends background work and releases files. Calls that are under way
	// finish first; later ones are fault.Unavailable.
	Close() error
}
