package reckon

import (
	"context"
	"slices"

	"golang.org/x/sync/semaphore"

	"lectern/shared/chat/model/extractive/sheet"
	"lectern/shared/database"
	"lectern/shared/database/datatable"
)

// Kept returns the tables of a document that is kept, empty where it has none any more.
type Kept func(ctx context.Context, collection, artifact string) ([]datatable.Sheet, error)

// New returns what asks sheets in a database in memory. A sheet that is a part of a table of a document that is kept is asked as the
// whole of it; with no kept documents, as a part.
func New(open database.Opener, kept Kept) sheet.Asker {
	slots := semaphore.NewWeighted(keptAtOnce)
	return func(ctx context.Context, s sheet.Sheet, question string) (*sheet.Answer, error) {
		if s.Artifact == "" || kept == nil {
			return ask(ctx, open, s, question)
		}
		if err := slots.Acquire(ctx, 1); err != nil {
			return nil, err
		}
		defer slots.Release(1)
		tables, err := kept(ctx, s.Collection, s.Artifact)
		if err != nil {
			return nil, err
		}
		whole, ok := wholeOf(s, tables)
		if !ok {
			return ask(ctx, open, s, question)
		}
		a, err := ask(ctx, open, whole, question)
		if a != nil {
			a.Of = &whole
		}
		return a, err
	}
}

// keptAtOnce is how many documents that are kept are asked at once: the tables of one may take some hundred megabytes of memory.
const keptAtOnce = 2

// wholeOf returns the one table of a document that has all columns of a sheet; ok is false where none has, or several.
func wholeOf(s sheet.Sheet, tables []datatable.Sheet) (whole sheet.Sheet, ok bool) {
	for _, t := range tables {
		if slices.ContainsFunc(s.Names, func(name string) bool { return !slices.Contains(t.Names, name) }) {
			continue
		}
		if ok {
			return whole, false
		}
		whole, ok = sheet.Sheet{Name: s.Name, Names: t.Names, Rows: t.Rows, Lines: t.Lines}, true
	}
	return whole, ok
}
