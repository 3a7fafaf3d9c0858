package office

import (
	"context"
	"slices"
	"strconv"
	"strings"

	"github.com/xuri/efp"
	"github.com/xuri/excelize/v2"
)

// Limits of computing formulas. Excelize cannot be interrupted, follows
// references recursively, and has functions whose arguments control their
// loops, so only workbooks and formulas of bounded cost are computed; other
// formulas are shown as text.
const (
	maxFormulaParts = 4 << 20 // bytes of all sheets unpacked
	maxFormulaCells = 500_000 // of the rectangles that rows span, and rows
	maxFormulaRange = 100_000 // cells that one formula refers to
	maxFormulaReads = 500_000 // of all
	maxFormulaText  = 8192    // of a formula; Excel's own limit
	maxFormulaDepth = 100     // of references to formulas not computed yet
	maxCellText     = 32767
)

// computable are the functions whose cost is bounded by the cells that they read.
const computable = " ABS AND AVERAGE AVERAGEIF AVERAGEIFS CEILING CHOOSE CONCAT CONCATENATE COUNT COUNTA COUNTBLANK COUNTIF COUNTIFS DATE DAY DAYS DATEDIF EDATE EOMONTH EXACT EXP FIND FLOOR HLOOKUP HOUR IF IFERROR IFNA IFS INDEX INT ISBLANK ISERROR ISNUMBER ISTEXT LARGE LEFT LEN LN LOG LOG10 LOOKUP LOWER MATCH MAX MAXIFS MEDIAN MID MIN MINIFS MINUTE MOD MONTH NOT OR PI POWER PRODUCT PROPER QUOTIENT RANK RIGHT ROUND ROUNDDOWN ROUNDUP SEARCH SECOND SIGN SMALL SQRT STDEV STDEV.P STDEV.S SUBTOTAL SUM SUMIF SUMIFS SUMPRODUCT SWITCH TEXT TIME TRIM TRUNC UPPER VALUE VAR VAR.P VAR.S VLOOKUP WEEKDAY XLOOKUP YEAR "

// cellErrors are error values of cells.
var cellErrors = []string{"#DIV/0!", "#N/A", "#NAME?", "#NULL!", "#NUM!", "#REF!", "#VALUE!"}

// computed returns the value of a formula without a cached value.
func (w *xlsxWriter) computed(ref string, style int, formula string) string {
	if w.looking {
		return "="
	}
	if w.formulas == nil {
		w.formulas = w.openFormulas()
	}
	if v, ok := w.formulas.value(w.name, ref, 0); ok {
		if _, err := strconv.ParseFloat(v, 64); err == nil {
			return w.number(v, style)
		}
		return v
	}
	if formula == "" {
		return ""
	}
	return "=" + formula
}

// formulas computes the formulas of a workbook. Without a file it computes nothing.
type formulas struct {
	ctx   context.Context // of the one read
	file  *excelize.File
	sheet map[string]string // sheet names by their lower-case form
	open  map[cellPlace]int // formulas without a value: 0 to compute, else a state below
	reads int
}

type cellPlace struct{ sheet, ref string }

// The states of a formula.
const (
	toCompute = iota
	computing
	isComputed
	notComputed
)

func (f *formulas) close() {
	if f != nil && f.file != nil {
		_ = f.file.Close() // read-only
	}
}

// openFormulas opens the workbook with excelize, unless it is too large.
func (w *xlsxWriter) openFormulas() *formulas {
	f := &formulas{ctx: w.archive.ctx, sheet: map[string]string{}, open: map[cellPlace]int{}}
	const book, rels, texts = "xl/workbook.xml", "xl/_rels/workbook.xml.rels", "xl/sharedStrings.xml"
	parts := map[string][]byte{}
	size := 0
	take := func(name string) []byte {
		if file := w.archive.files[name]; file == nil || size+int(min(file.UncompressedSize64, maxFormulaParts)) > maxFormulaParts {
			return nil
		}
		data, err := w.archive.read(name)
		if err != nil {
			return nil
		}
		size += len(data)
		parts[name] = data
		return data
	}
	if take(book) == nil || take(rels) == nil || w.archive.files[texts] != nil && take(texts) == nil {
		return f
	}
	targets, err := w.archive.relations(book)
	if err != nil {
		return f
	}
	var valued []cellPlace
	cells := 0
	p := xmlParser{data: parts[book]}
	for p.next() {
		if p.kind != xmlStart || p.name != "sheet" {
			continue
		}
		rel := targets[p.attr("id")]
		if rel.kind != "worksheet" {
			continue
		}
		data := take(rel.target)
		if data == nil {
			return f
		}
		name := p.attr("name")
		f.sheet[strings.ToLower(name)] = name
		if cells += sheetExtent(data); cells > maxFormulaCells {
			return f
		}
		valued = append(valued, f.scan(name, data)...)
	}
	f.file = openWorkbook(parts)
	if f.file == nil {
		return f
	}
	// Write cached values as plain values, so that excelize does not recompute them.
	for _, c := range valued {
		if f.file.SetCellFormula(c.sheet, c.ref, "") != nil {
			f.file = nil
			return f
		}
	}
	return f
}

// sheetExtent returns how many cells a sheet has when it is stored as rows
// without gaps.
func sheetExtent(data []byte) int {
	p := xmlParser{data: data}
	row, column, cells, last := 0, 0, 0, 0
	for p.next() {
		switch {
		case p.kind == xmlStart && p.name == "row":
			row++
			if r, err := strconv.Atoi(p.attr("r")); err == nil {
				row = r
			}
			last, column = max(last, row), 0
		case p.kind == xmlStart && p.name == "c":
			before := column
			if column++; p.attr("r") != "" {
				c, ok := columnIndex(p.attr("r"))
				if !ok || rowNumber(p.attr("r")) == 0 {
					return maxFormulaCells + 1
				}
				last = max(last, rowNumber(p.attr("r")))
				column = c + 1
			}
			cells += max(column-before, 1)
		}
	}
	return cells + last
}

// scan returns the formulas of a sheet with a cached value, and records the
// others in open.
func (f *formulas) scan(sheet string, data []byte) (valued []cellPlace) {
	p := xmlParser{data: data}
	place, formula, value, in := cellPlace{sheet: sheet}, false, false, ""
	for p.next() {
		switch {
		case p.kind == xmlStart && p.name == "c":
			place.ref, formula, value = p.attr("r"), false, false
		case p.kind == xmlStart:
			in = p.name
			formula = formula || in == "f"
		case p.kind == xmlText:
			value = value || in == "v" && p.text != ""
		case p.kind == xmlEnd && p.name == "c" && formula && place.ref != "":
			if value {
				valued = append(valued, place)
			} else {
				f.open[place] = toCompute
			}
		case p.kind == xmlEnd:
			in = ""
		}
	}
	return valued
}

// value computes a formula after those that it refers to, each once.
func (f *formulas) value(sheet, ref string, depth int) (string, bool) {
	place := cellPlace{sheet, ref}
	state, ok := f.open[place]
	if !ok || f.file == nil || state == computing || state == notComputed || depth > maxFormulaDepth || f.ctx.Err() != nil {
		return "", false
	}
	if state == isComputed {
		v, err := f.file.GetCellValue(sheet, ref, excelize.Options{RawCellValue: true})
		return v, err == nil
	}
	f.open[place] = computing
	v, ok := f.compute(place, depth)
	f.open[place] = notComputed
	if !ok {
		return "", false
	}
	// Store the value, so that other formulas need not compute it.
	var err error
	if _, e := strconv.ParseFloat(v, 64); e == nil {
		err = f.file.SetCellDefault(sheet, ref, v)
	} else {
		err = f.file.SetCellStr(sheet, ref, v)
	}
	if err != nil {
		return "", false
	}
	f.open[place] = isComputed
	return v, true
}

func (f *formulas) compute(place cellPlace, depth int) (string, bool) {
	formula, err := f.file.GetCellFormula(place.sheet, place.ref)
	if err != nil || formula == "" || len(formula) > maxFormulaText || !f.prepare(place.sheet, formula, depth) {
		return "", false
	}
	v, err := f.file.CalcCellValue(place.sheet, place.ref, excelize.Options{RawCellValue: true})
	if err != nil {
		return err.Error(), slices.Contains(cellErrors, err.Error()) // a value too
	}
	return v, len(v) <= maxCellText
}

// prepare computes the references of a formula; false if the formula must not
// be computed.
func (f *formulas) prepare(sheet, formula string, depth int) bool {
	parser := efp.ExcelParser()
	cells := 0
	for _, t := range parser.Parse(formula) {
		switch {
		case t.TType == efp.TokenTypeFunction && t.TSubType == efp.TokenSubTypeStart:
			if !strings.Contains(computable, " "+strings.ToUpper(strings.TrimPrefix(t.TValue, "_xlfn."))+" ") {
				return false
			}
		case t.TType == efp.TokenTypeOperand && t.TSubType == efp.TokenSubTypeRange:
			n, ok := f.prepareRange(sheet, t.TValue, depth)
			if cells += n; !ok || cells > maxFormulaRange {
				return false
			}
		}
	}
	return true
}

// prepareRange computes the formulas in a range of n cells.
func (f *formulas) prepareRange(sheet, ref string, depth int) (n int, ok bool) {
	if i := strings.LastIndexByte(ref, '!'); i >= 0 {
		name := strings.ReplaceAll(strings.TrimSuffix(strings.TrimPrefix(ref[:i], "'"), "'"), "''", "'")
		if sheet, ok = f.sheet[strings.ToLower(name)]; !ok {
			return 0, false
		}
		ref = ref[i+1:]
	}
	from, to, both := strings.Cut(strings.ReplaceAll(ref, "$", ""), ":")
	if !both {
		to = from
	}
	left, top, err := excelize.CellNameToCoordinates(from)
	if err != nil {
		return 0, false // a name, or whole columns
	}
	right, bottom, err := excelize.CellNameToCoordinates(to)
	if err != nil {
		return 0, false
	}
	left, right, top, bottom = min(left, right), max(left, right), min(top, bottom), max(top, bottom)
	n = (right - left + 1) * (bottom - top + 1)
	if f.reads += n; n > maxFormulaRange || f.reads > maxFormulaReads {
		return n, false
	}
	for row := top; row <= bottom; row++ {
		for column := left; column <= right; column++ {
			name, err := excelize.CoordinatesToCellName(column, row)
			if err != nil {
				return n, false
			}
			if _, waits := f.open[cellPlace{sheet, name}]; waits {
				if _, ok := f.value(sheet, name, depth+1); !ok {
					return n, false
				}
			}
		}
	}
	return n, true
}
