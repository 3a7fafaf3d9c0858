// Package statement decides whether a SQL statement only reads. It is the first
// of several layers; the others are a read-only transaction that is rolled
// back, timeouts, and limits on results.
//
// It tokenizes the text like the server and allows only what it knows: one
// statement that starts as a query, without words that write, lock, wait or
// execute, and without functions with effects outside of the tables. In doubt
// it rejects, with a text that says how to rewrite the statement.
package statement

import (
	"slices"
	"strings"

	"lectern/shared/database"
	"lectern/shared/fault"
)

// maxBytes limits a statement.
const maxBytes = 20000

func refuse(format string, args ...any) error { return fault.New(fault.Forbidden, format, args...) }

// Check returns nil for a statement that only reads; otherwise a Forbidden
// fault with the reason.
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
	return relations(d, tokens)
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
		// PostgreSQL continues a string on the next line by the rules of its first part,
		// whose backslashes may escape what ends the second.
		if n := len(tokens); d == database.Postgres && t.kind == text && n > 0 && tokens[n-1].kind == text {
			return nil, refuse("write a string in one piece")
		}
		tokens = append(tokens, t)
	}
}

// show allows the statements that describe tables.
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
		if len(rest) == 1 && tokens[1].kind == word && settings[first] {
			return true, nil
		}
		return false, refuse("this setting cannot be shown")
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

// shown checks the rest of such a statement, because its condition may call
// functions.
func shown(d database.Dialect, tokens []token) error {
	for i := 2; i < len(tokens); i++ {
		if of := tokens[i-1].text; (of == "from" || of == "in") && systemDatabases[d][tokens[i].text] {
			return refuse("this catalog cannot be read")
		}
		if i == 2 {
			continue
		}
		if err := look(d, tokens, i); err != nil {
			return err
		}
	}
	return relations(d, tokens)
}

// queries are the words with which a query starts.
var queries = map[string]bool{"select": true, "with": true, "values": true}

// begins checks the first word, also of an explained statement.
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

// writes are words that an unquoted query contains only for an effect. A column
// of such a name must be quoted.
var writes = words("insert update delete merge truncate create alter drop grant revoke into lock call do execute exec prepare deallocate " +
	"listen notify unlisten vacuum reindex cluster checkpoint attach detach pragma copy handler reset discard rename install uninstall shutdown kill " +
	"outfile dumpfile procedure")

// serverWrites are additional words for SQL Server, where statements need no
// semicolon between them.
var serverWrites = words("backup restore bulk dbcc declare set begin commit rollback save deny use waitfor reconfigure readtext writetext updatetext " +
	"revert print raiserror throw if while goto return open deallocate disable enable go add openrowset openquery opendatasource openxml setuser " +
	"tablock tablockx updlock xlock holdlock")

// secrets are tables and views with credentials, server settings, or the
// activity of other users.
var secrets = words("pg_authid pg_shadow pg_user_mapping pg_user_mappings pg_largeobject pg_largeobject_metadata pg_subscription " +
	"pg_foreign_server pg_foreign_data_wrapper pg_hba_file_rules pg_ident_file_mappings pg_file_settings pg_settings pg_config " +
	"pg_db_role_setting pg_stat_activity pg_stat_statements pg_stat_statements_info pg_stat_replication pg_stat_ssl pg_stat_gssapi " +
	"pg_stat_subscription pg_stat_wal_receiver pg_statistic pg_statistic_ext_data pg_stats pg_stats_ext pg_stats_ext_exprs " +
	"pg_prepared_statements pg_cursors pg_replication_slots pg_backend_memory_contexts pg_shmem_allocations user_mapping_options " +
	"user_mappings foreign_server_options foreign_data_wrapper_options " +
	"sql_logins syslogins syslinkedservers sysprocesses dm_exec_sessions dm_exec_requests dm_exec_connections server_principals " +
	"linked_logins credentials processlist innodb_trx user_privileges slave_master_info global_priv")

// look rejects a token by its context.
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
	if secrets[t.text] {
		return refuse("tables of credentials cannot be read")
	}
	if d == database.SQLite && t.text == "sqlite_dbpage" {
		return refuse("the pages of the file, which still hold what was deleted, cannot be read")
	}
	if d == database.SQLite && strings.HasPrefix(t.text, "pragma_") {
		return refuse("%s cannot be called", clip(t.text))
	}
	if next == "(" && !callable(d, tokens, i) {
		return refuse("the function %s is not on the list of allowed functions", clip(t.text))
	}
	if bare(d, t.text) {
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

// bare reports whether a name has an effect without parentheses.
func bare(d database.Dialect, name string) bool {
	return d == database.SQLServer && (strings.HasPrefix(name, "xp_") || strings.HasPrefix(name, "sp_"))
}
