package mail

import (
	"hash/maphash"
	"regexp"
	"strings"
	"unicode"
	"unicode/utf8"

	"github.com/jhillyerd/enmime/v2"

	"lectern/shared/text/document"
)

// letter is the mail being read.
type letter struct {
	said    strings.Builder     // its text, up to keptBytes
	answers []string            // mails of the same file that it may quote
	words   map[uint64]struct{} // runs of words in them; nil until a quotation is met
	omitted int                 // letters of quotations that were left out
}

// Limits of finding a quotation in the mails that it is from.
const (
	keptBytes = 32 << 10 // of each mail
	ancestors = 4        // mails that are compared
	runWords  = 4        // that follow each other in both
)

// newLetter returns what is known of a mail before its text is read.
func (w *writer) newLetter(root *enmime.Part) *letter {
	l := &letter{}
	ids := strings.Fields(field(root, "References") + " " + field(root, "In-Reply-To"))
	for _, id := range ids[max(len(ids)-ancestors, 0):] {
		if text := w.sent[id]; text != "" {
			l.answers = append(l.answers, text)
		}
	}
	return l
}

// sentLetter keeps the text of a mail for those that answer it.
func (w *writer) sentLetter(root *enmime.Part) {
	if id := strings.TrimSpace(field(root, "Message-Id")); w.sent != nil && id != "" {
		w.sent[id] = w.letter.said.String()
	}
}

// says keeps text of the mail being read.
func (l *letter) says(text string) {
	if room := keptBytes - l.said.Len(); room > 0 {
		l.said.WriteString(text[:min(len(text), room)] + "\n")
	}
}

var seed = maphash.MakeSeed()

// runs calls f with the words of a text, runWords at a time, or all at once if they are
// fewer, without regard to lines and marks of quotations.
func runs(text string, f func(run uint64)) {
	words := strings.FieldsFunc(text, func(r rune) bool { return unicode.IsSpace(r) || r == '>' })
	for i := range max(len(words)-runWords+1, 1) {
		if run := words[i:min(i+runWords, len(words))]; len(run) > 0 {
			f(maphash.String(seed, strings.Join(run, " ")))
		}
	}
}

// knows reports whether a quotation is from a mail of the same file.
func (l *letter) knows(quotation string) bool {
	if len(l.answers) == 0 {
		return false
	}
	if l.words == nil {
		l.words = map[uint64]struct{}{}
		add := func(run uint64) { l.words[run] = struct{}{} }
		for _, text := range l.answers {
			runs(text, add)
			for line := range strings.SplitSeq(text, "\n") {
				if strings.Count(line, " ") < 2*runWords { // of few words
					runs(line, add)
				}
			}
		}
	}
	all, known := 0, 0
	runs(quotation, func(run uint64) {
		all++
		if _, ok := l.words[run]; ok {
			known++
		}
	})
	return all > 0 && known*10 >= all*9
}

// plain writes the text of a part. Lines that quote an earlier mail become quotations, so
// that they are not taken for what this mail says. What the same file has as a mail of its
// own is left out, since it would be found twice, the second time under the wrong sender.
func (w *writer) plain(text string) {
	text = document.Clean(text)
	w.letter.says(text)
	var own, quoted []string
	intro := "" // says who is quoted; it is written with the quotation
	end := func(quotes bool) {
		para := strings.Join(own, "\n")
		own = own[:0]
		if strings.TrimSpace(para) == "" {
			return
		}
		w.b.Paragraph(intro)
		if intro = ""; !quotes {
			para, intro = cutIntro(para)
		}
		w.b.Paragraph(para)
	}
	endQuoted := func() {
		if text := strings.Join(quoted, "\n"); w.letter.knows(text) {
			w.letter.omitted += letters(text)
		} else {
			w.b.Paragraph(intro)
			w.quote(quoted)
		}
		intro, quoted = "", quoted[:0]
	}
	for line := range strings.SplitSeq(text, "\n") {
		switch {
		case isQuoted(line):
			end(false)
			quoted = append(quoted, line)
		case len(quoted) > 0:
			endQuoted()
			own = append(own, line)
		case line == "":
			end(false)
		default:
			own = append(own, line)
		}
	}
	if len(quoted) > 0 {
		endQuoted()
	}
	end(true)
	w.b.Paragraph(intro)
}

// isQuoted reports whether a line quotes an earlier mail. "> 5" with a space may be one,
// ">5" is not.
func isQuoted(line string) bool {
	rest := strings.TrimLeft(line, ">")
	return rest != line && (rest == "" || rest[0] == ' ' || len(line)-len(rest) > 1 || rest[0] >= utf8.RuneSelf ||
		unicode.IsLetter(rune(rest[0])) || strings.IndexByte("\"'([*-", rest[0]) >= 0)
}

// wrote matches the line before a quotation, "On 3 May, Jo wrote:", in the languages that
// mail programs write it in most.
var wrote = regexp.MustCompile(`(?i)(?:^|\s)(?:wrote|writes|said|schrieb|schrieben|a écrit|escribió|escreveu|ha scritto|schreef|skrev|` +
	`napisał\(?a?\)?|пишет|писал\(?а?\)?)(?:\s[^!?]{0,200})?\s?:$|<[^<>\s]+@[^<>\s]+>[^.!?]{0,40}:$|写道[：:]$`)

var beginsIntro = regexp.MustCompile(`(?i)^(?:on|am|le|el|em|il|op|den|dnia)\s`)

// What such a line takes at most.
const (
	introLines = 3
	introBytes = 500
)

// cutIntro cuts the lines off the end of a paragraph that say who is quoted below.
func cutIntro(para string) (rest, intro string) {
	lines := strings.Split(strings.TrimSpace(para), "\n")
	last := func(n int) string { return strings.TrimSpace(strings.Join(lines[len(lines)-n:], " ")) }
	for n := 1; n <= min(introLines, len(lines)); n++ {
		if len(last(n)) > introBytes || !wrote.MatchString(last(n)) {
			continue
		}
		for more := n; more <= min(introLines, len(lines)); more++ { // "On 3 May, Jo <jo@example.com>" above "wrote:"
			if beginsIntro.MatchString(last(more)) {
				n = more
				break
			}
		}
		return strings.Join(lines[:len(lines)-n], "\n"), last(n)
	}
	return para, ""
}

// quote writes the lines of a quotation. Lines that were broken for their length are joined,
// so that a sentence of it can be found and cited.
func (w *writer) quote(lines []string) {
	var text strings.Builder
	depth, width := 0, 0 // of the line before
	for _, line := range lines {
		level, rest := 0, line
		for strings.HasPrefix(rest, ">") || strings.HasPrefix(rest, " >") {
			rest = strings.TrimPrefix(strings.TrimPrefix(rest, " "), ">")
			level++
		}
		rest = strings.TrimSpace(rest)
		if level != depth || rest == "" {
			w.b.Quote(text.String())
			text.Reset()
		}
		switch {
		case rest == "":
		case text.Len() == 0:
			text.WriteString(strings.Repeat("> ", level-1) + rest)
		case width >= brokenFrom && !strings.ContainsAny(text.String()[text.Len()-1:], ".!?:"):
			text.WriteString(" " + rest)
		default:
			text.WriteString("\n" + strings.Repeat("> ", level-1) + rest)
		}
		depth, width = level, utf8.RuneCountInString(rest)
	}
	w.b.Quote(text.String())
}

// brokenFrom is the length, in characters, from which a line may have been broken for it.
const brokenFrom = 50
