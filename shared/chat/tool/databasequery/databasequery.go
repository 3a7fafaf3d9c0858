// Package databasequery is the tool that answers questions from SQL databases:
// servers named by a connection string, and SQLite files of the request or the
// session. It opens them through a port, so that functions without database
// drivers can link its description.
package databasequery

import (
	"bytes"
	"context"
	"encoding/base64"
	"encoding/json"
	"fmt"
	"strings"

	"lectern/shared/chat/tool"
	"lectern/shared/chat/tool/inquiry"
	"lectern/shared/database"
	"lectern/shared/fault"
	"lectern/shared/file"
	"lectern/shared/message"
)

// Type declares the tool in a request.
const Type = "database_query_v1"

const (
	maxDatabases = 5
	maxFile      = 64 << 20 // bytes of a SQLite database
	sqliteMagic  = "SQLite format 3\x00"
)

// Tool queries databases. Safe for concurrent use.
type Tool struct {
	Open    database.Opener
	Inquiry *inquiry.Service
	Files   *file.Service // nil disables files
}

// Type is database_query_v1.
func (*Tool) Type() string { return Type }

// Describe returns the description for models.
func (*Tool) Describe() tool.Description {
	return tool.Description{
		Description: "Answer a question from the SQL databases of this conversation. Give the question in words, or a statement that only reads. Returns the statement, its rows and a CSV file of them.",
		InputSchema: message.Object(`{"type":"object","properties":{"query":{"type":"string","description":"the question, complete in itself"},` +
			`"sql":{"type":"string","description":"one SELECT statement to run instead, when the tables are known"},` +
			`"database":{"type":"integer","minimum":1,"description":"which database sql is for, when there are several"}}}`),
		Instructions: "Ask the database for figures and records instead of guessing them. Ask one question at a time, in full.",
	}
}

// source is a database of the contexts.
type source struct {
	loc    []any // location in the request
	target database.Target
	scope  database.Scope
	about  string
}

// Check reports databases that cannot be opened.
func (t *Tool) Check(ctx context.Context, spec tool.Spec) error {
	sources, err := t.sources(ctx, spec)
	if err != nil {
		return err
	}
	var problems []fault.Problem
	for _, s := range sources {
		db, err := t.Open(ctx, s.target)
		if f := fault.As(err); f != nil && f.Code != fault.Internal {
			problems = append(problems, fault.Problem{Loc: s.loc, Msg: f.Msg, Type: "value_error"})
		} else if err != nil {
			return err
		} else if err := db.Close(); err != nil {
			return fmt.Errorf("close database: %w", err)
		}
	}
	if len(problems) > 0 {
		return fault.Problems(problems)
	}
	return nil
}

// Run answers one question. An unusable connection string is Invalid, located
// below "context"; a blocked address is Forbidden; any other problem of a
// database is a failed result.
func (t *Tool) Run(ctx context.Context, call tool.Call) (tool.Result, error) {
	var input struct {
		Query    string `json:"query"`
		SQL      string `json:"sql"`
		Database int    `json:"database"`
	}
	if err := json.Unmarshal(call.Input, &input); err != nil || strings.TrimSpace(input.Query) == "" && strings.TrimSpace(input.SQL) == "" {
		return tool.Failed("the input needs a query, or a statement in sql"), nil
	}
	sources, err := t.sources(ctx, call.Spec)
	if err != nil {
		return tool.Result{}, err
	}
	if len(sources) == 0 {
		return tool.Failed("the tool has no database to ask; give it a context item of type sql_database, or a file that is a SQLite database"), nil
	}
	var open []inquiry.Source
	defer func() {
		for _, s := range open {
			_ = s.DB.Close() // read-only, and the answer is complete
		}
	}()
	for _, s := range sources {
		db, err := t.Open(ctx, s.target)
		if fault.Is(err, fault.Upstream) {
			return tool.Failed(fault.As(err).Msg), nil
		}
		if err != nil {
			return tool.Result{}, err
		}
		open = append(open, inquiry.Source{DB: db, Scope: s.scope, About: s.about})
	}
	answer, err := t.Inquiry.Answer(ctx, open, inquiry.Question{Text: input.Query, SQL: input.SQL, Database: input.Database,
		Model: call.Model})
	return inquiry.Result(ctx, t.Files, call.Session, input.Query, answer, err)
}

// sources lists the databases of the contexts. A SQLite file is a database of
// its own, unless a connection string names it.
func (t *Tool) sources(ctx context.Context, spec tool.Spec) ([]source, error) {
	items := spec.Context
	files := map[int][]byte{}
	for i, c := range items {
		if c.Type != "file" {
			continue
		}
		if data, err := base64.StdEncoding.DecodeString(c.Value); err == nil && bytes.HasPrefix(data, []byte(sqliteMagic)) {
			files[i] = data
		}
	}
	var list []source
	var problems []fault.Problem
	named := map[int]bool{}
	for i, c := range items {
		if c.Type != "sql_database" {
			continue
		}
		loc := []any{"context", i, "connection_string"}
		address, err := database.Parse(c.ConnectionString, c.SSL, loc...)
		s := source{loc: loc, target: database.Target{Address: address}, scope: scopeOf(&c), about: c.Description}
		if err == nil && address.Dialect == database.SQLite {
			s.target.Data, err = t.file(ctx, items, files, named, address.Name, spec.Session, loc)
		}
		if f := fault.As(err); f != nil && f.Code == fault.Invalid {
			problems = append(problems, f.Problems...)
			continue
		}
		if err != nil {
			return nil, err
		}
		list = append(list, s)
	}
	for i := range items {
		if files[i] != nil && !named[i] {
			list = append(list, source{loc: []any{"context", i, "value"},
				target: database.Target{Address: database.Address{Dialect: database.SQLite}, Data: files[i]}, scope: database.Everything,
				about: items[i].FileName})
		}
	}
	if len(problems) == 0 && len(list) > maxDatabases {
		problems = append(problems, fault.Problem{Loc: []any{"context"},
			Msg: fmt.Sprintf("the tool takes at most %d databases", maxDatabases), Type: "too_long"})
	}
	if len(problems) > 0 {
		return nil, fault.Problems(problems)
	}
	return list, nil
}

// file finds the SQLite database of a connection string: a file item by name,
// the only file item if the string has no name, or a file of the session.
func (t *Tool) file(ctx context.Context, items []message.ContextItem, files map[int][]byte, named map[int]bool, name, session string,
	loc []any) ([]byte, error) {
	for i := range items {
		if files[i] != nil && (name != "" && name == items[i].FileName || name == "" && len(files) == 1) {
			named[i] = true
			return files[i], nil
		}
	}
	if name == "" || session == "" || t.Files == nil {
		return nil, fault.Field("value_error",
			"a SQLite database comes from a context item of type file, which connection_string names by its file_name, or from a file of the session; never from a path", loc...)
	}
	_, data, err := t.Files.Read(ctx, file.Place{Namespace: file.DefaultNamespace, Scope: session}, name, maxFile)
	switch {
	case fault.Is(err, fault.NotFound), fault.Is(err, fault.TooLarge), fault.Is(err, fault.Unavailable):
		return nil, fault.Field("value_error", fault.As(err).Msg, loc...)
	case err != nil:
		return nil, err
	case !bytes.HasPrefix(data, []byte(sqliteMagic)):
		return nil, fault.Field("value_error", "the file is not a SQLite database", loc...)
	}
	return data, nil
}

func scopeOf(c *message.ContextItem) database.Scope {
	on := func(flag *bool) bool { return flag == nil || *flag }
	return database.Scope{Tables: on(c.EnableTables), Views: on(c.EnableViews), Functions: on(c.EnableFunctions),
		Procedures: on(c.EnableProcedures), Schemas: c.Schemas}
}
