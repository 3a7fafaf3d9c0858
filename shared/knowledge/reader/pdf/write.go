package pdf

import (
	"cmp"
	"context"
	"math"
	"slices"
	"strconv"
	"strings"
	"unicode"
	"unicode/utf8"

	"lectern/shared/text/document"
	"lectern/shared/text/sentence"
)

// Write adds a file's text to b: headings by size, and paragraphs, lists and
// tables by geometry. It ends with ctx.
func Write(ctx context.Context, b *document.Builder, f *File) error {
	pages := make([][]row, len(f.Pages))
	blank := 0
	for i, p := range f.Pages {
		if ctx.Err() != nil {
			return ctx.Err()
		}
		if pages[i] = rowsOf(p, i+1); len(pages[i]) == 0 && p.Scanned == "" {
			blank++
		}
	}
	if blank > 0 && blank < len(pages) {
		b.Warn("%d of %d pages have no text; they may be scanned", blank, len(pages))
	}
	pages = dropFurniture(pages, f.Pages)
	w := &writer{b: b, numbers: map[int]int{}}
	w.measure(pages)
	for i, rows := range pages {
		if ctx.Err() != nil {
			return ctx.Err()
		}
		w.page(rows)
		if text := f.Pages[i].Scanned; text != "" {
			w.flush()
			b.SetPage(i + 1)
			for para := range strings.SplitSeq(document.Clean(text), "\n\n") {
				b.Paragraph(para)
			}
		}
	}
	w.flush()
	title := f.Title
	if !isTitle(title) {
		title = w.title
	}
	b.Title(title)
	return nil
}

// isTitle rejects paths, abbreviations and what programs make up.
func isTitle(s string) bool {
	return utf8.RuneCountInString(s) > 3 && !strings.ContainsAny(s, `/\`) && !document.Generated(s)
}

// writer collects rows into blocks.
type writer struct {
	b     *document.Builder
	body  float64   // size of the running text
	sizes []float64 // of headings, largest first
	bold  bool      // whether bold alone makes a heading
	title string    // the largest heading of the first page
	large float64

	kind    blockKind
	level   int // of an open heading, or the depth of an open item
	ordered bool
	lines   []row
	numbers map[int]int // the last of the open list, by depth
}

type blockKind int

const (
	none blockKind = iota
	paragraph
	heading
	item
	code
)

// measure determines the sizes of the running text and of headings.
func (w *writer) measure(pages [][]row) {
	chars := map[float64]int{}
	total, bold := 0, 0
	for _, rows := range pages {
		for _, r := range rows {
			n := len(r.text())
			chars[round(r.size)] += n
			total += n
			if r.bold {
				bold += n
			}
		}
	}
	most := -1
	for size, n := range chars {
		if n > most || n == most && size < w.body {
			w.body, most = size, n
		}
	}
	w.bold = bold*4 < total
	for size, n := range chars {
		if size >= 1.1*w.body && n*5 < total+200 {
			w.sizes = append(w.sizes, size)
		}
	}
	slices.SortFunc(w.sizes, func(a, b float64) int { return cmp.Compare(b, a) })
	// Merge sizes that are close to each other.
	w.sizes = slices.CompactFunc(w.sizes, func(a, b float64) bool { return math.Abs(a-b) < 0.07*a })
}

func round(size float64) float64 { return math.Round(size*2) / 2 }

// headingLevel returns the level of a row that is a heading, else 0.
func (w *writer) headingLevel(r *row) int {
	text := r.text()
	n := utf8.RuneCountInString(text)
	if n > 160 || n < 2 || hasLeaders(text) || !strings.ContainsFunc(text, unicode.IsLetter) || len(r.cells) > 2 {
		return 0
	}
	if _, ordered, marked := cutMarker(text); r.cells[0].turned || marked && !ordered {
		return 0
	}
	size := round(r.size)
	if size >= 1.1*w.body {
		if strings.HasSuffix(text, ".") && size < 1.3*w.body && n > 60 {
			return 0
		}
		for i, s := range w.sizes {
			if s-size < 0.07*s {
				return min(i+1, 5)
			}
		}
		return 0
	}
	if number, rest, ok := strings.Cut(text, " "); ok && n < 80 && isSectionNumber(number) && rest == strings.ToUpper(rest) &&
		utf8.RuneCountInString(rest) > 4 {
		return min(len(w.sizes)+1, 6)
	}
	if !w.bold || !r.bold || size < 0.9*w.body || n > 100 || strings.ContainsAny(text[len(text)-1:], ".,;") || len(r.cells) > 1 {
		return 0
	}
	return min(len(w.sizes)+1+dots(text), 6)
}

// beginsSection reports whether a line starts with a section number, which a
// year is not.
func beginsSection(line string) bool {
	number, _, more := strings.Cut(line, " ")
	return more && isSectionNumber(number) && (len(number) < 3 || strings.Contains(number, "."))
}

// isSectionNumber reports whether s numbers a section: "IV.", "2.", "3.1".
func isSectionNumber(s string) bool {
	body := strings.TrimSuffix(s, ".")
	if body == "" {
		return false
	}
	if strings.Trim(body, "IVX") == "" {
		return body != s
	}
	return body[0] >= '1' && body[0] <= '9' && strings.Trim(body, "0123456789.") == "" && len(body) < 8
}

// dots returns the depth of a section number.
func dots(text string) int {
	number, _, _ := strings.Cut(text, " ")
	number = strings.TrimRight(number, ".")
	if strings.Trim(number, "0123456789.") != "" {
		return 0
	}
	return strings.Count(number, ".")
}

func (w *writer) page(rows []row) {
	work := maxTableWork
	for i := 0; i < len(rows); {
		if rows[i].mono {
			w.code(rows[i])
			i++
			continue
		}
		if len(rows[i].cells) > 1 {
			if marker, ok := splitMarker(&rows[i]); ok {
				rows[i] = marker
			}
		}
		if len(rows[i].cells) > 1 {
			if cells, taken := tableAt(rows[i:], &work); taken > 0 {
				w.flush()
				w.b.SetPage(rows[i].page)
				w.b.Table(cells[0])
				for _, c := range cells[1:] {
					w.b.Row(c)
				}
				i += taken
				continue
			}
		}
		w.row(rows[i])
		i++
	}
}

// code adds a row in a monospaced font, keeping its line.
func (w *writer) code(r row) {
	if w.kind == code && len(w.lines) < 2000 && (w.last().page != r.page || w.last().y0-r.y1 < 2.5*r.height()) {
		w.lines = append(w.lines, r)
		return
	}
	w.begin(code, r)
}

// codeText renders rows with the indentation of their positions.
func codeText(rows []row) string {
	left := rows[0].x0
	for _, r := range rows {
		left = min(left, r.x0)
	}
	var b strings.Builder
	for i, r := range rows {
		if i > 0 {
			b.WriteByte('\n')
			if prev := rows[i-1]; prev.page == r.page && prev.y0-r.y1 > 0.8*r.height() {
				b.WriteByte('\n')
			}
		}
		column := 0
		for j, c := range r.cells {
			width := (c.X1 - c.X0) / float64(max(utf8.RuneCountInString(c.Text), 1))
			want := column
			if width > 0 {
				want = min(int(math.Round((c.X0-left)/width)), 200)
			}
			if j > 0 {
				want = max(want, column+1)
			}
			b.WriteString(strings.Repeat(" ", max(want-column, 0)) + c.Text)
			column = max(want, column) + utf8.RuneCountInString(c.Text)
			if c.Hyphen {
				b.WriteByte('-')
			}
		}
	}
	return b.String()
}

// splitMarker joins a list marker with the text after its gap.
func splitMarker(r *row) (row, bool) {
	if marker := r.cells[0].Text; len(r.cells) != 2 || !isBullet(marker) && !isTick(marker) && !isNumber(marker) {
		return *r, false
	}
	joined := r.cells[1]
	joined.Text = r.cells[0].Text + " " + joined.Text
	joined.X0 = r.cells[0].X0
	out := *r
	out.cells = []Segment{joined}
	return out, true
}

// row adds a row to the open block or starts the next one.
func (w *writer) row(r row) {
	if level := w.headingLevel(&r); level > 0 {
		if w.kind == heading && w.level == level && len(w.lines) < 4 && w.continues(&r) && !beginsSection(r.text()) {
			w.lines = append(w.lines, r)
			return
		}
		w.begin(heading, r)
		w.level = level
		return
	}
	text := r.text()
	if rest, ordered, ok := cutMarker(text); ok && rest != "" && !(ordered && w.kind == paragraph && w.continues(&r) && !isLast(w.last())) {
		depth := 0
		if w.kind == item {
			switch first := w.lines[0]; {
			case r.page != first.page:
				depth = w.level
			case r.x0 > first.x0+0.8*w.body:
				depth = w.level + 1
			case r.x0 < first.x0-0.8*w.body:
				depth = max(w.level-1, 0)
			default:
				depth = w.level
			}
		}
		w.begin(item, r)
		w.level, w.ordered = depth, ordered
		return
	}
	switch {
	case w.kind == paragraph && w.continues(&r), w.kind == item && w.continues(&r) && r.x0 > w.lines[0].x0+0.3*w.body:
		w.lines = append(w.lines, r)
	default:
		w.begin(paragraph, r)
	}
}

func (w *writer) last() *row { return &w.lines[len(w.lines)-1] }

// isLast reports whether a row ends clearly before the edge of its column.
func isLast(r *row) bool { return r.x1 < r.right-0.12*(r.right-r.left) }

// continues reports whether r continues the open block.
func (w *writer) continues(r *row) bool {
	prev := w.last()
	text, next := prev.text(), r.text()
	if math.Abs(prev.size-r.size) > 0.12*w.body || hasLeaders(text) {
		return false
	}
	first, _ := utf8.DecodeRuneInString(next)
	elsewhere := prev.page != r.page || r.y1 > prev.y1 || prev.y0-r.y1 > 8*w.body
	if elsewhere {
		// In the next column or page only an unfinished sentence continues.
		return w.kind != heading && (prev.hyphen() || !endsSentence(text) &&
			(unicode.IsLower(first) || !isLast(prev) && unicode.IsLetter(first)))
	}
	if gap := prev.y0 - r.y1; gap > 0.6*max(prev.height(), r.height()) {
		return false
	}
	if w.kind == heading {
		return true
	}
	// An indented first line, or a short last line, separates paragraphs.
	indent := r.x0 - prev.x0
	if indent > 0.8*w.body && len(w.lines) > 1 && w.kind == paragraph {
		return prev.hyphen() || unicode.IsLower(first) && !endsSentence(text)
	}
	if isLast(prev) && endsSentence(text) && len(w.lines) > 0 && !unicode.IsLower(first) {
		return false
	}
	// Lines that end far from the edge and start with a capital are not prose.
	return !(prev.x1 < prev.right-0.45*(prev.right-prev.left) && (unicode.IsUpper(first) || unicode.IsDigit(first)))
}

func endsSentence(s string) bool {
	r, _ := utf8.DecodeLastRuneInString(strings.TrimRight(s, "\"'”’»)]"))
	return strings.ContainsRune(".!?:;。！？", r)
}

func (w *writer) begin(kind blockKind, r row) {
	w.flush()
	w.kind = kind
	w.lines = append(w.lines, r)
}

// flush writes the open block.
func (w *writer) flush() {
	if len(w.lines) == 0 {
		return
	}
	text := joinLines(w.lines)
	first := w.lines[0]
	w.b.SetPage(first.page)
	switch w.kind {
	case heading:
		if first.page <= 2 && first.size > w.large {
			w.title, w.large = text, first.size
		}
		w.b.Heading(w.level, text)
	case item:
		w.item(text)
	case code:
		if len(w.lines) == 1 {
			w.b.Paragraph(text)
		} else {
			w.b.Code("", codeText(w.lines))
		}
	default:
		w.b.Paragraph(text)
	}
	if w.kind != item {
		clear(w.numbers)
	}
	w.kind, w.lines = none, w.lines[:0]
}

// item writes an item. A number out of sequence starts a new list; in another
// form than "3." it is kept as text.
func (w *writer) item(text string) {
	rest, ordered, _ := cutMarker(text)
	if !ordered {
		w.b.Item(w.level, false, rest)
		return
	}
	number, _, _ := strings.Cut(text, " ")
	n, err := strconv.Atoi(strings.Trim(number, "()."))
	if err != nil || n != w.numbers[w.level]+1 && number != strconv.Itoa(n)+"." {
		w.b.Item(w.level, false, text)
		return
	}
	w.numbers[w.level] = n
	w.b.Numbered(w.level, n, rest)
}

// joinLines joins the rows of a block, and words split by hyphens.
func joinLines(rows []row) string {
	var b strings.Builder
	for i, r := range rows {
		text := r.text()
		if i > 0 && b.Len() > 0 {
			prev := rows[i-1]
			first, _ := utf8.DecodeRuneInString(text)
			last, _ := utf8.DecodeLastRuneInString(prev.text())
			switch {
			case prev.hyphen():
				if !unicode.IsLower(first) {
					b.WriteByte('-')
				}
			case last == '-' && unicode.IsLower(first) && wordBefore(prev.text()):
				s := strings.TrimSuffix(b.String(), "-")
				b.Reset()
				b.WriteString(s)
			case isCJK(first) && isCJK(last):
			default:
				b.WriteByte(' ')
			}
		}
		b.WriteString(text)
	}
	if rows[len(rows)-1].hyphen() {
		b.WriteByte('-')
	}
	return dotLeaders(b.String())
}

// wordBefore reports whether letters precede the hyphen at the end.
func wordBefore(s string) bool {
	r, _ := utf8.DecodeLastRuneInString(strings.TrimSuffix(s, "-"))
	return unicode.IsLower(r)
}

func isCJK(r rune) bool {
	return r >= 0x3000 && (r < 0xA000 || r >= 0xFF00 && r < 0xFFF0)
}

func hasLeaders(s string) bool {
	return strings.Contains(s, "....") || strings.Contains(s, ". . . .")
}

// dotLeaders shortens the dot leaders of a table of contents.
func dotLeaders(s string) string {
	if !hasLeaders(s) {
		return s
	}
	fields := strings.Fields(s)
	kept := fields[:0]
	for _, f := range fields {
		if trimmed := strings.TrimRight(f, "."); len(f)-len(trimmed) >= 4 {
			f = strings.TrimSpace(trimmed + " …")
			if trimmed == "" {
				f = "…"
			}
		}
		if n := len(kept); n > 0 && (f == "." || f == "…") && (kept[n-1] == "." || kept[n-1] == "…") {
			kept[n-1] = "…"
			continue
		}
		kept = append(kept, f)
	}
	return strings.Join(kept, " ")
}

func isBullet(s string) bool {
	r, size := utf8.DecodeRuneInString(s)
	return size == len(s) && strings.ContainsRune("•◦▪▫‣●○–—-*·∙⁃➢➤", r)
}

// isTick reports whether s is a check box or a check mark.
func isTick(s string) bool { return s != "" && sentence.Tick(s) == len(s) }

// isNumber reports whether s is the number of an ordered item: "1.", "(2)",
// "a)", "iv.".
func isNumber(s string) bool {
	body := strings.Trim(s, "().")
	if body == "" || body == s || strings.HasSuffix(s, "(") {
		return false
	}
	if strings.Trim(body, "0123456789") == "" {
		return len(body) <= 3
	}
	return len(body) == 1 && body[0]|0x20 >= 'a' && body[0]|0x20 <= 'z' && strings.HasSuffix(s, ")") || strings.Trim(body, "ivx") == "" &&
		len(body) <= 5
}

// cutMarker removes a list marker from a line.
func cutMarker(s string) (rest string, ordered, ok bool) {
	marker, rest, found := strings.Cut(s, " ")
	if !found {
		return s, false, false
	}
	if isBullet(marker) {
		return rest, false, true
	}
	if isTick(marker) {
		return s, false, true // the mark is part of what the item says
	}
	return rest, true, isNumber(marker)
}
