package plainsql_test

import (
	"fmt"
	"testing"

	"lectern/shared/database"
	"lectern/shared/database/plainsql"
)

func wide(tables, columns, values int) *database.Schema {
	s := &database.Schema{}
	for i := range tables {
		t := database.Table{Name: fmt.Sprintf("file_table%d", i)}
		for c := range columns {
			col := database.Column{Name: fmt.Sprintf("column_name_%d", c), Type: "TEXT"}
			if c%3 == 0 {
				col.Type = "INTEGER"
			} else {
				for v := range values {
					col.Values = append(col.Values, fmt.Sprintf("value %d of %d", v, c))
				}
			}
			t.Columns = append(t.Columns, col)
		}
		s.Tables = append(s.Tables, t)
	}
	return s
}

func BenchmarkWide(b *testing.B) {
	for _, n := range [][3]int{{12, 20, 200}, {50, 20, 50}, {4, 500, 10}, {1, 500, 200}} {
		s := wide(n[0], n[1], n[2])
		b.Run(fmt.Sprint(n), func(b *testing.B) {
			for b.Loop() {
				plainsql.Write(database.SQLite, s, "How many orders were delivered to the customers in Germany who have not paid their invoices since March 2026?")
			}
		})
	}
}
