package sheet

import (
	"strings"

	"lectern/shared/chat/model/extractive/lazy"
)

// Words that ask for an extreme of a column; the first ones of time mean the least of days
// and years.
var (
	Most = lazy.New(`(?i)\b(?:highest|largest|biggest|greatest|most|maximum|longest|slowest|heaviest|tallest|widest|deepest|hottest|warmest|latest|newest|oldest|top|dearest|costliest|priciest|` +
		`höchste[nrs]?|größte[nrs]?|meisten?|längste[nrs]?|langsamste[nrs]?|schwerste[nrs]?|teuerste[nrs]?)\b`)
	Least = lazy.New(`(?i)\b(?:lowest|smallest|least|fewest|cheapest|minimum|shortest|quickest|fastest|lightest|coldest|coolest|earliest|` +
		`niedrigste[nrs]?|kleinste[nrs]?|wenigsten?|billigste[nrs]?|günstigste[nrs]?|kürzeste[nrs]?|schnellste[nrs]?|leichteste[nrs]?)\b`)
	Latest = lazy.New(`(?i)\b(?:latest|newest|oldest|earliest|most recent(?:ly)?|älteste[nrs]?|neueste[nrs]?)\b|\b(?:first|last)\s*\??\s*$`)
	First  = lazy.New(`(?i)\b(?:oldest|earliest|first|älteste[nrs]?)\b`)
	Totals = lazy.New(`(?i)^\W*(?:(?:grand |sub-?)?totals?|sum|all|average|mean|gesamt(?:summe)?|summe|durchschnitt)(?: \d{4})?\W*(?:$|:)|\b(?:sub)?total\W*$`)
)

// Extreme returns the words of a question that ask for an extreme, folded; empty without
// one, or with two.
func Extreme(question string) string {
	most, least := Most.Get().FindString(question), Least.Get().FindString(question)
	switch {
	case most != "" && least != "":
		return ""
	case most == "" && least == "":
		return strings.ToLower(strings.TrimRight(Latest.Get().FindString(question), " ?"))
	}
	return strings.ToLower(most + least)
}

// Dear matches words for what costs much or little.
var Dear = lazy.New(`(?i)^(?:expensive|dear|dearest|cheap|cheapest|costly|costliest|pricey|priciest|teuer(?:ste[nrs]?)?|billigste[nrs]?|g(?:ü|u|ue)nstigste[nrs]?)$`)

// Ages matches the names of columns of ages, Oldest what asks for the most of them.
var (
	Ages   = lazy.New(`(?i)^(?:age|alter|âge|edad)\b`)
	Oldest = lazy.New(`(?i)\b(?:oldest|älteste[nrs]?)\b`)
)

// Counted matches what a question wants counted: one word or two. rows what it wants listed.
var (
	Counted = lazy.New(`(?i)\b(?:how many|wie viele)\s+(?:different\s+|distinct\s+|verschiedenen?\s+)?(\pL[\pL-]*(?:\s+\pL[\pL-]*)?)`)
	rows    = lazy.New(`(?i)\b(?:which|welche[rsn]?)\s+(\pL[\pL-]*s(?:\s+\pL[\pL-]*)?|\pL[\pL-]*(?:\s+\pL[\pL-]*s)?)\s`)
)

// Wanted returns the words for what a question wants counted, or else listed; empty without such.
func Wanted(question string) (words string, count bool) {
	if m := Counted.Get().FindStringSubmatch(question); m != nil {
		return m[1], true
	}
	m := rows.Get().FindStringSubmatchIndex(question)
	if m == nil || Extreme(question) != "" || ofOne.In(question[:m[0]]) || noNoun.In(question[m[2]:m[3]]) {
		return "", false
	}
	return question[m[2]:m[3]], false
}

// noNoun matches words of which the last one is no noun in the plural, though it ends like one: "which database does it use".
var noNoun = lazy.New(`(?i)\s(?:does|is|was|has|uses|this|its|always|needs|takes|costs|comes|goes|makes|gets|runs|works|belongs|applies|starts|ends|das|was|es|als)$`)

// ofOne matches a preposition before what is asked for, which is then no list of rows: "unter welcher Nummer".
var ofOne = lazy.New(`(?i)\b(?:unter|in|an|auf|mit|bei|zu|für|von|ab|bis|um|at|on|under|by|from|to|with|for)\s*$`)

// Idle matches words that say nothing of what things beside each other have: what they are called by, and that they have it.
var Idle = lazy.New(`(?i)^(?:models?|products?|versions?|types?|variants?|options?|devices?|ones?|needs?|uses?|takes?|offers?|offered|asks?|asked|gives?|provides?|requires?|consumes?|` +
	`delivers?|modelle?|typ|variante|braucht|verbraucht|hat|bietet|kostet)$`)

// more matches what asks which of some things has more or less of something, by the word for that.
var more = lazy.New(`(?i)^\W*(?:which|who|what|welche[rsn]?|wer|was)\b[^?]*?\b(more|fewer|less|higher|larger|bigger|greater|longer|slower|heavier|taller|wider|deeper|hotter|warmer|` +
	`lower|smaller|cheaper|shorter|quicker|faster|sooner|earlier|lighter|colder|mehr|weniger|höher|größer|länger|langsamer|schwerer|niedriger|kleiner|billiger|günstiger|kürzer|schneller|leichter)\b`)

// german matches those of German.
var german = lazy.New(`[ßäöü]|^(?:langsam|schwer|niedrig|klein|billig|schnell|leicht)er$`)

// superlatives are the words for the most of what others say more of.
var superlatives = map[string]string{"more": "most", "fewer": "fewest", "less": "least", "sooner": "fastest", "mehr": "meisten",
	"weniger": "wenigsten", "höher": "höchste"}

// Asked returns a question for an extreme and the words that ask for it; words are empty of any other question. Where it compares some
// things, by which of them has more of something, it is returned as one which has most of it.
func Asked(question string) (text, words string, compares bool) {
	if words = Extreme(question); words != "" {
		return question, words, false
	}
	text, words = asMost(question)
	return text, words, true
}

// asMost returns a question which of some things has more of something as one which has most of it, and the words for that.
func asMost(question string) (most, words string) {
	m := more.Get().FindStringSubmatchIndex(question)
	if m == nil || strings.Contains(question[m[3]:], " than ") || strings.Contains(question[m[3]:], " als ") {
		return question, ""
	}
	word := strings.ToLower(question[m[2]:m[3]])
	most = superlatives[word]
	switch stem, ok := strings.CutSuffix(word, "er"); {
	case most != "":
	case !ok:
		return question, ""
	case german.In(word):
		most = stem + "ste"
	default:
		most = stem + "est"
	}
	return question[:m[2]] + most + question[m[3]:], word + " " + most
}
