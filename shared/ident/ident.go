// Package ident makes fresh ids. Callers receive a Source, so that tests can pin
// every id.
package ident

import (
	"crypto/rand"
	"fmt"
	"strconv"
	"strings"
	"sync/atomic"
	"time"

	"github.com/oklog/ulid/v2"
)

// Source makes ids. Safe for concurrent use.
type Source interface {
	// Fresh returns an unguessable id: prefix, then 24 letters and digits.
	Fresh(prefix string) string
	// Ordered returns a ULID of the current time: ids of later milliseconds sort
	// after earlier ones.
	Ordered() string
}

// Random is the Source of a running service.
type Random struct{ Now func() time.Time }

const alphanumeric = "abcdefghijkmnpqrstuvwxyzABCDEFGHJKLMNPQRSTUVWXYZ0123456789abcdef" // 64 symbols

// Fresh returns prefix and 24 random symbols, 18 bytes of entropy.
func (Random) Fresh(prefix string) string {
	var raw [24]byte
	rand.Read(raw[:])
	out := make([]byte, 0, len(prefix)+len(raw))
	out = append(out, prefix...)
	for _, b := range raw {
		out = append(out, alphanumeric[b&63])
	}
	return string(out)
}

// Ordered returns a ULID.
func (r Random) Ordered() string {
	return ulid.MustNew(ulid.Timestamp(r.Now()), rand.Reader).String()
}

// Time returns the time at which an ordered id was made; the zero time if id is
// not a ULID.
func Time(id string) time.Time {
	u, err := ulid.ParseStrict(id)
	if err != nil {
		return time.Time{}
	}
	return u.Timestamp()
}

// After returns an ordered id greater than other: fresh, or, if fresh is not (same
// millisecond, slower clock), the smallest id that is.
func After(fresh, other string) string {
	if fresh > other {
		return fresh
	}
	next := []byte(other)
	for i := len(next) - 1; i >= 0; i-- {
		if digit := strings.IndexByte(ulid.Encoding, next[i]); digit+1 < len(ulid.Encoding) {
			next[i] = ulid.Encoding[digit+1]
			return string(next)
		}
		next[i] = ulid.Encoding[0]
	}
	return fresh
}

// UUID returns a UUID version 7 with the time and randomness of an ordered id.
func UUID(ordered string) string {
	u, _ := ulid.Parse(ordered) // zero if it is not a ULID
	u[6] = u[6]&0x0f | 0x70
	u[8] = u[8]&0x3f | 0x80
	return fmt.Sprintf("%x-%x-%x-%x-%x", u[:4], u[4:6], u[6:8], u[8:10], u[10:])
}

// Counting is a Source for tests: ids count up from 1.
type Counting struct{ n atomic.Int64 }

// Fresh returns prefix and the next number.
func (c *Counting) Fresh(prefix string) string { return prefix + strconv.FormatInt(c.n.Add(1), 10) }

// Ordered returns the next number in a ULID's length.
func (c *Counting) Ordered() string {
	return strings.Repeat("0", 16) + fmt.Sprintf("%010d", c.n.Add(1))
}
