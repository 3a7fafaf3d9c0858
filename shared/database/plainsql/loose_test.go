package plainsql_test

import (
	"slices"
	"testing"

	"lectern/shared/database"
	"lectern/shared/database/plainsql"
)

func tables() *database.Schema {
	return &database.Schema{Tables: []database.Table{
		{Name: "trips", Columns: []database.Column{
			{Name: "trip_id", Type: "INTEGER"}, {Name: "departed", Type: "DATE"}, {Name: "driver", Type: "TEXT", Values: []string{"Olga", "Per Lund"}},
			{Name: "region", Type: "TEXT", Values: []string{"North", "South"}}, {Name: "distance_km", Type: "REAL"}, {Name: "quantity", Type: "INTEGER"},
			{Name: "unit_price", Type: "REAL"}, {Name: "state", Type: "TEXT", Values: []string{"done", "cancelled"}},
		}},
		{Name: "crew", Columns: []database.Column{
			{Name: "name", Type: "TEXT", Values: []string{"Olga", "Per Lund"}}, {Name: "depot", Type: "TEXT", Values: []string{"Oslo", "Bergen"}},
			{Name: "salary_eur", Type: "INTEGER"}, {Name: "hired", Type: "DATE"},
		}},
	}}
}

// TestLoose: what people ask about tables, in their words.
func TestLoose(t *testing.T) {
	tests := []struct{ question, want string }{
		{"How many trips were cancelled in May 2025?", `SELECT COUNT(*) AS "count" FROM "trips" WHERE "state" = 'cancelled' AND "departed" >= '2025-05-01' AND "departed" < '2025-06-01'`},
		{"How many trips were done in December 2025?", `SELECT COUNT(*) AS "count" FROM "trips" WHERE "state" = 'done' AND "departed" >= '2025-12-01' AND "departed" < '2026-01-01'`},
		{"Which region has the most trips?", `SELECT "region", COUNT(*) AS "result" FROM "trips" GROUP BY "region" ORDER BY 2 DESC, 1 LIMIT 1`},
		{"Which driver had the least distance in total?", `SELECT "driver", SUM("distance_km") AS "result" FROM "trips" GROUP BY "driver" ORDER BY 2, 1 LIMIT 1`},
		{"Share of cancelled trips in percent", `SELECT 100.0 * SUM(CASE WHEN "state" = 'cancelled' THEN 1 ELSE 0 END) / COUNT(*) AS "percent" FROM "trips"`},
		{"Trips per month in 2025", `SELECT strftime('%Y-%m', "departed"), COUNT(*) AS "count" FROM "trips" WHERE "departed" >= '2025-01-01' AND "departed" < '2026-01-01' GROUP BY strftime('%Y-%m', "departed") ORDER BY strftime('%Y-%m', "departed")`},
		{"What is the revenue of 2025?", `SELECT SUM("quantity" * "unit_price") AS "total_quantity_unit_price" FROM "trips" WHERE "departed" >= '2025-01-01' AND "departed" < '2026-01-01'`},
		{"What is the average salary?", `SELECT AVG("salary_eur") AS "average_salary_eur" FROM "crew"`},
		{"average salary per depot", `SELECT "depot", AVG("salary_eur") AS "average_salary_eur" FROM "crew" GROUP BY "depot" ORDER BY "depot"`},
		{"Who earns the most?", `SELECT "name", MAX("salary_eur") AS "result" FROM "crew" GROUP BY "name" ORDER BY 2 DESC, 1 LIMIT 1`},
		{"Who had the highest distance?", `SELECT "driver", SUM("distance_km") AS "result" FROM "trips" GROUP BY "driver" ORDER BY 2 DESC, 1 LIMIT 1`},
		{"How many people work in Bergen?", `SELECT COUNT(*) AS "count" FROM "crew" WHERE "depot" = 'Bergen'`},
		{"List the employees hired after 2020", `SELECT * FROM "crew" WHERE "hired" >= '2021-01-01' LIMIT 100`},
		{"Durchschnitt salary je depot", `SELECT "depot", AVG("salary_eur") AS "average_salary_eur" FROM "crew" GROUP BY "depot" ORDER BY "depot"`},
	}
	for _, tc := range tests {
		if got, ok := plainsql.Write(database.SQLite, tables(), tc.question); !ok || got != tc.want {
			t.Errorf("Write(%q) = %q, %t, want %q", tc.question, got, ok, tc.want)
		}
	}
}

// TestLooseDeclines: every word has a role, or nothing is written.
func TestLooseDeclines(t *testing.T) {
	for _, q := range []string{
		"How many trips were late?", "Which driver is the best?", "How many trips without Olga?", "What is the sum of salaries and distances?",
		"Who was hired by whom?", "How many trips did Olga or Per Lund make?", "Which region had the most complaints?", "average hired",
		"What is the median salary?", "What is the average number of trips per driver?", "How many trips in the last month?", "Trips; DROP TABLE trips",
	} {
		if got, ok := plainsql.Write(database.SQLite, tables(), q); ok {
			t.Errorf("Write(%q) = %q, want none", q, got)
		}
	}
}

func TestUnread(t *testing.T) {
	for question, want := range map[string][]string{
		"Which region had the most complaints?": {"complaints"}, "How many trips were there?": nil, "How many blue whales?": {"blue", "whales"},
	} {
		if got := plainsql.Unread(database.SQLite, tables(), question); !slices.Equal(got, want) {
			t.Errorf("Unread(%q) = %q, want %q", question, got, want)
		}
	}
}
