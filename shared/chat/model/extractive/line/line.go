// Package line tells what lines are that answer nothing by themselves, and which of them ask.
package line

import "lectern/shared/chat/model/extractive/lazy"

// Numbered matches the number of a section before its title.
var Numbered = lazy.New(`^\d+(?:\.\d+)*\\?[.)]?\s+\p{Lu}`)

// Contents matches what tables of contents have: titles with their pages.
var Contents = lazy.New(`[\pL?!)] \d{1,3} \d{1,2}(?:\.\d{1,2})+\.? \p{Lu}|(?:\. ?){4,}\d+(?:\s*$|\s.*(?:\. ?){4,}\d)|….{0,60} \d+\b.*…|(?:…|\.{3}) \d+\s*$`)

// GoesOn matches how the rest of a sentence begins.
var GoesOn = lazy.New(`^\p{Ll}+[ ,;]`)

// Lines that say nothing of what they name, and questions for them: how a command is written, and who makes a contract.
var (
	synopsis     = lazy.New(`\[[^\]\n]*\]\s*\[[^\]\n]*\]|\[-{1,2}\w[^\]\n]*\].*(?:\[|\pL\|\pL)|\pL+\|\pL+\|\pL+`)
	usage        = lazy.New(`(?i)\b(?:usage|syntax|synopsis|arguments?|parameters?)\b`)
	parties      = lazy.New(`^(?:\S+ ){0,8}between .{3,200}\((?:the )?["“„'‘]`)
	partiesAsked = lazy.New(`(?i)\b(?:who(?:m|se)?|between|part(?:y|ies)|which (?:company|firm|companies|firms)|address|where|when|date|wer|zwischen)\b`)
)

// OnlyNames reports whether a text only names what a question asks about.
func OnlyNames(text, question string) bool {
	return synopsis.In(text) && !usage.In(question) || parties.In(text) && !partiesAsked.In(question)
}
