package amount

import (
	"slices"
	"strconv"
	"strings"

	"lectern/shared/chat/model/extractive/lazy"
)

// Ranges of numbers: from one to another, up to one, from one on.
var (
	closedRange = lazy.New(`(?i)(?:^|[^\d.,/-])(\d{1,6})\s?(?:to|bis|–|—|-)\s?(\d{1,6})(?:[^\d.,/-]|[.,-]?(?:\D|$))`)
	upTo        = lazy.New(`(?i)(?:\bup to|\bbis(?: zu)?|\bunder|\bunter|\bbelow|\bless than|\bweniger als|\bat most|\bhöchstens|[<≤])\s?(\d{1,6})\b`)
	fromOn      = lazy.New(`(?i)\b(\d{1,6})\s?(?:or|and|oder|und) (?:more|over|above|mehr)\b|(?:\bover|\babove|\bfrom|\bab|\büber|\bmore than|\bmehr als|\bat least|\bmindestens|[>≥])\s?(\d{1,6})\b`)
)

// Of these words one at least is in each kind of range.
var (
	between = []string{"to", "bis", "–", "—", "-"}
	most    = []string{"up to", "bis", "under", "unter", "below", "less than", "weniger als", "at most", "höchstens", "<", "≤"}
	fewest  = []string{"more", "over", "above", "mehr", "from", "ab", "über", "at least", "mindestens", ">", "≥"}
)

// thousands matches a mark between the thousands of a number, beforeAmount the sign of a currency before one.
var (
	thousands    = lazy.New(`(\d),(\d{3})\b`)
	beforeAmount = lazy.New(`[£€$]\s?(\d)`)
)

const (
	inRange  = .9 // of a question's number within a range
	outRange = .3 // what of this it loses at most, the farther an open range reaches
)

// Ranges are those of numbers that a text tells of.
type Ranges struct {
	closed       [][2]int
	upTo, fromOn []int
}

// Ranged returns the ranges of a text.
func Ranged(text string) *Ranges {
	r := &Ranges{}
	if !strings.ContainsAny(text, "0123456789") {
		return r
	}
	if strings.ContainsAny(text, ",£€$") {
		text = thousands.Get().ReplaceAllString(beforeAmount.Get().ReplaceAllString(text, "$1"), "$1$2")
	}
	number := func(s string) int { v, _ := strconv.Atoi(s); return v }
	low := strings.ToLower(text) // the patterns take long
	says := func(words []string) bool {
		return slices.ContainsFunc(words, func(w string) bool { return strings.Contains(low, w) })
	}
	if says(between) {
		for _, m := range closedRange.Get().FindAllStringSubmatch(text, -1) {
			r.closed = append(r.closed, [2]int{number(m[1]), number(m[2])})
		}
	}
	if says(most) {
		for _, m := range upTo.Get().FindAllStringSubmatch(text, -1) {
			r.upTo = append(r.upTo, number(m[1]))
		}
	}
	if says(fewest) {
		for _, m := range fromOn.Get().FindAllStringSubmatch(text, -1) {
			r.fromOn = append(r.fromOn, number(m[1]+m[2]))
		}
	}
	return r
}

// Has returns how much of a question's word counts that is a number within one of the ranges, 0..1.
func (r *Ranges) Has(word string) float64 {
	n, err := strconv.Atoi(strings.ReplaceAll(word, ",", ""))
	if err != nil || n <= 0 {
		return 0
	}
	for _, closed := range r.closed {
		if closed[0] <= n && n <= closed[1] {
			return inRange
		}
	}
	share := 0.0
	for _, to := range r.upTo {
		if n <= to {
			share = max(share, inRange-outRange*float64(to-n)/float64(to))
		}
	}
	for _, from := range r.fromOn {
		if n >= from {
			share = max(share, inRange-outRange*float64(n-from)/float64(n))
		}
	}
	return share
}

// Digits matches a number that may be one of a telephone.
var Digits = lazy.New(`\d(?:[ /-]?\d){2}|(?i)\b(?:ext\w*|durchwahl|apparat)\W{0,3}\d`)
