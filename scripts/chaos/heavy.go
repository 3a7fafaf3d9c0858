package main

import (
	"bytes"
	"compress/gzip"
	"encoding/base64"
	"errors"
	"fmt"
	"io"
	"net"
	"net/http"
	"os"
	"slices"
	"strconv"
	"strings"
	"sync"
	"time"
)

// weights is a server of what is heavier than it looks.
func weights() (address string, stop func(), err error) {
	l, err := net.Listen("tcp", "127.0.0.1:0")
	if err != nil {
		return "", nil, err
	}
	mux := http.NewServeMux()
	mux.HandleFunc("/declared/", func(w http.ResponseWriter, r *http.Request) { // much is declared, little comes
		w.Header().Set("Content-Type", "text/plain")
		w.Header().Set("Content-Length", strconv.Itoa(100<<20))
		for range 20 {
			if _, err := io.WriteString(w, strings.Repeat("word ", 20_000)); err != nil {
				return
			}
			w.(http.Flusher).Flush()
			time.Sleep(100 * time.Millisecond)
		}
	})
	packed, err := zeros()
	if err != nil {
		return "", nil, err
	}
	mux.HandleFunc("/bomb/", func(w http.ResponseWriter, r *http.Request) { // 2 GB in 2 MB
		w.Header().Set("Content-Type", "text/html")
		w.Header().Set("Content-Encoding", "gzip")
		for range 2 << 10 {
			if _, err := w.Write(packed); err != nil {
				return
			}
		}
	})
	s := &http.Server{Handler: mux, ReadHeaderTimeout: time.Minute}
	go func() { _ = s.Serve(l) }()
	return "http://" + l.Addr().String(), func() { s.Close() }, nil
}

// zeros is a megabyte of zeros as a member of a gzip file: what is packed once costs
// the processors nothing while times are measured.
func zeros() ([]byte, error) {
	var out bytes.Buffer
	z := gzip.NewWriter(&out)
	_, err := z.Write(make([]byte, 1<<20))
	err = errors.Join(err, z.Close())
	return out.Bytes(), err
}

// heavy sends a service documents that weigh much, all at once, and small requests
// meanwhile.
func heavy(binary, data string) error {
	address, stop, err := weights()
	if err != nil {
		return err
	}
	defer stop()
	s, err := start(binary, data, "LECTERN_ALLOW_HOSTS=127.0.0.1")
	if err != nil {
		return err
	}
	defer s.stop()
	ingest := func(name, kind, value string) probe {
		return probe{method: "POST", path: "/v1/artifacts/ingest",
			body: `{"artifact":"` + name + `","collection":"heavy","input":{"type":"` + kind + `","value":"` + value + `"}}`}
	}
	var list []probe
	for i := range 20 {
		list = append(list, ingest(fmt.Sprint("declared", i), "uri", fmt.Sprint(address, "/declared/", i, ".txt")))
	}
	for i := range 8 {
		list = append(list, ingest(fmt.Sprint("bomb", i), "uri", fmt.Sprint(address, "/bomb/", i, ".html")))
	}
	paragraph := "<p>A paragraph of <b>many</b>, of which each says that " + strings.Repeat("the robin sings at dawn, ", 8) + "always.</p>"
	page := base64.StdEncoding.EncodeToString([]byte("<html><body>" + strings.Repeat(paragraph, 80_000) + "</body></html>"))
	for i := range 6 {
		list = append(list, ingest(fmt.Sprint("page", i), "file", page))
	}
	if err := s.well(ingest("small", "text", "The robin sings at dawn."), nil); err != nil {
		return err
	}
	var group sync.WaitGroup
	answers, statuses := make([]string, len(list)), make([]int, len(list))
	for i, p := range list {
		group.Go(func() {
			a, err := s.send(p)
			switch {
			case err != nil:
				answers[i] = err.Error()
			case a.status < 500:
				statuses[i] = a.status
			default:
				answers[i] = fmt.Sprintf("%d %.200s", a.status, a.body)
			}
		})
	}
	over := make(chan struct{})
	go func() { group.Wait(); close(over) }()
	took, err := s.meanwhile(over)
	if err != nil {
		return fmt.Errorf("beside heavy documents: %w", err)
	}
	<-over
	for i, wrong := range answers {
		if wrong != "" {
			return fmt.Errorf("%.60s: %s", list[i].body, wrong)
		}
	}
	read := 0
	for _, status := range statuses {
		if status == http.StatusOK {
			read++
		}
	}
	if read == 0 {
		return fmt.Errorf("of %d heavy documents none is read: %v", len(list), statuses)
	}
	peak := s.peak()
	slices.Sort(took)
	fmt.Printf("%d heavy documents at once, %d read: %.0f MiB at most; %d small requests meanwhile, the median %s, p99 %s, the slowest %s\n", len(list), read, peak, len(took),
		took[len(took)/2].Round(time.Millisecond/10), took[len(took)*99/100].Round(time.Millisecond/10), took[len(took)-1].Round(time.Millisecond/10))
	if peak > mostMiB {
		return fmt.Errorf("heavy documents: the service took %.0f MiB", peak)
	}
	return nil
}

// meanwhile sends small requests, of three kinds in turn, until over is closed, and
// returns how long each took.
func (s *service) meanwhile(over chan struct{}) (took []time.Duration, err error) {
	small := []probe{{method: "GET", path: "/health"},
		{method: "POST", path: "/v1/messages", body: `{"model":"default","max_tokens":50,"messages":[{"role":"user","content":"hello"}]}`},
		{method: "POST", path: "/v1/primitives/search", body: `{"type":"semantic_search","text":"robin","context_filter":{"collection":"heavy","artifacts":["small"]}}`}}
	for i := 0; ; i++ {
		select {
		case <-over:
			return took, nil
		case <-time.After(10 * time.Millisecond):
		}
		began := time.Now()
		a, err := s.send(small[i%len(small)])
		if err != nil || a.status != http.StatusOK {
			return nil, fmt.Errorf("%s answers %v, %w", small[i%len(small)].path, a, err)
		}
		took = append(took, time.Since(began))
	}
}

// peak returns the most memory that the process has had, in MiB.
func (s *service) peak() float64 {
	raw, _ := os.ReadFile(fmt.Sprintf("/proc/%d/status", s.cmd.Process.Pid)) // zero where there is no /proc
	for line := range strings.Lines(string(raw)) {
		if rest, ok := strings.CutPrefix(line, "VmHWM:"); ok {
			kib, _ := strconv.ParseFloat(strings.Fields(rest)[0], 64)
			return kib / 1024
		}
	}
	return 0
}
