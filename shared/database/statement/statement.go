// Package statement decides whether a SQL statement only reads. It is the first
// of several layers: behind it stand a read-only transaction that is rolled
// back, time-outs, and caps of what is read.
//
// It cuts the text into tokens as the server would and lets through what it
// knows: one statement that begins as a query, without a word that writes,
// locks, waits or runs something, and without a function that reaches out of
// the tables. Doubt refuses, with a text that says how to write it otherwise.
package statement

import (
	"slices"
	"strings"

	"lectern/shared/database"
	"lectern/shared/fault"
)

// maxBytes bounds a statement.
const maxBytes = 20000

func refuse(format string, args ...any) error { return fault.New(fault.Forbidden, format, args...) }

// Check returns nil for a statement that only reads, and else, as Forbidden,
// why it is refused.
func Check(d database.Dialect, sql string) error {
	if len(sql) > maxBytes {
		return refuse("the statement is over %d bytes", maxBytes)
	}
	tokens, err := scan(d, sql)
	if err != nil {
		return err
	}
	for len(tokens) > 0 && tokens[len(tokens)-1] == (token{mark, ";"}) {
		tokens = tokens[:len(tokens)-1]
	}
	if len(tokens) == 0 {
		return refuse("there is no statement")
	}
	if slices.Contains(tokens, token{mark, ";"}) {
		return refuse("only one statement at a time is allowed")
	}
	if shown, err := show(d, tokens); shown || err != nil {
		return err
	}
	if err := begins(d, tokens); err != nil {
		return err
	}
	for i := range tokens {
		if err := look(d, tokens, i); err != nil {
			return err
		}
	}
	return nil
}

func scan(d database.Dialect, sql string) ([]token, error) {
	s := scanner{d: d, src: sql}
	var tokens []token
	for {
		t, ok, err := s.next()
		if err != nil {
			return nil, err
		}
		if !ok {
			return tokens, nil
		}
		tokens = append(tokens, t)
	}
}

// show lets through the statements that describe tables.
func show(d database.Dialect, tokens []token) (bool, error) {
	if tokens[0].kind != word || d == database.SQLServer || d == database.SQLite {
		return false, nil
	}
	var rest []string
	for _, t := range tokens[1:] {
		rest = append(rest, t.text)
	}
	first := ""
	if len(rest) > 0 {
		first = rest[0]
	}
	switch w := tokens[0].text; {
	case w == "show" && d == database.Postgres:
		if len(rest) == 1 && tokens[1].kind == word {
			return true, nil
		}
	case w == "show":
		if first == "full" && len(rest) > 1 {
			rest = rest[1:]
			first = rest[0]
		}
		if slices.Contains([]string{"tables", "columns", "fields", "index", "indexes", "keys", "databases", "schemas"}, first) ||
			len(rest) > 1 && (first == "create" && (rest[1] == "table" || rest[1] == "view") || first == "table" && rest[1] == "status") {
			return true, shown(d, tokens)
		}
	case (w == "describe" || w == "desc") && d == database.MySQL && first != "" && !queries[first] &&
		!slices.Contains([]string{"analyze", "extended", "format", "for", "insert", "update", "delete", "replace"}, first):
		return true, shown(d, tokens)
	default:
		return false, nil
	}
	return false, refuse("only statements that show tables and their columns are allowed")
}

// shown looks at what follows in a statement that describes: a condition may
// call functions.
func shown(d database.Dialect, tokens []token) error {
	for i := 3; i < len(tokens); i++ {
		if err := look(d, tokens, i); err != nil {
			return err
		}
	}
	return nil
}

// queries are the words with which a query begins.
var queries = map[string]bool{"select": true, "with": true, "values": true}

// begins checks the first word, that of an explained statement included.
func begins(d database.Dialect, tokens []token) error {
	i := 0
	for i < len(tokens) && tokens[i] == (token{mark, "("}) {
		i++
	}
	if i < len(tokens) && tokens[i].kind == word && queries[tokens[i].text] && (tokens[i].text != "values" || d != database.SQLServer) {
		return nil
	}
	if tokens[0] != (token{word, "explain"}) || d == database.SQLServer {
		return refuse("only a query is allowed: a statement that begins with SELECT or WITH")
	}
	depth := 0
	for _, t := range tokens[1:] {
		switch {
		case t.kind == mark && t.text == "(":
			depth++
		case t.kind == mark && t.text == ")":
			depth--
		case t.kind == word && depth == 0 && queries[t.text]:
			return nil
		case depth == 0 && !(t.kind == word && explains[t.text]) && t.text != "=":
			return refuse("only a query can be explained")
		}
	}
	return refuse("only a query can be explained")
}

var explains = words("analyze verbose query plan extended partitions format json tree traditional")

func words(list string) map[string]bool {
	m := map[string]bool{}
	for w := range strings.FieldsSeq(list) {
		m[w] = true
	}
	return m
}

// writes are words that no query has outside quotes, or only for an effect. A
// column of this name needs quotes.
var writes = words("insert update delete merge truncate create alter drop grant revoke into lock call do execute exec prepare deallocate " +
	"listen notify unlisten vacuum reindex cluster checkpoint attach detach pragma copy handler reset discard rename install uninstall shutdown kill " +
	"outfile dumpfile procedure")

// serverWrites are further words of SQL Server, where statements need no
// semicolon between them.
var serverWrites = words("backup restore bulk dbcc declare set begin commit rollback save deny use waitfor reconfigure readtext writetext updatetext " +
	"revert print raiserror throw if while goto return open deallocate disable enable go add openrowset openquery opendatasource openxml setuser")

// secrets are tables of credentials.
var secrets = words("pg_authid pg_shadow pg_user_mapping pg_user_mappings pg_largeobject sql_logins syslogins syslinkedservers")

// look refuses a token in its place.
func look(d database.Dialect, tokens []token, i int) error {
	t := tokens[i]
	next := ""
	if i+1 < len(tokens) && tokens[i+1].kind != text {
		next = tokens[i+1].text
	}
	before := ""
	if i > 0 {
		before = tokens[i-1].text
	}
	if t.kind == word && (before != "." || d == database.SQLServer) {
		switch {
		case writes[t.text], d == database.SQLServer && serverWrites[t.text]:
			return refuse("%s is not allowed in a query; a column of this name needs quotes", strings.ToUpper(t.text))
		case t.text == "for" && (next == "share" || next == "key" || next == "no"):
			return refuse("a query may lock nothing")
		case t.text == "next" && next == "value":
			return refuse("a query may not advance a sequence")
		}
	}
	if t.kind == mark {
		return lookMark(d, tokens, i)
	}
	if t.kind != word && t.kind != quoted {
		return nil
	}
	if secrets[t.text] || t.text == "user" && before == "." && i > 1 && tokens[i-2].text == "mysql" || t.text == "global_priv" &&
		before == "." {
		return refuse("tables of credentials cannot be read")
	}
	if d == database.SQLite && strings.HasPrefix(t.text, "pragma_") {
		return refuse("%s cannot be called", clip(t.text))
	}
	if next == "(" && refused(d, t.text) || bare(d, t.text) {
		return refuse("the function %s cannot be called", clip(t.text))
	}
	return nil
}

func lookMark(d database.Dialect, tokens []token, i int) error {
	t := tokens[i].text
	switch {
	case t == "?":
		if d == database.Postgres { // an operator of JSON
			return nil
		}
		return refuse("parameters are not allowed; write the values")
	case t == "@" && d == database.SQLite, t == "@" && d == database.MySQL && i+1 < len(tokens) && tokens[i+1].text != "@", t == "@" &&
		d == database.SQLServer:
		return refuse("variables are not allowed")
	case t == "." && d == database.SQLServer && i >= 4 && i+1 < len(tokens) && tokens[i-2].text == "." && tokens[i-4].text == ".":
		return refuse("names of other servers are not allowed")
	case t == "." && d == database.SQLServer && i > 0 && tokens[i-1].text == ".":
		return refuse("write names with their schemas")
	}
	return nil
}

// bare are names that act without a parenthesis.
func bare(d database.Dialect, name string) bool {
	return d == database.SQLServer && (strings.HasPrefix(name, "xp_") || strings.HasPrefix(name, "sp_"))
}

// harmless are functions of PostgreSQL that begin like those for
// administrators.
var harmless = words("pg_typeof pg_size_pretty pg_size_bytes pg_column_size pg_relation_size pg_table_size pg_indexes_size pg_total_relation_size pg_database_size " +
	"pg_get_viewdef pg_get_constraintdef pg_get_indexdef pg_get_expr pg_get_functiondef pg_encoding_to_char pg_table_is_visible")

var functions = map[database.Dialect]map[string]bool{
	database.Postgres: words("set_config nextval setval currval lastval query_to_xml query_to_xmlschema query_to_xml_and_xmlschema cursor_to_xml cursor_to_xmlschema table_to_xml " +
		"table_to_xmlschema table_to_xml_and_xmlschema schema_to_xml schema_to_xmlschema schema_to_xml_and_xmlschema database_to_xml database_to_xmlschema database_to_xml_and_xmlschema " +
		"ts_stat ts_rewrite lowrite loread http http_get http_post http_put http_delete crosstab connectby binary_upgrade_set_next_pg_type_oid brin_summarize_new_values"),
	database.MySQL: words("load_file sleep benchmark get_lock release_lock release_all_locks is_free_lock is_used_lock master_pos_wait source_pos_wait master_gtid_wait wait_for_executed_gtid_set " +
		"wait_until_sql_thread_after_gtids sys_exec sys_eval sys_get sys_set nextval setval lastval last_insert_id ps_thread_id execute_prepared_stmt"),
	database.SQLServer: words("fn_get_audit_file fn_xe_file_target_read_file fn_trace_gettable fn_get_sql fn_dblog fn_dump_dblog fn_virtualfilestats openrowset openquery opendatasource openxml"),
	database.SQLite:    words("load_extension readfile writefile edit fts3_tokenizer fsdir sqlite_compileoption_get lsmode shell_add_schema zipfile"),
}

// refused reports whether a function reaches out of the tables, waits or
// changes something.
func refused(d database.Dialect, name string) bool {
	if functions[d][name] {
		return true
	}
	if d == database.Postgres {
		for _, prefix := range []string{"pg_", "lo_", "dblink", "postgres_fdw_", "plv8", "plpy", "http_", "lwaccess", "file_fdw_", "aws_",
			"cron"} {
			if strings.HasPrefix(name, prefix) && !harmless[name] {
				return true
			}
		}
	}
	return d == database.SQLServer && (strings.HasPrefix(name, "fn_") || strings.HasPrefix(name, "dm_")) || d == database.MySQL &&
		strings.HasPrefix(name, "lib_mysqludf")
}
