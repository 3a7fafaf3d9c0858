// Command chaos sends hostile requests to a service: bodies of wrong types, paths
// that leave their folder, header and event injection, addresses inside the network
// in all spellings, documents that expand, foreign pages and other tenants. None may
// be answered 500, let anything out, or stop the service.
//
// Without -url it starts two services, one open and one with the keys of two tenants,
// and then also loads the open one with connections that idle, do not read and do not
// end. With -url it probes that service, with -key where it asks for one.
//
//	go run ./scripts/chaos
//	go run ./scripts/chaos -url https://… -key … -most 20
package main

import (
	"bytes"
	"context"
	"encoding/json"
	"flag"
	"fmt"
	"io"
	"net"
	"net/http"
	"os"
	"strings"
	"sync/atomic"
	"time"
)

func main() {
	o := options{}
	flag.StringVar(&o.url, "url", "", "a running service; empty: run them")
	flag.StringVar(&o.key, "key", "", "key of the running service")
	flag.IntVar(&o.most, "most", 0, "probes of each group, spread over it; 0: all")
	flag.IntVar(&o.idle, "idle", 1000, "connections that idle; 10000 at full size")
	flag.IntVar(&o.readers, "readers", 100, "streams that nobody reads; 1000 at full size")
	flag.IntVar(&o.writers, "writers", 50, "bodies that arrive slowly; 500 at full size")
	flag.BoolVar(&o.heavy, "heavy", false, "heavy documents alone")
	flag.DurationVar(&o.soak, "soak", 5*time.Second, "mixed work at the end; 30m at full size")
	flag.Parse()
	if err := run(o); err != nil {
		fmt.Fprintln(os.Stderr, "chaos:", err)
		os.Exit(1)
	}
}

type options struct {
	url, key               string
	most                   int
	idle, readers, writers int
	soak                   time.Duration
	heavy                  bool
}

// probe is one hostile request.
type probe struct {
	group, name  string
	method, path string
	header       map[string]string
	body         string
	// want says what is wrong about the answer; empty: nothing.
	want func(*answer) string
}

type answer struct {
	status int
	header http.Header
	body   string
}

// target is a service under attack.
type target struct {
	url, key string
	client   *http.Client
	patience time.Duration // for an answer
}

func newTarget(url, key string) *target {
	return &target{strings.TrimSuffix(url, "/"), key, &http.Client{Timeout: 4 * time.Minute,
		CheckRedirect: func(*http.Request, []*http.Request) error { return http.ErrUseLastResponse }}, 30 * time.Second}
}

func (t *target) send(p probe) (*answer, error) {
	r, err := http.NewRequestWithContext(context.Background(), p.method, t.url, strings.NewReader(p.body))
	if err != nil {
		return nil, err
	}
	r.URL.Opaque = "" // the path goes as it stands
	base := strings.TrimSuffix(r.URL.Path, "/")
	path, query, _ := strings.Cut(p.path, "?")
	r.URL.Path, r.URL.RawQuery = base+path, query
	if strings.Contains(path, "%") {
		r.URL.Opaque = "//" + r.URL.Host + base + p.path
	}
	r.Header.Set("Content-Type", "application/json")
	if t.key != "" {
		r.Header.Set("X-Api-Key", t.key)
	}
	for name, value := range p.header {
		if name == "Host" {
			r.Host = value
			continue
		}
		r.Header.Set(name, value)
	}
	resp, err := t.client.Do(r)
	if err != nil {
		return nil, err
	}
	defer resp.Body.Close()
	body, err := io.ReadAll(io.LimitReader(resp.Body, 4<<20))
	return &answer{resp.StatusCode, resp.Header, string(body)}, err
}

// try sends a probe and says what is wrong about what happened.
func (t *target) try(p probe) string {
	began := time.Now()
	a, err := t.send(p)
	switch {
	case err != nil && strings.Contains(err.Error(), "net/http: invalid"):
		return "" // Go's own client refuses to send it
	case err != nil:
		return fmt.Sprintf("no answer: %v", err)
	case a.status >= 500 && a.status != http.StatusNotImplemented && a.status != http.StatusServiceUnavailable && a.status != http.StatusBadGateway:
		return fmt.Sprintf("answers %d %.200s", a.status, a.body)
	case a.header.Get("X-Injected") != "":
		return "a header was injected"
	case strings.Contains(a.body, "goroutine ") || strings.Contains(a.body, ".go:"):
		return fmt.Sprintf("shows its inside: %.200s", a.body)
	case time.Since(began) > t.patience:
		return fmt.Sprintf("took %s", time.Since(began).Round(time.Second))
	}
	if p.want != nil {
		return p.want(a)
	}
	return ""
}

// tally counts probes.
type tally struct {
	most   int // of each group; 0 for all
	sent   map[string]int
	order  []string
	failed int
}

func (y *tally) run(t *target, list []probe) {
	if y.sent == nil {
		y.sent = map[string]int{}
	}
	every := 1
	if y.most > 0 {
		every = max(1, len(list)/y.most)
	}
	for i, p := range list {
		if i%every != 0 {
			continue
		}
		if y.sent[p.group] == 0 {
			y.order = append(y.order, p.group)
		}
		y.sent[p.group]++
		if wrong := t.try(p); wrong != "" {
			y.failed++
			fmt.Printf("FAILED %s, %s: %s %.80s: %s\n", p.group, p.name, p.method, p.path, wrong)
		}
	}
}

func (y *tally) err() error {
	all := 0
	for _, g := range y.order {
		fmt.Printf("%5d  %s\n", y.sent[g], g)
		all += y.sent[g]
	}
	fmt.Printf("%5d  probes, %d failed\n", all, y.failed)
	if y.failed > 0 {
		return fmt.Errorf("%d probes failed", y.failed)
	}
	return nil
}

// canary is an address inside the network that nothing may reach.
type canary struct {
	address string
	hits    atomic.Int32
	server  *http.Server
}

func newCanary() (*canary, error) {
	l, err := net.Listen("tcp", "127.0.0.1:0")
	if err != nil {
		return nil, err
	}
	c := &canary{address: l.Addr().String()}
	c.server = &http.Server{ReadHeaderTimeout: time.Minute, Handler: http.HandlerFunc(func(w http.ResponseWriter, _ *http.Request) {
		c.hits.Add(1)
		io.WriteString(w, "the canary's secret")
	})}
	go func() { _ = c.server.Serve(l) }()
	return c, nil
}

func run(o options) error {
	c, err := newCanary()
	if err != nil {
		return err
	}
	defer c.server.Close()
	y := &tally{most: o.most}
	probes := func(t *target) error {
		schemas, err := schemas(t)
		if err != nil {
			return err
		}
		for _, list := range [][]probe{schemas, paths(), headers(), events(), addresses(c), documents()} {
			y.run(t, list)
		}
		if n := c.hits.Load(); n > 0 {
			y.failed++
			fmt.Printf("FAILED %d requests reached an address inside the network\n", n)
		}
		return alive(t)
	}
	if o.url != "" {
		elsewhere := newTarget(o.url, o.key)
		elsewhere.patience = 3 * time.Minute // a deployment's index shows late what was ingested
		if err := probes(elsewhere); err != nil {
			return err
		}
		return y.err()
	}
	dir, err := os.MkdirTemp("", "lectern-chaos-")
	if err != nil {
		return err
	}
	defer os.RemoveAll(dir)
	binary, err := build(dir)
	if err != nil {
		return err
	}
	if o.heavy {
		return heavy(binary, dir+"/heavy")
	}
	open, err := start(binary, dir+"/open")
	if err != nil {
		return err
	}
	defer open.stop()
	if err := probes(open.target); err != nil {
		return err
	}
	y.run(open.target, pages())
	keyed, err := start(binary, dir+"/keyed", `LECTERN_KEYS=[{"key":"key-of-the-first-tenant","collections":["one"],"tenant":"one"},`+
		`{"key":"key-of-the-second-tenant","collections":["two"],"tenant":"two"}]`, "SERVER_AUTH_ENABLED=true", "SERVER_AUTH_SECRET=Basic YWRtaW46YWRtaW5hZG1pbmFkbWlu")
	if err != nil {
		return err
	}
	defer keyed.stop()
	list, err := tenants(keyed.target)
	if err != nil {
		return err
	}
	y.run(newTarget(keyed.url, "key-of-the-second-tenant"), list)
	y.run(newTarget(keyed.url, ""), strangers())
	if err := y.err(); err != nil {
		return err
	}
	if err := load(open, o); err != nil {
		return err
	}
	return heavy(binary, dir+"/heavy")
}

// alive checks that the service still does its work.
func alive(t *target) error {
	a, err := t.send(probe{method: "GET", path: "/health"})
	if err != nil || a.status != http.StatusOK {
		return fmt.Errorf("after the probes /health answers %v, %v", a, err)
	}
	return nil
}

func encode(v any) string {
	var out bytes.Buffer
	e := json.NewEncoder(&out)
	e.SetEscapeHTML(false)
	_ = e.Encode(v) // of maps and strings
	return out.String()
}
