// Package vacancy is about questions for what nobody has: "which tasks has nobody picked up", "what still needs somebody to bring it".
//
// They are put as questions for rows without a person, which package plainsql reads.
package vacancy

import (
	"regexp"
	"slices"
	"strings"

	"lectern/shared/database"
	"lectern/shared/database/plainsql/lexicon"
)

// Restated returns a question for what nobody has as one for rows whose column of persons is empty; empty of another question, and
// where it is open which column that is.
func Restated(question string, s *database.Schema) string {
	question, _, _ = strings.Cut(question, "?")
	m := nobody.FindStringSubmatch(question)
	if m == nil || len(s.Tables) != 1 {
		return ""
	}
	columns := s.Tables[0].Columns
	for w := range strings.FieldsSeq(strings.ToLower(m[2])) {
		if within[w] || strings.ContainsAny(w, "0123456789,") {
			return "" // of some of them
		}
	}
	if len(strings.Fields(m[2])) > mostBetween {
		return ""
	}
	var person *database.Column
	for i := range columns {
		c := &columns[i]
		if i == 0 || c.Kind() != database.Textual || !slices.ContainsFunc(lexicon.Parts(c.Name), func(w string) bool { return persons[w] }) {
			continue
		}
		if person != nil {
			return ""
		}
		person = c
	}
	if person == nil {
		return ""
	}
	named := strings.ReplaceAll(person.Name, "_", " ")
	for w := range strings.FieldsSeq(strings.ToLower(m[3])) {
		w = strings.Trim(w, "?!.,")
		named := func(p string) bool { return lexicon.Same(p, w) || lexicon.Rooted(p, w) }
		if !deeds[w] && !slices.ContainsFunc(lexicon.Parts(person.Name), named) {
			return "" // something else that nobody did
		}
	}
	first := strings.ReplaceAll(columns[0].Name, "_", " ")
	if strings.EqualFold(m[1], "how many") || strings.EqualFold(m[1], "wie viele") {
		return "how many " + first + " have no " + named + "?"
	}
	return "which " + first + " have no " + named + "?"
}

// mostBetween is how many words stand at most between what is asked for and nobody: what it is called, and a verb.
const mostBetween = 4

// within are words by which only some rows are asked for.
var within = lexicon.Set("in on at of for from with by before after until since that which who im am auf von für mit bei vor nach seit")

var nobody = regexp.MustCompile(`(?i)^(which|what|how many|welche|was|wie viele|is there anything|anything)\b(.*?)\b(?:nobody|no one|no-one|noone|niemand(?:em|en)?|` +
	`unassigned|unclaimed|still (?:needs?|lacks?) (?:somebody|someone|a person|a volunteer|people)|needs? (?:somebody|someone|a volunteer))\b(.*)$`)

// persons are words of columns that say who does something or has it.
var persons = lexicon.Set(`who assigned assignee owner responsible person volunteer lead leader driver tenant holder helper by staff worker carer host
	keeper zuständig verantwortlich wer mieter fahrer helfer besitzer`)

// deeds are words for having taken something on, and those around them.
var deeds = lexicon.Set(`picked up taken take taking on claimed claim volunteered volunteer signed sign doing do does done got get has have had assigned assign
	to for yet so far still down it them that this the been is are in charge of responsible working covering cover looking after drive drives
	driving
	bring bringing brings übernommen übernimmt zugeteilt zugewiesen noch bisher macht gemacht hat haben ist eingetragen somebody someone anyone a`)
