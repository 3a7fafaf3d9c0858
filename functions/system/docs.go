package system

import (
	"bytes"
	"encoding/json"
	"fmt"
	"html"
	"slices"
	"sort"
	"strings"
)

// docsPage renders the OpenAPI document for a browser, without external assets
// or scripts.
func docsPage(doc []byte) []byte {
	var api struct {
		Info struct {
			Title, Version, Description string
		}
		Paths map[string]map[string]struct {
			Summary     string
			Parameters  []parameter
			RequestBody struct {
				Content map[string]struct{ Schema shape }
			}
			Responses map[string]struct {
				Content map[string]struct{ Schema shape }
			}
		}
		Components struct{ Schemas map[string]shape }
	}
	if json.Unmarshal(doc, &api) != nil {
		return nil
	}
	var out bytes.Buffer
	out.WriteString(docsHead)
	fmt.Fprintf(&out, "<h1>%s %s</h1><p>%s Machine-readable: <a href=\"openapi.json\">openapi.json</a>.</p>", esc(api.Info.Title),
		esc(api.Info.Version), esc(api.Info.Description))
	for _, path := range sorted(api.Paths) {
		for _, method := range sorted(api.Paths[path]) {
			op := api.Paths[path][method]
			fmt.Fprintf(&out, "<details><summary><b>%s</b> <code>%s</code> %s</summary>", strings.ToUpper(method), esc(path), esc(op.Summary))
			if len(op.Parameters) > 0 {
				out.WriteString("<table>")
				for _, p := range op.Parameters {
					row(&out, p.Name, p.Schema, p.Required)
				}
				out.WriteString("</table>")
			}
			for _, kind := range sorted(op.RequestBody.Content) {
				s := op.RequestBody.Content[kind].Schema
				fmt.Fprintf(&out, "<p>Request, %s: %s</p>", esc(kind), s.link())
			}
			for _, kind := range sorted(op.Responses["200"].Content) {
				s := op.Responses["200"].Content[kind].Schema
				fmt.Fprintf(&out, "<p>Answer, %s: %s</p>", esc(kind), s.link())
			}
			out.WriteString("</details>")
		}
	}
	out.WriteString("<h2>Types</h2>")
	for _, name := range sorted(api.Components.Schemas) {
		s := api.Components.Schemas[name]
		fmt.Fprintf(&out, "<h3 id=\"%s\">%s</h3>", esc(name), esc(name))
		if len(s.Properties) == 0 {
			fmt.Fprintf(&out, "<p>%s</p>", s.link())
			continue
		}
		out.WriteString("<table>")
		for _, field := range sorted(s.Properties) {
			row(&out, field, s.Properties[field], slices.Contains(s.Required, field))
		}
		out.WriteString("</table>")
	}
	out.WriteString("</main>")
	return out.Bytes()
}

const docsHead = `<!doctype html><html lang="en"><meta charset="utf-8"><meta name="viewport" content="width=device-width"><title>Lectern API</title>
<style>body{font:16px/1.5 system-ui,sans-serif;margin:0;color:#1a1a1a;background:#fff}main{max-width:60rem;margin:auto;padding:1rem}
summary{cursor:pointer;padding:.3rem 0}details{border-bottom:1px solid #ddd}table{border-collapse:collapse;width:100%;margin:.3rem 0}
td{border-top:1px solid #eee;padding:.2rem .6rem .2rem 0;vertical-align:top}code{background:#f4f4f4;padding:0 .2rem}
@media(prefers-color-scheme:dark){body{color:#ddd;background:#161616}code{background:#262626}a{color:#8ab4f8}td{border-color:#333}}</style><main>`

type parameter struct {
	Name     string
	Required bool
	Schema   shape
}

// shape is the part of a JSON schema that the page shows.
type shape struct {
	Ref         string `json:"$ref"`
	Type        any
	Title       string
	Description string
	Enum        []any
	Default     any
	Const       any
	Items       *shape
	AnyOf       []shape
	OneOf       []shape
	Properties  map[string]shape
	Required    []string
	Minimum     *float64
	Maximum     *float64
}

// link returns the name of the type, linked to its description.
func (s *shape) link() string {
	switch {
	case s.Ref != "":
		name := s.Ref[strings.LastIndexByte(s.Ref, '/')+1:]
		return fmt.Sprintf("<a href=\"#%s\">%s</a>", esc(name), esc(name))
	case len(s.AnyOf) > 0 || len(s.OneOf) > 0:
		var parts []string
		for _, one := range append(s.AnyOf, s.OneOf...) {
			parts = append(parts, one.link())
		}
		return strings.Join(parts, " or ")
	case s.Items != nil:
		return "list of " + s.Items.link()
	case s.Title != "":
		return "<code>" + esc(s.Title) + "</code>"
	case s.Const != nil:
		return esc(fmt.Sprintf("%q", s.Const))
	}
	switch t := s.Type.(type) {
	case string:
		return esc(t)
	case []any:
		return esc(strings.ReplaceAll(strings.Trim(fmt.Sprint(t...), "[]"), " ", " or "))
	}
	return "any"
}

func row(out *bytes.Buffer, name string, s shape, required bool) {
	note := esc(s.Description)
	if required {
		note = "<b>required</b> " + note
	}
	if len(s.Enum) > 0 {
		note += " one of " + esc(strings.Trim(fmt.Sprint(s.Enum), "[]"))
	}
	if s.Default != nil {
		note += " default <code>" + esc(fmt.Sprint(s.Default)) + "</code>"
	}
	if s.Minimum != nil {
		note += fmt.Sprintf(" min %g", *s.Minimum)
	}
	if s.Maximum != nil {
		note += fmt.Sprintf(" max %g", *s.Maximum)
	}
	fmt.Fprintf(out, "<tr><td><code>%s</code></td><td>%s</td><td>%s</td></tr>", esc(name), s.link(), note)
}

func esc(s string) string { return html.EscapeString(s) }

func sorted[V any](m map[string]V) []string {
	keys := make([]string, 0, len(m))
	for k := range m {
		keys = append(keys, k)
	}
	sort.Strings(keys)
	return keys
}
