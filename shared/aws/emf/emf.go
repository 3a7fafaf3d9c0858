// Package emf writes metrics as lines of a function's log, in CloudWatch's embedded
// metric format: whoever reads the log finds the line, and CloudWatch counts it.
package emf

import (
	"encoding/json"
	"io"
	"sync"
	"time"
)

// namespace is that of all metrics of the service.
const namespace = "Lectern"

// Units of metrics.
const (
	Count        = "Count"
	Milliseconds = "Milliseconds"
)

// Metric is one value.
type Metric struct {
	Name  string  `json:"Name"`
	Unit  string  `json:"Unit"`
	Value float64 `json:"-"`
}

// Writer writes lines. Safe for concurrent use.
type Writer struct {
	To  io.Writer
	Now func() time.Time

	mu sync.Mutex
}

// Dimension is a name and a value by which metrics are told apart; few values are
// expected, since each combination is a metric that CloudWatch bills.
type Dimension struct{ Name, Value string }

// Write writes a line with metrics under dimensions.
func (w *Writer) Write(dimensions []Dimension, metrics []Metric) error {
	names := make([]string, len(dimensions))
	line := map[string]any{}
	for i, d := range dimensions {
		names[i] = d.Name
		line[d.Name] = d.Value
	}
	for _, m := range metrics {
		line[m.Name] = m.Value
	}
	line["_aws"] = map[string]any{
		"Timestamp":         w.Now().UnixMilli(),
		"CloudWatchMetrics": []any{map[string]any{"Namespace": namespace, "Dimensions": [][]string{names}, "Metrics": metrics}},
	}
	raw, err := json.Marshal(line)
	if err != nil {
		return err
	}
	w.mu.Lock()
	defer w.mu.Unlock()
	_, err = w.To.Write(append(raw, '\n')) // at once, so that no other line comes in between
	return err
}
