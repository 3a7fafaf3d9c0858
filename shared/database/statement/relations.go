package statement

import (
	"slices"
	"strings"

	"lectern/shared/database"
)

// Only listed catalogs can be read. A deny list would never be complete: extensions
// add views with passwords and with the statements of other users.

// pgCatalogs are what PostgreSQL says about tables, types and their sizes.
var pgCatalogs = words(`pg_aggregate pg_am pg_attrdef pg_attribute pg_cast pg_catalog pg_class pg_collation pg_constraint pg_conversion pg_database
	pg_depend pg_description pg_enum pg_extension pg_index pg_indexes pg_inherits pg_language pg_matviews pg_namespace pg_opclass pg_operator
	pg_opfamily pg_partitioned_table pg_proc pg_range pg_rewrite pg_sequence pg_sequences pg_size_pretty pg_tables pg_tablespace
	pg_timezone_abbrevs pg_timezone_names pg_trigger pg_type pg_typeof pg_views`)

// schemaViews are the standard's views of tables and their columns.
var schemaViews = words(`character_sets check_constraints collations column_domain_usage columns constraint_column_usage constraint_table_usage
	domain_constraints domains element_types key_column_usage key_columns partitions referential_constraints schemata sequences statistics
	table_constraints tables views`)

// serverViews are what SQL Server says about tables and their columns, in sys.
var serverViews = words(`all_columns all_objects all_views check_constraints columns computed_columns databases default_constraints
	extended_properties foreign_key_columns foreign_keys identity_columns index_columns indexes key_constraints objects partitions schemas
	stats tables types views`)

// systemDatabases contain accounts, jobs and the statements of others.
var systemDatabases = map[database.Dialect]map[string]bool{
	database.MySQL:     words("mysql performance_schema sys ndbinfo percona_schema"),
	database.SQLServer: words("master msdb"),
}

// settings are what a PostgreSQL client may be shown; custom settings often hold
// secrets of applications.
var settings = words(`client_encoding datestyle default_text_search_config integer_datetimes intervalstyle is_superuser lc_collate lc_ctype
	lc_monetary lc_numeric lc_time max_identifier_length role search_path server_encoding server_version server_version_num
	standard_conforming_strings statement_timeout timezone transaction_isolation transaction_read_only`)

// relations rejects catalogs that are not listed, and functions that PostgreSQL calls
// without parentheses.
func relations(d database.Dialect, tokens []token) error {
	starts := fromItems(tokens)
	for i, t := range tokens {
		if t.kind != word && t.kind != quoted {
			continue
		}
		within := ""
		if i > 1 && tokens[i-1] == (token{mark, "."}) {
			within = tokens[i-2].text
		}
		qualifies := i+2 < len(tokens) && tokens[i+1] == (token{mark, "."})
		switch {
		case d == database.Postgres && strings.HasPrefix(t.text, "pg_") && !pgCatalogs[t.text] && (starts[i] || within != "" && starts[chain(tokens, i)]),
			within == "information_schema" && !schemaViews[t.text],
			within == "sys" && d == database.SQLServer && !serverViews[t.text],
			d == database.SQLServer && strings.HasPrefix(t.text, "sys") && t.text != "sys" && (within == "dbo" || starts[i]) && legacy[t.text],
			qualifies && systemDatabases[d][t.text] && starts[i], within == "mysql" && t.text == "user":
			return refuse("this catalog cannot be read")
		}
	}
	if d != database.Postgres {
		return nil
	}
	return attributes(tokens, starts)
}

// legacy are SQL Server's old views of accounts, servers, settings and activity.
var legacy = words(`sysaltfiles sysconfigures syscurconfigs sysdevices sysfiles syslockinfo syslogins sysmembers sysoledbusers sysopentapes
	sysperfinfo syspermissions sysprocesses sysprotects sysremotelogins sysservers sysusers sysxlogins`)

// chain returns where the dotted name that ends at i begins.
func chain(tokens []token, i int) int {
	for i > 1 && tokens[i-1] == (token{mark, "."}) && (tokens[i-2].kind == word || tokens[i-2].kind == quoted) {
		i -= 2
	}
	return i
}

// fromItems reports for every token whether an item of a FROM list may begin there;
// in doubt it may.
func fromItems(tokens []token) []bool {
	starts := make([]bool, len(tokens)+1)
	var outer []bool
	from := false
	for i, t := range tokens {
		column := i > 0 && tokens[i-1] == (token{mark, "."})
		switch {
		case t == (token{mark, "("}):
			outer = append(outer, from)
			from, starts[i+1] = starts[i], starts[i]
		case t == (token{mark, ")"}) && len(outer) > 0:
			from, outer = outer[len(outer)-1], outer[:len(outer)-1]
		case t == (token{mark, ","}):
			starts[i+1] = from
		case t.kind != word || column:
		case t.text == "from":
			from, starts[i+1] = true, true
		case beforeRelation[t.text]:
			starts[i+1] = true
		case afterFrom[t.text]:
			from = false
		}
	}
	return starts[:len(tokens)]
}

var (
	beforeRelation = words("join straight_join lateral only table apply describe desc explain")
	afterFrom      = words("select where group having order limit offset fetch window union except intersect values returning")
)

// valueFunctions are called without parentheses everywhere.
var valueFunctions = words("current_catalog current_date current_role current_schema current_time current_timestamp current_user localtime " +
	"localtimestamp session_user system_user user")

// resultColumns are columns of listed functions that return several.
var resultColumns = words("key value ordinality")

// attributes rejects x.f where PostgreSQL may call a function f of one argument: x is
// an expression in parentheses, an element of an array, or the result of a function
// in FROM. What is known to be a column, or a listed function, is allowed.
func attributes(tokens []token, starts []bool) error {
	functions := fromFunctions(tokens, starts)
	for i := 2; i < len(tokens); i++ {
		f := tokens[i]
		if tokens[i-1] != (token{mark, "."}) || f.kind != word && f.kind != quoted || everywhere[f.text] || resultColumns[f.text] {
			continue
		}
		x := tokens[i-2]
		if x == (token{mark, ")"}) || x == (token{mark, "]"}) {
			return refuse("%s may be a function after a parenthesis; select from a subquery or call a listed function", clip(f.text))
		}
		for _, columns := range functions[x.text] {
			if len(columns) == 0 && f.text == x.text || slices.Contains(columns, f.text) {
				continue
			}
			return refuse("%s may be a function here; name the columns of the result of %s: AS %s (a, b)", clip(f.text), clip(x.text), clip(x.text))
		}
	}
	return nil
}

// fromFunctions returns, by alias, the column names of each result of a function in FROM.
func fromFunctions(tokens []token, starts []bool) map[string][][]string {
	found := map[string][][]string{}
	name := func(i int) bool { return i < len(tokens) && (tokens[i].kind == word || tokens[i].kind == quoted) }
	for i := range tokens {
		if !starts[i] {
			continue
		}
		at, alias := i, ""
		switch {
		case tokens[i] == (token{mark, "("}) && i > 1 && tokens[i-1].text == "from" && tokens[i-2].text == "rows":
			at = closing(tokens, i) + 1
		case name(i) && tokens[i].kind == word && valueFunctions[tokens[i].text]:
			alias = tokens[i].text
			if at++; at < len(tokens) && tokens[at] == (token{mark, "("}) { // a precision
				at = closing(tokens, at) + 1
			}
		case name(i):
			for at+2 < len(tokens) && tokens[at+1] == (token{mark, "."}) && name(at+2) {
				at += 2
			}
			if alias = tokens[at].text; at+1 >= len(tokens) || tokens[at+1] != (token{mark, "("}) {
				continue
			}
			at = closing(tokens, at+1) + 1
		default:
			continue
		}
		if at+1 < len(tokens) && tokens[at].text == "with" && tokens[at+1].text == "ordinality" {
			at += 2
		}
		if at < len(tokens) && tokens[at] == (token{word, "as"}) {
			at++
		}
		var columns []string
		if name(at) && at+1 < len(tokens) && tokens[at+1] == (token{mark, "("}) {
			for k := at + 2; k < closing(tokens, at+1); k++ {
				if before := tokens[k-1]; name(k) && (before == (token{mark, ","}) || before == (token{mark, "("})) {
					columns = append(columns, tokens[k].text)
				}
			}
		}
		if name(at) {
			found[tokens[at].text] = append(found[tokens[at].text], columns)
		}
		if alias != "" {
			found[alias] = append(found[alias], columns)
		}
	}
	return found
}

// closing returns the place of the parenthesis that closes the one at open.
func closing(tokens []token, open int) int {
	depth := 0
	for i := open; i < len(tokens); i++ {
		switch tokens[i] {
		case token{mark, "("}:
			depth++
		case token{mark, ")"}:
			if depth--; depth == 0 {
				return i
			}
		}
	}
	return len(tokens)
}
