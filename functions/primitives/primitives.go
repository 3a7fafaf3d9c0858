// Package primitives holds the endpoints that search chunks and check citations.
package primitives

import (
	"context"

	"lectern/shared/api/rest"
	"lectern/shared/fault"
	"lectern/shared/knowledge/retrieval"
	"lectern/shared/message"
)

// Deps are the collaborators of the group.
type Deps struct{ Searcher *retrieval.Searcher }

// Routes lists the group's endpoints.
func (d Deps) Routes() []rest.Route {
	return []rest.Route{
		{Pattern: "POST /v1/primitives/search", Handle: rest.JSON(d.search), Doc: "Search chunks"},
		{Pattern: "POST /v1/citations/verify", Handle: rest.JSON(d.verify), Doc: "Check citations against the stored documents"},
	}
}

type proofs struct {
	Object string            `json:"object" enum:"list"`
	Data   []retrieval.Proof `json:"data" doc:"one for each citation, in order"`
}

func (d Deps) verify(ctx context.Context, in *retrieval.Claims) (proofs, error) {
	list, err := d.Searcher.Verify(ctx, in)
	return proofs{"list", list}, err
}

// body is the request of all three searches; type selects one.
type body struct {
	Type      string                 `json:"type" required:"true" enum:"semantic_search,keywords_search,hybrid_search"`
	Text      string                 `json:"text,omitempty" doc:"required, except for keywords_search"`
	Keywords  []string               `json:"keywords,omitempty" doc:"required for keywords_search"`
	Filter    *message.ContextFilter `json:"context_filter" required:"true"`
	Limit     int                    `json:"limit" default:"10" min:"1" max:"100"`
	Threshold float64                `json:"score_threshold" default:"0" min:"0" max:"1"`
	Expand    bool                   `json:"expand,omitempty" doc:"fill previous_texts and next_texts"`
	Total     bool                   `json:"total,omitempty" doc:"count the documents and passages that have all words of the query"`
	Weights   *retrieval.Weights     `json:"weights,omitempty"`
	Explain   bool                   `json:"explain,omitempty" doc:"add score components and matched terms as metadata.explain"`
}

type answer struct {
	Object string            `json:"object"`
	Model  string            `json:"model"`
	Data   []retrieval.Chunk `json:"data"`
	Total  *retrieval.Total  `json:"total,omitempty" doc:"when asked for; whatever the limit and the threshold are"`
	// Warnings are left out when there are none.
	Warnings []string `json:"warnings,omitempty" doc:"why nothing was found, such as an unknown collection, or why something may be missing, such as an index that is being rebuilt"`
}

func (b *body) check() error {
	var problems []fault.Problem
	add := func(field, kind, msg string) {
		problems = append(problems, fault.Problem{Loc: []any{"body", field}, Msg: msg, Type: kind})
	}
	if b.Type == "keywords_search" {
		if len(b.Keywords) == 0 {
			add("keywords", "missing", "keywords_search needs at least one keyword")
		}
		b.Text = ""
	} else {
		if b.Text == "" {
			add("text", "missing", b.Type+" needs a text that is not empty")
		}
		if b.Type == "semantic_search" {
			b.Keywords = nil
		}
	}
	if w := b.Weights; w != nil && w.Lexical+w.Vector == 0 {
		add("weights", "value_error", "one of lexical and vector should be above 0")
	}
	if len(problems) > 0 {
		return fault.Problems(problems)
	}
	return nil
}

func (d Deps) search(ctx context.Context, b *body) (answer, error) {
	if err := b.check(); err != nil {
		return answer{}, err
	}
	found, err := d.Searcher.Search(ctx, retrieval.Query{
		Text: b.Text, Keywords: b.Keywords, Filter: *b.Filter, Limit: b.Limit, Least: b.Threshold, Expand: b.Expand,
		WordsOnly: b.Type == "keywords_search", Explain: b.Explain, Total: b.Total,
		Weights: b.Weights,
	})
	if err != nil {
		return answer{}, err
	}
	out := answer{Object: "list", Model: "vendor-model", Data: found.Chunks, Total: found.Total, Warnings: found.Warnings}
	if out.Data == nil {
		out.Data = []retrieval.Chunk{}
	}
	return out, nil
}
