// Package embeddings holds the endpoint that embeds texts.
package embeddings

import (
	"context"
	"encoding/base64"
	"encoding/binary"
	"math"
	"strings"

	"lectern/shared/api/rest"
	"lectern/shared/api/schema"
	tokens "lectern/shared/auth/usage"
	"lectern/shared/fault"
	"lectern/shared/knowledge/embedding"
	"lectern/shared/text/chunk"
)

// Deps are the collaborators of the group.
type Deps struct {
	Embedder embedding.Embedder
	Meter    *tokens.Meter
}

// Routes lists the group's endpoints.
func (d Deps) Routes() []rest.Route {
	return []rest.Route{{Pattern: "POST /v1/embeddings", Handle: rest.JSON(d.create), Doc: "Embed texts"}}
}

// maxInputs is how many texts one request may hold.
const maxInputs = 2048

type body struct {
	Model          string `json:"model" default:"default"`
	Input          inputs `json:"input" required:"true"`
	EncodingFormat string `json:"encoding_format" default:"float" enum:"float,base64"`
	Dimensions     *int   `json:"dimensions,omitempty" min:"1" doc:"keep only this many leading dimensions; vectors are rescaled to length 1"`
}

// inputs is one string or a list of strings.
type inputs []string

// DecodeSchema accepts either form and rejects empty texts.
func (in *inputs) DecodeSchema(r *schema.Reader) {
	one := func() {
		isText := r.Kind() == schema.String
		s := r.Text()
		if isText && strings.TrimSpace(s) == "" {
			r.Problem("string_too_short", "Text should not be empty")
		}
		*in = append(*in, s)
	}
	if r.Kind() != schema.Array {
		one()
		return
	}
	r.Each(schema.Array, func(string, int) { one() })
	if n := len(*in); n == 0 {
		r.Problem("too_short", "List should have at least 1 item")
	} else if n > maxInputs {
		r.Problem("too_long", "List should have at most 2048 items")
	}
}

// DescribeSchema describes both forms.
func (*inputs) DescribeSchema(*schema.Generator) schema.Doc {
	text := schema.Doc{"type": "string", "minLength": 1}
	return schema.Doc{"anyOf": []schema.Doc{text, {"type": "array", "items": text, "minItems": 1, "maxItems": maxInputs}}}
}

type answer struct {
	Object string `json:"object"`
	Model  string `json:"model"`
	Data   []item `json:"data"`
	Usage  usage  `json:"usage"`
}

type item struct {
	Object    string `json:"object"`
	Index     int    `json:"index"`
	Embedding any    `json:"embedding"`
}

// DescribeSchema describes the forms of a vector.
func (*item) DescribeSchema(g *schema.Generator) schema.Doc {
	type plain item
	floats := schema.Doc{"type": "array", "items": schema.Doc{"type": "number"}}
	base64 := schema.Doc{"type": "string", "description": "base64 of little-endian float32"}
	return g.With(plain{}, map[string]schema.Doc{"embedding": schema.AnyOf(floats, base64)})
}

type usage struct {
	PromptTokens int `json:"prompt_tokens"`
	TotalTokens  int `json:"total_tokens"`
}

func (d Deps) create(ctx context.Context, b *body) (answer, error) {
	if b.Dimensions != nil && *b.Dimensions > d.Embedder.Dimensions() {
		return answer{}, fault.Field("less_than_equal", "the embedding model has fewer dimensions than requested", "body", "dimensions")
	}
	if err := d.Meter.CheckTokens(ctx); err != nil {
		return answer{}, err
	}
	vectors, err := d.Embedder.Embed(ctx, b.Input, embedding.Query)
	if err != nil {
		return answer{}, err
	}
	out := answer{Object: "list", Model: b.Model, Data: make([]item, len(vectors))}
	if b.Model == "default" {
		out.Model = d.Embedder.Name()
	}
	for i, v := range vectors {
		if b.Dimensions != nil {
			v = shorten(v, *b.Dimensions)
		}
		out.Data[i] = item{"embedding", i, v}
		if b.EncodingFormat == "base64" {
			out.Data[i].Embedding = encode(v)
		}
		out.Usage.PromptTokens += chunk.EstimateTokens(b.Input[i])
	}
	out.Usage.TotalTokens = out.Usage.PromptTokens
	d.Meter.Spend(ctx, out.Usage.TotalTokens, 0)
	return out, nil
}

// shorten keeps the first n dimensions and rescales them to length 1. If all of
// them are zero, the result is the first unit vector.
func shorten(v []float32, n int) []float32 {
	out := append([]float32(nil), v[:n]...)
	sum := 0.0
	for _, x := range out {
		sum += float64(x) * float64(x)
	}
	if sum == 0 {
		out[0] = 1
		return out
	}
	for i := range out {
		out[i] = float32(float64(out[i]) / math.Sqrt(sum))
	}
	return out
}

// encode returns v as base64 of little-endian float32, the form that OpenAI's
// clients request.
func encode(v []float32) string {
	raw := make([]byte, 0, 4*len(v))
	for _, x := range v {
		raw = binary.LittleEndian.AppendUint32(raw, math.Float32bits(x))
	}
	return base64.StdEncoding.EncodeToString(raw)
}
