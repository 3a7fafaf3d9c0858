package main

import (
	"encoding/base64"
	"encoding/json"
	"fmt"
	"net/http"
	"net/http/httptest"
	"path"
	"strings"

	"lectern/shared/knowledge/reader/readertest"
)

// readers measures the text per second of each format, with the convert
// endpoint and one client, and finally ingests a PDF of a thousand pages.
func (b *bench) readers() error {
	p := newProse(6)
	next := func() string {
		words := make([]string, 12)
		for i := range words {
			words[i] = p.word()
		}
		return strings.ToUpper(words[0][:1]) + words[0][1:] + " " + strings.Join(words[1:], " ") + "."
	}
	s, err := b.service()
	if err != nil {
		return err
	}
	defer s.stop()
	const pages = 200
	for _, f := range readertest.Large(next, 4<<20, pages) {
		body := constant(object{"input": object{"type": "file", "value": base64.StdEncoding.EncodeToString(f.Make())},
			"metadata": object{"file_name": f.Name}})
		var out struct{ Content string }
		if err := postJSON(s.url+"/v1/artifacts/convert", json.RawMessage(body(0)), &out); err != nil {
			return err
		}
		times, _, err := newLoad(s.url+"/v1/artifacts/convert", 1, body).run(5)
		if err != nil {
			return err
		}
		seconds := quantile(times, .5).Seconds()
		b.note("read "+path.Ext(f.Name)[1:], float64(len(out.Content))/1e6/seconds, "MB/s of text")
		if f.Name == "large.pdf" {
			b.note("read pdf", pages/seconds, "pages/s")
		}
	}
	return b.longPDF(next)
}

// longPDF ingests a thousand pages by URL.
func (b *bench) longPDF(next func() string) error {
	list := readertest.Large(next, 1, 1000)
	data := list[len(list)-1].Make()
	files := httptest.NewServer(http.HandlerFunc(func(w http.ResponseWriter, _ *http.Request) {
		w.Header().Set("Content-Type", "application/pdf")
		w.Write(data)
	}))
	defer files.Close()
	s, err := b.service("LECTERN_ALLOW_HOSTS=127.0.0.1")
	if err != nil {
		return err
	}
	defer s.stop()
	short := readertest.Large(next, 1, 1)
	warm := object{"input": object{"type": "file", "value": base64.StdEncoding.EncodeToString(short[len(short)-1].Make())},
		"metadata": object{"file_name": "a.pdf"}}
	if err := postJSON(s.url+"/v1/artifacts/convert", warm, &object{}); err != nil { // compiles the PDF engine
		return err
	}
	times, _, err := newLoad(s.url+"/v1/artifacts/ingest", 1, constant(object{"artifact": "long",
		"input": object{"type": "uri", "value": files.URL + "/long.pdf"}})).run(1)
	if err != nil {
		return err
	}
	b.note(fmt.Sprintf("ingest a PDF of 1,000 pages, %.0f MB", float64(len(data))/1e6), 1000/times[0].Seconds(), "pages/s")
	b.atMost("peak memory of it", s.memory("VmHWM"), 600, 600, "MiB")
	return nil
}
