package message

import (
	"strings"

	"lectern/shared/api/schema"
)

// union describes an object that is one of several, told apart by its member "type".
func union(kinds []string, variants []schema.Doc) schema.Doc {
	mapping := map[string]any{}
	for i, v := range variants {
		mapping[kinds[i]] = v["$ref"]
	}
	return schema.Doc{"oneOf": variants, "discriminator": map[string]any{"propertyName": "type", "mapping": mapping}}
}

// variant describes a struct that a union names, with its constant type.
func variant(g *schema.Generator, name, kind string, v any) schema.Doc {
	return g.Define(name, func() schema.Doc {
		doc := g.Struct(v)
		properties := doc["properties"].(schema.Doc)
		properties["type"] = schema.Doc{"type": "string", "const": kind}
		required, _ := doc["required"].([]string)
		doc["required"] = append([]string{"type"}, required...)
		return doc
	})
}

// describeBlocks describes a content block.
func describeBlocks(g *schema.Generator) schema.Doc {
	return g.Define("ContentBlock", func() schema.Doc {
		var kinds []string
		var variants []schema.Doc
		for _, b := range prototypes() {
			kinds = append(kinds, b.Kind())
			variants = append(variants, variant(g, camel(b.Kind())+"Block", b.Kind(), deref(b)))
		}
		return union(kinds, variants)
	})
}

// camel writes snake_case as CamelCase.
func camel(s string) string {
	var out strings.Builder
	for word := range strings.SplitSeq(s, "_") {
		out.WriteString(strings.ToUpper(word[:1]) + word[1:])
	}
	return out.String()
}

type (
	base64Source struct {
		MediaType string `json:"media_type" required:"true"`
		Data      string `json:"data" required:"true" minlen:"1" doc:"base64"`
	}
	urlSource struct {
		URL       string `json:"url" required:"true" minlen:"1"`
		MediaType string `json:"media_type,omitempty"`
	}
	textSource struct {
		MediaType string `json:"media_type,omitempty" enum:"text/plain"`
		Data      string `json:"data" required:"true" minlen:"1"`
	}
	contentSource struct {
		Content Content `json:"content" required:"true"`
	}
	fileSource struct {
		FileID string `json:"file_id" required:"true" minlen:"1" doc:"a file of the container"`
	}
)

// DescribeSchema describes the kinds of sources. Not every block has all of them.
func (*Source) DescribeSchema(g *schema.Generator) schema.Doc {
	return union([]string{"base64", "url", "text", "content", "file"}, []schema.Doc{
		variant(g, "Base64Source", "base64", base64Source{}), variant(g, "UrlSource", "url", urlSource{}),
		variant(g, "TextSource", "text", textSource{}), variant(g, "ContentSource", "content", contentSource{}),
		variant(g, "FileSource", "file", fileSource{}),
	})
}

type (
	fileContext struct {
		Value    string `json:"value" required:"true" minlen:"1" doc:"base64 content"`
		FileName string `json:"file_name,omitempty"`
	}
	textContext struct {
		Value    string `json:"value" required:"true" minlen:"1" doc:"plain text"`
		FileName string `json:"file_name,omitempty"`
	}
	uriContext struct {
		Value    string `json:"value" required:"true" minlen:"1" doc:"URI to download from"`
		FileName string `json:"file_name,omitempty"`
	}
	artifactContext struct {
		ContextFilter *ContextFilter `json:"context_filter" required:"true"`
	}
	skillContext struct {
		SkillFilter *SkillFilter `json:"skill_filter" required:"true"`
	}
	databaseContext struct {
		ConnectionString string   `json:"connection_string" required:"true" minlen:"1"`
		Description      string   `json:"description,omitempty"`
		EnableFunctions  *bool    `json:"enable_functions,omitempty" default:"true"`
		EnableProcedures *bool    `json:"enable_procedures,omitempty" default:"true"`
		EnableTables     *bool    `json:"enable_tables,omitempty" default:"true"`
		EnableViews      *bool    `json:"enable_views,omitempty" default:"true"`
		Schemas          []string `json:"schemas,omitempty" doc:"default: all but system schemas"`
		SSL              bool     `json:"ssl,omitempty"`
	}
)

// DescribeSchema describes the kinds of context items.
func (*ContextItem) DescribeSchema(g *schema.Generator) schema.Doc {
	return union([]string{"file", "ingested_artifact", "skill", "sql_database", "text", "uri"}, []schema.Doc{
		variant(g, "FileContext", "file", fileContext{}), variant(g, "IngestedArtifactContext", "ingested_artifact", artifactContext{}),
		variant(g, "SkillContext", "skill", skillContext{}), variant(g, "SqlDatabaseContext", "sql_database", databaseContext{}),
		variant(g, "TextContext", "text", textContext{}), variant(g, "UriContext", "uri", uriContext{}),
	})
}

// The events as JSON, for their description.
type (
	startEvent struct {
		Message Message `json:"message"`
	}
	blockStartEvent struct {
		Index   int        `json:"index"`
		BlockID string     `json:"block_id"`
		Block   anyContent `json:"content_block"`
	}
	blockDeltaEvent struct {
		Index   int      `json:"index"`
		BlockID string   `json:"block_id"`
		Delta   anyDelta `json:"delta"`
	}
	blockStopEvent struct {
		Index   int    `json:"index"`
		BlockID string `json:"block_id"`
		Stopped string `json:"stop_timestamp" format:"date-time"`
	}
	messageDeltaEvent struct {
		Delta struct {
			StopReason   string         `json:"stop_reason" enum:"end_turn,max_tokens,stop_sequence,tool_use,pause_turn,refusal,cancelled"`
			StopSequence *string        `json:"stop_sequence"`
			StopDetails  *StopDetails   `json:"stop_details"`
			Container    *ContainerInfo `json:"container"`
		} `json:"delta"`
		Usage Usage `json:"usage"`
	}
	errorEvent struct {
		Error struct {
			Type    string         `json:"type"`
			Message string         `json:"message"`
			Details map[string]any `json:"details,omitempty"`
		} `json:"error"`
		RequestID string `json:"request_id"`
	}
	textDelta struct {
		Text string `json:"text"`
	}
	thinkingDelta struct {
		Thinking string `json:"thinking"`
	}
	signatureDelta struct {
		Signature string `json:"signature"`
	}
	inputDelta struct {
		JSON string `json:"partial_json" doc:"the pieces of a block join to one JSON object"`
	}
	citationsDelta struct {
		Citation Citation `json:"citation"`
	}
	anyContent struct{}
	anyDelta   struct{}
)

// DescribeSchema describes a block as it starts.
func (*anyContent) DescribeSchema(g *schema.Generator) schema.Doc { return describeBlocks(g) }

// DescribeSchema describes the deltas.
func (*anyDelta) DescribeSchema(g *schema.Generator) schema.Doc {
	return union([]string{"text_delta", "thinking_delta", "signature_delta", "input_json_delta", "citations_delta"}, []schema.Doc{
		variant(g, "TextDelta", "text_delta", textDelta{}), variant(g, "ThinkingDelta", "thinking_delta", thinkingDelta{}),
		variant(g, "SignatureDelta", "signature_delta", signatureDelta{}), variant(g, "InputJsonDelta", "input_json_delta", inputDelta{}),
		variant(g, "CitationsDelta", "citations_delta", citationsDelta{}),
	})
}

// DescribeSchema describes the data of the events of an answer.
func (*Event) DescribeSchema(g *schema.Generator) schema.Doc {
	var kinds []string
	var variants []schema.Doc
	for _, e := range []struct {
		kind EventType
		v    any
	}{
		{MessageStart, startEvent{}}, {BlockStart, blockStartEvent{}}, {BlockDelta, blockDeltaEvent{}}, {BlockStop, blockStopEvent{}},
		{MessageDelta, messageDeltaEvent{}}, {MessageStop, struct{}{}}, {Ping, struct{}{}}, {Error, errorEvent{}},
	} {
		kinds = append(kinds, string(e.kind))
		variants = append(variants, variant(g, camel(string(e.kind))+"Event", string(e.kind), e.v))
	}
	return union(kinds, variants)
}
