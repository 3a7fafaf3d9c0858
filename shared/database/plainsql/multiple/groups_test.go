package multiple_test

import (
	"testing"

	"lectern/shared/database/plainsql/multiple"
)

func TestCountGroups(t *testing.T) {
	for question, want := range map[string]string{
		"How many donors gave more than once?":       "which donors gave more than once?",
		"Wie viele Kunden haben mehr als 3 Termine?": "welche Kunden haben mehr als 3 Termine?",
		"How many donors gave more than 100 euros?":  "which donors gave more than 100 euros?", // of which no statement counts rows
		"How many donors gave?":                      "",
		"Which donors gave more than once?":          "",
	} {
		if got, ok := multiple.Groups(question); got != want || ok != (want != "") {
			t.Errorf("Groups(%q) = %q, %v, want %q", question, got, ok, want)
		}
	}
	for sql, want := range map[string]string{
		`SELECT "donor", COUNT(*) AS "count" FROM "gifts" WHERE "sum" > 5 GROUP BY "donor" HAVING COUNT(*) > 1 ORDER BY 2 DESC, 1 LIMIT 100`: `SELECT COUNT(*) AS "count" FROM (SELECT "donor" FROM "gifts" WHERE "sum" > 5 GROUP BY "donor" HAVING COUNT(*) > 1) AS g`,
		`SELECT "donor", SUM("sum") AS "result" FROM "gifts" GROUP BY "donor" HAVING SUM("sum") > 100 ORDER BY 2 DESC, 1 LIMIT 100`:          "",
		`SELECT DISTINCT "donor" FROM "gifts" WHERE "sum" > 100 LIMIT 100`:                                                                   "",
	} {
		if got, ok := multiple.CountGroups(sql); got != want || ok != (want != "") {
			t.Errorf("CountGroups(%q) = %q, %v, want %q", sql, got, ok, want)
		}
	}
}
