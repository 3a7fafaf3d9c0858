package formats

import (
	"context"
	"strconv"
	"strings"
	"unicode/utf16"

	"golang.org/x/text/encoding"
	"golang.org/x/text/encoding/charmap"
	"golang.org/x/text/encoding/htmlindex"

	"lectern/shared/knowledge/reader"
	"lectern/shared/knowledge/reader/formula"
	"lectern/shared/knowledge/reader/intake"
	"lectern/shared/text/document"
)

// rtfReader reads Rich Text: headings by style or outline level, lists, tables,
// text of links. Pictures, comments, headers and footers are omitted.
func rtfReader() reader.Reader {
	return &format{
		name:       "rtf",
		extensions: []string{".rtf"},
		accepts:    is(".rtf"),
		read: func(ctx context.Context, src intake.Source, limits intake.Limits) (*document.Document, error) {
			p := &rtfParser{ctx: ctx, data: src.Data, limits: limits, b: document.Builder{Most: limits.TextBytes},
				charset: charmap.Windows1252, fonts: map[int]encoding.Encoding{},
				headings: map[int]int{}}
			if err := p.parse(); err != nil {
				return nil, err
			}
			return p.b.Document(), nil
		},
	}
}

// rtfState is what a group inherits and restores at its end.
type rtfState struct {
	skip    bool   // its text is not part of the document
	target  string // the destination, such as "fldinst" or "title"
	ucSkip  int    // bytes that follow a \u for programs without Unicode
	hidden  bool
	charset encoding.Encoding // of the font; nil is the document's
	raised  bool
}

// rtfField is a field of a form.
type rtfField struct {
	checkBox        bool
	value, original int
}

// unset is the value of a field that has the original one.
const unset = 25

type rtfParser struct {
	ctx     context.Context
	data    []byte
	pos     int
	limits  intake.Limits
	b       document.Builder
	charset encoding.Encoding

	state rtfState
	stack []rtfState
	deep  int // groups beyond the stack's limit

	fonts    map[int]encoding.Encoding // by the numbers of fonts that name one
	font     int                       // whose definition is being read
	headings map[int]int               // levels by the numbers of styles
	style    int                       // whose definition is being read
	name     strings.Builder

	line    strings.Builder
	end     int // of the text in line that was raised last
	field   rtfField
	notes   []string
	note    strings.Builder
	bytes   []byte   // not yet decoded
	units   []uint16 // of \u, since pairs come apart
	drop    int      // bytes still to skip after \u
	level   int      // of the paragraph's heading
	list    bool
	ordered bool
	depth   int
	indent  int   // of the paragraph, in twentieths of a point
	indents []int // of the open list's levels
	inTable bool
	row     []string
	rows    [][]string
}

const maxRTFGroups = 1000

func (p *rtfParser) parse() error {
	p.state.ucSkip = 1
	for n := 0; p.pos < len(p.data); n++ {
		if n%65536 == 0 {
			if err := p.ctx.Err(); err != nil {
				return err
			}
			if err := p.limits.Check(p.b.Len(), p.b.Nodes()); err != nil {
				return err
			}
		}
		c := p.data[p.pos]
		p.pos++
		switch c {
		case '{':
			p.open()
		case '}':
			p.close()
		case '\\':
			p.control()
		case '\r', '\n', 0:
		default:
			p.byte(c)
		}
	}
	p.decode()
	p.endParagraph()
	p.endTable()
	for i, note := range p.notes {
		p.b.Paragraph("[^" + strconv.Itoa(i+1) + "]: " + note)
	}
	return nil
}

func (p *rtfParser) open() {
	p.decode()
	if len(p.stack) >= maxRTFGroups {
		p.deep++
		return
	}
	p.stack = append(p.stack, p.state)
}

func (p *rtfParser) close() {
	p.decode()
	if p.deep > 0 {
		p.deep--
		return
	}
	if len(p.stack) == 0 {
		return
	}
	switch p.state.target {
	case "style":
		p.endStyle()
	case "footnote":
		if outer := p.stack[len(p.stack)-1]; outer.target != "footnote" {
			p.notes = append(p.notes, strings.TrimSpace(p.note.String()))
			p.note.Reset()
			p.line.WriteString("[^" + strconv.Itoa(len(p.notes)) + "]")
		}
	case "formfield":
		if outer := p.stack[len(p.stack)-1]; outer.target != "formfield" {
			p.endField()
		}
	case "title":
		if outer := p.stack[len(p.stack)-1]; outer.target != "title" {
			p.b.Title(p.name.String())
			p.name.Reset()
		}
	}
	p.state = p.stack[len(p.stack)-1]
	p.stack = p.stack[:len(p.stack)-1]
}

// endStyle records whether a style is a heading style.
func (p *rtfParser) endStyle() {
	name := strings.ToLower(strings.TrimSuffix(strings.TrimSpace(p.name.String()), ";"))
	p.name.Reset()
	if level, ok := strings.CutPrefix(name, "heading "); ok {
		if n, err := strconv.Atoi(level); err == nil {
			p.headings[p.style] = n
		}
	}
	if name == "title" {
		p.headings[p.style] = 1
	}
	p.style = 0
}

// byte processes a byte of text.
func (p *rtfParser) byte(c byte) {
	if p.drop > 0 {
		p.drop--
		return
	}
	p.flushUnits()
	p.bytes = append(p.bytes, c)
}

// decode moves the collected bytes to the current destination.
func (p *rtfParser) decode() {
	p.flushUnits()
	if len(p.bytes) == 0 {
		return
	}
	charset := p.charset
	if p.state.charset != nil {
		charset = p.state.charset
	}
	out, err := charset.NewDecoder().Bytes(p.bytes)
	if err != nil {
		out = p.bytes
	}
	p.text(string(out))
	p.bytes = p.bytes[:0]
}

func (p *rtfParser) flushUnits() {
	if len(p.units) > 0 {
		p.text(string(utf16.Decode(p.units)))
		p.units = p.units[:0]
	}
}

func (p *rtfParser) text(s string) {
	switch {
	case p.state.target == "style" || p.state.target == "title":
		if p.name.Len() < 1000 {
			p.name.WriteString(s)
		}
	case p.state.target == "footnote":
		p.note.WriteString(s)
	case p.state.target == "listtext":
		// The marker that was drawn tells the kind of list.
		if s = strings.TrimSpace(s); s != "" {
			p.list = true
			p.ordered = strings.Trim(s, "0123456789abcdefghivx.()") == ""
		}
	case !p.state.skip && !p.state.hidden && p.state.raised:
		if before := p.line.String(); p.end == 0 || p.end != len(before) {
			s, _ = formula.Raise(before, s)
		}
		p.line.WriteString(s)
		p.end = p.line.Len()
	case !p.state.skip && !p.state.hidden:
		p.line.WriteString(s)
	}
}

// endField writes the mark of a check box.
func (p *rtfParser) endField() {
	if p.field.value == unset {
		p.field.value = p.field.original
	}
	switch {
	case !p.field.checkBox:
	case p.field.value == 1:
		p.line.WriteString("☒")
	default:
		p.line.WriteString("☐")
	}
}

// control parses what follows a backslash.
func (p *rtfParser) control() {
	if p.pos >= len(p.data) {
		return
	}
	c := p.data[p.pos]
	if c|0x20 < 'a' || c|0x20 > 'z' {
		p.pos++
		p.symbol(c)
		return
	}
	start := p.pos
	for p.pos < len(p.data) && p.data[p.pos]|0x20 >= 'a' && p.data[p.pos]|0x20 <= 'z' && p.pos-start < 32 {
		p.pos++
	}
	word := string(p.data[start:p.pos])
	start = p.pos
	for p.pos < len(p.data) && (p.data[p.pos] >= '0' && p.data[p.pos] <= '9' || p.pos == start && p.data[p.pos] == '-') && p.pos-start < 11 {
		p.pos++
	}
	number, err := strconv.Atoi(string(p.data[start:p.pos]))
	given := err == nil
	if p.pos < len(p.data) && p.data[p.pos] == ' ' {
		p.pos++
	}
	if word != "u" {
		p.decode()
	}
	p.word(word, number, given)
}

func (p *rtfParser) symbol(c byte) {
	switch c {
	case '\'':
		if p.pos+2 > len(p.data) {
			return
		}
		if v, err := strconv.ParseUint(string(p.data[p.pos:p.pos+2]), 16, 8); err == nil {
			p.byte(byte(v))
		}
		p.pos += 2
	case '\\', '{', '}':
		p.byte(c)
	case '~':
		p.byte(' ')
	case '_':
		p.byte('-')
	case '*':
		// A destination that may be ignored when it is not known.
		p.state.skip = true
		p.state.target = "*"
	case '\r', '\n':
		p.decode()
		p.endParagraph()
	}
}

// word handles a control word.
func (p *rtfParser) word(word string, n int, given bool) {
	switch word {
	case "u":
		p.drop = 0
		if len(p.bytes) > 0 {
			p.decode()
		}
		p.units = append(p.units, uint16(n))
		p.drop = p.state.ucSkip
	case "uc":
		p.state.ucSkip = min(max(n, 0), 16)
	case "bin":
		p.pos += min(max(n, 0), len(p.data)-p.pos)
	case "ansicpg":
		if e, err := htmlindex.Get("windows-" + strconv.Itoa(n)); err == nil {
			p.charset = e
		} else if e, err := htmlindex.Get(map[int]string{932: "shift_jis", 936: "gbk", 949: "euc-kr", 950: "big5",
			65001: "utf-8"}[n]); err == nil {
			p.charset = e
		}
	case "fonttbl", "colortbl", "pict", "object", "header", "headerl", "headerr", "headerf", "footer", "footerl", "footerr", "footerf",
		"annotation", "fldinst", "listtable", "listoverridetable", "revtbl", "rsidtbl", "generator", "xe", "tc", "nonshppict", "themedata",
		"datastore", "author", "operator", "company", "doccomm", "keywords", "subject", "creatim", "revtim", "printim", "comment", "hlinkbase":
		p.state.skip, p.state.target = true, word
	case "info":
		p.state.skip = true
	case "title":
		p.state.target = "title"
	case "stylesheet":
		p.state.skip, p.state.target = true, "style"
	case "listtext", "pntext":
		p.state.skip, p.state.target = true, "listtext"
	case "footnote":
		p.state.skip, p.state.target = true, "footnote"
	case "shptxt", "fldrslt":
		if p.state.target != "footnote" {
			p.state.skip, p.state.target = false, ""
		}
	case "v", "deleted":
		p.state.hidden = !given || n != 0
	case "f", "fcharset", "plain":
		p.fontWord(word, n)
	case "super":
		p.state.raised = !given || n != 0
	case "nosupersub", "sub":
		p.state.raised = false
	case "formfield":
		p.state.skip, p.state.target, p.field = true, word, rtfField{value: unset}
	case "fftype":
		p.field.checkBox = n == 1
	case "ffres":
		p.field.value = n
	case "ffdefres":
		p.field.original = n
	default:
		p.layout(word, n)
	}
}

// fontWord records the fonts' charsets and the current font. Text in an unknown
// charset uses the document's.
func (p *rtfParser) fontWord(word string, n int) {
	switch inTable := p.state.target == "fonttbl"; {
	case word == "f" && inTable:
		p.font = n
	case word == "fcharset" && inTable:
		name := map[int]string{128: "shift_jis", 129: "euc-kr", 134: "gbk", 136: "big5", 161: "windows-1253", 162: "windows-1254",
			163: "windows-1258", 177: "windows-1255", 178: "windows-1256", 186: "windows-1257", 204: "windows-1251", 222: "windows-874",
			238: "windows-1250"}[n]
		if e, err := htmlindex.Get(name); err == nil {
			p.fonts[p.font] = e
		}
	case word == "f":
		p.state.charset = p.fonts[n]
	case word == "plain":
		p.state.charset, p.state.hidden, p.state.raised = nil, false, false
	}
}

// layout handles control words of paragraphs and tables.
func (p *rtfParser) layout(word string, n int) {
	if p.state.target == "footnote" && (word == "par" || word == "tab" || word == "line") {
		p.note.WriteByte(' ')
	}
	if p.state.target == "style" {
		if word == "s" {
			p.style = n
		}
		return
	}
	if p.state.skip {
		return
	}
	switch word {
	case "par", "sect", "page":
		if p.inTable {
			p.line.WriteByte(' ')
			return
		}
		p.endParagraph()
	case "line":
		p.line.WriteByte('\n')
	case "tab":
		p.line.WriteByte('\t')
	case "pard":
		p.level, p.list, p.ordered, p.depth, p.indent, p.inTable = 0, false, false, 0, 0, false
	case "s":
		p.level = p.headings[n]
	case "outlinelevel":
		if n < 9 {
			p.level = n + 1
		}
	case "ls", "pnlvlblt":
		p.list = true
	case "pnlvlbody":
		p.list, p.ordered = true, true
	case "ilvl":
		p.depth = min(max(n, 0), 8)
	case "li":
		p.indent = n
	case "intbl":
		p.inTable = true
	case "cell", "nestcell":
		p.row = append(p.row, strings.TrimSpace(p.line.String()))
		p.line.Reset()
		p.end = 0
	case "row", "nestrow":
		if len(p.row) > 0 {
			p.rows = append(p.rows, p.row)
			p.row = nil
		}
		p.inTable = false
	case "emdash":
		p.line.WriteString("—")
	case "endash":
		p.line.WriteString("–")
	case "lquote":
		p.line.WriteString("‘")
	case "rquote":
		p.line.WriteString("’")
	case "ldblquote":
		p.line.WriteString("“")
	case "rdblquote":
		p.line.WriteString("”")
	case "bullet":
		p.line.WriteString("•")
	}
}

func (p *rtfParser) endParagraph() {
	text := strings.TrimSpace(p.line.String())
	p.line.Reset()
	p.end = 0
	if text == "" {
		return
	}
	p.endTable()
	if marker, rest, ok := strings.Cut(text, "\t"); ok && p.level == 0 && !p.list && isTypedMarker(marker) {
		// A manually typed list: its levels follow its indents.
		text, p.list, p.ordered = strings.TrimSpace(rest), true, marker[len(marker)-1] == '.' || marker[len(marker)-1] == ')'
		for len(p.indents) > 0 && p.indents[len(p.indents)-1] > p.indent {
			p.indents = p.indents[:len(p.indents)-1]
		}
		if n := len(p.indents); n == 0 || p.indents[n-1] < p.indent {
			p.indents = append(p.indents, p.indent)
		}
		p.depth = min(len(p.indents)-1, 8)
	} else {
		p.indents = p.indents[:0]
	}
	switch {
	case p.level > 0:
		p.b.Heading(p.level, text)
	case p.list:
		p.b.Item(p.depth, p.ordered, text)
	default:
		p.b.Paragraph(text)
	}
}

// isTypedMarker reports whether the text before a tab is a bullet or a number.
func isTypedMarker(s string) bool {
	switch s = strings.TrimSpace(s); s {
	case "•", "–", "-", "·", "◦", "o", "▪":
		return true
	}
	n := len(s)
	return n > 1 && n < 5 && (s[n-1] == '.' || s[n-1] == ')') && strings.Trim(s[:n-1], "0123456789(") == ""
}

func (p *rtfParser) endTable() {
	if len(p.row) > 0 {
		p.rows = append(p.rows, p.row)
		p.row = nil
	}
	p.b.WholeTable(p.rows)
	p.rows = nil
}
