package schema

import (
	"encoding/json"
	"fmt"
	"math"
	"reflect"
	"strconv"
	"strings"
	"sync"
	"time"
	"unicode/utf8"
)

// plan is the precomputed decoder of one Go type.
type plan struct {
	typ    reflect.Type
	decode func(r *Reader, v reflect.Value)
	fields []field        // of a struct
	byName map[string]int // names and aliases of fields
	closed bool           // unknown fields are violations
}

type field struct {
	name, alias string
	index       []int
	plan        *plan
	rules       rules
	checked     bool // the rules limit its values
}

// rules are the tags of a field.
type rules struct {
	required, notNull, nullable, secret, deprecated bool
	fallback                                        *string
	min, max, xmin                                  *float64
	minLen, maxLen                                  *int
	enum                                            []string
	doc, format, alias                              string
}

// plans caches the results of reflection.
var plans sync.Map // reflect.Type -> *plan

var decoderType = reflect.TypeFor[Decoder]()
var closedType = reflect.TypeFor[Closed]()
var rawType = reflect.TypeFor[json.RawMessage]()
var timeType = reflect.TypeFor[time.Time]()

func planOf(t reflect.Type) *plan {
	if p, ok := plans.Load(t); ok {
		return p.(*plan)
	}
	// A recursive type finds its own unfinished plan in building; all plans are
	// complete before they are published.
	building := map[reflect.Type]*plan{}
	p := compile(t, building)
	for typ, done := range building {
		plans.LoadOrStore(typ, done)
	}
	return p
}

func compile(t reflect.Type, building map[reflect.Type]*plan) *plan {
	if p, ok := plans.Load(t); ok {
		return p.(*plan)
	}
	if p, ok := building[t]; ok {
		return p
	}
	p := &plan{typ: t}
	building[t] = p
	switch {
	case reflect.PointerTo(t).Implements(decoderType):
		p.decode = func(r *Reader, v reflect.Value) { v.Addr().Interface().(Decoder).DecodeSchema(r) }
	case t == timeType:
		p.decode = decodeTime
	case t == rawType:
		p.decode = func(r *Reader, v reflect.Value) { v.SetBytes(r.Raw()) }
	default:
		p.decode = decodeKind(t, p, building)
	}
	return p
}

func decodeKind(t reflect.Type, p *plan, building map[reflect.Type]*plan) func(*Reader, reflect.Value) {
	switch t.Kind() {
	case reflect.String:
		return func(r *Reader, v reflect.Value) { v.SetString(r.Text()) }
	case reflect.Bool:
		return decodeBool
	case reflect.Int, reflect.Int64:
		return decodeInt
	case reflect.Float64:
		return decodeFloat
	case reflect.Interface:
		return decodeAny
	case reflect.Pointer:
		elem := compile(t.Elem(), building)
		return func(r *Reader, v reflect.Value) {
			if r.Kind() == Null {
				r.skip()
				return
			}
			fresh := reflect.New(t.Elem())
			elem.decode(r, fresh.Elem())
			v.Set(fresh)
		}
	case reflect.Slice:
		elem := compile(t.Elem(), building)
		return func(r *Reader, v reflect.Value) { decodeSlice(r, v, elem) }
	case reflect.Map:
		elem := compile(t.Elem(), building)
		return func(r *Reader, v reflect.Value) { decodeMap(r, v, elem) }
	case reflect.Struct:
		p.fields, p.byName = fieldsOf(t, building)
		p.closed = t.Implements(closedType)
		return p.decodeStruct
	}
	panic(fmt.Sprintf("schema: no rule decodes %v", t))
}

func decodeBool(r *Reader, v reflect.Value) {
	if r.Kind() != Bool {
		r.mismatch("boolean")
		return
	}
	v.SetBool(r.data[r.pos] == 't')
	r.skip()
}

func decodeInt(r *Reader, v reflect.Value) {
	if r.Kind() != Number {
		r.mismatch("integer")
		return
	}
	text := string(r.Raw())
	n, err := strconv.ParseInt(text, 10, 64)
	if err != nil {
		f, ferr := strconv.ParseFloat(text, 64)
		if ferr != nil || f != math.Trunc(f) || math.Abs(f) > 1<<53 {
			r.problemWith("int_type", "Input should be an integer", json.RawMessage(text), nil)
			return
		}
		n = int64(f)
	}
	v.SetInt(n)
}

func decodeFloat(r *Reader, v reflect.Value) {
	if r.Kind() != Number {
		r.mismatch("number")
		return
	}
	text := string(r.Raw())
	f, err := strconv.ParseFloat(text, 64)
	if err != nil {
		r.Problem("float_type", "Input should be a finite number")
		return
	}
	v.SetFloat(f)
}

func decodeAny(r *Reader, v reflect.Value) {
	var value any
	if err := json.Unmarshal(r.Raw(), &value); err != nil {
		r.Problem("value_error", "Input holds a number out of range")
		return
	}
	if value != nil {
		v.Set(reflect.ValueOf(value))
	}
}

func decodeTime(r *Reader, v reflect.Value) {
	if r.Kind() != String {
		r.mismatch("string")
		return
	}
	text := r.str()
	for _, layout := range []string{time.RFC3339Nano, "2006-01-02T15:04:05.999999999", time.DateOnly} {
		if t, err := time.Parse(layout, text); err == nil {
			v.Set(reflect.ValueOf(t))
			return
		}
	}
	r.Problem("datetime_parsing", "Input should be an RFC 3339 time")
}

func decodeSlice(r *Reader, v reflect.Value, elem *plan) {
	if r.Kind() != Array {
		r.mismatch("array")
		return
	}
	v.SetLen(0)
	r.array(func(int) {
		n := v.Len()
		if n == v.Cap() {
			v.Grow(1)
		}
		v.SetLen(n + 1)
		v.Index(n).SetZero()
		elem.decode(r, v.Index(n))
	})
	if v.IsNil() {
		v.Set(reflect.MakeSlice(v.Type(), 0, 0))
	}
}

func decodeMap(r *Reader, v reflect.Value, elem *plan) {
	if r.Kind() != Object {
		r.mismatch("object")
		return
	}
	m := reflect.MakeMap(v.Type())
	r.Each(Object, func(key string, _ int) {
		value := reflect.New(v.Type().Elem()).Elem()
		elem.decode(r, value)
		m.SetMapIndex(reflect.ValueOf(key), value)
	})
	v.Set(m)
}

func (p *plan) decodeStruct(r *Reader, v reflect.Value) {
	if r.Kind() != Object {
		r.mismatch("object")
		return
	}
	var seen uint64
	r.object(func(key []byte) {
		i, ok := p.byName[string(key)]
		if !ok {
			if p.closed {
				p.unknown(r, string(key))
			}
			r.skip()
			return
		}
		f := &p.fields[i]
		if r.Kind() == Null {
			if f.rules.notNull {
				r.ProblemAt("string_type", "Input should not be null", f.name)
			}
			r.skip()
			return
		}
		seen |= 1 << i
		r.path = append(r.path, step{key: f.name, isKey: true})
		f.decode(r, v.FieldByIndex(f.index))
		r.path = r.path[:len(r.path)-1]
	})
	for i := range p.fields {
		f := &p.fields[i]
		if seen&(1<<i) != 0 {
			continue
		}
		if f.rules.required {
			r.ProblemAt("missing", "Field required", f.name)
		} else if f.rules.fallback != nil {
			setText(v.FieldByIndex(f.index), *f.rules.fallback)
		}
	}
}

// unknown records a field that a closed type does not have.
func (p *plan) unknown(r *Reader, key string) {
	names := make([]string, len(p.fields))
	for i := range p.fields {
		names[i] = p.fields[i].name
	}
	if len(key) > maxShown {
		key = strings.ToValidUTF8(key[:maxShown], "") + "…"
	}
	r.ProblemAt("extra_forbidden", fmt.Sprintf("There is no field %q; the fields are %s", key, strings.Join(names, ", ")), key)
}

// maxShown is how much of the name of an unknown field is repeated, in bytes.
const maxShown = 64

// decode reads the value and then applies the field's rules.
func (f *field) decode(r *Reader, v reflect.Value) {
	before := len(r.problems)
	f.plan.decode(r, v)
	if len(r.problems) > before || !f.checked {
		return // the wrong type is reported already, or any value will do
	}
	f.check(r, v)
}

func (f *field) check(r *Reader, v reflect.Value) {
	for v.Kind() == reflect.Pointer {
		if v.IsNil() {
			return
		}
		v = v.Elem()
	}
	ru := &f.rules
	switch v.Kind() {
	case reflect.Int, reflect.Int64:
		ru.checkNumber(r, float64(v.Int()), v.Int())
	case reflect.Float64:
		ru.checkNumber(r, v.Float(), v.Float())
	case reflect.String:
		ru.checkString(r, v.String())
	case reflect.Slice, reflect.Map:
		ru.checkItems(r, v.Len())
		if len(ru.enum) > 0 && v.Kind() == reflect.Slice && v.Type().Elem().Kind() == reflect.String {
			for i := range v.Len() {
				r.path = append(r.path, step{index: i})
				ru.checkString(r, v.Index(i).String())
				r.path = r.path[:len(r.path)-1]
			}
		}
	}
}

func (ru *rules) checkNumber(r *Reader, n float64, shown any) {
	switch {
	case ru.min != nil && n < *ru.min:
		r.problemWith("greater_than_equal", "Input should be greater than or equal to "+number(*ru.min), shown, map[string]any{"ge": *ru.min})
	case ru.xmin != nil && n <= *ru.xmin:
		r.problemWith("greater_than", "Input should be greater than "+number(*ru.xmin), shown, map[string]any{"gt": *ru.xmin})
	case ru.max != nil && n > *ru.max:
		r.problemWith("less_than_equal", "Input should be less than or equal to "+number(*ru.max), shown, map[string]any{"le": *ru.max})
	}
}

func number(f float64) string { return strconv.FormatFloat(f, 'g', -1, 64) }

func (ru *rules) checkString(r *Reader, s string) {
	if len(ru.enum) > 0 {
		for _, allowed := range ru.enum {
			if s == allowed {
				return
			}
		}
		r.problemWith("enum", "Input should be "+oneOf(ru.enum), ru.echo(s), map[string]any{"expected": ru.enum})
		return
	}
	if ru.minLen == nil && ru.maxLen == nil {
		return
	}
	n := utf8.RuneCountInString(s)
	switch {
	case ru.minLen != nil && n < *ru.minLen:
		r.problemWith("string_too_short", fmt.Sprintf("String should have at least %d character%s", *ru.minLen, plural(*ru.minLen)),
			ru.echo(s), map[string]any{"min_length": *ru.minLen})
	case ru.maxLen != nil && n > *ru.maxLen:
		r.problemWith("string_too_long", fmt.Sprintf("String should have at most %d characters", *ru.maxLen), nil,
			map[string]any{"max_length": *ru.maxLen})
	}
}

func (ru *rules) checkItems(r *Reader, n int) {
	switch {
	case ru.minLen != nil && n < *ru.minLen:
		r.problemWith("too_short", fmt.Sprintf("List should have at least %d item%s", *ru.minLen, plural(*ru.minLen)), nil,
			map[string]any{"min_length": *ru.minLen, "actual_length": n})
	case ru.maxLen != nil && n > *ru.maxLen:
		r.problemWith("too_long", fmt.Sprintf("List should have at most %d items", *ru.maxLen), nil,
			map[string]any{"max_length": *ru.maxLen, "actual_length": n})
	}
}

// echo returns s for the input of a problem, unless it is secret or long.
func (ru *rules) echo(s string) any {
	if ru.secret || len(s) > 100 {
		return nil
	}
	return s
}

func plural(n int) string {
	if n == 1 {
		return ""
	}
	return "s"
}

func oneOf(list []string) string {
	quoted := make([]string, len(list))
	for i, s := range list {
		quoted[i] = "'" + s + "'"
	}
	if len(quoted) == 1 {
		return quoted[0]
	}
	return strings.Join(quoted[:len(quoted)-1], ", ") + " or " + quoted[len(quoted)-1]
}

func fieldsOf(t reflect.Type, building map[reflect.Type]*plan) ([]field, map[string]int) {
	var list []field
	for _, sf := range reflect.VisibleFields(t) {
		name, _, _ := strings.Cut(sf.Tag.Get("json"), ",")
		if !sf.IsExported() || name == "-" || name == "" {
			continue // the fields of embedded structs are listed separately
		}
		ru := rulesOf(sf.Tag)
		list = append(list, field{name: name, alias: sf.Tag.Get("alias"), index: sf.Index, plan: compile(sf.Type, building),
			rules: ru, checked: ru.bounded()})
	}
	if len(list) > 64 {
		panic(fmt.Sprintf("schema: %v has more than 64 fields", t))
	}
	byName := map[string]int{}
	for i, f := range list {
		byName[f.name] = i
		if f.alias != "" {
			byName[f.alias] = i
		}
	}
	return list, byName
}

// bounded reports whether the rules limit the values of a field.
func (ru *rules) bounded() bool {
	return ru.min != nil || ru.max != nil || ru.xmin != nil || ru.minLen != nil || ru.maxLen != nil || len(ru.enum) > 0
}

func rulesOf(tag reflect.StructTag) rules {
	ru := rules{
		required: tag.Get("required") == "true", notNull: tag.Get("notnull") == "true", secret: tag.Get("secret") == "true",
		deprecated: tag.Get("deprecated") == "true", doc: tag.Get("doc"), format: tag.Get("format"), alias: tag.Get("alias"),
		nullable: tag.Get("nullable") == "true",
		min:      floatTag(tag, "min"), max: floatTag(tag, "max"), xmin: floatTag(tag, "xmin"),
		minLen: intTag(tag, "minlen"), maxLen: intTag(tag, "maxlen"),
	}
	if s, ok := tag.Lookup("default"); ok {
		ru.fallback = &s
	}
	if s := tag.Get("enum"); s != "" {
		ru.enum = strings.Split(s, ",")
	}
	return ru
}

func floatTag(tag reflect.StructTag, name string) *float64 {
	f, err := strconv.ParseFloat(tag.Get(name), 64)
	if err != nil {
		return nil
	}
	return &f
}

func intTag(tag reflect.StructTag, name string) *int {
	n, err := strconv.Atoi(tag.Get(name))
	if err != nil {
		return nil
	}
	return &n
}

// setText parses text into a scalar and reports success.
func setText(v reflect.Value, text string) bool {
	switch v.Kind() {
	case reflect.Pointer:
		fresh := reflect.New(v.Type().Elem())
		if !setText(fresh.Elem(), text) {
			return false
		}
		v.Set(fresh)
	case reflect.String:
		v.SetString(text)
	case reflect.Bool:
		b, err := strconv.ParseBool(text)
		if err != nil {
			return false
		}
		v.SetBool(b)
	case reflect.Int, reflect.Int64:
		n, err := strconv.ParseInt(text, 10, 64)
		if err != nil {
			return false
		}
		v.SetInt(n)
	case reflect.Float64:
		f, err := strconv.ParseFloat(text, 64)
		if err != nil {
			return false
		}
		v.SetFloat(f)
	default:
		return false
	}
	return true
}
