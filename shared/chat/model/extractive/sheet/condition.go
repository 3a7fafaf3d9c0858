package sheet

import "lectern/shared/chat/model/extractive/lazy"

// Bounds matches numbers that bound a column, Unclear words whose conditions are not understood.
var (
	Bounds = lazy.New(`(?i)\b(above|over|(?:more|greater|higher|larger|longer|older) than|exceed(?:s|ing)?|at least|below|under|(?:less|fewer|lower|smaller|shorter|younger) than|at most|up to|` +
		`after|since|before|über|mehr als|mindestens|unter|weniger als|höchstens|nach|seit|vor)\s+(?:the\s+)?(?:[€$£]\s?|(?:EUR|GBP|USD)\s)?(\d[\d.,]*\d|\d)`)
	Unclear = lazy.New(`(?i)\b(?:between|zwischen|or|oder|ou|either|neither|nor|(?:more|less|fewer|greater|higher|lower|larger|smaller|longer|shorter|older|younger) than|above|below|exceed\w*|` +
		`at least|at most|up to|mindestens|höchstens|after|before|since|until|outside|mehr als|weniger als|über|unter)\b`)
	// GoesOn matches what makes another value of a number: the rest of a day, a unit.
	GoesOn = lazy.New(`(?i)^(?:[/.-]\d|\s*(?:%|percent\b|prozent\b|thousand|million|billion|tausend|k\b|m\b))`)
)

// Stock matches what says whether something is there; Stocked the names of columns that
// tell how much is.
var (
	Stock   = lazy.New(`(?i)\b(?:out of stock|sold out|(?:not )?in stock|ausverkauft|(?:nicht )?(?:vorrätig|auf Lager))\b`)
	Gone    = lazy.New(`(?i)^(?:out|sold|not|ausverkauft|nicht)`)
	Stocked = lazy.New(`(?i)\b(?:stock|in stock|on hand|inventory|available|bestand|lagerbestand|vorrat)\b`)
)
