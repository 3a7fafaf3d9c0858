// Package record is the port for small values found by a partition and a sort
// key: the artifacts' registry, files, tasks, logs of async messages.
//
// The contract is what one DynamoDB table without transactions can keep: one
// item is written atomically and under a condition, nothing spans two items.
// Whatever needs more is the caller's protocol, built from conditions.
package record

import (
	"context"
	"io"
	"iter"
	"strings"
	"time"

	"lectern/shared/fault"
)

// The limits every driver enforces; beyond them writes are fault.Invalid.
const (
	MaxKeyBytes   = 512
	MaxValueBytes = 300 << 10
	// MaxPageItems is the largest Range.Limit, and the limit when none is given.
	MaxPageItems = 1000
)

// Key names an item. Both parts are 1 to 512 bytes of [A-Za-z0-9/_.#-]; a
// caller with freer text hashes it. Items of a partition are ordered by the
// bytes of Sort.
type Key struct {
	Partition string
	Sort      string
}

// Item is one stored value.
type Item struct {
	Key
	// Value belongs to the store once it is given to Put, and to the caller
	// once it is returned. Nil and empty are the same. An item whose stored
	// bytes are damaged is returned without its value and version: it exists,
	// and what it said is not known.
	Value []byte
	// Version is chosen by the writer and names this very write, so that a
	// writer whose answer was lost recognises its own item. Empty on Put
	// means a fresh random one, which the writer does not learn.
	Version string
	// Expires, when not zero, hides the item from then on: it reads as
	// absent to every method, conditions included, although it may be
	// removed from disk later. Precision is one second, rounded up.
	Expires time.Time
}

// Condition is what must hold of the stored item for a write to happen. The
// zero value is Any.
type Condition struct {
	kind    conditionKind
	version string
}

type conditionKind int

const (
	anyState conditionKind = iota
	absent
	versionIs
)

// Any holds always.
func Any() Condition { return Condition{} }

// Absent holds when no item, or only an expired one, is stored under the key.
func Absent() Condition { return Condition{kind: absent} }

// VersionIs holds when the stored item has this version.
func VersionIs(v string) Condition { return Condition{kind: versionIs, version: v} }

// Split tells a driver what the condition is: whether it asks for absence,
// and else which version it asks for; neither means Any.
func (c Condition) Split() (wantAbsent bool, wantVersion string, wantsVersion bool) {
	return c.kind == absent, c.version, c.kind == versionIs
}

// Holds reports whether the condition holds of the stored item; found is
// false when there is none.
func (c Condition) Holds(version string, found bool) bool {
	switch c.kind {
	case absent:
		return !found
	case versionIs:
		return found && version == c.version
	}
	return true
}

// Range asks for items of one partition in order of their sort keys.
type Range struct {
	Partition string
	// Prefix keeps the items whose sort key begins with it.
	Prefix string
	// After and Before are exclusive bounds on the sort key, in key order
	// whatever the direction; empty means unbounded. They need not exist.
	After  string
	Before string
	// Reverse reads from the last key to the first.
	Reverse bool
	// Limit is the most items wanted, 1 to MaxPageItems; 0 means
	// MaxPageItems.
	Limit int
}

// Page is one answer of Range.
type Page struct {
	Items []Item
	// Next is empty at the end. Otherwise it is the cursor of the next page:
	// its After, or its Before when Reverse. A page may be short,
	// even empty, and still have a Next; a full last page may have one too.
	Next string
}

// Store keeps items. All methods are safe for concurrent use, and every read
// sees every write that was answered before the read began. A write that
// returns an error other than Conflict or Invalid may have happened. So may one
// that returns Conflict: a driver repeats a request whose answer was lost, and
// another writer may have come in between.
//
// Errors: fault.Invalid for a key, value or limit out of bounds,
// fault.Unavailable when the store cannot be reached or is closed.
type Store interface {
	// Find returns one item; fault.NotFound when it is absent or expired.
	Find(ctx context.Context, key Key) (Item, error)

	// FindMany returns the items that exist, in the order of keys, each key
	// once; the missing are left out. Each read is strong, together they are
	// no snapshot. Any number of keys.
	FindMany(ctx context.Context, keys []Key) ([]Item, error)

	// Put writes one item whole. When the condition fails it is
	// fault.Conflict, except that an item stored with this very Version is
	// success: the writer's earlier try had arrived.
	Put(ctx context.Context, item Item, cond Condition) error

	// PutMany writes items unconditionally, in no order and not as one: an
	// error may leave some written. Of two items with one key the last wins.
	PutMany(ctx context.Context, items []Item) error

	// Delete removes one item. Where there is none it succeeds under Any and
	// Absent, and is fault.Conflict under VersionIs. A call whose first answer
	// was lost may be a Conflict although it removed the item.
	Delete(ctx context.Context, key Key, cond Condition) error

	// Range returns one page of a partition. An unknown partition is an
	// empty page.
	Range(ctx context.Context, r Range) (Page, error)

	// Close releases the store; later calls are fault.Unavailable.
	Close() error
}

// All walks every page of r, from its bounds on; r.Limit is the page size. It
// ends after its first error.
func All(ctx context.Context, s Store, r Range) iter.Seq2[Item, error] {
	return func(yield func(Item, error) bool) {
		for {
			page, err := s.Range(ctx, r)
			if err != nil {
				yield(Item{}, err)
				return
			}
			for _, it := range page.Items {
				if !yield(it, nil) {
					return
				}
			}
			if page.Next == "" {
				return
			}
			if r.Reverse {
				r.Before = page.Next
			} else {
				r.After = page.Next
			}
		}
	}
}

// CheckKey returns fault.Invalid when the key breaks the rules of Key.
// Drivers call it before every read and write of one item.
func CheckKey(k Key) error {
	if err := checkPart("partition", k.Partition, false); err != nil {
		return err
	}
	return checkPart("sort key", k.Sort, false)
}

// CheckItem returns fault.Invalid when the item breaks the rules of Item.
func CheckItem(it Item) error {
	if err := CheckKey(it.Key); err != nil {
		return err
	}
	if len(it.Value) > MaxValueBytes {
		return fault.New(fault.Invalid, "a record of %d bytes is over the limit of %d", len(it.Value), MaxValueBytes)
	}
	if len(it.Version) > MaxKeyBytes {
		return fault.New(fault.Invalid, "a record's version of %d bytes is over the limit of %d", len(it.Version), MaxKeyBytes)
	}
	return nil
}

// CheckRange returns r with its limit settled, or fault.Invalid.
func CheckRange(r Range) (Range, error) {
	if err := checkPart("partition", r.Partition, false); err != nil {
		return r, err
	}
	for _, s := range []string{r.Prefix, r.After, r.Before} {
		if err := checkPart("sort key", s, true); err != nil {
			return r, err
		}
	}
	if r.Limit < 0 {
		return r, fault.New(fault.Invalid, "a range's limit of %d is negative", r.Limit)
	}
	if r.Limit == 0 || r.Limit > MaxPageItems {
		r.Limit = MaxPageItems
	}
	return r, nil
}

func checkPart(what, s string, mayBeEmpty bool) error {
	if s == "" && !mayBeEmpty {
		return fault.New(fault.Invalid, "a record's %s is empty", what)
	}
	if len(s) > MaxKeyBytes {
		return fault.New(fault.Invalid, "a record's %s of %d bytes is over the limit of %d", what, len(s), MaxKeyBytes)
	}
	if i := strings.IndexFunc(s, badKeyRune); i >= 0 {
		return fault.New(fault.Invalid, "a record's %s %q holds a character outside A-Z a-z 0-9 / _ . # -", what, s)
	}
	return nil
}

func badKeyRune(r rune) bool {
	switch {
	case r >= 'a' && r <= 'z', r >= 'A' && r <= 'Z', r >= '0' && r <= '9':
		return false
	case r == '/', r == '_', r == '.', r == '-', r == '#':
		return false
	}
	return true
}

// Snapshotter is a store that can be copied while it is used.
type Snapshotter interface {
	// Snapshot calls to once with the size of the copy and a function that writes
	// it: the whole store at one moment, in a form that the driver opens.
	Snapshot(ctx context.Context, to func(size int64, write func(io.Writer) error) error) error
}

// Lister is a store that can tell its partitions.
type Lister interface {
	// Partitions yields the partitions whose names begin with a prefix, in order.
	Partitions(ctx context.Context, prefix string) iter.Seq2[string, error]
}
