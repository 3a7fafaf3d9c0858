package main

import (
	"encoding/json"
	"errors"
	"fmt"
	"net/http"
	"strings"
	"sync"
	"time"
)

// soakers work at the same time; each rests for as long as it worked, so that
// together they take about half of what two cores can do.
const soakers = 4

// soak does mixed work at half capacity and compares what the process takes in the
// second half with the first.
func (s *service) soak(during time.Duration) error {
	var work sync.WaitGroup
	began := time.Now()
	end := began.Add(during)
	failed := make(chan error, soakers)
	rounds := make([]int, soakers)
	for w := range soakers {
		work.Go(func() {
			for ; time.Now().Before(end); rounds[w]++ {
				start := time.Now()
				if err := s.round(w, rounds[w]); err != nil {
					failed <- fmt.Errorf("soak: %w", err)
					return
				}
				time.Sleep(time.Since(start))
			}
		})
	}
	const looks = 10
	var seen []figures
	for i := range looks {
		time.Sleep(time.Until(began.Add(during * time.Duration(i+1) / looks)))
		f := s.figures()
		seen = append(seen, f)
		fmt.Printf("soak after %s: %s\n", time.Since(began).Round(time.Second), f)
	}
	work.Wait()
	all := 0
	for _, n := range rounds {
		all += n
	}
	first, second := most(seen[:looks/2]), most(seen[looks/2:])
	fmt.Printf("soak of %s, %d rounds: the first half %s, the second %s\n", during, all, first, second)
	select {
	case err := <-failed:
		return err
	default:
	}
	if second.mib > first.mib*1.5+64 || second.files > first.files+64 || second.goroutines > first.goroutines+64 {
		return fmt.Errorf("soak: the service grew from %s to %s", first, second)
	}
	return nil
}

// most returns the highest of each figure.
func most(list []figures) (m figures) {
	for _, f := range list {
		m.mib, m.files, m.goroutines = max(m.mib, f.mib), max(m.files, f.files), max(m.goroutines, f.goroutines)
	}
	return m
}

// round is one turn of a worker: documents come, are replaced, found, read and go;
// chats are answered at once, streamed, later and in batches; files come and go.
func (s *service) round(w, i int) error {
	name := fmt.Sprintf("s%d-%d", w, i%20)
	text := fmt.Sprintf("# Birds %d\\n\\nRobin %d sings at dawn. %s", i%20, i, strings.Repeat("The wren answers from the hedge. ", 1+i%40))
	input := `"input":{"type":"text","value":"` + text + `"}`
	ask := func(more string) string {
		return `{"model":"default","max_tokens":99,` + more + `"messages":[{"role":"user","content":"When does the robin sing?"}]}`
	}
	search := `"tools":[{"type":"semantic_search_v1","name":"semantic_search","context":[{"type":"ingested_artifact","context_filter":{"collection":"soak"}}]}],`
	list := []probe{
		{method: "POST", path: "/v1/artifacts/ingest", body: `{"artifact":"` + name + `","collection":"soak",` + input + `}`},
		{method: "POST", path: "/v1/artifacts/ingest/async", body: `{"ingest_body":{"artifact":"later-` + name + `","collection":"soak",` + input + `}}`},
		{method: "POST", path: "/v1/primitives/search", body: `{"type":"semantic_search","text":"robin at dawn","context_filter":{"collection":"soak"}}`},
		{method: "POST", path: "/v1/messages", body: ask(search + `"stream":true,`)},
		{method: "POST", path: "/v1/messages", body: ask("")},
		{method: "POST", path: "/v1/artifacts/content", body: `{"context_filter":{"collection":"soak","artifacts":["` + name + `"]}}`},
		{method: "GET", path: "/v1/artifacts/list?collection=soak"},
		{method: "POST", path: "/v1/files?scope_id=soak", header: map[string]string{"Content-Type": "multipart/form-data; boundary=b"},
			body: "--b\r\nContent-Disposition: form-data; name=\"file\"; filename=\"" + name + ".txt\"\r\n\r\n" + text + "\r\n--b--\r\n"},
		{method: "DELETE", path: "/v1/files/uploads/" + name + ".txt?scope_id=soak"},
	}
	if i%5 == 4 {
		list = append(list,
			probe{method: "POST", path: "/v1/artifacts/delete", body: `{"artifact":"` + name + `","collection":"soak"}`},
			probe{method: "POST", path: "/v1/messages/batches", body: `{"requests":[{"custom_id":"a","params":` + ask("") + `}]}`})
	}
	for _, p := range list {
		if err := s.well(p, nil); err != nil {
			return err
		}
	}
	var started struct {
		MessageID string `json:"message_id"`
	}
	if err := s.well(probe{method: "POST", path: "/v1/messages/async", body: ask(search)}, &started); err != nil {
		return err
	}
	if started.MessageID == "" {
		return errors.New("an async message has no message_id")
	}
	return s.well(probe{method: "GET", path: "/v1/messages/async/" + started.MessageID + "/stream"}, nil)
}

// well sends a request that has to succeed and decodes its answer. A request that is
// told to come again later is one that the service dealt with.
func (s *service) well(p probe, into any) error {
	a, err := s.send(p)
	switch {
	case err != nil:
		return fmt.Errorf("%s: %w", p.path, err)
	case a.status == http.StatusTooManyRequests:
		time.Sleep(time.Second)
		return s.well(p, into)
	case a.status >= http.StatusBadRequest:
		return fmt.Errorf("%s answers %d %.200s", p.path, a.status, a.body)
	case into != nil:
		return json.Unmarshal([]byte(a.body), into)
	}
	return nil
}
