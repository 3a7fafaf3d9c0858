package office

import (
	"context"
	"maps"
	"slices"
	"strconv"
	"strings"

	"lectern/shared/knowledge/reader/intake"
	"lectern/shared/text/document"
)

// XLSX reads Excel's format since 2007: a page per sheet, numbers as they are
// shown, dates in ISO form, which is unambiguous. A formula is its cached
// value; without one it is computed if the cost is bounded, and else shown as
// text. Merged cells repeat their text in each of their rows and columns, so that
// every row is self-contained. A chart of cells is named below its sheet. Hidden sheets are left out, for whoever opens the
// file does not see them.
//
// It does not use excelize's row iterator, which alone is slower than this
// reader, reads rows of any width at once, and reports neither styles nor
// merged cells. excelize formats numbers and computes formulas.
func XLSX(ctx context.Context, data []byte, limits intake.Limits) (*document.Document, error) {
	a, limits, err := openArchive(ctx, data, limits)
	if err != nil {
		return nil, err
	}
	w := &xlsxWriter{archive: a, limits: limits, b: document.Builder{Most: limits.TextBytes}, hidden: map[string]bool{}, drawn: map[string]bool{}}
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
	named   bool            // several sheets, which need names
	hidden  map[string]bool // sheets, by name
	drawn   map[string]bool // charts that were written, by part

	shared   []string
	formats  []numberFormat // by style
	date1904 bool
	shown    shownNumbers
	formulas *formulas // nil until a formula has to be computed

	name        string               // of the open sheet
	merged      map[int][]mergedRows // its merged cells, by column
	mergedCells int
	looking     bool // first pass, which only finds the used columns
}

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
	defer w.shown.close()
	defer func() { w.formulas.close() }()
	w.b.Title(w.archive.coreTitle())
	p := xmlParser{data: data}
	ids, parts := map[string]bool{}, map[string]bool{}
	for p.next() {
		if p.kind != xmlStart || p.name != "sheet" {
			continue
		}
		id := p.attr("id")
		part := rels[id].target
		if ids[id] || part != "" && parts[part] {
			return intake.Refuse(intake.Malformed, "two sheets of the file have the same content, that of the relation %q", id)
		}
		parts[part] = true
		if state := p.attr("state"); state == "hidden" || state == "veryHidden" {
			w.hidden[p.attr("name")] = true
		}
		if ids[id] = true; len(ids) > w.limits.Pages {
			return intake.Refuse(intake.TooManyPages, "the file has more than %d sheets", w.limits.Pages)
		}
	}
	w.named = len(ids) > 1
	p = xmlParser{data: data}
	for p.next() {
		if p.kind != xmlStart {
			continue
		}
		switch p.name {
		case "workbookPr":
			w.date1904 = p.attr("date1904") == "1" || p.attr("date1904") == "true"
		case "sheet":
			w.sheets++
			if err := w.anySheet(p.attr("name"), rels[p.attr("id")]); err != nil {
				return err
			}
		}
	}
	return nil
}

// anySheet writes a sheet of cells with its charts, or one that is a chart.
func (w *xlsxWriter) anySheet(name string, rel relation) error {
	switch {
	case rel.kind != "worksheet" && rel.kind != "chartsheet":
		return nil
	case w.hidden[name]:
		w.b.Warn("the hidden sheet %q is left out", name)
		return nil
	case rel.kind == "chartsheet":
		return w.chartSheet(name, rel.target)
	}
	if err := w.sheet(name, rel.target); err != nil {
		return err
	}
	return w.charts(rel.target)
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

// richText reads the text of a string item whose start was just read, without
// phonetic guides.
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

// sheet writes one sheet. Empty columns are omitted, so that a cell far to the
// right costs nothing.
func (w *xlsxWriter) sheet(name, part string) error {
	data, err := w.archive.read(part)
	if err != nil || data == nil {
		return err
	}
	w.name, w.merged, w.mergedCells = name, map[int][]mergedRows{}, 0
	used := map[int]bool{}
	w.looking = true
	err = w.cells(data, func(_, column int, _ string) { used[column] = true }, nil)
	if w.looking = false; err != nil {
		return err
	}
	columns := slices.Sorted(maps.Keys(used))
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
	put := func(column int, text string) {
		i := place[column]
		for len(row) <= i {
			row = append(row, "")
		}
		row[i] = text
	}
	last := 0
	merged := slices.DeleteFunc(w.mergedColumns(), func(c int) bool { return !used[c] })
	begun := func(column int) bool {
		i, ok := place[column]
		return ok && i < len(row) && row[i] != ""
	}
	return w.cells(data, func(number, column int, text string) {
		put(column, text)
		w.startMerged(number, column, text)
	}, func(number int) error {
		if len(row) > 0 {
			for _, column := range merged {
				if text := w.mergedText(number, column, begun); text != "" && !begun(column) {
					put(column, text)
				}
			}
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
		return w.limits.Check(w.b.Len(), w.b.Nodes())
	})
}

// cells calls each for every cell that is not empty, and endRow, if not nil,
// after every row, and with -1 at the end.
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
		case p.kind == xmlStart && p.name == "mergeCell" && endRow == nil:
			w.merge(p.attr("ref"))
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
	kind, ref := p.attr("t"), p.attr("r")
	style, _ := strconv.Atoi(p.attr("s"))
	text, formula, in, computed := "", "", "", false
	for depth := p.depth; p.depth >= depth && p.next(); {
		switch {
		case p.kind == xmlStart && p.name == "is":
			text = richText(p)
		case p.kind == xmlStart:
			in = p.name
			computed = computed || in == "f"
		case p.kind == xmlEnd:
			in = ""
		case in == "v":
			text += p.text
		case in == "f":
			formula += p.text
		}
	}
	if text == "" && computed {
		return w.computed(ref, style, formula)
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
		return w.number(text, style)
	}
	return text
}
