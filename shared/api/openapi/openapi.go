// Package openapi describes the routes of the service as OpenAPI 3.1, generated
// from the types that the handlers decode and encode.
package openapi

import (
	"regexp"
	"strings"

	"lectern/shared/api/rest"
	"lectern/shared/api/schema"
)

// Version is the version of the API.
const Version = "1.0.0"

var pathParameter = regexp.MustCompile(`\{([a-z_]+)(\.\.\.)?\}`)

// Document returns the OpenAPI document of the routes.
func Document(routes []rest.Route) map[string]any {
	g := schema.NewGenerator()
	paths := map[string]any{}
	errorBody := g.For(rest.ErrorBody{})
	for _, r := range routes {
		method, path := r.Methods()
		path = pathParameter.ReplaceAllString(path, "{$1}")
		item, _ := paths[path].(map[string]any)
		if item == nil {
			item = map[string]any{}
			paths[path] = item
		}
		item[strings.ToLower(method)] = operation(g, r, method, path, errorBody)
	}
	return map[string]any{
		"openapi": "3.1.0",
		"info": map[string]any{
			"title": "Lectern", "version": Version,
			"description": "Conversational AI over private knowledge: chat with tools, citations and streaming, ingestion and retrieval of documents. Official Anthropic SDKs work against it unchanged.",
		},
		"paths": paths,
		"components": map[string]any{
			"schemas": g.Defs,
			"securitySchemes": map[string]any{
				"bearer": map[string]any{"type": "http", "scheme": "bearer"},
				"apiKey": map[string]any{"type": "apiKey", "in": "header", "name": "x-api-key"},
			},
		},
		"security": []map[string]any{{}, {"bearer": []string{}}, {"apiKey": []string{}}},
	}
}

func operation(g *schema.Generator, r rest.Route, method, path string, errorBody schema.Doc) map[string]any {
	op := map[string]any{"summary": r.Doc, "operationId": operationID(method, path), "tags": []string{tag(path)}}
	var parameters []map[string]any
	for _, m := range pathParameter.FindAllStringSubmatch(path, -1) {
		parameters = append(parameters, map[string]any{"name": m[1], "in": "path", "required": true, "schema": schema.Doc{"type": "string"}})
	}
	query, body, answer := r.Types()
	if query != nil {
		parameters = append(parameters, queryParameters(g, query)...)
	}
	if r.Creates {
		parameters = append(parameters, map[string]any{"name": "Idempotency-Key", "in": "header",
			"schema":      schema.Doc{"type": "string", "maxLength": 255},
			"description": "makes the request safe to repeat: for 24 hours the same key gets the first answer"})
	}
	if parameters != nil {
		op["parameters"] = parameters
	}
	switch {
	case r.Upload != nil:
		op["requestBody"] = map[string]any{"required": true,
			"content": map[string]any{"multipart/form-data": map[string]any{"schema": upload(r.Upload)}}}
	case body != nil:
		op["requestBody"] = map[string]any{"required": true, "content": media("application/json", g.For(body))}
	}
	op["responses"] = map[string]any{
		"200":     map[string]any{"description": "Success", "content": answerContent(g, r, answer)},
		"default": map[string]any{"description": "Error", "content": media("application/json", errorBody)},
	}
	return op
}

func media(kind string, s schema.Doc) map[string]any {
	return map[string]any{kind: map[string]any{"schema": s}}
}

func answerContent(g *schema.Generator, r rest.Route, answer any) map[string]any {
	kind := r.Media
	if kind == "" {
		kind = "application/json"
	}
	shape := schema.Doc{}
	if answer != nil {
		shape = g.For(answer)
	}
	content := media(kind, shape)
	if r.Stream {
		content["text/event-stream"] = map[string]any{"schema": schema.Doc{"type": "string",
			"description": "server-sent events, when stream is true"}}
	}
	return content
}

func upload(parts []string) schema.Doc {
	properties := schema.Doc{}
	for _, p := range parts {
		properties[p] = schema.Doc{"type": "string"}
	}
	return schema.Doc{"type": "object", "properties": properties}
}

func queryParameters(g *schema.Generator, query any) []map[string]any {
	doc := g.Struct(query)
	properties := doc["properties"].(schema.Doc)
	required, _ := doc["required"].([]string)
	var list []map[string]any
	for _, name := range schema.Names(query) {
		must := false
		for _, r := range required {
			must = must || r == name
		}
		list = append(list, map[string]any{"name": name, "in": "query", "required": must, "schema": properties[name]})
	}
	return list
}

func operationID(method, path string) string {
	words := strings.FieldsFunc(path, func(r rune) bool { return strings.ContainsRune("/{}_-.", r) })
	id := strings.ToLower(method)
	for _, w := range words {
		if w == "v1" {
			continue
		}
		id += strings.ToUpper(w[:1]) + w[1:]
	}
	return id
}

func tag(path string) string {
	parts := strings.Split(strings.TrimPrefix(path, "/"), "/")
	if parts[0] == "v1" && len(parts) > 1 {
		return parts[1]
	}
	return "system"
}
