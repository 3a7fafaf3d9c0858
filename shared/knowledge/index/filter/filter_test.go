package filter_test

import (
	"encoding/json"
	"strings"
	"testing"

	"lectern/shared/fault"
	"lectern/shared/knowledge/index"
	"lectern/shared/knowledge/index/filter"
)

func TestMatch(t *testing.T) {
	var metadata map[string]any
	raw := `{"year": 1998, "neg": -2.5, "zero": 0, "name": "Über die Städte", "tags": ["red", "green", 7], "ok": true,
		"when": "2024-03-01T10:00:00+02:00", "day": "2024-03-01", "none": null, "empty": "", "list": [], "object": {},
		"nested": {"a": {"b": "deep"}}, "long": "` + strings.Repeat("x", 3000) + `y"}`
	if err := json.Unmarshal([]byte(raw), &metadata); err != nil {
		t.Fatal(err)
	}
	keywords := filter.Encode(metadata)
	tests := []struct {
		key, op string
		value   any
		want    bool
	}{
		{"year", "==", 1998.0, true}, {"year", "", 1998, true}, {"year", "==", "1998", false}, {"year", "!=", 1998, false},
		{"year", ">", 1997.5, true}, {"year", ">", 1998, false}, {"year", ">=", 1998, true}, {"year", "<", 1998, false},
		{"year", "<=", 1998, true}, {"year", "<", 10000, true}, {"year", ">", "1", false},
		{"neg", "<", 0, true}, {"neg", ">", -3, true}, {"neg", "<", -2.5, false}, {"neg", "<", -10, false},
		{"zero", "==", 0, true}, {"zero", ">=", 0, true}, {"zero", ">", -1, true},
		{"year", "in", []any{1.0, 1998.0}, true}, {"year", "in", []any{}, false}, {"year", "nin", []any{1998.0}, false},
		{"year", "nin", []any{}, true}, {"year", "in", []any{"1998"}, false},
		{"name", "==", "Über die Städte", true}, {"name", "==", "über die städte", false}, {"name", "!=", "x", true},
		{"name", ">", "A", true}, {"name", "<", "a", false},
		{"name", "contains", "die St", true}, {"name", "contains", "DIE", false},
		{"name", "text_match", "STADTE uber", true}, {"name", "text_match", "uber land", false},
		{"tags", "==", "red", true}, {"tags", "==", 7, true}, {"tags", "==", "blue", false}, {"tags", "!=", "red", false},
		{"tags", "==", []any{"red", "green", 7}, true}, {"tags", "==", []any{"green", "red", 7}, false},
		{"tags", "in", []any{"blue", "green"}, true}, {"tags", "contains", "green", true}, {"tags", "contains", 7, true},
		{"tags", "contains", []any{"red", "green"}, true}, {"tags", "contains", []any{"red", "blue"}, false},
		{"tags", "text_match", "Green", true}, {"tags", ">", 6, true},
		{"ok", "==", true, true}, {"ok", "==", false, false}, {"ok", "==", "true", false}, {"ok", "!=", false, true},
		{"when", "==", "2024-03-01T10:00:00+02:00", true}, {"when", "<", "2024-03-01T08:00:01Z", true},
		{"when", ">=", "2024-03-01T08:00:00Z", true}, {"when", ">", "2024-03-01", true}, {"day", "<", "2024-03-01T00:00:00.5Z", true},
		{"day", ">=", "2024-03-01", true}, {"day", ">", "2023-12-31", true}, {"name", ">", "2024-03-01", false},
		{"missing", "==", 1, false}, {"missing", "!=", 1, true}, {"missing", ">", 0, false}, {"missing", "<=", 0, false},
		{"missing", "in", []any{1}, false}, {"missing", "nin", []any{1}, true}, {"missing", "contains", "a", false},
		{"missing", "text_match", "a", false}, {"missing", "is_empty", nil, true}, {"missing", "is_empty", false, false},
		{"missing", "==", nil, true}, {"missing", "!=", nil, false}, {"year", "==", nil, false}, {"year", "!=", nil, true},
		{"none", "is_empty", true, true}, {"empty", "is_empty", true, true}, {"list", "is_empty", true, true},
		{"object", "is_empty", true, true}, {"year", "is_empty", true, false}, {"zero", "is_empty", false, true},
		{"nested.a.b", "==", "deep", true}, {"nested", "is_empty", true, false},
		{"nested", "==", map[string]any{"a": map[string]any{"b": "deep"}}, true},
		{"long", "==", strings.Repeat("x", 3000) + "y", true}, {"long", "==", strings.Repeat("x", 3000) + "z", false},
	}
	for _, tt := range tests {
		clauses, err := filter.Compile([]index.Condition{{Key: tt.key, Operator: tt.op, Value: tt.value}})
		if err != nil {
			t.Errorf("Compile(%s %s %v): %v", tt.key, tt.op, tt.value, err)
			continue
		}
		if got := filter.Match(clauses, keywords); got != tt.want {
			t.Errorf("%s %s %v = %v, want %v", tt.key, tt.op, tt.value, got, tt.want)
		}
	}
}

func TestCompileRefuses(t *testing.T) {
	for _, c := range []index.Condition{
		{Key: "k", Operator: "~", Value: 1}, {Key: "k", Operator: ">", Value: true}, {Key: "k", Operator: ">", Value: nil},
		{Key: "k", Operator: "<", Value: []any{1}}, {Key: "k", Operator: "in", Value: 1}, {Key: "k", Operator: "in", Value: []any{nil}},
		{Key: "k", Operator: "text_match", Value: 1}, {Key: "k", Operator: "text_match", Value: " - "},
		{Key: "k", Operator: "contains", Value: nil}, {Key: "k", Operator: "is_empty", Value: "yes"}, {Key: "", Operator: "==", Value: 1},
	} {
		_, err := filter.Compile([]index.Condition{{Key: "fine", Value: 1}, c})
		if !fault.Is(err, fault.Invalid) {
			t.Errorf("Compile(%+v) = %v, want Invalid", c, err)
			continue
		}
		p := fault.As(err).Problems
		if len(p) != 1 || len(p[0].Loc) != 3 || p[0].Loc[2] != c.Key {
			t.Errorf("Compile(%+v): problems %+v, want one that names the key", c, p)
		}
	}
}
