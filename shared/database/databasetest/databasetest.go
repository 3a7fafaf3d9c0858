// Package databasetest builds SQLite databases for tests, and opens databases
// with the real drivers while counting the open ones.
package databasetest

import (
	"context"
	"database/sql"
	"os"
	"path/filepath"
	"testing"

	"lectern/shared/database"
	"lectern/shared/database/sqldrivers"
	"lectern/shared/web/fetch"
)

// File runs statements in a new SQLite database and returns its bytes.
func File(t testing.TB, statements ...string) []byte {
	t.Helper()
	path := filepath.Join(t.TempDir(), "a.db")
	if err := sqldrivers.CountMemory(); err != nil {
		t.Fatal(err)
	}
	db, err := sql.Open("sqlite", path)
	if err != nil {
		t.Fatal(err)
	}
	for _, s := range statements {
		if _, err := db.Exec(s); err != nil {
			t.Fatal(err)
		}
	}
	if err := db.Close(); err != nil {
		t.Fatal(err)
	}
	raw, err := os.ReadFile(path)
	if err != nil {
		t.Fatal(err)
	}
	return raw
}

// Door opens databases, except at private addresses. Not safe for concurrent use.
type Door struct {
	Opened int // in total
	Open   int // currently
}

// Opener returns an Opener that counts in d.
func (d *Door) Opener() database.Opener {
	open := sqldrivers.Opener(fetch.New(nil).Dial, sqldrivers.Options{})
	return func(ctx context.Context, t database.Target) (database.DB, error) {
		db, err := open(ctx, t)
		if err != nil {
			return nil, err
		}
		d.Opened++
		d.Open++
		return counted{db, d}, nil
	}
}

type counted struct {
	database.DB
	door *Door
}

func (c counted) Close() error {
	c.door.Open--
	return c.DB.Close()
}
