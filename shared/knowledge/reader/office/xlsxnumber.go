package office

import (
	"archive/zip"
	"bytes"
	"math"
	"strconv"
	"strings"
	"time"

	"github.com/xuri/excelize/v2"
)

// numberFormat is how a style displays numbers.
type numberFormat int

const (
	general numberFormat = iota
	dateOnly
	timeOnly
	dateTime
	custom // by its code
)

// readStyles reads the number formats of the cell styles.
func (w *xlsxWriter) readStyles() error {
	data, err := w.archive.read("xl/styles.xml")
	if err != nil {
		return err
	}
	w.shown.styles = data
	codes := map[int]string{}
	inCells := false
	p := xmlParser{data: data}
	for p.next() {
		switch {
		case p.kind == xmlStart && p.name == "numFmt":
			id, _ := strconv.Atoi(p.attr("numFmtId"))
			codes[id] = p.attr("formatCode")
		case p.name == "cellXfs":
			inCells = p.kind == xmlStart
		case p.kind == xmlStart && p.name == "xf" && inCells:
			id, _ := strconv.Atoi(p.attr("numFmtId"))
			w.formats = append(w.formats, formatOf(id, codes[id]))
		}
	}
	return nil
}

// formatOf returns the number format of a built-in id or of a format code.
func formatOf(id int, code string) numberFormat {
	switch {
	case id == 0, id == 49:
		return general
	case id >= 14 && id <= 17, id >= 27 && id <= 31, id >= 50 && id <= 58, id == 36:
		return dateOnly
	case id >= 18 && id <= 21, id == 45, id == 47, id >= 32 && id <= 35:
		return timeOnly
	case id == 22:
		return dateTime
	case code == "" && id >= 50, len(code) > maxFormat:
		return general
	}
	// Colours, literals and escaped letters are not part of the pattern.
	var plain strings.Builder
	for i := 0; i < len(code); i++ {
		switch code[i] {
		case '"':
			for i++; i < len(code) && code[i] != '"'; i++ {
			}
		case '[':
			if i+1 < len(code) && strings.IndexByte("hmsHMS", code[i+1]) >= 0 && strings.IndexByte("]hmsHMS", code[min(i+2, len(code)-1)]) >= 0 {
				return custom // elapsed hours, minutes or seconds
			}
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
	case pattern == "general", pattern == "`": // `@`, in lower case
		return general
	case date && clock:
		return dateTime
	case date:
		return dateOnly
	case clock:
		return timeOnly
	}
	return custom
}

// number formats a cell's number in its style.
func (w *xlsxWriter) number(text string, style int) string {
	format := general
	if w.looking {
		return text
	}
	if style >= 0 && style < len(w.formats) {
		format = w.formats[style]
	}
	if format == general && isInteger(text) {
		return text // every digit: it may be an account or an article
	}
	v, err := strconv.ParseFloat(text, 64)
	if err != nil || math.IsNaN(v) || math.IsInf(v, 0) {
		return text
	}
	switch format {
	case general:
	case custom:
		// Ignore formats that replace the number by a word or a dash.
		if s := w.shown.format(text, style); strings.ContainsAny(s, "0123456789") {
			return s
		}
	default:
		return w.moment(text, v, format)
	}
	return shortNumber(v)
}

// moment formats a number of days as a date, a time, or both.
func (w *xlsxWriter) moment(text string, days float64, format numberFormat) string {
	t, err := excelize.ExcelDateToTime(days, w.date1904)
	if err != nil || days < 0 || days > 2958466 {
		return text
	}
	t = t.Round(time.Second)
	switch {
	case format == timeOnly || days < 1:
		return t.Format("15:04:05")
	case format == dateOnly:
		return t.Format("2006-01-02")
	}
	return t.Format("2006-01-02 15:04:05")
}

func isInteger(s string) bool {
	return s != "" && len(s) <= 20 && strings.Trim(s, "0123456789") == ""
}

// shortNumber formats a number with the 15 digits that sheets store, without
// binary rounding noise.
func shortNumber(v float64) string {
	s := strconv.FormatFloat(v, 'f', -1, 64)
	if len(s) > 15 {
		s = strconv.FormatFloat(v, 'g', 15, 64)
	}
	return s
}

// shownNumbers formats numbers by the styles of a workbook. The zero value
// formats none.
type shownNumbers struct {
	styles []byte
	file   *excelize.File // with these styles and one cell
	style  int            // of the cell
	tried  bool
	known  map[styled]string
}

type styled struct {
	style int
	text  string
}

// Limits of formatting.
const (
	maxStyles = 4 << 20 // bytes of the styles
	maxFormat = 255     // of a format's code; Excel's own limit
	maxKnown  = 4096    // cached numbers
)

// format returns how a style displays a number; "" if unknown.
func (n *shownNumbers) format(text string, style int) string {
	if s, ok := n.known[styled{style, text}]; ok {
		return s
	}
	if !n.tried && len(n.styles) <= maxStyles {
		n.tried, n.style = true, -1
		n.file = openWorkbook(map[string][]byte{
			"xl/workbook.xml": []byte(`<workbook xmlns="` + mainSpace + `" xmlns:r="` + officeSpace +
				`"><sheets><sheet name="A" sheetId="1" r:id="a"/></sheets></workbook>`),
			"xl/_rels/workbook.xml.rels": []byte(`<Relationships xmlns="` + packageSpace + `"><Relationship Id="a" Type="` + officeSpace +
				`/worksheet" Target="worksheets/sheet1.xml"/></Relationships>`),
			"xl/worksheets/sheet1.xml": []byte(`<worksheet xmlns="` + mainSpace + `"><sheetData/></worksheet>`),
			"xl/styles.xml":            n.styles,
		})
	}
	if n.file == nil {
		return ""
	}
	if style != n.style {
		if n.file.SetCellStyle("A", "A1", "A1", style) != nil {
			return ""
		}
		n.style = style
	}
	if n.file.SetCellDefault("A", "A1", text) != nil {
		return ""
	}
	s, err := n.file.GetCellValue("A", "A1")
	if err != nil {
		return ""
	}
	s = strings.TrimSpace(s)
	if len(n.known) >= maxKnown || n.known == nil {
		n.known = make(map[styled]string, maxKnown/4)
	}
	n.known[styled{style, text}] = s
	return s
}

func (n *shownNumbers) close() {
	if n.file != nil {
		_ = n.file.Close() // read-only
	}
}

// Name spaces that excelize requires in a workbook.
const (
	mainSpace    = "http://schemas.openxmlformats.org/spreadsheetml/2006/main"
	officeSpace  = "http://schemas.openxmlformats.org/officeDocument/2006/relationships"
	packageSpace = "http://schemas.openxmlformats.org/package/2006/relationships"
)

// openWorkbook opens parts of a workbook with excelize; nil if that fails.
func openWorkbook(parts map[string][]byte) *excelize.File {
	var b bytes.Buffer
	z := zip.NewWriter(&b)
	parts["_rels/.rels"] = []byte(`<Relationships xmlns="` + packageSpace + `"><Relationship Id="a" Type="` + officeSpace +
		`/officeDocument" Target="xl/workbook.xml"/></Relationships>`)
	for name, data := range parts {
		w, err := z.CreateHeader(&zip.FileHeader{Name: name, Method: zip.Store})
		if err == nil {
			_, err = w.Write(data)
		}
		if err != nil {
			return nil
		}
	}
	if z.Close() != nil {
		return nil
	}
	// It is all kept in memory; the caller limits the parts.
	f, err := excelize.OpenReader(&b, excelize.Options{UnzipSizeLimit: 1 << 30, UnzipXMLSizeLimit: 1 << 30})
	if err != nil {
		return nil
	}
	return f
}
