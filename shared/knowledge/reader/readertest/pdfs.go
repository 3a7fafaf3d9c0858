package readertest

import (
	"bytes"
	"compress/zlib"
	"fmt"
	"strings"
)

// PDF assembles objects, the first of which is the catalog. trailer is added to
// the file's trailer; XREF in it is replaced by the position of the
// cross-reference table.
func PDF(trailer string, objects ...string) []byte {
	var b bytes.Buffer
	b.WriteString("%PDF-1.7\n")
	var offsets []int
	for i, o := range objects {
		offsets = append(offsets, b.Len())
		fmt.Fprintf(&b, "%d 0 obj\n%s\nendobj\n", i+1, o)
	}
	xref := b.Len()
	fmt.Fprintf(&b, "xref\n0 %d\n0000000000 65535 f \n", len(objects)+1)
	for _, o := range offsets {
		fmt.Fprintf(&b, "%010d 00000 n \n", o)
	}
	fmt.Fprintf(&b, "trailer\n<< /Size %d /Root 1 0 R %s >>\nstartxref\n%d\n%%%%EOF\n", len(objects)+1,
		strings.ReplaceAll(trailer, "XREF", fmt.Sprint(xref)), xref)
	return b.Bytes()
}

func stream(dict, data string) string {
	return fmt.Sprintf("<< %s /Length %d >>\nstream\n%s\nendstream", dict, len(data), data)
}

// squeezed is a repeated unit, compressed several times.
func squeezed(unit string, times, rounds int) string {
	data := []byte(nil)
	for round := range rounds {
		var b bytes.Buffer
		w := zlib.NewWriter(&b)
		if round == 0 {
			big := []byte(strings.Repeat(unit, max(1, (1<<20)/len(unit))))
			for left := times * len(unit); left > 0; left -= len(big) {
				w.Write(big[:min(left, len(big))])
			}
		} else {
			w.Write(data)
		}
		w.Close()
		data = b.Bytes()
	}
	return string(data)
}

const (
	catalog = "<< /Type /Catalog /Pages 2 0 R >>"
	pages   = "<< /Type /Pages /Count 1 /Kids [3 0 R] >>"
	onePage = "<< /Type /Page /Parent 2 0 R /MediaBox [0 0 612 792] /Resources << /Font << /F1 5 0 R >> /XObject << /X0 6 0 R /X1 7 0 R >> >> /Contents 4 0 R >>"
	font    = "<< /Type /Font /Subtype /Type1 /BaseFont /Helvetica >>"
	words   = "BT /F1 12 Tf 72 700 Td (words) Tj ET "
)

// page returns a file of one page.
func page(content string, more ...string) []byte {
	return PDF("", append([]string{catalog, pages, onePage, content, font}, more...)...)
}

func (h *maker) pdfs() {
	h.add("page-tree-loop.pdf", func() []byte {
		return PDF("", catalog, "<< /Type /Pages /Count 9999 /Kids [2 0 R 2 0 R] /Parent 2 0 R >>")
	})
	h.add("page-tree-cycle.pdf", func() []byte {
		return PDF("", catalog, "<< /Type /Pages /Count 100 /Kids [3 0 R 3 0 R] >>",
			"<< /Type /Pages /Count 50 /Kids [2 0 R 2 0 R] /Parent 2 0 R >>")
	})
	h.add("page-tree-deep.pdf", func() []byte {
		objects := []string{catalog}
		n := h.n(20_000)
		for i := range n {
			objects = append(objects, fmt.Sprintf("<< /Type /Pages /Count 1 /Kids [%d 0 R] >>", i+3))
		}
		return PDF("", append(objects, "<< /Type /Page /MediaBox [0 0 9 9] >>")...)
	})
	h.add("page-count.pdf", func() []byte { return PDF("", catalog, "<< /Type /Pages /Count 2147483647 /Kids [] >>") })
	h.add("one-page-a-million-times.pdf", func() []byte {
		n := h.n(1_000_000)
		return PDF("", catalog, fmt.Sprintf("<< /Type /Pages /Count %d /Kids [%s] >>", n, strings.Repeat("3 0 R ", n)), onePage,
			stream("", words), font)
	})
	h.add("pages-under-limit.pdf", func() []byte {
		n := h.n(4900)
		return PDF("", catalog, fmt.Sprintf("<< /Type /Pages /Count %d /Kids [%s] >>", n, strings.Repeat("3 0 R ", n)), onePage,
			stream("", strings.Repeat(words, 30)), font)
	})
	h.add("xref-loop.pdf", func() []byte { return PDF("/Prev XREF", catalog, pages, onePage, stream("", words), font) })
	h.add("object-stream-loop.pdf", func() []byte {
		return PDF("", "7 0 R", pages, onePage, stream("", words), font,
			stream("/Type /ObjStm /N 1 /First 4 /Extends 6 0 R", "7 0 6 0 R"), stream("/Type /ObjStm /N 1 /First 4 /Extends 6 0 R", "1 0 7 0 R"))
	})
	h.add("length-loop.pdf", func() []byte { return page("<< /Length 4 0 R >>\nstream\nx\nendstream") })
	h.add("form-loop.pdf", func() []byte {
		return page(stream("", words+"/X0 Do"),
			stream("/Type /XObject /Subtype /Form /BBox [0 0 9 9] /Resources << /XObject << /X0 6 0 R >> >>", "/X0 Do /X0 Do"))
	})
	h.add("form-fans.pdf", func() []byte {
		objects := []string{catalog, pages, onePage, stream("", words+"/X0 Do"), font}
		for i := range 12 {
			objects = append(objects, stream(fmt.Sprintf("/Type /XObject /Subtype /Form /BBox [0 0 9 9] /Resources << /XObject << /X0 %d 0 R >> /Font << /F1 5 0 R >> >>", i+7), words+strings.Repeat("/X0 Do ", 10)))
		}
		return PDF("", objects...)
	})
	h.add("flate-bomb.pdf", func() []byte {
		return page(stream("/Filter /FlateDecode", squeezed("q Q ", h.n(1<<30)/4, 1)))
	})
	h.add("flate-bomb-text.pdf", func() []byte {
		return page(stream("/Filter /FlateDecode", squeezed(words, h.n(1<<28)/len(words), 1)))
	})
	h.add("flate-bomb-nested.pdf", func() []byte {
		return page(stream("/Filter [/FlateDecode /FlateDecode /FlateDecode]", squeezed("q ", h.n(1<<30)/2, 3)))
	})
	h.add("states.pdf", func() []byte { return page(stream("", strings.Repeat("q ", h.n(10_000_000)))) })
	h.add("arrays.pdf", func() []byte { return page(stream("", strings.Repeat("[", h.n(5_000_000))+words)) })
	h.add("letters.pdf", func() []byte {
		return page(stream("", "BT /F1 1 Tf 72 700 Td ("+strings.Repeat("a", h.n(2_000_000))+") Tj ET"))
	})
	h.add("scattered.pdf", func() []byte {
		var b strings.Builder
		for i := range h.n(200_000) {
			fmt.Fprintf(&b, "BT /F1 4 Tf %d %d Td (w) Tj ET ", i*7919%600, i*104729%780)
		}
		return page(stream("", b.String()))
	})
	h.crowded()
	h.add("nested-dictionaries.pdf", func() []byte {
		return PDF("", strings.Repeat("<< /A ", h.n(500_000))+"1"+strings.Repeat(" >>", h.n(500_000)), pages)
	})
	h.add("image-bomb.pdf", func() []byte {
		return page(stream("", words+"q 600 0 0 700 0 0 cm /X0 Do Q"),
			stream("/Type /XObject /Subtype /Image /Width 60000 /Height 60000 /ColorSpace /DeviceGray /BitsPerComponent 8 /Filter /FlateDecode",
				squeezed("\x00\x00\x00\x00", h.n(1<<28)/4, 1)))
	})
	h.add("image-bomb-only.pdf", func() []byte {
		return page(stream("", "q 600 0 0 700 0 0 cm /X0 Do Q"),
			stream("/Type /XObject /Subtype /Image /Width 60000 /Height 60000 /ColorSpace /DeviceGray /BitsPerComponent 8 /Filter /FlateDecode",
				squeezed("\x00\x00\x00\x00", h.n(1<<28)/4, 1)))
	})
	h.add("page-size.pdf", func() []byte {
		return PDF("", catalog, pages, strings.Replace(onePage, "[0 0 612 792]", "[-1e30 -1e30 1e30 1e30]", 1),
			stream("", words+"0 0 1e30 1e30 re f"), font)
	})
	h.add("locked.pdf", func() []byte {
		return PDF("/ID [<00><00>] /Encrypt << /Filter /Standard /V 1 /R 2 /O ("+strings.Repeat("o", 32)+") /U ("+strings.Repeat("u",
			32)+") /P -4 >>", catalog, pages, onePage, stream("", words), font)
	})
	h.add("locked-unknown.pdf", func() []byte {
		return PDF("/ID [<00><00>] /Encrypt << /Filter /Nobody /V 9 >>", catalog, pages, onePage, stream("", words), font)
	})
	h.add("only-a-header.pdf", func() []byte { return []byte("%PDF-1.7\n") })
	h.add("noise.pdf", func() []byte { return []byte("%PDF-1.7\n" + noise(h.n(1<<20))) })
}

// crowded are pages full of short texts, among which tables and columns are looked for.
func (h *maker) crowded() {
	columns := func(texts int) string {
		var b strings.Builder
		for i := range texts {
			fmt.Fprintf(&b, "BT /F1 4 Tf %d %d Td (word word word) Tj ET ", i*7919%6007, i*104729%8009)
		}
		return stream("/Filter /FlateDecode", squeezed(b.String(), 1, 1))
	}
	h.add("columns.pdf", func() []byte { return page(columns(h.n(100_000))) })
	h.add("columns-of-pages.pdf", func() []byte {
		return PDF("", catalog, fmt.Sprintf("<< /Type /Pages /Count 8 /Kids [%s] >>", strings.Repeat("3 0 R ", 8)), onePage,
			columns(h.n(30_000)), font)
	})
}
