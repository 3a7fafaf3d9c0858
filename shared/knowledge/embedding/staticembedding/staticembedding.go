// Package staticembedding embeds with a table of token vectors as made by
// model2vec: a text's vector is the mean of its tokens'. It needs no server,
// only a directory with model.safetensors, tokenizer.json and, optionally,
// config.json; a text takes microseconds.
//
// No model is shipped. It supports tokenizers of types WordPiece and Unigram
// with their usual normalizers and pre-tokenizers; Open reports any part that
// it does not support.
package staticembedding

import (
	"context"
	"crypto/sha256"
	"encoding/hex"
	"encoding/json"
	"errors"
	"fmt"
	"io/fs"
	"math"
	"os"
	"path/filepath"
	"strings"

	"lectern/shared/fault"
	"lectern/shared/knowledge/embedding"
	"lectern/shared/knowledge/safetensors"
)

// maxTokens is how many tokens of a text are used, as in model2vec.
const maxTokens = 512

// Embedder is an embedding.Embedder that looks vectors up.
type Embedder struct {
	name   string
	tokens *tokenizer
	table  *safetensors.Matrix
	rows   []int     // row of each token; nil: the token itself
	weight []float32 // of each token; nil: equal
}

var _ embedding.Embedder = (*Embedder)(nil)

// config is the part of config.json that is used. Vectors always have length 1,
// whatever its normalize says.
type config struct {
	Dimensions int `json:"hidden_dim"`
}

// Open reads the model of the URL "static:/path/of/a/directory".
func Open(url string) (*Embedder, error) {
	dir, ok := strings.CutPrefix(url, "static:")
	if !ok || dir == "" {
		return nil, fault.New(fault.Invalid, "a static embedder should be static: and the path of a directory")
	}
	e, err := open(dir)
	if err != nil {
		return nil, fmt.Errorf("static embedder %q: %w", dir, err)
	}
	return e, nil
}

func open(dir string) (*Embedder, error) {
	raw, err := os.ReadFile(filepath.Join(dir, "model.safetensors"))
	if err != nil {
		return nil, err
	}
	rules, err := os.ReadFile(filepath.Join(dir, "tokenizer.json"))
	if err != nil {
		return nil, err
	}
	sum := sha256.New()
	sum.Write(raw)
	sum.Write(rules)
	e := &Embedder{name: "static:" + filepath.Base(filepath.Clean(dir)) + ":" + hex.EncodeToString(sum.Sum(nil))[:12]}
	tensors, err := safetensors.Parse(raw)
	if err != nil {
		return nil, err
	}
	if e.table, err = tensors.Matrix("embeddings", "embedding.weight"); err != nil {
		return nil, err
	}
	if e.weight, err = tensors.Floats("weights"); err != nil {
		return nil, err
	}
	if e.rows, err = tensors.Ints("mapping"); err != nil {
		return nil, err
	}
	if e.tokens, err = parseTokenizer(rules); err != nil {
		return nil, err
	}
	return e, e.check(dir)
}

// check rejects a model with inconsistent files.
func (e *Embedder) check(dir string) error {
	known := e.tokens.size
	switch {
	case e.table.Rows == 0 || e.table.Columns == 0:
		return errors.New("the table of vectors is empty")
	case e.rows == nil && known > e.table.Rows, e.rows != nil && known > len(e.rows), e.weight != nil && known > len(e.weight):
		return fmt.Errorf("the tokenizer knows %d tokens, more than the table has", known)
	}
	for _, r := range e.rows {
		if r < 0 || r >= e.table.Rows {
			return fmt.Errorf("a token's row is %d of %d", r, e.table.Rows)
		}
	}
	raw, err := os.ReadFile(filepath.Join(dir, "config.json"))
	if errors.Is(err, fs.ErrNotExist) {
		return nil
	}
	if err != nil {
		return err
	}
	var c config
	if err := json.Unmarshal(raw, &c); err != nil {
		return fmt.Errorf("config.json: %w", err)
	}
	if c.Dimensions != 0 && c.Dimensions != e.table.Columns {
		return fmt.Errorf("config.json says %d dimensions, the table has %d", c.Dimensions, e.table.Columns)
	}
	return nil
}

// Name contains a hash of the model's files.
func (e *Embedder) Name() string { return e.name }

func (e *Embedder) Dimensions() int { return e.table.Columns }

func (e *Embedder) Embed(ctx context.Context, texts []string, _ embedding.Mode) ([][]float32, error) {
	list := make([][]float32, len(texts))
	for i, text := range texts {
		if err := ctx.Err(); err != nil {
			return nil, err
		}
		list[i] = e.embed(text)
	}
	return list, nil
}

func (e *Embedder) embed(text string) []float32 {
	sum := make([]float32, e.table.Columns)
	n := 0
	for id := range e.tokens.all(text) {
		row, weight := id, float32(1)
		if e.rows != nil {
			row = e.rows[id]
		}
		if e.weight != nil {
			weight = e.weight[id]
		}
		e.table.Add(sum, row, weight)
		if n++; n == maxTokens {
			break
		}
	}
	var square float64
	for _, x := range sum {
		square += float64(x) * float64(x)
	}
	if square == 0 || math.IsNaN(square) || math.IsInf(square, 0) {
		// No token is known, but vectors must not be zero.
		clear(sum)
		sum[0] = 1
		return sum
	}
	scale := 1 / math.Sqrt(square)
	for i, x := range sum {
		sum[i] = float32(float64(x) * scale)
	}
	return sum
}
