package extractive

import (
	"encoding/json"
	"math"
	"slices"
	"strconv"
	"strings"

	"lectern/shared/api/schema"
	"lectern/shared/chat/model"
	"lectern/shared/fault"
	"lectern/shared/message"
	"lectern/shared/text/shape"
)

// maxDepth limits nested and recursive schemas.
const maxDepth = 24

// maxOptional is the depth to which optional fields of a structured answer are
// filled.
const maxOptional = 2

// fillTool builds the input of a forced call from the last user turn: required fields
// only.
func fillTool(schema message.Object, q question) (message.Object, error) {
	if len(schema) == 0 {
		return message.Object("{}"), nil
	}
	return fill(schema, &filler{text: q.text, hints: hintsOf(q.text), requiredOnly: true}, "tools")
}

// fillAnswer builds a structured answer from the best sentences and the question.
func fillAnswer(schema message.Object, q question, found []*candidate) (string, error) {
	f := &filler{text: q.text, hints: hintsOf(q.text)}
	for _, c := range found {
		f.sentences = append(f.sentences, c.text)
	}
	if len(f.sentences) > 0 {
		f.hints = hintsOf(strings.Join(f.sentences, " "))
	}
	out, err := fill(schema, f, "output_config")
	return string(out), err
}

func fill(raw message.Object, f *filler, where string) (message.Object, error) {
	compiled, err := shape.Compile(raw)
	if err != nil {
		return nil, fault.Field("value_error", "the schema is not a valid JSON schema: "+err.Error(), "body", where)
	}
	if json.Unmarshal(raw, &f.root) != nil {
		f.root = map[string]any{}
	}
	v, ok := f.value("", f.root, 0)
	out, merr := schema.Marshal(v)
	if !ok || merr != nil {
		return nil, fault.Field("value_error", "the built-in model cannot fill this schema: its recursion has no end", "body", where)
	}
	if err := compiled.Check(out); err != nil {
		return nil, fault.Field("value_error", "the built-in model cannot fill this schema: "+err.Error(), "body", where)
	}
	return out, nil
}

// filler builds a value for a schema.
type filler struct {
	root         map[string]any
	text         string   // of the last user turn
	sentences    []string // that answer the question
	hints        hints
	requiredOnly bool
	numbers      int // hints used so far
	strings      int
}

// value returns a value that matches the schema; false if the nesting is infinite.
func (f *filler) value(name string, schema any, depth int) (any, bool) {
	if depth > maxDepth {
		return nil, false
	}
	s, isObject := schema.(map[string]any)
	if !isObject {
		return f.str(name, nil), true // true: anything fits
	}
	if c, ok := s["const"]; ok {
		return c, true
	}
	if list, ok := s["enum"].([]any); ok && len(list) > 0 {
		return f.choose(list), true
	}
	if ref, ok := s["$ref"].(string); ok {
		target, found := f.resolve(ref)
		if !found {
			return nil, false
		}
		return f.value(name, target, depth+1)
	}
	if list, ok := s["allOf"].([]any); ok {
		return f.value(name, f.merge(s, list), depth+1)
	}
	for _, key := range []string{"anyOf", "oneOf"} {
		if list, ok := s[key].([]any); ok && len(list) > 0 && s["type"] == nil {
			return f.first(name, list, depth)
		}
	}
	switch typeOf(s) {
	case "object":
		return f.object(s, depth)
	case "array":
		return f.array(name, s, depth)
	case "integer":
		return int64(math.Round(f.number(s, true))), true
	case "number":
		return f.number(s, false), true
	case "boolean":
		return f.boolean(name), true
	case "null":
		return nil, true
	}
	return f.str(name, s), true
}

// first returns the value of the first alternative with finite nesting; null is tried
// last.
func (f *filler) first(name string, list []any, depth int) (any, bool) {
	for _, wantNull := range []bool{false, true} {
		for _, option := range list {
			if o, ok := option.(map[string]any); ok && (o["type"] == "null") != wantNull {
				continue
			}
			if v, ok := f.value(name, option, depth+1); ok {
				return v, true
			}
		}
	}
	return nil, false
}

func typeOf(s map[string]any) string {
	switch t := s["type"].(type) {
	case string:
		return t
	case []any:
		for _, one := range t {
			if one != "null" {
				name, _ := one.(string)
				return name
			}
		}
		return "null"
	}
	switch {
	case s["properties"] != nil || s["required"] != nil:
		return "object"
	case s["items"] != nil || s["prefixItems"] != nil:
		return "array"
	case s["minimum"] != nil || s["maximum"] != nil || s["multipleOf"] != nil:
		return "number"
	}
	return "string"
}

// merge combines the parts of an allOf and resolves their references.
func (f *filler) merge(s map[string]any, parts []any) map[string]any {
	out := map[string]any{}
	add := func(m map[string]any) {
		for k, v := range m {
			switch have := out[k].(type) {
			case map[string]any:
				if more, ok := v.(map[string]any); ok {
					for name, schema := range more {
						have[name] = schema
					}
				}
			case []any:
				if more, ok := v.([]any); ok {
					out[k] = append(slices.Clone(have), more...)
				}
			default:
				out[k] = clone(v)
			}
		}
	}
	for k, v := range s {
		if k != "allOf" {
			out[k] = clone(v)
		}
	}
	for _, p := range parts {
		m, _ := p.(map[string]any)
		if ref, ok := m["$ref"].(string); ok {
			target, _ := f.resolve(ref)
			m, _ = target.(map[string]any)
		}
		add(m)
	}
	return out
}

// clone copies the level that merge writes to.
func clone(v any) any {
	if m, ok := v.(map[string]any); ok {
		out := make(map[string]any, len(m))
		for k, one := range m {
			out[k] = one
		}
		return out
	}
	return v
}

// resolve returns the target of a reference inside the schema.
func (f *filler) resolve(ref string) (any, bool) {
	path, ok := strings.CutPrefix(ref, "#")
	if !ok {
		return nil, false
	}
	var at any = f.root
	for part := range strings.SplitSeq(strings.TrimPrefix(path, "/"), "/") {
		if part == "" {
			continue
		}
		part = strings.NewReplacer("~1", "/", "~0", "~").Replace(part)
		switch here := at.(type) {
		case map[string]any:
			at = here[part]
		case []any:
			i, err := strconv.Atoi(part)
			if err != nil || i < 0 || i >= len(here) {
				return nil, false
			}
			at = here[i]
		default:
			return nil, false
		}
	}
	return at, at != nil
}

func (f *filler) object(s map[string]any, depth int) (any, bool) {
	out := map[string]any{}
	properties, _ := s["properties"].(map[string]any)
	required, _ := s["required"].([]any)
	must := func(name string) bool { return slices.Contains(required, any(name)) }
	names := make([]string, 0, len(properties))
	for name := range properties {
		names = append(names, name)
	}
	slices.Sort(names)
	for _, name := range names {
		if must(name) {
			v, ok := f.value(name, properties[name], depth+1)
			if !ok {
				return nil, false
			}
			out[name] = v
		}
	}
	for _, name := range names {
		if must(name) || f.requiredOnly || depth > maxOptional {
			continue
		}
		saved := *f
		if v, ok := f.value(name, properties[name], depth+1); ok {
			out[name] = v
		} else {
			f.numbers, f.strings = saved.numbers, saved.strings
		}
	}
	for _, r := range required { // required, but not described
		if name, ok := r.(string); ok && out[name] == nil && properties[name] == nil {
			out[name] = f.str(name, nil)
		}
	}
	return out, true
}

func (f *filler) array(name string, s map[string]any, depth int) (any, bool) {
	out := []any{}
	prefix, _ := s["prefixItems"].([]any)
	for _, item := range prefix {
		v, ok := f.value(name, item, depth+1)
		if !ok {
			return nil, false
		}
		out = append(out, v)
	}
	least := intOf(s, "minItems", 1)
	if most := intOf(s, "maxItems", least); most < least {
		least = most
	}
	items := s["items"]
	if items == false {
		return out, true
	}
	for len(out) < least && len(out) < 1000 {
		v, ok := f.value(name, items, depth+1)
		if !ok {
			if intOf(s, "minItems", 0) == 0 {
				return out, true
			}
			return nil, false
		}
		if s["uniqueItems"] == true {
			v = distinct(v, out)
		}
		out = append(out, v)
	}
	return out, true
}

// distinct changes a value that the list already contains.
func distinct(v any, list []any) any {
	for n := 1; slices.Contains(list, v) && n < 1000; n++ {
		switch x := v.(type) {
		case string:
			v = strings.TrimRight(x, "0123456789 ") + " " + strconv.Itoa(n+1)
		case int64:
			v = x + 1
		case float64:
			v = x + 1
		default:
			return v
		}
	}
	return v
}

func intOf(s map[string]any, key string, fallback int) int {
	if n, ok := s[key].(float64); ok && n >= 0 && n < 1e6 {
		return int(n)
	}
	return fallback
}

// choose returns the option of an enum that the text contains, else the first.
func (f *filler) choose(list []any) any {
	low := " " + strings.ToLower(strings.Join(append([]string{f.text}, f.sentences...), " ")) + " "
	for _, option := range list {
		if s, ok := option.(string); ok && s != "" && strings.Contains(low, strings.ToLower(s)) {
			return option
		}
	}
	return list[0]
}

func (f *filler) boolean(name string) bool {
	low := strings.ToLower(f.text)
	return strings.Contains(low, strings.ToLower(strings.ReplaceAll(name, "_", " "))) && !strings.Contains(low, " not ")
}

// number returns the next number of the text within the bounds, else the nearest
// bound.
func (f *filler) number(s map[string]any, whole bool) float64 {
	low, high := math.Inf(-1), math.Inf(1)
	set := func(key string, to *float64, nudge float64) {
		if n, ok := s[key].(float64); ok {
			*to = n + nudge
		}
	}
	step := 1e-6
	if whole {
		step = 1
	}
	set("minimum", &low, 0)
	set("maximum", &high, 0)
	set("exclusiveMinimum", &low, step)
	set("exclusiveMaximum", &high, -step)
	multiple, _ := s["multipleOf"].(float64)
	fits := func(n float64) bool {
		return n >= low && n <= high && (!whole || n == math.Trunc(n)) && (multiple == 0 || math.Mod(n, multiple) == 0)
	}
	for i := f.numbers; i < len(f.hints.numbers); i++ {
		if fits(f.hints.numbers[i]) {
			f.numbers = i + 1
			return f.hints.numbers[i]
		}
	}
	n := 0.0
	if low > 0 {
		n = low
	} else if high < 0 {
		n = high
	}
	if whole {
		n = math.Ceil(n)
	}
	if multiple > 0 {
		n = math.Ceil(n/multiple) * multiple
	}
	return n
}

// Check reports the schemas of the request that the model cannot fill.
func (m *Model) Check(req *model.Request) []fault.Problem {
	var problems []fault.Problem
	failed := func(err error, loc ...any) {
		if err != nil {
			problems = append(problems, fault.Problem{Loc: loc, Msg: fault.Public(err), Type: "value_error"})
		}
	}
	choice := req.Choice.Type
	if req.Format == nil && choice != "tool" && choice != "any" {
		return nil
	}
	q := questionOf(req, m.stemmer)
	if req.Format != nil {
		_, err := fillAnswer(formatOf(req), q, nil)
		failed(err, "format")
	}
	if choice == "tool" || choice == "any" {
		if t, ok := forced(req, q); ok {
			_, err := fillTool(t.InputSchema, q)
			failed(err, "tools", t.Name)
		}
	}
	return problems
}

// formatOf returns the schema of the answer. If any object would do, the answer
// stands under "answer".
func formatOf(req *model.Request) message.Object {
	if req.Free() {
		return message.Object(`{"type":"object","properties":{"answer":{"type":"string"}},"required":["answer"]}`)
	}
	return req.Format
}
