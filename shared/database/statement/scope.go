package statement

import (
	"strings"

	"lectern/shared/database"
)

// catalogs contain the names, and often the texts, of everything in a database.
var catalogs = words("information_schema pg_catalog sqlite_master sqlite_schema sqlite_temp_master sqlite_temp_schema sys mysql performance_schema " +
	"dbstat sqlite_stat1 sqlite_stat4")

// CheckScope rejects a statement that reads what a scope hides: tables, views
// or schemas, and the catalogs that list them. all is the whole schema, shown
// the part in the scope. It checks every name at a position where a table is
// possible, even if it means something else there.
func CheckScope(d database.Dialect, sql string, all, shown *database.Schema) error {
	if all.Cut {
		return refuse("the database has too many tables to enforce the scope; use a role that can read only the allowed ones")
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
			return refuse("catalogs cannot be read when the scope hides tables")
		case qualifies && closed[t.text]:
			return refuse("the schema %s is outside of the scope", clip(t.text))
		case hidden[t.text] && (qualifies || relation(tokens, i, schemas)):
			return refuse("%s is outside of the scope", clip(t.text))
		}
	}
	return nil
}

// relation reports whether a table is possible at i: after FROM or JOIN, after
// a comma or parenthesis in a list of tables, or after a schema.
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
