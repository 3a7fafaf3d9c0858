// Package models holds the endpoints of the model catalog.
package models

import (
	"context"
	"slices"
	"time"

	"lectern/shared/api/rest"
	"lectern/shared/chat/model"
	"lectern/shared/fault"
)

// Deps are the collaborators of the group.
type Deps struct{ Models *model.Catalog }

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
}

type listAnswer struct {
	Data    []info  `json:"data"`
	FirstID *string `json:"first_id"`
	LastID  *string `json:"last_id"`
	HasMore bool    `json:"has_more"`
}

type info struct {
	ID              string       `json:"id"`
	Type            string       `json:"type"`
	DisplayName     string       `json:"display_name"`
	CreatedAt       time.Time    `json:"created_at"`
	MaxTokens       int          `json:"max_tokens"`
	MaxInputTokens  int          `json:"max_input_tokens"`
	EmbedDimensions *int         `json:"embed_dim"`
	Capabilities    capabilities `json:"capabilities"`
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
	out := info{ID: e.ID, Type: "model", DisplayName: e.DisplayName, CreatedAt: e.Created.UTC(), MaxTokens: e.MaxTokens,
		MaxInputTokens: e.MaxInputTokens}
	if e.EmbedDimensions > 0 {
		out.EmbedDimensions = &e.EmbedDimensions
	}
	c := capabilities{
		Batch: supported{can.Batch}, Citations: supported{can.Citations}, CodeExecution: supported{can.CodeExecution},
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

func (d Deps) list(_ context.Context, q *listQuery) (listAnswer, error) {
	entries := d.Models.All()
	ids := make([]string, len(entries))
	for i, e := range entries {
		ids[i] = e.ID
	}
	from, to, more, err := rest.Page(ids, q.AfterID, q.BeforeID, q.Limit)
	if err != nil {
		return listAnswer{}, err
	}
	out := listAnswer{Data: []info{}, HasMore: more}
	for i := from; i < to; i++ {
		out.Data = append(out.Data, infoOf(&entries[i]))
	}
	if from < to {
		out.FirstID, out.LastID = &ids[from], &ids[to-1]
	}
	return out, nil
}

type findQuery struct {
	ID string `json:"-" path:"model_id"`
}

func (d Deps) find(ctx context.Context, q *findQuery) (info, error) {
	if q.ID == "" {
		return info{}, fault.New(fault.NotFound, "no such path: /v1/models/")
	}
	e, err := d.Models.Find(ctx, q.ID)
	if err != nil {
		return info{}, err
	}
	return infoOf(&e), nil
}
