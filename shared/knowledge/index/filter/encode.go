// Package filter says what metadata conditions mean, once for all drivers.
//
// Metadata becomes a list of keywords, each a key, a type and a value whose
// byte order is the value's order; a condition becomes clauses over such
// keywords: equal to, between, or containing. The embedded driver evaluates
// clauses with Match; a search engine stores the list in one keyword field
// and translates the clauses. Metadata of any shape thus needs one field, and
// both answer alike.
//
// Keys of nested objects are joined with dots. A list stands for each of its
// elements. Types never compare with one another: "5" is not 5. A string that
// is an RFC 3339 time or date also stands for the instant. Numbers compare as
// 64-bit floats. Strings longer than MaxValue bytes compare by their
// beginning and a hash.
package filter

import (
	"bytes"
	"crypto/sha256"
	"encoding/binary"
	"encoding/hex"
	"encoding/json"
	"math"
	"slices"
	"strconv"
	"time"
	"unicode/utf8"

	"lectern/shared/text/terms"
)

// MaxValue is how many bytes of a string value take part in ranges and
// "contains".
const MaxValue = 1024

// The types, in the keyword after the key. They are separated from the key by
// a character that no key contains.
const (
	separator = "\x1f"

	isThere  = "e" // the key has a value that is not empty
	isBool   = "b"
	isNumber = "n"
	isString = "s"
	isTime   = "t"
	isWord   = "w" // a folded word of a string
	isWhole  = "l" // hash of a whole list or object
)

// Encode returns the keywords of metadata, sorted and without repeats.
func Encode(metadata map[string]any) []string {
	var list []string
	for key, value := range metadata {
		list = encode(list, clean(key), value)
	}
	slices.Sort(list)
	return slices.Compact(list)
}

func encode(list []string, key string, value any) []string {
	switch v := value.(type) {
	case nil:
		return list
	case map[string]any:
		if len(v) == 0 {
			return list
		}
		list = append(list, keyword(key, isThere, ""), keyword(key, isWhole, digest(v)))
		for k, child := range v {
			list = encode(list, key+"."+clean(k), child)
		}
		return list
	case []any:
		if len(v) == 0 {
			return list
		}
		list = append(list, keyword(key, isThere, ""), keyword(key, isWhole, digest(v)))
		for _, child := range v {
			if _, nested := child.([]any); !nested {
				list = encode(list, key, child)
			}
		}
		return list
	case []string:
		return encode(list, key, anys(v))
	case string:
		if v == "" {
			return list
		}
		list = append(list, keyword(key, isThere, ""), keyword(key, isString, text(v)))
		if at, ok := instant(v); ok {
			list = append(list, keyword(key, isTime, at))
		}
		terms.Scan(v[:min(len(v), 8*MaxValue)], func(word []byte, _, _ int, _ bool) {
			list = append(list, keyword(key, isWord, string(word)))
		})
		return list
	case bool:
		return append(list, keyword(key, isThere, ""), keyword(key, isBool, strconv.FormatBool(v)))
	}
	if n, ok := number(value); ok {
		return append(list, keyword(key, isThere, ""), keyword(key, isNumber, n))
	}
	return list
}

func keyword(key, kind, value string) string { return key + separator + kind + value }

// clean removes control characters from a key, the separator among them.
func clean(key string) string {
	if len(key) > MaxValue {
		key = text(key)
	}
	for i := range len(key) {
		if key[i] < ' ' {
			return string(bytes.Map(func(r rune) rune {
				if r < ' ' {
					return ' '
				}
				return r
			}, []byte(key)))
		}
	}
	return key
}

// text returns s, or the beginning of a long one and its hash.
func text(s string) string {
	if len(s) <= MaxValue {
		return s
	}
	cut := MaxValue
	for cut > 0 && !utf8.RuneStart(s[cut]) {
		cut--
	}
	sum := sha256.Sum256([]byte(s))
	return s[:cut] + "\x1e" + hex.EncodeToString(sum[:8])
}

// number returns a value's order-preserving digits.
func number(value any) (string, bool) {
	var f float64
	switch v := value.(type) {
	case float64:
		f = v
	case float32:
		f = float64(v)
	case int:
		f = float64(v)
	case int32:
		f = float64(v)
	case int64:
		f = float64(v)
	case uint64:
		f = float64(v)
	case json.Number:
		var err error
		if f, err = v.Float64(); err != nil {
			return "", false
		}
	default:
		return "", false
	}
	if math.IsNaN(f) {
		return "", false
	}
	if f == 0 {
		f = 0 // one zero
	}
	bits := math.Float64bits(f)
	if bits>>63 != 0 {
		bits = ^bits
	} else {
		bits |= 1 << 63
	}
	return ordered(bits), true
}

// instant returns a time's order-preserving digits: seconds and nanoseconds.
func instant(s string) (string, bool) {
	if len(s) < len("2006-01-02") || s[4] != '-' || s[7] != '-' {
		return "", false
	}
	at, err := time.Parse(time.RFC3339Nano, s)
	if err != nil {
		if at, err = time.Parse(time.DateOnly, s); err != nil {
			return "", false
		}
	}
	return ordered(uint64(at.Unix())^1<<63) + ordered(uint64(at.Nanosecond()))[8:], true
}

func ordered(bits uint64) string {
	var b [8]byte
	binary.BigEndian.PutUint64(b[:], bits)
	return hex.EncodeToString(b[:])
}

// digest identifies a list or object: encoding/json writes keys in order, and
// numbers of any type alike.
func digest(v any) string {
	raw, err := json.Marshal(v)
	if err != nil {
		return ""
	}
	var same any
	if json.Unmarshal(raw, &same) == nil {
		raw, _ = json.Marshal(same)
	}
	sum := sha256.Sum256(raw)
	return hex.EncodeToString(sum[:12])
}

func anys(list []string) []any {
	out := make([]any, len(list))
	for i, s := range list {
		out[i] = s
	}
	return out
}
