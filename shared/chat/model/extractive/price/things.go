package price

import (
	"iter"
	"slices"
	"strings"

	"lectern/shared/chat/model/extractive/lazy"
	"lectern/shared/text/terms"
)

// asked match what a price is asked of.
var asked = []*lazy.Pattern{
	lazy.New(`(?i)\b(?:price|cost|fee|charge|rate|fare|toll|tariff|postage|admission|budget)s?\s+(?:of|for|on)\s+` + thing),
	lazy.New(`(?i)\b(?:what|how much)\s+(?:do|does|did|will|would)\s+(?:(?:an?|the|one|our|my|your)\s+)?(.{2,60}?)\s+costs?\b`),
	lazy.New(`(?i)\b(?:what|how much)\s+(?:do|does|did|will|would|must|should)\s+[^?]*\b(?:charge|pay)s?\s+for\s+` + thing),
	lazy.New(`(?i)\b(?:what|how much)\s+(?:do|does|did|will|would)\s+(?:it|that)\s+costs?\s+to\s+\w+\s+` + thing),
	lazy.New(`(?i)^\W*how much\s+(?:is|are|was|were|for|to \pL+)\s+` + thing),
	lazy.New(`(?i)\b(?:was|wie ?viel)\s+kostet?e?n?\s+` + thing),
	lazy.New(`(?i)\bwie\s+teuer\s+(?:ist|sind|war|waren)\s+` + thing),
}

// thing matches a thing, end where what says of it when, where and for whom it is begins.
const thing = `(?:(?:an?|the|one|our|my|your|der|die|das|den|ein|eine|einen|mich|uns)\s+)?(.{2,60}?)(?:\s+costs?\b|[?,.]|$)`

var end = lazy.New(`(?i)\s(?:on|at|in|to|from|with|per|if|when|for|of|by|each|costs?|auf|im|am|bei|beim|für|pro|je|mit|wenn|von|vom|zum|zur)\b`)

// purpose matches what comes before what a price is for.
var purpose = lazy.New(`(?i)^\s*(?:for|to|of|into|zum|zur|für)$`)

// Paid are words for what is paid, which a price need not repeat.
var Paid = func() map[string]bool {
	set := map[string]bool{}
	for _, w := range strings.Fields(`price prices cost costs fee fees charge charges rate rates amount money ticket
		tickets admission entry entrance preis preise kosten gebühr eintritt`) {
		set[w] = true
	}
	return set
}()

// thingWords is how many words of what a price is for tell it.
const thingWords = 3

// Things yields what a question asks the price of; then the whole of it, as "group" is of "a group ticket", and then what that is
// for, as the feast is of "the entry to the feast".
func Things(question string) iter.Seq2[string, bool] {
	return func(yield func(string, bool) bool) {
		for _, f := range asked {
			if m := f.Get().FindStringSubmatch(question); m != nil && !things(question, m[1], yield) {
				return
			}
		}
	}
}

func things(question, thing string, yield func(string, bool) bool) bool {
	rest := question[strings.Index(question, thing)+len(thing):]
	all := thing + rest
	if at := end.Get().FindStringIndex(thing); at != nil {
		thing = thing[:at[0]]
	}
	rest = ""
	if at := end.Get().FindStringIndex(all); at != nil && purpose.In(all[at[0]:at[1]]) {
		rest = all[at[1]:]
	}
	if !yield(thing, false) {
		return false
	}
	if !slices.ContainsFunc(terms.Words(thing), func(w terms.Word) bool { return Paid[w.Text] }) {
		return true
	}
	words := strings.Fields(rest)
	return yield(thing, true) && yield(strings.Join(words[:min(len(words), thingWords)], " "), false)
}
