package extractive

import (
	"encoding/json"
	"math"
	"slices"
	"strconv"
	"strings"
	"unicode/utf8"

	"lectern/shared/api/schema"
	"lectern/shared/chat/model"
	"lectern/shared/chat/model/extractive/label"
	"lectern/shared/fault"
	"lectern/shared/message"
	"lectern/shared/message/passage"
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
	return fill(schema, &filler{text: q.text, hints: hintsOf(q.text), labels: label.Read(q.text)}, "tools")
}

// fillAnswer builds a structured answer from the best sentences, from what was written
// with the question, and from the material, in this order. A field of which they say
// nothing is null, left out or empty, as the schema allows.
func fillAnswer(schema message.Object, q question, found []*candidate, material ...passage.Passage) (string, error) {
	f := &filler{text: q.text, hints: hintsOf(q.text), answers: true}
	var texts []string
	for _, c := range found {
		f.sentences = append(f.sentences, c.text)
	}
	if len(f.sentences) > 0 {
		said := strings.Join(f.sentences, " ")
		f.hints, texts = hintsOf(said), append(texts, strings.Join(f.sentences, "\n"))
	}
	if len(found) == 0 || strings.ContainsAny(q.text, ":\n") {
		texts = append(texts, q.text)
	}
	for _, p := range material {
		texts = append(texts, p.Text)
	}
	f.material = len(material) > 0
	f.labels = label.Read(texts...)
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

// filler builds a value for a schema: an answer, or else the input of a call, of which
// only required fields are filled.
type filler struct {
	root      map[string]any
	text      string   // of the last user turn
	sentences []string // that answer the question
	hints     hints
	labels    *label.Text // of all that may be said
	turn      *label.Text // of the sentences and the last user turn; made at the first use
	answers   bool
	material  bool     // is there, so that the last turn is no answer
	under     []string // names of the objects around the field
	said      int      // values so far that are the text's
	numbers   int      // hints used so far
	strings   int
}

// count counts a value of the text.
func (f *filler) count(said bool) {
	if said {
		f.said++
	}
}

func (f *filler) field(name string, s map[string]any) label.Field {
	about, _ := s["description"].(string)
	return label.Field{Name: name, About: about, Under: f.under}
}

// value returns a value that matches the schema; false if the nesting is infinite.
func (f *filler) value(name string, schema any, depth int) (any, bool) {
	if depth > maxDepth {
		return nil, false
	}
	s, isObject := schema.(map[string]any)
	if !isObject {
		return f.str(name, nil), true // anything fits
	}
	if c, ok := s["const"]; ok {
		return c, true
	}
	if list, ok := s["enum"].([]any); ok && len(list) > 0 {
		return f.choose(f.field(name, s), list), true
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
	before := f.said
	v, ok := f.typed(name, s, depth)
	if list, _ := s["type"].([]any); ok && f.answers && f.said == before && slices.Contains(list, any("null")) {
		return nil, true
	}
	return v, ok
}

// typed is value for a schema with a type.
func (f *filler) typed(name string, s map[string]any, depth int) (any, bool) {
	switch typeOf(s) {
	case "object":
		if name != "" {
			defer func(under []string) { f.under = under }(f.under)
			f.under = append(slices.Clone(f.under), name)
		}
		return f.object(s, depth)
	case "array":
		return f.array(name, s, depth)
	case "integer":
		return int64(math.Round(f.number(name, s, true))), true
	case "number":
		return f.number(name, s, false), true
	case "boolean":
		return f.boolean(name, s), true
	case "null":
		return nil, true
	}
	return f.str(name, s), true
}

// first returns the value of the first alternative with finite nesting, of an answer the
// first of which the text says something; null is tried last.
func (f *filler) first(name string, list []any, depth int) (out any, found bool) {
	before := f.said
	for _, wantNull := range []bool{false, true} {
		for _, option := range list {
			if o, ok := option.(map[string]any); ok && (o["type"] == "null") != wantNull {
				continue
			}
			v, ok := f.value(name, option, depth+1)
			if ok && (!f.answers || wantNull || f.said > before) {
				return v, true
			}
			if ok && !found {
				out, found = v, true
			}
		}
	}
	return out, found
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
		if must(name) || !f.answers || depth > maxOptional {
			continue
		}
		saved := *f
		if v, ok := f.value(name, properties[name], depth+1); ok && f.said > saved.said {
			out[name] = v
		} else {
			f.numbers, f.strings, f.said = saved.numbers, saved.strings, saved.said
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
	items := s["items"]
	if list := f.listed(name, s, items); len(prefix) == 0 && len(list) > 0 {
		return list, true
	}
	least := intOf(s, "minItems", 1)
	if most := intOf(s, "maxItems", least); most < least {
		least = most
	}
	if items == false {
		return out, true
	}
	for len(out) < least && len(out) < 1000 {
		before := f.said
		v, ok := f.value(name, items, depth+1)
		if f.answers && f.said == before && len(out) >= intOf(s, "minItems", 0) {
			return out, true
		}
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

// listed returns the items that the text lists of a field of texts, where as many are
// asked for; of a field for all that answers, its sentences.
func (f *filler) listed(name string, s map[string]any, items any) (out []any) {
	item, _ := items.(map[string]any)
	if item["type"] != "string" || item["enum"] != nil || item["pattern"] != nil || item["format"] != nil || !f.answers {
		return nil
	}
	list := f.labels.List(f.field(name, s))
	if len(list) == 0 && f.whollyAnswers(label.Words(name)) {
		list = f.sentences
	}
	most := intOf(item, "maxLength", math.MaxInt)
	for _, one := range list {
		if n := utf8.RuneCountInString(one); n <= most && n >= intOf(item, "minLength", 0) && !slices.Contains(out, any(one)) {
			out = append(out, one)
		}
	}
	out = out[:min(len(out), intOf(s, "maxItems", len(out)))]
	if len(out) < intOf(s, "minItems", 0) {
		return nil
	}
	f.count(len(out) > 0)
	return out
}

// distinct changes a value that the list already contains.
func distinct(v any, list []any) any {
	for n := 1; slices.Contains(list, v) && n < 1000; n++ {
		switch x := v.(type) {
		case string:
			v = strings.TrimSpace(strings.TrimRight(x, "0123456789 ") + " " + strconv.Itoa(n+1))
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

// choose returns the option of an enum that the text says of the field, or has as words;
// else null, or the first.
func (f *filler) choose(field label.Field, list []any) any {
	options, at := []string{}, []int{}
	for i, option := range list {
		if s, ok := option.(string); ok {
			options, at = append(options, s), append(at, i)
		}
	}
	i := f.labels.Option(field, options)
	if i < 0 {
		if f.turn == nil {
			f.turn = label.Read(append(slices.Clone(f.sentences), f.text)...)
		}
		i = f.turn.Mentioned(options)
	}
	if i >= 0 {
		f.count(true)
		return list[at[i]]
	}
	isNumber := func(n float64) bool { return slices.Contains(list, any(n)) }
	if n, ok := f.labels.Number(field, isNumber); ok {
		f.count(true)
		return n
	}
	if f.answers && slices.Contains(list, nil) {
		return nil
	}
	return list[0]
}

func (f *filler) boolean(name string, s map[string]any) bool {
	if yes, ok := f.labels.Bool(f.field(name, s)); ok {
		f.count(true)
		return yes
	}
	low := strings.ToLower(f.text)
	return !f.answers && strings.Contains(low, strings.ToLower(strings.ReplaceAll(name, "_", " "))) && !strings.Contains(low, " not ")
}

// number returns what the text says of a field, within the bounds; for a call, and where
// the question asks for the field, the next number of the text; else the nearest bound.
func (f *filler) number(name string, s map[string]any, whole bool) float64 {
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
	if n, ok := f.labels.Number(f.field(name, s), fits); ok {
		f.count(true)
		return n
	}
	words := label.Words(name)
	asked := !f.answers || f.asked(words) || len(f.sentences) > 0 && f.whollyAnswers(words)
	for i := f.numbers; asked && i < len(f.hints.numbers); i++ {
		if fits(f.hints.numbers[i]) {
			f.numbers = i + 1
			f.count(true)
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
	q := questionOf(req, m.stemmer, wholeTurn)
	if req.Format != nil {
		_, err := fillAnswer(formatOf(req), q, nil, req.Passages...)
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

// Questions whether something may be done, and sentences that say whether it may.
var (
	permitAsked = form(`(?i)^\W*(?:can|may|must|should|could|do|am|are|is|darf|dürfen|kann|muss|müssen)\b`)
	permitTold  = form(`(?i)\b(?:allowed|permitted|prohibited|forbidden|banned|not|no|never|only|must|may|welcome|tolerated|free|compulsory|required|erlaubt|gestattet|` +
		`verboten|untersagt|nicht|kein\pL*|nur|dürfen|darf|muss|müssen)\b`)
)

// permits reports whether a sentence says whether the thing may be done that the question is most about.
func (c *candidate) permits(q question) bool {
	if !matchesForm(permitAsked, q.text) || c.row || !matchesForm(permitTold, c.text) || q.weights == nil {
		return false
	}
	most := -1
	for k, w := range q.weights {
		if !frames[q.words[k]] && (most < 0 || w > q.weights[most]) {
			most = k
		}
	}
	return most >= 0 && slices.Contains(c.stems, q.stems[most])
}

const permitTells = .6

// hasThing reports whether a sentence names a thing that the question does.
func (c *candidate) hasThing(q question) bool {
	for k, thing := range q.things {
		if thing && slices.Contains(c.stems, q.stems[k]) {
			return true
		}
	}
	return !slices.Contains(q.things, true)
}

// thought is what the model thinks of a request, if that asks for it.
func thought(req *model.Request, q question, sentences int) string {
	if !req.Chat.Thinking.On() {
		return ""
	}
	return reasoning(req, q, sentences)
}

// leader reports whether it is a line that leads to a value by dots.
func (c *candidate) leader() bool { return c.row && !c.heading && !strings.HasPrefix(c.text, "|") }

// sentence reports whether it is one: no row of a table, and nothing that stands above one.
func (c *candidate) sentence() bool { return !c.row && !c.record && !c.heading && !c.title && !c.code }

// freedom is how freely a question is read: word for word; by what it means of tables alone; of the document that was found first, too.
type freedom int

const (
	tablesMeant = 3 // are asked what a question means

	literally freedom = iota
	freely
	broadly
)
