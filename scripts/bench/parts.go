package main

import (
	"encoding/json"
	"fmt"
	"io"
	"io/fs"
	"net/http"
	"net/http/httptest"
	"path/filepath"
	"strconv"
	"strings"
	"time"
)

// idle measures the memory of a service that has just started.
func (b *bench) idle() error {
	s, err := b.service()
	if err != nil {
		return err
	}
	defer s.stop()
	time.Sleep(500 * time.Millisecond)
	b.atMost("idle memory", s.memory("VmRSS"), 96, 64, "MiB")
	return nil
}

// chat compares a short chat with the built-in model to an echo of the same body.
func (b *bench) chat() error {
	s, err := b.service()
	if err != nil {
		return err
	}
	defer s.stop()
	e, err := b.echo()
	if err != nil {
		return err
	}
	defer e.stop()
	question := object{"model": "default", "max_tokens": 256, "messages": []object{{"role": "user", "content": "How far away is the moon?"}}}
	document := "The moon is the only natural satellite of the earth. Its average distance is 384,400 km. It turns once in 27.3 days. " +
		"Its gravity is a sixth of ours. The far side was first photographed in 1959 by Luna 3."
	material := object{"model": "default", "max_tokens": 256, "messages": []object{{"role": "user", "content": []object{
		{"type": "document", "title": "Moon", "source": object{"type": "text", "media_type": "text/plain", "data": document},
			"citations": object{"enabled": true}},
		{"type": "text", "text": "How far away is the moon?"}}}}}
	for _, k := range []struct {
		name string
		body object
	}{{"chat", question}, {"chat over a document", material}} {
		var p50, rps [2]float64
		// Both servers take turns, so that a slow moment of the machine meets both.
		for round := range 4 {
			for i, url := range []string{e.url, s.url + "/v1/messages"} {
				times, _, err := newLoad(url, 1, constant(k.body)).run(2000)
				if err != nil {
					return err
				}
				_, took, err := newLoad(url, 32, constant(k.body)).run(8000)
				if err != nil {
					return err
				}
				if round > 0 { // the first warms up
					p50[i] += ms(quantile(times, .5)) / 3
					rps[i] += 8000 / took.Seconds() / 3
				}
			}
		}
		if k.name == "chat" {
			b.atMost("chat: p50 over echo, 1 connection", p50[1]/p50[0], 2.0, 1.4, "x")
			b.atLeast("chat: requests/s over echo, 32 connections", rps[1]/rps[0], .45, .65, "x")
		}
		b.note(k.name+": p50, echo", p50[0], "ms")
		b.note(k.name+": p50", p50[1], "ms")
		b.note(k.name+": requests/s", rps[1], "")
	}
	return nil
}

// body measures how fast a long conversation is received.
func (b *bench) body() error {
	s, err := b.service()
	if err != nil {
		return err
	}
	defer s.stop()
	p := newProse(1)
	var messages []object
	size := 0
	for i := 0; size < 200<<10; i++ {
		text := p.text(2000)
		size += len(text)
		messages = append(messages, object{"role": []string{"user", "assistant"}[i%2], "content": []object{{"type": "text", "text": text}}})
	}
	messages = append(messages, object{"role": "user", "content": "What now?"})
	body := constant(object{"model": "default", "max_tokens": 64, "messages": messages})
	l := newLoad(s.url+"/v1/messages", 1, body)
	if _, _, err := l.run(50); err != nil {
		return err
	}
	times, _, err := l.run(300)
	if err != nil {
		return err
	}
	b.atLeast("chat body of 200 KB", float64(len(body(0)))/1e6/quantile(times, .5).Seconds(), 60, 120, "MB/s")
	return nil
}

// ingest measures one large text, and many small ones from 8 clients.
func (b *bench) ingest() error {
	s, err := b.service()
	if err != nil {
		return err
	}
	defer s.stop()
	text := newProse(2).text(10 << 20)
	one := constant(object{"artifact": "large", "input": object{"type": "text", "value": text}})
	times, _, err := newLoad(s.url+"/v1/artifacts/ingest", 1, one).run(1)
	if err != nil {
		return err
	}
	b.atLeast("ingest 10 MB of text", float64(len(text))/1e6/times[0].Seconds(), 5, 15, "MB/s")
	p := newProse(3)
	small := make([]string, 1000)
	for i := range small {
		small[i] = p.text(1000)
	}
	_, took, err := newLoad(s.url+"/v1/artifacts/ingest", 8, func(i int) []byte {
		raw, _ := json.Marshal(object{"artifact": fmt.Sprint(i), "collection": "small", "input": object{"type": "text", "value": small[i]}})
		return raw
	}).run(len(small))
	if err != nil {
		return err
	}
	b.atLeast("ingest 1,000 documents of 1 KB, 8 clients", 1000/took.Seconds(), 500, 1000, "/s")
	b.atMost("peak memory of both", s.memory("VmHWM"), 400, 150, "MiB")
	return nil
}

// search measures the latency of a question over HTTP, at several sizes.
func (b *bench) search() error {
	s, err := b.service()
	if err != nil {
		return err
	}
	defer s.stop()
	type size struct {
		chunks     int
		must, want float64
		mustP99    float64
	}
	sizes := []size{{10_000, 4, 2.5, 0}, {100_000, 5, 1.5, 0}}
	if b.large {
		sizes = append(sizes, size{1_000_000, 40, 20, 120})
	}
	p := newProse(4)
	have := 0
	for _, z := range sizes {
		for have < z.chunks {
			n, err := b.grow(s, p, fmt.Sprint("doc-", have))
			if err != nil {
				return err
			}
			have += n
		}
		time.Sleep(3 * time.Second) // merges settle
		if err := b.ask(s, p, fmt.Sprintf("search at %d chunks", have), z.must, z.want, z.mustP99); err != nil {
			return err
		}
	}
	if b.large {
		if err := b.reopen(s, have); err != nil {
			return err
		}
		return b.filled(s.dir, have, p)
	}
	return nil
}

// ask measures questions of which no two are alike.
func (b *bench) ask(s *process, p *prose, name string, must, want, mustP99 float64) error {
	l := newLoad(s.url+"/v1/primitives/search", 1, func(int) []byte {
		q := strings.Join([]string{"what", "is", p.rare(), p.rare(), "of", p.rare(), p.word()}, " ")
		raw, _ := json.Marshal(object{"type": "semantic_search", "text": q, "context_filter": object{}})
		return raw
	})
	if _, _, err := l.run(200); err != nil {
		return err
	}
	before := s.cpu()
	times, _, err := l.run(1000)
	if err != nil {
		return err
	}
	b.atMost(name+": p50", ms(quantile(times, .5)), must, want, "ms")
	b.note(name+": processor time of one", ms(s.cpu()-before)/1000, "ms")
	if mustP99 > 0 {
		b.atMost(name+": p99", ms(quantile(times, .99)), mustP99, mustP99, "ms")
	} else {
		b.note(name+": p99", ms(quantile(times, .99)), "ms")
	}
	b.note(name+": memory", s.memory("VmRSS"), "MiB, mapped files included")
	b.note(name+": memory of its own", s.memory("RssAnon"), "MiB")
	return nil
}

// reopen measures the disk usage of an index, and the time to start the service
// with it.
func (b *bench) reopen(s *process, chunks int) error {
	s.stop()
	var disk int64
	err := filepath.WalkDir(filepath.Join(s.dir, "index"), func(_ string, d fs.DirEntry, err error) error {
		if err != nil || d.IsDir() {
			return err
		}
		info, err := d.Info()
		if err == nil {
			disk += info.Size()
		}
		return err
	})
	if err != nil {
		return err
	}
	b.atMost(fmt.Sprintf("disk of the index at %d chunks", chunks), float64(disk)/(1<<30), 4, 4, "GiB")
	begun := time.Now()
	again, err := b.serviceAt(s.dir)
	if err != nil {
		return err
	}
	defer again.stop()
	b.atMost(fmt.Sprintf("start with %d chunks, until ready", chunks), time.Since(begun).Seconds(), 3, 3, "s")
	return nil
}

// huge measures the memory for one file of 100 MB, which is ingested by URL
// because it exceeds the body limit.
func (b *bench) huge() error {
	if !b.large {
		return nil
	}
	text := newProse(5).text(100 << 20)
	files := httptest.NewServer(http.HandlerFunc(func(w http.ResponseWriter, _ *http.Request) {
		w.Header().Set("Content-Type", "text/plain")
		w.Header().Set("Content-Length", strconv.Itoa(100<<20))
		io.WriteString(w, text[:100<<20])
	}))
	defer files.Close()
	s, err := b.service("LECTERN_ALLOW_HOSTS=127.0.0.1")
	if err != nil {
		return err
	}
	defer s.stop()
	body := constant(object{"artifact": "huge", "input": object{"type": "uri", "value": files.URL + "/huge.txt"}})
	times, _, err := newLoad(s.url+"/v1/artifacts/ingest", 1, body).run(1)
	if err != nil {
		return err
	}
	b.note("ingest 100 MB of text by address", float64(100<<20)/1e6/times[0].Seconds(), "MB/s")
	b.atMost("peak memory of 100 MB of text", s.memory("VmHWM"), 400, 400, "MiB")
	b.note("after it: memory of its own", s.memory("RssAnon"), "MiB")
	return nil
}

// grow ingests another 4 MB and returns the number of chunks.
func (b *bench) grow(s *process, p *prose, name string) (int, error) {
	var out struct {
		Data []struct {
			Metadata struct {
				Chunks int `json:"chunk_count"`
			} `json:"doc_metadata"`
		}
	}
	err := postJSON(s.url+"/v1/artifacts/ingest", object{"artifact": name, "input": object{"type": "text", "value": p.text(4 << 20)}}, &out)
	if err != nil {
		return 0, err
	}
	return out.Data[0].Metadata.Chunks, nil
}
