// Package keys tells by which columns rows of one table belong to those of another.
package keys

import (
	"slices"
	"strings"

	"lectern/shared/database"
	"lectern/shared/database/plainsql/lexicon"
)

// Named returns the columns by which rows of a each belong to a row of b: a reference, or a
// name that is b's first column, or its key, too.
func Named(a, b *database.Table) (left, right *database.Column) {
	for i := range a.Columns {
		c := &a.Columns[i]
		for k := range b.Columns {
			o := &b.Columns[k]
			if strings.EqualFold(c.References, b.Name+"."+o.Name) {
				return c, o
			}
		}
	}
	if len(b.Columns) == 0 {
		return nil, nil
	}
	for i := range a.Columns {
		c, o := &a.Columns[i], &b.Columns[0]
		if kind := c.Kind(); (i > 0 || home(b, o) && !home(a, o) || calledAs(b, o) && !calledAs(a, c)) && kind == o.Kind() &&
			(kind == database.Textual ||
				kind == database.Numeric) &&
			slices.Equal(lexicon.Parts(c.Name), lexicon.Parts(o.Name)) {
			return c, o
		}
	}
	for i := range a.Columns {
		c, o := &a.Columns[i], &b.Columns[0]
		if i > 0 && c.Kind() == o.Kind() && a != b && numbers(lexicon.Parts(c.Name), lexicon.Parts(o.Name), lexicon.Parts(b.Name)) {
			return c, o
		}
	}
	return nil, nil
}

// numbers reports whether a column is the number of a row of another table, by the names of both and of the table:
// "learner_no" of the "no" of learners, "skipper_member_no" of "member_no".
func numbers(name, key, table []string) bool {
	n := len(name) - len(key)
	if n < 1 || len(key) == 0 || !slices.Equal(name[n:], key) || !slices.Contains([]string{"id", "no", "nr", "number", "nummer", "ref",
		"code"}, key[len(key)-1]) {
		return false
	}
	return len(key) > 1 || slices.ContainsFunc(table, func(t string) bool {
		return lexicon.Same(name[n-1], t) ||
			lexicon.Abbreviates(name[n-1], t)
	})
}

// Held returns the columns by which rows of a belong to rows of b where no name says so: all values of the
// one are among those of b's column that tells its rows apart.
func Held(a, b *database.Table) (left, right *database.Column) {
	for k := range b.Columns[:min(2, len(b.Columns))] {
		o := &b.Columns[k]
		if o.Kind() != database.Textual || o.Many || len(o.Values) < leastHeld || slices.ContainsFunc(b.Columns, func(c database.Column) bool {
			return len(c.Values) > len(o.Values)
		}) {
			continue
		}
		for i := range a.Columns {
			c := &a.Columns[i]
			fewer := len(c.Values) < len(o.Values) || len(c.Values) == len(o.Values) && c.Many
			if c.Kind() != database.Textual || len(c.Values) < leastHeld || !fewer {
				continue
			}
			if !slices.ContainsFunc(c.Values, func(v string) bool { return len(v) < lexicon.LeastPart || !slices.Contains(o.Values, v) }) {
				return c, o
			}
		}
	}
	return nil, nil
}

// leastHeld is how many values a column has at least by which rows are brought together.
const leastHeld = 3

// calledAs reports whether a table is called as what a column names, as "events" is by "event".
func calledAs(t *database.Table, c *database.Column) bool {
	words, names := lexicon.Parts(c.Name), lexicon.Parts(t.Name)
	return len(words) == 1 && len(names) > 0 && lexicon.Same(names[len(names)-1], words[0])
}

// home reports whether a table is called as what a column numbers, as "mitglieder" is by "mitgl_nr".
func home(t *database.Table, c *database.Column) bool {
	words, names := lexicon.Parts(c.Name), lexicon.Parts(t.Name)
	return lexicon.Identifies(words) && len(words[0]) >= lexicon.LeastPart &&
		slices.ContainsFunc(names, func(n string) bool { return strings.HasPrefix(n, words[0]) })
}
