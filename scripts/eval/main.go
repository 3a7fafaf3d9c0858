// Command eval measures retrieval and answers through the public API, on data
// sets of corpus.jsonl, queries.jsonl and qrels.tsv. Unless -url is set, it
// starts a service in a temporary directory.
//
// It prints one line per measure with its minimum, and exits 1 if one is
// missed. With -compare it compares the results of the embedded index with
// those of another index instead.
package main

import (
	"bufio"
	"bytes"
	"context"
	"encoding/json"
	"flag"
	"fmt"
	"io"
	"log/slog"
	"math"
	"net/http"
	"net/http/httptest"
	"os"
	"path/filepath"
	"slices"
	"strings"
	"sync"
	"time"

	"lectern/functions/local/service"
	"lectern/shared/app/config"
	"lectern/shared/ident"
)

func main() {
	data := flag.String("data", "", "directory of the data sets")
	url := flag.String("url", "", "a running service; one is started when empty")
	other := flag.String("compare", "", "an index to compare the embedded one with, such as opensearch+http://host")
	asked := flag.String("questions", "", "directory of questions.jsonl and docs; skipped when empty")
	shown := flag.Int("sent", 0, "ask so many of the questions through a scripted model provider, and print what that is sent")
	flag.Parse()
	if *shown > 0 && *asked != "" {
		if err := sent(*asked, *shown); err != nil {
			fmt.Fprintln(os.Stderr, "eval:", err)
			os.Exit(1)
		}
		return
	}
	if *data == "" {
		fmt.Fprintln(os.Stderr, "eval: no data directory: make eval DATA=/path")
		os.Exit(2)
	}
	run := func() error { return measure(*data, *asked, *url) }
	if *other != "" {
		run = func() error { return compare(*data, *other) }
	}
	if err := run(); err != nil {
		fmt.Fprintln(os.Stderr, "eval:", err)
		os.Exit(1)
	}
}

type document struct{ ID, Title, Text string }

type query struct {
	ID, Text, Doc string
	Answers       [][]any
}

// set is a data set in the service.
type set struct {
	name, collection string
	docs             []document
	queries, typos   []query
	relevant         map[string][]string
}

func measure(data, asked, url string) error {
	if url == "" {
		stop, started, err := start(os.Getenv("LECTERN_INDEX")) // another index has to keep the same figures
		if err != nil {
			return err
		}
		defer stop()
		url = started
	}
	api := client{url}
	xquad, err := load(data, "xquad-en")
	if err != nil {
		return err
	}
	cranfield, err := load(data, "cranfield")
	if err != nil {
		return err
	}
	r := &report{}
	for _, s := range []*set{xquad, cranfield} {
		if err := api.ingest(s); err != nil {
			return err
		}
		if err := api.awaitVectors(); err != nil {
			return err
		}
	}
	r.ranking(api, "xquad-en", xquad, xquad.queries, .97)
	r.ranking(api, "xquad-en misspelt", xquad, xquad.typos, .95)
	r.ranking(api, "cranfield", cranfield, cranfield.queries, .52)
	r.answers(api, "answers, right paragraph given", xquad, true, .95)
	r.answers(api, "answers, collection searched", xquad, false, .88)
	r.nothing(api, "nothing relevant, own questions", xquad, xquad.queries, 0, .02)
	r.nothing(api, "nothing relevant, misspelt", xquad, xquad.typos, 0, .15)
	r.nothing(api, "nothing relevant, cranfield's questions", xquad, cranfield.queries, .90, 1)
	r.nothing(api, "nothing relevant, xquad's questions of cranfield", cranfield, xquad.queries, .90, 1)
	if asked != "" && r.err == nil {
		r.err = r.questions(api, asked)
	}
	if r.err != nil {
		return r.err
	}
	if r.below > 0 {
		return fmt.Errorf("%d measures miss their floor", r.below)
	}
	return nil
}

// start starts a service with an index, the embedded one when it is empty.
func start(index string) (stop func(), url string, err error) {
	return startWith(map[string]string{"LECTERN_INDEX": index})
}

// startWith starts a service with settings.
func startWith(settings map[string]string) (stop func(), url string, err error) {
	dir, err := os.MkdirTemp("", "lectern-eval-")
	if err != nil {
		return nil, "", err
	}
	cfg, err := config.Load(func(name string) string {
		if name == "LECTERN_DATA" {
			return dir
		}
		return settings[name]
	})
	if err != nil {
		return nil, "", err
	}
	s, err := service.Open(context.Background(), cfg, service.Options{IDs: ident.Random{Now: time.Now}, Now: time.Now,
		Log: slog.New(slog.DiscardHandler)})
	if err != nil {
		return nil, "", err
	}
	server := httptest.NewServer(s.Handler)
	return func() { server.Close(); s.Close(); os.RemoveAll(dir) }, server.URL, nil
}

func load(data, name string) (*set, error) {
	s := &set{name: name, collection: "eval_" + name, relevant: map[string][]string{}}
	for file, into := range map[string]any{"corpus.jsonl": &s.docs, "queries.jsonl": &s.queries, "queries_typo.jsonl": &s.typos} {
		raw, err := os.ReadFile(filepath.Join(data, name, file))
		if os.IsNotExist(err) && file == "queries_typo.jsonl" {
			continue
		}
		if err != nil {
			return nil, err
		}
		list := "[" + strings.Join(strings.Split(strings.TrimSpace(string(raw)), "\n"), ",") + "]"
		if err := json.Unmarshal([]byte(list), into); err != nil {
			return nil, fmt.Errorf("%s/%s: %w", name, file, err)
		}
	}
	f, err := os.Open(filepath.Join(data, name, "qrels.tsv"))
	if err != nil {
		return nil, err
	}
	defer f.Close()
	for scan := bufio.NewScanner(f); scan.Scan(); {
		if cells := strings.Split(scan.Text(), "\t"); len(cells) >= 2 {
			s.relevant[cells[0]] = append(s.relevant[cells[0]], cells[1])
		}
	}
	return s, nil
}

type client struct{ url string }

func (c client) post(path string, body, into any) error {
	raw, err := json.Marshal(body)
	if err != nil {
		return err
	}
	resp, err := http.Post(c.url+path, "application/json", bytes.NewReader(raw))
	if err != nil {
		return err
	}
	defer resp.Body.Close()
	text, err := io.ReadAll(resp.Body)
	if err != nil {
		return err
	}
	if resp.StatusCode != http.StatusOK {
		return fmt.Errorf("%s answered %d: %.300s", path, resp.StatusCode, text)
	}
	return json.Unmarshal(text, into)
}

// awaitVectors waits until every chunk has a vector.
func (c client) awaitVectors() error {
	for {
		resp, err := http.Get(c.url + "/ready")
		if err != nil {
			return err
		}
		var state struct {
			Pending *struct{ Have, Of int } `json:"vectors_pending"`
		}
		err = json.NewDecoder(resp.Body).Decode(&state)
		resp.Body.Close()
		if err != nil || state.Pending == nil {
			return err
		}
		time.Sleep(100 * time.Millisecond)
	}
}

// each runs f for every item, four at a time, and keeps the first error.
func each[T any](list []T, f func(T) error) error {
	var group sync.WaitGroup
	var once sync.Once
	var first error
	work := make(chan T)
	for range 4 {
		group.Go(func() {
			for item := range work {
				if err := f(item); err != nil {
					once.Do(func() { first = err })
				}
			}
		})
	}
	for _, item := range list {
		work <- item
	}
	close(work)
	group.Wait()
	return first
}

type object = map[string]any

func (c client) ingest(s *set) error {
	begun := time.Now()
	err := each(s.docs, func(d document) error {
		body := strings.TrimSpace(d.Title + "\n\n" + d.Text)
		if body == "" {
			return nil
		}
		return c.post("/v1/artifacts/ingest", object{"artifact": d.ID, "collection": s.collection,
			"input":    object{"type": "text", "value": body},
			"metadata": object{"file_name": d.ID + ".txt", "title": d.Title}}, &struct{}{})
	})
	fmt.Printf("%s: %d documents ingested in %.1f s\n", s.name, len(s.docs), time.Since(begun).Seconds())
	return err
}

// report prints measures and counts those below their minimum.
type report struct {
	mu    sync.Mutex
	below int
	err   error
}

func (r *report) line(ok bool, format string, args ...any) {
	mark := "ok  "
	if !ok {
		mark = "LOW "
		r.below++
	}
	fmt.Printf(mark+format+"\n", args...)
}

func (r *report) ranking(api client, name string, s *set, queries []query, floor float64) {
	var ndcg, mrr, recall5, recall10 float64
	var latency []time.Duration
	r.err = firstOf(r.err, each(queries, func(q query) error {
		var out struct {
			Data []struct{ Document struct{ Artifact string } }
		}
		begun := time.Now()
		err := api.post("/v1/primitives/search", object{"type": "semantic_search", "text": q.Text, "limit": 30,
			"context_filter": object{"collection": s.collection}}, &out)
		took := time.Since(begun)
		var ranked []string
		for _, c := range out.Data {
			if a := c.Document.Artifact; !slices.Contains(ranked, a) {
				ranked = append(ranked, a)
			}
		}
		ranked = ranked[:min(10, len(ranked))]
		gold := s.relevant[q.ID]
		r.mu.Lock()
		defer r.mu.Unlock()
		latency = append(latency, took)
		n, m := gain(ranked, gold)
		ndcg, mrr = ndcg+n, mrr+m
		recall5 += recall(ranked[:min(5, len(ranked))], gold)
		recall10 += recall(ranked, gold)
		return err
	}))
	n := float64(len(queries))
	slices.Sort(latency)
	r.line(ndcg/n >= floor, "%-50s nDCG@10 %.3f (floor %.2f)  MRR@10 %.3f  R@5 %.3f  R@10 %.3f  p50 %.1f ms", name, ndcg/n, floor, mrr/n,
		recall5/n, recall10/n, float64(latency[len(latency)/2].Microseconds())/1000)
}

func gain(ranked, gold []string) (ndcg, mrr float64) {
	var sum, ideal float64
	for i := range min(10, len(gold)) {
		ideal += 1 / math.Log2(float64(i+2))
	}
	for i, id := range ranked {
		if slices.Contains(gold, id) {
			sum += 1 / math.Log2(float64(i+2))
			if mrr == 0 {
				mrr = 1 / float64(i+1)
			}
		}
	}
	return sum / ideal, mrr
}

func recall(ranked, gold []string) float64 {
	n := 0
	for _, id := range ranked {
		if slices.Contains(gold, id) {
			n++
		}
	}
	return float64(n) / float64(len(gold))
}

// reply asks the service and returns the answer's text and its citations.
func (c client) reply(s *set, q query, given bool) (text string, citations int, err error) {
	content := []object{{"type": "text", "text": q.Text}}
	body := object{"model": "default", "max_tokens": 512, "system": []object{{"text": "Answer from the given material.",
		"citations": object{"enabled": true}}}}
	if given {
		i := slices.IndexFunc(s.docs, func(d document) bool { return d.ID == q.Doc })
		content = append([]object{{"type": "document", "title": s.docs[i].Title,
			"source": object{"type": "text", "media_type": "text/plain", "data": s.docs[i].Text}}}, content...)
	} else {
		body["tools"] = searching(object{"collection": s.collection})
	}
	body["messages"] = []object{{"role": "user", "content": content}}
	blocks, err := c.chat(body)
	for _, b := range blocks {
		text += b.Text + " "
		citations += len(b.Citations)
	}
	return text, citations, err
}

// block is a text block of an answer.
type block struct {
	Type, Text string
	Citations  []any
}

// chat returns the text blocks of an answer.
func (c client) chat(body object) ([]block, error) {
	var m struct{ Content []block }
	err := c.post("/v1/messages", body, &m)
	return slices.DeleteFunc(m.Content, func(b block) bool { return b.Type != "text" }), err
}

// searching is a tool that searches what a filter selects.
func searching(filter object) []object {
	return []object{{"name": "semantic_search", "type": "semantic_search_v1",
		"context": []object{{"type": "ingested_artifact", "context_filter": filter}}}}
}

func (r *report) answers(api client, name string, s *set, given bool, floor float64) {
	hit, cited, words, refused := 0, 0, 0, 0
	r.err = firstOf(r.err, each(s.queries, func(q query) error {
		text, citations, err := api.reply(s, q, given)
		r.mu.Lock()
		defer r.mu.Unlock()
		words += len(strings.Fields(text))
		if citations > 0 {
			cited++
		}
		if refuses(text) {
			refused++
		}
		for _, a := range q.Answers {
			if strings.Contains(strings.ToLower(text), strings.ToLower(fmt.Sprint(a[0]))) {
				hit++
				break
			}
		}
		return err
	}))
	n := float64(len(s.queries))
	r.line(float64(hit)/n >= floor, "%-50s gold contained %.3f (floor %.2f)  cited %.3f  words %.0f  refused %.3f", name, float64(hit)/n, floor,
		float64(cited)/n, float64(words)/n, float64(refused)/n)
}

// refuses reports whether an answer says that there is none.
func refuses(text string) bool { return strings.HasPrefix(text, "Nothing relevant") }

func (r *report) nothing(api client, name string, s *set, queries []query, least, most float64) {
	said := 0
	r.err = firstOf(r.err, each(queries, func(q query) error {
		text, _, err := api.reply(s, q, false)
		if refuses(text) {
			r.mu.Lock()
			said++
			r.mu.Unlock()
		}
		return err
	}))
	share := float64(said) / float64(len(queries))
	bound := fmt.Sprintf("at least %.2f", least)
	if most < 1 {
		bound = fmt.Sprintf("at most %.2f", most)
	}
	r.line(share >= least && share <= most, "%-50s said %.3f (%s)", name, share, bound)
}

func firstOf(a, b error) error {
	if a != nil {
		return a
	}
	return b
}
