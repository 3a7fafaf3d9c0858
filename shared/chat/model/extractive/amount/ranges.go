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

// FromWhen reports whether a question asks until when something is, and a text tells that at most from when.
func FromWhen(question, text string) bool { return untilAsked.In(question) && !untilTold.In(text) }

var (
	untilAsked = lazy.New(`(?i)\b(?:until|till) (?:when|what time|which)\b|\bbis (?:wann|wie ?viel uhr|um wie ?viel)\b`)
	untilTold  = lazy.New(`(?i)\b(?:until|till|to|by|bis|before|after|ends?|clos\w*|shuts?|latest|last|schlie\pL*|endet|ende|spätestens|nach|vor|letzte\pL*)\b|` +
		`\d\s?[-–—]\s?\d`)
)

// Within reports whether a question asks for what lies beyond a limit, and a text tells of what lies within it alone: of "beyond 25
// miles" what costs something "up to 25 miles".
func Within(question, text string) bool {
	m := beyondAsked.Get().FindStringSubmatch(question)
	if m == nil {
		return false
	}
	has := func(form *lazy.Pattern) bool {
		return slices.ContainsFunc(form.Get().FindAllStringSubmatch(text, -1), func(told []string) bool { return told[1] == m[1] })
	}
	return has(withinTold) && !has(beyondTold)
}

var (
	beyondAsked = lazy.New(`(?i)\b(?:beyond|further than|farther than|outside|jenseits von|weiter als|außerhalb von) (\d+)\b`)
	withinTold  = lazy.New(`(?i)\b(?:within|up to|under|below|less than|at most|no more than|innerhalb von|bis|bis zu|unter|höchstens) (\d+)\b`)
	beyondTold  = lazy.New(`(?i)(?:\bbeyond|\bover|\babove|\bmore than|\bfrom|\boutside|\bfurther than|über|\bmehr als|\bab) (\d+)\b`)
)

// Apart reports whether a question asks how much of a substance there is, and a text that speaks of it has no amount beside it: "200 g of
// flour, oil and salt" does not tell how much salt.
func Apart(question, text string) bool {
	m := substance.Get().FindStringSubmatch(question)
	if m == nil || slices.Contains(noSubstance, strings.ToLower(m[1])) {
		return false
	}
	speaks := false
	for _, part := range strings.FieldsFunc(text, func(c rune) bool { return strings.ContainsRune(",;.", c) }) {
		for w := range strings.FieldsSeq(part) {
			if strings.EqualFold(strings.Trim(w, ":()!?*"), m[1]) {
				speaks = true
				if strings.ContainsAny(part, "0123456789½¼¾") || portion.In(part) {
					return false
				}
			}
		}
	}
	return speaks
}

var (
	substance   = lazy.New(`(?i)\bhow much (\pL{3,}) (?:goes|go|is|are|does|do|did|should|must|will|would|can|in|per|for|to|have|has)\b`)
	noSubstance = strings.Fields("money time does did are was were has have will should must can would they you more less this that notice")
	portion     = lazy.New(`(?i)\b(?:an?|one|two|three|four|five|six|seven|eight|nine|ten|half|quarter|pinch|little|no|some|all|equal|same|twice|double|much|more|less|enough|` +
		`most|none)\b`)
)
