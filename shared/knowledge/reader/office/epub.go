package office

import (
	"context"
	"net/url"
	"path"
	"strings"

	"lectern/shared/knowledge/reader/intake"
	"lectern/shared/knowledge/reader/webpage"
	"lectern/shared/text/document"
)

// EPUB reads books: the chapters in the order of the spine, each read as HTML, and once.
//
// Source: EPUB 3.3, 5.7: the spine names an item at most once, and 5.6.2: items differ in their files.
func EPUB(ctx context.Context, data []byte, limits intake.Limits) (*document.Document, error) {
	a, limits, err := openArchive(ctx, data, limits)
	if err != nil {
		return nil, err
	}
	container, err := a.must("META-INF/container.xml")
	if err != nil {
		return nil, err
	}
	book := ""
	p := xmlParser{data: container}
	for p.next() {
		if p.kind == xmlStart && p.name == "rootfile" && book == "" {
			book = p.attr("full-path")
		}
	}
	opf, err := a.must(book)
	if err != nil {
		return nil, err
	}
	b := document.Builder{Most: limits.TextBytes}
	titled := false
	pages := map[string]string{}
	var spine []string
	p = xmlParser{data: opf}
	for p.next() {
		if p.kind != xmlStart {
			continue
		}
		switch p.name {
		case "title":
			if !titled {
				b.Title(p.tree(5).allText())
				titled = true
			}
		case "item":
			href, err := url.PathUnescape(p.attr("href"))
			if err != nil || strings.Contains(" "+p.attr("properties")+" ", " nav ") || !strings.Contains(p.attr("media-type"), "html") {
				continue
			}
			pages[p.attr("id")] = path.Join(path.Dir(book), href)
		case "itemref":
			if p.attr("linear") != "no" {
				spine = append(spine, p.attr("idref"))
			}
		}
	}
	if locked, err := isLocked(a, pages); err != nil || locked {
		if err == nil {
			err = intake.Refuse(intake.Encrypted, "the book is locked by its publisher")
		}
		return nil, err
	}
	begun := map[string]bool{}
	for _, id := range spine {
		if begun[pages[id]] {
			continue
		}
		begun[pages[id]] = true
		page, err := a.read(pages[id])
		if err != nil {
			return nil, err
		}
		if page == nil {
			continue
		}
		chapter := document.Builder{Most: limits.TextBytes}
		if err := webpage.Write(ctx, &chapter, webpage.Decode(page), limits); err != nil {
			return nil, err
		}
		b.Append(chapter.Document())
		if err := limits.Check(b.Len(), b.Nodes()); err != nil {
			return nil, err
		}
	}
	return b.Document(), nil
}

// isLocked reports whether a page of the book is encrypted; fonts may be.
func isLocked(a *archive, pages map[string]string) (bool, error) {
	data, err := a.read("META-INF/encryption.xml")
	if err != nil {
		return false, err
	}
	p := xmlParser{data: data}
	for p.next() {
		if p.kind != xmlStart || p.name != "CipherReference" {
			continue
		}
		for _, page := range pages {
			if page == p.attr("URI") {
				return true, nil
			}
		}
	}
	return false, nil
}
