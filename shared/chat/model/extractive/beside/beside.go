// Package beside tells sentences that come near a question and tell something else: from when something is open where it is asked until
// when, what a delivery costs within a limit where it is asked beyond it.
package beside

import (
	"slices"
	"strings"

	"lectern/shared/chat/model/extractive/amount"
	"lectern/shared/chat/model/extractive/lazy"
	"lectern/shared/chat/model/extractive/price"
)

// Question is what of a question tells that some texts speak of something else.
type Question struct {
	until, deep, cheaper, reached bool
	beyond                        string // the limit beyond which something is asked for
	substance                     string // of which it is asked how much there is
	price                         string // the word for one that is asked for
}

// Of reads a question.
func Of(text string) (q Question) {
	q.until, q.deep, q.cheaper, q.reached = untilAsked.In(text), dimension.In(text), dearer.In(text), reach.In(text)
	if m := beyondAsked.Get().FindStringSubmatch(text); m != nil {
		q.beyond = m[1]
	}
	if m := substance.Get().FindStringSubmatch(text); m != nil && !slices.Contains(noSubstance, strings.ToLower(m[1])) {
		q.substance = m[1]
	}
	q.price = strings.ToLower(priceWord.Get().FindString(text))
	return q
}

// Tells reports whether a text tells something else than the question asks. Names are those of the columns of a row; empty of a sentence.
func (q Question) Tells(text, names string, row bool) bool {
	switch {
	case q == Question{}:
		return false
	case q.until && fromWhen(text), q.beyond != "" && within(q.beyond, text), q.deep && onlyMoney(text),
		q.price != "" && shareOf(q.price, text), q.reached && !ways.In(names+" "+text):
		return true
	}
	return !row && (q.substance != "" && apart(q.substance, text) || q.cheaper && unpriced(text))
}

// fromWhen reports whether a text tells at most from when something is.
func fromWhen(text string) bool { return !untilTold.In(weekdays.Get().ReplaceAllString(text, "")) }

var (
	untilAsked = lazy.New(`(?i)\b(?:until|till) (?:when|what time|which)\b|\bbis (?:wann|wie ?viel uhr|um wie ?viel)\b`)
	weekdays   = lazy.New(`(?i)\b\pL{0,6}(?:days?|tags?|mo|di|mi|do|fr|sa|so) (?:to|until|through|bis|–|-) \pL{0,6}(?:days?|tags?|mo|di|mi|do|fr|sa|so)\b`)
	untilTold  = lazy.New(`(?i)\b(?:until|till|to|by|bis|before|after|ends?|clos\w*|shuts?|latest|last|schlie\pL*|endet|ende|spätestens|nach|vor|letzte\pL*)\b|` +
		`\d\s?[-–—]\s?\d`)
)

// within reports whether a text tells of what lies within a limit alone, and not beyond it.
func within(limit, text string) bool {
	has := func(form *lazy.Pattern) bool {
		return slices.ContainsFunc(form.Get().FindAllStringSubmatch(text, -1), func(told []string) bool { return told[1] == limit })
	}
	return has(withinTold) && !has(beyondTold)
}

var (
	beyondAsked = lazy.New(`(?i)\b(?:beyond|further than|farther than|outside|jenseits von|weiter als|außerhalb von) (\d+)\b`)
	withinTold  = lazy.New(`(?i)\b(?:within|up to|under|below|less than|at most|no more than|innerhalb von|bis|bis zu|unter|höchstens) (\d+)\b`)
	beyondTold  = lazy.New(`(?i)(?:\bbeyond|\bover|\babove|\bmore than|\bfrom|\boutside|\bfurther than|über|\bmehr als|\bab) (\d+)\b`)
)

// apart reports whether a text speaks of a substance and has no amount beside it: "200 g of flour, oil and salt" does not tell how much
// salt.
func apart(substance, text string) bool {
	speaks := false
	for _, part := range strings.FieldsFunc(text, func(c rune) bool { return strings.ContainsRune(",;.", c) }) {
		named := slices.ContainsFunc(strings.Fields(part), func(w string) bool { return strings.EqualFold(strings.Trim(w, ":()!?*"), substance) })
		if named && (strings.ContainsAny(part, "0123456789½¼¾") || portion.In(part)) {
			return false
		}
		speaks = speaks || named
	}
	return speaks
}

var (
	substance   = lazy.New(`(?i)\bhow much (\pL{3,}) (?:goes|go|is|are|does|do|did|should|must|will|would|can|in|per|for|to|have|has)\b`)
	noSubstance = strings.Fields("money time does did are was were has have will should must can would they you more less this that notice")
	portion     = lazy.New(`(?i)\b(?:an?|one|two|three|four|five|six|seven|eight|nine|ten|half|quarter|pinch|little|no|some|all|equal|same|twice|double|much|more|less|enough|` +
		`most|none)\b`)
)

// onlyMoney reports whether a text tells amounts of money alone.
func onlyMoney(text string) bool {
	return coins.In(text) && !amount.Has(coins.Get().ReplaceAllString(text, ""))
}

var (
	dimension = lazy.New(`(?i)\b(?:how|wie) (?:tall|deep|wide|thick|tief|breit|dick)\b|\bhow high [^?]*\b(?:frames?|fences?|walls?|towers?|buildings?|houses?|trees?|hedges?|masts?|bridges?|ceilings?|shel(?:f|ves)|` +
		`doors?|gates?|steps?|ladders?|roofs?|hills?|mountains?|dams?|dykes?|banks?|stages?|tables?|desks?|poles?|spires?|statues?|waves?|water)\b`)
	coins = lazy.New(`(?i)[€£$]\s?\d[\d.,]*|\b\d[\d.,]*\s?(?:€|£|\$|(?:euros?|pounds?|dollars?|francs?|crowns?|cents?|pence|eur|gbp|usd|chf)\b)`)
)

// shareOf reports whether a text tells only a share of a price: "10 percent of the monthly fee".
func shareOf(price, text string) bool {
	m := shared.Get().FindStringSubmatch(text)
	return m != nil && strings.EqualFold(price, m[1]) && !coins.In(text)
}

// priceWord matches words for prices, and shared shares of these.
var (
	priceWord = lazy.New(`(?i)\b(?:fee|price|rent|costs?|premium|salary|charge|gebühr|miete|kosten)\b`)
	shared    = lazy.New(`(?i)\d ?(?:%|per ?cent|prozent) (?:of|der|des) (?:the |our |your |its )?(?:\pL+ )?(fee|price|rent|cost|costs|premium|salary|charge|gebühr|miete|kosten)\b`)
)

// unpriced reports whether a text says nothing of prices.
func unpriced(text string) bool {
	return !dearness.In(text) && !price.Words.In(text) && !coins.In(text)
}

var (
	dearer   = lazy.New(`(?i)\b(?:cheaper|dearer|more expensive|less expensive|costs? (?:more|less)|teurer|billiger|günstiger)\b`)
	dearness = lazy.New(`(?i)\b(?:cheap\w*|dear\w*|expensive|afford\w*|teuer|teure\w*|billig\w*|günstig\w*|free|more|less|kostenlos|mehr|weniger)\b`)
)

// reach matches what asks how somebody is reached, and ways what tells it.
var (
	reach = lazy.New(`(?i)^\W*(?:and |so |but )?(?:how (?:can|do|could|may) (?:i|we|you|one) (?:reach|contact|get hold of|get in touch with)|wie (?:erreiche|kontaktiere) ich) ` +
		`(?:(?-i:(?:(?:Mr|Mrs|Ms|Dr|Prof|Frau|Herrn?)\.? )?\p{Lu}[\pL'’-]+(?: \p{Lu}[\pL'’-]+)*)\W*$|him\b|her\b|them\b|ihn\b)`)
	ways = lazy.New(`(?i)@|\d{3,}|\b(?:phone\w*|telephone\w*|telefon\w*|e-?mails?|mail|post|letters?|desk|office|rooms?|via|through|portal|form|rings?|calls?|ask|website|www|https?|hotline|extension|ext|` +
		`büro|zimmer|brief|über|apparat|durchwahl|messages?|chat|channel)\b`)
)
