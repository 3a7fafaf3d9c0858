package opensearchindex

import (
	"bytes"
	"context"
	"encoding/json"
	"fmt"
	"io"
	"net/http"
	"strconv"
	"strings"

	"github.com/cenkalti/backoff/v5"
	"github.com/opensearch-project/opensearch-go/v4"
	"github.com/opensearch-project/opensearch-go/v4/opensearchapi"

	"lectern/shared/fault"
	"lectern/shared/knowledge/index"
	"lectern/shared/knowledge/index/filter"
	"lectern/shared/knowledge/index/rank"
	"lectern/shared/text/document"
	"lectern/shared/text/terms"
)

// bulkBytes bounds a bulk request; servers begin to refuse at 10 MB.
const bulkBytes = 4 << 20

// stored is the part of a chunk that searches read back.
type stored struct {
	ID          string           `json:"id"`
	Text        string           `json:"text"`
	Start       int              `json:"start"`
	End         int              `json:"end"`
	UTF16Start  int              `json:"utf16_start"`
	UTF16End    int              `json:"utf16_end"`
	Title       string           `json:"title,omitempty"`
	FileName    string           `json:"file_name,omitempty"`
	Headings    []string         `json:"headings,omitempty"`
	Page        int              `json:"page,omitempty"`
	Breaks      []document.Break `json:"breaks,omitempty"`
	Columns     string           `json:"columns,omitempty"`
	Continues   bool             `json:"continues,omitempty"`
	Tokens      int              `json:"tokens,omitempty"`
	ContentType string           `json:"content_type,omitempty"`
	Metadata    map[string]any   `json:"metadata"`
	Vector      []byte           `json:"vector,omitempty"` // of serverless collections; see pack
}

func (s *Store) Write(ctx context.Context, chunks []index.Chunk) error {
	if err := s.enter(ctx); err != nil {
		return err
	}
	defer s.calls.Done()
	for i := range chunks {
		if err := s.options.Stamp.Check(&chunks[i]); err != nil {
			return err
		}
	}
	seen := map[string]bool{}
	var batch [][]byte
	size := 0
	for i := range chunks {
		if seen[chunks[i].ID] {
			continue
		}
		seen[chunks[i].ID] = true
		doc, err := s.document(&chunks[i])
		if err != nil {
			return err
		}
		if size+len(doc) > bulkBytes && size > 0 {
			if err := s.bulk(ctx, batch); err != nil {
				return err
			}
			batch, size = nil, 0
		}
		batch, size = append(batch, doc), size+len(doc)
	}
	if len(batch) == 0 {
		return nil
	}
	return s.bulk(ctx, batch)
}

// document encodes a chunk as a bulk action of two lines.
func (s *Store) document(c *index.Chunk) ([]byte, error) {
	var stems, grams strings.Builder
	words, total := 0, 0
	var buf []terms.Gram
	for _, text := range rank.Texts(c) {
		terms.Scan(text, func(word []byte, _, _ int, _ bool) {
			words++
			stems.WriteString(s.stemmer.Stem(word))
			stems.WriteByte(' ')
			buf = terms.AppendGrams(buf[:0], word)
			total += len(buf)
			for _, g := range buf {
				grams.WriteString(gramToken(g))
				grams.WriteByte(' ')
			}
		})
	}
	doc := map[string]any{
		fieldID: c.ID, fieldCollection: c.Collection, fieldArtifact: c.Artifact, fieldGeneration: c.Generation, fieldOrder: c.Order,
		fieldStems: stems.String(), fieldGrams: grams.String(), fieldWords: words, fieldGramTotal: total, fieldBytes: len(c.Text),
	}
	chunk := stored{
		c.ID, c.Text, c.Start, c.End, c.UTF16Start, c.UTF16End, c.Title, c.FileName, c.Headings, c.Page, c.Breaks,
		c.Columns, c.Continues, c.Tokens,
		c.ContentType, c.Metadata, nil,
	}
	if keywords := filter.Encode(c.Metadata); keywords != nil {
		doc[fieldMetadata] = keywords
	}
	if c.Vector != nil && !zero(c.Vector) {
		doc[fieldVector] = c.Vector
		if s.options.Server.compresses() {
			doc[fieldVector], chunk.Vector = unit(c.Vector), pack(c.Vector)
		}
	}
	doc[fieldChunk] = chunk
	raw, err := json.Marshal(doc)
	if err != nil {
		return nil, fault.Wrap(err, fault.Invalid, "chunk %q cannot be stored", c.ID)
	}
	return append(append([]byte("{\"index\":{}}\n"), raw...), '\n'), nil
}

func gramToken(g terms.Gram) string { return strconv.FormatUint(uint64(g), 36) }

func zero(v []float32) bool {
	for _, x := range v {
		if x != 0 {
			return false
		}
	}
	return true
}

// bulk sends actions and repeats those that the server was too busy for.
func (s *Store) bulk(ctx context.Context, actions [][]byte) error {
	req := func(body io.Reader) opensearch.Request {
		return opensearchapi.BulkReq{Index: s.options.Index, Body: body}
	}
	return s.retry(ctx, func() error {
		var out struct {
			Errors bool
			Items  []map[string]struct {
				Status int
				Error  json.RawMessage
			}
		}
		if err := s.call(ctx, req, bytes.Join(actions, nil), &out); err != nil {
			return backoff.Permanent(fmt.Errorf("bulk: %w", err))
		}
		if !out.Errors {
			return nil
		}
		var again [][]byte
		var last error
		for i, item := range out.Items {
			for action, r := range item {
				if r.Status < 300 || action == "delete" && r.Status == http.StatusNotFound || i >= len(actions) {
					continue
				}
				last = classify(r.Status, fmt.Errorf("bulk item: status %d: %s", r.Status, r.Error))
				if r.Status != http.StatusTooManyRequests && r.Status < 500 {
					return backoff.Permanent(last)
				}
				again = append(again, actions[i])
			}
		}
		actions = again
		return last
	})
}
