package origin

import (
	"strings"

	"lectern/shared/chat/model/extractive/lazy"
)

// quarters matches the quarters of a year, each in its group; throughout what joins the first and the last one of several.
var (
	quarters = lazy.New(`(?i)\b(?:(q1|1\. quartal|(?:first|1st) quarter|erste[nsm]? quartal)|(q2|2\. quartal|(?:second|2nd) quarter|zweite[nsm]? quartal)|` +
		`(q3|3\. quartal|(?:third|3rd) quarter|dritte[nsm]? quartal)|(q4|4\. quartal|(?:fourth|4th) quarter|vierte[nsm]? quartal))\b`)
	throughout = lazy.New(`(?i)\bq[1-4] ?(?:–|—|-|to|bis|through) ?q?[1-4]\b`)
)

// Quarters are the quarters of a year that a text names, as bits.
type Quarters uint8

// QuartersOf returns those of a text: all of them where it tells of several together.
func QuartersOf(text string) (of Quarters) {
	if !strings.ContainsAny(text, "qQ") {
		return 0
	}
	if throughout.In(text) {
		return 1<<4 - 1
	}
	for _, m := range quarters.Get().FindAllStringSubmatch(text, -1) {
		for i, group := range m[1:] {
			if group != "" {
				of |= 1 << i
			}
		}
	}
	return of
}

// Else reports whether a text is about other quarters than these, of which there is one at least.
func (q Quarters) Else(text string) bool {
	if q == 0 {
		return false
	}
	of := QuartersOf(text)
	return of != 0 && of&q == 0
}
