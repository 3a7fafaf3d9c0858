package schema

import (
	"bytes"
	"strconv"
	"strings"
	"unicode/utf16"
	"unicode/utf8"

	"lectern/shared/fault"
)

// maxDepth limits nesting, so that no input can exhaust the stack.
const maxDepth = 256

// valid checks that data is exactly one JSON value.
func valid(data []byte) error {
	c := checker{data: data}
	c.space()
	c.value(0)
	c.space()
	if c.bad == "" && c.pos < len(data) {
		c.fail("unexpected text after the JSON value")
	}
	if c.bad == "" {
		return nil
	}
	if len(data) == 0 {
		return fault.New(fault.Malformed, "the request body is empty; it must be JSON")
	}
	return fault.New(fault.Malformed, "the request body is not valid JSON: %s at byte %d", c.bad, c.pos)
}

type checker struct {
	data []byte
	pos  int
	bad  string
}

func (c *checker) fail(why string) {
	if c.bad == "" {
		c.bad = why
	}
}

func (c *checker) space() {
	for c.pos < len(c.data) {
		switch c.data[c.pos] {
		case ' ', '\n', '\r', '\t':
			c.pos++
		default:
			return
		}
	}
}

func (c *checker) peek() byte {
	if c.pos < len(c.data) {
		return c.data[c.pos]
	}
	return 0
}

func (c *checker) value(depth int) {
	if depth > maxDepth {
		c.fail("nesting is too deep")
		return
	}
	switch ch := c.peek(); {
	case ch == '{':
		c.sequence('}', depth, true)
	case ch == '[':
		c.sequence(']', depth, false)
	case ch == '"':
		c.str()
	case ch == 't':
		c.word("true")
	case ch == 'f':
		c.word("false")
	case ch == 'n':
		c.word("null")
	case ch == '-' || ch >= '0' && ch <= '9':
		c.number()
	case c.pos >= len(c.data):
		c.fail("unexpected end")
	default:
		c.fail("unexpected character")
	}
}

func (c *checker) sequence(end byte, depth int, members bool) {
	c.pos++
	c.space()
	if c.peek() == end {
		c.pos++
		return
	}
	for c.bad == "" {
		if members {
			if c.peek() != '"' {
				c.fail("expected a member name")
				return
			}
			c.str()
			c.space()
			if c.bad == "" && c.peek() != ':' {
				c.fail("expected a colon")
			}
			if c.bad != "" {
				return
			}
			c.pos++
			c.space()
		}
		c.value(depth + 1)
		c.space()
		if c.bad != "" {
			return
		}
		switch c.peek() {
		case ',':
			c.pos++
			c.space()
		case end:
			c.pos++
			return
		default:
			c.fail("expected a comma or the end of the list")
		}
	}
}

func (c *checker) word(w string) {
	if len(c.data)-c.pos < len(w) || string(c.data[c.pos:c.pos+len(w)]) != w {
		c.fail("unexpected word")
		return
	}
	c.pos += len(w)
}

func (c *checker) digits() bool {
	start := c.pos
	for c.pos < len(c.data) && c.data[c.pos] >= '0' && c.data[c.pos] <= '9' {
		c.pos++
	}
	return c.pos > start
}

func (c *checker) number() {
	if c.peek() == '-' {
		c.pos++
	}
	if c.peek() == '0' {
		c.pos++
	} else if !c.digits() {
		c.fail("expected a digit")
		return
	}
	if c.peek() == '.' {
		c.pos++
		if !c.digits() {
			c.fail("expected a digit")
			return
		}
	}
	if ch := c.peek(); ch == 'e' || ch == 'E' {
		c.pos++
		if ch := c.peek(); ch == '+' || ch == '-' {
			c.pos++
		}
		if !c.digits() {
			c.fail("expected a digit")
		}
	}
}

func (c *checker) str() {
	data := c.data
	for i := c.pos + 1; i < len(data); i++ {
		switch ch := data[i]; {
		case ch == '"':
			c.pos = i + 1
			return
		case ch == '\\':
			i++
			if i >= len(data) {
				break
			}
			switch data[i] {
			case '"', '\\', '/', 'b', 'f', 'n', 'r', 't':
			case 'u':
				if i+4 >= len(data) || !hex4(data[i+1:i+5]) {
					c.pos = i
					c.fail("bad \\u escape")
					return
				}
				i += 4
			default:
				c.pos = i
				c.fail("bad escape")
				return
			}
		case ch < 0x20:
			c.pos = i
			c.fail("control character in a string")
			return
		}
	}
	c.pos = len(data)
	c.fail("unterminated string")
}

func hex4(b []byte) bool {
	for _, ch := range b {
		if !(ch >= '0' && ch <= '9' || ch|0x20 >= 'a' && ch|0x20 <= 'f') {
			return false
		}
	}
	return true
}

// The methods below read text that valid has accepted.

func (r *Reader) skipSpace() {
	for r.pos < len(r.data) {
		switch r.data[r.pos] {
		case ' ', '\n', '\r', '\t':
			r.pos++
		default:
			return
		}
	}
}

// endString returns the position of the closing quote of the string that starts
// at pos, and whether the string contains an escape.
func (r *Reader) endString() (end int, escaped bool) {
	for i := r.pos + 1; ; i++ {
		switch r.data[i] {
		case '"':
			return i, escaped
		case '\\':
			escaped = true
			i++
		}
	}
}

func (r *Reader) skip() {
	depth := 0
	for {
		switch r.data[r.pos] {
		case '"':
			end, _ := r.endString()
			r.pos = end + 1
		case '{', '[':
			depth++
			r.pos++
		case '}', ']':
			depth--
			r.pos++
		case ' ', '\n', '\r', '\t', ',', ':':
			r.pos++
		default:
			for r.pos < len(r.data) && !delimiter(r.data[r.pos]) {
				r.pos++
			}
		}
		if depth == 0 {
			return
		}
	}
}

func delimiter(c byte) bool {
	switch c {
	case ',', '}', ']', ' ', '\n', '\r', '\t', ':':
		return true
	}
	return false
}

// str consumes a string. Invalid UTF-8 and lone surrogates become U+FFFD.
func (r *Reader) str() string {
	end, escaped := r.endString()
	raw := r.data[r.pos+1 : end]
	r.pos = end + 1
	if !escaped && utf8.Valid(raw) {
		return string(raw)
	}
	return unquote(raw)
}

// unquote resolves escapes and replaces invalid UTF-8. It allocates the result
// once, since one document may be most of a request.
func unquote(raw []byte) string {
	var out strings.Builder
	out.Grow(len(raw))
	for i := 0; i < len(raw); {
		run := len(raw) - i
		if n := bytes.IndexByte(raw[i:], '\\'); n >= 0 {
			run = n
		}
		if run > 0 {
			writeValid(&out, raw[i:i+run])
			i += run
			continue
		}
		if raw[i+1] != 'u' {
			out.WriteByte(unescape(raw[i+1]))
			i += 2
			continue
		}
		n := hexRune(raw[i+2:])
		i += 6
		if utf16.IsSurrogate(n) {
			second := rune(utf8.RuneError)
			if i+5 < len(raw) && raw[i] == '\\' && raw[i+1] == 'u' {
				second = utf16.DecodeRune(n, hexRune(raw[i+2:]))
			}
			n = second
			if second != utf8.RuneError {
				i += 6
			}
		}
		out.WriteRune(n)
	}
	return out.String()
}

func writeValid(out *strings.Builder, raw []byte) {
	if utf8.Valid(raw) {
		out.Write(raw)
		return
	}
	for len(raw) > 0 {
		n, size := utf8.DecodeRune(raw)
		out.WriteRune(n)
		raw = raw[size:]
	}
}

func unescape(c byte) byte {
	switch c {
	case 'b':
		return '\b'
	case 'f':
		return '\f'
	case 'n':
		return '\n'
	case 'r':
		return '\r'
	case 't':
		return '\t'
	}
	return c
}

func hexRune(b []byte) rune {
	n, _ := strconv.ParseUint(string(b[:4]), 16, 32)
	return rune(n)
}

// object consumes an object and calls f before each value with the member's name;
// f must consume the value. The name is valid only during the call.
func (r *Reader) object(f func(key []byte)) {
	r.pos++
	r.skipSpace()
	for r.data[r.pos] != '}' {
		end, escaped := r.endString()
		key := r.data[r.pos+1 : end]
		if escaped {
			key = []byte(unquote(key))
		}
		r.pos = end + 1
		r.skipSpace()
		r.pos++ // the colon
		r.skipSpace()
		f(key)
		r.skipSpace()
		if r.data[r.pos] == ',' {
			r.pos++
			r.skipSpace()
		}
	}
	r.pos++
}

// array consumes an array, calling f before each element, which f consumes.
func (r *Reader) array(f func(i int)) {
	r.pos++
	r.skipSpace()
	for i := 0; r.data[r.pos] != ']'; i++ {
		r.path = append(r.path, step{index: i})
		f(i)
		r.path = r.path[:len(r.path)-1]
		r.skipSpace()
		if r.data[r.pos] == ',' {
			r.pos++
			r.skipSpace()
		}
	}
	r.pos++
}
