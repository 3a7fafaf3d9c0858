package plainsql

import (
	"slices"
	"strconv"
	"strings"
)

// years reads "more print copies in 2025 than in 2024", and "print copies in 2025 lower than in 2024", of columns
// that hold the same of two years.
func (r *reading) years() {
	for i := range r.tokens {
		sign := ""
		switch {
		case r.is(i, "more", "higher", "mehr", "höher", "höhere"):
			sign = " > "
		case r.is(i, "less", "fewer", "lower", "weniger", "niedriger"):
			sign = " < "
		default:
			continue
		}
		than := slices.IndexFunc(r.tokens[i:], func(t token) bool { return t.is("than") || t.is("als") }) + i
		if than <= i {
			continue
		}
		from, first, second := i+1, r.yearIn(i, than), r.yearIn(than, min(len(r.tokens), than+4))
		if first < 0 {
			if first = r.yearIn(max(0, i-3), i); first > 0 {
				from = max(0, first-3)
			}
		}
		if first < 0 || second < 0 {
			continue
		}
		of := func(year int) *field {
			return r.only(func(f *field) bool {
				if !f.numeric() || !slices.Contains(f.words, strconv.Itoa(r.number(year))) {
					return false
				}
				for k := from; k < first; k++ { // what stands between names it
					w := r.word(k)
					named := func(p string) bool { return same(p, w) || strings.HasPrefix(w, p) }
					if w != "" && !neutral[w] && !slices.ContainsFunc(f.words, named) &&
						!slices.ContainsFunc(r.nouns, func(n string) bool { return same(n, w) }) {
						return false
					}
				}
				return true
			})
		}
		a, b := of(first), of(second)
		if a == nil || b == nil || a == b {
			continue
		}
		r.where = append(r.where, condition{sql: a.sql + sign + b.sql, of: a})
		r.gap = []*field{a, b}
		r.take(min(i, from), second+1-min(i, from))
		r.score += byAll
		return
	}
}

// yearIn returns where a year stands between two places; -1 without.
func (r *reading) yearIn(from, to int) int {
	for k := from; k < to; k++ {
		if isYear(r.tokens[k]) {
			return k
		}
	}
	return -1
}
