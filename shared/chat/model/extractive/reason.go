package extractive

import (
	"slices"
)

// whyForm matches what asks for a reason, reasonForm what gives one.
var (
	whyForm    = form(`(?i)\b(?:why|for what reason|what(?:'s| is| was) the (?:reason|cause)|how come|warum|weshalb|wieso|pourquoi|por qué)\b`)
	reasonForm = form(`(?i)\b(?:because|since|due to|as a result|therefore|thus|reasons?|caused?|so that|in order to|thanks to|owing to|otherwise|this (?:is|means|lets|allows|makes)|` +
		`means that|leads? to|otherwise|comes from|weil|da|denn|wegen|damit|deshalb|daher|parce que|car|afin|porque)\b`)
)

// reason returns the sentence near an answer to "why" that gives the reason, where that does
// not: the next one that does, else the one that follows.
func reason(list, chosen []*candidate, q question) []*candidate {
	last := chosen[len(chosen)-1]
	if !matchesForm(whyForm, q.text) || last.row || last.code ||
		slices.ContainsFunc(chosen, func(c *candidate) bool { return matchesForm(reasonForm, c.text) }) {
		return nil
	}
	var next []*candidate
	for i := last.at + 1; i <= last.at+nearbyMost && i < len(list); i++ {
		c := list[i]
		if c.passage != last.passage || c.section != last.section || c.heading || c.row || c.code || len(last.text)+len(c.text) > blockBytes {
			break
		}
		if matchesForm(reasonForm, c.text) {
			return []*candidate{c}
		}
		if next == nil {
			next = []*candidate{c}
		}
	}
	return next
}

// demonstrated matches what ends with something that the sentence before names, such as
// "these devices".
var demonstrated = form(`(?i)\b(?:this|these|such) (?:\pL+ )?\pL+\W*$`)

// antecedent returns the sentence before an answer that stands for what is asked with a
// pronoun alone: "The suite uses this network type." Nil where it says all by itself.
func antecedent(list, chosen []*candidate, q question) *candidate {
	c := chosen[0]
	if len(chosen) > 1 || c.row || c.record || c.item > 0 || c.code || c.at == 0 || q.how || q.list || c.fits ||
		!matchesForm(demonstrated, c.text) {
		return nil
	}
	b := list[c.at-1]
	if b.passage != c.passage || b.section != c.section || b.heading || b.row || b.item > 0 || b.code || b.title ||
		len(b.text)+len(c.text) > moreBytes {
		return nil
	}
	return b
}
