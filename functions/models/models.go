// Package models holds the endpoints of the model catalog.
package models

import (
	"context"
	"slices"
	"strings"
	"time"

	"lectern/shared/api/rest"
	"lectern/shared/auth"
	"lectern/shared/chat/model"
	"lectern/shared/fault"
)

// Deps are the collaborators of the group.
type Deps struct {
	Models *model.Catalog
	// Collections names the collections that the caller may use and that hold
	// anything.
	Collections func(ctx context.Context) ([]string, error)
}

// Routes lists the group's endpoints.
func (d Deps) Routes() []rest.Route {
	return []rest.Route{
		{Pattern: "GET /v1/models", Handle: rest.JSON(d.list), Doc: "List the models"},
		{Pattern: "GET /v1/models/{model_id...}", Handle: rest.JSON(d.find), Doc: "Describe a model"},
	}
}

type listQuery struct {
	BeforeID *string `json:"before_id,omitempty" doc:"cursor: the page that ends just before this model"`
	AfterID  *string `json:"after_id,omitempty" doc:"cursor: the page that starts just after this model"`
	Limit    int     `json:"limit" default:"100" min:"1" max:"1000"`
	All      bool    `json:"collections,omitempty" doc:"list default@collection too, for each collection that the key may use"`
}

type listAnswer struct {
	Object  string  `json:"object" enum:"list"`
	Data    []info  `json:"data"`
	FirstID *string `json:"first_id"`
	LastID  *string `json:"last_id"`
	HasMore bool    `json:"has_more"`
}

type info struct {
	ID              string       `json:"id"`
	Type            string       `json:"type"`
	Object          string       `json:"object" enum:"model"`
	Created         int64        `json:"created" doc:"seconds since 1970"`
	OwnedBy         string       `json:"owned_by"`
	DisplayName     string       `json:"display_name"`
	CreatedAt       time.Time    `json:"created_at"`
	MaxTokens       int          `json:"max_tokens"`
	MaxInputTokens  int          `json:"max_input_tokens"`
	EmbedDimensions *int         `json:"embed_dim"`
	Capabilities    capabilities `json:"capabilities"`
	Lifecycle       string       `json:"lifecycle" enum:"active" doc:"a model that is listed can be used, and no end of it is known"`
	DeprecatedAt    *time.Time   `json:"deprecated_at" doc:"always null"`
	RetiresAt       *time.Time   `json:"retires_at" doc:"always null"`
	Line            *string      `json:"line" doc:"always null"`
}

type supported struct {
	Supported bool `json:"supported"`
}

type media struct {
	Supported bool `json:"supported"`
	Maximum   int  `json:"maximum"`
}

type capabilities struct {
	Batch             supported `json:"batch"`
	Citations         supported `json:"citations"`
	CodeExecution     supported `json:"code_execution"`
	PDFInput          supported `json:"pdf_input"`
	StructuredOutputs supported `json:"structured_outputs"`
	ImageInput        media     `json:"image_input"`
	AudioInput        media     `json:"audio_input"`
	Thinking          thinking  `json:"thinking"`
	Effort            effort    `json:"effort"`
	ContextManagement supported `json:"context_management"`
}

type effort struct {
	High      supported `json:"high"`
	Low       supported `json:"low"`
	Max       supported `json:"max"`
	Medium    supported `json:"medium"`
	Supported bool      `json:"supported"`
	XHigh     supported `json:"xhigh"`
}

type thinking struct {
	Supported bool `json:"supported"`
	Types     struct {
		Adaptive supported `json:"adaptive"`
		Enabled  supported `json:"enabled"`
	} `json:"types"`
}

// maxMedia is how many images or sounds one request may hold.
const maxMedia = 100

func infoOf(e *model.Entry) info {
	can := e.Can
	out := info{ID: e.ID, Type: "model", Object: "model", Created: e.Created.Unix(), OwnedBy: "lectern",
		DisplayName: e.DisplayName, CreatedAt: e.Created.UTC(), MaxTokens: e.MaxTokens,
		MaxInputTokens: e.MaxInputTokens, Lifecycle: "active"}
	if e.EmbedDimensions > 0 {
		out.EmbedDimensions = &e.EmbedDimensions
	}
	c := capabilities{
		Batch: supported{e.EmbedDimensions == 0}, Citations: supported{can.Citations}, CodeExecution: supported{can.CodeExecution},
		PDFInput:          supported{can.PDF},
		StructuredOutputs: supported{can.StructuredOutputs}, Thinking: thinking{Supported: can.Thinking},
	}
	level := func(name string) supported { return supported{slices.Contains(can.Efforts, name)} }
	c.Effort = effort{High: level("high"), Low: level("low"), Max: level("max"), Medium: level("medium"), XHigh: level("xhigh"),
		Supported: len(can.Efforts) > 0}
	if can.Images {
		c.ImageInput = media{true, maxMedia}
	}
	if can.Audio {
		c.AudioInput = media{true, maxMedia}
	}
	c.Thinking.Types.Adaptive.Supported = can.Thinking && can.Adaptive
	c.Thinking.Types.Enabled.Supported = can.Thinking
	out.Capabilities = c
	return out
}

func (d Deps) list(ctx context.Context, q *listQuery) (listAnswer, error) {
	var all []info
	for _, e := range d.Models.All() {
		all = append(all, infoOf(&e))
	}
	if q.All {
		over, err := d.overCollections(ctx)
		if err != nil {
			return listAnswer{}, err
		}
		all = append(all, over...)
		slices.SortFunc(all, func(a, b info) int { return strings.Compare(a.ID, b.ID) })
	}
	ids := make([]string, len(all))
	for i := range all {
		ids[i] = all[i].ID
	}
	from, to, more, err := rest.Page(ids, q.AfterID, q.BeforeID, q.Limit)
	if err != nil {
		return listAnswer{}, err
	}
	out := listAnswer{Object: "list", Data: append([]info{}, all[from:to]...), HasMore: more}
	if from < to {
		out.FirstID, out.LastID = &ids[from], &ids[to-1]
	}
	return out, nil
}

// overCollections lists the default model, once for each collection.
func (d Deps) overCollections(ctx context.Context) ([]info, error) {
	e, err := d.Models.Find(ctx, "default")
	if fault.Is(err, fault.NotFound) {
		return nil, nil
	}
	if err != nil {
		return nil, err
	}
	names, err := d.Collections(ctx)
	if err != nil {
		return nil, err
	}
	var list []info
	for _, name := range names {
		list = append(list, overCollection(&e, "default", name))
	}
	return list, nil
}

// overCollection describes a model that answers from a collection.
func overCollection(e *model.Entry, name, collection string) info {
	out := infoOf(e)
	out.ID, out.DisplayName = name+"@"+collection, e.DisplayName+" over "+collection
	return out
}

type findQuery struct {
	ID string `json:"-" path:"model_id"`
}

func (d Deps) find(ctx context.Context, q *findQuery) (info, error) {
	if q.ID == "" {
		return info{}, fault.New(fault.NotFound, "no such path: /v1/models/")
	}
	e, collection, err := d.Models.Over(ctx, q.ID)
	if err != nil {
		return info{}, err
	}
	if collection == "" {
		return infoOf(&e), nil
	}
	if err := auth.Check(ctx, collection); err != nil {
		return info{}, err
	}
	names, err := d.Collections(ctx)
	if err == nil && !slices.Contains(names, collection) {
		err = fault.New(fault.NotFound, "model: there is no collection %q", collection)
	}
	return overCollection(&e, strings.TrimSuffix(q.ID, "@"+collection), collection), err
}
