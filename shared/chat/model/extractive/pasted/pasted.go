// Package pasted parts what somebody writes into what is asked and what is told with it: a text in the same turn, of which it is
// asked.
package pasted

import (
	"strings"

	"lectern/shared/chat/model/extractive/lazy"
	"lectern/shared/text/delimited"
	"lectern/shared/text/sentence"
)

// Parts are what a turn holds.
type Parts struct {
	Told   []string // texts, in order, without labels and tags
	Asked  string   // what asks; the whole turn where that is not told from the rest
	Marked bool     // the turn says which is which: by labels, tags or fences
}

// Where a text says what its parts are.
var (
	tags   = strings.Fields("context document documents text passage passages article source sources content excerpt kontext dokument")
	askedL = lazy.New(`(?im)^[ \t>*#-]*(?:the |my |user(?:'s)? |input )?(?:question|query|frage|question de l'utilisateur|pregunta)[ \t]*\*{0,2}[ \t]*:[ \t]*\*{0,2}[ \t]*`)
	toldL  = lazy.New(`(?im)^[ \t>*#-]*(?:the |given |relevant |retrieved |reference )?(?:context|text|documents?|passages?|article|content|background|excerpts?|sources?|` +
		`notes?|information|kontext|dokumente?|hintergrund|contexte|contexto)(?: information)?(?: (?:is|are) (?:given |provided )?below)?[ \t]*\*{0,2}[ \t]*[:.][ \t]*\*{0,2}[ \t]*`)
	replyL = lazy.New(`(?im)^[ \t>*#-]*(?:helpful |final |your |short |concise |the )*(?:answer|response|antwort|réponse|respuesta)[ \t]*\*{0,2}[ \t]*:`)
	fence  = lazy.New("(?s)(?:^|\n)[ \t]*(?:```\\w*|\"\"\"|-{5,}|={5,})[ \t]*\n(.+?)\n[ \t]*(?:```|\"\"\"|-{5,}|={5,})[ \t]*(?:\n|$)")
	// orders are what asks without a mark of a question.
	orders = lazy.New(`(?i)^(?:please |can you |could you )?(?:summari[sz]e|explain|list|name|describe|tell me|give me|find|extract|translate|what|who|whom|whose|when|` +
		`where|which|why|how|is|are|was|were|do|does|did|can|may|fasse?|nenne|erkläre|wer|was|wann|wo|warum|wie|welche[rsmn]?)\b`)
)

// What is long and what is short, in bytes.
const (
	leastTold  = 40  // of a text that is taken for one by its tags or fences
	mostAsked  = 400 // of an order without a mark
	mostPrompt = 300 // of a turn without marks which is asked as it stands, where it need not be material
)

// Long reports whether a turn is so long that what it tells besides is not looked for.
func Long(text string) bool { return len(text) > mostPrompt }

// Split parts a turn.
func Split(text string) Parts {
	text = strings.TrimSpace(text)
	if len(text) <= mostPrompt && !strings.ContainsAny(text[:max(0, len(text)-1)], ".!?:<\n") {
		return Parts{Asked: text} // one sentence
	}
	if p, ok := labelled(text); ok {
		return p
	}
	if p, ok := enclosed(text); ok {
		return p
	}
	if p, ok := tabled(text); ok {
		return p
	}
	return unmarked(text)
}

// tabled parts a turn with a table, below or above which it asks; ok is false of one without.
func tabled(text string) (p Parts, ok bool) {
	tables := delimited.Find(text)
	if len(tables) == 0 {
		return p, false
	}
	first, last := tables[0][0].Start, tables[len(tables)-1]
	end := last[len(last)-1].End
	before, after := strings.TrimSpace(text[:first]), strings.TrimSpace(text[end:])
	switch {
	case after != "":
		p = unmarked(after)
		p.Told = append(filled([]string{text[:end]}), p.Told...)
	case before != "" && !strings.HasSuffix(before, ":"):
		p = unmarked(before)
		p.Told = append(p.Told, filled([]string{text[first:]})...)
	default:
		p.Asked = text
	}
	return p, true
}

// Questions returns what a letter asks, its questions one after the other; the letter where it asks none.
func Questions(text string) string {
	var list []string
	before := "" // the sentence before
	for _, s := range sentence.Split(text) {
		one := strings.TrimSpace(text[s.Start:s.End])
		if strings.HasSuffix(strings.TrimRight(one, "*_"), "?") {
			if one = introduced(one); refers.In(one) && before != "" {
				one = before + " " + one
			}
			list = append(list, one)
		}
		before = one
	}
	if len(list) == 0 {
		return text
	}
	return strings.Join(list, " ")
}

// refers matches a question that speaks of what the sentence before it names.
var refers = lazy.New(`(?i)^(?:\w+\W+){0,4}(?:it|its|he|him|his|she|her|they|them|their|this|that|these|those)\b`)

// Given returns the texts that a system prompt gives with the instructions, by labels, tags or fences.
func Given(text string) []string {
	if len(text) < leastTold {
		return nil
	}
	if p, ok := enclosed(text); ok {
		return p.Told
	}
	if label := toldL.Get().FindStringIndex(text); label != nil {
		if told := bare(text[label[1]:]); len(told) >= leastTold {
			return []string{told}
		}
	}
	return nil
}

// labelled parts a turn by a label before the question: "Context: … Question: …", in any order.
func labelled(text string) (p Parts, ok bool) {
	all := askedL.Get().FindAllStringIndex(text, -1)
	if all == nil {
		return p, false
	}
	at := all[len(all)-1]
	before, after := text[:at[0]], beforeReply(text[at[1]:])
	if label := toldL.Get().FindStringIndex(after); label != nil {
		p.Told = append(p.Told, bare(after[label[1]:]))
		after = after[:label[0]]
	} else if paragraph, rest, more := strings.Cut(after, "\n\n"); more && strings.TrimSpace(before) == "" {
		p.Told = append(p.Told, bare(rest)) // the question first, without a label of the text
		after = paragraph
	}
	if enclosing, ok := enclosed(before); ok {
		p.Told = append(enclosing.Told, p.Told...)
	} else if label := toldL.Get().FindStringIndex(before); label != nil {
		p.Told = append([]string{bare(before[label[1]:])}, p.Told...)
	} else {
		p.Told = append([]string{bare(before)}, p.Told...)
	}
	p.Told = filled(p.Told)
	p.Asked, p.Marked = strings.TrimSpace(after), true
	return p, p.Asked != "" && len(p.Told) > 0
}

// beforeReply returns a text without the label of the answer and what is behind it, unless it begins with that.
func beforeReply(text string) string {
	if end := replyL.Get().FindStringIndex(text); end != nil && strings.TrimSpace(text[:end[0]]) != "" {
		return text[:end[0]]
	}
	return text
}

// enclosed parts a turn by the tags or fences around its texts.
func enclosed(text string) (p Parts, ok bool) {
	rest := text
	for _, tag := range tags {
		var told []string
		told, rest = within(rest, "<"+tag+">", "</"+tag+">")
		p.Told = append(p.Told, told...)
	}
	if len(p.Told) == 0 {
		for _, m := range fence.Get().FindAllStringSubmatchIndex(rest, -1) {
			p.Told = append(p.Told, strings.TrimSpace(rest[m[2]:m[3]]))
		}
		rest = fence.Get().ReplaceAllString(rest, "\n\n")
	}
	p.Told = filled(p.Told)
	size := 0
	for _, told := range p.Told {
		size += len(told)
	}
	if size < leastTold {
		return Parts{}, false
	}
	p.Asked, p.Marked = asking(rest), true
	return p, true
}

// within returns the texts between two marks, and what is left without them.
func within(text, begin, end string) (told []string, rest string) {
	if !strings.Contains(text, begin) {
		return nil, text
	}
	var left strings.Builder
	for {
		before, after, ok := strings.Cut(text, begin)
		inner, after, closed := strings.Cut(after, end)
		if !ok || !closed {
			left.WriteString(text)
			return told, left.String()
		}
		told = append(told, inner)
		left.WriteString(before + "\n")
		text = after
	}
}

// asking returns what asks in a text of instructions: what its label names, else its last question, else the text.
func asking(text string) string {
	text = strings.TrimSpace(text)
	if all := askedL.Get().FindAllStringIndex(text, -1); all != nil {
		text = text[all[len(all)-1][1]:]
	}
	text = beforeReply(text)
	if q := unmarked(text); len(q.Told) > 0 {
		return q.Asked
	}
	return strings.TrimSpace(text)
}

// unmarked parts a turn by its questions, which stand at its end or its beginning, and by orders in paragraphs of their own.
func unmarked(text string) Parts {
	text = strings.TrimSpace(text)
	spans := sentence.Split(text)
	asks := func(s sentence.Span) bool {
		return strings.HasSuffix(strings.TrimRight(text[s.Start:s.End], "*_ \n"), "?")
	}
	first, last := 0, len(spans)
	for last > 0 && asks(spans[last-1]) {
		last--
	}
	if last == len(spans) { // some may thank at the end, others ask first
		for first < len(spans) && asks(spans[first]) {
			first++
		}
		if first == 0 {
			for i := len(spans) - 1; i >= 0; i-- {
				if asks(spans[i]) {
					return Parts{Told: filled([]string{text[:spans[i].Start], text[spans[i].End:]}), Asked: introduced(text[spans[i].Start:spans[i].End])}
				}
			}
			return ordered(text)
		}
		return Parts{Told: filled([]string{text[spans[first-1].End:]}), Asked: strings.TrimSpace(text[:spans[first-1].End])}
	}
	if last == 0 {
		return Parts{Asked: text}
	}
	return Parts{Told: filled([]string{text[:spans[last].Start]}), Asked: introduced(text[spans[last].Start:])}
}

// introduced returns a question without what leads into it: "Here is what I would like to ask: …"
func introduced(text string) string {
	text = strings.TrimSpace(text)
	if at := strings.LastIndex(text, ":\n"); at >= 0 {
		text = text[at+1:]
	} else if at := strings.LastIndex(text, ": "); at >= 0 && orders.In(strings.TrimSpace(text[at+1:])) {
		text = text[at+1:]
	}
	return strings.TrimSpace(text)
}

// ordered parts a turn without a question by an order at its end or its beginning.
func ordered(text string) Parts {
	if before, line, ok := cutLast(text); ok && len(line) <= mostAsked && orders.In(line) {
		return Parts{Told: filled([]string{before}), Asked: line}
	}
	if line, after, ok := strings.Cut(text, "\n"); ok && len(line) <= mostAsked && orders.In(line) {
		return Parts{Told: filled([]string{after}), Asked: strings.TrimSpace(line)}
	}
	return Parts{Asked: text}
}

// cutLast cuts a text before its last line.
func cutLast(text string) (before, line string, ok bool) {
	at := strings.LastIndexByte(text, '\n')
	if at < 0 {
		return "", text, false
	}
	return text[:at], strings.TrimSpace(text[at+1:]), true
}

// bare returns a text without rules above and below it and without the label of what follows.
func bare(text string) string {
	text = strings.TrimSpace(text)
	text = strings.TrimSpace(strings.Trim(text, "-=`\""))
	return text
}

// filled returns the texts that are not empty.
func filled(list []string) (out []string) {
	for _, text := range list {
		if text = strings.TrimSpace(text); text != "" {
			out = append(out, text)
		}
	}
	return out
}
