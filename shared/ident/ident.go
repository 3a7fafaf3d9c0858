// Package ident makes fresh ids. Callers take a Source from their
// dependencies, so that tests can pin every id.
package ident

import (
	"crypto/rand"
	"encoding/binary"
	"fmt"
	"strconv"
	"strings"
	"sync/atomic"
	"time"
)

// Source makes ids. Safe for concurrent use.
type Source interface {
	// Fresh returns an unguessable id: prefix, then 24 letters and digits.
	Fresh(prefix string) string
	// Ordered returns a ULID of the present: ids of later milliseconds sort
	// after earlier ones.
	Ordered() string
}

// Random is the Source of a running service.
type Random struct{ Now func() time.Time }

const crockford = "0123456789ABCDEFGHJKMNPQRSTVWXYZ"
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
	var raw [16]byte
	rand.Read(raw[6:])
	putMillis(&raw, r.Now())
	return ulid(raw)
}

// Time returns the time that an ordered id was made at; the zero time for what
// is no ULID.
func Time(id string) time.Time {
	if len(id) != 26 {
		return time.Time{}
	}
	var ms int64
	for i := range 10 {
		digit := strings.IndexByte(crockford, id[i])
		if digit < 0 {
			return time.Time{}
		}
		ms = ms<<5 | int64(digit)
	}
	return time.UnixMilli(ms)
}

// After returns an ordered id that sorts after another one: the fresh one, or
// where that was made in the same millisecond or by a slower clock, the least
// that does.
func After(fresh, other string) string {
	if fresh > other {
		return fresh
	}
	next := []byte(other)
	for i := len(next) - 1; i >= 0; i-- {
		if digit := strings.IndexByte(crockford, next[i]); digit+1 < len(crockford) {
			next[i] = crockford[digit+1]
			return string(next)
		}
		next[i] = crockford[0]
	}
	return fresh
}

// UUID returns the UUID, version 7, of an ordered id's time and symbols.
func UUID(ordered string) string {
	var hi, lo uint64
	for i := range len(ordered) {
		hi = hi<<5 | lo>>59
		lo = lo<<5 | uint64(max(0, strings.IndexByte(crockford, ordered[i])))
	}
	hi = hi&^0xf000 | 0x7000
	lo = lo&^(3<<62) | 2<<62
	return fmt.Sprintf("%08x-%04x-%04x-%04x-%012x", hi>>32, hi>>16&0xffff, hi&0xffff, lo>>48, lo&(1<<48-1))
}

func putMillis(raw *[16]byte, now time.Time) {
	ms := uint64(now.UnixMilli())
	binary.BigEndian.PutUint16(raw[0:], uint16(ms>>32))
	binary.BigEndian.PutUint32(raw[2:], uint32(ms))
}

func ulid(raw [16]byte) string {
	hi, lo := binary.BigEndian.Uint64(raw[:8]), binary.BigEndian.Uint64(raw[8:])
	var out [26]byte
	for i := 25; i >= 0; i-- {
		out[i] = crockford[lo&31]
		lo = lo>>5 | hi<<59
		hi >>= 5
	}
	return string(out[:])
}

// Counting is a Source for tests: ids count from one.
type Counting struct{ n atomic.Int64 }

// Fresh returns prefix and the next number.
func (c *Counting) Fresh(prefix string) string { return prefix + strconv.FormatInt(c.n.Add(1), 10) }

// Ordered returns the next number in a ULID's length.
func (c *Counting) Ordered() string {
	return strings.Repeat("0", 16) + fmt.Sprintf("%010d", c.n.Add(1))
}
