package database

import (
	"fmt"
	"strings"
)

// Schema describes a database.
type Schema struct {
	Tables   []Table
	Routines []Routine
	// Cut says that the description is truncated.
	Cut bool
}

// Table is a table or a view.
type Table struct {
	Schema  string // empty if names need no qualifier
	Name    string
	Comment string
	View    bool
	Columns []Column
	Samples [][]any // a few rows
}

// Column is a column of a table.
type Column struct {
	Name, Type, Comment string
	Key                 bool
	References          string   // "table.column", or empty
	Values              []string // distinct values of the sampled rows
	// Many says that Values is incomplete.
	Many bool
	// Repeats says that some text stands in several of the sampled rows.
	Repeats bool
	// Gaps says that some of the sampled rows have nothing in it.
	Gaps bool
	// Signed says that sampled rows have both negative and positive numbers in it, Years that all of them are whole
	// numbers which may be years.
	Signed, Years bool
}

// Routine is a function or a procedure.
type Routine struct {
	Schema, Name, Kind, Signature string
}

// Kind is the kind of values of a column.
type Kind int

// The kinds.
const (
	Textual Kind = iota
	Numeric
	Moment
	Truth
)

// Kind is derived from the name of the type.
func (c *Column) Kind() Kind {
	t := strings.ToLower(c.Type)
	switch {
	case strings.Contains(t, "interval"), strings.Contains(t, "point"):
		return Textual
	case strings.Contains(t, "bool"), t == "bit", t == "tinyint(1)":
		return Truth
	case strings.Contains(t, "date"), strings.Contains(t, "timestamp"):
		return Moment
	}
	for _, n := range []string{"int", "dec", "num", "real", "double", "float", "money", "serial"} {
		if strings.Contains(t, n) {
			return Numeric
		}
	}
	return Textual
}

// Quote quotes an identifier.
func (d Dialect) Quote(name string) string {
	switch d {
	case MySQL:
		return "`" + strings.ReplaceAll(name, "`", "``") + "`"
	case SQLServer:
		return "[" + strings.ReplaceAll(name, "]", "]]") + "]"
	}
	return `"` + strings.ReplaceAll(name, `"`, `""`) + `"`
}

// QuoteText quotes a string literal.
func (d Dialect) QuoteText(s string) string {
	s = strings.ReplaceAll(strings.ReplaceAll(s, "\x00", ""), "'", "''")
	if d == MySQL {
		s = strings.ReplaceAll(s, `\`, `\\`)
	}
	if d == SQLServer {
		return "N'" + s + "'"
	}
	return "'" + s + "'"
}

// Path returns a table's qualified name, quoted.
func (d Dialect) Path(t *Table) string {
	if t.Schema == "" {
		return d.Quote(t.Name)
	}
	return d.Quote(t.Schema) + "." + d.Quote(t.Name)
}

// First returns a query for the first n rows: what to select, and the rest from FROM on with a space before it.
func (d Dialect) First(what, rest string, n int) string {
	if d == SQLServer {
		return fmt.Sprintf("SELECT TOP %d %s%s", n, what, rest)
	}
	return fmt.Sprintf("SELECT %s%s LIMIT %d", what, rest, n)
}

// Average returns the average of an expression, which is no integer where the values are.
func (d Dialect) Average(what string) string {
	if d == SQLServer { // averages of integers are integers there
		return "AVG(CAST(" + what + " AS FLOAT))"
	}
	return "AVG(" + what + ")"
}

// Bool returns a truth value of a column of the type boolean.
func (d Dialect) Bool(value bool) string {
	switch {
	case d == Postgres && value:
		return "TRUE"
	case d == Postgres:
		return "FALSE"
	case value:
		return "1"
	}
	return "0"
}

// maxSchemaBytes limits a schema as text; for tables beyond it only names are listed.
const maxSchemaBytes = 24000

// Text renders a schema for a model or a person.
func (s *Schema) Text(d Dialect) string {
	var b strings.Builder
	for i := range s.Tables {
		t := &s.Tables[i]
		if b.Len() > maxSchemaBytes {
			fmt.Fprintf(&b, "-- also: %s\n", d.Path(t))
			if b.Len() > maxSchemaBytes+4000 {
				s.Cut = true
				break
			}
			continue
		}
		t.write(&b, d)
	}
	for _, r := range s.Routines {
		if b.Len() > maxSchemaBytes+4000 {
			break
		}
		fmt.Fprintf(&b, "-- %s %s(%s)\n", r.Kind, d.Path(&Table{Schema: r.Schema, Name: r.Name}), line(r.Signature, 200))
	}
	if s.Cut {
		b.WriteString("-- there is more that is not shown\n")
	}
	return b.String()
}

func (t *Table) write(b *strings.Builder, d Dialect) {
	kind := "TABLE"
	if t.View {
		kind = "VIEW"
	}
	fmt.Fprintf(b, "%s %s (", kind, d.Path(t))
	if t.Comment != "" {
		fmt.Fprintf(b, " -- %s", line(t.Comment, 200))
	}
	b.WriteByte('\n')
	for i, c := range t.Columns {
		fmt.Fprintf(b, "  %s %s", d.Quote(c.Name), line(c.Type, 60))
		if c.Key {
			b.WriteString(" PRIMARY KEY")
		}
		if c.References != "" {
			b.WriteString(" REFERENCES " + line(c.References, 200))
		}
		if i < len(t.Columns)-1 {
			b.WriteByte(',')
		}
		if c.Comment != "" {
			fmt.Fprintf(b, " -- %s", line(c.Comment, 200))
		}
		b.WriteByte('\n')
	}
	b.WriteString(")\n")
	if len(t.Samples) == 0 {
		return
	}
	b.WriteString("-- sample rows:\n")
	for _, row := range t.Samples {
		cells := make([]string, len(row))
		for i, v := range row {
			cells[i] = line(Show(v), 40)
		}
		b.WriteString("--   " + strings.Join(cells, " | ") + "\n")
	}
}

// line shortens a text to one line.
func line(s string, most int) string {
	s = strings.Join(strings.Fields(s), " ")
	if len(s) > most {
		s = strings.ToValidUTF8(s[:most], "") + "…"
	}
	return s
}
