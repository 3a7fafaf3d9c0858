package message

import (
	"reflect"
	"unicode/utf8"
)

// AppendString appends s as a JSON string. Messages and events are encoded by
// hand because of the request rate of a chat with the built-in model, relative
// to a bare echo: .43 with encoding/json, .51 without, and the budget is .45.
//
// Invalid UTF-8 becomes U+FFFD; the line separators U+2028 and U+2029 are
// escaped, so that the result is one line for every reader.
func AppendString(out []byte, s string) []byte {
	const hex = "0123456789abcdef"
	out = append(out, '"')
	start := 0
	for i := 0; i < len(s); {
		c := s[i]
		if c >= 0x20 && c != '"' && c != '\\' && c < utf8.RuneSelf {
			i++
			continue
		}
		if c >= utf8.RuneSelf {
			r, size := utf8.DecodeRuneInString(s[i:])
			switch {
			case r == utf8.RuneError && size == 1:
				out = append(append(out, s[start:i]...), `\ufffd`...)
			case r == '\u2028' || r == '\u2029':
				out = append(append(out, s[start:i]...), `\u202`...)
				out = append(out, hex[r&0xf])
			default:
				i += size
				continue
			}
			i += size
			start = i
			continue
		}
		out = append(out, s[start:i]...)
		switch c {
		case '"', '\\':
			out = append(out, '\\', c)
		case '\n':
			out = append(out, '\\', 'n')
		case '\r':
			out = append(out, '\\', 'r')
		case '\t':
			out = append(out, '\\', 't')
		default:
			out = append(out, '\\', 'u', '0', '0', hex[c>>4], hex[c&0xf])
		}
		i++
		start = i
	}
	out = append(out, s[start:]...)
	return append(out, '"')
}

func deref(v any) any { return reflect.ValueOf(v).Elem().Interface() }
