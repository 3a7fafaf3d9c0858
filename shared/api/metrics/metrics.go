// Package metrics counts the requests of a process and serves the counts,
// with metrics of the Go runtime and the process, in the formats of Prometheus.
// Callers label a request with its group, from a small set; request paths never
// become labels, so that clients cannot create series.
package metrics

import (
	"net/http"
	"strconv"
	"sync"
	"time"

	"github.com/prometheus/client_golang/prometheus"
	"github.com/prometheus/client_golang/prometheus/collectors"
	"github.com/prometheus/client_golang/prometheus/promhttp"
)

// Requests holds the metrics of a process. Safe for concurrent use.
type Requests struct {
	took   *prometheus.HistogramVec
	chats  *prometheus.CounterVec
	tokens *prometheus.CounterVec
	first  *prometheus.HistogramVec
	page   http.Handler

	models sync.Map // *ofModel by the model's id
}

// ofModel holds the metrics of a model, so that an answer does not look for them.
type ofModel struct {
	answered, refused, failed, in, out prometheus.Counter
	first                              prometheus.Observer
}

func (r *Requests) ofModel(id string) *ofModel {
	if m, ok := r.models.Load(id); ok {
		return m.(*ofModel)
	}
	m, _ := r.models.LoadOrStore(id, &ofModel{
		r.chats.WithLabelValues(id, "answered"), r.chats.WithLabelValues(id, "refused"), r.chats.WithLabelValues(id, "failed"),
		r.tokens.WithLabelValues(id, "in"), r.tokens.WithLabelValues(id, "out"), r.first.WithLabelValues(id)})
	return m.(*ofModel)
}

// buckets range from answers out of memory to streams of many minutes.
var buckets = []float64{.001, .0025, .005, .01, .025, .05, .1, .25, .5, 1, 2.5, 5, 10, 30, 60, 300, 900}

// New returns metrics with a registry of their own.
func New() *Requests {
	r := &Requests{took: prometheus.NewHistogramVec(prometheus.HistogramOpts{
		Name: "lectern_request_duration_seconds", Buckets: buckets,
		Help: "Requests that were answered, and how long they took, streams to their end.",
	}, []string{"group", "status"}), chats: prometheus.NewCounterVec(prometheus.CounterOpts{
		Name: "lectern_chats_total", Help: "Answers that are over, by model and outcome: answered, refused (or nothing relevant), failed.",
	}, []string{"model", "outcome"}), tokens: prometheus.NewCounterVec(prometheus.CounterOpts{
		Name: "lectern_tokens_total", Help: "Tokens of chats, by model and direction: in, out.",
	}, []string{"model", "direction"}), first: prometheus.NewHistogramVec(prometheus.HistogramOpts{
		Name: "lectern_first_token_seconds", Buckets: buckets, Help: "Time until the first block of an answer.",
	}, []string{"model"})}
	registry := prometheus.NewRegistry()
	registry.MustRegister(r.took, r.chats, r.tokens, r.first, collectors.NewGoCollector(),
		collectors.NewProcessCollector(collectors.ProcessCollectorOpts{}))
	r.page = promhttp.HandlerFor(registry, promhttp.HandlerOpts{})
	return r
}

// Observe counts a finished request of a group.
func (r *Requests) Observe(group string, status int, took time.Duration) {
	r.took.WithLabelValues(group, strconv.Itoa(status)).Observe(took.Seconds())
}

// Chat is an answer of a model that is over.
type Chat struct {
	Model           string
	Input, Output   int           // tokens
	First           time.Duration // until its first block; 0 without one
	Refused, Failed bool
}

// ObserveChat counts an answer. Models are those of the settings, so that clients
// cannot create series.
func (r *Requests) ObserveChat(c Chat) {
	m := r.ofModel(c.Model)
	switch {
	case c.Failed:
		m.failed.Inc()
	case c.Refused:
		m.refused.Inc()
	default:
		m.answered.Inc()
	}
	m.in.Add(float64(c.Input))
	m.out.Add(float64(c.Output))
	if c.First > 0 {
		m.first.Observe(c.First.Seconds())
	}
}

// Write answers with all metrics.
func (r *Requests) Write(w http.ResponseWriter, req *http.Request) error {
	r.page.ServeHTTP(w, req)
	return nil
}
