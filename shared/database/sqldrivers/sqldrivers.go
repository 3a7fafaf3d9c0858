// Package sqldrivers opens databases with the vendors' drivers. The drivers are
// large and register themselves, so only programs that query databases should
// link this package.
//
// A session is one connection. Every statement runs in a transaction that is
// read-only, if the server supports that, and always rolled back. Every
// connection, also after a redirect by the server, goes through the guarded
// dialer and may receive a limited number of bytes.
package sqldrivers

import (
	"context"
	"database/sql"
	"errors"
	"log/slog"
	"net"
	"sync/atomic"
	"time"

	"golang.org/x/sync/semaphore"

	"lectern/shared/database"
	"lectern/shared/fault"
)

// Options are the settings of sessions; zero values select the defaults.
type Options struct {
	Time time.Duration // of one statement; 15 s
	// Superusers allows PostgreSQL users who are superusers, or can read the server's
	// files or run programs there.
	Superusers bool
	Log        *slog.Logger // of users that may write; nil for nowhere
}

// maxConnBytes limits the bytes that one connection may receive, so that a
// single huge value is an error instead of exhausting memory.
const maxConnBytes = 64 << 20

// embeddedAtOnce is how many statements on SQLite databases run at the same time: they
// share memory and processors with the service, and one that fills the heap of all
// must not end another.
const embeddedAtOnce = 1

// Opener opens databases through dial, the guarded dialer.
func Opener(dial func(ctx context.Context, network, address string) (net.Conn, error), o Options) database.Opener {
	if o.Time <= 0 {
		o.Time = 15 * time.Second
	}
	if o.Log == nil {
		o.Log = slog.New(slog.DiscardHandler)
	}
	turns := semaphore.NewWeighted(embeddedAtOnce)
	return func(ctx context.Context, t database.Target) (database.DB, error) {
		s := &session{address: t.Address, time: o.Time, superusers: o.Superusers, log: o.Log, turns: turns}
		opening, cancel := context.WithTimeout(ctx, o.Time)
		defer cancel()
		var opened atomic.Bool
		s.dial = func(ctx context.Context, network, address string) (net.Conn, error) {
			conn, err := dial(ctx, network, address)
			if fault.Is(err, fault.Forbidden) {
				s.blocked.Store(fault.As(err))
			}
			if err != nil {
				return nil, err
			}
			// Some drivers ignore the context during login.
			context.AfterFunc(opening, func() {
				if !opened.Load() {
					_ = conn.SetDeadline(time.Unix(1, 0))
				}
			})
			return &capped{Conn: conn, left: maxConnBytes}, nil
		}
		err := s.open(opening, t)
		opened.Store(err == nil)
		if err != nil {
			err = s.explain(opening, err, "the database cannot be reached")
			_ = s.Close() // the first error is more useful
			return nil, err
		}
		return s, nil
	}
}

// session is one connection to a database.
type session struct {
	address database.Address
	dial    func(ctx context.Context, network, address string) (net.Conn, error)
	time    time.Duration
	// superusers are allowed
	superusers bool
	log        *slog.Logger
	turns      *semaphore.Weighted // of statements on SQLite
	blocked    atomic.Pointer[fault.Error]
	pool       *sql.DB
	conn       *sql.Conn
}

func (s *session) Dialect() database.Dialect { return s.address.Dialect }

func (s *session) open(ctx context.Context, t database.Target) error {
	var err error
	switch s.address.Dialect {
	case database.Postgres:
		s.pool, err = s.postgres()
	case database.MySQL:
		s.pool, err = s.mysql()
	case database.SQLServer:
		s.pool, err = s.sqlServer()
	default:
		return s.sqlite(ctx, t)
	}
	if err != nil {
		return err
	}
	s.pool.SetMaxOpenConns(1)
	if s.conn, err = s.pool.Conn(ctx); err != nil {
		return err
	}
	switch s.address.Dialect {
	case database.Postgres:
		return s.checkRole(ctx)
	case database.MySQL:
		return s.prepareMySQL(ctx)
	case database.SQLServer:
		return s.prepareSQLServer(ctx)
	}
	return nil
}

// Close ends the session. If the server does not respond, the connection is cut.
func (s *session) Close() error {
	var errs []error
	if s.conn != nil {
		errs = append(errs, s.conn.Close())
	}
	if s.pool != nil {
		errs = append(errs, s.pool.Close())
	}
	return errors.Join(errs...)
}

// reading is what statements run in, and how it ends.
type reading struct {
	queryer
	end func()
}

type queryer interface {
	QueryContext(ctx context.Context, query string, args ...any) (*sql.Rows, error)
}

// begin starts a read-only transaction. SQLite needs none, because the connection is
// the only one, to a copy, and writes nothing: one that a statement leaves open when
// it is interrupted would be in the way of the next.
func (s *session) begin(ctx context.Context) (reading, error) {
	if s.address.Dialect == database.SQLite {
		return reading{s.conn, func() {}}, nil
	}
	tx, err := s.beginTx(ctx)
	if err != nil {
		return reading{}, err
	}
	return reading{tx, func() { _ = tx.Rollback() }}, nil // nothing was written
}

func (s *session) beginTx(ctx context.Context) (*sql.Tx, error) {
	options := &sql.TxOptions{ReadOnly: s.address.Dialect == database.Postgres || s.address.Dialect == database.MySQL}
	tx, err := s.conn.BeginTx(ctx, options)
	if err != nil || s.address.Dialect != database.Postgres {
		return tx, err
	}
	// The settings are local to the transaction, so that a connection pooler in
	// front of the server does not leak them.
	if _, err := tx.ExecContext(ctx, postgresSettings, milliseconds(s.time), s.address.Path); err != nil {
		_ = tx.Rollback()
		return nil, err
	}
	return tx, nil
}

// Query runs one statement in a transaction that is rolled back.
func (s *session) Query(ctx context.Context, statement string, l database.Limits) (*database.Rows, error) {
	ctx, cancel := context.WithTimeout(ctx, s.time+2*time.Second)
	defer cancel()
	if s.address.Dialect == database.SQLite {
		if s.turns.Acquire(ctx, 1) != nil {
			if errors.Is(ctx.Err(), context.Canceled) {
				return nil, ctx.Err()
			}
			return nil, &fault.Error{Code: fault.RateLimited, Msg: "other statements are being run; ask again in a moment", RetryAfter: s.time}
		}
		defer s.turns.Release(1)
	}
	tx, err := s.begin(ctx)
	if err != nil {
		return nil, s.explain(ctx, err, lost)
	}
	defer tx.end()
	rows, err := s.rows(ctx, tx, l.OrDefaults(), statement)
	if err != nil {
		return nil, s.explain(ctx, err, lost)
	}
	return rows, nil
}

// rows reads the result of a statement up to the limits.
func (s *session) rows(ctx context.Context, tx queryer, l database.Limits, statement string, args ...any) (*database.Rows, error) {
	ctx, cancel := context.WithCancel(ctx)
	defer cancel() // ends a statement whose result was truncated
	found, err := tx.QueryContext(ctx, statement, args...)
	if err != nil {
		return nil, err
	}
	defer func() { _ = found.Close() }()
	out := &database.Rows{}
	if out.Columns, err = found.Columns(); err != nil {
		return nil, err
	}
	size := 0
	for found.Next() {
		if len(out.Values) == l.Rows || size > l.Bytes {
			out.Cut = true
			cancel() // before Close, which would read the rest
			return out, nil
		}
		row := make([]any, len(out.Columns))
		into := make([]any, len(row))
		for i := range row {
			into[i] = &row[i]
		}
		if err := found.Scan(into...); err != nil {
			return nil, err
		}
		for _, v := range row {
			switch v := v.(type) {
			case string:
				size += len(v)
			case []byte:
				size += len(v)
			default:
				size += 8
			}
		}
		out.Values = append(out.Values, row)
	}
	if size > l.Bytes {
		out.Cut = true
	}
	return out, found.Err()
}

// capped is a connection that may receive a limited number of bytes.
type capped struct {
	net.Conn
	left int
}

var errTooMuch = errors.New("the database sent too much data")

func (c *capped) Read(p []byte) (int, error) {
	if c.left <= 0 {
		return 0, errTooMuch
	}
	n, err := c.Conn.Read(p[:min(len(p), c.left)])
	c.left -= n
	return n, err
}
