package doer

import "lectern/shared/chat/model/extractive/lazy"

// heads are what asks who did something of a record, and the line of its head that names them: "Minutes: Ada Berg".
var heads = []struct{ asked, told *lazy.Pattern }{
	{lazy.New(`(?i)\bwho (?:took|takes|wrote|writes|kept|keeps|recorded|drew up|typed|is taking|was taking) (?:down )?(?:the |our )?(?:[\w-]+ )?minutes\b|` +
		`\bwer (?:hat|führte?|führt|schrieb|schreibt)\b[^?]*\bprotokoll`),
		lazy.New(`(?i)^\W*(?:minutes(?: (?:were )?(?:taken|kept|written))?(?: by)?|minute[- ]taker|minutes secretary|recorder|protokoll(?:führ\w+)?|schriftführ\w+)\W*:\W*(?-i:\p{Lu})`)},
	{lazy.New(`(?i)\bwho (?:chaired|chairs|presided|presides|led|leads)\b[^?]*\b(?:meeting|session|committee|board|hearing)\b|\bwer (?:leitete|leitet|hat)\b[^?]*\b(?:sitzung|besprechung)`),
		lazy.New(`(?i)^\W*(?:chair(?:ed by|man|woman|person)?|in the chair|presiding|vorsitz(?:ende\w?)?|(?:sitzungs)?leitung)\W*:\W*(?-i:\p{Lu})`)},
	{lazy.New(`(?i)\bwho (?:is|was|are|were) the authors?\b|\bwho (?:wrote|prepared|authored|drew up|drafted|compiled)\b|\bwer (?:hat|ist)\b[^?]*\b(?:verfasst|geschrieben|erstellt|verfasser\w*|autor\w*)\b`),
		lazy.New(`(?i)^\W*(?:authors?|written by|prepared by|drafted by|compiled by|report by|verfasser\w*|verfasst von|erstellt von|autor\w*)\W*:\W*(?-i:\p{Lu})`)},
}

// Column matches the names of columns that tell who did something.
var Column = lazy.New(`(?i)\b(?:who|by|names?|responsible|persons?|people|owner|authors?|staff|manager|contact|lead|doctor|nurse|driver|teacher|wer|von|verantwortlich\pL*|zuständig\pL*|leitung|autor\pL*)\b`)

// Heads reports whether a line of the head of a record names who did what a question asks of it, or who was not there.
func Heads(question, line string) bool {
	if Roll.In(line) && Absent.In(line) && AbsenceAsked.In(question) {
		return true
	}
	for _, h := range heads {
		if h.told.In(line) && h.asked.In(question) {
			return true
		}
	}
	return false
}

// Roll matches lines that list who was there, RollAsked questions for these.
var (
	Roll = lazy.New(`(?i)^\W*(?:present|in attendance|attend\w*|participants?|apologies|absent|excused|anwesend|entschuldigt|teilnehmer\w*|présents?|` +
		`excusés?|asistentes)[^:.]{0,30}:`)
	RollAsked = lazy.New(`(?i)\b(?:present|attend\w*|participants?|apologies|apologi[sz]ed?|absent|excused|(?:took|take|takes) part|(?:was|were) (?:at|there)|` +
		`missed|came|anwesend|entschuldigt|teilnehmer\w*|teilgenommen|présents?|absents?|asistieron)\b`)
)

// Absent matches lines that list who was not there, AbsenceAsked questions for these.
var (
	Absent       = lazy.New(`(?i)\b(?:apologies|absent|excused|entschuldigt|excusés?|abwesend)\b`)
	AbsenceAsked = lazy.New(`(?i)\b(?:absent|missing|apologi[sz]ed?|apologies|excused|missed|(?:not|n['’]t|unable to|could not|couldn['’]t) (?:at|there|come|attend|present|make it|be there)|fehlte\pL*|entschuldigt|abwesend)\b`)
)

// Present matches how a line begins that lists who was there or was not.
var Present = lazy.New(`(?i)^\W*(?:present|attend\w*|participants?|apologies|absent|anwesend|teilnehmer\w*|présents?|asistentes)\b`)

// Rolls reports whether a line lists who was there and it is asked who was not, which is other, or neither is asked.
func Rolls(question, line string) (other, unasked bool) {
	switch {
	case !Roll.In(line):
		return false, false
	case AbsenceAsked.In(question):
		return !Absent.In(line), false
	}
	return false, !RollAsked.In(question)
}
