package lostanswertest

import (
	"bytes"
	"encoding/json"
	"fmt"
	"io"
	"net/http"
	"net/url"
	"os"
	"sync"
	"testing"
	"time"
)

// ProxyVariable names the address of a running toxiproxy.
const ProxyVariable = "LECTERN_TEST_TOXIPROXY"

// toxics are what a connection meets; each applies to the given share of connections. All
// but the first act on answers, so that what they break was done.
var toxics = []map[string]any{
	{"type": "latency", "stream": "upstream", "toxicity": 1, "attributes": map[string]any{"latency": 1, "jitter": 2}},
	{"type": "slicer", "toxicity": .1, "attributes": map[string]any{"average_size": 400, "size_variation": 200, "delay": 50}}, // µs
	{"type": "bandwidth", "toxicity": .1, "attributes": map[string]any{"rate": 10_000}},                                       // KB/s
	{"type": "limit_data", "toxicity": .05, "attributes": map[string]any{"bytes": 100_000}},                                   // then it closes
	{"type": "reset_peer", "toxicity": .05, "attributes": map[string]any{"timeout": 0}},
	{"type": "timeout", "toxicity": .03, "attributes": map[string]any{"timeout": 100}}, // says nothing, and closes
}

// How long the proxy lets through between two times at which all connections break and
// none are taken.
const (
	proxyUp   = 5 * time.Second
	proxyDown = 5 * time.Millisecond
)

// Proxy returns the address of a proxy to a server that delays, slices, slows, cuts and
// resets connections, lets answers be waited for in vain, and is gone now and then. The
// test is skipped where the environment names no toxiproxy.
func Proxy(t *testing.T, server string) string {
	t.Helper()
	control := os.Getenv(ProxyVariable)
	if control == "" {
		t.Skip(ProxyVariable + " names no toxiproxy")
	}
	u, err := url.Parse(server)
	if err != nil {
		t.Fatal(err)
	}
	name := fmt.Sprintf("p%d", time.Now().UnixNano())
	var made struct{ Listen string }
	tell(t, http.MethodPost, control+"/proxies", map[string]any{"name": name, "listen": "127.0.0.1:0", "upstream": u.Host, "enabled": true}, &made)
	own := control + "/proxies/" + name
	for _, toxic := range toxics {
		tell(t, http.MethodPost, own+"/toxics", toxic, nil)
	}
	done := make(chan struct{})
	var switching sync.WaitGroup
	switching.Go(func() {
		for up := false; ; up = !up {
			wait := proxyUp
			if up {
				wait = proxyDown
			}
			select {
			case <-done:
				return
			case <-time.After(wait):
			}
			tell(t, http.MethodPost, own, map[string]any{"enabled": up}, nil)
		}
	})
	t.Cleanup(func() {
		close(done)
		switching.Wait()
		tell(t, http.MethodDelete, own, nil, nil)
	})
	return u.Scheme + "://" + made.Listen
}

// tell sends a request to toxiproxy.
func tell(t *testing.T, method, address string, body, answer any) {
	raw, err := json.Marshal(body)
	if err != nil {
		t.Error(err)
		return
	}
	r, err := http.NewRequest(method, address, bytes.NewReader(raw))
	if err != nil {
		t.Error(err)
		return
	}
	resp, err := http.DefaultClient.Do(r)
	if err != nil {
		t.Error(err)
		return
	}
	defer resp.Body.Close()
	said, err := io.ReadAll(resp.Body)
	if err == nil && answer != nil {
		err = json.Unmarshal(said, answer)
	}
	if err != nil || resp.StatusCode >= http.StatusMultipleChoices {
		t.Errorf("toxiproxy: %s %s = %d %s, %v", method, address, resp.StatusCode, said, err)
	}
}
