package shape

import (
	"slices"

	"github.com/santhosh-tekuri/jsonschema/v6"
)

// Finite reports whether some value of finite nesting fits the schema: it is false
// when a required part of the schema refers to itself without an alternative.
func (s *Shape) Finite() bool { return s.finite }

func finite(schema *jsonschema.Schema) bool {
	f := finder{seen: map[*jsonschema.Schema]bool{}}
	f.collect(schema)
	// A part is finite once all that it requires is: repeat until nothing changes.
	// Parts come after what they require, so that two rounds are usual.
	for changed := true; changed; {
		changed = false
		for _, part := range f.parts {
			if !f.seen[part] && f.finite(part) {
				f.seen[part], changed = true, true
			}
		}
	}
	return f.seen[schema]
}

// finder holds the parts of a schema; seen tells which are known to be finite.
type finder struct {
	parts []*jsonschema.Schema
	seen  map[*jsonschema.Schema]bool
}

// collect lists the parts that a value must or may fit.
func (f *finder) collect(s *jsonschema.Schema) {
	if s == nil {
		return
	}
	if _, known := f.seen[s]; known {
		return
	}
	f.seen[s] = false
	f.collect(s.Ref)
	for _, list := range [][]*jsonschema.Schema{s.AllOf, s.AnyOf, s.OneOf, s.PrefixItems} {
		for _, part := range list {
			f.collect(part)
		}
	}
	for _, name := range s.Required {
		f.collect(s.Properties[name])
	}
	f.collect(itemsOf(s))
	f.parts = append(f.parts, s)
}

func itemsOf(s *jsonschema.Schema) *jsonschema.Schema {
	if one, ok := s.Items.(*jsonschema.Schema); ok {
		return one
	}
	return s.Items2020
}

func (f *finder) known(s *jsonschema.Schema) bool { return s == nil || f.seen[s] }

func (f *finder) finite(s *jsonschema.Schema) bool {
	if s.Bool != nil || s.Const != nil || s.Enum != nil {
		return true
	}
	if !f.known(s.Ref) || slices.ContainsFunc(s.AllOf, func(part *jsonschema.Schema) bool { return !f.seen[part] }) {
		return false
	}
	for _, options := range [][]*jsonschema.Schema{s.AnyOf, s.OneOf} {
		if len(options) > 0 && !slices.ContainsFunc(options, f.known) {
			return false
		}
	}
	kinds := []string{"object", "array"} // a schema without a type describes what its keywords are for
	if s.Types != nil {
		kinds = s.Types.ToStrings()
	}
	for _, kind := range kinds {
		switch {
		case kind == "object" && !f.finiteObject(s), kind == "array" && !f.finiteArray(s):
			if s.Types == nil {
				return false
			}
		default:
			if s.Types != nil {
				return true
			}
		}
	}
	return s.Types == nil
}

func (f *finder) finiteObject(s *jsonschema.Schema) bool {
	return !slices.ContainsFunc(s.Required, func(name string) bool { return !f.known(s.Properties[name]) })
}

func (f *finder) finiteArray(s *jsonschema.Schema) bool {
	if s.MinItems == nil {
		return true
	}
	least := *s.MinItems
	for i, part := range s.PrefixItems {
		if i < least && !f.seen[part] {
			return false
		}
	}
	return least <= len(s.PrefixItems) || f.known(itemsOf(s))
}
