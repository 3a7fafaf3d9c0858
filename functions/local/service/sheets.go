package service

import (
	"context"

	"lectern/shared/database/datatable"
	"lectern/shared/fault"
	"lectern/shared/knowledge/artifact"
	"lectern/shared/storage/lru"
)

// A chat computes over the whole of a document of so many bytes and tokens at most.
const tablesBytes, tablesTokens = 32 << 20, 4_000_000

// sheetsBytes is how much the tables have that are kept in memory: several questions in a row are about the same ones, and one is
// looked up twice.
const sheetsBytes = 32 << 20

// content is what a document had at a time: it never changes.
type content struct{ collection, artifact, generation string }

// sheets are the tables of documents that were asked for last.
type sheets = *lru.Cache[content, []datatable.Sheet]

func newSheets() sheets { return lru.New[content](sheetsBytes, sizeOf) }

// sizeOf returns how many bytes tables have in memory, about.
func sizeOf(list []datatable.Sheet) int {
	const header = 16 // of a string
	n := 0
	for _, t := range list {
		for i, row := range t.Rows {
			n += len(t.Lines[i]) + 3*header
			for _, cell := range row {
				n += len(cell) + header
			}
		}
	}
	return n
}

// kept returns the tables of an ingested document, which the chat's caller may read; none of one that is gone. They are
// shared with others who ask.
func (s *Service) kept(ctx context.Context, collection, id string) (list []datatable.Sheet, err error) {
	var of content
	found := false
	docs, err := s.Artifacts.Documents(ctx, &artifact.Filter{Collection: collection, Artifacts: []string{id}}, func(l artifact.Live) bool {
		of = content{collection, id, l.Generation}
		if list, found = s.sheets.Get(of); found {
			return false
		}
		tokens, _ := l.Doc.Metadata["token_count"].(float64)
		return l.Bytes <= tablesBytes && tokens <= tablesTokens
	})
	switch {
	case fault.Is(err, fault.NotFound) || fault.Is(err, fault.Unavailable) && ctx.Err() == nil:
		return nil, nil // its passages are there
	case err != nil || found:
		return list, err
	}
	for _, d := range docs {
		if len(d.Content.Text) <= tablesBytes { // what the registry says may be of an older program
			list = append(list, datatable.Sheets(d.Content)...)
		}
	}
	s.sheets.Put(of, list)
	return list, nil
}
