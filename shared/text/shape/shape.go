// Package shape compiles and applies JSON schemas of clients: of tool inputs
// and of structured answers. It never loads external references.
package shape

import (
	"bytes"
	"errors"
	"strings"
	"sync"

	"github.com/santhosh-tekuri/jsonschema/v6"
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

// oneLine removes the file location from the library's error texts.
func oneLine(err error) error {
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
