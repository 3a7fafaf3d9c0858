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
	"time"

	"github.com/aws/aws-sdk-go-v2/aws"
)

// maxBody is the largest body that a collection takes.
const maxBody = 20 << 20

// gate passes to upstream what a collection would take.
type gate struct {
	upstream    string
	region      string
	keys        aws.Credentials
	callers     []string // further access keys, with the same secret
	least, most time.Duration
	notes       io.Writer // may be nil

	mu      sync.Mutex
	waiting map[string]bool // indexes with writes that are not shown yet
}

func (g *gate) ServeHTTP(w http.ResponseWriter, r *http.Request) {
	body, err := io.ReadAll(http.MaxBytesReader(w, r.Body, maxBody))
	if err != nil {
		g.refuse(w, r, &refusal{http.StatusRequestEntityTooLarge, "too_large", "the request is too large"})
		return
	}
	if err := verify(r.Context(), r, body, g.keysOf(r), g.region, time.Now()); err != nil {
		g.refuse(w, r, &refusal{http.StatusForbidden, "Forbidden", "403 Forbidden: " + err.Error()})
		return
	}
	op, index, ok := find(r.Method, r.URL.Path)
	if !ok {
		g.refuse(w, r, &refusal{http.StatusNotFound, "no_handler_found", r.Method + " " + r.URL.Path + " is not supported"})
		return
	}
	g.note(map[string]string{"permission": op.permission, "index": index})
	if refused := check(op, r.URL.Query(), body); refused != nil {
		g.refuse(w, r, refused)
		return
	}
	if op.permission == "aoss:CreateIndex" {
		body = chosen(body)
	}
	res, err := g.ask(r, body)
	if err != nil {
		g.refuse(w, r, &refusal{http.StatusServiceUnavailable, "unavailable", err.Error()})
		return
	}
	defer res.Body.Close()
	if op.permission == "aoss:WriteDocument" && res.StatusCode < 300 {
		g.showLater(index)
	}
	w.Header().Set("Content-Type", res.Header.Get("Content-Type"))
	w.WriteHeader(res.StatusCode)
	io.Copy(w, res.Body)
}

// keysOf returns the credentials that a request should be signed by.
func (g *gate) keysOf(r *http.Request) aws.Credentials {
	keys := g.keys
	_, scope, _ := strings.Cut(r.Header.Get("Authorization"), "Credential=")
	if id, _, _ := strings.Cut(scope, "/"); slices.Contains(g.callers, id) {
		keys.AccessKeyID = id
	}
	return keys
}

func (g *gate) refuse(w http.ResponseWriter, r *http.Request, refused *refusal) {
	g.note(map[string]string{"refused": fmt.Sprintf("%s %s: %d %s", r.Method, r.URL.Path, refused.status, refused.reason)})
	w.Header().Set("Content-Type", "application/json")
	w.WriteHeader(refused.status)
	w.Write(refused.body())
}

// note appends a line to the notes.
func (g *gate) note(line map[string]string) {
	if g.notes == nil {
		return
	}
	raw, err := json.Marshal(line)
	if err != nil {
		return // strings always encode
	}
	g.mu.Lock()
	defer g.mu.Unlock()
	g.notes.Write(append(raw, '\n'))
}

func (g *gate) ask(r *http.Request, body []byte) (*http.Response, error) {
	req, err := http.NewRequestWithContext(r.Context(), r.Method, g.upstream+r.URL.RequestURI(), bytes.NewReader(body))
	if err != nil {
		return nil, err
	}
	if kind := r.Header.Get("Content-Type"); kind != "" {
		req.Header.Set("Content-Type", kind)
	}
	return http.DefaultClient.Do(req)
}

// showLater refreshes an index some time after the first write that it does not
// show.
func (g *gate) showLater(index string) {
	g.mu.Lock()
	defer g.mu.Unlock()
	if g.waiting[index] {
		return
	}
	if g.waiting == nil {
		g.waiting = map[string]bool{}
	}
	g.waiting[index] = true
	time.AfterFunc(g.least+rand.N(max(1, g.most-g.least)), func() {
		g.mu.Lock()
		delete(g.waiting, index) // a write from here on is for the next time
		g.mu.Unlock()
		res, err := http.Post(g.upstream+"/"+index+"/_refresh", "application/json", nil)
		if err == nil {
			res.Body.Close()
		}
	})
}

// chosen completes an index's body by what the server behind the gate needs and a
// collection chooses: an engine, L2 where no space is given, and that nothing is
// shown by itself. The body has passed checkIndex.
func chosen(body []byte) []byte {
	var index map[string]any
	if json.Unmarshal(body, &index) != nil {
		return body
	}
	settings, _ := index["settings"].(map[string]any)
	if settings == nil {
		settings = map[string]any{}
		index["settings"] = settings
	}
	settings["refresh_interval"] = "-1"
	mappings, _ := index["mappings"].(map[string]any)
	properties, _ := mappings["properties"].(map[string]any)
	for _, p := range properties {
		field, _ := p.(map[string]any)
		if field["type"] != "knn_vector" {
			continue
		}
		space, _ := field["space_type"].(string)
		if space == "" {
			space = "l2"
		}
		delete(field, "space_type")
		field["method"] = map[string]any{"name": "hnsw", "engine": "lucene", "space_type": strings.ToLower(space)}
	}
	out, err := json.Marshal(index)
	if err != nil {
		return body
	}
	return out
}
