package pdf_test

import (
	"context"
	"fmt"
	"strings"
	"testing"
	"time"

	"lectern/shared/fault/cputest"
	"lectern/shared/knowledge/reader/pdf"
	"lectern/shared/text/document"
)

// at is a text of so many letters in a font of four points.
func at(x, y float64, letters int) pdf.Segment {
	return pdf.Segment{Text: strings.Repeat("w", letters), X0: x, X1: x + 2*float64(letters), Y0: y, Y1: y + 4, Size: 4}
}

// crowded are pages of so many texts, on which tables and columns are looked for in vain.
func crowded(texts int) map[string][]pdf.Segment {
	pages := map[string][]pdf.Segment{}
	for i := range texts {
		down := float64(-5 * (i / 3))
		pages["scattered"] = append(pages["scattered"], at(float64(i*7919%6007), float64(i*104729%8009), 14))
		pages["grid"] = append(pages["grid"], at(float64(i%1000*10), float64(i/1000*5), 1))
		pages["columns"] = append(pages["columns"], at(float64(i%2*1000), float64(-5*i), 40))
		switch i % 3 { // a row of two cells, and one across them
		case 2:
			pages["rows"] = append(pages["rows"], at(0, down-2.5, 40))
		default:
			pages["rows"] = append(pages["rows"], at(float64(i%3*50), down, 10))
		}
	}
	return pages
}

// TestCrowdedPages: pages take time in proportion to their texts, keep them all, and reading
// them ends with its context.
func TestCrowdedPages(t *testing.T) {
	const texts = 60_000
	for name, segments := range crowded(texts) {
		f := &pdf.File{Pages: []pdf.Page{{Width: 6000, Height: 8000, Segments: segments}}}
		letters := 0
		for _, s := range segments {
			letters += len(s.Text)
		}
		var b document.Builder
		cputest.Most(t, 4*time.Second, name, func() {
			if err := pdf.Write(t.Context(), &b, f); err != nil {
				t.Errorf("%s: %v", name, err)
			}
		})
		if n := strings.Count(b.Document().Text, "w"); n != letters {
			t.Errorf("%s: %d letters of %d", name, n, letters)
		}
		ctx, cancel := context.WithCancel(t.Context())
		cancel()
		if err := pdf.Write(ctx, &document.Builder{}, f); err != context.Canceled {
			t.Errorf("%s: after its end: %v", name, err)
		}
	}
}

// TestLongTable: a table of hundreds of rows is one.
func TestLongTable(t *testing.T) {
	var segments []pdf.Segment
	for i := range 400 {
		for j := range 8 {
			s := at(float64(j*60), float64(-5*i), 1)
			s.Text = fmt.Sprintf("c%d-%d", i, j)
			s.X1 = s.X0 + 30
			segments = append(segments, s)
		}
	}
	var b document.Builder
	if err := pdf.Write(t.Context(), &b, &pdf.File{Pages: []pdf.Page{{Width: 600, Height: 3000, Segments: segments}}}); err != nil {
		t.Fatal(err)
	}
	if n := strings.Count(b.Document().Text, "| c"); n != 400*8 {
		t.Errorf("%d cells, want %d", n, 400*8)
	}
}
