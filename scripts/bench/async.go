package main

import (
	"bytes"
	"encoding/json"
	"errors"
	"fmt"
	"io"
	"net/http"
	"slices"
	"sync"
	"time"
)

// async measures async messages: acceptance, first event, replay, cancellation,
// and throughput.
func (b *bench) async() error {
	upstream, err := b.self("-upstream")
	if err != nil {
		return err
	}
	defer upstream.stop()
	s, err := b.service("LECTERN_CHAT=extractive:,openai+" + upstream.url + "/v1?model=scripted")
	if err != nil {
		return err
	}
	defer s.stop()
	a := &asyncClient{url: s.url + "/v1/messages/async", client: &http.Client{Transport: &http.Transport{MaxIdleConnsPerHost: 64}}}
	for range 100 { // warms up
		if _, err := a.whole("Hello"); err != nil {
			return err
		}
	}
	accepted, first, err := a.firsts(500)
	if err != nil {
		return err
	}
	b.atMost("async: accept p99", ms(quantile(accepted, .99)), 20, 5, "ms")
	b.atMost("async: first event after the request p50", ms(quantile(first, .5)), 15, 5, "ms")
	replays, err := a.replays(500)
	if err != nil {
		return err
	}
	b.atMost("async: replay of 200 words p99", ms(quantile(replays, .99)), 20, 7, "ms")
	cancels, err := a.cancels(200)
	if err != nil {
		return err
	}
	b.atMost("async: cancel to the end of the stream p99", ms(quantile(cancels, .99)), 100, 10, "ms")
	const messages, clients = 4000, 32
	begun := time.Now()
	errs := make([]error, clients)
	var group sync.WaitGroup
	for c := range clients {
		group.Go(func() {
			for range messages / clients {
				if _, err := a.whole("Hello"); err != nil {
					errs[c] = err
					return
				}
			}
		})
	}
	group.Wait()
	if err := errors.Join(errs...); err != nil {
		return err
	}
	b.atLeast("async: messages/s, started and read, 32 clients", messages/time.Since(begun).Seconds(), 500, 2000, "/s")
	return nil
}

// asyncClient starts async messages and reads them.
type asyncClient struct {
	url    string
	client *http.Client
}

// start starts a message and returns its id.
func (a *asyncClient) start(model, text string) (string, error) {
	raw, err := json.Marshal(object{"model": model, "max_tokens": 2000, "messages": []object{{"role": "user", "content": text}}})
	if err != nil {
		return "", err
	}
	resp, err := a.client.Post(a.url, "application/json", bytes.NewReader(raw))
	if err != nil {
		return "", err
	}
	defer resp.Body.Close()
	var v struct {
		ID string `json:"message_id"`
	}
	if err := json.NewDecoder(resp.Body).Decode(&v); err != nil {
		return "", err
	}
	if v.ID == "" {
		return "", fmt.Errorf("starting an async message answered %d", resp.StatusCode)
	}
	return v.ID, nil
}

// read reads the stream of a message to its end; event, if not nil, is called
// at its first event.
func (a *asyncClient) read(id string, event func()) error {
	resp, err := a.client.Get(a.url + "/" + id + "/stream")
	if err != nil {
		return err
	}
	defer resp.Body.Close()
	var all []byte
	buf := make([]byte, 64<<10)
	for {
		n, err := resp.Body.Read(buf)
		all = append(all, buf[:n]...)
		if event != nil && bytes.Contains(all, []byte("event: message_start")) {
			event()
			event = nil
		}
		if err == io.EOF {
			break
		}
		if err != nil {
			return err
		}
	}
	if !bytes.Contains(all, []byte("event: message_stop")) {
		return fmt.Errorf("the stream of %s has no end: %.200s", id, all)
	}
	return nil
}

// whole starts a message and reads it.
func (a *asyncClient) whole(text string) (string, error) {
	id, err := a.start("default", text)
	if err != nil {
		return "", err
	}
	return id, a.read(id, nil)
}

// firsts measures the acceptance and the first events of n messages.
func (a *asyncClient) firsts(n int) (accepted, first []time.Duration, err error) {
	for range n {
		begun := time.Now()
		id, err := a.start("default", "Hello")
		if err != nil {
			return nil, nil, err
		}
		accepted = append(accepted, time.Since(begun))
		if err := a.read(id, func() { first = append(first, time.Since(begun)) }); err != nil {
			return nil, nil, err
		}
	}
	slices.Sort(accepted)
	slices.Sort(first)
	return accepted, first, nil
}

// replays measures complete replays of a finished message.
func (a *asyncClient) replays(n int) ([]time.Duration, error) {
	id, err := a.start("scripted", "words:200")
	if err != nil {
		return nil, err
	}
	if err := a.read(id, nil); err != nil {
		return nil, err
	}
	times := make([]time.Duration, n)
	for i := range times {
		begun := time.Now()
		if err := a.read(id, nil); err != nil {
			return nil, err
		}
		times[i] = time.Since(begun)
	}
	slices.Sort(times)
	return times, nil
}

// cancels measures how soon the reader of a running message sees its cancellation.
func (a *asyncClient) cancels(n int) ([]time.Duration, error) {
	times := make([]time.Duration, n)
	for i := range times {
		id, err := a.start("scripted", "hold")
		if err != nil {
			return nil, err
		}
		speaks, ended := make(chan struct{}), make(chan error, 1)
		go func() { ended <- a.read(id, func() { close(speaks) }) }()
		select {
		case <-speaks:
		case err := <-ended:
			return nil, fmt.Errorf("a message ended that should be running: %w", err)
		}
		begun := time.Now()
		resp, err := a.client.Post(a.url+"/"+id+"/cancel", "application/json", bytes.NewReader([]byte("{}")))
		if err != nil {
			return nil, err
		}
		defer resp.Body.Close()
		if err := <-ended; err != nil {
			return nil, err
		}
		times[i] = time.Since(begun)
	}
	slices.Sort(times)
	return times, nil
}
