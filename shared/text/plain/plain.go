// Package plain finds the headings of plain text, which has no marks for them.
package plain

import (
	"regexp"
	"slices"
	"strings"
	"sync"
	"unicode"
	"unicode/utf8"
)

// Heading is a line that stands above what it names, with the line below or above it
// that underlines it.
type Heading struct {
	Start, End int // bytes
	Level      int // 1 is the document's title, 2 to 6 are those below it
	Title      string
}

// Headings finds headings in text: lines that are underlined, that stand in capital letters
// above indented text, or that begin with a number, "§ 3" or "Article 4", after a blank
// line. It takes linear time.
func Headings(text string) []Heading {
	var list []Heading
	rules := map[byte]int{} // levels of underlined headings, by their line's mark
	ls := split(text)
	for i := 0; i < len(ls); i++ {
		l := ls[i]
		if l.blank() || i > 0 && !ls[i-1].blank() {
			continue
		}
		start := l.start
		if mark := l.rule(); mark != 0 && i+2 < len(ls) && ls[i+2].rule() == mark { // a line above it, too
			i++
			l = ls[i]
		}
		if !l.titled() {
			continue
		}
		next, below := at(ls, i+1), at(ls, i+1)
		if next.blank() {
			below = at(ls, i+2)
		}
		level := 0
		switch mark := next.rule(); {
		case mark != 0 && next.width() >= l.width()-ruleShort:
			if rules[mark] == 0 {
				rules[mark] = min(len(rules)+2, deepest)
			}
			level = rules[mark]
			i++
		case l.indent > 0 || below.blank():
			continue
		case l.capital() && below.indent > 0 && !below.capital(), labelled().MatchString(l.text):
			level = 2
		case numbered().MatchString(l.text) && below.indent == 0 && !numbered().MatchString(below.text):
			number, _, _ := strings.Cut(l.text, " ")
			level = min(2+strings.Count(strings.TrimRight(number, ".)"), "."), deepest)
		default:
			continue
		}
		list = append(list, Heading{Start: start, End: ls[i].end, Level: level, Title: l.text})
	}
	return list
}

// Title finds the title of a document of plain text: its first line, if that stands by
// itself and is short.
func Title(text string) (Heading, bool) {
	ls := split(text[:min(len(text), titleWithin)])
	i := 0
	for i < len(ls) && ls[i].blank() {
		i++
	}
	l, rest := at(ls, i), ls[min(i+1, len(ls)):]
	if len(rest) == 0 || !rest[0].blank() || !slices.ContainsFunc(rest, func(l line) bool { return !l.blank() }) || !l.titled() ||
		strings.Contains(l.text, ": ") || labelled().MatchString(l.text) || numbered().MatchString(l.text) {
		return Heading{}, false
	}
	return Heading{Start: l.start, End: l.end, Level: 1, Title: strings.Join(strings.Fields(l.text), " ")}, true
}

const (
	titleBytes  = 80
	titleWithin = 4096
	ruleLeast   = 3 // characters of a line that underlines
	ruleShort   = 2 // by which it may be shorter
	deepest     = 6 // level
)

// Lines that begin with the number of a section. They are compiled when first used.
var (
	labelled = sync.OnceValue(func() *regexp.Regexp {
		return regexp.MustCompile(`(?i)^(?:§+\s*\d+[a-z]?|(?:article|artikel|artículo|articolo|artigo|section|chapter|kapitel|abschnitt|` +
			`chapitre|clause|part|teil|appendix|anhang|annexe?|schedule)\s+(?:\d+(?:\.\d+)*|[ivx]+|[a-z]))(?:[.:)]|\s*[–—-])?(?:\s+\S.*)?$`)
	})
	numbered = sync.OnceValue(func() *regexp.Regexp {
		return regexp.MustCompile(`^(?:\d{1,2}(?:\.\d{1,2})*[.)]?|[IVX]{1,4}\.)\s+\p{Lu}`)
	})
)

// line is a line without the blanks around it.
type line struct {
	start, end int
	indent     int
	text       string
}

func split(text string) []line {
	var list []line
	pos := 0
	for raw := range strings.Lines(text) {
		content := strings.TrimSpace(raw)
		indent := strings.Index(raw, content)
		list = append(list, line{start: pos + indent, end: pos + indent + len(content), indent: indent, text: content})
		pos += len(raw)
	}
	return list
}

func at(ls []line, i int) line {
	if i >= len(ls) {
		return line{}
	}
	return ls[i]
}

func (l *line) blank() bool { return l.text == "" }

func (l *line) width() int { return utf8.RuneCountInString(l.text) }

// rule returns the mark that a line repeats to underline another; 0 for other lines.
func (l *line) rule() byte {
	if len(l.text) < ruleLeast || !strings.ContainsRune(`=-~^"'*#+`, rune(l.text[0])) || strings.Trim(l.text, l.text[:1]) != "" {
		return 0
	}
	return l.text[0]
}

// titled reports whether a line may be a heading: short, with a letter, without a mark at
// its end.
func (l *line) titled() bool {
	if l.blank() || len(l.text) > titleBytes || strings.ContainsRune(".,;:!?|", rune(l.text[len(l.text)-1])) {
		return false
	}
	return strings.IndexFunc(l.text, unicode.IsLetter) >= 0 && !strings.ContainsAny(l.text[:1], "|`>#-*+")
}

// capital reports whether a line has no other letters than capital ones.
func (l *line) capital() bool {
	return strings.IndexFunc(l.text, func(r rune) bool { return !unicode.IsUpper(r) && !strings.ContainsRune(" -/&,", r) }) < 0
}
