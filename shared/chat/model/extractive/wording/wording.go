// Package wording puts a question in the words by which it is understood: without what it says of where its answer stands,
// with its question word as it is spelt, and with plain words for some that are written in many ways.
package wording

import (
	"slices"
	"strings"
	"sync"

	"lectern/shared/chat/model/extractive/lazy"
)

// ofMaterial matches what a question says of where its answer stands: "according to the text".
var ofMaterial = lazy.New(`(?i)\b(?:according to|based on|as (?:stated|mentioned|described|given|said) in) (?:the|this|your|my) (?:given |provided |attached |above )?(?:text|passage|article|document|material|context|page|pdf|file)s?\b,?|` +
	`\b(?:laut|gemäß|nach) (?:dem|diesem) (?:text|dokument|artikel)\b|\bdo(?:es)? the (?:text|passage|article|document)s? (?:say|state|mention|tell)(?: us| me)?(?: that)?\b`)

const leastAsked = 3 // words of a question, at least

// rewritten are words that are written in many ways, and what is read for them: regular expressions, each with what a text
// has at least, in lower case, that one matches, since looking for that is faster.
var rewritten = sync.OnceValue(func() []rewrite {
	list := []struct{ has, from, to string }{
		{"place of|lieu of|substitute|replacement|alternative|use for|take for", `(?i)\b(?:in place of|in lieu of|as an? (?:substitute|replacement|alternative) (?:for|to)|` +
			`substitute for|(?:use|take) for)\b`, "instead of"},
		{"co-op", `(?i)\bco-op(?:s|['’]s)?\b`, "cooperative"},
		{" on hold", `(?i)\bput (.{1,60}?) on hold\b`, "freeze $1"},
		{"anstelle", `(?i)\banstelle (?:von|des|der)\b`, "statt"},
		{"hav ", `(?i)\bhav\b`, "have"},
		{"mutch", `(?i)\bmutch\b`, "much"},
		{"wan |wen ", `(?i)\bw[ae]n( (?:i|you|we|the|my|it)\b)`, "when$1"},
		{"watt ", `(?i)\bwatt( (?:can|do|does|is|are|should)\b)`, "what$1"},
		{"cuz|coz", `(?i)\b(?:cuz|coz)\b`, "because"},
		// short forms, whose ends are no words
		{"'m|’m", `(?i)\b(i)['’]m\b`, "$1 am"},
		{"'re|’re", `(?i)\b(you|we|they)['’]re\b`, "$1 are"},
		{"'ve|’ve", `(?i)\b(i|you|we|they)['’]ve\b`, "$1 have"},
		{"'ll|’ll", `(?i)\b(i|you|we|they|he|she|it)['’]ll\b`, "$1 will"},
		{"'d|’d", `(?i)\b(i|you|we|they|he|she|it)['’]d\b`, "$1 would"},
		// question words, as they are often written where a question begins
		{"wat |wet |waht |wht |hwat ", `(?i)^(\W*)(?:w[ae]h?t|wht|hwat|waht)( (?:is|are|was|were|do|does|did|can|should|will)\b)`, "${1}what$2"},
		{"wen |wehn |whne |whn ", `(?i)^(\W*)(?:wen|wehn|whne|whn)( (?:is|are|was|were|do|does|did|can|should|will)\b)`, "${1}when$2"},
		{"wher |were |whre |wehre ", `(?i)^(\W*)(?:wher|were|whre|wehre)( (?:is|are|was|do|does|did|can|should|will)\b)`, "${1}where$2"},
		{"hwo |hoow |hw ", `(?i)^(\W*)(?:hwo|hoow|hw)( (?:is|are|was|were|do|does|did|can|should|will|many|much|long|often|to)\b)`, "${1}how$2"},
		{"wich |whcih |whihc |witch ", `(?i)^(\W*)(?:wich|whcih|whihc|witch)( \pL)`, "${1}which$2"},
		{"whos |whats |whens |wheres |hows ", `(?i)^(\W*)(who|what|when|where|how)s( \pL)`, "$1$2 is$3"},
	}
	out := make([]rewrite, len(list))
	for i, r := range list {
		out[i] = rewrite{strings.Split(r.has, "|"), lazy.New(r.from), r.to}
	}
	return out
})

type rewrite struct {
	has  []string
	from *lazy.Pattern
	to   string // what is read for what it matches
}

// Plain returns a question in plain words. It is no longer than some words more than the text.
func Plain(text string) string {
	if ofMaterial.In(text) {
		if rest := ofMaterial.Get().ReplaceAllString(text, " "); len(strings.Fields(rest)) >= leastAsked {
			text = strings.TrimSpace(rest)
		}
	}
	lower := strings.ToLower(text)
	for _, r := range rewritten() {
		if slices.ContainsFunc(r.has, func(word string) bool { return strings.Contains(lower, word) }) {
			text = r.from.Get().ReplaceAllString(text, r.to)
		}
	}
	return text
}

// askedLast matches a question that tells something before it asks: "My laptop was stolen, what do I do?"
var askedLast = lazy.New(`(?is)^[^?]{12,}[,;:–]\s*(?:so |and |but |then )?((?:who|whom|what|when|where|which|why|how|wer|wen|wem|was|wann|wo|warum|wie|welche[rsmn]?)\s[^,;?]{6,}\?+)\s*$`)

// Asked returns what of a question asks, without what it tells before; the question where it does not.
func Asked(text string) string {
	if strings.ContainsAny(text, ",;:–") {
		if m := askedLast.Get().FindStringSubmatch(text); m != nil {
			return m[1]
		}
	}
	return text
}

// Exclusive matches what says that something is for some alone.
var Exclusive = lazy.New(`(?i)\b(?:only|except|nur|ausschließlich|außer)\b`)

// Contrary returns what a word is told apart from: what is said of girls is not said of boys.
func Contrary(word string) (other string, ok bool) {
	other, ok = contraries[word]
	return other, ok
}

// contraries are words that tell one thing from another: what is said of girls is not said of boys.
var contraries = paired(`boys girls boy girl men women man woman male female mother father sister brother son daughter husband wife
	northern southern eastern western upper lower summer winter spring autumn inbound outbound high low import export buyer seller
	adult child adults children erwachsene kinder erwachsener kind indoor outdoor junior senior debit credit
	jungen mädchen männer frauen mutter vater sommer winter
	vormittags nachmittags vormittag nachmittag`)

// paired returns the words of a list by those that they stand beside.
func paired(list string) map[string]string {
	words, m := strings.Fields(list), map[string]string{}
	for i := 0; i+1 < len(words); i += 2 {
		m[words[i]], m[words[i+1]] = words[i+1], words[i]
	}
	return m
}

// ordinals are not the first of an order, or several.
var ordinals = lazy.New(`(?i)\b(?:second|third|fourth|fifth|two|three|four|five|six|seven|ten|zwei|drei|fünf|zweit\w*|dritt\w*|\d+(?:st|nd|rd|th))\b|\btop \d|` +
	`\b\d+ (?:highest|lowest|largest|smallest|biggest|most|least|cheapest|oldest|newest)`)

// ofAll matches of how many things one is asked for: "which of the three offers".
var ofAll = lazy.New(`(?i)(?:\b(?:of (?:the|these|those|our|your|its|their|his|her)|among (?:the|these|those)|der|unserer|seiner|ihrer)|['’]s)\s+` +
	`(?:two|three|four|five|six|seven|eight|nine|ten|zwei|drei|vier|fünf|sechs|sieben|acht|neun|zehn|\d+)\b`)

// Ordinal reports whether a text asks for another one of an order than the first, or for several: "the second highest", not
// "which of the two".
func Ordinal(text string) bool { return ordinals.In(ofAll.Get().ReplaceAllString(text, " ")) }
