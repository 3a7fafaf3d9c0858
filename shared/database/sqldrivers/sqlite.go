package sqldrivers

import (
	"bytes"
	"context"
	"database/sql"
	"errors"
	"fmt"
	"strings"
	"sync"

	"modernc.org/libc"
	"modernc.org/sqlite"
	lib "modernc.org/sqlite/lib"

	"lectern/shared/database"
	"lectern/shared/fault"
)

// heapBytes limits the memory of all SQLite databases of the process together, their
// bytes, sorters and temporary tables included, by the count of SQLite's allocator.
// Sorters and temporary tables stay in memory for that: nothing bounds the temporary
// files of SQLite (max_page_count does not count the runs of a sorter), so that only a
// quota of the system could cap a directory for them.
const heapBytes = 256 << 20

// CountMemory makes SQLite's allocator count what it gives, without which heapBytes
// limits nothing: the library is built so that it does not. It takes effect before the
// first connection of the process, and once; who opens SQLite databases besides calls
// it before.
var CountMemory = sync.OnceValue(func() error {
	tls := libc.NewTLS()
	defer tls.Close()
	on := libc.NewVaList(int32(1))
	defer libc.Xfree(tls, on)
	if rc := lib.Xsqlite3_config(tls, lib.SQLITE_CONFIG_MEMSTATUS, on); rc != lib.SQLITE_OK {
		return fmt.Errorf("SQLite does not count its memory: error %d", rc)
	}
	return nil
})

// sqlite opens a database in memory: a copy of the file's bytes, or one built
// from tables. It has no access to local files.
func (s *session) sqlite(ctx context.Context, t database.Target) error {
	err := CountMemory()
	if err != nil {
		return err
	}
	if s.pool, err = sql.Open("sqlite", "file::memory:?_defensive=1&_dqs=0"); err != nil {
		return err
	}
	s.pool.SetMaxOpenConns(1)
	if s.conn, err = s.pool.Conn(ctx); err != nil {
		return err
	}
	if t.Data != nil {
		err = s.conn.Raw(func(driver any) error { return deserialize(driver, t.Data) })
	} else {
		err = s.load(ctx, t.Tables)
	}
	if err != nil {
		return err
	}
	for id, most := range map[int]int{lib.SQLITE_LIMIT_LENGTH: 16 << 20, lib.SQLITE_LIMIT_SQL_LENGTH: 64 << 10,
		lib.SQLITE_LIMIT_ATTACHED: 0, lib.SQLITE_LIMIT_EXPR_DEPTH: 200, lib.SQLITE_LIMIT_WORKER_THREADS: 0} {
		if _, err := sqlite.Limit(s.conn, id, most); err != nil {
			return err
		}
	}
	for _, pragma := range []string{"trusted_schema = OFF", "cell_size_check = ON", "temp_store = MEMORY",
		fmt.Sprintf("hard_heap_limit = %d", heapBytes), "query_only = ON"} {
		if _, err := s.conn.ExecContext(ctx, "PRAGMA "+pragma); err != nil {
			return err
		}
	}
	// This detects bytes that are not a database.
	var n int
	if err := s.conn.QueryRowContext(ctx, "SELECT count(*) FROM sqlite_master").Scan(&n); err != nil {
		return fault.Wrap(err, fault.Upstream, "the file is not a readable SQLite database")
	}
	return nil
}

func deserialize(driver any, data []byte) error {
	conn, ok := driver.(interface{ Deserialize([]byte) error })
	if !ok {
		return errors.New("the SQLite driver cannot load bytes")
	}
	// A database in write-ahead mode can only be opened beside its log, so
	// reset the mode.
	const writeVersion, readVersion = 18, 19
	if len(data) > readVersion && data[writeVersion] == 2 {
		data = bytes.Clone(data)
		data[writeVersion], data[readVersion] = 1, 1
	}
	return conn.Deserialize(data)
}

// load creates tables.
func (s *session) load(ctx context.Context, tables []database.Data) error {
	tx, err := s.conn.BeginTx(ctx, nil)
	if err != nil {
		return err
	}
	defer tx.Rollback() //nolint:errcheck // no effect after Commit
	d := database.SQLite
	for _, t := range tables {
		var columns, marks []string
		for _, c := range t.Columns {
			columns, marks = append(columns, d.Quote(c.Name)+" "+c.Type), append(marks, "?")
		}
		if _, err := tx.ExecContext(ctx, "CREATE TABLE "+d.Quote(t.Name)+" ("+strings.Join(columns, ", ")+")"); err != nil {
			return err
		}
		insert, err := tx.PrepareContext(ctx, "INSERT INTO "+d.Quote(t.Name)+" VALUES ("+strings.Join(marks, ", ")+")")
		if err != nil {
			return err
		}
		for _, row := range t.Rows {
			if _, err := insert.ExecContext(ctx, row...); err != nil {
				return errors.Join(err, insert.Close())
			}
		}
		if err := insert.Close(); err != nil {
			return err
		}
	}
	return tx.Commit()
}
