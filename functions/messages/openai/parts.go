package openai

import (
	"encoding/json"
	"slices"
	"strings"

	"lectern/shared/api/schema"
	"lectern/shared/fault"
	"lectern/shared/message"
)

// parts is the content of a message: a string, a list of parts, or null.
type parts []part

// part is one part of a message, of either wire.
type part struct {
	Type     string   `json:"type" required:"true"`
	Text     string   `json:"text,omitempty"`
	Refusal  string   `json:"refusal,omitempty"`
	Image    imageURL `json:"image_url,omitzero"`
	Audio    *audio   `json:"input_audio,omitempty"`
	File     *file    `json:"file,omitempty" doc:"of chat completions"`
	FileData string   `json:"file_data,omitempty" doc:"of responses: a data URL"`
	FileName string   `json:"filename,omitempty"`
	FileURL  string   `json:"file_url,omitempty"`
	FileID   string   `json:"file_id,omitempty"`
}

type audio struct {
	Data   string `json:"data" required:"true"`
	Format string `json:"format" required:"true" enum:"wav,mp3"`
}

type file struct {
	FileData string `json:"file_data,omitempty" doc:"a data URL"`
	FileName string `json:"filename,omitempty"`
	FileID   string `json:"file_id,omitempty"`
}

// imageURL is an address or a data URL: a string, or an object with url.
type imageURL struct {
	URL    string `json:"url" required:"true"`
	Detail string `json:"detail,omitempty"`
}

// DecodeSchema reads both forms.
func (u *imageURL) DecodeSchema(r *schema.Reader) {
	if r.Kind() == schema.String {
		u.URL = r.Text()
		return
	}
	type plain imageURL
	var p plain
	r.Into(&p)
	*u = imageURL(p)
}

// DescribeSchema describes both forms.
func (*imageURL) DescribeSchema(g *schema.Generator) schema.Doc {
	type plain imageURL
	return schema.Doc{"anyOf": []schema.Doc{{"type": "string"}, g.Struct(plain{})}}
}

// DecodeSchema reads a string, a list of parts, or null.
func (p *parts) DecodeSchema(r *schema.Reader) {
	switch r.Kind() {
	case schema.Null:
		r.Skip()
	case schema.String:
		*p = parts{{Type: "text", Text: r.Text()}}
	case schema.Array:
		list := parts{}
		r.Each(schema.Array, func(string, int) {
			var one part
			r.Into(&one)
			list = append(list, one)
		})
		*p = list
	default:
		r.Problem("string_type", "Input should be a string or a list of parts")
		r.Skip()
	}
}

// DescribeSchema describes the forms of a content.
func (*parts) DescribeSchema(g *schema.Generator) schema.Doc {
	return schema.Doc{"anyOf": []schema.Doc{{"type": "string"}, {"type": "array", "items": g.For(part{})}, {"type": "null"}}}
}

// problems collects what is wrong with a request.
type problems []fault.Problem

// add notes a problem. It is called from so many places that its code in each would make a
// function of the cloud 20 KB larger.
//
//go:noinline
func (p *problems) add(kind, msg string, loc ...any) {
	*p = append(*p, fault.Problem{Loc: append([]any{"body"}, loc...), Msg: msg, Type: kind})
}

func (p problems) err() error {
	if len(p) == 0 {
		return nil
	}
	return fault.Problems(p)
}

// plain returns the texts of a content; other parts are problems at loc.
func (p parts) plain(wrong *problems, loc ...any) string {
	var texts []string
	for i, one := range p {
		switch one.Type {
		case "text", "input_text", "output_text", "summary_text":
			texts = append(texts, one.Text)
		case "refusal":
			texts = append(texts, one.Refusal)
		default:
			wrong.add("value_error", "a part of type '"+one.Type+"' does not belong here", append(slices.Clone(loc), "content", i, "type")...)
		}
	}
	return strings.Join(texts, "\n")
}

// blocks converts a user's content. Documents are to be cited.
func (p parts) blocks(wrong *problems, cite bool, loc ...any) message.Content {
	var out message.Content
	for i, one := range p {
		if b := one.block(wrong, cite, append(slices.Clone(loc), "content", i)); b != nil {
			out = append(out, b)
		}
	}
	return out
}

func (p *part) block(wrong *problems, cite bool, loc []any) message.Block {
	at := func(more ...any) []any { return append(slices.Clone(loc), more...) }
	switch p.Type {
	case "text", "input_text", "output_text":
		return message.NewText(p.Text)
	case "refusal":
		return message.NewText(p.Refusal)
	case "image_url", "input_image":
		if p.Image.URL == "" {
			wrong.add("missing", "Field required", at("image_url")...)
			return nil
		}
		return &message.Image{Source: sourceOf(wrong, p.Image.URL, at("image_url"))}
	case "input_audio":
		if p.Audio == nil {
			wrong.add("missing", "Field required", at("input_audio")...)
			return nil
		}
		kind := map[string]string{"wav": "audio/wav", "mp3": "audio/mpeg"}[p.Audio.Format]
		return &message.Audio{Source: &message.Source{Type: "base64", MediaType: kind, Data: p.Audio.Data}}
	case "file", "input_file":
		return p.document(wrong, cite, at)
	}
	wrong.add("value_error", "a part of type '"+p.Type+"' is not supported", at("type")...)
	return nil
}

// document converts a file to a document of the request.
func (p *part) document(wrong *problems, cite bool, at func(...any) []any) message.Block {
	f := file{p.FileData, p.FileName, p.FileID}
	if p.Type == "file" {
		if p.File == nil {
			wrong.add("missing", "Field required", at("file")...)
			return nil
		}
		f = *p.File
		inFile := at("file")
		at = func(more ...any) []any { return append(slices.Clone(inFile), more...) }
	}
	doc := &message.Document{Title: f.FileName, Citations: message.CitationConfig{Enabled: cite}}
	switch {
	case f.FileData != "":
		doc.Source = sourceOf(wrong, f.FileData, at("file_data"))
		if doc.Source.Type == "url" {
			wrong.add("value_error", "file_data should be a data URL, data:<type>;base64,<data>", at("file_data")...)
		}
	case p.FileURL != "":
		doc.Source = &message.Source{Type: "url", URL: p.FileURL}
	case f.FileID != "":
		wrong.add("value_error", "files are not kept on this wire: send file_data", at("file_id")...)
		return nil
	default:
		wrong.add("missing", "Field required", at("file_data")...)
		return nil
	}
	return doc
}

// sourceOf is the source of a data URL or another address.
func sourceOf(wrong *problems, address string, loc []any) *message.Source {
	rest, ok := strings.CutPrefix(address, "data:")
	if !ok {
		return &message.Source{Type: "url", URL: address}
	}
	head, data, comma := strings.Cut(rest, ",")
	kind, encoded := strings.CutSuffix(head, ";base64")
	if !comma || !encoded || kind == "" {
		wrong.add("value_error", "a data URL should have the form data:<type>;base64,<data>", loc...)
	}
	kind, _, _ = strings.Cut(kind, ";")
	return &message.Source{Type: "base64", MediaType: kind, Data: data}
}

// input is the arguments of a call, as an object: text that is none stands under
// "arguments".
func input(arguments string) message.Object {
	var o map[string]json.RawMessage
	if strings.TrimSpace(arguments) == "" {
		return message.Object("{}")
	}
	if json.Unmarshal([]byte(arguments), &o) == nil && o != nil {
		return message.Object(arguments)
	}
	raw, _ := json.Marshal(map[string]string{"arguments": arguments})
	return raw
}
