// Package metrics counts a process's requests and writes the counts in the text
// format of Prometheus. It knows no paths: callers name the kind of a request,
// from a small set, so that what clients send never becomes a series.
package metrics

import (
	"bytes"
	"cmp"
	"fmt"
	"maps"
	"net/http"
	"runtime/metrics"
	"slices"
	"sync"
	"time"
)

// Requests are the counts since the process began. The zero value is ready to
// use; safe for concurrent use.
type Requests struct {
	mu     sync.Mutex
	counts map[key]*count
}

type key struct {
	group  string
	status int
}

type count struct {
	n    int64
	took time.Duration
}

// Observe counts a request of a group that was answered.
func (r *Requests) Observe(group string, status int, took time.Duration) {
	r.mu.Lock()
	defer r.mu.Unlock()
	k := key{group, status}
	c := r.counts[k]
	if c == nil {
		if r.counts == nil {
			r.counts = map[key]*count{}
		}
		c = new(count)
		r.counts[k] = c
	}
	c.n++
	c.took += took
}

// gauges are what the runtime says of the process.
var gauges = []struct{ name, help, source string }{
	{"go_goroutines", "Goroutines that exist.", "/sched/goroutines:goroutines"},
	{"go_heap_objects_bytes", "Memory of live objects and of dead ones not yet swept.", "/memory/classes/heap/objects:bytes"},
	{"go_memory_bytes", "Memory that the runtime has mapped.", "/memory/classes/total:bytes"},
}

// Write answers with all of it.
func (r *Requests) Write(w http.ResponseWriter, _ *http.Request) error {
	var b bytes.Buffer
	r.requests(&b)
	for _, g := range gauges {
		sample := []metrics.Sample{{Name: g.source}}
		metrics.Read(sample)
		if sample[0].Value.Kind() == metrics.KindUint64 {
			fmt.Fprintf(&b, "# HELP %s %s\n# TYPE %[1]s gauge\n%[1]s %[3]d\n", g.name, g.help, sample[0].Value.Uint64())
		}
	}
	w.Header().Set("Content-Type", "text/plain; version=0.0.4; charset=utf-8")
	_, err := w.Write(b.Bytes())
	return err
}

func (r *Requests) requests(b *bytes.Buffer) {
	r.mu.Lock()
	defer r.mu.Unlock()
	keys := slices.SortedFunc(maps.Keys(r.counts), func(x, y key) int {
		return cmp.Or(cmp.Compare(x.group, y.group), cmp.Compare(x.status, y.status))
	})
	b.WriteString("# HELP lectern_request_duration_seconds Requests that were answered, and how long they took, streams to their end.\n# TYPE lectern_request_duration_seconds summary\n")
	for _, k := range keys {
		labels := fmt.Sprintf("{group=%q,status=\"%d\"}", k.group, k.status)
		fmt.Fprintf(b, "lectern_request_duration_seconds_sum%s %g\nlectern_request_duration_seconds_count%[1]s %[3]d\n", labels, r.counts[k].took.Seconds(), r.counts[k].n)
	}
}
