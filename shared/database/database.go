// Package database is the port to databases that users ask about: what is in
// them, and the rows of one query. It knows the dialects and the addresses, and
// shows schemas and rows as text; no driver is linked by it.
//
// A database is asked, never changed. Whoever runs a query has it checked by
// package statement first; a driver adds a read-only session that is rolled
// back, time-outs and caps.
package database

import "context"

// Dialect is a kind of database.
type Dialect int

// The dialects.
const (
	Postgres Dialect = iota
	MySQL            // MariaDB too
	SQLServer
	SQLite
)

func (d Dialect) String() string {
	return [...]string{"PostgreSQL", "MySQL", "SQL Server", "SQLite"}[d]
}

// Limits bound one query; zero fields are the defaults named.
type Limits struct {
	Rows  int // 1,000
	Bytes int // of all values together; 4 MiB
}

// OrDefaults returns the limits without zeros.
func (l Limits) OrDefaults() Limits {
	if l.Rows <= 0 {
		l.Rows = 1000
	}
	if l.Bytes <= 0 {
		l.Bytes = 4 << 20
	}
	return l
}

// DB is an open database. Not safe for concurrent use.
type DB interface {
	Dialect() Dialect
	// Schema describes what the scope shows.
	Schema(ctx context.Context, s Scope) (*Schema, error)
	// Query runs one checked statement. What the database says against it is
	// an Upstream fault whose message may be shown and holds no credentials.
	Query(ctx context.Context, sql string, l Limits) (*Rows, error)
	Close() error
}

// Target is what to open.
type Target struct {
	Address Address
	Data    []byte // of a SQLite database
	Tables  []Data // a SQLite database to be made of these
}

// Data is a table to be loaded.
type Data struct {
	Name    string
	Columns []DataColumn
	Rows    [][]any // nil, int64, float64, string
}

// DataColumn is a column of Data; Type is that of its declaration.
type DataColumn struct{ Name, Type string }

// Opener opens databases. A blocked address is a Forbidden fault, a database
// that cannot be opened an Upstream one; neither holds credentials.
type Opener func(ctx context.Context, t Target) (DB, error)

// Scope says what of a database is shown.
type Scope struct {
	Tables, Views, Functions, Procedures bool
	Schemas                              []string // nil: all but the system's own
}

// Limits reports whether the scope hides tables, views or schemas.
func (s Scope) Limits() bool { return !s.Tables || !s.Views || s.Schemas != nil }

// Everything is the scope of all that there is.
var Everything = Scope{Tables: true, Views: true, Functions: true, Procedures: true}
