package message

import (
	"bytes"
	"encoding/json"

	"lectern/shared/api/schema"
)

// Citation names the source of a piece of text. One object carries both the
// typed location of the Anthropic API and the service's own fields.
type Citation struct {
	Type            string `json:"type,omitempty"`
	CitedText       string `json:"cited_text,omitempty"`
	DocumentIndex   *int   `json:"document_index,omitempty"`
	DocumentTitle   string `json:"document_title,omitempty"`
	StartCharIndex  *int   `json:"start_char_index,omitempty"`
	EndCharIndex    *int   `json:"end_char_index,omitempty"`
	StartPage       int    `json:"start_page_number,omitempty" doc:"of a page_location, from 1"`
	EndPage         int    `json:"end_page_number,omitempty" doc:"of a page_location, the page after the last one"`
	Source          string `json:"source,omitempty"`
	Title           string `json:"title,omitempty"`
	SearchIndex     *int   `json:"search_result_index,omitempty"`
	StartBlockIndex *int   `json:"start_block_index,omitempty"`
	EndBlockIndex   *int   `json:"end_block_index,omitempty"`

	ID         string `json:"id,omitempty"`
	Index      *int   `json:"index,omitempty" min:"0" doc:"counts sources by first use"`
	ArtifactID string `json:"artifact_id,omitempty"`
	Collection string `json:"collection,omitempty" doc:"of the artifact"`
	SourceID   string `json:"source_id,omitempty"`
	// Page and Headings say where a reader finds the passage.
	Page     int      `json:"page,omitempty" doc:"page on which the cited passage begins, from 1"`
	Headings []string `json:"headings,omitempty" doc:"headings above the cited passage, outermost first"`
	Verified *bool    `json:"verified,omitempty" doc:"false: the sentence has a number, date or name that the cited passages do not have"`

	// Raw is a citation made by a provider, passed through unchanged; the other
	// fields are then unused.
	Raw json.RawMessage `json:"-"`
}

// DecodeSchema checks the fields that the service knows and keeps the text in Raw,
// since a provider's citation has others.
func (c *Citation) DecodeSchema(r *schema.Reader) {
	kept := bytes.Clone(r.Probe().Raw())
	type plain Citation
	var p plain
	r.Into(&p)
	*c = Citation{ID: p.ID, Index: p.Index, ArtifactID: p.ArtifactID, SourceID: p.SourceID, Raw: kept}
}

// positions describe what counts as a character. The reference API says no more than
// that positions count characters, from 0, and that the end is exclusive; we count as
// the browsers do that mark the place.
var positions = map[string]string{
	"start_char_index": "of a char_location, from 0: UTF-16 code units of the document's text before the cited text, " +
		"as JavaScript and Java count; a character above U+FFFF, such as an emoji, counts as two",
	"end_char_index": "of a char_location, exclusive: UTF-16 code units of the document's text before the end of the cited text",
}

// DescribeSchema describes the fields of a citation.
// A provider's citation may have more.
func (*Citation) DescribeSchema(g *schema.Generator) schema.Doc {
	doc := g.Struct(Citation{})
	properties := doc["properties"].(schema.Doc)
	for name, what := range positions {
		properties[name].(schema.Doc)["description"] = what
	}
	if g.Answers() {
		for _, name := range []string{"document_title", "file_id", "title"} {
			properties[name] = schema.Doc{"type": []string{"string", "null"}}
		}
	}
	return doc
}

// MarshalJSON writes the citation, or Raw unchanged. The Anthropic locations
// always have document_title, null when unknown.
func (c Citation) MarshalJSON() ([]byte, error) {
	if c.Raw != nil {
		return c.Raw, nil
	}
	type plain Citation
	if c.Type == "char_location" || c.Type == "page_location" {
		return schema.Marshal(struct {
			plain
			DocumentTitle *string `json:"document_title"`
			FileID        *string `json:"file_id"`
		}{plain: plain(c), DocumentTitle: nonEmpty(c.DocumentTitle)})
	}
	return schema.Marshal(plain(c))
}

func nonEmpty(s string) *string {
	if s == "" {
		return nil
	}
	return &s
}

// Citations is the list of a text block: never null in an answer.
type Citations []Citation

// DecodeSchema reads a list. The settings object of other blocks is accepted and has
// no meaning here.
func (c *Citations) DecodeSchema(r *schema.Reader) {
	if r.Kind() == schema.Object {
		r.Into(&CitationConfig{})
		return
	}
	var list []Citation
	r.Each(schema.Array, func(string, int) {
		var one Citation
		r.Into(&one)
		list = append(list, one)
	})
	*c = list
}

// DescribeSchema describes the list.
func (*Citations) DescribeSchema(g *schema.Generator) schema.Doc {
	list := schema.Doc{"type": "array", "items": g.For(Citation{})}
	if g.Answers() {
		return list
	}
	return schema.Doc{"anyOf": []schema.Doc{list, g.For(CitationConfig{})}}
}

// MarshalJSON writes [] for an empty list.
func (c Citations) MarshalJSON() ([]byte, error) {
	if len(c) == 0 {
		return []byte("[]"), nil
	}
	return schema.Marshal([]Citation(c))
}

// CitationConfig requests citations. An object, null or a list is accepted; a
// list requests nothing.
type CitationConfig struct {
	Enabled bool       `json:"enabled"`
	Known   []Citation `json:"known_citations,omitempty"`
}

// DecodeSchema reads the object form and skips the list form.
func (c *CitationConfig) DecodeSchema(r *schema.Reader) {
	if r.Kind() == schema.Array {
		r.Skip()
		return
	}
	type plain CitationConfig
	var p plain
	r.Into(&p)
	*c = CitationConfig(p)
}

// DescribeSchema describes both forms.
func (*CitationConfig) DescribeSchema(g *schema.Generator) schema.Doc {
	type plain CitationConfig
	list := schema.Doc{"type": "array", "description": "asks for nothing"}
	return schema.Doc{"anyOf": []schema.Doc{g.Struct(plain{}), list}}
}
