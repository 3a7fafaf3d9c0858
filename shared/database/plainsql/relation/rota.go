package relation

import (
	"slices"
	"strings"

	"lectern/shared/database"
	"lectern/shared/database/plainsql/lexicon"
	"lectern/shared/database/plainsql/wording"
)

// leastDays is how many columns with a day of the week each a rota has at least.
const leastDays = 3

// byDay returns a table with a text for each day of the week, as a rota has, as one with a row for each of them, by which its cells
// are asked for like any others; false for another table.
func (r *Relation) byDay(d database.Dialect) (out Relation, ok bool) {
	var days, others []Field
	var labels, values, names []string
	for i := range r.Fields {
		if slices.Contains([]string{"day", "shift"}, strings.ToLower(r.Fields[i].Name)) {
			return out, false // they would be called alike
		}
		if word, ok := dayName(&r.Fields[i]); ok {
			names = append(names, word)
		}
	}
	german := slices.ContainsFunc(names, lexicon.GermanDay)
	for i := range r.Fields {
		f := &r.Fields[i]
		word, ok := dayName(f)
		day := -1
		if ok {
			day = lexicon.DayIn(word, german)
		}
		switch {
		case f.Made:
			continue
		case day < 0:
			others = append(others, *f)
			continue
		case f.Kind() != database.Textual:
			return out, false
		}
		name := lexicon.Capital(lexicon.Weekday(day, german))
		if slices.Contains(labels, name) {
			return out, false // of several weeks
		}
		days, labels = append(days, *f), append(labels, name)
		for _, v := range f.Values {
			if !slices.Contains(values, v) {
				values = append(values, v)
			}
		}
	}
	if len(days) < leastDays || len(others) == 0 {
		return out, false
	}
	var parts []string
	for i := range days {
		part := "SELECT "
		for k := range others {
			part += others[k].SQL + ", "
		}
		parts = append(parts, part+d.QuoteText(labels[i])+" AS "+d.Quote("day")+", "+days[i].SQL+" AS "+d.Quote("shift")+" FROM "+r.From+
			" WHERE "+days[i].SQL+" <> ''")
	}
	for i := range others { // they stand in each of the rows
		others[i].Fixed = others[i].Numeric()
	}
	out = Relation{Name: r.Name, From: d.Quote(r.Name + "_by_day"), Own: r.Own, Fields: others, Foreign: r.Foreign, Strange: r.Strange,
		Rota: true}
	out.Nouns = lexicon.Parts(others[0].Name)
	out.With = "WITH " + out.From + " AS (" + strings.Join(parts, " UNION ALL ") + ") "
	field := func(name string, values []string, alias string) Field {
		return Field{Column: &database.Column{Name: name, Type: "TEXT", Values: values}, SQL: d.Quote(name), Words: []string{name},
			Means: [][]int{lexicon.ConceptsOf(name)}, Alias: strings.Fields(alias), Vocab: &Vocabulary{}}
	}
	out.Fields = append(out.Fields, field("day", labels, "weekday days tag wochentag"), field("shift", values, "shifts schicht dienst duty"))
	return out, true
}

// dayName returns the first word of a column's name where a day of a month, at most, follows: "wed_4_3", "Wednesday 4 March".
func dayName(f *Field) (word string, ok bool) {
	words := lexicon.Parts(f.Name)
	if len(words) == 0 || slices.ContainsFunc(words[1:], func(w string) bool { return !IsDigits(w) && lexicon.MonthOf(w) == 0 }) {
		return "", false
	}
	return words[0], true
}

// OfRota returns what a question is asked of: the days of a rota where it speaks of one or of what stands in its cells, else the tables;
// and the question as it is asked of them.
func OfRota(list []Relation, question []wording.Token) ([]Relation, []wording.Token) {
	when := len(question) > 1 && (question[0].Is("when", "wann") || question[1].Is("day", "days", "tag", "tagen", "tage"))
	asked := func(r Relation) bool { return r.Rota && (when || r.spoken(question)) }
	at := slices.IndexFunc(list, asked)
	if at < 0 || slices.ContainsFunc(list[at+1:], asked) { // of two rotas it is open which is meant
		return slices.DeleteFunc(list, func(r Relation) bool { return r.Rota }), question
	}
	switch {
	case question[0].Is("when", "wann"):
		question = append(wording.Split("which day"), question[1:]...)
	case question[0].Is("who", "whose", "wer") && list[at].People() == nil:
		question = append(wording.Split("which shift"), question[1:]...) // those who do something stand in the cells
	}
	name := list[at].Name
	return slices.DeleteFunc(list, func(r Relation) bool { return r.Rota != (r.Name == name) }), question
}

// Shared reports whether cells of a rota have several of those whom others have alone: "Ann, Bob".
func (r *Relation) Shared() bool {
	return slices.ContainsFunc(r.Fields[len(r.Fields)-1].Values, func(v string) bool {
		return strings.ContainsAny(v, ",;/&+") || strings.Contains(strings.ToLower(v), " and ") || strings.Contains(strings.ToLower(v), " und ")
	})
}

// spoken reports whether a question has a word that the days or the cells of a rota have.
func (r *Relation) spoken(question []wording.Token) bool {
	for _, f := range r.Fields[len(r.Fields)-2:] {
		words := f.Vocabulary().Words
		if slices.ContainsFunc(question, func(t wording.Token) bool { return words[t.Low] || words[lexicon.Stem(t.Low)] }) {
			return true
		}
	}
	return false
}

// Summed returns a field as an amount, though its name may be that of a rate: what the salaries of a department cost.
func (f *Field) Summed() *Field {
	sum := *f
	sum.summed = true
	return &sum
}
