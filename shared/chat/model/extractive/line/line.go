// Package line tells what lines are that answer nothing by themselves, and which of them ask.
package line

import (
	"strings"
	"unicode"
	"unicode/utf8"

	"lectern/shared/chat/model/extractive/cell"
	"lectern/shared/chat/model/extractive/lazy"
	"lectern/shared/text/sentence"
	"lectern/shared/text/terms"
)

// Numbered matches the number of a section before its title.
var Numbered = lazy.New(`^\d+(?:\.\d+)*\\?[.)]?\s+\p{Lu}`)

// Contents matches what tables of contents have: titles with their pages.
var Contents = lazy.New(`[\pL?!)] \d{1,3} \d{1,2}(?:\.\d{1,2})+\.? \p{Lu}|(?:\. ?){4,}\d+(?:\s*$|\s.*(?:\. ?){4,}\d)|….{0,60} \d+\b.*…|(?:…|\.{3}) \d+\s*$`)

// GoesOn matches how the rest of a sentence begins.
var GoesOn = lazy.New(`^\p{Ll}+[ ,;]`)

// stamp matches when a message was written, and by whom, on a line of its own.
var stamp = lazy.New(`^(?:\[?(?:\d{4}-\d\d-\d\d|\d{1,2}[./]\d{1,2}[./]\d{2,4})[ T,]+\d{1,2}[:.]\d\d(?::\d\d)?(?: ?[ap]m)?\]?[\s–—-]+\pL[^.!?:]{1,60}:?|` +
	`(?:On|Am) [^.!?]{5,60}[,>] [^.!?]{2,60}(?: wrote| schrieb[^:]{0,40}):)$`)

// Stamped reports whether a line says when what is below it was written, and by whom: "2026-10-12 08:31  Ann Reyes (support)".
func Stamped(text string) bool { return len(text) <= stampBytes && stamp.In(text) }

const stampBytes = 160

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

// Labels of lists of frequent questions.
var (
	question = lazy.New(`^[*_]{0,2}(?:Q|Question|Frage|F)(?: ?\d{1,3})?:[*_]{0,2}(?:\s|$)`)
	reply    = lazy.New(`^[*_]{0,2}(?:A|Answer|Antwort)(?: ?\d{1,3})?:[*_]{0,2}(?:\s+|$)`)
)

// questionLevel is the level of a question as a heading: the lowest.
const questionLevel = 6

// Questions makes questions that are labelled as such ("Q: It does not start! Why?") headings, one for each, and takes the labels
// from the answers. It is given the sentences of a text and the levels of its headings by where they start, and returns the
// sentences that are left. Without a labelled question nothing changes.
func Questions(text string, list []sentence.Span, levels map[int]int) []sentence.Span {
	var out []sentence.Span
	asked := false // a question came before
	for i := 0; i < len(list); i++ {
		s := list[i]
		begins := s.Start == 0 || text[s.Start-1] == '\n'
		switch label := question.Get().FindString(text[s.Start:s.End]); {
		case begins && label != "":
			asked = true
			bare := s.Start+len(label) >= s.End
			for ; i+1 < len(list); i++ {
				next := list[i+1]
				if labelled(text[next.Start:next.End]) || !bare && strings.Contains(text[s.End:next.Start], "\n") {
					break // an answer may have no label
				}
				s.End, bare = next.End, false
			}
			levels[s.Start] = questionLevel
		case asked:
			s.Start += len(reply.Get().FindString(text[s.Start:s.End]))
		}
		if s.Start < s.End {
			out = append(out, s)
		}
	}
	return out
}

// recordFields is how many values a row that names them has at least.
const recordFields = 3

// Records makes one sentence of each row that names its values, whatever marks stand in these: "- Make: VW; Model: ID. Buzz; Type: Van".
func Records(text string, list []sentence.Span) []sentence.Span {
	var out []sentence.Span
	for i := 0; i < len(list); i++ {
		s := list[i]
		end := len(text)
		if at := strings.IndexByte(text[s.Start:], '\n'); at >= 0 {
			end = s.Start + at
		}
		if strings.HasSuffix(text[:s.Start], "- ") && i+1 < len(list) && list[i+1].Start < end {
			if names, _ := cell.Record(text[s.Start:end]); len(names) >= recordFields {
				for ; i+1 < len(list) && list[i+1].Start < end; i++ {
					s.End = list[i+1].End
				}
			}
		}
		out = append(out, s)
	}
	return out
}

// Asks reports whether a text is a question by its label.
func Asks(text string) bool { return question.In(text) }

// labelled reports whether a sentence begins with a label.
func labelled(text string) bool { return question.In(text) || reply.In(text) }

// section matches the mark of a section, of a paragraph or of an item before its text.
var section = lazy.New(`^\s*(?:\(\d{1,3}[a-z]?\)|\d{1,2}(?:\.\d{1,3})+\.?|\d{1,3}[.)]|§ ?\d+[a-z]?(?: Abs\. ?\d+)?)\s+`)

// Unnumbered returns a text without such a mark.
func Unnumbered(text string) string {
	if text == "" || text[0] >= utf8.RuneSelf && !strings.HasPrefix(text, "§") || unicode.IsLetter(rune(text[0])) {
		return text
	}
	return text[len(section.Get().FindString(text)):]
}

// OtherNumber reports whether words are about a thing of a name with other numbers than the one that is asked for: "Haus 2", of
// Haus 4.
func OtherNumber(words []terms.Word, noun, number string) bool {
	other := false
	for i, w := range words[:max(0, len(words)-1)] {
		next := words[i+1].Text
		if !w.Part && w.Text == noun && unicode.IsDigit(rune(next[0])) {
			if next == number {
				return false
			}
			other = true
		}
	}
	return other
}
