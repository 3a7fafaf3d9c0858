package main

import (
	"context"
	"database/sql"
	"errors"
	"fmt"
	"log/slog"
	"net"
	"strings"

	"lectern/shared/database"
	"lectern/shared/database/sqldrivers"
)

// roles checks which PostgreSQL users are accepted: not a superuser or a role
// that can run programs, but a role that only reads. address is a superuser's.
func roles(ctx context.Context, db *sql.DB, address string) error {
	for _, statement := range []string{
		"DROP ROLE IF EXISTS reader", "DROP ROLE IF EXISTS runner", "CREATE ROLE reader LOGIN PASSWORD 'only reads'",
		"CREATE ROLE runner LOGIN PASSWORD 'only reads'", "GRANT pg_execute_server_program TO runner",
		"DROP TABLE IF EXISTS kept", "CREATE TABLE kept (n int)", "DROP ROLE IF EXISTS writer", "CREATE ROLE writer LOGIN PASSWORD 'only reads'",
		"GRANT SELECT, INSERT ON kept TO writer", "GRANT SELECT ON kept TO reader",
	} {
		if _, err := db.ExecContext(ctx, statement); err != nil {
			return err
		}
	}
	dial := func(ctx context.Context, network, address string) (net.Conn, error) {
		return (&net.Dialer{}).DialContext(ctx, network, address)
	}
	for _, tc := range []struct {
		user string // empty for the superuser
		o    sqldrivers.Options
		open bool
		warn bool // of a user that may write
	}{{"", sqldrivers.Options{}, false, false}, {"", sqldrivers.Options{Superusers: true}, true, true}, {"runner", sqldrivers.Options{}, false, false},
		{"reader", sqldrivers.Options{}, true, false}, {"writer", sqldrivers.Options{}, true, true}} {
		var logged strings.Builder
		tc.o.Log = slog.New(slog.NewTextHandler(&logged, nil))
		a, err := database.Parse(address, false)
		if err != nil {
			return err
		}
		if tc.user != "" {
			a.User, a.Password = tc.user, "only reads"
		}
		opened, err := sqldrivers.Opener(dial, tc.o)(ctx, database.Target{Address: a})
		if err == nil {
			_, err = opened.Query(ctx, "SELECT 1", database.Limits{})
			if tc.user == "writer" {
				if _, err := opened.Query(ctx, "INSERT INTO kept VALUES (1)", database.Limits{}); err == nil {
					return errors.New("a statement that writes was run")
				}
			}
			opened.Close()
		}
		if warned := strings.Contains(logged.String(), "may write"); warned != tc.warn {
			return fmt.Errorf("asked as %q a warning was logged: %v, %s", tc.user, warned, logged.String())
		}
		if (err == nil) != tc.open || err != nil && !strings.Contains(err.Error(), "LECTERN_SQL_SUPERUSERS") {
			return fmt.Errorf("asked as %q with %+v: %v", tc.user, tc.o, err)
		}
	}
	return nil
}
