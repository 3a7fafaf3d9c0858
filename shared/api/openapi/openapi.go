// Package openapi describes the routes of the service as OpenAPI 3.1, generated
// from the types that the handlers decode and encode.
package openapi

import (
	"fmt"
	"maps"
	"net/http"
	"regexp"
	"slices"
	"strconv"
	"strings"

	"lectern/shared/api/rest"
	"lectern/shared/api/schema"
)

// Version is the version of the API.
const Version = "1.0.0"

var pathParameter = regexp.MustCompile(`\{([a-z_]+)(\.\.\.)?\}`)

type object = map[string]any

// Document returns the OpenAPI document of the routes.
func Document(routes []rest.Route) map[string]any {
	// Which names need two schemas is known once everything has been described.
	trial := schema.NewGenerator(publicName, nil)
	paths(trial, routes)
	g := schema.NewGenerator(publicName, trial.Shared())
	described := paths(g, routes)
	return object{
		"openapi": "3.1.0",
		"info": object{
			"title": "Lectern", "version": Version,
			"description": "Conversational AI over private knowledge: chat with tools, citations and streaming, ingestion and retrieval of documents. Official Anthropic SDKs work against it unchanged.",
		},
		"paths": described,
		"components": object{
			"schemas": g.Defs, "responses": failures(g), "parameters": headers(),
			"headers": object{
				"RequestId":   object{"description": "id of the request, for the log", "schema": object{"type": "string"}},
				"RetryAfter":  object{"description": "seconds to wait before another try", "schema": object{"type": "integer"}},
				"ShouldRetry": object{"description": "false: another try cannot help", "schema": object{"type": "string", "enum": []string{"false"}}},
				"Challenge":   object{"description": "how to authenticate", "schema": object{"type": "string"}},
			},
			"securitySchemes": object{
				"bearer": object{"type": "http", "scheme": "bearer"},
				"basic":  object{"type": "http", "scheme": "basic"},
				"apiKey": object{"type": "apiKey", "in": "header", "name": "x-api-key"},
			},
		},
		"security": []object{{}, {"bearer": []string{}}, {"basic": []string{}}, {"apiKey": []string{}}},
	}
}

func paths(g *schema.Generator, routes []rest.Route) object {
	out := object{}
	for _, r := range routes {
		method, path := r.Methods()
		path = pathParameter.ReplaceAllString(path, "{$1}")
		item, _ := out[path].(object)
		if item == nil {
			item = object{}
			out[path] = item
		}
		item[strings.ToLower(method)] = operation(g, &r, method, path)
	}
	return out
}

func operation(g *schema.Generator, r *rest.Route, method, path string) object {
	op := object{"summary": r.Doc, "operationId": operationID(method, path), "tags": []string{tag(path)}}
	var parameters []object
	for _, m := range pathParameter.FindAllStringSubmatch(path, -1) {
		parameters = append(parameters, object{"name": m[1], "in": "path", "required": true,
			"schema": schema.Doc{"type": "string", "minLength": 1}})
	}
	query, body, answer := r.Types()
	if query != nil {
		parameters = append(parameters, queryParameters(g, query)...)
	}
	for _, name := range headersOf(r, path) {
		parameters = append(parameters, object{"$ref": "#/components/parameters/" + name})
	}
	if parameters != nil {
		op["parameters"] = parameters
	}
	content := object{}
	if body != nil {
		content["application/json"] = object{"schema": g.Describe(schema.Request, body)}
	}
	if r.Upload != nil {
		content["multipart/form-data"] = object{"schema": describe(g, r.Upload)}
	}
	if len(content) > 0 {
		op["requestBody"] = object{"required": true, "content": content}
	}
	op["responses"] = responses(g, r, method, path, answer)
	return op
}

// describe describes the fields of a form or a query.
func describe(g *schema.Generator, v any) schema.Doc { return g.Describe(schema.Parameters, v) }

func responses(g *schema.Generator, r *rest.Route, method, path string, answer any) object {
	success := object{"description": "Success", "headers": object{"request-id": object{"$ref": "#/components/headers/RequestId"}}}
	if content := answerContent(g, r, answer); content != nil {
		success["content"] = content
	}
	out := object{"200": success}
	for _, status := range r.Status {
		out[strconv.Itoa(status)] = success
		if status != http.StatusPartialContent {
			out[strconv.Itoa(status)] = object{"description": http.StatusText(status), "headers": success["headers"]}
		}
	}
	for _, status := range failuresOf(r, method, path) {
		name := failureName(status)
		if rest.SpeaksOpenAI(path) {
			status = rest.OpenAIStatus(status)
			name = openAIPrefix + failureName(status)
		}
		out[strconv.Itoa(status)] = object{"$ref": "#/components/responses/" + name}
	}
	return out
}

func answerContent(g *schema.Generator, r *rest.Route, answer any) object {
	content := object{}
	switch {
	case r.Events != nil:
		content["text/event-stream"] = object{"schema": event(g.Describe(schema.Answer, r.Events))}
	case r.Media == rest.NoContent:
		return nil
	case r.Media == "text/html":
		content[r.Media] = object{"schema": schema.Doc{"type": "string"}}
	case r.Media != "":
		content[r.Media] = object{"schema": schema.Doc{}}
	}
	if answer != nil {
		content["application/json"] = object{"schema": g.Describe(schema.Answer, answer)}
	} else if len(content) == 0 {
		content["application/json"] = object{"schema": schema.Doc{"type": "object"}}
	}
	return content
}

// event describes each server-sent event of a stream, by what its data is.
func event(data schema.Doc) schema.Doc {
	text := schema.Doc{"type": "string"}
	return schema.Doc{"type": "object", "description": "server-sent events; this is each of them", "required": []string{"data"},
		"properties": schema.Doc{"event": text, "id": text,
			"data": schema.Doc{"type": "string", "contentMediaType": "application/json", "contentSchema": data}}}
}

func queryParameters(g *schema.Generator, query any) []object {
	doc := describe(g, query)
	properties := doc["properties"].(schema.Doc)
	required, _ := doc["required"].([]string)
	var list []object
	for _, name := range schema.Names(query) {
		list = append(list, object{"name": name, "in": "query", "required": slices.Contains(required, name), "schema": properties[name]})
	}
	return list
}

// headers are the request headers, as components.
func headers() object {
	header := func(name, about string, s schema.Doc) object {
		return object{"name": name, "in": "header", "required": false, "schema": s, "description": about}
	}
	text := schema.Doc{"type": "string"}
	list := schema.Doc{"type": "array", "items": text}
	return object{
		"IdempotencyKey": header("Idempotency-Key", "makes the request safe to repeat: for 24 hours the same key gets the first answer",
			schema.Doc{"type": "string", "maxLength": 255}),
		"LastEventId":      header("Last-Event-ID", "resume after this event", schema.Doc{"type": "string", "pattern": "^[0-9]{1,18}$"}),
		"VendorBeta":       header("vendor-beta", "accepted, without effect", list),
		"AnthropicVersion": header("anthropic-version", "the version of the Anthropic API that the client speaks", text),
		"AnthropicBeta":    header("anthropic-beta", "accepted; files-api-… lets scope_id default to the key's own scope", list),
	}
}

// headersOf lists the header components of a route.
func headersOf(r *rest.Route, path string) []string {
	var list []string
	if r.Creates {
		list = append(list, "IdempotencyKey")
	}
	if strings.HasSuffix(path, "/stream") {
		list = append(list, "LastEventId")
	}
	if strings.HasPrefix(path, "/v1/skills") {
		list = append(list, "VendorBeta")
	}
	if strings.HasPrefix(path, "/v1/") {
		list = append(list, "AnthropicVersion", "AnthropicBeta")
	}
	return list
}

// The statuses of failures. A request that does nothing but read a static page has
// those of every request only.
var (
	always   = []int{400, 401, 403, 429, 500, 503}
	withBody = []int{404, 408, 413, 422, 501, 502, 529}
)

func failuresOf(r *rest.Route, method, path string) []int {
	list := slices.Clone(always)
	query, body, _ := r.Types()
	if body != nil || r.Upload != nil || method == http.MethodPost || method == http.MethodPut {
		list = append(list, withBody...)
	} else if query != nil || strings.Contains(path, "{") {
		list = append(list, 404, 422)
	}
	if r.Creates {
		list = append(list, 409)
	}
	if slices.Contains(r.Status, http.StatusPartialContent) {
		list = append(list, 416)
	}
	slices.Sort(list)
	return list
}

var failureTexts = map[int]string{
	400: "the request cannot be parsed, or its cursor is unknown", 401: "no acceptable credentials", 403: "the caller or the target is not allowed",
	404: "what the request names does not exist", 408: "the body arrived too slowly", 409: "a request with the same Idempotency-Key is under way",
	413: "the body, a message or a document is over its limit", 416: "the range lies outside the content", 422: "fields or rules are violated; detail lists all",
	429: "too many requests", 500: "an internal error", 501: "this deployment has no provider for it",
	502: "the model provider refused or failed", 503: "a dependency is down or not configured", 529: "the model provider is overloaded",
}

func failureName(status int) string {
	if status == 529 {
		return "Overloaded"
	}
	return strings.Map(func(r rune) rune {
		if r == ' ' || r == '-' {
			return -1
		}
		return r
	}, http.StatusText(status))
}

// openAIPrefix begins the names of failures on the paths of OpenAI's API.
const openAIPrefix = "OpenAI"

// failures are the responses of failures, as components.
func failures(g *schema.Generator) object {
	out := object{}
	maps.Copy(out, failuresWith("", g.Describe(schema.Answer, rest.ErrorBody{})))
	maps.Copy(out, failuresWith(openAIPrefix, g.Describe(schema.Answer, rest.OpenAIErrorBody{})))
	return out
}

// failuresWith are the responses of failures that have a body.
func failuresWith(prefix string, body schema.Doc) object {
	ref := func(name string) object { return object{"$ref": "#/components/headers/" + name} }
	out := object{}
	for status, text := range failureTexts {
		headers := object{"request-id": ref("RequestId")}
		switch status {
		case 401:
			headers["www-authenticate"] = ref("Challenge")
		case 429, 503:
			headers["retry-after"] = ref("RetryAfter")
		}
		if status >= 500 {
			headers["x-should-retry"] = ref("ShouldRetry")
		}
		out[prefix+failureName(status)] = object{"description": fmt.Sprintf("%d: %s", status, text), "headers": headers,
			"content": object{"application/json": object{"schema": body}}}
	}
	return out
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
