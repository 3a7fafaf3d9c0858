package embeddingtest

import (
	"context"
	"strings"

	"lectern/shared/knowledge/embedding"
	"lectern/shared/knowledge/embedding/hashembedding"
)

// Told is an embedding.Meaner that means what it is told.
type Told struct {
	embedding.Embedder
	Question string             // comes near what it may mean
	Odds     map[string]float64 // log odds by plain question, -9 of others
	Err      error              // of Means
	Slow     bool
	Asked    []string // the plain questions of the last call of Means
}

// Means returns such a model.
func Means(question string, odds map[string]float64) *Told {
	return &Told{Embedder: hashembedding.New(), Question: question, Odds: odds}
}

// Means returns what it is told.
func (m *Told) Means(_ context.Context, _ string, plain []string) ([]float64, error) {
	m.Asked = plain
	out := make([]float64, len(plain))
	for i, text := range plain {
		out[i] = -9
		if v, ok := m.Odds[text]; ok {
			out[i] = v
		}
	}
	return out, m.Err
}

// Embed has the question and the parts of what it may mean near each other, and all else apart.
func (m *Told) Embed(_ context.Context, texts []string, _ embedding.Mode) ([][]float32, error) {
	out := make([][]float32, len(texts))
	for i, text := range texts {
		out[i] = []float32{0, 1}
		for plain := range m.Odds {
			if text == m.Question || strings.Contains(plain, text) {
				out[i] = []float32{1, 0}
			}
		}
	}
	return out, nil
}

// Language is English.
func (m *Told) Language() string { return "en" }

// Fast reports whether it is not Slow.
func (m *Told) Fast() bool { return !m.Slow }
