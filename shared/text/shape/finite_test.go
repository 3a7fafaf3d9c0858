package shape_test

import (
	"testing"

	"lectern/shared/text/shape"
)

// TestFinite: only a schema that no finite value fits is endless.
func TestFinite(t *testing.T) {
	for _, tc := range []struct {
		name, schema string
		want         bool
	}{
		{"any value", `{}`, true},
		{"a scalar", `{"type":"string"}`, true},
		{"a required part that is itself", `{"type":"object","properties":{"next":{"$ref":"#"}},"required":["next"]}`, false},
		{"without a type", `{"properties":{"next":{"$ref":"#"}},"required":["next"]}`, false},
		{"an optional part that is itself", `{"type":"object","properties":{"next":{"$ref":"#"}}}`, true},
		{"a part that may be null", `{"type":"object","properties":{"next":{"anyOf":[{"$ref":"#"},{"type":"null"}]}},"required":["next"]}`, true},
		{"only alternatives that are itself", `{"type":"object","properties":{"next":{"oneOf":[{"$ref":"#"},{"$ref":"#"}]}},"required":["next"]}`, false},
		{"a nullable type", `{"type":["object","null"],"properties":{"next":{"$ref":"#"}},"required":["next"]}`, true},
		{"a list that may be empty", `{"type":"object","properties":{"all":{"type":"array","items":{"$ref":"#"}}},"required":["all"]}`, true},
		{"a list that may not", `{"type":"object","properties":{"all":{"type":"array","minItems":1,"items":{"$ref":"#"}}},"required":["all"]}`, false},
		{"a list of places", `{"type":"array","minItems":1,"prefixItems":[{"$ref":"#"}]}`, false},
		{"through definitions", `{"$ref":"#/$defs/a","$defs":{"a":{"type":"object","properties":{"b":{"$ref":"#/$defs/b"}},"required":["b"]},
			"b":{"type":"object","properties":{"a":{"$ref":"#/$defs/a"}},"required":["a"]}}}`, false},
		{"through all of", `{"allOf":[{"type":"object","properties":{"a":{"$ref":"#"}},"required":["a"]}]}`, false},
		{"a reference to itself", `{"$ref":"#"}`, false},
		{"a constant ends it", `{"type":"object","properties":{"next":{"const":1}},"required":["next"]}`, true},
	} {
		s, err := shape.Compile([]byte(tc.schema))
		if err != nil {
			t.Errorf("%s: Compile = %v", tc.name, err)
			continue
		}
		if got := s.Finite(); got != tc.want {
			t.Errorf("%s: Finite = %v, want %v", tc.name, got, tc.want)
		}
	}
}
