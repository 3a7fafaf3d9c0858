package schema

import (
	"encoding/json"
	"maps"
	"reflect"
	"slices"
	"strings"
)

// Doc is a JSON Schema (draft 2020-12, as OpenAPI 3.1 uses it).
type Doc = map[string]any

// Describer is implemented by types with a Decoder or a Marshaler of their own to
// describe their JSON.
type Describer interface{ DescribeSchema(g *Generator) Doc }

// Direction says what a schema describes: the same type is described differently as
// what is accepted and as what is sent.
type Direction int

// The directions. An optional field of a request may be null; one of a query or a form
// may not; an answer has every field that is not left out when empty.
const (
	Request Direction = iota
	Parameters
	Answer
)

// Generator collects the schemas of named types.
type Generator struct {
	Defs map[string]Doc // by name, filled as types are referenced
	// Name returns the public name of a type; empty describes it in place.
	Name func(t reflect.Type) string
	// Both are the names that requests and answers use: those of requests then end in
	// Input. Nil means all.
	Both map[string]bool

	direction Direction
	used      [2]map[string]bool // names, by whether an answer uses them
}

// NewGenerator returns an empty generator.
func NewGenerator(name func(t reflect.Type) string, both map[string]bool) *Generator {
	return &Generator{Defs: map[string]Doc{}, Name: name, Both: both, used: [2]map[string]bool{{}, {}}}
}

// Shared returns the names that both requests and answers have used so far.
func (g *Generator) Shared() map[string]bool {
	both := maps.Clone(g.used[0])
	maps.DeleteFunc(both, func(name string, _ bool) bool { return !g.used[1][name] })
	return both
}

// Describe returns the schema of v's type in a direction.
func (g *Generator) Describe(d Direction, v any) Doc {
	defer func(before Direction) { g.direction = before }(g.direction)
	g.direction = d
	return g.For(v)
}

// For returns the schema of v's type, in the direction under way: a reference if the
// type has a name.
func (g *Generator) For(v any) Doc { return g.typ(reflect.TypeOf(v)) }

// Answers reports whether an answer is described.
func (g *Generator) Answers() bool { return g.direction == Answer }

// Define returns a reference to a named schema, made by build at its first use.
func (g *Generator) Define(name string, build func() Doc) Doc {
	answers := 0
	if g.Answers() {
		answers = 1
	}
	g.used[answers][name] = true
	if !g.Answers() && (g.Both == nil || g.Both[name]) {
		name += "Input"
	}
	if _, known := g.Defs[name]; !known {
		g.Defs[name] = Doc{} // stops recursion
		g.Defs[name] = build()
	}
	return Doc{"$ref": "#/components/schemas/" + name}
}

func (g *Generator) typ(t reflect.Type) Doc {
	if t.Kind() == reflect.Pointer {
		return g.typ(t.Elem())
	}
	if t == timeType {
		return Doc{"type": "string", "format": "date-time"}
	}
	if t.Name() != "" && t.PkgPath() != "" {
		if name := g.Name(t); name != "" {
			return g.Define(name, func() Doc { return g.inline(t) })
		}
	}
	return g.inline(t)
}

var describerType = reflect.TypeFor[Describer]()

func (g *Generator) inline(t reflect.Type) Doc {
	if reflect.PointerTo(t).Implements(describerType) {
		return reflect.New(t).Interface().(Describer).DescribeSchema(g)
	}
	switch t.Kind() {
	case reflect.String:
		return Doc{"type": "string"}
	case reflect.Bool:
		return Doc{"type": "boolean"}
	case reflect.Int, reflect.Int64:
		return Doc{"type": "integer", "format": "int64"}
	case reflect.Float64, reflect.Float32:
		return Doc{"type": "number"}
	case reflect.Slice:
		if t == rawType {
			return Doc{}
		}
		return Doc{"type": "array", "items": g.typ(t.Elem())}
	case reflect.Map:
		return Doc{"type": "object", "additionalProperties": g.typ(t.Elem())}
	case reflect.Struct:
		return g.object(t)
	}
	return Doc{}
}

// Struct describes a struct's fields. Describers build on it.
func (g *Generator) Struct(v any) Doc { return g.object(reflect.TypeOf(v)) }

// With describes a struct's fields, some of which are replaced.
func (g *Generator) With(v any, fields map[string]Doc) Doc {
	doc := g.Struct(v)
	for name, field := range fields {
		doc["properties"].(Doc)[name] = field
	}
	return doc
}

// AnyOf describes a value of one of several forms.
func AnyOf(forms ...Doc) Doc { return Doc{"anyOf": forms} }

func (g *Generator) object(t reflect.Type) Doc {
	properties, required := Doc{}, []string{}
	for _, sf := range reflect.VisibleFields(t) {
		name, opts, _ := strings.Cut(sf.Tag.Get("json"), ",")
		if !sf.IsExported() || name == "" || name == "-" {
			continue
		}
		ru := rulesOf(sf.Tag)
		optional, nullable := !ru.required, false
		switch g.direction {
		case Request:
			nullable = optional && !ru.notNull
		case Answer:
			optional = strings.Contains(opts, "omit")
			nullable = sf.Type.Kind() == reflect.Pointer && !optional || ru.nullable
		}
		doc := g.property(&ru, sf.Type, nullable)
		properties[name] = doc
		if ru.alias != "" && g.direction != Answer {
			properties[ru.alias] = doc
		}
		if !optional && !slices.Contains(required, name) {
			required = append(required, name)
		}
	}
	doc := Doc{"type": "object", "properties": properties}
	if len(required) > 0 {
		doc["required"] = required
	}
	if g.direction != Answer && t.Implements(closedType) {
		doc["additionalProperties"] = false
	}
	return doc
}

// property describes a field: its type, its rules, and whether it may be null.
func (g *Generator) property(ru *rules, t reflect.Type, nullable bool) Doc {
	base := maps.Clone(g.typ(t))
	ru.limit(base)
	if ru.fallback != nil && g.direction != Answer {
		kind, _ := base["type"].(string)
		base["default"] = defaultOf(kind, *ru.fallback)
	}
	if nullable {
		base = orNull(base)
	}
	if ru.doc != "" {
		base["description"] = ru.doc
	}
	if ru.deprecated {
		base["deprecated"] = true
	}
	return base
}

// orNull lets a schema take null too.
func orNull(base Doc) Doc {
	if typ, ok := base["type"].(string); ok {
		base["type"] = []string{typ, "null"}
		if list, ok := base["enum"].([]any); ok {
			base["enum"] = append(slices.Clone(list), nil)
		}
		return base
	}
	if list, ok := base["anyOf"].([]Doc); ok {
		base["anyOf"] = append(slices.Clone(list), Doc{"type": "null"})
		return base
	}
	if base["$ref"] == nil && base["oneOf"] == nil {
		return base // takes anything
	}
	out := Doc{"anyOf": []Doc{base, {"type": "null"}}}
	if v, ok := base["default"]; ok {
		delete(base, "default")
		out["default"] = v
	}
	return out
}

// limit adds the rules to a schema.
func (ru *rules) limit(base Doc) {
	lower, upper := "minLength", "maxLength"
	if base["type"] == "array" {
		lower, upper = "minItems", "maxItems"
	}
	if ru.minLen != nil {
		base[lower] = *ru.minLen
	}
	if ru.maxLen != nil {
		base[upper] = *ru.maxLen
	}
	if ru.min != nil {
		base["minimum"] = *ru.min
	}
	if ru.xmin != nil {
		base["exclusiveMinimum"] = *ru.xmin
	}
	if ru.max != nil {
		base["maximum"] = *ru.max
	}
	target := base
	if items, ok := base["items"].(Doc); ok {
		target = maps.Clone(items)
		base["items"] = target
	}
	if len(ru.enum) > 0 {
		list := make([]any, len(ru.enum))
		for i, v := range ru.enum {
			list[i] = v
		}
		target["enum"] = list
	}
	if ru.format != "" {
		target["format"] = ru.format
	}
}

func defaultOf(kind, text string) any {
	var v any
	if kind != "string" && json.Unmarshal([]byte(text), &v) == nil {
		return v
	}
	return text
}

// Names returns the names of a struct's fields in order.
func Names(v any) []string {
	var names []string
	for _, f := range planOf(reflect.TypeOf(v)).fields {
		names = append(names, f.name)
	}
	return names
}
