// Package plain finds the headings of plain text, which has no marks for them.
package plain

import (
	"regexp"
	"slices"
	"strings"
	"sync"
	"unicode"
	"unicode/utf8"

	"lectern/shared/text/sentence"
)

// Heading is a line that stands above what it names, with the line below or above it
// that underlines it.
type Heading struct {
	Start, End int // bytes
	Level      int // 1 is the document's title, 2 to 6 are those below it
	Title      string
}

// Headings finds headings in text: lines that are underlined, that stand in capital letters
// above indented text, that begin with a number, "§ 3" or "Article 4", or that are short and
// without a mark right above a paragraph or a list, all after a blank line, and the questions
// that answers follow: "Q. …" above "A. …". It takes linear time.
func Headings(text string) []Heading {
	var list []Heading
	rules := map[byte]int{} // levels of underlined headings, by their line's mark
	ls := window{rest: text}
	first := -1 // line that is not blank
	for i := 0; ls.has(i); i++ {
		l := ls.at(i)
		if first < 0 && !l.blank() {
			first = i
		}
		if l.blank() || i > 0 && !ls.at(i-1).blank() {
			continue
		}
		start := l.start
		if mark := l.rule(); mark != 0 && ls.at(i+2).rule() == mark { // a line above it, too
			i++
			l = ls.at(i)
		}
		if last, title := ls.question(i); last > i {
			start, i = l.start, last-1
			list = append(list, Heading{Start: start, End: ls.at(i).end, Level: deepest, Title: title})
			continue
		}
		next, below := ls.at(i+1), ls.at(i+1)
		underlined := next.rule() != 0 && next.underlines(l)
		if underlined && sentence.Columned(l.text) && sentence.Columned(ls.at(i+2).text) { // the names of columns
			continue
		}
		if !l.titled() && !(underlined && l.brief()) {
			continue
		}
		if next.blank() {
			below = ls.at(i + 2)
		}
		level := 0
		switch mark := next.rule(); {
		case underlined:
			if rules[mark] == 0 {
				rules[mark] = min(len(rules)+2, deepest)
			}
			level = rules[mark]
			i++
		case l.indent > 0 || below.blank():
			continue
		case l.capital() && (below.indent > 0 || l.width() >= ruleLeast && below.prose()) && !below.capital(), labelled().MatchString(l.text):
			level = 2
		case numbered().MatchString(l.text) && below.indent == 0 && (!numbered().MatchString(below.text) || below.under(l)):
			number, _, _ := strings.Cut(l.text, " ")
			level = min(2+strings.Count(strings.TrimRight(number, ".)"), "."), deepest)
		case len(list) == 0 && i == first && l.shouts() && !next.blank():
			level = 1
		case l.names(next):
			level = 3 // below those that are marked
		default:
			continue
		}
		list = append(list, Heading{Start: start, End: ls.at(i).end, Level: level, Title: l.text})
	}
	return list
}

// Title finds the title of a document of plain text: its first line or two, if these stand by
// themselves and are short, else the subject of a letter: a line that says so, or that stands by
// itself above the greeting.
func Title(text string) (Heading, bool) {
	ls := split(text[:min(len(text), titleWithin)])
	i := 0
	for i < len(ls) && ls[i].blank() {
		i++
	}
	last, first := i, at(ls, i)
	long := func(l line) bool { return len(l.text) > titleBytes/2 }
	if at(ls, i+1).titles() && !first.capital() && slices.ContainsFunc(ls[min(i+2, len(ls)):], long) {
		last++
	}
	rest := ls[min(last+1, len(ls)):]
	if first.titles() && len(rest) > 0 && rest[0].blank() && slices.ContainsFunc(rest, func(l line) bool { return !l.blank() }) {
		return titleOf(first.start, at(ls, last).end, text), true
	}
	for k := i; k < len(ls); k++ {
		l := ls[k]
		if m := subject().FindStringSubmatchIndex(l.text); m != nil && l.brief() {
			return titleOf(l.start+m[2], l.end, text), true
		}
		if greeting().MatchString(l.text) {
			if k == i {
				break
			}
			for k--; k > i && ls[k].blank(); k-- {
			}
			if l = ls[k]; k > i && ls[k-1].blank() && l.titled() && strings.Contains(l.text, " ") && !unicode.IsDigit(rune(l.text[0])) {
				return titleOf(l.start, l.end, text), true
			}
			break
		}
	}
	return Heading{}, false
}

func titleOf(start, end int, text string) Heading {
	return Heading{Start: start, End: end, Level: 1, Title: strings.Join(strings.Fields(text[start:end]), " ")}
}

// titles reports whether a line may be a title, or one of its two lines.
func (l line) titles() bool {
	return l.titled() && !strings.Contains(l.text, ": ") && !labelled().MatchString(l.text) && !numbered().MatchString(l.text)
}

// subject matches a line that tells what a letter is about.
var subject = sync.OnceValue(func() *regexp.Regexp {
	return regexp.MustCompile(`(?i)^(?:subject|re|ref|betreff|betr\.|objet|asunto|oggetto|assunto|betreft)\s*:\s*(\S.*)$`)
})

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
			`chapitre|clause|part|teil|top|item|agenda item|tagesordnungspunkt|appendix|anhang|annexe?|schedule)\s+(?:\d+(?:\.\d+)*|[ivx]+|[a-z]))(?:[.:)]|\s*[–—-])?(?:\s+\S.*)?$`)
	})
	numbered = sync.OnceValue(func() *regexp.Regexp {
		return regexp.MustCompile(`^(?:\d{1,2}(?:\.\d{1,2})*[.)]?|[IVX]{1,4}\.)\s+\p{Lu}`)
	})
)

// Lines with which a question and its answer begin.
var (
	asked    = sync.OnceValue(func() *regexp.Regexp { return regexp.MustCompile(`^(?:Q|F|Question|Frage)(?: ?\d{1,3})?[.:)] +\S`) })
	answered = sync.OnceValue(func() *regexp.Regexp { return regexp.MustCompile(`^(?:A|Answer|Antwort)(?: ?\d{1,3})?[.:)] +\S`) })
)

// line is a line without the blanks around it.
type line struct {
	start, end int
	indent     int
	text       string
}

func split(text string) []line {
	var list []line
	for w := (window{rest: text}); w.has(w.read); {
		list = append(list, *w.at(w.read))
	}
	return list
}

// window holds the lines of a text around the one that was last asked for, and not all of
// them: a text may be nothing but ends of lines.
type window struct {
	rest  string // not yet read
	pos   int    // of rest
	read  int    // lines
	lines [8]line
}

// has reports whether there is a line i, from 0; the line before it was asked for.
func (w *window) has(i int) bool { return i < w.read || w.rest != "" }

// at returns the line i, or an empty one beyond the last. Of the lines before those that
// were read the last few are there.
func (w *window) at(i int) *line {
	for w.read <= i {
		if w.rest == "" {
			return &line{}
		}
		raw := w.rest
		if n := strings.IndexByte(raw, '\n'); n >= 0 {
			raw = raw[:n+1]
		}
		content := strings.TrimSpace(raw)
		indent := strings.Index(raw, content)
		w.lines[w.read%len(w.lines)] = line{start: w.pos + indent, end: w.pos + indent + len(content), indent: indent, text: content}
		w.rest, w.pos, w.read = w.rest[len(raw):], w.pos+len(raw), w.read+1
	}
	return &w.lines[i%len(w.lines)]
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

// underlines reports whether a rule is as long as the line above it, or as what follows the
// number of that.
func (l *line) underlines(above *line) bool {
	return l.width() >= above.width()-ruleShort-max(0, l.indent-above.indent)
}

// titled reports whether a line may be a heading: short, with a letter, without a mark at
// its end.
func (l *line) titled() bool {
	return l.brief() && !strings.ContainsRune(".,;:!?|", rune(l.text[len(l.text)-1]))
}

// brief reports whether a line may be a heading if it is underlined.
func (l *line) brief() bool {
	return !l.blank() && len(l.text) <= titleBytes && strings.IndexFunc(l.text, unicode.IsLetter) >= 0 &&
		!strings.ContainsAny(l.text[:1], "|`>#-*+")
}

// Limits of a question that an answer follows: each passage below a heading has its title.
const (
	questionLines = 4
	questionBytes = 300
)

// question returns the question that begins in line i, and the line in which its answer
// begins; i where none does.
func (w *window) question(i int) (last int, title string) {
	first := w.at(i).text
	if !asked().MatchString(first) {
		return i, ""
	}
	_, title, _ = strings.Cut(first, " ")
	title = strings.TrimSpace(title)
	for n := i + 1; n <= i+questionLines; n++ {
		switch l := w.at(n); {
		case l.blank() || len(title) > questionBytes:
			return i, ""
		case answered().MatchString(l.text):
			return n, title
		default:
			title += " " + l.text
		}
	}
	return i, ""
}

// under reports whether a line begins with a number below that of another, as "4.1" is below "4.".
func (l *line) under(above *line) bool {
	number, _, _ := strings.Cut(above.text, " ")
	rest, ok := strings.CutPrefix(l.text, strings.TrimRight(number, ".)")+".")
	return ok && rest != "" && unicode.IsDigit(rune(rest[0]))
}

// Limits of a heading without any mark, and the least width of a line of a paragraph below it.
const (
	namesBytes     = 50
	namesWords     = 7
	paragraphWidth = 55
)

// greeting matches how a letter begins and ends.
var greeting = sync.OnceValue(func() *regexp.Regexp {
	return regexp.MustCompile(`(?i)^(?:hi|hello|hey|dear|good (?:morning|evening|day)|hallo|liebe[rs]?|sehr geehrte|guten|moin|bonjour|cher|hola|estimad|ciao|` +
		`best|kind|warm|yours|regards|thanks|thank you|cheers|sincerely|viele|herzliche|mit freundlichen|cordialement|saludos)\b`)
})

// names reports whether a line without any mark is the heading of the paragraph or of the list that begins in the next one.
func (l *line) names(next *line) bool {
	first, _ := utf8.DecodeRuneInString(l.text)
	if len(l.text) > namesBytes || !unicode.IsUpper(first) || strings.Count(l.text, " ") >= namesWords || strings.Contains(l.text, "  ") ||
		strings.ContainsAny(l.text, "\t:;=<>{}@\"“„") || greeting().MatchString(l.text) {
		return false
	}
	if rest, ok := strings.CutPrefix(next.text, "- "); ok || next.indent > 1 {
		return rest != "" && !strings.ContainsAny(next.text[:1], "{}<>$#")
	}
	begins, _ := utf8.DecodeRuneInString(next.text)
	return next.width() >= paragraphWidth && (unicode.IsUpper(begins) || unicode.IsDigit(begins)) && strings.ContainsAny(next.text, ".,;")
}

// shouts reports whether a line has no small letters, and enough capital ones for a title.
func (l *line) shouts() bool {
	capitals := 0
	for _, r := range l.text {
		if unicode.IsLower(r) {
			return false
		}
		if unicode.IsUpper(r) {
			capitals++
		}
	}
	return capitals >= shoutLetters
}

// prose reports whether a line is one of a paragraph or of a list below a heading in capital letters.
func (l *line) prose() bool {
	return strings.HasPrefix(l.text, "- ") || strings.HasPrefix(l.text, "* ") ||
		l.width() >= namesBytes && strings.IndexFunc(l.text, unicode.IsLower) > 0
}

const shoutLetters = 8

// capital reports whether a line has no other letters than capital ones.
func (l *line) capital() bool {
	return strings.IndexFunc(l.text, func(r rune) bool { return !unicode.IsUpper(r) && !strings.ContainsRune(" -/&,", r) }) < 0
}
