package statement_test

import (
	"testing"

	"lectern/shared/database"
	"lectern/shared/database/statement"
	"lectern/shared/fault"
)

// TestCheckScope: what a scope hides is not read, by any way of naming it, and
// what it shows is.
func TestCheckScope(t *testing.T) {
	all := &database.Schema{Tables: []database.Table{{Schema: "shop", Name: "orders"}, {Schema: "shop", Name: "totals", View: true},
		{Schema: "hr", Name: "salaries"}, {Schema: "hr", Name: "orders"}}}
	shown := &database.Schema{Tables: []database.Table{{Schema: "shop", Name: "orders"}}}
	for _, d := range dialects {
		for _, sql := range []string{"SELECT * FROM orders", "SELECT o.id, o.totals FROM shop.orders o", "SELECT count(*) FROM orders WHERE name = 'salaries'",
			"WITH a AS (SELECT 1 AS n) SELECT n FROM a"} {
			if err := statement.CheckScope(d, sql, all, shown); err != nil {
				t.Errorf("%s: %q is refused: %v", d, sql, err)
			}
		}
		for _, sql := range []string{"SELECT * FROM totals", "SELECT * FROM shop.totals", "SELECT * FROM salaries", "SELECT * FROM hr.orders",
			`SELECT * FROM orders, salaries`, "SELECT * FROM orders JOIN Salaries ON 1 = 1", "SELECT (SELECT max(x) FROM salaries)",
			"SELECT * FROM (salaries)", "SELECT salaries.x FROM orders", "SELECT * FROM information_schema.tables", "SELECT * FROM pg_class",
			"SELECT * FROM sqlite_master", "SELECT 1 UNION SELECT x FROM hr . salaries"} {
			if err := statement.CheckScope(d, sql, all, shown); !fault.Is(err, fault.Forbidden) {
				t.Errorf("%s: %q is let through: %v", d, sql, err)
			}
		}
	}
	if err := statement.CheckScope(database.Postgres, "SELECT 1", &database.Schema{Cut: true}, shown); !fault.Is(err, fault.Forbidden) {
		t.Errorf("of a database of which not all is known: %v", err)
	}
}
