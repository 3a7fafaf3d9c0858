package relation

import (
	"slices"
	"strings"

	"lectern/shared/database"
	"lectern/shared/database/plainsql/lexicon"
)

// scores are what letters above the columns of a league's table are short for.
var scores = map[string]string{
	"p": "played", "pl": "played", "pld": "played", "gp": "played", "mp": "played",
	"w": "won", "d": "drawn", "t": "tied", "l": "lost", "pts": "points",
	"gf": "goal scored", "ga": "goal conceded", "gd": "goal difference", "pf": "points scored", "pa": "points conceded",
}

// ofLeague reports whether a table has letters for what was won and lost above its columns.
func ofLeague(t *database.Table) bool {
	named := func(name string) bool {
		return slices.ContainsFunc(t.Columns, func(c database.Column) bool { return strings.EqualFold(c.Name, name) })
	}
	return named("w") && named("l") || named("gf") && named("ga") && (named("pts") || named("points"))
}

// difference returns the field of how many more goals were scored than conceded, if none tells it.
func difference(list []Field) []Field {
	var scored, conceded *Field
	for i := range list {
		switch f := &list[i]; {
		case f.named("goal difference"):
			return nil
		case f.named("goal scored"):
			scored = f
		case f.named("goal conceded"):
			conceded = f
		}
	}
	if scored == nil || conceded == nil {
		return nil
	}
	words := []string{"goal", "difference"}
	return []Field{{Column: &database.Column{Name: "goal_difference", Type: "INTEGER"}, Words: words, Made: true, Vocab: &Vocabulary{},
		Means: [][]int{lexicon.ConceptsOf("goal"), lexicon.ConceptsOf("difference")}, SQL: "(" + scored.SQL + " - " + conceded.SQL + ")"}}
}
