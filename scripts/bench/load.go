package main

import (
	"bytes"
	"encoding/json"
	"fmt"
	"io"
	"math/rand/v2"
	"net/http"
	"slices"
	"strings"
	"sync"
	"sync/atomic"
	"time"
)

// load posts bodies and records the times.
type load struct {
	client  *http.Client
	url     string
	clients int
	body    func(i int) []byte
	// spare is the number of tolerated failures: a bare ReverseProxy aborts some of
	// its streamed answers.
	spare atomic.Int32
}

func newLoad(url string, clients int, body func(i int) []byte) *load {
	transport := &http.Transport{MaxIdleConnsPerHost: clients, MaxIdleConns: clients, DisableCompression: true}
	return &load{client: &http.Client{Transport: transport}, url: url, clients: clients, body: body}
}

func (l *load) once(i int) error {
	resp, err := l.client.Post(l.url, "application/json", bytes.NewReader(l.body(i)))
	if err != nil {
		return err
	}
	defer resp.Body.Close()
	text, err := io.ReadAll(resp.Body)
	if err != nil {
		return fmt.Errorf("%s, after %d bytes: %w", l.url, len(text), err)
	}
	if resp.StatusCode != http.StatusOK {
		return fmt.Errorf("%s answered %d: %.200s", l.url, resp.StatusCode, text)
	}
	return nil
}

// run posts n requests and returns their sorted times and the total time.
func (l *load) run(n int) ([]time.Duration, time.Duration, error) {
	times := make([]time.Duration, n)
	errs := make(chan error, l.clients)
	var group sync.WaitGroup
	begun := time.Now()
	for c := range l.clients {
		group.Go(func() {
			for i := c; i < n; i += l.clients {
				t := time.Now()
				if err := l.once(i); err != nil && l.spare.Add(-1) < 0 {
					errs <- err
					return
				}
				times[i] = time.Since(t)
			}
		})
	}
	group.Wait()
	took := time.Since(begun)
	l.client.CloseIdleConnections()
	slices.Sort(times)
	select {
	case err := <-errs:
		return nil, 0, err
	default:
		return times, took, nil
	}
}

func ms(d time.Duration) float64 { return float64(d.Microseconds()) / 1000 }

func quantile(sorted []time.Duration, q float64) time.Duration {
	return sorted[min(len(sorted)-1, int(float64(len(sorted))*q))]
}

func constant(v any) func(int) []byte {
	raw, err := json.Marshal(v)
	if err != nil {
		panic(err)
	}
	return func(int) []byte { return raw }
}

type object = map[string]any

// prose generates text with the word frequencies of a natural language from a
// made-up vocabulary.
type prose struct {
	rng   *rand.Rand
	zipf  *rand.Zipf
	words []string
}

func newProse(seed uint64) *prose {
	rng := rand.New(rand.NewPCG(seed, 7))
	p := &prose{rng: rng, zipf: rand.NewZipf(rng, 1.07, 4, 49999)}
	const onsets, vowels = "bcdfghklmnprstvwz", "aeiou"
	own := rand.New(rand.NewPCG(1, 1)) // the same vocabulary for every seed
	for range 50000 {
		var w strings.Builder
		for range 2 + own.IntN(3) {
			w.WriteByte(onsets[own.IntN(len(onsets))])
			w.WriteByte(vowels[own.IntN(len(vowels))])
		}
		p.words = append(p.words, w.String())
	}
	return p
}

func (p *prose) word() string { return p.words[p.zipf.Uint64()] }

// rare returns a word of medium frequency, as in questions.
func (p *prose) rare() string { return p.words[200+p.rng.IntN(8000)] }

// text returns at least n bytes of sentences in paragraphs.
func (p *prose) text(n int) string {
	var out strings.Builder
	out.Grow(n + 200)
	for out.Len() < n {
		for range 3 + p.rng.IntN(5) {
			for k := range 8 + p.rng.IntN(14) {
				w := p.word()
				if k == 0 {
					w = strings.ToUpper(w[:1]) + w[1:]
				} else {
					out.WriteByte(' ')
				}
				out.WriteString(w)
			}
			out.WriteString(". ")
		}
		out.WriteString("\n\n")
	}
	return out.String()
}

func postJSON(url string, body, into any) error {
	raw, err := json.Marshal(body)
	if err != nil {
		return err
	}
	resp, err := http.Post(url, "application/json", bytes.NewReader(raw))
	if err != nil {
		return err
	}
	defer resp.Body.Close()
	if resp.StatusCode != http.StatusOK {
		text, _ := io.ReadAll(io.LimitReader(resp.Body, 300))
		return fmt.Errorf("%s answered %d: %s", url, resp.StatusCode, text)
	}
	return json.NewDecoder(resp.Body).Decode(into)
}
