package plainsql

import (
	"slices"
	"strings"
)

// open reports whether the words leave open what is asked for, or ask for what no statement of this grammar says: then
// nothing is written.
func (r *reading) open() bool {
	switch {
	case r.joined && r.theirMoney():
		return true // the amount of invoices is not that of what was paid for them
	case slices.ContainsFunc(r.measures, func(f *field) bool { return slices.Contains(r.double, f.Name) }):
		return true // of which table is not said
	case r.is(1, "many", "viele") && r.is(2, "years", "jahre"):
		return true // how long something has been
	case r.lacks && !r.rowNoun && slices.ContainsFunc(append(slices.Clone(r.shown), r.entity), func(f *field) bool {
		return f != nil && f != &r.fields[0] && (f.code() || f.refers || f.References != "")
	}):
		return true // which of those that the rows refer to have none
	case r.never && !r.lacks && r.ofGroup():
		return true // of all rows of something, not of each
	case r.spread && r.groupBy() == "", r.without, r.unclear, r.way != 0 && r.entity != nil && r.by != nil && r.entity != r.by:
		return true // what lacks something, and the most of each, need more than one statement of this grammar
	case r.amount && !r.share && len(r.measures) == 0 && r.agg == none && r.way == 0, r.who && r.entity == nil && r.people() == nil,
		r.way != 0 && r.quality != nil && len(r.measures) == 0,
		r.way != 0 && r.agg == count && r.at(0, countWords[0])+r.at(0, "wie viele") > 0 && !r.numeric():
		return true
	case len(r.measures) > 2, len(r.measures) == 2 && r.glue == "" && (r.way != 0 || r.by != nil || r.agg == count):
		return true
	}
	return false
}

// tells reports whether a day is one of what is asked for: that of an event is not of what was used in it.
func (r *reading) tells(f *field) bool {
	general := len(f.words) == 1 && (f.words[0] == "date" || f.words[0] == "datum" || f.words[0] == "day" || f.words[0] == "tag")
	return !general || r.entity == nil || r.entity == &r.fields[0] || r.entity == r.title() || r.entity == r.people()
}

// tellsAge reports whether a year is that of what is asked for: "build_year", or the year of a table of such things.
func (r *reading) tellsAge(f *field) bool {
	general := len(f.words) == 1 && (f.words[0] == "year" || f.words[0] == "jahr")
	return f.numeric() && r.beside(f) && (!general || r.entity == nil)
}

// ofGroup reports whether what is asked for may have several rows.
func (r *reading) ofGroup() bool {
	f := r.entity
	if f == nil && r.who {
		f = r.people()
	}
	return f != nil && f != &r.fields[0] && (r.fields[0].text() || r.fields[0].id) && (f != r.title() || !f.has(labelFields))
}

// theirMoney reports whether money of the one table is asked for by what rows of the other are called, which have money
// of their own.
func (r *reading) theirMoney() bool {
	if len(r.measures) == 0 {
		return false
	}
	named := slices.ContainsFunc(r.tokens, func(t token) bool {
		return slices.ContainsFunc(r.belong, func(w string) bool { return same(w, t.low) })
	})
	first, _, _ := strings.Cut(r.from, " JOIN ")
	own := slices.ContainsFunc(r.measures, func(f *field) bool { return strings.HasPrefix(f.sql, first+".") })
	amounts := strings.Fields("net gross amount total price betrag netto brutto summe preis eur usd gbp")
	return named && own && slices.ContainsFunc(r.fields, func(f field) bool {
		return f.numeric() && !strings.HasPrefix(f.sql, first+".") && f.has(amounts)
	})
}

// beside reports whether a field is of the table whose rows are asked for.
func (r *reading) beside(f *field) bool {
	table := func(f *field) string { return f.sql[:max(0, strings.LastIndex(f.sql, "."))] }
	return r.entity == nil || table(f) == table(r.entity)
}

// matters reports whether a field that is spoken of has to be in the statement, as one that says yes or no has; others
// may be words for the rows.
func (f *field) matters() bool { return f.yes != "" }
