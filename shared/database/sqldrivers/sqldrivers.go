// Package sqldrivers opens databases with the drivers of their vendors. The
// drivers are large and register themselves, so that only the programs that ask
// databases link this package.
//
// A session is one connection. Everything runs in a transaction that only
// reads, where the server has such, and that is rolled back always. Every
// connection, also one that a server redirects to, is dialled by the guarded
// dialer and may bring a bounded number of bytes.
package sqldrivers

import (
	"context"
	"database/sql"
	"errors"
	"net"
	"sync/atomic"
	"time"

	"lectern/shared/database"
	"lectern/shared/fault"
)

// Options are the settings of sessions; zero values are the defaults named.
type Options struct {
	Time time.Duration // of one statement; 15 s
	// Superusers says that PostgreSQL may be asked as a superuser, or as a role
	// that reads the server's files or runs programs there.
	Superusers bool
}

// maxConnBytes bounds what one connection may bring, so that a single huge
// value ends in an error and not in memory.
const maxConnBytes = 64 << 20

// Opener opens databases through dial, the guarded way out.
func Opener(dial func(ctx context.Context, network, address string) (net.Conn, error), o Options) database.Opener {
	if o.Time <= 0 {
		o.Time = 15 * time.Second
	}
	return func(ctx context.Context, t database.Target) (database.DB, error) {
		s := &session{address: t.Address, time: o.Time, superusers: o.Superusers}
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
			// Not every driver looks at the time while it logs in.
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
			_ = s.Close() // the first error tells more
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
	// superusers are let in
	superusers bool
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

// Close ends the session. A server that does not answer any more holds nobody
// up: the connection is cut.
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

// begin starts a transaction that only reads.
func (s *session) begin(ctx context.Context) (*sql.Tx, error) {
	options := &sql.TxOptions{ReadOnly: s.address.Dialect == database.Postgres || s.address.Dialect == database.MySQL}
	tx, err := s.conn.BeginTx(ctx, options)
	if err != nil || s.address.Dialect != database.Postgres {
		return tx, err
	}
	// The settings end with the transaction, so that a pool of connections in
	// front of the server does not hand them on.
	if _, err := tx.ExecContext(ctx, postgresSettings, milliseconds(s.time), s.address.Path); err != nil {
		_ = tx.Rollback()
		return nil, err
	}
	return tx, nil
}

// Query runs one statement, and rolls back whatever it was.
func (s *session) Query(ctx context.Context, statement string, l database.Limits) (*database.Rows, error) {
	ctx, cancel := context.WithTimeout(ctx, s.time+2*time.Second)
	defer cancel()
	tx, err := s.begin(ctx)
	if err != nil {
		return nil, s.explain(ctx, err, lost)
	}
	defer tx.Rollback() //nolint:errcheck // nothing was written
	rows, err := s.rows(ctx, tx, l.OrDefaults(), statement)
	if err != nil {
		return nil, s.explain(ctx, err, lost)
	}
	return rows, nil
}

// rows reads what a statement gives, as far as the limits let it.
func (s *session) rows(ctx context.Context, tx *sql.Tx, l database.Limits, statement string, args ...any) (*database.Rows, error) {
	ctx, cancel := context.WithCancel(ctx)
	defer cancel() // ends a statement of which not all is read
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
			cancel() // before the rest is closed, for closing would read it
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

// capped is a connection that may bring a number of bytes.
type capped struct {
	net.Conn
	left int
}

var errTooMuch = errors.New("the database sent too much")

func (c *capped) Read(p []byte) (int, error) {
	if c.left <= 0 {
		return 0, errTooMuch
	}
	n, err := c.Conn.Read(p[:min(len(p), c.left)])
	c.left -= n
	return n, err
}
