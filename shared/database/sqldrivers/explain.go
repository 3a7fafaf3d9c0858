package sqldrivers

import (
	"context"
	"errors"
	"strings"

	"github.com/go-sql-driver/mysql"
	"github.com/jackc/pgx/v5/pgconn"
	mssql "github.com/microsoft/go-mssqldb"
	"modernc.org/sqlite"
	lib "modernc.org/sqlite/lib"

	"lectern/shared/database"
	"lectern/shared/fault"
)

const (
	lost    = "the database broke off the connection"
	slow    = "the database took too long"
	large   = "the statement takes more memory than it may"
	refused = "the database refused the user or the password"
	unknown = "the server has no database of this name"
)

// explain converts a driver's error to a fault. Drivers mention hosts, users
// and addresses, so only the server's own message about a statement is public;
// other replaces any other text.
func (s *session) explain(ctx context.Context, err error, other string) error {
	if f := s.blocked.Load(); f != nil {
		return f
	}
	if f := fault.As(err); f != nil {
		return f
	}
	if errors.Is(ctx.Err(), context.Canceled) {
		return ctx.Err()
	}
	msg := other
	switch {
	case errors.Is(err, errTooMuch):
		msg = "the database sent more than can be read; ask for less"
	case errors.Is(err, context.DeadlineExceeded), ctx.Err() != nil:
		msg = slow
	default:
		if said := said(err); said != "" {
			msg = s.address.Hide(short(said))
		}
	}
	f := &fault.Error{Code: fault.Upstream, Msg: msg, NoRetry: true}
	if msg == slow || msg == large {
		f.Cause = database.ErrHeavy
	}
	return f
}

// said returns the server's message about a statement or a login.
func said(err error) string {
	if e, ok := errors.AsType[*pgconn.PgError](err); ok {
		switch e.Code {
		case "28P01", "28000":
			return refused
		case "3D000":
			return unknown
		case "57014":
			return slow
		}
		if e.Hint != "" {
			return e.Message + " (" + e.Hint + ")"
		}
		return e.Message
	}
	if e, ok := errors.AsType[*mysql.MySQLError](err); ok {
		switch e.Number {
		case 1045, 1044, 1698:
			return refused
		case 1049:
			return unknown
		case 3024, 1969, 1317:
			return slow
		}
		return e.Message
	}
	if e, ok := errors.AsType[mssql.Error](err); ok {
		switch e.Number {
		case 18456, 18452:
			return refused
		case 4060:
			return unknown
		case 1222:
			return slow
		}
		return e.Message
	}
	if e, ok := errors.AsType[*sqlite.Error](err); ok {
		if e.Code()&0xff == lib.SQLITE_NOMEM {
			return large
		}
		return strings.TrimPrefix(e.Error(), "SQL logic error: ")
	}
	return ""
}

func short(s string) string {
	const most = 500
	if len(s) > most {
		return strings.ToValidUTF8(s[:most], "") + "…"
	}
	return s
}

var _ database.DB = (*session)(nil)
