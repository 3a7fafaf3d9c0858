package openai

import (
	"iter"
	"net/http"
	"strings"

	"lectern/shared/chat/model"
	"lectern/shared/message"
)

// collectionHeader names a collection to answer from, where the name of the model
// does not.
const collectionHeader = "X-Lectern-Collection"

// chosen is what the name of a model stands for.
type chosen struct {
	name       string // as the client wrote it
	model      string // without the collection
	entry      model.Entry
	collection string // to answer from; empty for none
}

// choose resolves the name of a model, and the collection of the header where the
// name has none.
func (d Deps) choose(r *http.Request, name string) (*chosen, error) {
	ctx := r.Context()
	e, collection, err := d.Engine.Models.Over(ctx, name)
	if err != nil {
		return nil, err
	}
	c := &chosen{name: name, model: strings.TrimSuffix(name, "@"+collection), entry: e, collection: collection}
	if collection == "" {
		c.model = name
	}
	if c.collection == "" {
		c.collection = r.Header.Get(collectionHeader)
	}
	if c.collection == "" {
		return c, nil
	}
	return c, d.Engine.CheckCollection(ctx, c.collection)
}

// Sizes of an answer whose request names none.
const (
	leastAnswer = 1024
	mostAnswer  = 8192
)

// maxTokens is the size of an answer whose request names none: a quarter of the
// model's window, within bounds.
func (c *chosen) maxTokens() int {
	n := min(mostAnswer, max(leastAnswer, c.entry.MaxInputTokens/4))
	if c.entry.MaxTokens > 0 {
		n = min(n, c.entry.MaxTokens)
	}
	return n
}

// writer writes an answer in the form of one of the wires.
type writer interface {
	stream(w http.ResponseWriter, b *builder, events iter.Seq2[message.Event, error]) error
	whole(w http.ResponseWriter, b *builder, events iter.Seq2[message.Event, error]) error
}

// answer runs the request and writes the answer, streamed or not.
func (d Deps) answer(w http.ResponseWriter, r *http.Request, b *builder, out writer, streamed bool) error {
	b.req.Stream = streamed
	events := d.Engine.Run(r.Context(), b.req)
	if streamed {
		return out.stream(w, b, events)
	}
	return out.whole(w, b, events)
}
