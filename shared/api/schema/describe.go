package schema

import (
	"encoding/json"
	"reflect"
	"strings"
)

// Doc is a JSON Schema (draft 2020-12, as OpenAPI 3.1 uses it).
type Doc = map[string]any

// Describer is implemented by types with a Decoder to describe what they accept.
type Describer interface{ DescribeSchema(g *Generator) Doc }

// Generator collects the schemas of named types.
type Generator struct {
	Defs map[string]Doc // by type name, filled as types are referenced
	seen map[reflect.Type]string
}

// NewGenerator returns an empty generator.
func NewGenerator() *Generator {
	return &Generator{Defs: map[string]Doc{}, seen: map[reflect.Type]string{}}
}

// For returns the schema of v's type: a reference for named structs.
func (g *Generator) For(v any) Doc { return g.typ(reflect.TypeOf(v)) }

var describerType = reflect.TypeFor[Describer]()

func (g *Generator) typ(t reflect.Type) Doc {
	if t.Kind() == reflect.Pointer {
		return g.typ(t.Elem())
	}
	named := t.Kind() == reflect.Struct || reflect.PointerTo(t).Implements(describerType)
	if t.Name() == "Time" && t.PkgPath() == "time" {
		return Doc{"type": "string", "format": "date-time"}
	}
	if named && t.Name() != "" {
		return g.named(t)
	}
	return g.inline(t)
}

func (g *Generator) named(t reflect.Type) Doc {
	name, ok := g.seen[t]
	if !ok {
		name = g.name(t)
		g.seen[t] = name
		g.Defs[name] = Doc{} // stops recursion
		g.Defs[name] = g.inline(t)
	}
	return Doc{"$ref": "#/components/schemas/" + name}
}

// name returns the type's name, qualified by its package if another type has it.
func (g *Generator) name(t reflect.Type) string {
	name := strings.Map(func(r rune) rune {
		if strings.ContainsRune("[]/.*", r) {
			return '_'
		}
		return r
	}, t.Name())
	if _, taken := g.Defs[name]; taken {
		pkg := t.PkgPath()
		pkg = pkg[strings.LastIndexByte(pkg, '/')+1:]
		name = strings.ToUpper(pkg[:1]) + pkg[1:] + name
	}
	return name
}

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
		return Doc{"type": "integer"}
	case reflect.Float64, reflect.Float32:
		return Doc{"type": "number"}
	case reflect.Slice:
		if t == reflect.TypeFor[json.RawMessage]() {
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

func (g *Generator) object(t reflect.Type) Doc {
	properties, required := Doc{}, []string{}
	for _, sf := range reflect.VisibleFields(t) {
		name, opts, _ := strings.Cut(sf.Tag.Get("json"), ",")
		if !sf.IsExported() || name == "" || name == "-" {
			continue
		}
		ru := rulesOf(sf.Tag)
		properties[name] = ru.describe(g.typ(sf.Type), sf.Type.Kind() == reflect.Pointer && !strings.Contains(opts, "omit"))
		if ru.required {
			required = append(required, name)
		}
	}
	doc := Doc{"type": "object", "properties": properties}
	if len(required) > 0 {
		doc["required"] = required
	}
	return doc
}

func (ru *rules) describe(base Doc, nullable bool) Doc {
	if _, isRef := base["$ref"]; isRef && (ru.doc != "" || nullable) {
		base = Doc{"anyOf": []Doc{base}}
	}
	if nullable {
		if list, ok := base["anyOf"].([]Doc); ok {
			base["anyOf"] = append(list, Doc{"type": "null"})
		} else if typ, ok := base["type"].(string); ok {
			base["type"] = []string{typ, "null"}
		}
	}
	set := func(key string, v any) { base[key] = v }
	kind, _ := base["type"].(string)
	lower, upper := "minLength", "maxLength"
	if kind == "array" {
		lower, upper = "minItems", "maxItems"
	}
	if ru.minLen != nil {
		set(lower, *ru.minLen)
	}
	if ru.maxLen != nil {
		set(upper, *ru.maxLen)
	}
	if ru.min != nil {
		set("minimum", *ru.min)
	}
	if ru.xmin != nil {
		set("exclusiveMinimum", *ru.xmin)
	}
	if ru.max != nil {
		set("maximum", *ru.max)
	}
	switch items, ok := base["items"].(Doc); {
	case len(ru.enum) > 0 && ok:
		items["enum"] = ru.enum
	case len(ru.enum) > 0:
		set("enum", ru.enum)
	}
	if ru.fallback != nil {
		set("default", defaultOf(kind, *ru.fallback))
	}
	if ru.doc != "" {
		set("description", ru.doc)
	}
	if ru.format != "" {
		set("format", ru.format)
	}
	if ru.deprecated {
		set("deprecated", true)
	}
	return base
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
