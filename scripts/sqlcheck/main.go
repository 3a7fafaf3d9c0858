// Command sqlcheck tests database questions on a sample shop in SQLite and, if
// given, PostgreSQL and MariaDB: 60 questions through a chat with a scripted
// model and through the built-in one, and statements that try to write, after
// which the contents of all tables must be unchanged.
//
//	go run ./scripts/sqlcheck -postgres postgresql://… -mariadb mysql://…
package main

import (
	"context"
	"database/sql"
	"encoding/base64"
	"flag"
	"fmt"
	"log/slog"
	"net/url"
	"os"
	"path/filepath"
	"strings"
	"time"

	"lectern/functions/local/service"
	"lectern/shared/app/config"
	"lectern/shared/database"
	"lectern/shared/database/sqldrivers"
	"lectern/shared/ident"
	"lectern/shared/message"
)

func main() {
	postgres := flag.String("postgres", "", "address of an empty PostgreSQL database")
	mariadb := flag.String("mariadb", "", "address of an empty MariaDB database")
	update := flag.Bool("update", false, "write the answers of the reference statements")
	flag.Parse()
	ok, err := run(*postgres, *mariadb, *update)
	if err != nil {
		fmt.Fprintln(os.Stderr, "sqlcheck:", err)
		os.Exit(1)
	}
	if !ok {
		os.Exit(1)
	}
}

// engine is a database with the sample.
type engine struct {
	name  string
	items []message.ContextItem
	db    *sql.DB // separate connection for sums; nil if the service has a copy
}

func run(postgres, mariadb string, update bool) (bool, error) {
	dir, err := os.MkdirTemp("", "sqlcheck-")
	if err != nil {
		return false, err
	}
	defer os.RemoveAll(dir)
	questions, err := readQuestions()
	if err != nil {
		return false, err
	}
	engines, err := open(dir, postgres, mariadb)
	if err != nil {
		return false, err
	}
	if update {
		return true, writeAnswers(engines[0].db, questions)
	}
	hostile, err := readHostile()
	if err != nil {
		return false, err
	}
	upstream := newUpstream(questions)
	defer upstream.Close()
	cfg, err := config.Load(func(name string) string {
		return map[string]string{"LECTERN_DATA": filepath.Join(dir, "data"), "LECTERN_ALLOW_HOSTS": "127.0.0.1",
			"LECTERN_SQL_SUPERUSERS": "yes", "LECTERN_CHAT": "openai+" +
				upstream.URL + "/v1?model=scripted,extractive:"}[name]
	})
	if err != nil {
		return false, err
	}
	s, err := service.Open(context.Background(), cfg, service.Options{IDs: ident.Random{Now: time.Now}, Now: time.Now,
		Log: slog.New(slog.DiscardHandler)})
	if err != nil {
		return false, err
	}
	defer s.Close()
	ok := true
	fmt.Println("| database | scripted model: right | built-in model: right, declined, wrong | hostile: refused, tables unchanged | time |\n|---|---|---|---|---|")
	for _, e := range engines {
		if strings.HasPrefix(e.name, "PostgreSQL") {
			if err := roles(context.Background(), e.db, postgres); err != nil {
				return false, err
			}
			fmt.Println("roles of PostgreSQL: a superuser and one that runs programs are refused, one that reads is not")
		}
		c := &check{handler: s.Handler, engine: e}
		began := time.Now()
		if err := c.all(questions, hostile); err != nil {
			return false, fmt.Errorf("%s: %w", e.name, err)
		}
		fmt.Printf("| %s | %d of %d | %d, %d, %d | %d of %d, %t | %.1f s |\n", e.name, c.right, len(questions), c.plain, c.declined, c.wrong,
			c.refused, c.tried, c.unchanged, time.Since(began).Seconds())
		ok = ok && c.passed(questions)
	}
	return ok, nil
}

// open creates the sample in every database.
func open(dir, postgres, mariadb string) ([]engine, error) {
	path := filepath.Join(dir, "shop.db")
	if err := sqldrivers.CountMemory(); err != nil {
		return nil, err
	}
	lite, err := sql.Open("sqlite", path)
	if err != nil {
		return nil, err
	}
	if err := fill(lite); err != nil {
		return nil, err
	}
	data, err := os.ReadFile(path)
	if err != nil {
		return nil, err
	}
	var version string
	if err := lite.QueryRow("SELECT sqlite_version()").Scan(&version); err != nil {
		return nil, err
	}
	engines := []engine{{"SQLite " + version, []message.ContextItem{
		{Type: "sql_database", ConnectionString: "sqlite:///shop.db"},
		{Type: "file", FileName: "shop.db", Value: base64.StdEncoding.EncodeToString(data)},
	}, lite}}
	for driver, address := range map[string]string{"pgx": postgres, "mysql": mariadb} {
		if address == "" {
			continue
		}
		a, err := database.Parse(address, false)
		if err != nil {
			return nil, err
		}
		dsn := (&url.URL{Scheme: "postgres", User: url.UserPassword(a.User, a.Password), Host: fmt.Sprintf("%s:%d", a.Host, a.Port),
			Path: a.Name}).String()
		if driver == "mysql" {
			dsn = fmt.Sprintf("%s:%s@tcp(%s:%d)/%s", a.User, a.Password, a.Host, a.Port, a.Name)
		}
		db, err := sql.Open(driver, dsn)
		if err != nil {
			return nil, err
		}
		if err := fill(db); err != nil {
			return nil, fmt.Errorf("%s: %w", driver, err)
		}
		if err := db.QueryRow("SELECT version()").Scan(&version); err != nil {
			return nil, err
		}
		name := strings.Join(strings.Fields(version)[:min(2, len(strings.Fields(version)))], " ")
		if driver == "mysql" {
			name = "MariaDB " + strings.Split(version, "-")[0]
		}
		engines = append(engines, engine{name, []message.ContextItem{{Type: "sql_database", ConnectionString: address}}, db})
	}
	return engines, nil
}

func fill(db *sql.DB) error {
	for _, s := range sample() {
		if _, err := db.Exec(s); err != nil {
			return fmt.Errorf("%s: %w", s, err)
		}
	}
	return nil
}

var tables = []string{"customers", "products", "orders", "order_items", "employees"}

// sums returns the contents of all tables and the names of all objects.
func sums(e engine) (string, error) {
	var b strings.Builder
	list := append([]string(nil), tables...)
	for _, t := range list {
		rows, err := read(e.db, "SELECT * FROM "+t+" ORDER BY id")
		if err != nil {
			return "", err
		}
		fmt.Fprintln(&b, t, rows)
	}
	names := "SELECT table_name FROM information_schema.tables WHERE table_schema NOT IN ('information_schema', 'pg_catalog', 'mysql', 'performance_schema', 'sys') ORDER BY 1"
	if strings.HasPrefix(e.name, "SQLite") {
		names = "SELECT name FROM sqlite_master ORDER BY 1"
	}
	rows, err := read(e.db, names)
	fmt.Fprintln(&b, rows)
	return b.String(), err
}

// read runs a statement on the separate connection.
func read(db *sql.DB, query string) ([][]string, error) {
	rows, err := db.Query(query)
	if err != nil {
		return nil, err
	}
	defer rows.Close()
	columns, err := rows.Columns()
	if err != nil {
		return nil, err
	}
	var out [][]string
	for rows.Next() {
		values, into := make([]any, len(columns)), make([]any, len(columns))
		for i := range values {
			into[i] = &values[i]
		}
		if err := rows.Scan(into...); err != nil {
			return nil, err
		}
		cells := make([]string, len(values))
		for i, v := range values {
			cells[i] = database.Show(v)
		}
		out = append(out, cells)
	}
	return out, rows.Err()
}
