package pdf

import (
	"cmp"
	"math"
	"slices"
	"strings"
	"unicode/utf8"
)

// row is one line of a column: one segment, or several separated by gaps.
type row struct {
	cells          []Segment
	x0, y0, x1, y1 float64
	left, right    float64 // of the column
	size           float64
	bold, mono     bool
	page           int // one-based
}

func (r *row) text() string {
	parts := make([]string, len(r.cells))
	for i, c := range r.cells {
		parts[i] = c.Text
	}
	return strings.Join(parts, " ")
}

func (r *row) height() float64 { return r.y1 - r.y0 }

// hyphen reports whether the row ends inside a word.
func (r *row) hyphen() bool { return r.cells[len(r.cells)-1].Hyphen }

// rowsOf returns a page's rows in reading order.
func rowsOf(p Page, number int) []row {
	var level, turned []Segment
	for _, s := range p.Segments {
		if s.turned {
			turned = append(turned, s)
		} else {
			level = append(level, s)
		}
	}
	var rows []row
	if len(turned) > len(level) {
		// A rotated page: only the file's order is left.
		level, turned = nil, p.Segments
	}
	rows = arrange(level, 0)
	for _, s := range turned {
		rows = append(rows, newRow([]Segment{s}))
	}
	for i := range rows {
		rows[i].page = number
	}
	return rows
}

func newRow(cells []Segment) row {
	r := row{cells: cells, x0: cells[0].X0, y0: cells[0].Y0, x1: cells[0].X1, y1: cells[0].Y1, bold: true, mono: true}
	longest := -1
	for _, c := range cells {
		r.x0, r.x1 = min(r.x0, c.X0), max(r.x1, c.X1)
		r.y0, r.y1 = min(r.y0, c.Y0), max(r.y1, c.Y1)
		r.bold = r.bold && c.Bold
		r.mono = r.mono && c.Mono
		if len(c.Text) > longest {
			longest, r.size = len(c.Text), c.Size
		}
	}
	r.left, r.right = r.x0, r.x1
	return r
}

// arrange orders segments: it goes down the page and collects a band as long as
// some gutter runs through all of it. A band whose gutters separate prose is
// read by column, any other by row.
func arrange(segs []Segment, depth int) []row {
	segs = slices.Clone(segs)
	slices.SortStableFunc(segs, func(a, b Segment) int { return cmp.Compare(b.Y1, a.Y1) })
	left, right := bounds(segs)
	var rows []row
	var band []Segment
	free := []span{{left, right}}
	end := func() {
		rows = append(rows, arrangeBand(band, free, depth)...)
		band, free = nil, []span{{left, right}}
	}
	for _, s := range segs {
		gutter := 0.7 * s.Size
		rest := subtract(free, span{s.X0, s.X1}, gutter)
		if len(rest) == 0 && len(band) > 0 {
			end()
			rest = subtract(free, span{s.X0, s.X1}, gutter)
		}
		band = append(band, s)
		free = rest
		if len(free) == 0 {
			end()
		}
	}
	end()
	return rows
}

type span struct{ from, to float64 }

// subtract removes s from every span and keeps the parts at least least wide.
func subtract(free []span, s span, least float64) []span {
	var rest []span
	for _, f := range free {
		for _, part := range []span{{f.from, min(f.to, s.from)}, {max(f.from, s.to), f.to}} {
			if part.to-part.from >= least && (len(rest) == 0 || rest[len(rest)-1] != part) {
				rest = append(rest, part)
			}
		}
	}
	return rest
}

func bounds(segs []Segment) (left, right float64) {
	for i, s := range segs {
		if i == 0 {
			left, right = s.X0, s.X1
		}
		left, right = min(left, s.X0), max(right, s.X1)
	}
	return left, right
}

// Limits of what is read by column; printed pages have less.
const (
	maxBand    = 5000 // segments
	maxGutters = 500
)

// arrangeBand orders a band; free are its horizontal spans without text.
func arrangeBand(band []Segment, free []span, depth int) []row {
	if len(band) == 0 {
		return nil
	}
	if len(free) > maxGutters {
		return byLine(band)
	}
	left, right := bounds(band)
	slices.SortFunc(free, func(a, b span) int { return cmp.Compare(a.from, b.from) })
	var columns [][]Segment
	from := left
	for _, f := range append(free, span{right + 1, right + 2}) {
		var column []Segment
		for _, s := range band {
			if mid := (s.X0 + s.X1) / 2; mid >= from && mid < f.from {
				column = append(column, s)
			}
		}
		if len(column) > 0 {
			columns = append(columns, column)
		}
		from = f.to
	}
	if len(columns) > 1 && depth < 8 && len(band) <= maxBand && proseColumns(columns) {
		var rows []row
		for _, c := range columns {
			rows = append(rows, arrange(c, depth+1)...)
		}
		return rows
	}
	return byLine(band)
}

// proseColumns distinguishes columns of text from those of a table: at least
// two have several full lines, or one has lines off the baselines of the
// others. The terms of a definition list are no column, although they stand left of
// their definitions: each is on a line of its own.
func proseColumns(columns [][]Segment) bool {
	if betweenLines(columns) {
		return false
	}
	prose, long := 0, -1
	for i, c := range columns {
		if len(c) < 3 {
			continue
		}
		lengths := make([]int, len(c))
		for j, s := range c {
			lengths[j] = utf8.RuneCountInString(s.Text)
		}
		slices.Sort(lengths)
		median := lengths[len(lengths)/2]
		if median >= 18 {
			prose++
		}
		if median >= 30 && len(c) >= 5 {
			long = i
		}
	}
	return prose >= 2 || long >= 0 && !aligned(columns, long)
}

// betweenLines reports whether most segments stand above or below all lines of the
// column that has most.
func betweenLines(columns [][]Segment) bool {
	main := 0
	for i, c := range columns {
		if len(c) > len(columns[main]) {
			main = i
		}
	}
	beside, all := besides(columns, main, func(s, o Segment) bool {
		return min(o.Y1, s.Y1)-max(o.Y0, s.Y0) > 0.3*(s.Y1-s.Y0)
	})
	return (all-beside)*5 >= all*4
}

// besides counts the segments of the other columns, and those of them that have a
// segment of one beside them.
func besides(columns [][]Segment, one int, is func(s, o Segment) bool) (beside, all int) {
	for i, c := range columns {
		if i == one {
			continue
		}
		for _, s := range c {
			all++
			if slices.ContainsFunc(columns[one], func(o Segment) bool { return is(s, o) }) {
				beside++
			}
		}
	}
	return beside, all
}

// aligned reports whether most segments of the other columns are on the lines of one.
func aligned(columns [][]Segment, one int) bool {
	on, all := besides(columns, one, func(s, o Segment) bool {
		return math.Abs(o.Y0-s.Y0) < 0.15*(s.Y1-s.Y0)
	})
	return on*5 >= all*3
}

// byLine groups segments with a common baseline into rows.
func byLine(segs []Segment) []row {
	left, right := bounds(segs)
	var rows []row
	var line []Segment
	end := func() {
		if len(line) == 0 {
			return
		}
		slices.SortStableFunc(line, func(a, b Segment) int {
			if isRTL(a.Text) && isRTL(b.Text) {
				return cmp.Compare(b.X0, a.X0)
			}
			return cmp.Compare(a.X0, b.X0)
		})
		r := newRow(touching(line))
		r.left, r.right = left, right
		rows = append(rows, r)
		line = nil
	}
	var top, bottom float64
	for _, s := range segs {
		overlap := min(top, s.Y1) - max(bottom, s.Y0)
		if len(line) > 0 && overlap < 0.5*min(top-bottom, s.Y1-s.Y0) {
			end()
		}
		if len(line) == 0 {
			top, bottom = s.Y1, s.Y0
		}
		line = append(line, s)
	}
	end()
	return rows
}

// touching joins adjacent segments of a line, such as those around superscripts.
func touching(line []Segment) []Segment {
	joined := line[:1]
	for _, s := range line[1:] {
		last := &joined[len(joined)-1]
		gap := s.X0 - last.X1
		if size := min(s.Size, last.Size); gap > 0.3*size || gap < -0.3*size || isRTL(s.Text) || isRTL(last.Text) {
			joined = append(joined, s)
			continue
		}
		if gap >= 0.04*max(s.Size, last.Size) {
			last.Text += " "
		}
		if len(s.Text) > len(last.Text) {
			last.Size = s.Size
		}
		last.Text += s.Text
		last.X1, last.Hyphen = max(last.X1, s.X1), s.Hyphen
		last.Y0, last.Y1 = min(last.Y0, s.Y0), max(last.Y1, s.Y1)
		last.Bold, last.Mono = last.Bold && s.Bold, last.Mono && s.Mono
	}
	return joined
}
