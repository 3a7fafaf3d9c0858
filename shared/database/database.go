// Package database is the port to databases that users query: their schema, and
// the rows of a query. It parses addresses and renders schemas and rows as
// text; it links no driver.
//
// Databases are never changed. The caller checks a query with package statement
// first; a driver adds a read-only session that is rolled back, timeouts and
// limits.
package database

import (
	"context"
	"errors"
)

// Dialect is a kind of database.
type Dialect int

// The dialects.
const (
	Postgres Dialect = iota
	MySQL            // and MariaDB
	SQLServer
	SQLite
)

func (d Dialect) String() string {
	return [...]string{"PostgreSQL", "MySQL", "SQL Server", "SQLite"}[d]
}

// Limits limit one query; zero fields select the defaults.
type Limits struct {
	Rows  int // 1,000
	Bytes int // of all values together; 4 MiB
}

// OrDefaults replaces zeros by the defaults.
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
	// Schema describes what is in the scope.
	Schema(ctx context.Context, s Scope) (*Schema, error)
	// Query runs one checked statement. An error of the database is an Upstream fault
	// with a public message without credentials.
	Query(ctx context.Context, sql string, l Limits) (*Rows, error)
	Close() error
}

// ErrHeavy is in the chain of the error of a statement that takes more time or memory
// than it may: another one would take as much.
var ErrHeavy = errors.New("the statement is too heavy")

// Target is a database to open.
type Target struct {
	Address Address
	Data    []byte // of a SQLite database
	Tables  []Data // contents of a new SQLite database
}

// Data is a table to load.
type Data struct {
	Name    string
	Columns []DataColumn
	Rows    [][]any // nil, int64, float64, string
}

// DataColumn is a column of Data; Type is its declared SQL type.
type DataColumn struct{ Name, Type string }

// Opener opens databases. A blocked address is Forbidden, a database that
// cannot be opened is Upstream; neither error contains credentials.
type Opener func(ctx context.Context, t Target) (DB, error)

// Scope selects the parts of a database to describe.
type Scope struct {
	Tables, Views, Functions, Procedures bool
	Schemas                              []string // nil: all except system schemas
}

// Limits reports whether the scope hides tables, views or schemas.
func (s Scope) Limits() bool { return !s.Tables || !s.Views || s.Schemas != nil }

// Everything is the scope of the whole database.
var Everything = Scope{Tables: true, Views: true, Functions: true, Procedures: true}
