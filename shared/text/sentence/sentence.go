// Package sentence finds sentences in text of any language that we index.
//
// It uses rules, not a model: end marks by script, with exceptions for
// abbreviations, initials, numbers and ellipses. When in doubt it does not
// split, because a missed boundary only makes a longer sentence. Line breaks
// end sentences too, except inside hard-wrapped paragraphs.
package sentence

import (
	"iter"
	"slices"
	"strings"
	"unicode"
	"unicode/utf8"

	"lectern/shared/text/delimited"
)

// Span is a sentence's byte range, without surrounding white space and without
// the Markdown marker of a heading, quotation or list item before it. A check box
// before it is part of it.
type Span struct{ Start, End int }

// Split returns the sentences of text in order. It takes linear time.
func Split(text string) []Span {
	var spans []Span
	for s := range All(text) {
		spans = append(spans, s)
	}
	return spans
}

// All walks the sentences of text in order.
func All(text string) iter.Seq[Span] {
	return func(yield func(Span) bool) {
		start, lineStart := 0, 0
		rows := separated(text)
		for i := 0; i < len(text); {
			if len(rows) > 0 && i >= rows[0].Start {
				if s, ok := trim(text, start, rows[0].Start); ok && !yield(s) {
					return
				}
				if !yield(rows[0]) {
					return
				}
				i, rows = rows[0].End, rows[1:]
				start, lineStart = i, i
				continue
			}
			c := text[i]
			if c == '|' && i == lineStart {
				i = rowEnd(text, i)
				continue
			}
			if !mayEnd(c) {
				i++
				continue
			}
			end, next := 0, 0
			switch {
			case c == '\n':
				if !endsLine(text, lineStart, i) {
					i++
					lineStart = i
					continue
				}
				end, next = i, i+1
				lineStart = next
			case c < utf8.RuneSelf:
				end, next = endsLatin(text, start, i)
			default:
				end, next = endsWide(text, start, i)
			}
			i = next
			if end == 0 {
				continue
			}
			if s, ok := trim(text, start, end); ok && !yield(s) {
				return
			}
			start = end
		}
		if s, ok := trim(text, start, len(text)); ok {
			yield(s)
		}
	}
}

// longestRow is the length of a row of a table, in bytes, up to which it is one
// sentence, whatever its cells hold: "2. Quarter" is no end.
const longestRow = 400

// rowEnd returns where the row of a Markdown table that begins at i ends; i+1 if it
// is too long.
func rowEnd(text string, i int) int {
	n := strings.IndexByte(text[i:], '\n')
	if n < 0 {
		n = len(text) - i
	}
	if n > longestRow || text[i+n-1] != '|' {
		return i + 1
	}
	return i + n
}

// mayEnd reports whether a sentence or line can end at a rune whose first byte
// is c: . ! ? newline, and the first bytes of the wide marks.
func mayEnd(c byte) bool {
	switch c {
	case '.', '!', '?', '\n', 0xE2, 0xE3, 0xEF, 0xD8, 0xDB, 0xE0, 0xE1:
		return true
	}
	return false
}

// endsLatin examines the run of marks at i. It returns the end of the sentence,
// or 0 if it continues, and where to look next.
func endsLatin(text string, start, i int) (end, next int) {
	first := i
	for i < len(text) {
		if c := text[i]; c == '.' || c == '!' || c == '?' {
			i++
		} else if strings.HasPrefix(text[i:], "…") {
			i += len("…")
		} else {
			break
		}
	}
	marks := text[first:i]
	closed := skipClosers(text, i)
	quoted := closed > i
	if closed == len(text) {
		return closed, closed
	}
	r, size := utf8.DecodeRuneInString(text[closed:])
	if r != '\n' && leads(text, first, marks) {
		return 0, closed
	}
	if !unicode.IsSpace(r) {
		// "example.com", "3.14", "e.g.,"; a script without spaces may follow.
		if !isHan(r) || marks == "." && first > 0 && text[first-1] < utf8.RuneSelf {
			return 0, closed
		}
		return closed, closed
	}
	if r == '\n' {
		// The line break decides.
		return 0, closed
	}
	word := nextWord(text, closed+size)
	if joins(text[start:first], marks, quoted, word) {
		return 0, closed
	}
	return closed, closed
}

// leaderDots is how many dots lead from what a line names to its value, at least: "Half plot .... £34".
const leaderDots = 4

// leads reports whether marks are such dots: after a blank, or more of them than any sentence ends with.
func leads(text string, at int, marks string) bool {
	return len(marks) >= leaderDots && strings.Trim(marks, ".") == "" && (at == 0 || text[at-1] == ' ' || len(marks) > 2*leaderDots)
}

// Leader returns a line that names a value and leads to it by dots as what it names and the value; ok is false for any
// other, and where it leads to the page of a title.
func Leader(line string) (name, value string, ok bool) {
	at := strings.Index(line, "....")
	if at <= 0 || at > leaderBytes {
		return "", "", false
	}
	name, value = strings.TrimSpace(line[:at]), strings.TrimSpace(strings.TrimLeft(line[at:], "."))
	return name, value, name != "" && value != "" && len(value) <= leaderBytes && strings.Trim(value, "0123456789ivxl ") != "" &&
		leads(line, at, line[at:len(line)-len(strings.TrimLeft(line[at:], "."))])
}

const leaderBytes = 120 // of what leads to a value, and of the value

// Marked reports whether text ends with an end mark and optional quotation
// marks or brackets.
func Marked(text string) bool {
	text = strings.TrimRight(text, "\"'”’»›“)]*_」』）】》〉")
	r, _ := utf8.DecodeLastRuneInString(text)
	return text != "" && strings.ContainsRune(".!?…。！？｡؟।॥۔", r)
}

// joins reports whether the sentence continues after its marks; before is the
// text before them, word the next word.
func joins(before, marks string, quoted bool, word string) bool {
	next, _ := utf8.DecodeRuneInString(word)
	lower := unicode.IsLower(next)
	if marks != "." {
		// "Wait... what", "\"Really?\" he asked": before a small letter the sentence
		// continues, unless the mark is unambiguous.
		return lower && (quoted || marks[0] == '.')
	}
	if word == "" {
		return false
	}
	// In texts without capitals, a long sentence ends anyway.
	if lower && len(before) < 300 {
		return true
	}
	last := lastWord(before)
	if last == "" {
		return true
	}
	alone := len(before) < 64 && strings.TrimSpace(before) == last
	return isAbbreviation(last, word, alone) || isOrdinal(last, before)
}

// isOrdinal reports whether a number is a German ordinal, by the article or the preposition before it: "im 2.
// Obergeschoss".
func isOrdinal(number, before string) bool {
	if len(number) > 2 || strings.Trim(number, "0123456789") != "" {
		return false
	}
	switch lastWord(strings.TrimRight(before[:len(before)-len(number)], " ")) {
	case "im", "am", "der", "dem", "den", "die", "das", "des", "zum", "zur", "vom", "ins", "beim", "ab", "jeder", "jeden", "jedes", "ihrem",
		"ihren",
		"seinem", "seinen", "Im", "Am", "Der", "Die", "Das", "Zum", "Zur", "Vom":
		return true
	}
	return false
}

// endsWide examines a mark outside ASCII at i.
func endsWide(text string, start, i int) (end, next int) {
	r, size := utf8.DecodeRuneInString(text[i:])
	next = i + size
	switch r {
	case '。', '！', '？', '｡':
		for next < len(text) {
			r, size := utf8.DecodeRuneInString(text[next:])
			if r != '。' && r != '！' && r != '？' && r != '｡' && r != '…' {
				break
			}
			next += size
		}
		closed := skipClosers(text, next)
		if closed > next && closed < len(text) {
			// A quotation inside a sentence: 「…。」と言った。
			if r, _ := utf8.DecodeRuneInString(text[closed:]); isHan(r) && strings.ContainsRune("とっては的地了着说說道", r) {
				return 0, closed
			}
		}
		return closed, closed
	case '।', '॥', '؟', '۔', '።', '។', '။':
		closed := skipClosers(text, next)
		return closed, closed
	case '…', '‽', '⁇', '⁈', '⁉':
		return endsEllipsis(text, start, i, next)
	case '\u2029': // "\u2028" is a line break within a paragraph
		return i, next
	}
	return 0, next
}

func endsEllipsis(text string, start, i, next int) (int, int) {
	if next < len(text) && (text[next] == '.' || text[next] == '!' || text[next] == '?') {
		return 0, next // the run that begins there decides
	}
	closed := skipClosers(text, next)
	if closed == len(text) {
		return closed, closed
	}
	r, size := utf8.DecodeRuneInString(text[closed:])
	if !unicode.IsSpace(r) || r == '\n' {
		return 0, closed
	}
	word := nextWord(text, closed+size)
	first, _ := utf8.DecodeRuneInString(word)
	if unicode.IsLower(first) || joins(text[start:i], "…", closed > next, word) {
		return 0, closed
	}
	return closed, closed
}

// skipClosers returns the offset after the closing quotation marks and brackets at i.
func skipClosers(text string, i int) int {
	for i < len(text) {
		if text[i] < utf8.RuneSelf {
			switch text[i] {
			case '"', '\'', ')', ']', '*', '_':
				i++
				continue
			}
			return i
		}
		r, size := utf8.DecodeRuneInString(text[i:])
		switch r {
		case '”', '’', '»', '›', '」', '』', '）', '】', '》', '〉', '“':
			i += size
			continue
		}
		return i
	}
	return i
}

// nextWord returns the letters and digits after opening marks. It looks at a
// few bytes only.
func nextWord(text string, i int) string {
	start := -1
	for j, r := range text[i:min(len(text), i+48)] {
		letter := unicode.IsLetter(r) || unicode.IsDigit(r)
		if start < 0 {
			if r == '\n' {
				return ""
			}
			if letter {
				start = j
			}
			continue
		}
		if !letter && !unicode.IsMark(r) {
			return text[i+start : i+j]
		}
	}
	if start < 0 {
		return ""
	}
	return text[i+start : min(len(text), i+48)]
}

// lastWord returns the end of s after white space or an opening mark, truncated
// because no abbreviation is long.
func lastWord(s string) string {
	s = s[max(0, len(s)-24):]
	if i := strings.LastIndexAny(s, " \t\n([\"'/-"); i >= 0 {
		s = s[i+1:]
	}
	return strings.TrimLeft(s, "“„«‘*_")
}

// endsLine reports whether the line break at i, of a line that started at
// lineStart, ends a sentence. It does not inside a wrapped paragraph: after a
// line of usual width without an end mark, before a plain line of about the
// same indentation.
func endsLine(text string, lineStart, i int) bool {
	line := strings.TrimRight(text[lineStart:i], " \t\r")
	next, rest := Indentation(text[i+1:])
	lost := 0 // of the indentation of the line that begins the text: it may have been cut off
	if lineStart == 0 {
		lost = next
	}
	width := len(line) + lost
	if width < 40 || line == "" || i+1 >= len(text) || line[0] == '|' || line[0] == '#' {
		return true
	}
	if width > 240 || strings.Trim(line, "-=_ ") == "" { // a rule
		return true
	}
	if chars := utf8.RuneCountInString(line); chars > 120 {
		return true
	} else if width = chars + lost; width < 40 {
		return true
	}
	switch line[len(line)-1] {
	case '.':
		if !isAbbreviation(lastWord(line[:len(line)-1]), "", false) {
			return true
		}
	case '!', '?', ':', '"', '|':
		return true
	}
	own, line := Indentation(line)
	option := isOption(line)
	if n := markerBytes(line); n > 0 {
		own += n // what goes on below an item stands below its text
	} else if at := strings.Index(line, "  "); option && at > 0 {
		beside, _ := Indentation(line[at:])
		own += at + beside // and below what is said of an option beside it
	}
	alike := lineStart == 0 || next-own <= maxShift && own-next <= maxShift
	r, size := utf8.DecodeRuneInString(rest)
	switch {
	case isMarker(rest), option && next > own+maxShift, stamped(rest), labels(rest), Columned(line) && Columned(rest),
		strings.Contains(line, "....."):
		return true
	case unicode.IsLower(r):
		return false
	case isOption(rest):
		return option || !alike || width < fullWidth
	case unicode.IsLetter(r), unicode.IsDigit(r), strings.ContainsRune("(\"“„«'‘[", r) && len(rest) > size,
		strings.ContainsRune("/~`$%<", r) && len(rest) > size && rest[size] > ' ': // a path, not a command after its prompt
		return !alike || width < fullWidth
	}
	return true
}

// separated returns the rows of tables whose cells tabs, semicolons or commas part: each is one sentence.
func separated(text string) (rows []Span) {
	for _, table := range delimited.Find(text) {
		for _, row := range table {
			rows = append(rows, Span{row.Start, row.End})
		}
	}
	return rows
}

// stamped reports whether a line begins with a day and a time, as those of chats and logs do.
func stamped(line string) bool {
	line = strings.TrimPrefix(line, "[")
	if line == "" || !isDigit(line[0]) {
		return false
	}
	head := line[:min(len(line), stampBytes)]
	at := strings.IndexByte(head, ':')
	return at > 0 && at+1 < len(head) && isDigit(head[at-1]) && isDigit(head[at+1]) && strings.ContainsAny(head[:at], "/-.")
}

const stampBytes = 20

// labels reports whether a line begins with the name of what it tells, as in "Place: Town hall", or leads to it by dots.
func labels(line string) bool {
	if i := strings.IndexByte(line, '\n'); i >= 0 {
		line = line[:i]
	}
	if _, _, ok := Leader(line); ok {
		return true
	}
	at := strings.Index(line[:min(len(line), labelBytes)], ": ")
	first, _ := utf8.DecodeRuneInString(line)
	return at > 1 && unicode.IsUpper(first) && strings.Count(line[:at], " ") < labelWords && !strings.ContainsAny(line[:at], ".,;()\"'")
}

// Columned reports whether the first line of a text has columns, parted by several blanks.
func Columned(line string) bool {
	if i := strings.IndexByte(line, '\n'); i >= 0 {
		line = line[:i]
	}
	return strings.Contains(strings.TrimSpace(line), "   ")
}

const (
	labelBytes = 32
	labelWords = 3
)

func isDigit(c byte) bool { return c >= '0' && c <= '9' }

const (
	fullWidth = 60 // characters of a line from which the next may go on with a capital letter
	maxShift  = 3  // of the indentation within a paragraph
)

// Indentation returns in which column, from 0, a line begins, with tab stops every eight,
// and the line from there.
func Indentation(line string) (column int, rest string) {
	for i := range len(line) {
		switch line[i] {
		case ' ':
			column++
		case '\t':
			column += 8 - column%8
		default:
			return column, line[i:]
		}
	}
	return column, ""
}

// isOption reports whether a line starts with an option of a program, such as --all.
func isOption(line string) bool {
	name := strings.TrimLeft(line, "-")
	return name != "" && len(line)-len(name) >= 1 && len(line)-len(name) <= 2 && unicode.IsLetter(rune(name[0]))
}

// bullets stand before the items of lists.
const bullets = "•◦▪▫‣●○∙⁃➢➤"

// ticks stand before what they answer, as of a form: whether a box is checked belongs to
// the sentence. Squares and check marks may be bullets too, and are kept all the same:
// without them what is left unchecked reads as if it held.
const ticks = "☐☑☒□■✓✔✗✘"

// Tick returns the length of the check box or check mark that a text begins with, in bytes;
// 0 without.
func Tick(text string) int {
	if r, size := utf8.DecodeRuneInString(text); r > unicode.MaxASCII && strings.ContainsRune(ticks, r) {
		return size
	}
	return 0
}

// Bullet returns the length of the bullet that a text begins with, in bytes; 0 without.
func Bullet(text string) int {
	if r, size := utf8.DecodeRuneInString(text); r > unicode.MaxASCII && strings.ContainsRune(bullets, r) {
		return size
	}
	return 0
}

// isMarker reports whether a line starts with the marker of a list item,
// quotation, heading or table row, or with a check box.
func isMarker(line string) bool {
	return markerBytes(line) > 0 || strings.HasPrefix(line, "|") || Tick(line) > 0
}

// markerBytes returns the length of a line's marker.
func markerBytes(line string) int {
	if line == "" {
		return 0
	}
	i := 0
	switch c := line[0]; {
	case c == '-' || c == '*' || c == '+':
		i = 1
	case c == '>':
		i = 1
		if len(line) == 1 || line[1] != ' ' {
			return 1
		}
	case c == '#':
		for i < len(line) && i < 6 && line[i] == '#' {
			i++
		}
	case c >= '0' && c <= '9':
		for i < len(line) && i < 3 && line[i] >= '0' && line[i] <= '9' {
			i++
		}
		if i == len(line) || line[i] != '.' && line[i] != ')' || dayAt(line[i:]) {
			return 0
		}
		i++
	case c >= 'a' && c <= 'z' && len(line) > 1 && line[1] == ')':
		i = 2
	case Bullet(line) > 0:
		i = Bullet(line)
	}
	if i == 0 || i >= len(line) || line[i] != ' ' && line[i] != '\t' {
		return 0
	}
	return i + 1
}

// dayAt reports whether what stands behind a number makes it the day of a month, as it is written in German: "5. April".
func dayAt(rest string) bool {
	rest, ok := strings.CutPrefix(rest, ". ")
	return ok && slices.ContainsFunc(germanMonths, func(month string) bool {
		after, found := strings.CutPrefix(rest, month)
		next, _ := utf8.DecodeRuneInString(after)
		return found && !unicode.IsLetter(next)
	})
}

var germanMonths = strings.Fields("Januar Jänner Februar März April Mai Juni Juli August September Oktober November Dezember")

// escapeBytes returns the length of the backslash that keeps a line from being a block of
// Markdown that it is not: "\- 5 degrees".
func escapeBytes(line string) int {
	if len(line) > 1 && line[0] == '\\' && strings.IndexByte("-+*>|#=~", line[1]) >= 0 {
		return 1
	}
	return 0
}

// trim removes white space and markers around a sentence; false if nothing is left.
func trim(text string, start, end int) (Span, bool) {
	s := text[start:end]
	atLine := start == 0 || text[start-1] == '\n' || strings.HasPrefix(s, "\n")
	for {
		trimmed := strings.TrimLeftFunc(s, unicode.IsSpace)
		if strings.IndexByte(s[:len(s)-len(trimmed)], '\n') >= 0 {
			atLine = true
		}
		s = trimmed
		n := 0
		if atLine {
			n = markerBytes(s)
			if escape := escapeBytes(s); escape > 0 {
				s = s[escape:]
				break
			}
		}
		if n == 0 || n >= len(s) {
			break
		}
		s = s[n:]
	}
	start = end - len(s)
	s = strings.TrimRightFunc(s, unicode.IsSpace)
	return Span{start, start + len(s)}, s != ""
}

// isHan reports whether r belongs to a script without spaces whose sentences
// end with 。
func isHan(r rune) bool {
	return r >= 0x2E80 && (unicode.In(r, unicode.Han, unicode.Hiragana, unicode.Katakana) || r >= 0x3000 && r <= 0x303F || r >= 0xFF00 &&
		r <= 0xFFEF)
}

// Opens reports whether a sentence starts at an offset: nothing but white space, quotes and
// brackets stands between it and the end of another, or of a line.
func Opens(text string, at int) bool {
	before := strings.TrimRight(text[:at], " \t\"'“(")
	return before == "" || strings.ContainsRune(".!?\n:", rune(before[len(before)-1]))
}
