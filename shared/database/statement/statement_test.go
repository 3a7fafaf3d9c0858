package statement_test

import (
	"os"
	"path/filepath"
	"strings"
	"testing"

	"lectern/shared/database"
	"lectern/shared/database/statement"
	"lectern/shared/fault"
)

var dialects = []database.Dialect{database.Postgres, database.MySQL, database.SQLServer, database.SQLite}

// TestReads: what only reads is let through, whatever its strings and quoted
// names hold.
func TestReads(t *testing.T) {
	everywhere := []string{
		"SELECT 1", "select 1;", "  SELECT * FROM t ;; ", "(SELECT 1)", "WITH a AS (SELECT 1 AS n) SELECT n FROM a",
		"SELECT 'DELETE FROM t; --' FROM t", "SELECT 'it''s; ' FROM t", "SELECT 1 -- DROP TABLE t", "SELECT 1 -- a\r\n, 2", "SELECT /* ; DELETE */ 1",
		"SELECT a.deleted, updated_at FROM a WHERE a.x >= 1.5e3", "SELECT replace(name, 'a', 'b') FROM t", "SELECT CASE WHEN a THEN 1 ELSE 2 END FROM t",
		"SELECT count(*) FROM t GROUP BY a HAVING count(*) > 1 ORDER BY 1", "SELECT naïve FROM café",
	}
	for _, d := range dialects {
		for _, s := range everywhere {
			if err := statement.Check(d, s); err != nil {
				t.Errorf("Check(%s, %q) = %v", d, s, err)
			}
		}
	}
	own := map[database.Dialect][]string{
		database.Postgres: {`SELECT "insert" FROM t`, "SELECT $$; DELETE FROM t$$", "SELECT $q$ $$ ; $q$", `SELECT E'\'; DELETE'`, `SELECT '\' || 'x'`,
			"SELECT /* /* */ ; */ 1", "VALUES (1), (2)",
			"EXPLAIN (ANALYZE, FORMAT JSON) SELECT 1", "SELECT a->>'b', a ? 'c' FROM t", "SELECT x::date FROM t", "SHOW server_version",
			"SELECT pg_size_pretty(n), pg_catalog.lower(a) FROM t", "SELECT generate_series(1, 3)", "SELECT g.n FROM generate_series(1, 3) AS g (n)",
			"SELECT g FROM generate_series(1, 3) g (n)",
			"WITH RECURSIVE a (n) AS (SELECT 1 UNION ALL SELECT n + 1 FROM a WHERE n < 9), b (m) AS NOT MATERIALIZED (SELECT 2) SELECT * FROM a, b",
			"SELECT count(*) FILTER (WHERE a > 1) OVER (PARTITION BY b) FROM t", "SELECT percentile_cont(0.5) WITHIN GROUP (ORDER BY a) FROM t",
			"SELECT a::numeric(10, 2), CAST(b AS varchar(10)) FROM t WHERE c IN (1, 2) AND EXISTS (SELECT 1) AND d = ANY (ARRAY[1])",
			"SELECT extract(year FROM a), coalesce(b, 0) FROM t GROUP BY ROLLUP (a, b)", "SELECT x.a FROM (VALUES (1, 2)) AS x (a, b)",
			"SELECT e.key, e.value FROM t, jsonb_each(t.data) AS e", "SELECT (jsonb_each(data)).key, (t.data).*, ('a'::text).upper FROM t",
			"SELECT u.u, lower(v.tag) FROM unnest(ARRAY['a']) u, LATERAL unnest(ARRAY['b']) WITH ORDINALITY AS v (tag, n) WHERE v.n = 1",
			"SELECT customers.name, count(orders.id) AS orders FROM customers JOIN orders ON orders.customer_id = customers.id, t x WHERE x.y IS DISTINCT FROM coalesce(orders.a, 1)",
			"SELECT c.relname FROM pg_class c JOIN pg_catalog.pg_namespace n ON n.oid = c.relnamespace", "SELECT title, pg_rating, t.pg_rating FROM t ORDER BY pg_rating",
			"SELECT table_name FROM information_schema.tables", "SHOW search_path"},
		database.MySQL: {"SELECT `delete` FROM t", `SELECT "a;b"`, `SELECT 'it\'s; '`, "SELECT 1 # ; DELETE", "SHOW TABLES", "SHOW FULL COLUMNS FROM t",
			"SHOW CREATE TABLE t", "DESCRIBE t", "EXPLAIN FORMAT=JSON SELECT 1", "SELECT 5 - -1"},
		database.SQLServer: {"SELECT TOP 5 * FROM [order; delete]", "SELECT [a]]b] FROM dbo.t", "SELECT N'x;y'",
			"SELECT * FROM t ORDER BY a OFFSET 5 ROWS FETCH NEXT 5 ROWS ONLY"},
		database.SQLite: {"SELECT [drop] FROM t", "SELECT `x` FROM t", "VALUES (1)", "EXPLAIN QUERY PLAN SELECT 1", "SELECT x'ff'"},
	}
	for d, list := range own {
		for _, s := range list {
			if err := statement.Check(d, s); err != nil {
				t.Errorf("Check(%s, %q) = %v", d, s, err)
			}
		}
	}
}

// TestRefuses: the statements of the check against real databases are refused
// in every dialect in which they could be run, and so are these.
func TestRefuses(t *testing.T) {
	everywhere := []string{"", " ; ", "-- nothing", "SELECT 1; SELECT 2", "SELECT 'open", "SELECT /* open", `SELECT "open`, "BEGIN", "FROM t", "SELECT 1\x00", "SELECT '\x00'", "SELECT ?\x01",
		// PostgreSQL ends a comment at a carriage return.
		"SELECT 1 --\rUNION SELECT pg_read_file('/etc/passwd')", "SELECT 1 -- a\r, pg_sleep(9)\n", "SELECT 1 -- a\r\r\n", "SELECT 1 -- a\u2028, 2",
		"EXPLAIN DELETE FROM t", "SELECT 1foo", "SELECT " + strings.Repeat("1,", 20000) + "1"}
	for _, d := range dialects {
		for _, s := range everywhere {
			refuse(t, d, s)
		}
	}
	own := map[database.Dialect][]string{
		// What would be cut in another way by the server.
		database.Postgres: {`SELECT U&"pg\005fsleep"(1)`, "SELECT $1", `SELECT E'\\'; DELETE FROM t --'`, "SELECT E'a'\n'\\'', pg_sleep(1)--'",
			"SELECT E'a' -- b\n '\\'', pg_sleep(1)--'", "SELECT e'a'\n/* b */\n'\\'', pg_sleep(1)--'", "SELECT $a$ $b$; DELETE", `SELECT "PG_SLEEP" (1)`, "EXPLAIN ANALYZE EXECUTE x", "SHOW ALL; DELETE FROM t",
			"SELECT * FROM crosstab3('DELETE FROM t') AS (a int, b text)", "SELECT crosstabN('x')", "SELECT xpath_table('a', 'b', 'c', 'd', 'e')",
			"SELECT aws_lambda.invoke('f', '{}')", "SELECT aws_s3.query_export_to_s3('x', 'y')", `SELECT "aws_s3"."table_import_from_s3"('x')`,
			"SELECT table_to_xml('pg_authid', true, true, '')", "SELECT current_setting('data_directory')", "SELECT pg_catalog.current_setting('x')",
			"SELECT pg_table_size('t')", "SELECT public.lower('x')", "SELECT dblink('a', 'b')", "SELECT unknown_function(1)", "SELECT has_table_privilege('t', 'select')",
			"SELECT * FROM pg_user_mappings", "SELECT * FROM information_schema.user_mapping_options", "SELECT subconninfo FROM pg_subscription",
			"SELECT query FROM pg_stat_activity", "SELECT most_common_vals FROM pg_stats", "SELECT a FROM t WHERE b = my_function (1)",
			"SELECT 1, my_function(2)", "SELECT a AS b, f(1) FROM t", "WITH f (a) AS (SELECT 1), g(1) SELECT 2", "SELECT case_f (1)", "SELECT lo_export(1, 'x')",
			// PostgreSQL calls a function of one argument like a column of its argument.
			"SELECT ('/etc/passwd'::text).pg_read_file", `SELECT ('/etc/passwd'::text) . /* x */ "pg_read_file"`, "SELECT (ARRAY['/etc/passwd'])[1].pg_read_file",
			"SELECT (t.x).pg_ls_dir FROM (SELECT '/'::text x) t", "SELECT ((1)).pg_sleep", "SELECT f.pg_read_file FROM unnest(ARRAY['/etc/passwd']) f",
			"SELECT unnest.pg_read_file FROM unnest(ARRAY['/etc/passwd'])", "SELECT f.pg_read_file FROM t, unnest(ARRAY['/etc/passwd']) AS f (x)",
			"SELECT f.pg_read_file FROM ROWS FROM (unnest(ARRAY['/etc/passwd'])) f", "SELECT f.lo_import FROM CAST('/etc/passwd' AS text) f",
			"SELECT f.current_setting FROM current_user f", "SELECT f.pg_sleep FROM t LEFT JOIN LATERAL generate_series(1, 3) WITH ORDINALITY f ON true",
			"SELECT pg_read_file.pg_read_file FROM unnest(ARRAY['/etc/passwd']) pg_read_file (x)",
			"SELECT (SELECT f.pg_ls_dir FROM unnest(ARRAY['/']) f) FROM unnest(ARRAY[1]) f (pg_ls_dir)", "SELECT f.dblink FROM t JOIN (coalesce('x', 'y') f) ON true",
			"SELECT * FROM pg_dist_authinfo", "SELECT * FROM t JOIN public.pg_stat_monitor m ON true", "SELECT * FROM t, pg_roles", `SELECT * FROM "pg_statio_x"`,
			"WITH x AS (TABLE pg_group) SELECT * FROM x", "SELECT * FROM information_schema.routines", "SHOW ALL", "SHOW app_secret", "SHOW hba_file"},
		database.MySQL: {`SELECT '\'; DELETE FROM t; -- '; DELETE FROM t`, "SELECT 1--1", "SELECT /*+ SET_VAR(sql_safe_updates=0) */ 1", "SELECT @x := 1", "SELECT _gbk'x'", "SHOW TABLES WHERE sleep(5)", "SHOW GRANTS", "DESCRIBE UPDATE t SET a = 1", "SELECT load_file('/etc/passwd')", "SELECT sys_exec('id')", "SELECT db.f(1)", "SELECT f(1)", "SELECT * FROM information_schema.processlist",
			"SELECT * FROM mysql.servers", "SELECT * FROM `mysql`.`slave_master_info`", "SELECT * FROM t, performance_schema.events_statements_history", "SELECT * FROM sys.session",
			"SELECT * FROM information_schema.user_variables", "SELECT * FROM information_schema.query_cache_info", "SHOW COLUMNS FROM mysql.servers", "DESCRIBE mysql.servers",
			"SHOW CREATE TABLE mysql.user", "SHOW COLUMNS FROM servers FROM mysql", "SHOW FULL FIELDS IN servers IN `mysql`", "SHOW TABLES FROM mysql"},
		database.SQLServer: {"SELECT 1 DROP TABLE t", "SELECT 1 EXEC('x')", "SELECT * FROM a.b.c.d", "SELECT * FROM a..t", "SELECT * FROM OPENROWSET('x')", "SELECT @@version", "SELECT NEXT VALUE FOR s", "WITH a AS (SELECT 1) DELETE t", "SELECT 1 WAITFOR DELAY '1'", "SELECT dbo.f(1)", "SELECT * FROM fn_dblog(NULL, NULL)", "SELECT * FROM sys.dm_exec_sessions", "SELECT f(1)",
			"SELECT * FROM sys.configurations", "SELECT * FROM t WITH (TABLOCKX, HOLDLOCK)", "SELECT * FROM t a (XLOCK)", "SELECT * FROM dbo.sysusers",
			"SELECT * FROM msdb.dbo.sysjobsteps", "SELECT * FROM t, master.dbo.x", "SELECT * FROM syslogins"},
		database.SQLite: {"SELECT load_extension('x')", "SELECT data FROM sqlite_dbpage", "SELECT * FROM \"main\".[SQLite_DBPage]",
			"SELECT * FROM pragma_table_info('t')", "PRAGMA table_info(t)", "ATTACH 'x' AS y", "SELECT @x", "SELECT readfile('/etc/passwd')", "SELECT a GLOB f(b) FROM t", "SELECT a MATCH readfile(b) FROM t", "SELECT x f(1) FROM t", "SELECT unknown(1)", "SELECT fts3_tokenizer('x')"},
	}
	for d, list := range own {
		for _, s := range list {
			refuse(t, d, s)
		}
	}
	raw, err := os.ReadFile(filepath.Join("..", "..", "..", "scripts", "sqlcheck", "testdata", "hostile.txt"))
	if err != nil {
		t.Fatal(err)
	}
	for line := range strings.SplitSeq(strings.TrimSpace(string(raw)), "\n") {
		for _, d := range []database.Dialect{database.Postgres, database.MySQL, database.SQLite} {
			refuseUnlessAbsent(t, d, strings.NewReplacer(`\n`, "\n", `\r`, "\r").Replace(line))
		}
	}
}

// refuseUnlessAbsent lets pass calls of functions and tables that only another
// dialect has: there they are unknown to the database.
func refuseUnlessAbsent(t *testing.T, d database.Dialect, s string) {
	t.Helper()
	if d == database.Postgres && s == "SHOW GRANTS" || strings.HasPrefix(s, "SELECT ") && (strings.Contains(s, "(") || strings.Contains(s, "FROM pragma")) && !strings.Contains(s, ";") {
		return
	}
	refuse(t, d, s)
}

func refuse(t *testing.T, d database.Dialect, s string) {
	t.Helper()
	if err := statement.Check(d, s); !fault.Is(err, fault.Forbidden) || fault.As(err).Msg == "" {
		t.Errorf("Check(%s, %.60q) = %v, want Forbidden", d, s, err)
	}
}

// FuzzCheck: nothing panics, and what is let through has no word that writes
// outside of strings and quoted names, as far as a plain look at texts without
// quotes and comments can tell.
func FuzzCheck(f *testing.F) {
	for _, s := range []string{"SELECT 1", "SELECT $a$;$a$", `SELECT "a""b"`, "SELECT [a]]b]", "WITH x AS (SELECT 1) SELECT * FROM x", "/* /* */ */ SELECT 1", "SELECT E'\\'' -- x", "SHOW TABLES", "EXPLAIN SELECT 1"} {
		f.Add(s)
	}
	f.Fuzz(func(t *testing.T, s string) {
		for _, d := range dialects {
			if statement.Check(d, s) != nil {
				continue
			}
			if strings.ContainsAny(s, "'\"`[$/#") || strings.Contains(s, "--") {
				continue
			}
			trimmed := strings.TrimRight(s, "; \t\n\r\f")
			if strings.Contains(trimmed, ";") {
				t.Errorf("%s: %q is let through with two statements", d, s)
			}
			low := " " + strings.ToLower(strings.Join(strings.Fields(strings.NewReplacer("(", " ", ")", " ", ",", " ").Replace(trimmed)), " ")) + " "
			for _, w := range []string{" delete ", " insert ", " update ", " drop ", " into ", " truncate ", " alter ", " pragma ", " attach "} {
				if strings.Contains(low, w) && !strings.HasPrefix(low, " show ") && !strings.HasPrefix(low, " desc") && !strings.Contains(low, "."+w) &&
					!strings.Contains(low, ". "+strings.TrimSpace(w)) {
					t.Errorf("%s: %q is let through with%s", d, s, w)
				}
			}
		}
	})
}
