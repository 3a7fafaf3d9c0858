package sqldrivers

import (
	"context"
	"fmt"
	"slices"
	"strconv"
	"strings"
	"unicode/utf8"

	"lectern/shared/database"
)

// Limits of a schema description.
const (
	maxColumns  = 4000 // of all tables
	maxRoutines = 200
	maxSampled  = 40     // tables of which rows are sampled
	sampleRows  = 200    // of one table
	allValues   = 1000   // distinct ones of a column that is read whole
	wholeRows   = 50_000 // of a table whose columns are
	shownRows   = 3
	maxValue    = 60 // bytes of a sampled value
)

// catalog holds the statements that describe the databases of a dialect. The
// first returns schema, table, whether it is a view, comment, column, type,
// comment, whether it is a key, and what it references; the second schema,
// name, kind and signature. %s is the condition on schemas.
var catalog = map[database.Dialect]struct{ columns, routines, schema, home string }{
	database.Postgres: {`SELECT n.nspname, c.relname, CASE WHEN c.relkind IN ('v', 'm') THEN 1 ELSE 0 END, coalesce(obj_description(c.oid, 'pg_class'), ''),
	a.attname, format_type(a.atttypid, a.atttypmod), coalesce(col_description(c.oid, a.attnum), ''),
	CASE WHEN EXISTS (SELECT 1 FROM pg_constraint k WHERE k.conrelid = c.oid AND k.contype = 'p' AND a.attnum = ANY (k.conkey)) THEN 1 ELSE 0 END,
	coalesce((SELECT r.relname || '.' || f.attname FROM pg_constraint k JOIN pg_class r ON r.oid = k.confrelid JOIN pg_attribute f ON f.attrelid = r.oid AND f.attnum = k.confkey[1]
		WHERE k.conrelid = c.oid AND k.contype = 'f' AND k.conkey = ARRAY[a.attnum] LIMIT 1), '')
FROM pg_class c JOIN pg_namespace n ON n.oid = c.relnamespace JOIN pg_attribute a ON a.attrelid = c.oid AND a.attnum > 0 AND NOT a.attisdropped
WHERE c.relkind IN ('r', 'p', 'v', 'm', 'f') AND NOT c.relispartition AND n.nspname NOT IN ('pg_catalog', 'information_schema') AND n.nspname NOT LIKE 'pg\_%%'
	AND has_schema_privilege(n.oid, 'USAGE') AND has_table_privilege(c.oid, 'SELECT') %s
ORDER BY n.nspname, c.relname, a.attnum`,
		`SELECT n.nspname, p.proname, CASE p.prokind WHEN 'p' THEN 'procedure' ELSE 'function' END, pg_get_function_arguments(p.oid)
FROM pg_proc p JOIN pg_namespace n ON n.oid = p.pronamespace
WHERE p.prokind IN ('f', 'p') AND n.nspname NOT IN ('pg_catalog', 'information_schema') AND n.nspname NOT LIKE 'pg\_%%' AND has_function_privilege(p.oid, 'EXECUTE')
	AND NOT EXISTS (SELECT 1 FROM pg_depend d WHERE d.objid = p.oid AND d.deptype = 'e') %s ORDER BY 1, 2`, "n.nspname", "SELECT current_schema()"},
	database.MySQL: {`SELECT c.table_schema, c.table_name, CASE t.table_type WHEN 'VIEW' THEN 1 ELSE 0 END, CASE t.table_comment WHEN 'VIEW' THEN '' ELSE t.table_comment END,
	c.column_name, c.column_type, c.column_comment, CASE c.column_key WHEN 'PRI' THEN 1 ELSE 0 END,
	coalesce((SELECT concat(k.referenced_table_name, '.', k.referenced_column_name) FROM information_schema.key_column_usage k
		WHERE k.table_schema = c.table_schema AND k.table_name = c.table_name AND k.column_name = c.column_name AND k.referenced_table_name IS NOT NULL LIMIT 1), '')
FROM information_schema.columns c JOIN information_schema.tables t ON t.table_schema = c.table_schema AND t.table_name = c.table_name
WHERE c.table_schema NOT IN ('mysql', 'information_schema', 'performance_schema', 'sys') %s ORDER BY c.table_schema, c.table_name, c.ordinal_position`,
		`SELECT r.routine_schema, r.routine_name, lower(r.routine_type), '' FROM information_schema.routines r
WHERE r.routine_schema NOT IN ('mysql', 'information_schema', 'performance_schema', 'sys') %s ORDER BY 1, 2`, "schema", "SELECT coalesce(database(), '')"},
	database.SQLServer: {`SELECT s.name, o.name, CASE o.type WHEN 'V' THEN 1 ELSE 0 END, coalesce(cast(tc.value AS nvarchar(400)), ''), c.name, ty.name, coalesce(cast(cc.value AS nvarchar(400)), ''),
	CASE WHEN EXISTS (SELECT 1 FROM sys.indexes i JOIN sys.index_columns ic ON ic.object_id = i.object_id AND ic.index_id = i.index_id
		WHERE i.object_id = o.object_id AND i.is_primary_key = 1 AND ic.column_id = c.column_id) THEN 1 ELSE 0 END,
	coalesce((SELECT TOP 1 object_name(f.referenced_object_id) + '.' + col_name(f.referenced_object_id, f.referenced_column_id) FROM sys.foreign_key_columns f
		WHERE f.parent_object_id = o.object_id AND f.parent_column_id = c.column_id), '')
FROM sys.objects o JOIN sys.schemas s ON s.schema_id = o.schema_id JOIN sys.columns c ON c.object_id = o.object_id JOIN sys.types ty ON ty.user_type_id = c.user_type_id
	LEFT JOIN sys.extended_properties tc ON tc.class = 1 AND tc.major_id = o.object_id AND tc.minor_id = 0 AND tc.name = 'MS_Description'
	LEFT JOIN sys.extended_properties cc ON cc.class = 1 AND cc.major_id = o.object_id AND cc.minor_id = c.column_id AND cc.name = 'MS_Description'
WHERE o.type IN ('U', 'V') AND o.is_ms_shipped = 0 %s ORDER BY s.name, o.name, c.column_id`,
		`SELECT r.ROUTINE_SCHEMA, r.ROUTINE_NAME, lower(r.ROUTINE_TYPE), '' FROM INFORMATION_SCHEMA.ROUTINES r WHERE 1 = 1 %s ORDER BY 1, 2`,
		"s.name", "SELECT schema_name()"},
	database.SQLite: {`SELECT '', m.name, m.type = 'view', '', c.name, c.type, '', c.pk > 0,
	coalesce((SELECT f."table" || coalesce('.' || f."to", '') FROM pragma_foreign_key_list(m.name) f WHERE f."from" = c.name LIMIT 1), '')
FROM sqlite_master m JOIN pragma_table_info(m.name) c WHERE m.type IN ('table', 'view') AND m.name NOT LIKE 'sqlite\_%%' ESCAPE '\' %s ORDER BY m.name, c.cid`, "", "", ""},
}

// schemaColumn returns the column of a catalog statement that has the schema.
func schemaColumn(d database.Dialect, routines bool) string {
	switch {
	case d == database.MySQL && routines:
		return "r.routine_schema"
	case d == database.MySQL:
		return "c.table_schema"
	case d == database.SQLServer && routines:
		return "r.ROUTINE_SCHEMA"
	}
	return catalog[d].schema
}

// Schema describes tables, views and routines, with sample rows.
func (s *session) Schema(ctx context.Context, scope database.Scope) (*database.Schema, error) {
	d := s.address.Dialect
	tx, err := s.begin(ctx)
	if err != nil {
		return nil, s.explain(ctx, err, lost)
	}
	defer tx.end()
	home := ""
	if q := catalog[d].home; q != "" {
		if found, err := s.rows(ctx, tx, database.Limits{Rows: 1, Bytes: 1 << 20}, q); err == nil && len(found.Values) == 1 {
			home = database.Show(found.Values[0][0])
		}
	}
	out := &database.Schema{}
	if scope.Tables || scope.Views {
		if err := s.tables(ctx, tx, scope, home, out); err != nil {
			return nil, s.explain(ctx, err, lost)
		}
	}
	if (scope.Functions || scope.Procedures) && catalog[d].routines != "" {
		if err := s.routines(ctx, tx, scope, home, out); err != nil {
			return nil, s.explain(ctx, err, lost)
		}
	}
	tx.end() // samples use separate transactions
	return out, s.sample(ctx, out)
}

// within returns the condition that selects the named schemas.
func within(d database.Dialect, column string, schemas []string) (string, []any) {
	if schemas == nil || column == "" {
		return "", nil
	}
	marks, args := []string{"NULL"}, []any{}
	for i, name := range schemas {
		mark := "?"
		switch d {
		case database.Postgres:
			mark = fmt.Sprintf("$%d", i+1)
		case database.SQLServer:
			mark = fmt.Sprintf("@p%d", i+1)
		}
		marks, args = append(marks, mark), append(args, name)
	}
	return "AND " + column + " IN (" + strings.Join(marks, ", ") + ")", args
}

func (s *session) tables(ctx context.Context, tx queryer, scope database.Scope, home string, out *database.Schema) error {
	d := s.address.Dialect
	condition, args := within(d, schemaColumn(d, false), scope.Schemas)
	found, err := s.rows(ctx, tx, database.Limits{Rows: maxColumns, Bytes: 4 << 20}, fmt.Sprintf(catalog[d].columns, condition), args...)
	if err != nil {
		return err
	}
	out.Cut = found.Cut
	for _, row := range found.Values {
		cell := func(i int) string { return database.Show(row[i]) }
		yes := func(i int) bool { return cell(i) == "1" || cell(i) == "true" }
		if view := yes(2); view && !scope.Views || !view && !scope.Tables {
			continue
		}
		schema := cell(0)
		if schema == home {
			schema = ""
		}
		last := len(out.Tables) - 1
		if last < 0 || out.Tables[last].Name != cell(1) || out.Tables[last].Schema != schema {
			out.Tables = append(out.Tables, database.Table{Schema: schema, Name: cell(1), View: yes(2), Comment: cell(3)})
			last++
		}
		t := &out.Tables[last]
		t.Columns = append(t.Columns, database.Column{Name: cell(4), Type: cell(5), Comment: cell(6), Key: yes(7), References: cell(8)})
	}
	return nil
}

func (s *session) routines(ctx context.Context, tx queryer, scope database.Scope, home string, out *database.Schema) error {
	d := s.address.Dialect
	condition, args := within(d, schemaColumn(d, true), scope.Schemas)
	found, err := s.rows(ctx, tx, database.Limits{Rows: maxRoutines, Bytes: 1 << 20}, fmt.Sprintf(catalog[d].routines, condition), args...)
	if err != nil {
		return err
	}
	out.Cut = out.Cut || found.Cut
	for _, row := range found.Values {
		r := database.Routine{Schema: database.Show(row[0]), Name: database.Show(row[1]), Kind: database.Show(row[2]),
			Signature: database.Show(row[3])}
		if r.Schema == home {
			r.Schema = ""
		}
		if r.Kind == "procedure" && scope.Procedures || r.Kind != "procedure" && scope.Functions {
			out.Routines = append(out.Routines, r)
		}
	}
	return nil
}

// sample reads the first rows of tables. A table that cannot be read has no samples.
func (s *session) sample(ctx context.Context, out *database.Schema) error {
	d := s.address.Dialect
	var tx *reading
	for i := range out.Tables[:min(len(out.Tables), maxSampled)] {
		t := &out.Tables[i]
		if t.View {
			continue // may be slow
		}
		if tx == nil {
			begun, err := s.begin(ctx)
			if err != nil {
				return s.explain(ctx, err, lost)
			}
			tx = &begun
		}
		found, err := s.rows(ctx, tx, database.Limits{Rows: sampleRows, Bytes: 1 << 20}, d.First("*", " FROM "+d.Path(t), sampleRows))
		if err != nil || found.Cut { // a truncated answer ends the sampling
			tx.end()
			tx = nil
		}
		if err == nil {
			keep(t, found)
			if d == database.SQLite && tx != nil {
				s.complete(ctx, tx, t)
			}
		}
	}
	if tx != nil {
		tx.end()
	}
	if ctx.Err() != nil {
		return s.explain(ctx, ctx.Err(), slow)
	}
	return nil
}

// complete reads all values of the columns of texts that the first rows may not have: of a database in memory, where that
// costs little. A long table, and a column with too many values, stay as they are.
func (s *session) complete(ctx context.Context, tx *reading, t *database.Table) {
	if !slices.ContainsFunc(t.Columns, func(c database.Column) bool { return c.Many }) {
		return
	}
	beyond, err := s.rows(ctx, tx, database.Limits{Rows: 1}, fmt.Sprintf("SELECT 1 FROM %s LIMIT 1 OFFSET %d", s.address.Dialect.Path(t), wholeRows))
	if err != nil || len(beyond.Values) > 0 {
		return
	}
	for i := range t.Columns {
		c := &t.Columns[i]
		if !c.Many {
			continue
		}
		name := s.address.Dialect.Quote(c.Name)
		found, err := s.rows(ctx, tx, database.Limits{Rows: allValues, Bytes: 1 << 20},
			fmt.Sprintf("SELECT DISTINCT %s FROM %s WHERE %s <> '' LIMIT %d", name, s.address.Dialect.Path(t), name, allValues+1))
		if err != nil || found.Cut {
			return
		}
		c.Many = false
		for _, row := range found.Values {
			if v := database.Show(row[0]); len(v) <= maxValue && utf8.ValidString(v) && !slices.Contains(c.Values, v) {
				c.Values = append(c.Values, v)
			}
		}
	}
}

// keep stores rows as samples, and the texts of their columns as values.
func keep(t *database.Table, found *database.Rows) {
	t.Samples = found.Values[:min(shownRows, len(found.Values))]
	for i := range t.Columns {
		c := &t.Columns[i]
		place := slices.Index(found.Columns, c.Name)
		c.Gaps = place >= 0 && slices.ContainsFunc(found.Values, func(row []any) bool { return row[place] == nil || row[place] == "" })
		if place >= 0 && c.Kind() == database.Numeric {
			tellNumbers(c, found.Values, place)
		}
		if place < 0 || c.Kind() != database.Textual {
			continue
		}
		seen := map[string]bool{}
		for _, row := range found.Values {
			v := database.Show(row[place])
			c.Repeats = c.Repeats || row[place] != nil && seen[v]
			if row[place] == nil || seen[v] || v == "" || len(v) > maxValue || !utf8.ValidString(v) {
				continue
			}
			seen[v] = true
			c.Values = append(c.Values, v)
		}
		c.Many = len(found.Values) == sampleRows || found.Cut
	}
}

// Years that a column may tell, and how many rows have one at least.
const (
	firstYear  = 1700
	lastYear   = 2100
	leastYears = 3
)

// tellNumbers notes whether the numbers of a column have both signs, and whether all may be years.
func tellNumbers(c *database.Column, rows [][]any, place int) {
	negative, positive, known, years := false, false, 0, true
	for _, row := range rows {
		if row[place] == nil {
			continue
		}
		text := database.Show(row[place])
		n, err := strconv.ParseFloat(text, 64)
		negative, positive = negative || err == nil && n < 0, positive || err == nil && n > 0
		year, err := strconv.Atoi(text)
		known, years = known+1, years && err == nil && year >= firstYear && year <= lastYear
	}
	c.Signed, c.Years = negative && positive, years && known >= leastYears
}
