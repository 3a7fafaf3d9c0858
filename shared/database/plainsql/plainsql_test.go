package plainsql_test

import (
	"testing"

	"lectern/shared/database"
	"lectern/shared/database/plainsql"
)

func shop() *database.Schema {
	return &database.Schema{Tables: []database.Table{
		{Name: "orders", Columns: []database.Column{
			{Name: "id", Type: "integer", Key: true}, {Name: "customer_id", Type: "integer", References: "customers.id"}, {Name: "ordered_on", Type: "date"},
			{Name: "status", Type: "varchar(20)", Values: []string{"shipped", "on hold"}}, {Name: "total", Type: "numeric(12,2)"}, {Name: "paid", Type: "boolean"},
		}},
		{Name: "customers", Columns: []database.Column{
			{Name: "id", Type: "integer", Key: true}, {Name: "name", Type: "text", Values: []string{"Ada", "ada", "O'Neill"}},
			{Name: "city", Type: "text", Values: []string{"Oslo", "New York"}},
			{Name: "birthplace", Type: "text", Values: []string{"Rome", "New York"}}, {Name: "creditLimit", Type: "integer"},
		}},
	}}
}

func TestWrite(t *testing.T) {
	tests := []struct{ question, want string }{
		{"How many orders are there?", `SELECT COUNT(*) AS "count" FROM "orders"`},
		{"how many shipped orders are there", `SELECT COUNT(*) AS "count" FROM "orders" WHERE "status" = 'shipped'`},
		{"How many orders are on hold?", `SELECT COUNT(*) AS "count" FROM "orders" WHERE "status" = 'on hold'`},
		{"How many paid orders are there since 2024-02-28?", `SELECT COUNT(*) AS "count" FROM "orders" WHERE "paid" = TRUE AND "ordered_on" >= '2024-02-28'`},
		{"How many orders were there after 2024-02-28?", `SELECT COUNT(*) AS "count" FROM "orders" WHERE "ordered_on" >= '2024-02-29'`},
		{"What is the average total per status?", `SELECT "status", AVG("total") AS "average_total" FROM "orders" GROUP BY "status" ORDER BY "status"`},
		{"sum of total for orders with a total between 10 and 1,000.50",
			`SELECT SUM("total") AS "total_total" FROM "orders" WHERE "total" >= 10 AND "total" <= 1000.50`},
		{"What is the highest credit limit of customers in Oslo?",
			`SELECT MAX("creditLimit") AS "maximum_creditLimit" FROM "customers" WHERE "city" = 'Oslo'`},
		{"top 3 customers by credit limit", `SELECT * FROM "customers" WHERE "creditLimit" IS NOT NULL ORDER BY "creditLimit" DESC LIMIT 3`},
		{`What is the city of customers with the name "O'Neill"?`,
			`SELECT "city" FROM "customers" WHERE "name" = 'O''Neill' LIMIT 100`},
		{"How many different cities do customers have?", `SELECT COUNT(DISTINCT "city") AS "count_city" FROM "customers"`},
		{"top 2 city by number of customers",
			`SELECT "city", COUNT(*) AS "count" FROM "customers" GROUP BY "city" ORDER BY 2 DESC LIMIT 2`},
		{"How many orders are shipped or on hold?", `SELECT COUNT(*) AS "count" FROM "orders" WHERE "status" IN ('shipped', 'on hold')`},
	}
	for _, tc := range tests {
		if got, ok := plainsql.Write(database.Postgres, shop(), tc.question); !ok || got != tc.want {
			t.Errorf("Write(%q) = %q, %t, want %q", tc.question, got, ok, tc.want)
		}
	}
}

// TestDeclines: a word without a part, two readings, or another kind of
// question end in no statement.
func TestDeclines(t *testing.T) {
	for _, q := range []string{
		"", "Hello", "How many customers are in New York?", "How many customers are named Ada?", "What is the average status?", "What is the sum of id?",
		"How many orders were there in the last month?",
		"What is the total?", "average total and total by status and paid", "DELETE FROM orders",
		"How many orders are there; DROP TABLE orders", "total orders",
		"Which orders are the best?", "What is the average total of orders over time?",
	} {
		if got, ok := plainsql.Write(database.Postgres, shop(), q); ok {
			t.Errorf("Write(%q) = %q, want none", q, got)
		}
	}
}

func TestDialects(t *testing.T) {
	tests := map[database.Dialect]string{
		database.MySQL:     "SELECT * FROM `customers` WHERE `creditLimit` IS NOT NULL ORDER BY `creditLimit` DESC LIMIT 3",
		database.SQLServer: "SELECT TOP 3 * FROM [customers] WHERE [creditLimit] IS NOT NULL ORDER BY [creditLimit] DESC",
	}
	for d, want := range tests {
		if got, _ := plainsql.Write(d, shop(), "top 3 customers by credit limit"); got != want {
			t.Errorf("Write(%s) = %q, want %q", d, got, want)
		}
	}
}
