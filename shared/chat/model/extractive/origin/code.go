package origin

import (
	"slices"
	"strconv"
	"strings"

	"lectern/shared/chat/model/extractive/lazy"
	"lectern/shared/text/terms"
)

// Code is what one thing of several is called by: T5, TM-4203.
type Code struct {
	letters string
	number  int
	word    string // the last word of it
}

var (
	code  = lazy.New(`\b(\p{Lu}{1,5})-?(\d{1,6})\b`)
	spans = lazy.New(`\b(\p{Lu}{1,5})-?(\d{1,6})\s?(?:to|–|—|-|bis|through)\s?(?:\p{Lu}{1,5}-?)?(\d{1,6})\b`)
)

// Codes returns the codes that a text has. Quarters of a year are none.
func Codes(text string) (out []Code) {
	for _, m := range code.Get().FindAllStringSubmatch(text, -1) {
		n, err := strconv.Atoi(m[2])
		if err != nil || m[1] == "Q" && n <= 4 {
			continue
		}
		words := terms.Words(m[0])
		out = append(out, Code{m[1], n, words[len(words)-1].Text})
	}
	return out
}

// Instead returns words of the codes that are asked for in whose place a text has others of the kind: of TM-4203 where the text is of
// TM-4188. A text has those that lie between two others, too: T2, of "T1 to T4".
func Instead(asked []Code, text string) (words []string) {
	if len(asked) == 0 || !strings.ContainsAny(text, "0123456789") {
		return nil
	}
	list := Codes(text)
	for _, a := range asked {
		other, same := false, false
		for _, c := range list {
			if c.letters == a.letters {
				other, same = other || c.number != a.number, same || c.number == a.number
			}
		}
		for _, m := range spans.Get().FindAllStringSubmatch(text, -1) {
			from, _ := strconv.Atoi(m[2]) // digits
			to, _ := strconv.Atoi(m[3])
			same = same || m[1] == a.letters && from <= a.number && a.number <= to
		}
		if other && !same && !slices.Contains(words, a.word) {
			words = append(words, a.word)
		}
	}
	return words
}
