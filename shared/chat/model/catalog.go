package model

import (
	"context"
	"slices"
	"strings"
	"time"

	"lectern/shared/fault"
)

// Info is what clients are told of a model.
type Info struct {
	ID              string
	DisplayName     string
	Created         time.Time
	MaxTokens       int // of an answer
	MaxInputTokens  int
	EmbedDimensions int // of an embedding model; 0 otherwise
	Can             Capabilities
}

// Capabilities say what a model takes and does.
type Capabilities struct {
	Images, Audio, PDF   bool
	Citations            bool
	StructuredOutputs    bool
	Thinking, Adaptive   bool
	Efforts              []string
	CodeExecution, Batch bool
	// Native says that the model's wire has document and search_result blocks
	// and citations of its own: they are passed on as they are.
	Native bool
}

// Entry is a model that the service offers.
type Entry struct {
	Info
	Model    Model  // nil for an embedding model
	Upstream string // the provider's name of the model
	Aliases  []string
	Fallback string // id or alias of its stand-in, empty for none
}

// Catalog is the list of models. Not changed once it is in use.
type Catalog struct {
	entries []Entry // sorted by id
	first   string  // id of the default
}

// NewCatalog makes a catalog; the first entry with a Model is the default.
func NewCatalog(entries ...Entry) *Catalog {
	c := &Catalog{entries: slices.Clone(entries)}
	for _, e := range entries {
		if e.Model != nil {
			c.first = e.ID
			break
		}
	}
	slices.SortStableFunc(c.entries, func(a, b Entry) int { return strings.Compare(a.ID, b.ID) })
	return c
}

// All returns the models sorted by id.
func (c *Catalog) All() []Entry { return c.entries }

// Find resolves a name: an id, an alias, "default", or a name of the claude
// family that no entry has, which stands for the default. Otherwise it is
// NotFound.
//
// Source: API "Models".
func (c *Catalog) Find(_ context.Context, name string) (Entry, error) {
	fallback := -1
	for i := range c.entries {
		e := &c.entries[i]
		if e.ID == name || slices.Contains(e.Aliases, name) {
			return *e, nil
		}
		if e.ID == c.first {
			fallback = i
		}
	}
	if fallback >= 0 && (name == "default" || strings.HasPrefix(name, "claude-")) {
		return c.entries[fallback], nil
	}
	return Entry{}, fault.New(fault.NotFound, "model: no model named %q", name)
}
