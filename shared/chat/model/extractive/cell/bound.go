package cell

import (
	"slices"
	"strings"
)

// Bound is a limit of the values of a column: of numbers, or of the years of days.
type Bound struct {
	Read  func(value string) (n float64, ok bool) // a value of the column
	limit float64
	how   string
}

// Words for limits in time, and for those that values are below.
var (
	inTime = strings.Fields("after since before nach seit vor")
	lesser = strings.Fields("below under less fewer lower smaller shorter younger before unter weniger vor")
)

// BoundOf returns the limit that words and a number tell: "at least" 50, "since" 2019; ok is false of none.
func BoundOf(how, number string) (b Bound, ok bool) {
	word, _, _ := strings.Cut(how, " ")
	limit, ok := Number(number)
	time := slices.Contains(inTime, word)
	if _, year := Date(number); !ok || time && !year || strings.Count(number, ".") > 1 {
		return b, false
	}
	b = Bound{Number, limit, how}
	if time {
		b.Read = func(v string) (float64, bool) {
			day, ok := Date(v)
			return float64(int(day) / 10000), ok // the year
		}
	}
	return b, true
}

// Meets reports whether a value is within the limit.
func (b Bound) Meets(value string) bool {
	n, ok := b.Read(value)
	word, _, _ := strings.Cut(b.how, " ")
	switch {
	case !ok:
		return false
	case b.how == "at least" || word == "since" || word == "mindestens" || word == "seit":
		return n >= b.limit
	case b.how == "at most" || b.how == "up to" || word == "höchstens":
		return n <= b.limit
	case slices.Contains(lesser, word):
		return n < b.limit
	}
	return n > b.limit
}
