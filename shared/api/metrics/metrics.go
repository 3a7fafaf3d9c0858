// Package metrics counts a process's requests and writes them, and what the Go
// runtime and the system say of the process, in the formats of Prometheus. It
// knows no paths: callers name the kind of a request, from a small set, so that
// what clients send never becomes a series.
package metrics

import (
	"net/http"
	"strconv"
	"time"

	"github.com/prometheus/client_golang/prometheus"
	"github.com/prometheus/client_golang/prometheus/collectors"
	"github.com/prometheus/client_golang/prometheus/promhttp"
)

// Requests are the counts since the process began. Safe for concurrent use.
type Requests struct {
	took *prometheus.HistogramVec
	page http.Handler
}

// buckets reach from an answer out of memory to a stream of many minutes.
var buckets = []float64{.001, .0025, .005, .01, .025, .05, .1, .25, .5, 1, 2.5, 5, 10, 30, 60, 300, 900}

// New makes counts with a registry of their own.
func New() *Requests {
	r := &Requests{took: prometheus.NewHistogramVec(prometheus.HistogramOpts{
		Name: "lectern_request_duration_seconds", Buckets: buckets,
		Help: "Requests that were answered, and how long they took, streams to their end.",
	}, []string{"group", "status"})}
	registry := prometheus.NewRegistry()
	registry.MustRegister(r.took, collectors.NewGoCollector(), collectors.NewProcessCollector(collectors.ProcessCollectorOpts{}))
	r.page = promhttp.HandlerFor(registry, promhttp.HandlerOpts{})
	return r
}

// Observe counts a request of a group that was answered.
func (r *Requests) Observe(group string, status int, took time.Duration) {
	r.took.WithLabelValues(group, strconv.Itoa(status)).Observe(took.Seconds())
}

// Write answers with all of it.
func (r *Requests) Write(w http.ResponseWriter, req *http.Request) error {
	r.page.ServeHTTP(w, req)
	return nil
}
