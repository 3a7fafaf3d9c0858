// Package metrics counts the requests of a process and serves the counts,
// with metrics of the Go runtime and the process, in the formats of Prometheus.
// Callers label a request with its group, from a small set; request paths never
// become labels, so that clients cannot create series.
package metrics

import (
	"net/http"
	"strconv"
	"time"

	"github.com/prometheus/client_golang/prometheus"
	"github.com/prometheus/client_golang/prometheus/collectors"
	"github.com/prometheus/client_golang/prometheus/promhttp"
)

// Requests holds the metrics of a process. Safe for concurrent use.
type Requests struct {
	took *prometheus.HistogramVec
	page http.Handler
}

// buckets range from answers out of memory to streams of many minutes.
var buckets = []float64{.001, .0025, .005, .01, .025, .05, .1, .25, .5, 1, 2.5, 5, 10, 30, 60, 300, 900}

// New returns metrics with a registry of their own.
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

// Observe counts a finished request of a group.
func (r *Requests) Observe(group string, status int, took time.Duration) {
	r.took.WithLabelValues(group, strconv.Itoa(status)).Observe(took.Seconds())
}

// Write answers with all metrics.
func (r *Requests) Write(w http.ResponseWriter, req *http.Request) error {
	r.page.ServeHTTP(w, req)
	return nil
}
