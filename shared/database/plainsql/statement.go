package plainsql

import (
	"slices"
	"strconv"
	"strings"

	"lectern/shared/database"
	"lectern/shared/database/plainsql/lexicon"
	"lectern/shared/database/plainsql/sqltext"
)

// write makes the statement; ok is false where the roles do not fit together.
func (r *reading) write() (sql string, ok bool) {
	if r.settle(); r.open() || !r.overTimes() {
		return "", false
	}
	if r.tidy(); r.tooFar() {
		return "", false
	}
	sql, ok = r.statement()
	if ok && slices.ContainsFunc(r.shown, func(f *field) bool { return f.Matters() && !strings.Contains(sql, f.SQL) }) {
		return "", false // what is spoken of is nowhere in it
	}
	if several := r.ofGroup() || strings.Contains(sql, "DISTINCT") && !strings.Contains(sql, "DISTINCT "+r.nameOfRow()); ok && r.alone &&
		several {
		return "", false // of which none has others, which no row tells
	}
	if o := *r; ok && r.also != nil {
		o.measures, o.also = []*field{r.also}, nil
		if sql, ok := o.statement(); ok {
			r.as, r.instead = "by "+r.naming(), Reading{SQL: sql, As: "by " + r.also.Name}
		}
	}
	for _, month := range r.ofMonths {
		if ok && !slices.ContainsFunc(r.Fields, func(f field) bool {
			return strings.Contains(sql, f.SQL) && slices.ContainsFunc(f.Words, func(w string) bool { return lexicon.MonthOf(w) == month })
		}) {
			return "", false
		}
	}
	return sql, ok
}

// nameOfRow is how a statement names what tells rows apart.
func (r *reading) nameOfRow() string {
	if t := r.title(); t != nil && r.Unique(t) {
		return t.SQL
	}
	return r.Fields[0].SQL
}

// statement makes the statement of what was settled.
func (r *reading) statement() (sql string, ok bool) {
	switch {
	case r.spanned:
		return r.writeExtent()
	case r.contrast != nil:
		return r.writeContrast()
	case r.never:
		return r.writeNever()
	case r.group != nil:
		return r.writeGroups()
	case r.share:
		return r.writeShare()
	case r.distinct:
		return r.writeDistinct()
	case r.median:
		return r.writeMedian()
	case r.way != 0:
		return r.writeMost()
	case r.agg == average && r.amount && r.bySpan != "" && len(r.measures) == 1 && r.additive() && r.way == 0:
		// each month
		return "SELECT SUM(" + r.measure() + ") * 1.0 / COUNT(DISTINCT " + r.groupBy() + ")" + r.named("average") + r.source(), true
	case r.agg == average && r.counted():
		return r.writeAverageCount()
	case r.agg == none && len(r.measures) == 0 && r.by != nil && r.pins(r.title()):
		return r.writeRows()
	case r.agg == count || r.agg == none && len(r.measures) == 0 && r.groupBy() != "" && (r.rowNoun || len(r.where) > 0):
		return r.writeCount()
	case r.agg != none, r.groupBy() != "" && len(r.measures) > 0 && (len(r.measures) == 1 || r.additive()):
		return r.writeAggregate()
	}
	return r.writeRows()
}

func (r *reading) counted() bool { return r.countWord() && len(r.measures) == 0 }

// countWord reports whether a number of rows is spoken of.
func (r *reading) countWord() bool {
	return r.says("number", "anzahl", "many", "viele")
}

func (r *reading) clause(conditions []condition) string {
	if len(conditions) == 0 {
		return ""
	}
	var list []string
	for _, c := range conditions {
		list = append(list, c.SQL)
	}
	return " WHERE " + strings.Join(list, " AND ")
}

func (r *reading) source() string { return " FROM " + r.From + r.clause(r.where) }

// measurable is the source of the rows that have what is measured.
func (r *reading) measurable() string {
	return " FROM " + r.From + r.clause(append(slices.Clone(r.where), condition{SQL: r.measure() + " IS NOT NULL"}))
}

// lastOf bounds what there was at the end of a time to the last day of it that there is.
func (r *reading) lastOf() {
	days, _ := r.filters()
	asked := append(slices.Clone(r.shown), r.measures...)
	if len(days) == 0 || days[0].Of == nil || len(asked) != 1 || !r.says("end", "ende") ||
		!slices.ContainsFunc(asked[0].Words, func(w string) bool { return lexicon.Standing[w] }) {
		return
	}
	day := days[0].Of
	r.where = append(r.where, condition{SQL: day.SQL + " = (SELECT MAX(" + day.SQL + ") FROM " + r.From + r.clause(days) + ")", Of: day})
}

// filters are the conditions of time, and the others.
func (r *reading) filters() (days, others []condition) {
	for _, c := range r.where {
		if c.Day {
			days = append(days, c)
		} else {
			others = append(others, c)
		}
	}
	return days, others
}

// subject is the field of what is asked for: the people where the question says only "who"; nil without.
func (r *reading) subject() *field {
	if r.entity == nil && r.who {
		return r.people()
	}
	return r.entity
}

// direction is how what is ordered by the most, or the least, is sorted.
func (r *reading) direction() string {
	if r.way > 0 {
		return " DESC"
	}
	return ""
}

// groupBy is the expression of the groups; empty without.
func (r *reading) groupBy() string {
	switch {
	case r.bySpan != "" && r.bySpan != "%Y" && r.spanOf.ShownAs != "":
		return r.spanOf.ShownAs
	case r.bySpan == quarterly:
		return "strftime('%Y', " + r.spanOf.SQL + ") || '-Q' || ((strftime('%m', " + r.spanOf.SQL + ") + 2) / 3)"
	case r.bySpan == ofWeek:
		return sqltext.WeekdayOf(r.spanOf.SQL, r.german)
	case r.bySpan != "":
		return "strftime('" + r.bySpan + "', " + r.spanOf.SQL + ")"
	case r.by != nil:
		return r.by.SQL
	}
	return ""
}

// each is the expression of the groups, else of what is asked for; empty without.
func (r *reading) each() string {
	if by := r.groupBy(); by != "" || r.entity == nil {
		return by
	}
	return r.entity.SQL
}

// measure is the expression that is computed.
func (r *reading) measure() string {
	switch {
	case len(r.measures) == 2 && r.glue == " / ":
		return sqltext.Ratio(r.measures[0].SQL, r.measures[1].SQL)
	case len(r.measures) == 2 && r.glue == " * " && (r.measures[0].Percent() || r.measures[1].Percent()):
		return r.measures[0].SQL + r.glue + r.measures[1].SQL + " / 100.0"
	case len(r.measures) == 2 && r.glue == " - " && r.blanks() && r.additive() && !strings.HasPrefix(r.measures[0].SQL, "COALESCE"):
		return "COALESCE(" + r.measures[0].SQL + ", 0) - COALESCE(" + r.measures[1].SQL + ", 0)" // a row may have only one of them
	case len(r.measures) == 2 && r.glue != "":
		return r.measures[0].SQL + r.glue + r.measures[1].SQL
	}
	return r.measures[0].SQL
}

// ratios is the quotient of the sums of the two measures.
func (r *reading) ratios() string {
	return sqltext.Ratio("SUM("+r.measures[0].SQL+")", "SUM("+r.measures[1].SQL+")")
}

// additive reports whether the measure can be summed.
func (r *reading) additive() bool {
	return r.glue == " * " || r.glue == " + " && r.saysAny(lexicon.Earned) || len(r.measures) > 0 && !slices.ContainsFunc(r.measures,
		func(f *field) bool { return !f.Additive() })
}

func (r *reading) named(prefix string) string { return " AS " + r.dialect.Quote(prefix+"_"+r.naming()) }

// naming is the name of what is computed.
func (r *reading) naming() string {
	var names []string
	for _, f := range r.measures {
		names = append(names, f.Name)
	}
	return strings.Join(names, "_")
}

func (r *reading) numeric() bool {
	return len(r.measures) > 0 && !slices.ContainsFunc(r.measures, func(f *field) bool { return !f.Numeric() })
}

// writeMost writes the statement for the most or the least of something.
func (r *reading) writeMost() (string, bool) {
	way, function := r.direction(), "MAX("
	if r.way < 0 {
		function = "MIN("
	}
	top := max(1, r.top)
	if r.nth > 0 && top > 1 {
		return "", false
	}
	by := r.subject()
	if by == nil {
		by = r.by
	}
	if by != nil && slices.ContainsFunc(r.where, func(c condition) bool { return c.Of == by && strings.HasPrefix(c.SQL, by.SQL+" = ") }) {
		return "", false // which genre is most popular with children is not asked of the genre "Children"
	}
	if r.by != nil && r.entity == nil && !r.who && r.top == 0 && len(r.measures) > 0 {
		return r.writeEach(function)
	}
	group := ""
	if by != nil {
		group = by.SQL
	} else if r.bySpan != "" {
		group = r.groupBy()
	}
	open := func(f *field) bool { return f.Text() && f != by && !r.filtered(f) && !f.Code() }
	if len(r.measures) == 0 && slices.ContainsFunc(r.shown, open) {
		return "", false // something of which nothing is said
	}
	if len(r.measures) == 0 {
		if group == "" || !r.rowNoun && len(r.where) == 0 || r.quality != nil && r.quality.Of != "" && r.quality.Dates != "" {
			return "", false
		}
		once := by == &r.Fields[0] || by == r.title() && r.Fields[0].ID && !r.Joined && (by == r.people() || !r.dates())
		others := r.rowNoun && by != nil && !by.Has([]string{"name"}) && !slices.ContainsFunc(r.Own, func(w string) bool {
			return lexicon.Among(by.Words, w) || slices.ContainsFunc(by.Words, func(p string) bool { return lexicon.Alike(p, w) })
		}) // invoices of a customer
		if by != nil && once && r.Unique(by) && !(others && by != &r.Fields[0] && r.dates()) {
			return "", false // each is there once
		}
		switch {
		case by != nil && by.Kind() == database.Textual:
			r.where = append(r.where, by.Filled())
		case r.which && by != nil:
			r.where = append(r.where, condition{SQL: by.SQL + " IS NOT NULL", Of: by})
		case r.which:
			r.where = append(r.where, condition{SQL: r.spanOf.SQL + " IS NOT NULL", Of: r.spanOf})
		}
		return r.first(group, "COUNT(*)", "count", r.source()), true
	}
	m := r.measure()
	for _, f := range r.measures {
		if !f.Numeric() && !f.Moment() {
			return "", false
		}
	}
	from := r.measurable()
	switch {
	case group == "" && (r.implied || r.rowNoun && !r.whatIs() || r.top > 0 || len(r.shown) > 0 || r.when || r.listing && !r.whatIs()):
		if top == 1 && r.nth == 0 { // all that have the most
			best := append(slices.Clone(r.where), condition{SQL: m + " = (SELECT " + function + m + ")" + from + ")"})
			return r.dialect.First("*", " FROM "+r.From+r.clause(best), mostTied), true
		}
		return r.placed("*", from+" ORDER BY "+m+way, top), true
	case group == "" && r.nth > 0:
		return r.placed("DISTINCT "+m+" AS "+r.dialect.Quote("result"), from+" ORDER BY 1"+way, 1), true
	case group == "" && (!r.whatIs() && r.is(0, "what", "was") || r.is(0, "which", "who", "wer")):
		return "", false // of what is not said
	case group == "":
		return "SELECT " + function + m + ")" + " AS " + r.dialect.Quote("result") + from, true
	}
	what := function + m + ")"
	switch {
	case r.glue == " / ":
		what = r.ratios()
	case by != nil && r.glue == "" && r.Paying(r.measures[0]) && r.agg != average &&
		r.says("total", "insgesamt", "overall", "altogether"):
		what = "SUM(" + m + ")"
	case r.agg == average, by != nil && !r.Unique(by) && (r.measures[0].Has(lexicon.Judged) || r.measures[0].Mark) && r.glue == "":
		what = r.dialect.Average(m)
	case r.numeric() && (r.additive() || r.says("spend", "spends", "spent", "ausgegeben") && !r.Unique(by) && r.measures[0].Summable()) &&
		!r.single(by) && !r.constant(by) &&
		!(r.quality != nil && by != nil && (r.quality.Of == lexicon.Priced || r.quality.Of == lexicon.Lasting &&
			len(r.where) == 0)):
		what = "SUM(" + m + ")"
		if by != nil && r.highest && r.glue == "" && !r.says("total", "insgesamt", "overall", "altogether", "sum", "summe", "gesamt") {
			r.as = "the total of each " + by.Name
			r.instead = Reading{SQL: r.first(group, function+m+")", "result", from), As: "the single " + r.naming()}
		}
	}
	return r.first(group, what, "result", from), true
}

// constant reports whether the measure is one of what is asked for rather than of a row: the seats of a hall.
func (r *reading) constant(by *field) bool {
	return by != nil && (r.implied && r.measures[0].Has(strings.Fields("area fläche hectare acre")) ||
		by.Has(strings.Fields("venue hall room theatre stadium saal raum halle")) &&
			r.measures[0].Has(strings.Fields("seat capacity sitz platz plätze kapazität")))
}

// dates reports whether rows are of days.
func (r *reading) dates() bool {
	return slices.ContainsFunc(r.Fields, func(f field) bool { return f.Moment() })
}

// first writes the groups that have the most or the least of something, all of those that share it where one is asked
// for.
func (r *reading) first(group, what, name, from string) string {
	columns, grouped, way := sqltext.Labelled(group)+", "+what+" AS "+r.dialect.Quote(name), from+" GROUP BY "+group, r.direction()
	if r.top > 1 || r.nth > 0 {
		return r.placed(columns, grouped+" ORDER BY 2"+way+", 1", max(1, r.top))
	}
	best := r.dialect.First(what, grouped+" ORDER BY 1"+way, 1)
	return r.dialect.First(columns, grouped+" HAVING "+what+" = ("+best+") ORDER BY 1", mostTied)
}

const mostTied = 100 // rows that share the first place

// placed limits a statement to the first rows, or to the one at a place behind the first.
func (r *reading) placed(what, rest string, top int) string {
	sql := r.dialect.First(what, rest, top)
	if r.nth > 0 {
		sql += " OFFSET " + strconv.Itoa(r.nth-1)
	}
	return sql
}

// writeEach writes the statement for the most of each group; of the row that has it only the value
// can be told.
func (r *reading) writeEach(function string) (string, bool) {
	if r.rowNoun || r.agg == average {
		return "", false
	}
	return sqltext.Grouped(r.groupBy(), function+r.measure()+") AS "+r.dialect.Quote("result"), r.source()), true
}

// single reports whether the greatest single value is asked for: "the largest order of", of
// a word for a row.
func (r *reading) single(by *field) bool {
	return by != nil && r.rowNoun && r.says("single", "einzelne", "einzelnen")
}

// whatIs reports whether the question asks for a value: "what is the highest price".
func (r *reading) whatIs() bool {
	return r.word(0) == "what" && (r.word(1) == "is" || r.word(1) == "was" || r.word(1) == "are") || r.word(0) == "wie" &&
		r.word(1) == "hoch"
}

func (r *reading) writeAggregate() (string, bool) {
	if len(r.measures) == 0 {
		return "", false
	}
	if !r.numeric() {
		return "", false
	}
	var columns []string
	list := r.measures
	if r.glue != "" {
		list = r.measures[:1]
	}
	for _, f := range list {
		m, as := f.SQL, r.dialect.Quote
		if r.glue != "" {
			m = r.measure()
		}
		name := f.Name
		if r.glue != "" {
			name = r.naming()
		}
		switch {
		case r.glue == " / ":
			columns = append(columns, r.ratios()+" AS "+as(r.measures[0].Name+"_per_"+r.measures[1].Name))
		case r.agg == average, r.agg == none && !r.additive():
			columns = append(columns, r.dialect.Average(m)+" AS "+as("average_"+name))
		case r.additive() || r.glue != "" || r.agg == sum && !lexicon.Identifies(f.Words) && f.Summable():
			total := "SUM(" + m + ")"
			if r.apartBy {
				total = "ABS(" + total + ")"
			}
			columns = append(columns, total+" AS "+as("total_"+name))
		default:
			return "", false
		}
	}
	if r.combined() {
		var parts []string
		for _, f := range r.measures {
			parts = append(parts, "COALESCE("+f.SQL+", 0)")
		}
		columns = append(columns, "SUM("+strings.Join(parts, " + ")+") AS "+r.dialect.Quote("total_together"))
	}
	return sqltext.Grouped(r.each(), strings.Join(columns, ", "), r.source()), true
}

// combined reports whether what several fields hold is asked for together.
func (r *reading) combined() bool {
	return len(r.measures) > 1 && r.glue == "" && r.agg == sum &&
		(r.says("together", "combined", "altogether", "zusammen", "insgesamt", "gesamt") || r.at(0, "how much") > 0 && r.says("total")) &&
		!slices.ContainsFunc(r.measures, func(f *field) bool { return !f.Additive() && !r.Paying(f) })
}

// writeRows writes the statement for rows, or for what a row says.
func (r *reading) writeRows() (string, bool) {
	asked := slices.Clone(r.shown)
	if r.amount && len(r.measures) == 1 && r.entity == nil { // how much all of them are
		asked = slices.DeleteFunc(asked, (*field).Text)
	}
	for _, f := range r.measures {
		if !slices.Contains(asked, f) {
			asked = append(asked, f)
		}
	}
	if r.amount && len(r.measures) > 1 && r.glue == "" && !r.pins(r.title()) {
		return "", false // how much of which
	}
	if r.is(0, "what", "was") && !r.when && !r.whatIs() && len(asked) == 1 && asked[0].Event() && len(r.measures) == 0 && r.entity == nil &&
		len(r.where) > 0 {
		asked, r.listing = nil, true // what somebody borrowed, not when
	}
	bounded := func(f *field) bool { return !f.Numeric() && !r.otherDay(f) || f.Numeric() && !r.filtered(f) }
	if (r.listing || r.which) && r.entity == nil && len(asked) > 0 && !slices.ContainsFunc(asked, bounded) {
		asked = nil // everything that costs so much, not only how much
	}
	if r.order != nil && len(r.where) == 0 && (r.rowNoun || r.entity != nil || len(asked) == 1) {
		return r.dialect.First("*", r.source()+r.sortedBy(), 100), true
	}
	if len(r.where) == 0 || r.glue != "" && len(r.measures) == 2 {
		if r.glue != "" && len(r.measures) == 2 && r.entity == nil {
			r.agg = sum
			return r.writeAggregate()
		}
		if r.listing && len(r.where) == 0 && !r.says("noch", "still", "bei", "hier", "here") && (r.entity != nil && len(asked) == 0 ||
			r.entity == nil && len(asked) == 1 && asked[0].Text()) {
			f := r.entity
			if f == nil {
				f = asked[0]
			}
			return r.dialect.First("DISTINCT "+f.SQL, r.source()+" ORDER BY 1", 100), true
		}
		return "", false
	}
	r.entity = r.subject()
	if r.by != nil && !slices.Contains(asked, r.by) {
		asked = append(asked, r.by)
	}
	if r.when && len(asked) == 0 {
		for i := range r.Fields {
			if f := &r.Fields[i]; f.Moment() && !r.filtered(f) && (f.Raw != "" ||
				slices.ContainsFunc(f.Words, func(w string) bool { return lexicon.AnyDay[w] })) {
				asked = append(asked, f)
			}
		}
		if len(asked) == 0 {
			return "", false // of which day is not said
		}
	}
	label := r.title()
	if told := func(c condition) bool { return c.Of != nil && c.Of.Yes != "" }; r.decides() && !r.amount && len(asked) == 1 &&
		len(r.measures) == 1 && r.Paying(asked[0]) && slices.ContainsFunc(r.where, told) && len(r.where) > 1 {
		asked = nil // whether somebody has paid the fee
	}
	if r.decides() && r.tellsWhether(asked) {
		r.decided = true
		r.where = append(r.where, condition{SQL: asked[0].SQL + " = " + asked[0].Yes, Of: asked[0]})
		return r.dialect.First("*", r.source(), 100), true
	}
	r.totals(asked)
	if shift := &r.Fields[len(r.Fields)-1]; r.Rota && len(asked) == 0 && r.decides() && !r.filtered(shift) {
		asked = append(asked, shift) // whether somebody works then
	}
	switch {
	case len(asked) == 1 && len(r.measures) == 1 && (r.additive() || r.eachPays()) && r.entity == nil && (!r.pins(label) || r.amount) &&
		!r.listing &&
		!r.priceAsked():
		r.agg = sum
		return r.writeAggregate()
	case len(asked) > 0:
		if r.entity != nil && !slices.Contains(asked, r.entity) {
			asked = append([]*field{r.entity}, asked...)
		}
		var columns []string
		for _, f := range asked {
			column := f.AsWritten()
			if f.Made {
				column += " AS " + r.dialect.Quote(f.Name)
			}
			columns = append(columns, column)
		}
		return r.dialect.First("DISTINCT "+strings.Join(columns, ", "), r.source(), 100), true
	case r.entity != nil && (r.entity != label || !r.Unique(label) || r.Fields[0].Moment()) && (!r.rowNoun || r.whatIs()) &&
		&r.Fields[0] != r.entity:
		return r.dialect.First("DISTINCT "+r.entity.SQL, r.source()+" ORDER BY 1", 100), true
	case r.lacks && label != nil && label.Label() && r.entity == nil:
		return r.dialect.First(label.SQL, r.source()+" ORDER BY 1", 100), true
	case r.decides():
		r.decided = r.entity == nil && len(asked) == 0 && (len(r.where) > 1 || !r.pins(label))
		return r.dialect.First("*", r.source(), 100), true
	case r.entity != nil, r.rowNoun, r.listing, r.when, r.is(0, "what", "was") && !r.amount && !r.saysAny(lexicon.Paying) && r.tellsWhat():
		return r.dialect.First("*", r.source()+r.sortedBy(), 100), true
	}
	return "", false
}

// tellsWhat reports whether rows tell what is asked for: what somebody had, not what somebody grows.
func (r *reading) tellsWhat() bool {
	last := r.last()
	return !r.is(1, "do", "does", "did") || r.used[last] || lexicon.Among(r.Own, r.word(last)) ||
		r.is(last, "have", "get", "order", "buy", "borrow", "read", "take", "need",
			"do", "rent", "book")
}

// pins reports whether a filter names one row.
func (r *reading) pins(label *field) bool {
	return slices.ContainsFunc(r.where, func(c condition) bool {
		return c.Of != nil && !c.Day && (c.Of == label || c.Of == &r.Fields[0]) && r.Unique(c.Of)
	})
}

// countedPart reports whether what is counted is only a part of a value, and no amounts are told.
func (r *reading) countedPart() bool {
	if r.Of("qty quantity menge anzahl stück pieces", (*field).Additive) != nil {
		return false
	}
	for next := range r.counting {
		return r.near[next].f == nil && r.held(next, false) && !r.held(next, true)
	}
	return false
}

// meansFirst reports whether a value that two fields have is one of the first: that by which rows are called, as somebody
// is by the name rather than as whoever stands in, where the other is not spoken of.
func (r *reading) meansFirst(f, other *field) bool {
	spoken := func(m mention) bool { return m.f == other }
	return (f == &r.Fields[0] || f == r.title()) && f.Text() && f.Label() && r.Unique(f) && !slices.ContainsFunc(r.near, spoken)
}

// tellsPayment reports whether a field says when something was paid.
func (r *reading) tellsPayment() bool {
	return slices.ContainsFunc(r.Fields, func(f field) bool {
		return f.Moment() && slices.ContainsFunc(f.Words, func(p string) bool { return lexicon.Alike(p, "paid") })
	})
}

// apiece returns the field with the price of one, where the question asks what one costs; nil for another question.
func (r *reading) apiece() *field {
	one := r.says("a", "an", "one", "each", "apiece", "single", "ein", "eine", "einen", "einzelne", "einzelner", "pro", "je", "per")
	if !one || r.groupBy() != "" || !r.says("cost", "costs", "kostet", "price", "preis") && r.at(0, "how much is") == 0 ||
		r.says("total", "insgesamt") {
		return nil
	}
	return r.Of("einzelpreis stückpreis unit each", func(f *field) bool { return f.Numeric() && r.Paying(f) })
}

// untotal takes back what is measured where a word for a sum alone names it, and something else is measured: of "how many meals
// in total" the column "Total". Of a number and a part of it, "of which vegetarian", the part is measured.
func (r *reading) untotal() {
	if len(r.measures) < 2 || r.glue != "" {
		return
	}
	if hourly := func(f *field) bool { return slices.Contains(f.Per, "hour") }; r.says("hourly") && slices.ContainsFunc(r.measures, hourly) {
		all := len(r.measures)
		r.measures = slices.DeleteFunc(r.measures, func(f *field) bool { return !hourly(f) && f.Has([]string{"hour"}) })
		r.unclear = r.unclear || r.Joined && len(r.measures) < all // one table has the rate
	}
	r.measures = slices.DeleteFunc(r.measures, func(f *field) bool {
		named := false
		for i, m := range r.near {
			if m.f == f && aggregated[r.word(i)] == none {
				return false
			}
			named = named || m.f == f
		}
		return named
	})
	for _, f := range r.measures {
		if strings.HasPrefix(f.Name, "of_which_") || strings.HasPrefix(f.Name, "davon_") {
			r.measures = []*field{f}
			return
		}
	}
}
