package office

import (
	"context"
	"math"
	"slices"
	"strconv"
	"strings"
	"time"

	"lectern/shared/knowledge/reader/intake"
	"lectern/shared/text/document"
)

// XLSX reads Excel's format since 2007: a page for each sheet, values
// as they are shown where it matters (dates, percentages, truth). Formulas
// are read by the values that were last computed, by their text when none was.
func XLSX(ctx context.Context, data []byte, limits intake.Limits) (*document.Document, error) {
	a, err := openArchive(ctx, data, limits)
	if err != nil {
		return nil, err
	}
	w := &xlsxWriter{archive: a, limits: limits}
	if err := w.write(); err != nil {
		return nil, err
	}
	d := w.b.Document()
	d.Pages = w.sheets
	return d, nil
}

type xlsxWriter struct {
	archive *archive
	limits  intake.Limits
	b       document.Builder
	sheets  int
	named   bool // whether there are several, which their names tell apart

	shared   []string
	kinds    []numberKind // by style
	date1904 bool
}

type numberKind int

const (
	general numberKind = iota
	dateOnly
	timeOnly
	dateTime
	percent
)

func (w *xlsxWriter) write() error {
	const book = "xl/workbook.xml"
	data, err := w.archive.must(book)
	if err != nil {
		return err
	}
	rels, err := w.archive.relations(book)
	if err != nil {
		return err
	}
	if err := w.readShared(); err != nil {
		return err
	}
	if err := w.readStyles(); err != nil {
		return err
	}
	w.b.Title(w.archive.coreTitle())
	p := xmlParser{data: data}
	sheets := 0
	for p.next() {
		if p.kind == xmlStart && p.name == "sheet" {
			sheets++
		}
	}
	w.named = sheets > 1
	p = xmlParser{data: data}
	for p.next() {
		if p.kind != xmlStart {
			continue
		}
		switch p.name {
		case "workbookPr":
			w.date1904 = p.attr("date1904") == "1" || p.attr("date1904") == "true"
		case "sheet":
			if w.sheets++; w.sheets > w.limits.Pages {
				return intake.Refuse(intake.TooManyPages, "the file has more than %d sheets", w.limits.Pages)
			}
			rel := rels[p.attr("id")]
			if rel.kind != "worksheet" || p.attr("state") == "veryHidden" {
				continue
			}
			if err := w.sheet(p.attr("name"), rel.target); err != nil {
				return err
			}
		}
	}
	return nil
}

func (w *xlsxWriter) readShared() error {
	data, err := w.archive.read("xl/sharedStrings.xml")
	if err != nil {
		return err
	}
	p := xmlParser{data: data}
	for p.next() {
		if p.kind == xmlStart && p.name == "si" {
			w.shared = append(w.shared, richText(&p))
		}
	}
	return nil
}

// richText reads the text of a string item whose start was just read,
// without its phonetic guides.
func richText(p *xmlParser) string {
	var b strings.Builder
	inText := false
	for depth := p.depth; p.depth >= depth && p.next(); {
		switch {
		case p.kind == xmlStart && p.name == "rPh":
			p.skip()
		case p.kind == xmlStart:
			inText = p.name == "t"
		case p.kind == xmlEnd:
			inText = false
		case inText:
			b.WriteString(p.text)
		}
	}
	return b.String()
}

// readStyles learns which cell styles show numbers as dates or percentages.
func (w *xlsxWriter) readStyles() error {
	data, err := w.archive.read("xl/styles.xml")
	if err != nil {
		return err
	}
	custom := map[int]string{}
	inCells := false
	p := xmlParser{data: data}
	for p.next() {
		switch {
		case p.kind == xmlStart && p.name == "numFmt":
			id, _ := strconv.Atoi(p.attr("numFmtId"))
			custom[id] = p.attr("formatCode")
		case p.name == "cellXfs":
			inCells = p.kind == xmlStart
		case p.kind == xmlStart && p.name == "xf" && inCells:
			id, _ := strconv.Atoi(p.attr("numFmtId"))
			w.kinds = append(w.kinds, kindOf(id, custom[id]))
		}
	}
	return nil
}

// kindOf reads a number format: those with fixed numbers, else its code.
func kindOf(id int, code string) numberKind {
	switch {
	case id >= 14 && id <= 17, id >= 27 && id <= 31, id >= 50 && id <= 58, id == 36:
		return dateOnly
	case id >= 18 && id <= 21, id >= 45 && id <= 47, id >= 32 && id <= 35:
		return timeOnly
	case id == 22:
		return dateTime
	case id == 9 || id == 10:
		return percent
	}
	// Colours, literals and escaped letters are not part of the pattern.
	var plain strings.Builder
	for i := 0; i < len(code); i++ {
		switch code[i] {
		case '"':
			for i++; i < len(code) && code[i] != '"'; i++ {
			}
		case '[':
			for i++; i < len(code) && code[i] != ']'; i++ {
			}
		case '\\', '_', '*':
			i++
		default:
			plain.WriteByte(code[i] | 0x20)
		}
	}
	pattern := plain.String()
	date, clock := strings.ContainsAny(pattern, "yd"), strings.ContainsAny(pattern, "hs")
	switch {
	case date && clock:
		return dateTime
	case date:
		return dateOnly
	case clock:
		return timeOnly
	case strings.Contains(code, "%"):
		return percent
	}
	return general
}

// sheet writes one sheet. Columns that are empty throughout are left out, so
// that a cell far to the right costs nothing.
func (w *xlsxWriter) sheet(name, part string) error {
	data, err := w.archive.read(part)
	if err != nil || data == nil {
		return err
	}
	used := map[int]bool{}
	if err := w.cells(data, func(_, column int, _ string) { used[column] = true }, nil); err != nil {
		return err
	}
	columns := make([]int, 0, len(used))
	for c := range used {
		columns = append(columns, c)
	}
	slices.Sort(columns)
	place := make(map[int]int, len(columns))
	for i, c := range columns {
		place[c] = i
	}
	w.b.Page(w.sheets, name)
	if w.named && len(columns) > 0 {
		w.b.Heading(2, name)
	}
	t := document.Grid{Builder: &w.b}
	row := make([]string, 0, len(columns))
	last := 0
	return w.cells(data, func(_, column int, text string) {
		for i := place[column]; len(row) <= i; {
			row = append(row, "")
		}
		row[place[column]] = text
	}, func(number int) error {
		if len(row) > 0 {
			if number > last+2 {
				t.End()
			}
			last = number
			t.Row(row)
			clear(row)
			row = row[:0]
		}
		if number < 0 {
			t.End()
		}
		if int64(w.b.Len()) > w.limits.TextBytes {
			return w.limits.TooLong()
		}
		return nil
	})
}

// cells calls each for every cell that is not empty, and endRow, when not
// nil, after every row and with -1 at the end.
func (w *xlsxWriter) cells(data []byte, each func(row, column int, text string), endRow func(row int) error) error {
	p := xmlParser{data: data}
	row, column := 0, -1
	for n := 0; p.next(); n++ {
		if n%65536 == 0 {
			if err := w.archive.ctx.Err(); err != nil {
				return err
			}
		}
		switch {
		case p.kind == xmlStart && p.name == "row":
			row++
			if r, err := strconv.Atoi(p.attr("r")); err == nil && r > 0 && r <= 1<<20 {
				row = r
			}
			column = -1
		case p.kind == xmlStart && p.name == "c":
			column++
			if c, ok := columnIndex(p.attr("r")); ok {
				column = c
			}
			if text := w.cell(&p); strings.TrimSpace(text) != "" {
				each(row, column, text)
			}
		case p.kind == xmlEnd && p.name == "row" && endRow != nil:
			if err := endRow(row); err != nil {
				return err
			}
		}
	}
	if endRow != nil {
		return endRow(-1)
	}
	return nil
}

// columnIndex returns the zero-based column of a reference such as "AB12".
func columnIndex(ref string) (int, bool) {
	n, i := 0, 0
	for i < len(ref) && ref[i] >= 'A' && ref[i] <= 'Z' && i < 3 {
		n = n*26 + int(ref[i]-'A') + 1
		i++
	}
	return n - 1, i > 0 && n <= 16384
}

// cell reads the cell whose start was just read.
func (w *xlsxWriter) cell(p *xmlParser) string {
	kind, style := p.attr("t"), p.attr("s")
	text, formula, in := "", "", ""
	for depth := p.depth; p.depth >= depth && p.next(); {
		switch {
		case p.kind == xmlStart && p.name == "is":
			text = richText(p)
		case p.kind == xmlStart:
			in = p.name
		case p.kind == xmlEnd:
			in = ""
		case in == "v":
			text += p.text
		case in == "f":
			formula += p.text
		}
	}
	if text == "" && formula != "" {
		return "=" + formula // never computed: the program that wrote the file does not
	}
	switch kind {
	case "s":
		i, err := strconv.Atoi(strings.TrimSpace(text))
		if err != nil || i < 0 || i >= len(w.shared) {
			return ""
		}
		return w.shared[i]
	case "b":
		if text == "1" {
			return "TRUE"
		}
		return "FALSE"
	case "", "n":
		i, _ := strconv.Atoi(style)
		if i >= 0 && i < len(w.kinds) {
			return w.number(text, w.kinds[i])
		}
		return w.number(text, general)
	}
	return text
}

func (w *xlsxWriter) number(text string, kind numberKind) string {
	if kind == general && isInteger(text) {
		return text // every digit: it may be an account or an article
	}
	v, err := strconv.ParseFloat(text, 64)
	if err != nil || math.IsNaN(v) || math.IsInf(v, 0) {
		return text
	}
	switch kind {
	case percent:
		return shortNumber(v*100) + "%"
	case dateOnly, timeOnly, dateTime:
		if v < 0 || v > 2958466 {
			return text
		}
		days := v
		if w.date1904 {
			days += 1462
		}
		t := time.Date(1899, 12, 30, 0, 0, 0, 0, time.UTC).AddDate(0, 0, int(days)).
			Add(time.Duration(math.Round((days-math.Floor(days))*86400)) * time.Second)
		switch {
		case kind == timeOnly || v < 1:
			return t.Format("15:04:05")
		case kind == dateOnly:
			return t.Format("2006-01-02")
		}
		return t.Format("2006-01-02 15:04:05")
	}
	return shortNumber(v)
}

func isInteger(s string) bool {
	return s != "" && len(s) <= 20 && strings.Trim(s, "0123456789") == ""
}

// shortNumber writes a number with the 15 digits that sheets keep, without the
// noise of binary fractions.
func shortNumber(v float64) string {
	s := strconv.FormatFloat(v, 'f', -1, 64)
	if len(s) > 15 {
		s = strconv.FormatFloat(v, 'g', 15, 64)
	}
	return s
}
