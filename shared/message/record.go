package message

import (
	"bytes"
	"encoding/json"

	"lectern/shared/api/schema"
)

// SourceRecord is the JSON of one record of a Sources block: a chunk or a website.
type SourceRecord json.RawMessage

// The values of "object" in a record.
const (
	chunkObject   = "context.chunk"
	websiteObject = "context.website"
)

// chunkRecord and websiteRecord have the fields of records that are checked.
type (
	chunkRecord struct {
		Object   string `json:"object" required:"true" enum:"context.chunk"`
		ID       string `json:"id,omitempty"`
		Document struct {
			Artifact string         `json:"artifact" required:"true" doc:"id of the ingested artifact"`
			Object   string         `json:"object,omitempty" default:"ingest.document" enum:"ingest.document"`
			Metadata map[string]any `json:"doc_metadata,omitempty" nullable:"true"`
		} `json:"document" required:"true"`
		Text        string         `json:"text" required:"true"`
		ContentType string         `json:"content_type,omitempty" nullable:"true" default:"text/plain"`
		Previous    []string       `json:"previous_texts,omitempty" nullable:"true"`
		Next        []string       `json:"next_texts,omitempty" nullable:"true"`
		Metadata    map[string]any `json:"metadata,omitempty" nullable:"true"`
		Score       float64        `json:"score" required:"true" min:"0" max:"1" doc:"higher is better"`
	}
	websiteRecord struct {
		ID          string         `json:"id" required:"true"`
		Object      string         `json:"object" required:"true" enum:"context.website"`
		URL         string         `json:"url" required:"true"`
		Favicon     string         `json:"favicon_url,omitempty" nullable:"true"`
		Title       string         `json:"title,omitempty" nullable:"true"`
		Description string         `json:"description,omitempty" nullable:"true"`
		Metadata    map[string]any `json:"metadata,omitempty" nullable:"true"`
		ContentType string         `json:"content_type,omitempty" nullable:"true"`
		Content     string         `json:"content,omitempty" nullable:"true" doc:"extracted text"`
	}
)

// DecodeSchema checks a record and keeps its text.
func (s *SourceRecord) DecodeSchema(r *schema.Reader) {
	kept := bytes.Clone(r.Probe().Raw())
	if r.Kind() != schema.Object {
		r.Problem("dict_type", "Input should be an object")
		r.Skip()
		return
	}
	switch kind, _ := r.Peek("object"); kind {
	case chunkObject:
		r.Into(&chunkRecord{})
	case websiteObject:
		r.Into(&websiteRecord{})
	default:
		r.ProblemAt("literal_error", "Input should be '"+chunkObject+"' or '"+websiteObject+"'", "object")
		r.Skip()
	}
	*s = kept
}

// DescribeSchema describes the records.
func (*SourceRecord) DescribeSchema(g *schema.Generator) schema.Doc {
	return schema.Doc{"oneOf": []schema.Doc{
		g.Define("ChunkRecord", func() schema.Doc { return g.Struct(chunkRecord{}) }),
		g.Define("WebsiteRecord", func() schema.Doc { return g.Struct(websiteRecord{}) }),
	}}
}

// MarshalJSON writes the record unchanged.
func (s SourceRecord) MarshalJSON() ([]byte, error) { return s, nil }

// Caller is the JSON that says who called a tool.
type Caller json.RawMessage

type (
	direct struct {
		Type string `json:"type" required:"true" enum:"direct"`
	}
	code struct {
		Type string `json:"type" required:"true" enum:"code_execution_20250825,code_execution_20260120"`
		Tool string `json:"tool_id" required:"true" doc:"the call of the code execution tool"`
	}
)

// DecodeSchema checks the caller and keeps its text.
func (c *Caller) DecodeSchema(r *schema.Reader) {
	kept := bytes.Clone(r.Probe().Raw())
	kind, named := r.Peek("type")
	switch {
	case kind == "direct":
		r.Into(&direct{})
	case kind == "code_execution_20250825" || kind == "code_execution_20260120":
		r.Into(&code{})
	case r.Kind() != schema.Object:
		r.Problem("dict_type", "Input should be an object")
		r.Skip()
	case named:
		r.ProblemAt("literal_error", "Input should be 'direct', 'code_execution_20250825' or 'code_execution_20260120'", "type")
		r.Skip()
	default:
		r.ProblemAt("missing", "Field required", "type")
		r.Skip()
	}
	*c = kept
}

// DescribeSchema describes the callers.
func (*Caller) DescribeSchema(g *schema.Generator) schema.Doc {
	return schema.Doc{"oneOf": []schema.Doc{
		g.Define("DirectCaller", func() schema.Doc { return g.Struct(direct{}) }),
		g.Define("CodeExecutionCaller", func() schema.Doc { return g.Struct(code{}) }),
	}}
}

// MarshalJSON writes the caller unchanged.
func (c Caller) MarshalJSON() ([]byte, error) { return c, nil }
