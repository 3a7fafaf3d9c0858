package formats

import (
	"bytes"
	"context"
	"encoding/json"
	"errors"
	"fmt"
	"io"
	"strings"

	"lectern/shared/knowledge/reader"
	"lectern/shared/knowledge/reader/charset"
	"lectern/shared/knowledge/reader/intake"
	"lectern/shared/text/document"
)

// jsonReader reads JSON and JSON Lines as headings, "name: value" lines and
// tables, which can be found and quoted. It streams values, so that a long
// array needs no more memory than its text.
func jsonReader() reader.Reader {
	return &format{
		name:       "json",
		extensions: []string{".json", ".jsonl", ".ndjson", ".geojson"},
		accepts:    isText,
		read: func(ctx context.Context, src intake.Source, limits intake.Limits) (*document.Document, error) {
			text, guess := charset.Decode(src.Data)
			if strings.Count(text, ",")+strings.Count(text, "\n") >= limits.Nodes {
				if err := (&jsonWriter{ctx: ctx, limits: limits, b: document.Builder{Tally: true, Most: limits.TextBytes}}).all(text); err != nil {
					return nil, err
				}
			}
			w := &jsonWriter{ctx: ctx, limits: limits, b: document.Builder{Most: limits.TextBytes}}
			if guess != "" {
				w.b.Warn("the character set was guessed as %s", guess)
			}
			if err := w.all(text); err != nil {
				return nil, err
			}
			return w.b.Document(), nil
		},
	}
}

// jsonValue is a parsed value. Most are scalars, which take no more than they need.
type jsonValue struct {
	scalar   string
	*members      // nil of a scalar
	kind     byte // 's' scalar, 'o' object, 'a' array
}

// members are the values of an object or an array; names is nil unless it is an object.
type members struct {
	names  []string
	values []jsonValue
}

type jsonWriter struct {
	ctx    context.Context
	limits intake.Limits
	b      document.Builder
	text   string
	tokens int
	held   int // values that are not yet written
}

// heldPerNode is how many values at a time are held for each node that a document may
// have: coordinates and vectors are many values of one row.
const heldPerNode = 2

func (w *jsonWriter) all(text string) error {
	w.text = text
	d := json.NewDecoder(strings.NewReader(text))
	d.UseNumber()
	for n := 0; ; n++ {
		w.held = 0
		start, err := d.Token()
		if errors.Is(err, io.EOF) && n > 0 {
			return nil
		}
		if err != nil {
			return w.malformed(d, err)
		}
		if n == 0 && start == json.Delim('[') {
			if err := w.elements(d); err != nil {
				return err
			}
			continue
		}
		v, err := w.value(d, start, 1)
		if err != nil {
			return err
		}
		// A file of several values is JSON Lines; each value is a record.
		if rest := text[d.InputOffset():]; n > 0 || len(bytes.TrimSpace([]byte(rest[:min(len(rest), 100)]))) > 0 {
			w.record(v)
			continue
		}
		w.write(v, 1)
	}
}

// elements writes the elements of the top-level array.
func (w *jsonWriter) elements(d *json.Decoder) error {
	for d.More() {
		w.held = 0
		start, err := d.Token()
		if err != nil {
			return w.malformed(d, err)
		}
		v, err := w.value(d, start, 2)
		if err != nil {
			return err
		}
		w.record(v)
	}
	if _, err := d.Token(); err != nil {
		return w.malformed(d, err)
	}
	return nil
}

// malformed rejects the file and names the line of the error.
func (w *jsonWriter) malformed(d *json.Decoder, err error) error {
	line := 1 + strings.Count(w.text[:min(int(d.InputOffset()), len(w.text))], "\n")
	return errors.Join(intake.Refuse(intake.Malformed, "the file is not valid JSON, in line %d: %s", line, err), err)
}

// value reads the value that starts with the given token.
func (w *jsonWriter) value(d *json.Decoder, start json.Token, depth int) (jsonValue, error) {
	if w.tokens++; w.tokens%4096 == 0 {
		if err := w.ctx.Err(); err != nil {
			return jsonValue{}, err
		}
		if err := w.limits.Check(w.b.Len(), w.b.Nodes()); err != nil {
			return jsonValue{}, err
		}
	}
	if w.held++; w.held > heldPerNode*w.limits.Nodes {
		return jsonValue{}, intake.Refuse(intake.TooLarge, "a value of the file holds more than %d others", heldPerNode*w.limits.Nodes)
	}
	delim, ok := start.(json.Delim)
	if !ok {
		return jsonValue{kind: 's', scalar: jsonScalar(start)}, nil
	}
	if depth > 20*w.limits.Depth {
		return jsonValue{}, intake.Refuse(intake.Malformed, "the file is nested deeper than %d levels", 20*w.limits.Depth)
	}
	v := jsonValue{kind: 'a', members: &members{}}
	if delim == '{' {
		v.kind = 'o'
	}
	for d.More() {
		t, err := d.Token()
		if err != nil {
			return v, w.malformed(d, err)
		}
		if v.kind == 'o' {
			name, _ := t.(string)
			v.names = append(v.names, name)
			if t, err = d.Token(); err != nil {
				return v, w.malformed(d, err)
			}
		}
		child, err := w.value(d, t, depth+1)
		if err != nil {
			return v, err
		}
		v.values = append(v.values, child)
	}
	if _, err := d.Token(); err != nil {
		return v, w.malformed(d, err)
	}
	return v, nil
}

func jsonScalar(t json.Token) string {
	switch t := t.(type) {
	case string:
		return t
	case json.Number:
		return t.String()
	case nil:
		return ""
	default:
		return fmt.Sprint(t)
	}
}

// record writes one of many similar values: as a line if it is flat and short,
// else as a section of its own.
func (w *jsonWriter) record(v jsonValue) {
	if v.kind == 's' {
		w.b.Item(0, false, v.scalar)
		return
	}
	names, values, ok := flatten(v)
	if ok {
		w.b.Record(names, values)
		return
	}
	title := ""
	for i, name := range v.names {
		switch strings.ToLower(name) {
		case "title", "name", "question", "subject", "heading", "headline", "id", "key":
			if c := v.values[i]; c.kind == 's' && c.scalar != "" && len(c.scalar) < 200 && title == "" {
				title = c.scalar
			}
		}
	}
	if title == "" {
		title = "Record"
	}
	w.b.Heading(2, title)
	w.write(v, 3)
}

// flatten returns the leaves of a short value with dotted names; false if it is long.
func flatten(v jsonValue) (names, values []string, ok bool) {
	size := 0
	var walk func(v jsonValue, path string) bool
	walk = func(v jsonValue, path string) bool {
		switch v.kind {
		case 's':
			if size += len(path) + len(v.scalar); strings.Contains(v.scalar, "\n") || len(names) > 40 {
				return false
			}
			names = append(names, path)
			values = append(values, v.scalar)
		case 'a':
			var parts []string
			for _, c := range v.values {
				if c.kind != 's' {
					return false
				}
				parts = append(parts, c.scalar)
				size += len(c.scalar)
			}
			names = append(names, path)
			values = append(values, strings.Join(parts, ", "))
		case 'o':
			for i, c := range v.values {
				name := v.names[i]
				if path != "" {
					name = path + "." + name
				}
				if size > 1200 || !walk(c, name) {
					return false
				}
			}
		}
		return size <= 1200
	}
	ok = walk(v, "")
	return names, values, ok
}

// write writes a whole value; depth is the level of its headings.
func (w *jsonWriter) write(v jsonValue, depth int) {
	switch v.kind {
	case 's':
		w.b.Paragraph(v.scalar)
	case 'a':
		for _, c := range v.values {
			if c.kind == 's' {
				w.b.Item(0, false, c.scalar)
				continue
			}
			if names, values, ok := flatten(c); ok {
				w.b.Record(names, values)
				continue
			}
			w.write(c, depth)
		}
	case 'o':
		w.object(v, depth)
	}
}

// object writes short members as lines, then the others under headings.
func (w *jsonWriter) object(v jsonValue, depth int) {
	for i, c := range v.values {
		if c.kind != 's' || c.scalar == "" {
			continue
		}
		if len(c.scalar) > 300 || strings.Contains(c.scalar, "\n") {
			continue
		}
		w.b.Item(0, false, v.names[i]+": "+c.scalar)
	}
	for i, c := range v.values {
		if c.kind == 's' && len(c.scalar) <= 300 && !strings.Contains(c.scalar, "\n") || c.kind != 's' && len(c.values) == 0 {
			continue
		}
		w.b.Heading(min(depth, 6), v.names[i])
		if c.kind == 's' {
			for part := range strings.SplitSeq(c.scalar, "\n\n") {
				w.b.Paragraph(part)
			}
			continue
		}
		w.write(c, depth+1)
	}
}
