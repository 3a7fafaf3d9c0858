package office

import (
	"maps"
	"slices"
	"strings"
)

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
