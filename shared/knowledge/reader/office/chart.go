package office

import (
	"maps"
	"slices"
	"strconv"
	"strings"

	"lectern/shared/text/document"
)

// chart is what a chart of DrawingML shows, as its part caches it.
//
// Source: ECMA-376, part 1, 21.2.
type chart struct {
	title, category, value string // of the chart and its axes
	series                 []chartSeries
	categories             bool // there is an axis of them
	date1904               bool
	cut                    bool // there was more than the limits allow
}

// chartSeries has names and values by the numbers of points.
type chartSeries struct {
	name   string
	names  map[int]string
	values map[int]string
	source string // where the values are cells, as "Sheet1!$B$2:$B$4"; empty if the chart alone has them
}

// Limits of one chart.
const (
	maxSeries = 100
	maxPoints = 2000 // of one series
	maxCells  = 20_000
)

// readChart reads a part that is a chart; nil when there is none.
func (a *archive) readChart(part string, depth int) (*chart, error) {
	data, err := a.read(part)
	if err != nil || data == nil {
		return nil, err
	}
	c := &chart{}
	var values []string // titles of the axes of values
	p := xmlParser{data: data}
	for p.next() {
		switch {
		case p.kind != xmlStart:
		case p.name == "date1904":
			c.date1904 = isOn(p.attr("val"))
		case p.name == "ser":
			c.addSeries(p.tree(depth))
		case p.name == "title":
			c.title = c.titleText(p.tree(depth))
		case p.name == "valAx":
			values = append(values, c.titleText(p.tree(depth).kid("title")))
		case p.name == "catAx" || p.name == "dateAx":
			if n := p.tree(depth); c.category == "" {
				c.category = c.titleText(n.kid("title"))
			}
			c.categories = true
		}
	}
	if !c.categories && len(values) > 1 { // of points in a plane
		c.category, values = values[0], values[1:]
	}
	values = slices.DeleteFunc(values, func(s string) bool { return s == "" })
	c.value = strings.Join(values[:min(len(values), 2)], ", ")
	return c, nil
}

// titleText returns the title of the chart, or of an axis, in one line.
func (c *chart) titleText(n *xmlNode) string {
	text := shapeText(n.kid("tx", "rich").orEmpty())
	for _, cached := range c.points(n.kid("tx", "strRef", "strCache"), 1) {
		text = cached
	}
	return strings.Join(strings.Fields(text), " ")
}

func (n *xmlNode) orEmpty() *xmlNode {
	if n == nil {
		return &xmlNode{}
	}
	return n
}

func (c *chart) addSeries(n *xmlNode) {
	if len(c.series) == maxSeries {
		c.cut = true
		return
	}
	s := chartSeries{name: n.kid("tx", "v").allText()}
	for _, name := range c.points(n.kid("tx", "strRef", "strCache"), 1) {
		s.name = name
	}
	left := max(min(maxPoints, maxCells/(len(c.series)+1)), 1)
	for _, k := range n.kids {
		switch k.name {
		case "cat", "xVal":
			s.names, _ = c.data(k, left)
		case "val", "yVal":
			s.values, s.source = c.data(k, left)
		}
	}
	c.series = append(c.series, s)
}

// data returns the points of categories or values, and of which cells they are.
func (c *chart) data(n *xmlNode, most int) (points map[int]string, source string) {
	for _, k := range n.kids {
		switch k.name {
		case "strRef", "numRef", "multiLvlStrRef":
			source = k.kid("f").allText()
			for _, cache := range []string{"strCache", "numCache", "multiLvlStrCache"} {
				if found := k.kid(cache); found != nil {
					points = c.points(found, most)
				}
			}
		case "strLit", "numLit":
			points = c.points(k, most)
		}
	}
	return points, source
}

// points returns up to most points of a cache. Of several levels the outer ones, which come
// last and name groups of points, stand before the inner ones.
func (c *chart) points(n *xmlNode, most int) map[int]string {
	if n == nil {
		return nil
	}
	points := map[int]string{}
	code := n.kid("formatCode").allText()
	for _, k := range n.kids {
		switch k.name {
		case "pt":
			i, err := strconv.Atoi(k.attr("idx"))
			if err != nil || i < 0 {
				continue
			}
			if len(points) == most {
				c.cut = true
				return points
			}
			own := k.attr("formatCode")
			if own == "" {
				own = code
			}
			points[i] = c.shown(strings.TrimSpace(k.kid("v").allText()), own, n.name)
		case "lvl":
			outer := c.points(k, most)
			if len(points) == 0 {
				points = outer
				continue
			}
			group := ""
			for _, i := range slices.Sorted(maps.Keys(points)) {
				if name := outer[i]; name != "" {
					group = name
				}
				if group != "" {
					points[i] = group + " / " + points[i]
				}
			}
		}
	}
	return points
}

// shown returns a value as its format shows it.
func (c *chart) shown(text, code, cache string) string {
	v, err := strconv.ParseFloat(text, 64)
	if err != nil || !strings.HasPrefix(cache, "num") {
		return text
	}
	switch format := formatOf(firstCustomFormat, code); {
	case format == dateOnly || format == timeOnly || format == dateTime:
		w := xlsxWriter{date1904: c.date1904}
		return w.moment(text, v, format)
	case strings.HasSuffix(code, "%"):
		return shortNumber(v*100) + "%"
	}
	return shortNumber(v)
}

// firstCustomFormat is the least number of a format that has a code.
const firstCustomFormat = 164

// write writes the chart's title and a table with a row for each point.
func (c *chart) write(b *document.Builder) {
	if c == nil || len(c.series) == 0 {
		return
	}
	if c.cut {
		b.Warn("of a chart, only the first %d series and %d points of each are read", maxSeries, maxPoints)
	}
	b.Paragraph(c.heading())
	for first := 0; first < len(c.series); { // those of the same points stand beside each other
		next := first + 1
		for next < len(c.series) && (c.series[next].names == nil || maps.Equal(c.series[first].names, c.series[next].names)) {
			next++
		}
		c.table(b, c.series[first:next])
		first = next
	}
}

// heading is the chart's title with that of its values.
func (c *chart) heading() string {
	if c.title != "" && c.value != "" {
		return c.title + " (" + c.value + ")"
	}
	return c.title + c.value
}

func (c *chart) table(b *document.Builder, series []chartSeries) {
	header := []string{c.category}
	points := map[int]bool{}
	for _, s := range series {
		header = append(header, s.name)
		for i := range s.values {
			points[i] = true
		}
	}
	const short = 30 // rows that stay a table
	if len(points) == 0 {
		return
	}
	if len(points) <= short {
		b.Table(header)
	}
	for _, i := range slices.Sorted(maps.Keys(points)) {
		row := []string{series[0].names[i]}
		if series[0].names == nil {
			row[0] = strconv.Itoa(i + 1)
		}
		for _, s := range series {
			row = append(row, s.values[i])
		}
		if len(points) <= short {
			b.Row(row)
			continue
		}
		b.Record(header, row)
	}
}

// describe writes the chart's title and the names of its series, for one whose values are
// cells that are read anyway.
func (c *chart) describe(b *document.Builder) {
	if c == nil {
		return
	}
	var names []string
	for _, s := range c.series {
		if s.name != "" {
			names = append(names, s.name)
		}
	}
	text := strings.Join(names, ", ")
	if title := c.heading(); title != "" && text != "" {
		text = title + ": " + text
	} else if title != "" {
		text = title
	}
	if text != "" {
		b.Paragraph("Chart: " + text)
	}
}

// charts writes the charts of a sheet: a table where the values are no cells of a sheet
// that is read, else only what they are called.
func (w *xlsxWriter) charts(part string) error {
	sheet, err := w.archive.relations(part)
	if err != nil {
		return err
	}
	for _, id := range slices.Sorted(maps.Keys(sheet)) {
		if sheet[id].kind != "drawing" || sheet[id].external {
			continue
		}
		drawing, err := w.archive.relations(sheet[id].target)
		if err != nil {
			return err
		}
		for _, id := range slices.Sorted(maps.Keys(drawing)) {
			if drawing[id].kind != "chart" || drawing[id].external || w.drawn[drawing[id].target] {
				continue
			}
			w.drawn[drawing[id].target] = true
			c, err := w.archive.readChart(drawing[id].target, w.limits.Depth)
			if err != nil {
				return err
			}
			if c != nil && slices.ContainsFunc(c.series, func(s chartSeries) bool { return !w.isRead(s.source) }) {
				c.write(&w.b)
			} else {
				c.describe(&w.b)
			}
			if err := w.limits.Check(w.b.Len(), w.b.Nodes()); err != nil {
				return err
			}
		}
	}
	return nil
}

// isRead reports whether a range of cells, such as "'Sheet 1'!$A$2:$A$9", is in this file
// and not hidden.
func (w *xlsxWriter) isRead(source string) bool {
	sheet, _, named := strings.Cut(source, "!")
	sheet = strings.ReplaceAll(strings.Trim(strings.TrimLeft(sheet, "("), "'"), "''", "'")
	return source != "" && !strings.Contains(source, "[") && (!named || !w.hidden[sheet])
}

// chartSheet writes a sheet that is a chart.
func (w *xlsxWriter) chartSheet(name, part string) error {
	w.b.Page(w.sheets, name)
	w.b.Heading(2, name)
	return w.charts(part)
}
