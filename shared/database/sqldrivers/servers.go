package sqldrivers

import (
	"context"
	"crypto/tls"
	"database/sql"
	"fmt"
	"net"
	"net/url"
	"strconv"
	"strings"
	"time"

	"github.com/go-sql-driver/mysql"
	"github.com/jackc/pgx/v5"
	"github.com/jackc/pgx/v5/pgconn"
	"github.com/jackc/pgx/v5/pgconn/ctxwatch"
	"github.com/jackc/pgx/v5/stdlib"
	mssql "github.com/microsoft/go-mssqldb"
	"github.com/microsoft/go-mssqldb/msdsn"

	"lectern/shared/database"
	"lectern/shared/fault"
)

// postgresSettings apply to one transaction. standard_conforming_strings is set
// so that the server tokenizes a statement the way it was checked.
const postgresSettings = `SELECT set_config('statement_timeout', $1, true), set_config('lock_timeout', '3000', true), set_config('idle_in_transaction_session_timeout', '60000', true),
	set_config('standard_conforming_strings', 'on', true), set_config('search_path', CASE WHEN $2 = '' THEN current_setting('search_path') ELSE $2 END, true)`

// powerful queries whether the user has rights beyond the database.
const powerful = `SELECT EXISTS (SELECT 1 FROM pg_catalog.pg_roles r WHERE r.rolsuper AND r.rolname = current_user OR
	r.rolname IN ('pg_read_server_files', 'pg_write_server_files', 'pg_execute_server_program') AND pg_catalog.pg_has_role(current_user, r.oid, 'member'))`

// writing queries whether the user may write a table.
var writing = map[database.Dialect]string{
	database.Postgres: `SELECT EXISTS (SELECT 1 FROM pg_catalog.pg_class c JOIN pg_catalog.pg_namespace n ON n.oid = c.relnamespace WHERE c.relkind IN ('r', 'p')
		AND n.nspname NOT IN ('pg_catalog', 'information_schema') AND pg_catalog.has_table_privilege(c.oid, 'INSERT, UPDATE, DELETE, TRUNCATE'))`,
	database.MySQL: `SELECT EXISTS (SELECT 1 FROM information_schema.user_privileges WHERE privilege_type IN ('INSERT', 'UPDATE', 'DELETE', 'DROP', 'FILE', 'SUPER'))
		OR EXISTS (SELECT 1 FROM information_schema.schema_privileges WHERE privilege_type IN ('INSERT', 'UPDATE', 'DELETE', 'DROP'))
		OR EXISTS (SELECT 1 FROM information_schema.table_privileges WHERE privilege_type IN ('INSERT', 'UPDATE', 'DELETE', 'DROP'))`,
	database.SQLServer: `SELECT CASE WHEN HAS_PERMS_BY_NAME(DB_NAME(), 'DATABASE', 'INSERT') = 1 OR HAS_PERMS_BY_NAME(DB_NAME(), 'DATABASE', 'CONTROL') = 1 THEN 1 ELSE 0 END`,
}

// checkRole rejects roles that a read-only transaction does not confine, because they
// can read files of the server or run programs on it, and warns of those that could
// write without it.
func (s *session) checkRole(ctx context.Context) error {
	var found bool
	if !s.superusers && s.address.Dialect == database.Postgres {
		if err := s.conn.QueryRowContext(ctx, powerful).Scan(&found); err != nil {
			return err
		}
	}
	if found {
		return fault.New(fault.Forbidden, "this user is a superuser of the database server, or may read its files or run programs on it; "+
			"use a role that may only read, or let the operator set LECTERN_SQL_SUPERUSERS=yes")
	}
	if err := s.conn.QueryRowContext(ctx, writing[s.address.Dialect]).Scan(&found); err != nil {
		s.log.WarnContext(ctx, "it is not known whether the database user may write", "host", s.address.Host, "error", s.address.Hide(err.Error()))
	} else if found {
		s.log.WarnContext(ctx, "a database user may write; its statements run in transactions that are read-only or rolled back, but use one that may only read",
			"host", s.address.Host, "user", s.address.User)
	}
	return nil
}

func milliseconds(d time.Duration) string { return strconv.FormatInt(d.Milliseconds(), 10) }

func (s *session) postgres() (*sql.DB, error) {
	a := &s.address
	// Everything is set explicitly, so that environment variables and files of
	// the process cannot influence a connection.
	cfg, err := pgx.ParseConfig("host=127.0.0.1 port=5432 user=none password=none dbname=none sslmode=disable passfile=/dev/null servicefile=/dev/null target_session_attrs=any")
	if err != nil {
		return nil, err
	}
	cfg.Host, cfg.Port, cfg.User, cfg.Password, cfg.Database = a.Host, uint16(a.Port), a.User, a.Password, a.Name
	if cfg.Database == "" {
		cfg.Database = a.User
	}
	cfg.RuntimeParams = map[string]string{"application_name": "lectern", "client_encoding": "UTF8", "timezone": "UTC"}
	cfg.DialFunc = s.dial
	cfg.LookupFunc = func(_ context.Context, host string) ([]string, error) { return []string{host}, nil } // the dialer resolves
	cfg.MaxProtocolMessageBodyLen = maxConnBytes / 4
	cfg.ConnectTimeout = 10 * time.Second
	cfg.BuildContextWatcherHandler = func(c *pgconn.PgConn) ctxwatch.Handler {
		return &pgconn.CancelRequestContextWatcherHandler{Conn: c, DeadlineDelay: time.Second}
	}
	cfg.TLSConfig, cfg.Fallbacks = s.tls(), nil
	if a.TLS == database.Prefer {
		cfg.Fallbacks = []*pgconn.FallbackConfig{{Host: cfg.Host, Port: cfg.Port}}
	}
	cfg.DefaultQueryExecMode = pgx.QueryExecModeExec
	return stdlib.OpenDB(*cfg), nil
}

// tls returns nil for a connection without TLS.
func (s *session) tls() *tls.Config {
	switch s.address.TLS {
	case database.Off:
		return nil
	case database.Verify:
		return &tls.Config{ServerName: s.address.Host, MinVersion: tls.VersionTLS12}
	}
	// Require only asks for encryption; self-signed certificates are common among
	// database servers.
	return &tls.Config{ServerName: s.address.Host, MinVersion: tls.VersionTLS12, InsecureSkipVerify: true} //nolint:gosec // see above
}

func (s *session) mysql() (*sql.DB, error) {
	a := &s.address
	switch strings.ToLower(a.Name) {
	case "mysql", "performance_schema", "sys":
		return nil, fault.New(fault.Forbidden, "the database %s contains the server's accounts and activity; name another one", a.Name)
	}
	cfg := mysql.NewConfig()
	cfg.User, cfg.Passwd, cfg.DBName, cfg.Net, cfg.Addr = a.User, a.Password, a.Name, "tcp", net.JoinHostPort(a.Host, strconv.Itoa(a.Port))
	cfg.DialFunc = s.dial
	cfg.Timeout, cfg.ReadTimeout, cfg.WriteTimeout = 10*time.Second, s.time+5*time.Second, 10*time.Second
	cfg.Logger = &mysql.NopLogger{}
	cfg.TLS = s.tls()
	cfg.AllowFallbackToPlaintext = a.TLS == database.Prefer
	connector, err := mysql.NewConnector(cfg)
	if err != nil {
		return nil, err
	}
	return sql.OpenDB(connector), nil
}

// prepareMySQL sets how the server parses statements, so that it matches the
// check, and the statement timeout, which MariaDB names differently.
func (s *session) prepareMySQL(ctx context.Context) error {
	for _, q := range []string{"SET SESSION sql_mode = 'ONLY_FULL_GROUP_BY,STRICT_TRANS_TABLES,NO_ENGINE_SUBSTITUTION'",
		"SET SESSION TRANSACTION READ ONLY",
		"SET SESSION lock_wait_timeout = 3, innodb_lock_wait_timeout = 3"} {
		if _, err := s.conn.ExecContext(ctx, q); err != nil {
			return err
		}
	}
	_, err := s.conn.ExecContext(ctx, fmt.Sprintf("SET SESSION max_execution_time = %d", s.time.Milliseconds()))
	if err != nil {
		_, err = s.conn.ExecContext(ctx, fmt.Sprintf("SET SESSION max_statement_time = %.3f", s.time.Seconds()))
	}
	if err != nil {
		return err
	}
	return s.checkRole(ctx)
}

func (s *session) sqlServer() (*sql.DB, error) {
	a := &s.address
	q := url.Values{"app name": {"lectern"}, "ApplicationIntent": {"ReadOnly"}, "dial timeout": {"10"}, "database": {a.Name},
		"disableretry": {"true"}, "protocol": {"tcp"}}
	switch a.TLS {
	case database.Off:
		q.Set("encrypt", "disable")
	case database.Prefer:
		q.Set("encrypt", "false") // the login is encrypted anyway
		q.Set("TrustServerCertificate", "true")
	case database.Require:
		q.Set("encrypt", "true")
		q.Set("TrustServerCertificate", "true")
	case database.Verify:
		q.Set("encrypt", "true")
	}
	if a.Name == "" {
		q.Del("database") // a read-only intent needs one
		q.Del("ApplicationIntent")
	}
	u := url.URL{Scheme: "sqlserver", User: url.UserPassword(a.User, a.Password), Host: net.JoinHostPort(a.Host, strconv.Itoa(a.Port)),
		RawQuery: q.Encode()}
	cfg, err := msdsn.Parse(u.String())
	if err != nil {
		return nil, fmt.Errorf("build driver URL: %s", a.Hide(err.Error()))
	}
	connector := mssql.NewConnectorConfig(cfg)
	connector.Dialer = hostDialer{s}
	return sql.OpenDB(connector), nil
}

// hostDialer resolves names itself, so that the checked address is the one that
// is dialled.
type hostDialer struct{ s *session }

func (d hostDialer) HostName() string { return d.s.address.Host }
func (d hostDialer) DialContext(ctx context.Context, network, address string) (net.Conn, error) {
	return d.s.dial(ctx, network, address)
}

func (s *session) prepareSQLServer(ctx context.Context) error {
	_, err := s.conn.ExecContext(ctx, "SET LOCK_TIMEOUT 3000; SET XACT_ABORT ON; SET QUOTED_IDENTIFIER ON")
	if err != nil {
		return err
	}
	return s.checkRole(ctx)
}
