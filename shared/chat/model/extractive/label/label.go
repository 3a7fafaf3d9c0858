// Package label reads what a text says of a field: "Amount: 1240.50", "The amount is
// 1240.50", "Amount 1240.50" and "71.5 kg" fill amount and weight_kg. It looks at the
// words of the field alone, so that it finds nothing rather than something else.
package label

import (
	"cmp"
	"iter"
	"regexp"
	"slices"
	"strings"
	"sync"
	"unicode"

	"lectern/shared/chat/model/extractive/cell"
	"lectern/shared/text/sentence"
	"lectern/shared/text/terms"
)

// Field is what is looked for.
type Field struct {
	Name, About string   // as a schema says it; About may be empty
	Under       []string // names of the objects that it lies in
}

// pair is a value that stands with a name.
type pair struct {
	name  map[string]bool // stems
	value string
}

// Text is a text with what it says. Safe for concurrent use.
type Text struct {
	pairs    []pair     // of labels, then of sentences like "The amount is 5"
	segments []*segment // sentences, lines and their parts
}

type segment struct {
	text    string
	words   []terms.Word
	stems   []string
	numbers []Number
}

// How much is read, in bytes: of all texts together, and as one sentence. Every number of
// a sentence is compared with all words of it.
const (
	maxText     = 100_000
	maxSentence = 1_000
)

var (
	// labelForm matches a name and the mark after it. Digits after a colon are a time.
	labelForm = sync.OnceValue(func() *regexp.Regexp {
		return regexp.MustCompile(`([\p{L}#№][\p{L}\p{N}_#№%/()'’ .-]{0,60}?)\s*[:=](?:\s+|$|[^\s/\d:=])`)
	})
	spacedForm = sync.OnceValue(func() *regexp.Regexp {
		return regexp.MustCompile(`^\s*([\p{L}][\p{L}\p{N}_#/()' .-]{0,60}?)(?:\t+| {2,}|\s*\.{3,})\s*(\S.*)$`)
	})
	isForm = sync.OnceValue(func() *regexp.Regexp {
		return regexp.MustCompile(`(?i)\b(?:is|are|was|were|equals|amounts to|comes to|ist|lautet|beträgt|est|es|è)\s`)
	})
	asksForm = sync.OnceValue(func() *regexp.Regexp { // begins no statement
		return regexp.MustCompile(`(?i)^\W*(?:what|which|who|whose|how|where|when|why|is|are|does|do|did|has|have|can|if)\b`)
	})
	ordersForm = sync.OnceValue(func() *regexp.Regexp {
		return regexp.MustCompile(`(?i)^\W*(?:please )?(?:(?:extract|fill|read)\b|(?:find|list|return|give|tell|show|get)\s+(?:the|all|me|every)\b)`)
	})
	marks = strings.NewReplacer("**", "", "__", "", "\r", "")
)

// Read reads texts, of which the first go before the others.
func Read(texts ...string) *Text {
	t := &Text{}
	var said []pair
	left := maxText
	for _, text := range texts {
		if len(text) > left {
			text = strings.ToValidUTF8(text[:left], "")
		}
		left -= len(text)
		text = marks.Replace(text)
		waiting := false // a label whose value is on the next line
		for line := range strings.Lines(text) {
			line = strings.TrimRight(line, "\n")
			if waiting && strings.TrimSpace(line) != "" && !labelForm().MatchString(line) {
				t.pairs[len(t.pairs)-1].value = trimmed(line)
			}
			waiting = false
			if cells := cell.Split(line); strings.HasPrefix(strings.TrimSpace(line), "|") && len(cells) == 2 {
				t.pairs = append(t.pairs, pair{stemsOf(cells[0]), trimmed(cells[1])})
				continue
			}
			for span := range sentence.All(line) {
				for part := range parts(line[span.Start:span.End]) {
					waiting = t.read(part, &said)
				}
			}
		}
	}
	t.pairs = append(slices.DeleteFunc(t.pairs, func(p pair) bool { return p.value == "" }), said...)
	return t
}

// parts splits a sentence at semicolons, and a long one at commas too.
func parts(text string) iter.Seq[string] {
	return func(yield func(string) bool) {
		for part := range strings.SplitSeq(text, ";") {
			for len(part) > maxSentence {
				at := strings.LastIndexByte(part[:maxSentence], ',') + 1
				if at == 0 {
					at = maxSentence
				}
				if !yield(strings.ToValidUTF8(part[:at], "")) {
					return
				}
				part = part[at:]
			}
			if !yield(strings.ToValidUTF8(part, "")) {
				return
			}
		}
	}
}

// read reads one sentence or line; waiting reports that it ends with a label.
func (t *Text) read(text string, said *[]pair) (waiting bool) {
	s := &segment{text: text, numbers: All(text)}
	for _, w := range terms.Words(text) {
		if !w.Part {
			s.words, s.stems = append(s.words, w), append(s.stems, alias(w.Text))
		}
	}
	labels := labelForm().FindAllStringSubmatchIndex(text, -1)
	asked := strings.HasSuffix(strings.TrimSpace(text), "?") || len(labels) == 0 && ordersForm().MatchString(text)
	if !asked {
		t.segments = append(t.segments, s)
	}
	for i, m := range labels {
		end := len(text)
		if i+1 < len(labels) {
			end = labels[i+1][2]
		}
		name := text[m[2]:m[3]]
		if at := strings.LastIndex(name, ". "); at >= 0 {
			name = name[at+2:]
		}
		if at := strings.IndexAny(text[m[3]:end], ":="); len(strings.Fields(name)) <= maxWords {
			value := trimmed(text[m[3]+at+1 : end])
			t.pairs = append(t.pairs, pair{stemsOf(name), value})
			waiting = value == ""
		}
	}
	if len(labels) > 0 || asked || asksForm().MatchString(text) {
		return waiting
	}
	if m := spacedForm().FindStringSubmatch(text); m != nil && len(strings.Fields(m[1])) <= maxWords {
		t.pairs = append(t.pairs, pair{stemsOf(m[1]), trimmed(m[2])})
	} else if at := isForm().FindStringIndex(text); at != nil && len(strings.Fields(text[:at[0]])) <= maxWords+2 {
		*said = append(*said, pair{stemsOf(text[:at[0]]), trimmed(text[at[1]:])})
	}
	return false
}

// maxWords is how many words a name has at most.
const maxWords = 6

func trimmed(s string) string {
	s = strings.TrimRight(strings.TrimSpace(s), ",;| ")
	if !strings.HasSuffix(s, "..") {
		s = strings.TrimSuffix(s, ".")
	}
	return strings.Trim(s, " `\"“”")
}

var aliases = map[string]string{"no": "number", "nr": "number", "num": "number", "#": "number", "№": "number", "nummer": "number",
	"numero": "number", "qty": "quantity", "tel": "phone", "telephone": "phone", "mail": "email",
	"eur": "euro", "€": "euro", "usd": "dollar", "$": "dollar",
	"gbp": "pound", "£": "pound", "%": "percent", "kilograms": "kg", "kilogram": "kg", "kilometers": "km", "kilometres": "km", "hrs": "hour",
	"mins": "minute", "min": "minute", "pct": "percent", "percentage": "percent"}

func alias(word string) string {
	if other, ok := aliases[word]; ok {
		return other
	}
	return terms.Stem(word)
}

// stemsOf returns the stems of the words of a name, also of one like dueDate.
func stemsOf(name string) map[string]bool {
	out := map[string]bool{}
	for _, w := range Words(name) {
		if stem := alias(w); w == "no" || w == "nr" || !terms.Stop("", w) {
			out[stem] = true
		}
	}
	return out
}

// Words returns the words of a name like dueDate or due_date, folded.
func Words(name string) (list []string) {
	var spaced strings.Builder
	var last rune
	for _, r := range name {
		switch {
		case unicode.IsUpper(r) && unicode.IsLower(last), (r == '#' || r == '№') && last != ' ':
			spaced.WriteByte(' ')
		case r == '_' || r == '-' || r == '.' || r == '/':
			r = ' '
		}
		spaced.WriteRune(r)
		last = r
	}
	if strings.ContainsAny(name, "#№") {
		list = append(list, "#")
	}
	for _, w := range terms.Words(spaced.String()) {
		if !w.Part && strings.Trim(w.Text, "#№") != "" {
			list = append(list, w.Text)
		}
	}
	return list
}

// wanted is a field with its words.
type wanted struct {
	core, about, under map[string]bool
	optional           map[string]bool // words of the type: date, or a unit
}

func (f Field) words(typed ...string) wanted {
	w := wanted{core: stemsOf(f.Name), about: stemsOf(f.About), under: map[string]bool{}, optional: map[string]bool{}}
	for _, name := range f.Under {
		for stem := range stemsOf(name) {
			w.under[stem] = true
		}
	}
	for _, word := range typed {
		if stem := alias(word); w.core[stem] {
			w.optional[stem] = true
			delete(w.core, stem)
		}
	}
	return w
}

// fits scores how well a name is that of the field; 0 where it is another one's.
func (w wanted) fits(name map[string]bool) int {
	missing, shared, extra := 0, 0, 0
	for stem := range w.core {
		if !name[stem] {
			missing++
		}
	}
	told := 0 // of the description alone
	for stem := range name {
		switch {
		case w.core[stem] || w.optional[stem]:
			shared++
		case w.about[stem]:
			told++
		case !w.under[stem]:
			extra++
		}
	}
	switch {
	case shared > 0 && missing == 0 && extra <= 3:
		return 100 - 10*extra
	case shared > 0 && extra == 0 && len(w.core) > 0:
		return 60 - 10*missing
	case told > 0 && extra == 0 && len(w.about) <= shortAbout:
		return 10 + told
	case len(name) > 0 && extra == 0 && len(w.core) == 0:
		return 5 // of the object that it lies in
	}
	return 0
}

// shortAbout is how many words a description has that names a label.
const shortAbout = 4

// best returns the values for a field, the best first.
func (t *Text) best(w wanted) (values []string) {
	type scored struct {
		value string
		score int
	}
	var list []scored
	for _, p := range t.pairs {
		if score := w.fits(p.name); score > 0 {
			list = append(list, scored{p.value, score})
		}
	}
	slices.SortStableFunc(list, func(a, b scored) int { return cmp.Compare(b.score, a.score) })
	for _, one := range list {
		values = append(values, one.value)
	}
	return values
}

// after returns where the words of a field end in a segment that has them all; -1 otherwise.
func (s *segment) after(w wanted) int {
	end, found := -1, map[string]bool{}
	for i, stem := range s.stems {
		if w.core[stem] {
			found[stem] = true
			if end < 0 || len(found) <= len(w.core) {
				end = i
			}
		}
		if len(found) == len(w.core) && found[stem] {
			break
		}
	}
	if len(found) == 0 || len(found) < len(w.core) {
		return -1
	}
	return end
}
