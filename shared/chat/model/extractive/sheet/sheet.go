// Package sheet has whole tables of the material and what a question asks of them.
//
// Package reckon asks them with a database, which only some programs link.
package sheet

import (
	"context"
	"fmt"
	"slices"
	"strings"

	"lectern/shared/chat/model/extractive/lazy"
	"lectern/shared/text/terms"
)

// Sheet is a table of texts.
type Sheet struct {
	Name  string // of what it lists; may be empty
	Names []string
	Rows  [][]string // with a cell for each name
	Lines []string   // the rows as they are written; of a whole table of a document that is kept

	// Collection and Artifact tell in which document that is kept there is more: the rest of the sheet, or others beside it; empty of
	// another one.
	Collection, Artifact string

	// Meant says that a question is asked by what it means, where not each of its words can be read.
	Meant bool
}

// Answer is what a question asks of a sheet.
type Answer struct {
	Rows  []int  // that are asked for, or of which the value is; in order, maybe none
	Value string // what is computed of them; empty where the rows are the answer

	// Computed says that the answer is of all rows: one row more could change it.
	Computed bool
	// Enough says that the rows answer whatever other rows the table has.
	Enough bool
	// All says that no row is left out, Decides that the question is whether there are such rows.
	All, Decides bool
	// Denied says that there are none: the one row is of what the question says more.
	Denied bool
	// Empty says that the cells that are asked for have nothing.
	Empty bool

	// Means is the plain question that the question was taken to mean; empty where each of its words was read.
	Means string

	// Of is the table that Rows are of, where the document that is kept was asked; else nil.
	Of *Sheet
}

// Lines returns the first rows of an answer as they are written in the document that was asked; none of another answer.
func (a *Answer) Lines(most int) (list []string) {
	for _, n := range a.Rows {
		if a.Of != nil && len(list) < most {
			list = append(list, a.Of.Lines[n])
		}
	}
	return list
}

// Missing returns the lines of rows to search for, so many at most: of a list, those that are not written; else the first ones where
// none is.
func (a *Answer) Missing(most int, written func(line string) bool) []string {
	lines := slices.DeleteFunc(a.Lines(len(a.Rows)), written)
	if len(lines) < len(a.Rows) && (a.Computed || a.Decides || a.Value != "") {
		return nil
	}
	return lines[:min(most, len(lines))]
}

// Looked reports whether an answer is some rows that were looked up, which sentences may answer better.
func (a *Answer) Looked(question string) bool {
	return !a.Enough && !a.Computed && !a.Decides && (a.All || len(a.Rows) < several || !Several.In(question))
}

// mostListed is how many rows a statement lists at most: there may be more.
const mostListed = 100

// several is how many rows a list has at least.
const several = 2

// Asker answers a question of a sheet; nil where its rules do not cover it.
type Asker func(ctx context.Context, s Sheet, question string) (*Answer, error)

// said are the words for yes and no.
var said = map[terms.Language][2]string{"en": {"Yes", "No"}, "de": {"Ja", "Nein"}, "fr": {"Oui", "Non"}, "es": {"Sí", "No"},
	"it": {"Sì", "No"}, "pt": {"Sim", "Não"}, "nl": {"Ja", "Nee"}}

// Said is what an answer says before its rows, of which so many are shown, with a colon; empty where these are all.
func (a *Answer) Said(question string, shown int) string {
	words, ok := said[terms.Of(question)]
	if !ok {
		words = said["en"]
	}
	means := ""
	if a.Means != "" {
		means = " (taken to mean: " + a.Means + ")"
	}
	switch {
	case a.Value != "":
		return a.Value + means + ":"
	case a.Denied:
		return words[1] + means + ":"
	case a.Decides:
		return words[0] + means + ":"
	case means != "":
		return "Taken to mean: " + a.Means + ":"
	case !a.Computed && !a.Looked(question) && shown < len(a.Rows) && len(a.Rows) < mostListed:
		return fmt.Sprintf("%d (1–%d):", len(a.Rows), shown)
	}
	return ""
}

// Computes reports whether a question asks for what is computed of rows and stands in none: a share, an average, how many there are,
// which has the most.
// Told is what some rows have, with the names of their columns.
func Computes(question, told string, rows int) bool {
	extreme := Extreme(bounds.Get().ReplaceAllString(question, ""))
	if extreme != "" && rows > 1 && !strings.Contains(strings.ToLower(told), extreme) {
		return true
	}
	return counting.In(question) && rows > 1 || slices.ContainsFunc(computing, func(of [2]*lazy.Pattern) bool {
		return of[0].In(question) && !of[1].In(told)
	})
}

// bounds matches words for a bound, which ask for no extreme.
var bounds = lazy.New(`(?i)\bat (?:least|most)\b`)

// counting asks how many there are, computing are words for what is computed of several rows and by what a row tells it.
var (
	counting  = lazy.New(`(?i)^(?:how many|wie viele|number of|(?:in|on|at|for|of) how many)\b`)
	computing = [][2]*lazy.Pattern{
		{lazy.New(`(?i)\b(?:percentage|per cent|percent|share|proportion|prozent|prozentsatz|anteil)\b`),
			lazy.New(`(?i)%|\b(?:percent|share|proportion|pct|prozent|anteil)`)},
		{lazy.New(`(?i)\b(?:average|mean|median|on average|durchschnitt\pL*|im schnitt|mittelwert)\b`),
			lazy.New(`(?i)\b(?:average|avg|mean|median|durchschnitt|mittel|ø)`)},
		{lazy.New(`(?i)\b(?:in total|altogether|all together|in all|insgesamt)\b|^(?:what (?:is|was) )?(?:the )?(?:total|sum) `), lazy.New(`(?i)\b(?:total|sum|gesamt|summe|all)\b`)},
		{lazy.New(`(?i)\bhow many (?:different|distinct|unique|separate)\b|\bwie viele (?:verschiedene|unterschiedliche)\b`), lazy.New(`(?i)\bdistinct\b`)},
	}
)

// OfState matches words of a state that only some rows are in: "still out on loan".
var OfState = lazy.New(`(?i)\b(?:still|yet|currently|now|noch|derzeit|aktuell)\b`)

// Named returns what rows are called by the words of a title above their table: the first title that has some.
func Named(titles ...string) string {
	for _, title := range titles {
		var words []string
		for _, w := range terms.Words(title) {
			if !terms.Stop("en", w.Text) && !terms.Stop("de", w.Text) {
				words = append(words, w.Text)
			}
		}
		if len(words) > 0 && len(words) <= titleWords {
			return strings.Join(words, " ")
		}
	}
	return ""
}

// titleWords is how many words of a title tell at most what its rows are.
const titleWords = 6

// Several matches a question that several rows may answer, Lists a sentence that says what a table below it lists.
var (
	Several = lazy.New(`(?i)\b(?:which|what|all|list|show|name)\s+(?:of\s+)?(?:the\s+|our\s+|my\s+|these\s+)?(?:\pL{3,}s|people|men|women|children|staff|everyone|everybody|those)\b|` +
		`\b(?:who|wer|welche|alle)\s|\b(?:(?:list|show|name)\s+(?:[\pL\d'’.-]+\s+){0,4}?|which\s+(?:[\pL\d'’.-]+\s+){0,2}?)(?:\pL{3,}s|people)\b`)
	Lists = lazy.New(`(?i)\b(?:tables?|lists?|overview|register|schedule|tabelle|liste|übersicht|verzeichnis|plan)\b`)
)
