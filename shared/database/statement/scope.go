package statement

import (
	"strings"

	"lectern/shared/database"
)

// catalogs hold the names, and often the texts, of everything in a database.
var catalogs = words("information_schema pg_catalog sqlite_master sqlite_schema sqlite_temp_master sqlite_temp_schema sys mysql performance_schema " +
	"dbstat sqlite_stat1 sqlite_stat4")

// CheckScope refuses a statement that reads what a scope hides: its tables, its
// views or its schemas, and the catalogs, which tell of all of them. all is
// everything that is there, shown what the scope lets see. A name counts wherever
// a table may stand, whatever it means there: a hidden one needs no column of its
// name to be found out.
func CheckScope(d database.Dialect, sql string, all, shown *database.Schema) error {
	if all.Cut {
		return refuse("the database has too many tables to limit what is read; use a role that sees only these")
	}
	visible, schemas := map[string]bool{}, map[string]bool{}
	for i := range shown.Tables {
		visible[strings.ToLower(shown.Tables[i].Name)] = true
		schemas[strings.ToLower(shown.Tables[i].Schema)] = true
	}
	hidden, closed := map[string]bool{}, map[string]bool{}
	for i := range all.Tables {
		if name := strings.ToLower(all.Tables[i].Name); !visible[name] {
			hidden[name] = true
		}
		if schema := strings.ToLower(all.Tables[i].Schema); schema != "" && !schemas[schema] {
			closed[schema] = true
		}
	}
	tokens, err := scan(d, sql)
	if err != nil {
		return err
	}
	for i, t := range tokens {
		if t.kind != word && t.kind != quoted {
			continue
		}
		qualifies := i+1 < len(tokens) && tokens[i+1] == (token{mark, "."})
		switch {
		case catalogs[t.text] || strings.HasPrefix(t.text, "pg_") || strings.HasPrefix(t.text, "sqlite_"):
			return refuse("the catalogs cannot be read where tables are hidden")
		case qualifies && closed[t.text]:
			return refuse("the schema %s is outside of what may be read", clip(t.text))
		case hidden[t.text] && (qualifies || relation(tokens, i, schemas)):
			return refuse("%s is outside of what may be read", clip(t.text))
		}
	}
	return nil
}

// relation reports whether a table may stand at i: after FROM or JOIN, after the
// comma or the parenthesis of a list of tables, or behind one of the schemas.
func relation(tokens []token, i int, schemas map[string]bool) bool {
	if i == 0 {
		return true
	}
	switch before := tokens[i-1]; before.kind {
	case word:
		return before.text == "from" || before.text == "join" || before.text == "table" || before.text == "only" || before.text == "lateral" ||
			before.text == "apply" || before.text == "describe" || before.text == "desc" || before.text == "explain"
	case mark:
		return before.text == "," || before.text == "(" || before.text == "." && i > 1 && schemas[tokens[i-2].text]
	}
	return false
}
