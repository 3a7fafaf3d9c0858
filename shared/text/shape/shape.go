// Package shape compiles and applies JSON schemas of clients: of tool inputs
// and of structured answers. It never loads external references.
package shape

import (
	"bytes"
	"errors"
	"slices"
	"strings"
	"sync"

	"github.com/santhosh-tekuri/jsonschema/v6"
	"github.com/santhosh-tekuri/jsonschema/v6/kind"
)

// Shape is a compiled schema. Safe for concurrent use.
type Shape struct {
	schema *jsonschema.Schema
	finite bool
}

// Compile compiles a JSON schema (draft 2020-12 unless it names another).
// Errors fit in one line.
func Compile(raw []byte) (*Shape, error) {
	doc, err := jsonschema.UnmarshalJSON(bytes.NewReader(raw))
	if err != nil {
		return nil, errors.New("it is not JSON")
	}
	c := jsonschema.NewCompiler()
	c.UseLoader(noLoader{})
	const at = "schema.json"
	if err := c.AddResource(at, doc); err != nil {
		return nil, oneLine(err)
	}
	s, err := c.Compile(at)
	if err != nil {
		return nil, oneLine(err)
	}
	return &Shape{s, finite(s)}, nil
}

// Check validates a JSON text against the schema. Errors fit in one line and
// name the place.
func (s *Shape) Check(text []byte) error {
	v, err := jsonschema.UnmarshalJSON(bytes.NewReader(text))
	if err != nil {
		return errors.New("it is not JSON")
	}
	if err := s.schema.Validate(v); err != nil {
		return oneLine(err)
	}
	return nil
}

type noLoader struct{}

func (noLoader) Load(string) (any, error) {
	return nil, errors.New("references to other documents are not followed")
}

// oneLine is the line of an error that says most, without the file location of the
// library's texts.
func oneLine(err error) error {
	if invalid, ok := errors.AsType[*jsonschema.SchemaValidationError](err); ok {
		err = invalid.Err
	}
	if failed, ok := errors.AsType[*jsonschema.ValidationError](err); ok && len(failed.Causes) > 0 {
		return errors.New(decisive(failed).Error())
	}
	lines := strings.Split(err.Error(), "\n")
	line := lines[0]
	if len(lines) > 1 {
		line = strings.TrimPrefix(strings.TrimSpace(lines[len(lines)-1]), "- ")
	}
	if i := strings.Index(line, "schema.json#"); i >= 0 {
		line = line[i+len("schema.json"):]
	}
	return errors.New(strings.Trim(line, `"' `))
}

// decisive is the cause of a failure that helps most to mend it: of alternatives the
// one that went furthest into the value, and there one that lists what may stand
// before one that wants another type; types that alternatives want are told together.
// Of conditions that all count it is the last.
func decisive(e *jsonschema.ValidationError) *jsonschema.ValidationError {
	if len(e.Causes) == 0 {
		return e
	}
	best := decisive(e.Causes[len(e.Causes)-1])
	switch e.ErrorKind.(type) {
	case *kind.AnyOf, *kind.OneOf:
	default:
		return best
	}
	wanted, isType := best.ErrorKind.(*kind.Type)
	for _, cause := range slices.Backward(e.Causes[:len(e.Causes)-1]) {
		c := decisive(cause)
		want, typed := c.ErrorKind.(*kind.Type)
		switch deeper := len(c.InstanceLocation) - len(best.InstanceLocation); {
		case deeper > 0 || deeper == 0 && isType && !typed:
			best, wanted, isType = c, want, typed
		case deeper == 0 && isType && typed:
			wanted = &kind.Type{Got: want.Got, Want: slices.Concat(want.Want, wanted.Want)}
			best = &jsonschema.ValidationError{SchemaURL: c.SchemaURL, InstanceLocation: c.InstanceLocation, ErrorKind: wanted}
		}
	}
	return best
}

// Cache caches compiled schemas, because clients send the same tools with every
// request. The zero value is ready to use; safe for concurrent use.
type Cache struct {
	mu   sync.Mutex
	seen map[string]result
}

type result struct {
	shape *Shape
	err   error
}

// cacheSize limits a Cache, in schemas; a full cache is emptied.
const cacheSize = 512

// Compile is Compile with caching.
func (c *Cache) Compile(raw []byte) (*Shape, error) {
	c.mu.Lock()
	r, ok := c.seen[string(raw)]
	c.mu.Unlock()
	if ok {
		return r.shape, r.err
	}
	r.shape, r.err = Compile(raw)
	c.mu.Lock()
	defer c.mu.Unlock()
	if c.seen == nil || len(c.seen) >= cacheSize {
		c.seen = map[string]result{}
	}
	if len(raw) <= 16<<10 {
		c.seen[string(raw)] = r
	}
	return r.shape, r.err
}
