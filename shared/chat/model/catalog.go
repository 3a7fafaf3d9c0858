package model

import (
	"context"
	"slices"
	"sort"
	"strings"
	"time"

	"lectern/shared/fault"
)

// Info is the public description of a model.
type Info struct {
	ID              string
	DisplayName     string
	Created         time.Time
	MaxTokens       int // of an answer
	MaxInputTokens  int
	EmbedDimensions int // of an embedding model; 0 otherwise
	Can             Capabilities
}

// Capabilities say what a model accepts and does.
type Capabilities struct {
	Images, Audio, PDF bool
	Citations          bool
	// Verbatim says that what the model cites it says in the words of its passages,
	// or computes from them.
	Verbatim           bool
	StructuredOutputs  bool
	Thinking, Adaptive bool
	Efforts            []string
	CodeExecution      bool
	// Fields are the optional fields of a request, by their JSON names, that change
	// the model's answer or its price, effort included. Fields that the service
	// handles itself are not listed.
	Fields []string
	// Native says that the model's API has its own citations and document and
	// search_result blocks, which then pass through unchanged.
	Native bool
}

// Entry is a model that the service offers.
type Entry struct {
	Info
	Model    Model  // nil for an embedding model
	Upstream string // the provider's name of the model
	Aliases  []string
	Fallback string // id or alias of the fallback model; empty for none
}

// Catalog is the list of models. It is immutable once in use.
type Catalog struct {
	// Strict makes unknown names of the claude family NotFound too.
	Strict bool

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
	// slices.SortStableFunc would be compiled anew for elements of this size.
	sort.SliceStable(c.entries, func(i, j int) bool { return c.entries[i].ID < c.entries[j].ID })
	return c
}

// All returns the models sorted by id.
func (c *Catalog) All() []Entry { return c.entries }

// Find resolves a name: an id, an alias, or "default". An unknown name of the claude
// family resolves to the default model, so that clients of the Anthropic API work
// unchanged, unless the catalog is strict; any other unknown name is NotFound, and
// the text lists the models of a strict catalog.
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
	if fallback >= 0 && (name == "default" || !c.Strict && strings.HasPrefix(name, "claude-")) {
		return c.entries[fallback], nil
	}
	if c.Strict {
		return Entry{}, fault.New(fault.NotFound, "model: no model named %q; there are %s", name, strings.Join(c.names(), ", "))
	}
	return Entry{}, fault.New(fault.NotFound, "model: no model named %q", name)
}

// Over resolves a name that may end in a collection to answer from: an id or an
// alias as it is, else what stands before the last "@", and the collection behind it.
func (c *Catalog) Over(ctx context.Context, name string) (e Entry, collection string, err error) {
	e, err = c.Find(ctx, name)
	if err == nil && (e.ID == name || slices.Contains(e.Aliases, name)) {
		return e, "", nil
	}
	at := strings.LastIndexByte(name, '@')
	if at <= 0 {
		return e, "", err
	}
	if name[at+1:] == "" {
		return Entry{}, "", fault.New(fault.NotFound, "model: a collection's name should follow the @ of %q", name)
	}
	e, err = c.Find(ctx, name[:at])
	return e, name[at+1:], err
}

// names returns the names of the models that answer.
func (c *Catalog) names() []string {
	names := []string{"default"}
	for i := range c.entries {
		if e := &c.entries[i]; e.Model != nil {
			names = append(append(names, e.ID), e.Aliases...)
		}
	}
	return names
}
