package readertest

import (
	"archive/zip"
	"bytes"
	"compress/flate"
	"encoding/base64"
	"fmt"
	"hash/crc32"
	"strings"
)

// member is a file of an archive: head, then unit repeated, then tail.
type member struct {
	name       string
	head, unit string
	times      int
	tail       string
}

// pack builds an archive. Repeated content is compressed once, so that
// gigabytes are cheap to make.
func pack(members ...member) []byte {
	var out bytes.Buffer
	w := zip.NewWriter(&out)
	for _, m := range members {
		if err := m.write(w); err != nil {
			panic(err) // a buffer does not fail
		}
	}
	if err := w.Close(); err != nil {
		panic(err)
	}
	return out.Bytes()
}

func (m member) write(w *zip.Writer) error {
	unit, times := m.unit, m.times
	// Units of a megabyte keep the number of blocks small.
	if per := (1 << 20) / max(len(unit), 1); times > 2*per && per > 1 {
		m.tail = strings.Repeat(unit, times%per) + m.tail
		unit, times = strings.Repeat(unit, per), times/per
	}
	data := deflated(m.head, false)
	crc := crc32.ChecksumIEEE([]byte(m.head))
	block := deflated(unit, false)
	raw := []byte(unit)
	for range times {
		data = append(data, block...)
		crc = crc32.Update(crc, crc32.IEEETable, raw)
	}
	data = append(data, deflated(m.tail, true)...)
	crc = crc32.Update(crc, crc32.IEEETable, []byte(m.tail))
	f, err := w.CreateRaw(&zip.FileHeader{
		Name: m.name, Method: zip.Deflate, CRC32: crc, CompressedSize64: uint64(len(data)),
		UncompressedSize64: uint64(len(m.head) + len(unit)*times + len(m.tail)),
	})
	if err != nil {
		return err
	}
	_, err = f.Write(data)
	return err
}

func deflated(s string, last bool) []byte {
	var b bytes.Buffer
	w, err := flate.NewWriter(&b, flate.BestCompression)
	if err == nil {
		_, err = w.Write([]byte(s))
	}
	if err == nil && last {
		err = w.Close()
	} else if err == nil {
		err = w.Flush()
	}
	if err != nil {
		panic(err)
	}
	return b.Bytes()
}

const docxHead = `<?xml version="1.0"?><w:document xmlns:w="x"><w:body>`

func docx(head, unit string, times int, more ...member) []byte {
	return pack(append([]member{{name: "word/document.xml", head: docxHead + head, unit: unit, times: times,
		tail: "<w:p><w:r><w:t>end</w:t></w:r></w:p></w:body></w:document>"}}, more...)...)
}

func kind(mediaType string) member { return member{name: "mimetype", head: mediaType} }

const (
	odtType  = "application/vnd.oasis.opendocument.text"
	odsType  = "application/vnd.oasis.opendocument.spreadsheet"
	epubType = "application/epub+zip"
)

// epub has one chapter, or the same one many times.
func epub(chapter member, times int) []byte {
	chapter.name = "c.xhtml"
	return pack(kind(epubType), member{name: "META-INF/container.xml", head: `<container><rootfile full-path="a.opf"/></container>`},
		member{name: "a.opf", head: `<package><manifest><item id="1" href="c.xhtml" media-type="application/xhtml+xml"/></manifest><spine>`,
			unit: `<itemref idref="1"/>`, times: times, tail: "</spine></package>"},
		chapter)
}

func (h *maker) archives() {
	const para = "<w:p><w:r><w:t>aaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaa</w:t></w:r></w:p>"
	h.add("bomb-text.docx", func() []byte { return docx("", para, h.n(2<<30)/len(para)) })
	h.add("bomb-one-word.docx", func() []byte { return docx("<w:p><w:r><w:t>", "aaaaaaaa", h.n(2<<30)/8) })
	h.add("bomb-zeros.docx", func() []byte { return docx("", "\x00\x00\x00\x00", h.n(2<<30)/4) })
	h.add("bomb-under-limit.docx", func() []byte { return docx("", para, h.n(240<<20)/len(para)) })
	h.add("bomb-tags.docx", func() []byte { return docx("", "<w:p/>", h.n(200<<20)/6) })
	h.add("bomb-one-paragraph.docx", func() []byte { return docx("<w:p>", "<w:r><w:t>a</w:t></w:r>", h.n(200<<20)/23) })
	h.add("bomb-one-table.docx", func() []byte { return docx("<w:tbl>", "<w:tr><w:tc/></w:tr>", h.n(200<<20)/20) })
	h.add("bomb-styles.docx", func() []byte {
		return docx("", "", 0, member{name: "word/_rels/document.xml.rels",
			head: `<Relationships><Relationship Id="r" Type="x/styles" Target="styles.xml"/></Relationships>`},
			member{name: "word/styles.xml", head: "<w:styles>", unit: `<w:style w:styleId="a"><w:name w:val="b"/></w:style>`,
				times: h.n(1<<30) / 52})
	})
	h.add("bomb.odt", func() []byte {
		return pack(kind(odtType), member{name: "content.xml", head: "<office:body>", unit: "<text:p>aaaaaaaaaaaaaaaaaaaaa</text:p>",
			times: h.n(2<<30) / 38})
	})
	h.add("bomb.epub", func() []byte {
		return epub(member{head: "<body>", unit: "<p>aaaaaaaaaaaaaaa</p>", times: h.n(2<<30) / 22}, 1)
	})
	h.add("bomb-again-and-again.epub", func() []byte {
		return epub(member{head: "<body>", unit: "<p>aaaaaaaaaaaaaaa</p>", times: h.n(10<<20) / 22}, h.n(9000))
	})
	h.add("bomb.pptx", func() []byte {
		return pack(member{name: "ppt/presentation.xml", head: `<p:sldIdLst><p:sldId r:id="r1"/></p:sldIdLst>`},
			member{name: "ppt/_rels/presentation.xml.rels",
				head: `<Relationships><Relationship Id="r1" Type="x/slide" Target="slides/s.xml"/></Relationships>`},
			member{name: "ppt/slides/s.xml", head: "<p:sld><p:sp><p:txBody>", unit: "<a:p><a:r><a:t>aaaaaaaaaaaa</a:t></a:r></a:p>",
				times: h.n(2<<30) / 45})
	})
	h.add("bombs.eml", func() []byte {
		bomb := base64.StdEncoding.EncodeToString(docx("", para, h.n(200<<20)/len(para)))
		part := "--x\nContent-Type: application/octet-stream\nContent-Disposition: attachment; filename=a.docx\nContent-Transfer-Encoding: base64\n\n" + bomb + "\n"
		return []byte("From: a\nTo: b\nSubject: c\nContent-Type: multipart/mixed; boundary=x\n\n" + strings.Repeat(part, 20) + "--x--\n")
	})
	h.add("nested-archives.docx", func() []byte {
		inner := docx("", para, h.n(50<<20)/len(para))
		for range 5 {
			inner = pack(member{name: "word/document.xml", head: docxHead + "<w:p><w:r><w:t>outer</w:t></w:r></w:p>"},
				member{name: "word/embeddings/a.docx", head: string(inner)})
		}
		return inner
	})
	h.repeated()
	h.sheetsAndBooks(para)
}

// repeated are archives that have a text once and show it many times.
func (h *maker) repeated() {
	note := "<w:p><w:r><w:t>" + strings.Repeat("note ", 20_000) + "</w:t></w:r></w:p>"
	noted := func(kind, reference string, times int) []byte {
		return docx("<w:p>", reference, times, member{name: "word/_rels/document.xml.rels",
			head: `<Relationships><Relationship Id="r" Type="x/` + kind + `s" Target="notes.xml"/></Relationships>`},
			member{name: "word/notes.xml", head: "<w:notes><w:" + kind + ` w:id="2">` + note + "</w:" + kind + "></w:notes>"})
	}
	h.add("one-footnote.docx", func() []byte {
		return noted("footnote", `<w:r><w:footnoteReference w:id="2"/></w:r>`, h.n(100_000))
	})
	h.add("one-endnote.docx", func() []byte {
		return noted("endnote", `<w:r><w:endnoteReference w:id="2"/></w:r>`, h.n(100_000))
	})
	h.add("one-link.docx", func() []byte {
		return docx("<w:p>", `<w:hyperlink r:id="r"><w:r><w:t>x</w:t></w:r></w:hyperlink>`, h.n(100_000),
			member{name: "word/_rels/document.xml.rels", head: `<Relationships><Relationship Id="r" Type="x/hyperlink" TargetMode="External" Target="https://x.org/`,
				unit: "aaaaaaaaaa", times: h.n(1<<20) / 10, tail: `"/></Relationships>`})
	})
	h.add("levels.docx", func() []byte {
		level := func(n int) string {
			var b strings.Builder
			for i := range n {
				fmt.Fprintf(&b, `<w:lvl w:ilvl="%d"><w:numFmt w:val="decimal"/></w:lvl>`, i)
			}
			return b.String()
		}
		var lists strings.Builder
		for i := range h.n(100_000) {
			fmt.Fprintf(&lists, `<w:num w:numId="%d"><w:abstractNumId w:val="1"/></w:num>`, i)
		}
		return docx("", "", 0, member{name: "word/_rels/document.xml.rels",
			head: `<Relationships><Relationship Id="r" Type="x/numbering" Target="numbering.xml"/></Relationships>`},
			member{name: "word/numbering.xml", head: `<w:numbering><w:abstractNum w:abstractNumId="1">` + level(h.n(100_000)) +
				"</w:abstractNum>" + lists.String() + "</w:numbering>"})
	})
	h.add("padded-rows.docx", func() []byte {
		return docx("<w:tbl><w:tr>"+strings.Repeat("<w:tc/>", h.n(100_000))+"</w:tr>",
			"<w:tr><w:tc><w:p><w:r><w:t>a</w:t></w:r></w:p></w:tc></w:tr>", h.n(100_000))
	})
	h.add("repeated-text.ods", func() []byte {
		return pack(kind(odsType), member{name: "content.xml", head: "<office:body>",
			unit: `<table:table table:name="a"><table:table-row table:number-rows-repeated="1000"><table:table-cell table:number-columns-repeated="1000"><text:p>` +
				strings.Repeat("x", 2000) + `</text:p></table:table-cell></table:table-row></table:table>`, times: 5})
	})
	h.add("repeated-text.odt", func() []byte {
		return pack(kind(odtType), member{name: "content.xml", head: "<office:body><table:table>",
			unit:  `<table:table-row><table:table-cell table:number-columns-repeated="1000"><text:p>x</text:p></table:table-cell></table:table-row>`,
			times: h.n(100_000)})
	})
	h.add("links.odt", func() []byte {
		return pack(kind(odtType), member{name: "content.xml", head: "<office:body><text:p>", unit: `<text:a xlink:href="http://a.b/">xx</text:a>`,
			times: h.n(370_000), tail: "</text:p>"})
	})
	h.add("one-control.odt", func() []byte {
		return pack(kind(odtType), member{name: "content.xml",
			head: `<office:body><office:forms><form:form><form:checkbox form:id="c" form:label="` + strings.Repeat("label ", h.n(100_000)) +
				`"/></form:form></office:forms><text:p>a`, unit: `<draw:control draw:control="c"/>`, times: h.n(100_000), tail: "</text:p>"})
	})
	h.add("one-string.xlsx", func() []byte {
		return book(1, member{head: "<sheetData>", unit: "<row>" + strings.Repeat(`<c t="s"><v>0</v></c>`, 1000) + "</row>", times: h.n(1000)},
			member{name: "xl/sharedStrings.xml", head: "<sst><si><t>", unit: "aaaaaaaaaa", times: h.n(1<<20) / 10, tail: "</t></si></sst>"})
	})
	h.add("elements.docx", func() []byte {
		return docx("<!--"+base64.StdEncoding.EncodeToString([]byte(noise(h.n(1_500_000))))+"--><w:p>", "<a/>", h.n(35_000_000))
	})
	h.add("one-slide.pptx", func() []byte {
		return pack(member{name: "ppt/presentation.xml", head: "<p:sldIdLst>", unit: `<p:sldId r:id="r1"/>`, times: 4000, tail: "</p:sldIdLst>"},
			member{name: "ppt/_rels/presentation.xml.rels",
				head: `<Relationships><Relationship Id="r1" Type="x/slide" Target="slides/s.xml"/></Relationships>`},
			member{name: "ppt/slides/s.xml", head: "<p:sld><p:sp><p:txBody>", unit: "<a:p><a:r><a:t>aaaaaaaaaaaa</a:t></a:r></a:p>",
				times: h.n(1<<20) / 45})
	})
	h.add("one-chapter.epub", func() []byte {
		var items, spine strings.Builder
		for i := range h.n(100_000) {
			fmt.Fprintf(&items, `<item id="%d" href="c.xhtml" media-type="application/xhtml+xml"/>`, i)
			fmt.Fprintf(&spine, `<itemref idref="%d"/>`, i)
		}
		return pack(kind(epubType), member{name: "META-INF/container.xml", head: `<container><rootfile full-path="a.opf"/></container>`},
			member{name: "a.opf", head: "<package>" + items.String() + "<spine>" + spine.String() + "</spine></package>"},
			member{name: "c.xhtml", head: "<body><p>" + strings.Repeat("text ", 500) + "</p></body>"})
	})
}

// sheetsAndBooks are archives of other makers.
func (h *maker) sheetsAndBooks(para string) {
	h.add("members.docx", func() []byte {
		var many []member
		for i := range h.n(60_000) {
			many = append(many, member{name: fmt.Sprint("word/", i)})
		}
		return pack(many...)
	})
	h.add("traversal.docx", func() []byte {
		return docx("", "", 0, member{name: "../../../../tmp/lectern-hostile", head: "outside"},
			member{name: "/etc/lectern-hostile", head: "outside"},
			member{name: "word/_rels/document.xml.rels",
				head: `<Relationships><Relationship Id="r" Type="x/footnotes" Target="../../../../../etc/passwd"/><Relationship Id="s" Type="x/styles" Target="file:///etc/passwd"/></Relationships>`})
	})
	h.add("traversal.epub", func() []byte {
		return pack(kind(epubType), member{name: "META-INF/container.xml",
			head: `<container><rootfile full-path="../../../etc/passwd"/></container>`})
	})
	h.add("traversal-chapter.epub", func() []byte {
		return pack(kind(epubType), member{name: "META-INF/container.xml", head: `<container><rootfile full-path="a.opf"/></container>`},
			member{name: "a.opf", head: `<package><item id="1" href="../../../../etc/passwd" media-type="application/xhtml+xml"/><item id="2" href="file:///etc/passwd" media-type="text/html"/><itemref idref="1"/><itemref idref="2"/></package>`})
	})
	h.add("laughs.docx", func() []byte {
		return pack(member{name: "word/document.xml", head: laughs("w:document", "<w:body><w:p><w:r><w:t>&j;</w:t></w:r></w:p></w:body>")})
	})
	h.add("laughs.odt", func() []byte {
		return pack(kind(odtType), member{name: "content.xml", head: laughs("office:body", "<text:p>&j;</text:p>")})
	})
	h.add("laughs.epub", func() []byte { return epub(member{head: laughs("html", "<body><p>&j;</p></body>")}, 1) })
	h.add("nested-lists.docx", func() []byte {
		var b strings.Builder
		for i := range h.n(10_000) {
			fmt.Fprintf(&b, `<w:p><w:pPr><w:numPr><w:ilvl w:val="%d"/><w:numId w:val="1"/></w:numPr></w:pPr><w:r><w:t>x</w:t></w:r></w:p>`, i)
		}
		return docx(b.String(), "", 0)
	})
	h.add("nested-tables.docx", func() []byte { return docx("", "<w:tbl><w:tr><w:tc><w:p><w:r><w:t>x</w:t></w:r></w:p>", h.n(200_000)) })
	h.add("nested-lists.odt", func() []byte {
		return pack(kind(odtType), member{name: "content.xml", head: "<office:body>", unit: "<text:list><text:list-item><text:p>x</text:p>",
			times: h.n(10_000), tail: strings.Repeat("</text:list-item></text:list>", h.n(10_000)) + "</office:body>"})
	})
	h.add("nested-lists.epub", func() []byte { return epub(member{head: "<body>", unit: "<ul><li>x", times: h.n(10_000)}, 1) })
	h.add("locked.odt", func() []byte {
		return pack(kind(odtType), member{name: "META-INF/manifest.xml",
			head: `<manifest:file-entry manifest:full-path="content.xml"><manifest:encryption-data/></manifest:file-entry>`},
			member{name: "content.xml", head: noise(2000)})
	})
	h.add("locked.epub", func() []byte {
		return pack(kind(epubType), member{name: "META-INF/container.xml", head: `<container><rootfile full-path="a.opf"/></container>`},
			member{name: "META-INF/encryption.xml",
				head: `<encryption><EncryptedData><CipherReference URI="c.xhtml"/></EncryptedData></encryption>`},
			member{name: "a.opf", head: `<package><item id="1" href="c.xhtml" media-type="application/xhtml+xml"/><itemref idref="1"/></package>`}, member{name: "c.xhtml", head: noise(2000)})
	})
	for _, ext := range []string{".docx", ".xlsx", ".pptx"} {
		h.add("locked"+ext, func() []byte {
			return []byte("\xD0\xCF\x11\xE0\xA1\xB1\x1A\xE1" + strings.Repeat("\x00", 512) +
				strings.Join(strings.Split("EncryptedPackage", ""), "\x00") + "\x00" + noise(4000))
		})
	}
}

// book is a workbook whose sheets are one and the same member.
func book(sheets int, sheet member, more ...member) []byte {
	sheet.name = "xl/s.xml"
	members := []member{
		{name: "xl/workbook.xml", head: "<workbook><sheets>", unit: `<sheet name="S" sheetId="1" r:id="r1"/>`, times: sheets,
			tail: "</sheets></workbook>"},
		{name: "xl/_rels/workbook.xml.rels",
			head: `<Relationships><Relationship Id="r1" Type="x/worksheet" Target="s.xml"/><Relationship Id="r2" Type="x/sharedStrings" Target="t.xml"/></Relationships>`},
		sheet,
	}
	return pack(append(members, more...)...)
}

func (h *maker) sheets() {
	const far = `<row r="1048576"><c r="XFD1048576"><v>1</v></c></row>`
	h.add("sparse-gigabyte.xlsx", func() []byte { return book(1, member{head: "<sheetData>", unit: far, times: h.n(1<<30) / len(far)}) })
	h.add("sparse-under-limit.xlsx", func() []byte {
		return book(1, member{head: "<sheetData>", unit: far,
			times: h.n(200<<20) / len(far)})
	})
	h.add("empty-rows.xlsx", func() []byte { return book(1, member{head: "<sheetData>", unit: "<row/>", times: h.n(250<<20) / 6}) })
	h.add("empty-cells.xlsx", func() []byte { return book(1, member{head: "<sheetData><row>", unit: "<c/>", times: h.n(200<<20) / 4}) })
	h.add("wide-row.xlsx", func() []byte {
		return book(1, member{head: "<sheetData><row>", unit: "<c><v>1</v></c>", times: h.n(200<<20) / 15})
	})
	h.add("sheets.xlsx", func() []byte {
		return book(h.n(9000), member{head: "<sheetData>", unit: "<row><c><v>1</v></c></row>", times: h.n(10<<20) / 26})
	})
	h.add("strings.xlsx", func() []byte {
		return book(1, member{head: "<sheetData>", unit: `<row><c t="s"><v>0</v></c></row>`, times: h.n(20<<20) / 32},
			member{name: "xl/t.xml", head: "<sst><si><t>", unit: "aaaaaaaa", times: h.n(10<<20) / 8, tail: "</t></si></sst>"})
	})
	h.add("laughs.xlsx", func() []byte {
		return book(1, member{head: `<sheetData><row><c t="s"><v>0</v></c></row></sheetData>`},
			member{name: "xl/t.xml", head: laughs("sst", "<si><t>&j;</t></si>")})
	})
	h.add("repeated-rows.ods", func() []byte {
		return pack(kind(odsType), member{name: "content.xml", head: `<office:body><table:table table:name="a">`,
			unit: `<table:table-row table:number-rows-repeated="1048576"><table:table-cell table:number-columns-repeated="16384"><text:p>x</text:p></table:table-cell></table:table-row>`, times: h.n(1000)})
	})
	h.add("repeated-spaces.odt", func() []byte {
		return pack(kind(odtType), member{name: "content.xml", head: "<office:body>", unit: `<text:p>a<text:s text:c="999999999"/>b</text:p>`,
			times: h.n(1000)})
	})
}
