package main

import (
	"bufio"
	"encoding/json"
	"fmt"
	"io"
	"math/rand/v2"
	"net/http"
	"net/http/httptest"
	"strings"
	"sync"
	"time"
)

// later is accepted asynchronous work: chats, with the events that a reader saw
// before the crash, and ingests, by document.
type later struct {
	mu       sync.Mutex
	n        int
	chats    map[string][]string
	tasks    map[string]string       // id → document
	accepted map[string]int          // document → last accepted version; 0 is a deletion
	maybe    map[string]map[int]bool // document → versions whose acceptance was interrupted since

	ended map[string]int // count by final state
}

func newLater() *later {
	return &later{chats: map[string][]string{}, tasks: map[string]string{}, accepted: map[string]int{}, maybe: map[string]map[int]bool{},
		ended: map[string]int{}}
}

// slowModel is an OpenAI-compatible server that sends sixty words, five
// milliseconds apart, so that a crash interrupts a chat.
func slowModel() *httptest.Server {
	return httptest.NewServer(http.HandlerFunc(func(w http.ResponseWriter, r *http.Request) {
		_, _ = io.Copy(io.Discard, r.Body)
		w.Header().Set("Content-Type", "text/event-stream")
		for i := range 60 {
			fmt.Fprintf(w, "data: {\"choices\":[{\"index\":0,\"delta\":{\"content\":\"word%d \"}}]}\n\n", i)
			w.(http.Flusher).Flush()
			select {
			case <-time.After(5 * time.Millisecond):
			case <-r.Context().Done():
				return
			}
		}
		fmt.Fprint(w, "data: {\"choices\":[{\"index\":0,\"delta\":{},\"finish_reason\":\"stop\"}]}\n\ndata: [DONE]\n\n")
	}))
}

// chat starts an async chat and reads it until its end or the crash.
func (l *later) chat(url string) {
	l.mu.Lock()
	l.n++
	id := fmt.Sprintf("chat-%d", l.n)
	l.mu.Unlock()
	status, _, err := post(url+"/v1/messages/async?message_id="+id, map[string]any{"model": "slow", "max_tokens": 500,
		"messages": []any{map[string]any{"role": "user", "content": "Speak."}}})
	if err != nil || status != http.StatusOK {
		return
	}
	l.mu.Lock()
	l.chats[id] = []string{}
	l.mu.Unlock()
	seen, _ := follow(url, id, 0) // fails when the service crashes
	l.mu.Lock()
	defer l.mu.Unlock()
	l.chats[id] = seen
}

// follow reads the events of a chat after the given one, each with its id.
func follow(url, id string, after int) ([]string, error) {
	client := http.Client{Timeout: time.Minute}
	resp, err := client.Get(fmt.Sprintf("%s/v1/messages/async/%s/stream?last_event_id=%d", url, id, after))
	if err != nil {
		return nil, err
	}
	defer resp.Body.Close()
	if resp.StatusCode != http.StatusOK {
		return nil, fmt.Errorf("the stream of %s answers %d", id, resp.StatusCode)
	}
	var seen []string
	number := ""
	scan := bufio.NewScanner(resp.Body)
	for scan.Scan() {
		if value, ok := strings.CutPrefix(scan.Text(), "id: "); ok {
			number = value
		} else if data, ok := strings.CutPrefix(scan.Text(), "data: "); ok && number != "" {
			seen, number = append(seen, number+" "+data), ""
		}
	}
	return seen, scan.Err()
}

// ingest starts the ingest or deletion of one of three documents.
func (l *later) ingest(url, name string, remove bool) {
	l.mu.Lock()
	l.n++
	version := l.n
	path, body := "/v1/artifacts/ingest/async", map[string]any{"ingest_body": map[string]any{"artifact": name,
		"collection": laterCollection, "input": map[string]any{"type": "text", "value": text(name, version)}}}
	if remove {
		version, path, body = 0, "/v1/artifacts/delete/async", map[string]any{"delete_body": map[string]any{"artifact": name,
			"collection": laterCollection}}
	}
	if l.maybe[name] == nil {
		l.maybe[name] = map[int]bool{}
	}
	l.maybe[name][version] = true
	l.mu.Unlock()
	status, raw, err := post(url+path, body)
	var answer struct {
		ID string `json:"task_id"`
	}
	if err != nil || status != http.StatusOK || json.Unmarshal(raw, &answer) != nil {
		return
	}
	l.mu.Lock()
	defer l.mu.Unlock()
	l.accepted[name], l.maybe[name] = version, map[int]bool{}
	if !remove {
		l.tasks[answer.ID] = name
	}
}

const laterCollection, laterDocuments = "crash-later", 3

// work keeps starting chats and tasks until done is closed.
func (l *later) work(group *sync.WaitGroup, url string, done chan struct{}, rng *rand.Rand) {
	until := func(f func()) { repeat(group, done, f) }
	for range 4 {
		until(func() { l.chat(url) })
	}
	for i := range laterDocuments {
		own := rand.New(rand.NewPCG(rng.Uint64(), 2))
		until(func() { l.ingest(url, fmt.Sprintf("later%d", i), own.IntN(4) == 0) })
	}
}

// check waits for all accepted work and verifies it: streams end and show the
// same events as before, no task is lost, and documents have the last accepted
// version.
func (l *later) check(url string) error {
	for id, before := range l.chats {
		all, err := follow(url, id, 0)
		if err != nil {
			return err
		}
		for i := range before {
			if i >= len(all) || all[i] != before[i] {
				return fmt.Errorf("%s: event %d was %q before the crash and is %q", id, i+1, before[i], all[min(i, len(all)-1)])
			}
		}
		state, err := member(url+"/v1/messages/async/"+id+"/status", "status")
		if err != nil {
			return err
		}
		if state != "completed" && state != "error" && state != "failed" {
			return fmt.Errorf("%s: its stream has ended, but its status is %q", id, state)
		}
		l.ended["chats: "+state]++
		delete(l.chats, id)
	}
	for id, name := range l.tasks {
		state := ""
		for range 1200 {
			var err error
			if state, err = member(url+"/v1/artifacts/ingest/async/"+id, "task_status"); err != nil {
				return err
			}
			if state == "SUCCESS" || state == "REVOKED" {
				break
			}
			time.Sleep(50 * time.Millisecond)
		}
		if state != "SUCCESS" && state != "REVOKED" {
			return fmt.Errorf("the task %s of %s is %s", id, name, state)
		}
		l.ended["ingests: "+state]++
		delete(l.tasks, id)
	}
	return l.documents(url)
}

// documents checks that each document has the last accepted version, or one
// whose acceptance was interrupted, whose task may still be running.
func (l *later) documents(url string) error {
	for i := range laterDocuments {
		name := fmt.Sprintf("later%d", i)
		var version int
		var err error
		for try := 0; ; try++ {
			var listed map[string]bool
			if listed, err = listOf(url, laterCollection); err == nil {
				version, err = shown(url, laterCollection, name, listed[name])
			}
			if err == nil && (version == l.accepted[name] || l.maybe[name][version]) {
				break
			}
			if try < 100 && len(l.maybe[name]) > 0 {
				time.Sleep(50 * time.Millisecond)
				continue
			}
			if err != nil {
				return err
			}
			return fmt.Errorf("%s is at version %d; %d was accepted last, %v perhaps", name, version, l.accepted[name], l.maybe[name])
		}
	}
	return nil
}

// member returns a member of a JSON answer.
func member(url, name string) (string, error) {
	resp, err := http.Get(url)
	if err != nil {
		return "", err
	}
	defer resp.Body.Close()
	var v map[string]any
	if err := json.NewDecoder(resp.Body).Decode(&v); err != nil {
		return "", err
	}
	if resp.StatusCode != http.StatusOK {
		return "", fmt.Errorf("%s answers %d %v", url, resp.StatusCode, v)
	}
	text, _ := v[name].(string)
	return text, nil
}

// repeat does something again and again until done is closed.
func repeat(group *sync.WaitGroup, done chan struct{}, f func()) {
	group.Go(func() {
		for {
			select {
			case <-done:
				return
			default:
				f()
			}
		}
	})
}
