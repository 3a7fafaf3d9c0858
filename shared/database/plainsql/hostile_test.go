package plainsql_test

import (
	"fmt"
	"math/rand/v2"
	"strings"
	"testing"

	"lectern/shared/database"
	"lectern/shared/database/plainsql"
)

// TestAnyQuestion: no words in any order are too much for the grammar, and what it writes only
// reads.
func TestAnyQuestion(t *testing.T) {
	schemas := []*database.Schema{shop(), workshop(), tables(), ledgers(), invoicing(), guesthouse(), monthly(), {}, {Tables: []database.Table{{Name: "empty"}, {Name: "x", Columns: []database.Column{{}}}}}}
	words := strings.Fields(`how many much which what who when the a of in by per each most least top 3 two highest oldest cheapest longest not no without
		other than between and or after before since 2026 March 3 2026-03-04 Q1 above below more less than 10 0 5% € average total sum median share percent
		different how often stock out paid unpaid open "Ann Lee" ' ( ) , . ? * times minus wie viele am meisten im März nach vor über unter mindestens
		jede pro Durchschnitt welche haben bezahlt ohne by how best worst teuerste month week year quarter weekday Monat Jahr sold sell bought
		left free full late still current difference lowest longest youngest new more or oder revenue profit worth money expenses rating stars
		on over under youngest never nothing no-shows members people customers items units hours Stunden Kosten`)
	for _, s := range schemas {
		for i := range s.Tables {
			words = append(words, strings.Split(s.Tables[i].Name, "_")...)
			for _, c := range s.Tables[i].Columns {
				words = append(append(words, strings.Split(c.Name, "_")...), c.Values...)
			}
		}
	}
	random := rand.New(rand.NewPCG(1, 2))
	for range 5000 {
		var question []string
		for range random.IntN(14) {
			question = append(question, words[random.IntN(len(words))])
		}
		asked := strings.Join(question, " ")
		s := schemas[random.IntN(len(schemas))]
		d := []database.Dialect{database.SQLite, database.Postgres, database.MySQL, database.SQLServer}[random.IntN(4)]
		if sql, ok := plainsql.Write(d, s, asked); ok && !strings.HasPrefix(sql, "SELECT ") && !strings.HasPrefix(sql, "WITH ") {
			t.Fatalf("Write(%q) = %q", asked, sql)
		}
		plainsql.Unread(d, s, asked)
	}
}

// TestWideTables: of a table with hundreds of columns of texts a question that it cannot answer is declined as of any other.
func TestWideTables(t *testing.T) {
	columns := []database.Column{text("id", "r1", "r2", "r3")}
	for i := range 400 {
		var values []string
		for row := range 49 {
			values = append(values, fmt.Sprint(i*row))
		}
		columns = append(columns, text(fmt.Sprint("c", i), values...))
	}
	if sql, ok := plainsql.Write(database.SQLite, sheet("w", columns...), "What is the sum of c299?"); ok {
		t.Errorf("Write = %q, of a column without numbers", sql)
	}
}
