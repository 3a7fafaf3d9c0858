package sqldrivers_test

import (
	"context"
	"errors"
	"net"
	"os"
	"path/filepath"
	"strings"
	"sync"
	"testing"
	"time"

	"github.com/google/go-cmp/cmp"

	"lectern/shared/database"
	"lectern/shared/database/databasetest"
	"lectern/shared/database/sqldrivers"
	"lectern/shared/fault"
	"lectern/shared/web/fetch"
)

func opener(o sqldrivers.Options) database.Opener {
	return sqldrivers.Opener(fetch.New(nil).Dial, o)
}

func open(t *testing.T, data []byte, o sqldrivers.Options) database.DB {
	t.Helper()
	db, err := opener(o)(t.Context(), database.Target{Address: database.Address{Dialect: database.SQLite}, Data: data})
	if err != nil {
		t.Fatal(err)
	}
	t.Cleanup(func() {
		if err := db.Close(); err != nil {
			t.Errorf("Close: %v", err)
		}
	})
	return db
}

func TestSchema(t *testing.T) {
	db := open(t, databasetest.File(t, "PRAGMA journal_mode = WAL", "CREATE TABLE a (id INTEGER PRIMARY KEY, name TEXT)",
		"CREATE TABLE b (a_id INTEGER REFERENCES a (id), at DATE)",
		"INSERT INTO a VALUES (1, 'x'), (2, 'y'), (3, 'x'), (4, NULL)", "CREATE VIEW v AS SELECT name FROM a"), sqldrivers.Options{})
	got, err := db.Schema(t.Context(), database.Everything)
	if err != nil {
		t.Fatal(err)
	}
	want := &database.Schema{Tables: []database.Table{
		{Name: "a", Columns: []database.Column{{Name: "id", Type: "INTEGER", Key: true}, {Name: "name", Type: "TEXT", Values: []string{"x", "y"}, Repeats: true, Gaps: true}},
			Samples: [][]any{{int64(1), "x"}, {int64(2), "y"}, {int64(3), "x"}}},
		{Name: "b", Columns: []database.Column{{Name: "a_id", Type: "INTEGER", References: "a.id"}, {Name: "at", Type: "DATE"}}},
		{Name: "v", View: true, Columns: []database.Column{{Name: "name", Type: "TEXT"}}},
	}}
	if diff := cmp.Diff(want, got); diff != "" {
		t.Errorf("Schema: -want +got\n%s", diff)
	}
	if got, err = db.Schema(t.Context(), database.Scope{Views: true}); err != nil || len(got.Tables) != 1 || !got.Tables[0].View {
		t.Errorf("the views alone: %+v, %v", got, err)
	}
}

// TestReadsOnly: even a statement that nobody checked changes nothing.
func TestReadsOnly(t *testing.T) {
	db := open(t, databasetest.File(t, "CREATE TABLE a (n INTEGER)", "INSERT INTO a VALUES (1)"), sqldrivers.Options{})
	outside := filepath.Join(t.TempDir(), "out.db")
	for _, s := range []string{"DELETE FROM a", "INSERT INTO a VALUES (2)", "CREATE TABLE b (n)", "ATTACH '" + outside + "' AS x", "VACUUM INTO '" +
		outside + "'"} {
		if _, err := db.Query(t.Context(), s, database.Limits{}); !fault.Is(err, fault.Upstream) {
			t.Errorf("Query(%q) = %v, want Upstream", s, err)
		}
	}
	rows, err := db.Query(t.Context(), "SELECT n FROM a", database.Limits{})
	if err != nil || !cmp.Equal(rows.Values, [][]any{{int64(1)}}) {
		t.Errorf("afterwards: %+v, %v", rows, err)
	}
	if _, err := os.Stat(outside); err == nil {
		t.Error("a file was written")
	}
}

func TestLimits(t *testing.T) {
	const endless = "WITH RECURSIVE c(n) AS (SELECT 1 UNION ALL SELECT n + 1 FROM c) SELECT "
	db := open(t, databasetest.File(t, "CREATE TABLE a (n)"), sqldrivers.Options{})
	rows, err := db.Query(t.Context(), endless+"n FROM c", database.Limits{Rows: 5})
	if err != nil || len(rows.Values) != 5 || !rows.Cut {
		t.Errorf("five rows of many: %+v, %v", rows, err)
	}
	if rows, err = db.Query(t.Context(), endless+"printf('%1000s', n) FROM c", database.Limits{Bytes: 10000}); err != nil || len(rows.Values) > 12 ||
		!rows.Cut {
		t.Errorf("a few bytes of many: %v", err)
	}
	if _, err = db.Query(t.Context(), "SELECT zeroblob(100000000)", database.Limits{}); !fault.Is(err, fault.Upstream) {
		t.Errorf("a huge value: %v", err)
	}
	ctx, cancel := context.WithTimeout(t.Context(), 50*time.Millisecond)
	defer cancel()
	if _, err = db.Query(ctx, endless+"count(*) FROM c", database.Limits{}); !fault.Is(err, fault.Upstream) ||
		fault.As(err).Msg != "the database took too long" {
		t.Errorf("an endless statement: %v", err)
	}
}

// TestHeavy: a statement that takes too much is the end of it and of nothing else, and
// they run one after the other.
func TestHeavy(t *testing.T) {
	open := opener(sqldrivers.Options{})
	var dbs []database.DB
	for range 3 {
		db, err := open(t.Context(), database.Target{Address: database.Address{Dialect: database.SQLite}, Tables: []database.Data{
			{Name: "a", Columns: []database.DataColumn{{Name: "n", Type: "INTEGER"}}}}})
		if err != nil {
			t.Fatal(err)
		}
		defer db.Close()
		dbs = append(dbs, db)
	}
	const endless = "WITH RECURSIVE c(n, s) AS (SELECT 1, zeroblob(4000000) UNION SELECT n+1, zeroblob(4000000) FROM c) SELECT count(*) FROM c"
	if _, err := dbs[0].Query(t.Context(), endless, database.Limits{}); !errors.Is(err, database.ErrHeavy) {
		t.Errorf("a statement without end: %v, want ErrHeavy", err)
	}
	for range 3 {
		if _, err := dbs[0].Query(t.Context(), "SELECT 1", database.Limits{}); err != nil {
			t.Errorf("the next statement: %v", err)
		}
	}
	running, stop := context.WithCancel(t.Context())
	var work sync.WaitGroup
	for i := range 2 {
		work.Go(func() {
			_, _ = dbs[i].Query(running, "WITH RECURSIVE c(n) AS (SELECT 1 UNION ALL SELECT n+1 FROM c) SELECT max(n) FROM c", database.Limits{})
		})
	}
	var err error
	for err == nil {
		short, cancel := context.WithTimeout(t.Context(), 20*time.Millisecond)
		_, err = dbs[2].Query(short, "SELECT 1", database.Limits{})
		cancel()
	}
	stop()
	work.Wait()
	if !fault.Is(err, fault.RateLimited) {
		t.Errorf("beside two others: %v, want RateLimited", err)
	}
	if _, err := dbs[2].Query(t.Context(), "SELECT 1", database.Limits{}); err != nil {
		t.Errorf("after them: %v", err)
	}
}

// TestAllValues: the values of a column are known beyond the first rows, but for a long table and very many values.
func TestAllValues(t *testing.T) {
	const count = "WITH RECURSIVE c(n) AS (SELECT 1 UNION ALL SELECT n+1 FROM c WHERE n < %) "
	fill := func(table, n string) string {
		return "INSERT INTO " + table + " " + strings.Replace(count, "%", n, 1) + "SELECT CASE WHEN n > 400 THEN 'late' ELSE 'early' END, 'v' || n FROM c"
	}
	db := open(t, databasetest.File(t, "CREATE TABLE a (state TEXT, name TEXT)", "CREATE TABLE b (state TEXT, name TEXT)", fill("a", "1200"),
		fill("b", "50001")), sqldrivers.Options{})
	got, err := db.Schema(t.Context(), database.Everything)
	if err != nil {
		t.Fatal(err)
	}
	if c := got.Tables[0].Columns[0]; !cmp.Equal(c.Values, []string{"early", "late"}) || c.Many {
		t.Errorf("the states are %q, many %v", c.Values, c.Many)
	}
	if c := got.Tables[0].Columns[1]; !c.Many {
		t.Errorf("%d of 1,200 names are said to be all", len(c.Values))
	}
	if c := got.Tables[1].Columns[0]; !cmp.Equal(c.Values, []string{"early"}) || !c.Many {
		t.Errorf("the states of a long table are %q, many %v", c.Values, c.Many)
	}
}

func TestMadeOfTables(t *testing.T) {
	db, err := opener(sqldrivers.Options{})(t.Context(), database.Target{Address: database.Address{Dialect: database.SQLite}, Tables: []database.Data{
		{Name: "a", Columns: []database.DataColumn{{Name: "n", Type: "INTEGER"}, {Name: "s", Type: "TEXT"}}, Rows: [][]any{{int64(1), "x'; DROP"}, {nil, "y"}}}}})
	if err != nil {
		t.Fatal(err)
	}
	defer db.Close()
	rows, err := db.Query(t.Context(), "SELECT sum(n), max(s) FROM a", database.Limits{})
	if err != nil || !cmp.Equal(rows.Values, [][]any{{int64(1), "y"}}) {
		t.Errorf("Query = %+v, %v", rows, err)
	}
}

// TestCannotOpen: what cannot be opened says so without the password.
func TestCannotOpen(t *testing.T) {
	broken := append([]byte("SQLite format 3\x00"), make([]byte, 5000)...)
	if _, err := opener(sqldrivers.Options{})(t.Context(), database.Target{Address: database.Address{Dialect: database.SQLite},
		Data: broken}); !fault.Is(err, fault.Upstream) {
		t.Errorf("a broken file: %v", err)
	}
	silent, err := net.Listen("tcp", "127.0.0.1:0")
	if err != nil {
		t.Fatal(err)
	}
	defer silent.Close()
	port := silent.Addr().(*net.TCPAddr).Port
	for _, d := range []database.Dialect{database.Postgres, database.MySQL, database.SQLServer} {
		for _, host := range []string{"127.0.0.1", "localhost", "169.254.169.254", "::1"} {
			_, err := opener(sqldrivers.Options{})(t.Context(), database.Target{Address: database.Address{Dialect: d, Host: host, Port: port, User: "u",
				Password: "hunter2", Name: "n"}})
			if !fault.Is(err, fault.Forbidden) || !strings.Contains(fault.As(err).Msg, "LECTERN_ALLOW_HOSTS") || strings.Contains(err.Error(), "hunter2") {
				t.Errorf("%s at %s: %v, want Forbidden", d, host, err)
			}
		}
		allowed := sqldrivers.Opener(fetch.New([]string{"127.0.0.1"}).Dial, sqldrivers.Options{Time: 100 * time.Millisecond})
		_, err := allowed(t.Context(), database.Target{Address: database.Address{Dialect: d, Host: "127.0.0.1", Port: port, User: "u", Password: "hunter2",
			Name: "n"}})
		if !fault.Is(err, fault.Upstream) || strings.Contains(err.Error(), "hunter2") {
			t.Errorf("%s that says nothing: %v, want Upstream", d, err)
		}
	}
}
