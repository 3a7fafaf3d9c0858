package reckon

import (
	"context"
	"crypto/sha256"
	"encoding/binary"
	"io"
	"slices"
	"strconv"
	"strings"

	"golang.org/x/sync/semaphore"

	"lectern/shared/chat/model/extractive/lazy"
	"lectern/shared/chat/model/extractive/sheet"
	"lectern/shared/chat/tool/meaning"
	"lectern/shared/database"
	"lectern/shared/database/datatable"
	"lectern/shared/database/plainsql"
	"lectern/shared/storage/lru"
)

// Kept returns the tables of a document that is kept, empty where it has none any more. They are not changed.
type Kept func(ctx context.Context, collection, artifact string) ([]datatable.Sheet, error)

// asker asks sheets in a database in memory.
type asker struct {
	open  database.Opener
	model func() meaning.Model
}

// New returns what asks sheets in a database in memory. Of a document that is kept its tables are asked, together where they belong
// together; without kept documents, the sheet alone. The model tells what questions mean; it may be nil, as each time that it is called.
func New(open database.Opener, kept Kept, model func() meaning.Model) sheet.Asker {
	slots := semaphore.NewWeighted(keptAtOnce)
	if model == nil {
		model = func() meaning.Model { return nil }
	}
	k, lately := asker{open, model}, lru.New[[sha256.Size]byte](latelyBytes, sizeOf)
	return func(ctx context.Context, s sheet.Sheet, question string) (*sheet.Answer, error) {
		if s.Artifact == "" || kept == nil {
			if s.Meant {
				return k.ask(ctx, s, question) // the model may have come meanwhile
			}
			key := keyOf(s, question)
			if a, ok := lately.Get(key); ok {
				return copyOf(a), nil
			}
			a, err := k.ask(ctx, s, question)
			if err == nil && ctx.Err() == nil {
				lately.Put(key, copyOf(a))
			}
			return a, err
		}
		if err := slots.Acquire(ctx, 1); err != nil {
			return nil, err
		}
		defer slots.Release(1)
		tables, err := kept(ctx, s.Collection, s.Artifact)
		if err != nil {
			return nil, err
		}
		whole, alike := wholeOf(s, tables)
		ok := alike > 0
		if alike < 2 && len(tables) > 1 && len(tables) <= mostTables {
			a, of, err := related(ctx, open, tables, question)
			if a != nil || err != nil {
				return a, err
			}
			if of != nil {
				whole, ok = *of, true
			}
		}
		if !ok {
			return k.ask(ctx, s, question)
		}
		whole.Meant = s.Meant
		a, err := k.ask(ctx, whole, question)
		if a != nil {
			a.Of = &whole
		}
		return a, err
	}
}

// latelyBytes is how much is kept of what sheets answered lately: within a turn the same is asked before and after it is searched for
// more.
const latelyBytes = 1 << 20

// sizeOf returns how many bytes an answer has, about.
func sizeOf(a *sheet.Answer) int {
	if a == nil {
		return 0
	}
	return 8*len(a.Rows) + len(a.Value) + len(a.Means)
}

// copyOf returns an answer that may be changed.
func copyOf(a *sheet.Answer) *sheet.Answer {
	if a == nil {
		return nil
	}
	other := *a
	other.Rows = slices.Clone(a.Rows)
	return &other
}

// keyOf tells a question of a sheet from others.
func keyOf(s sheet.Sheet, question string) (key [sha256.Size]byte) {
	h := sha256.New()
	part := func(text string) {
		h.Write(binary.LittleEndian.AppendUint64(nil, uint64(len(text))))
		_, _ = io.WriteString(h, text)
	}
	part(question)
	part(s.Name)
	for _, row := range append([][]string{s.Names}, s.Rows...) {
		part(strconv.Itoa(len(row)))
		for _, v := range row {
			part(v)
		}
	}
	h.Sum(key[:0])
	return key
}

// mostTables is how many tables a document has at most that a question is read of together.
const mostTables = 10

// related answers a question of tables that belong together, with rows of the first one; of is the table that it asks if one alone
// does.
func related(
	ctx context.Context, open database.Opener, tables []datatable.Sheet, question string,
) (a *sheet.Answer, of *sheet.Sheet, err error) {
	var set datatable.Set
	rows, size := 0, 0
	for i, t := range tables {
		for _, line := range t.Lines {
			size += len(line)
		}
		name := t.Place
		if name == "" {
			name = "table " + strconv.Itoa(i+1)
		}
		if rows += len(t.Rows); rows > mostKept || size > mostBytesKept || set.AddRows(name, t.Names, copied(t.Rows)) != nil {
			return nil, nil, nil
		}
	}
	data, _ := set.Tables()
	db, err := open(ctx, database.Target{Address: database.Address{Dialect: database.SQLite}, Tables: data})
	if err != nil {
		return nil, nil, ctx.Err() // memory is short: as if there were no rule
	}
	defer db.Close() //nolint:errcheck // in memory only
	schema, err := db.Schema(ctx, database.Everything)
	if err != nil {
		return nil, nil, ctx.Err()
	}
	readings := plainsql.Read(database.SQLite, schema, question)
	if len(readings) != 1 {
		return nil, nil, nil
	}
	q, one := parse(readings[0].SQL)
	at := slices.IndexFunc(data, func(t database.Data) bool { return strings.HasPrefix(q.from+" ", database.SQLite.Quote(t.Name)+" ") })
	if at < 0 {
		return nil, nil, nil
	}
	first := tables[at]
	of = &sheet.Sheet{Name: first.Place, Names: first.Names, Rows: first.Rows, Lines: first.Lines}
	if one || !strings.Contains(q.from, " JOIN ") {
		return nil, of, nil
	}
	q.row = "DISTINCT " + database.SQLite.Quote(data[at].Name) + "." + rowNumber
	if a, err = (inquiry{db, *of, data[at], question}).ofQuery(ctx, readings[0], q); a == nil || err != nil || len(a.Rows) == 0 {
		return nil, nil, ctx.Err()
	}
	if a.Value == "" && !a.Decides {
		if result, err := db.Query(ctx, readings[0].SQL, database.Limits{}); err == nil && len(result.Values) <= mostCells {
			a.Value = (inquiry{s: *of, t: data[at]}).listed(result.Values, q) // what stands in the other table
		}
	}
	a.Of = of
	return a, nil, nil
}

// copied returns rows that may be changed.
func copied(rows [][]string) [][]string {
	out := make([][]string, len(rows))
	for i, row := range rows {
		out[i] = slices.Clone(row)
	}
	return out
}

// keptAtOnce is how many documents that are kept are asked at once: the tables of one may take some hundred megabytes of memory.
const keptAtOnce = 2

// wholeOf returns the table of a document that has all columns of a sheet, and 1. Of several with the same columns, a sheet for each
// year, it returns all rows but totals, with the sheet of each, and how many they are; 0 where their columns differ, or they are opposed.
func wholeOf(s sheet.Sheet, tables []datatable.Sheet) (whole sheet.Sheet, alike int) {
	whole.Name = s.Name
	apart := false
	for _, t := range tables {
		switch {
		case slices.ContainsFunc(s.Names, func(name string) bool { return !slices.Contains(t.Names, name) }):
			continue
		case alike > 0 && !slices.Equal(whole.Names, append(slices.Clone(t.Names), sheetColumn)):
			return whole, 0
		case alike == 0:
			whole.Names = append(slices.Clone(t.Names), sheetColumn)
		}
		for i, row := range t.Rows {
			if len(tables) > 1 && sheet.Totals.In(row[0]) {
				continue // of one of them
			}
			whole.Rows, whole.Lines = append(whole.Rows, append(slices.Clone(row), t.Place)), append(whole.Lines, t.Lines[i])
		}
		apart = apart || opposed.In(t.Place)
		alike++
	}
	if alike > 1 && apart {
		return whole, 0 // what came in and what went out are no one table
	}
	if alike == 1 { // there is nothing to tell apart
		whole.Names = whole.Names[:len(whole.Names)-1]
		for i, row := range whole.Rows {
			whole.Rows[i] = row[:len(row)-1]
		}
	}
	return whole, alike
}

// opposed matches sheets whose rows are no more of the same.
var opposed = lazy.New(`(?i)\b(?:income|expenses?|spending|budget|plan(?:ned)?|actuals?|forecast|copy|old|backup|draft|debit|credit|einnahmen|ausgaben|` +
	`soll|ist|kopie|alt|entwurf)\b`)

// sheetColumn has the sheet of each row.
const sheetColumn = "Sheet"
