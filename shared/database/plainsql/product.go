package plainsql

import (
	"slices"
	"strings"
)

// product finds "quantity times price", "price minus cost", and what is usually such a product.
func (r *reading) product() bool {
	for i, t := range r.tokens {
		if r.at(0, "how much more") > 0 && i == 0 && slices.ContainsFunc(r.tokens, func(t token) bool { return t.is("than") }) && r.differs(3) {
			r.take(0, 3)
			for k, t := range r.tokens {
				r.used[k] = r.used[k] || t.is("than")
			}
			return true
		}
		glue, differs := "", r.is(i, "difference", "differenz", "unterschied", "gap") && r.is(i+1, "between", "zwischen")
		if differs {
			if !r.differs(i + 2) {
				return false
			}
			r.take(i, 2)
			return true
		}
		switch {
		case t.is("times") || t.is("mal") || t.is("multiplied") || t.text == "*" || t.text == "×":
			glue = " * "
		case t.is("plus") || t.text == "+":
			glue = " + "
		case t.is("minus") || t.is("less") && r.word(i+1) != "than":
			glue = " - "
		}
		if glue == "" || i == 0 {
			continue
		}
		next := i + 1
		for neutral[r.word(next)] && r.near[next].f == nil {
			next++
		}
		if next >= len(r.tokens) {
			continue
		}
		right := r.near[next]
		var left mention
		for from := max(0, i-3); from < i; from++ {
			if m := r.near[from]; m.f != nil && from+m.words == i && m.worth > left.worth {
				left = m
			}
		}
		if left.f == nil || right.f == nil || !left.f.numeric() || !right.f.numeric() || left.f == right.f || left.f.share() || right.f.share() {
			return glue == " - " || glue == " + "
		}
		r.measures, r.glue = []*field{left.f, right.f}, glue
		r.take(i-left.words, next+right.words-(i-left.words))
		for k, o := range r.tokens { // what the product is called says nothing more
			if r.used[k] || o.kind != wordToken || k > i {
				continue
			}
			money := alike(o.low, "amount") || alike(o.low, "revenue") || alike(o.low, "price") || o.is("worth")
			named := r.tokens[max(0, i-left.words-1)].text == "(" && o.text == o.low && r.near[k].f == nil && r.spanWord(o.low) == ""
			if m := r.near[k]; m.f == left.f || m.f == right.f || money || named && !grouping[o.low] && k < i && !negating[o.low] {
				r.used[k] = true
			}
		}
		return true
	}
	for i, t := range r.tokens {
		w := stem(t.low)
		if t.kind != wordToken || r.near[i].f != nil && r.near[i].worth >= byPart || !earned[w] && !r.is(i, "worth", "warenwert", "lagerwert") {
			continue
		}
		if r.of("amount total sum revenue sales turnover betrag umsatz summe gesamt", (*field).numeric) != nil {
			continue // told by a column of its own
		}
		amounts := "quantity qty menge anzahl pieces units stück count bottles flaschen crates boxes cases litres hours stunden nights nächte"
		if !earned[w] {
			amounts += " stock bestand" // what is there was not sold
		}
		quantity := r.of(amounts, (*field).numeric)
		if quantity == nil {
			quantity = r.only(func(f *field) bool { return f.numeric() && f.additive() })
		}
		price := r.of("price preis rate cost satz einzelpreis fee", (*field).numeric)
		if quantity == nil || price == nil || quantity == price {
			continue
		}
		r.measures, r.glue = []*field{quantity, price}, " * "
		r.used[i] = true
	}
	return true
}

// differs finds the two fields whose difference is asked for, from i on.
func (r *reading) differs(i int) bool {
	var found []*field
	for k := i; k < len(r.tokens) && len(found) < 2; k++ {
		m := r.near[k]
		if m.f == nil || !m.f.numeric() || m.worth < byPart || r.used[k] {
			continue
		}
		if !slices.Contains(found, m.f) {
			found = append(found, m.f)
		}
		r.take(k, m.words)
	}
	if len(found) != 2 {
		return false
	}
	r.measures, r.glue, r.agg, r.apartBy = found, " - ", sum, true
	return true
}

// share reports whether a field may hold percents, by which nothing is multiplied as it is.
func (f *field) share() bool {
	return f.has(strings.Fields("percent pct coverage discount vat tax commission margin share rabatt mwst anteil provision quote steuersatz zuschlag"))
}

// earned are words for what is earned.
var earned = set("revenue turnover umsatz sale erlös taking revenues einnahme")

// only returns the one field that fits; nil if none or several do.
func (r *relation) only(is func(*field) bool) *field {
	var found *field
	for i := range r.fields {
		if f := &r.fields[i]; is(f) {
			if found != nil {
				return nil
			}
			found = f
		}
	}
	return found
}
