package schema

import (
	"reflect"

	"lectern/shared/fault"
)

// Values decodes a query string or form into dst, a pointer to a struct of
// scalars, by the same tags. where is "query", "form" or "path". A parameter that
// is present but empty is a value. Of repeated parameters the last one wins.
func Values(values map[string][]string, dst any, where string) error {
	r := &Reader{prefix: []any{where}}
	v := reflect.ValueOf(dst).Elem()
	for _, f := range planOf(v.Type()).fields {
		r.path = append(r.path[:0], step{key: f.name, isKey: true})
		given, ok := values[f.name]
		if !ok && f.alias != "" {
			given, ok = values[f.alias]
		}
		field := v.FieldByIndex(f.index)
		switch {
		case ok && len(given) > 0:
			text := given[len(given)-1]
			if !setText(field, text) {
				r.problemWith(parseKind(field), "Input should be "+article(field), f.rules.echo(text), nil)
				continue
			}
			f.check(r, field)
		case f.rules.required:
			r.Problem("missing", "Field required")
		case f.rules.fallback != nil:
			setText(field, *f.rules.fallback)
		}
	}
	if len(r.problems) > 0 {
		return fault.Problems(r.problems)
	}
	return nil
}

func scalar(v reflect.Value) reflect.Kind {
	t := v.Type()
	for t.Kind() == reflect.Pointer {
		t = t.Elem()
	}
	return t.Kind()
}

func parseKind(v reflect.Value) string {
	switch scalar(v) {
	case reflect.Bool:
		return "bool_parsing"
	case reflect.Float64:
		return "float_parsing"
	}
	return "int_parsing"
}

func article(v reflect.Value) string {
	switch scalar(v) {
	case reflect.Bool:
		return "a boolean"
	case reflect.Float64:
		return "a number"
	}
	return "an integer"
}
