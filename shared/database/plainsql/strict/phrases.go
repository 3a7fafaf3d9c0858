package strict

import (
	"strings"

	"lectern/shared/database"
	"lectern/shared/database/plainsql/wording"
)

func (p *parse) tableAt(i int) int { return wording.NameAt(p.tokens, i, p.table.Name) }

// columnAt returns the column with the longest name at i.
func (p *parse) columnAt(i int) (*database.Column, int) {
	var best *database.Column
	length := 0
	for k := range p.table.Columns {
		c := &p.table.Columns[k]
		if n := wording.NameAt(p.tokens, i, c.Name); n > length {
			best, length = c, n
		}
	}
	return best, length
}

// comparison parses a comparison of a column with a value at i, and returns the
// condition and the position after it.
func (p *parse) comparison(i int, c *database.Column) (cond string, next int, ok bool) {
	sub := &parse{tokens: p.tokens, pos: i}
	for sub.phrase("is", "are", "was", "were", "of", "in", "the", "value") { // they only link
	}
	if sub.pos < len(sub.tokens) && sub.tokens[sub.pos].Is("between") {
		return p.between(sub.pos+1, c)
	}
	for _, o := range wording.Operators {
		words := strings.Fields(o.Phrase)
		if sub.pos+len(words) >= len(sub.tokens) {
			continue
		}
		same := true
		for k, w := range words {
			same = same && sub.tokens[sub.pos+k].Low == w && sub.tokens[sub.pos+k].Kind != wording.Quoted
		}
		if same {
			cond, next, ok = p.condition(sub.pos+len(words), c, o.Sign)
			return cond, next, ok
		}
	}
	return p.condition(sub.pos, c, "=")
}

func (p *parse) between(i int, c *database.Column) (string, int, bool) {
	low, next, ok := p.condition(i, c, ">=")
	if !ok || next >= len(p.tokens) || !p.tokens[next].Is("and") || c.Kind() == database.Textual {
		return "", 0, false
	}
	high, next, ok := p.condition(next+1, c, "<=")
	return low + " AND " + high, next, ok
}

// condition compares a column with the value at i, whose type must match.
func (p *parse) condition(i int, c *database.Column, sign string) (string, int, bool) {
	if i >= len(p.tokens) {
		return "", 0, false
	}
	name := p.dialect.Quote(c.Name)
	t := p.tokens[i]
	switch c.Kind() {
	case database.Numeric:
		if t.Kind == wording.Number {
			return name + " " + sign + " " + t.Text, i + 1, true
		}
	case database.Moment:
		if t.Kind == wording.Date {
			cond, ok := p.day(name, sign, t.Text)
			return cond, i + 1, ok
		}
	case database.Truth:
		if sign == "=" && t.Is("true", "yes") {
			return name + " = " + p.dialect.Bool(true), i + 1, true
		}
	default:
		if sign != "=" {
			return "", 0, false
		}
		if v, n := wording.ValueAt(p.tokens, i, c); n > 0 {
			return name + " = " + p.dialect.QuoteText(v), i + n, true
		}
		if t.Kind == wording.Quoted {
			return name + " = " + p.dialect.QuoteText(t.Text), i + 1, true
		}
	}
	return "", 0, false
}
