// Package schema decodes JSON requests into Go types, reports every violation
// with its location, and describes the same types as JSON Schema. One set of
// struct tags drives both, so that the published API matches what is checked.
//
// Tags, besides json:
//
//	required:"true"        absent or null is a violation
//	notnull:"true"         may be absent, but null is a violation
//	default:"x"            value when absent (scalars)
//	min, max               bounds of a number, inclusive; xmin is exclusive
//	minlen, maxlen         bounds of a string's characters or a list's items
//	enum:"a,b"             the allowed strings, also of a list's items
//	alias:"otherName"      a second accepted name
//	secret:"true"          never echoed in a problem's input
//	format, doc, deprecated   description only
//	nullable:"true"        an answer may hold null; description only
//
// An answer is described to have every field, save those that are left out when empty.
//
// An optional field that is null counts as absent. Unknown fields are ignored, save
// those of a Closed type.
// Types with other needs implement Decoder and Describer.
//
// The whole text is validated before anything is decoded: decoding then works on
// valid JSON only and needs no error paths.
package schema

import (
	"encoding/json"
	"reflect"

	"lectern/shared/fault"
)

// maxProblems limits the violations reported for one request.
const maxProblems = 100

// Decoder is implemented (on the pointer) by types that decode themselves.
// DecodeSchema consumes exactly one value from r.
type Decoder interface{ DecodeSchema(r *Reader) }

// Closed is implemented by structs of which an unknown field is a violation: types that
// limit what is looked at, which a misspelt limit would not.
type Closed interface{ SchemaClosed() }

// Decode parses one JSON document into dst, a pointer. Text that is not JSON is
// Malformed; violations of dst's rules are returned together as one Invalid
// fault, whose locations start with loc. dst is then partly filled.
func Decode(data []byte, dst any, loc ...any) error {
	problems, err := Check(data, dst, loc...)
	if err != nil {
		return err
	}
	if len(problems) > 0 {
		return fault.Problems(problems)
	}
	return nil
}

// Check is Decode for callers that add problems of their own.
func Check(data []byte, dst any, loc ...any) ([]fault.Problem, error) {
	if err := valid(data); err != nil {
		return nil, err
	}
	r := &Reader{data: data, prefix: loc}
	r.path = r.steps[:0]
	r.skipSpace()
	r.Into(dst)
	return r.problems, nil
}

// Reader is a cursor over valid JSON text, positioned before a value. A Decoder
// consumes exactly one value, with a method that says that it consumes.
type Reader struct {
	data     []byte
	pos      int
	prefix   []any
	path     []step
	problems []fault.Problem
	steps    [6]step // of path, while it is short
}

type step struct {
	key   string
	index int // used when key is empty and isKey is false
	isKey bool
}

// Kind is the type of a JSON value.
type Kind byte

// The kinds of JSON values.
const (
	Null Kind = iota
	Bool
	Number
	String
	Array
	Object
)

// Kind returns the kind of the next value without consuming it.
func (r *Reader) Kind() Kind {
	switch r.data[r.pos] {
	case '{':
		return Object
	case '[':
		return Array
	case '"':
		return String
	case 't', 'f':
		return Bool
	case 'n':
		return Null
	default:
		return Number
	}
}

// Into consumes the next value into dst, a pointer, by dst's type.
func (r *Reader) Into(dst any) {
	v := reflect.ValueOf(dst).Elem()
	planOf(v.Type()).decode(r, v)
}

// Problem records a violation at the current location.
func (r *Reader) Problem(kind, msg string) { r.ProblemAt(kind, msg) }

// ProblemAt records a violation below the current location.
func (r *Reader) ProblemAt(kind, msg string, below ...any) {
	if len(r.problems) < maxProblems {
		r.problems = append(r.problems, fault.Problem{Loc: append(r.loc(), below...), Msg: msg, Type: kind})
	}
}

func (r *Reader) problemWith(kind, msg string, input any, ctx map[string]any) {
	r.Problem(kind, msg)
	last := &r.problems[len(r.problems)-1]
	last.Input, last.Ctx = input, ctx
}

func (r *Reader) loc() []any {
	out := make([]any, 0, len(r.prefix)+len(r.path)+1)
	out = append(out, r.prefix...)
	for _, s := range r.path {
		if s.isKey {
			out = append(out, s.key)
		} else {
			out = append(out, s.index)
		}
	}
	return out
}

// Probe returns a second cursor at the same position for lookahead; its problems
// are discarded.
func (r *Reader) Probe() *Reader { return &Reader{data: r.data, pos: r.pos} }

// Raw consumes the next value and returns its text, which shares memory with
// the input.
func (r *Reader) Raw() json.RawMessage {
	start := r.pos
	r.skip()
	return json.RawMessage(r.data[start:r.pos:r.pos])
}

// Skip consumes the next value.
func (r *Reader) Skip() { r.skip() }

// Text consumes a string; any other kind is a violation and returns "".
func (r *Reader) Text() string {
	if r.Kind() != String {
		r.mismatch("string")
		return ""
	}
	return r.str()
}

// Each consumes an object or an array and calls f before each element, which f
// must consume; key is empty in an array. Any other kind is a violation.
func (r *Reader) Each(want Kind, f func(key string, i int)) {
	if r.Kind() != want {
		r.mismatch(map[Kind]string{Object: "object", Array: "array"}[want])
		return
	}
	if want == Array {
		r.array(func(i int) { f("", i) })
		return
	}
	i := 0
	r.object(func(key []byte) {
		name := string(key)
		r.path = append(r.path, step{key: name, isKey: true})
		f(name, i)
		r.path = r.path[:len(r.path)-1]
		i++
	})
}

// Peek returns a string member of the next object without consuming anything; ok
// is false when the next value is not an object or lacks the string.
func (r *Reader) Peek(member string) (value string, ok bool) {
	if r.Kind() != Object {
		return "", false
	}
	saved := r.pos
	r.object(func(key []byte) {
		if string(key) == member && r.Kind() == String {
			value, ok = r.str(), true
			return
		}
		r.skip()
	})
	r.pos = saved
	return value, ok
}

// mismatch records a type violation and consumes the value.
func (r *Reader) mismatch(want string) {
	kind := map[string]string{"object": "dict_type", "array": "list_type", "integer": "int_type", "number": "float_type",
		"boolean": "bool_type"}[want]
	if kind == "" {
		kind = want + "_type"
	}
	article := "a"
	if want == "object" || want == "array" || want == "integer" {
		article = "an"
	}
	r.Problem(kind, "Input should be "+article+" "+want)
	r.skip()
}
