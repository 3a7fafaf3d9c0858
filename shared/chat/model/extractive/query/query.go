// Package query writes the inputs of tools that search.
package query

import (
	"encoding/json"

	"lectern/shared/message"
)

// input is what the schema of a tool's input says.
type input struct {
	Required   []string
	Properties map[string]struct{ Type string }
}

func read(schema message.Object) (s input, ok bool) {
	return s, json.Unmarshal(schema, &s) == nil && s.Properties["query"].Type == "string"
}

// Takes reports whether a tool's only required input is a string named query.
func Takes(schema message.Object) bool {
	s, ok := read(schema)
	return ok && (len(s.Required) == 0 || len(s.Required) == 1 && s.Required[0] == "query")
}

// Input returns the input of such a tool: what to look for, and in which artifact if it takes one.
func Input(schema message.Object, text, artifact string) (message.Object, error) {
	in := map[string]string{"query": text}
	if s, _ := read(schema); artifact != "" && s.Properties["artifact"].Type == "string" {
		in["artifact"] = artifact
	}
	return json.Marshal(in)
}
