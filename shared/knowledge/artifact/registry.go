package artifact

import (
	"context"
	"crypto/sha256"
	"encoding/hex"
	"encoding/json"
	"fmt"
	"iter"
	"net/url"
	"strings"
	"time"

	"lectern/shared/auth"
	"lectern/shared/fault"
	"lectern/shared/message"
	"lectern/shared/storage/record"
	"lectern/shared/storage/spread"
)

// entry is the registry item of an artifact.
type entry struct {
	Collection string         `json:"c"`
	Artifact   string         `json:"a"`
	Want       string         `json:"want"`            // generation accepted last
	Deferred   bool           `json:"later,omitempty"` // Want belongs to a task, which another process may go on with
	Live       string         `json:"live,omitempty"`  // generation that is shown; "" when none is
	Deleted    bool           `json:"del,omitempty"`   // a tombstone
	Hash       string         `json:"hash,omitempty"`  // of what went into the live generation
	Doc        map[string]any `json:"doc,omitempty"`   // doc_metadata of the live generation
	Given      []string       `json:"own,omitzero"`    // names of Doc that the caller gave; nil in entries that do not tell
	Chunks     int            `json:"n,omitempty"`
	Bytes      int            `json:"b,omitempty"` // of the stored text
	Original   bool           `json:"o,omitempty"` // its bytes are kept too; false in entries that do not tell
	Created    time.Time      `json:"t0,omitzero"`
	Updated    time.Time      `json:"t,omitzero"`

	version  string // of the stored item; "" when there is none
	previous string // generation that the last commit replaced
}

// tombstoneLife is how long a deleted artifact fences off late writers.
const tombstoneLife = 24 * time.Hour

const collectionsPartition = "collections"

// registryName is the name under which a collection's entries are spread.
func registryName(collection string) string { return "artifacts/" + keyOf(collection) }

// keyOf makes a record key of a name: readable for plain names, and in the
// order of the names' bytes as far as these are plain. A long name is cut and
// told apart by its hash.
func keyOf(name string) string {
	var out strings.Builder
	for i := range len(name) {
		c := name[i]
		switch {
		case c >= 'a' && c <= 'z', c >= 'A' && c <= 'Z', c >= '0' && c <= '9', c == '-', c == '.':
			out.WriteByte(c)
		default:
			fmt.Fprintf(&out, "_%02X", c)
		}
	}
	if key := out.String(); len(key) <= 300 {
		return key
	}
	sum := sha256.Sum256([]byte(name))
	return out.String()[:200] + "_" + hex.EncodeToString(sum[:])
}

// placeOf is the place of an artifact's entry among the partitions of its collection:
// the first digit of its folder, so that one place of all collections tells all about
// the folders that begin with the digit.
func placeOf(collection, artifact string) int {
	digit := folder(collection, artifact)[len(documentsFolder)]
	if digit >= 'a' {
		return int(digit-'a') + 10
	}
	return int(digit - '0')
}

func entryKey(collection, artifact string) spread.Key {
	return spread.Key{Name: registryName(collection), Place: placeOf(collection, artifact), Sort: keyOf(artifact)}
}

// find returns the registry item; a fresh one, without version, when there is
// none.
func (s *Service) find(ctx context.Context, collection, artifact string) (*entry, error) {
	item, err := spread.Find(ctx, s.Records, entryKey(collection, artifact))
	if fault.Is(err, fault.NotFound) {
		return &entry{Collection: collection, Artifact: artifact}, nil
	}
	if err != nil {
		return nil, err
	}
	return s.orFresh(ctx, item, &entry{Collection: collection, Artifact: artifact}), nil
}

// adopt moves the entries of a collection to their places that an earlier version
// kept in one partition.
func (s *Service) adopt(ctx context.Context, collection string) error {
	moved, err := spread.Adopt(ctx, s.Records, registryName(collection), func(item record.Item) int {
		e, err := decodeEntry(item)
		if err == nil {
			return placeOf(e.Collection, e.Artifact)
		}
		if name := nameOf(item.Sort); name != "" {
			return placeOf(collection, name)
		}
		return -1
	}, func(old, there record.Item) bool {
		before, err := decodeEntry(old)
		now, broken := decodeEntry(there)
		return err == nil && broken == nil && before.Want > now.Want
	})
	if moved > 0 {
		s.Log.InfoContext(ctx, "registry items were spread over partitions", "collection", collection, "items", moved)
	}
	return err
}

// orFresh decodes an item. A damaged one reads as fresh, and is replaced by the
// next ingest or delete of its artifact.
func (s *Service) orFresh(ctx context.Context, item record.Item, fresh *entry) *entry {
	e, err := decodeEntry(item)
	if err != nil {
		s.logDamaged(ctx, item)
		fresh.version = item.Version
		return fresh
	}
	return e
}

func decodeEntry(item record.Item) (*entry, error) {
	e := &entry{version: item.Version}
	if err := json.Unmarshal(item.Value, e); err != nil {
		return nil, fmt.Errorf("registry item %s/%s: %w", item.Partition, item.Sort, err)
	}
	return e, nil
}

// change lets f change the registry item, a fresh one when there is none, and
// writes it. f returns false to leave it alone; it may be called several times.
func (s *Service) change(ctx context.Context, collection, artifact string, f func(*entry) (bool, error)) (*entry, error) {
	var e *entry
	err := spread.Update(ctx, s.Records, entryKey(collection, artifact),
		func(old record.Item, found bool) (record.Item, record.Action, error) {
			e = &entry{Collection: collection, Artifact: artifact}
			if found {
				e = s.orFresh(ctx, old, e)
			}
			if write, err := f(e); err != nil || !write {
				return record.Item{}, record.Leave, err
			}
			value, err := json.Marshal(e)
			if err != nil {
				return record.Item{}, record.Leave, fmt.Errorf("encode registry item: %w", err)
			}
			e.version = s.IDs.Ordered()
			item := record.Item{Value: value, Version: e.version}
			if e.Deleted {
				item.Expires = s.Now().Add(tombstoneLife)
			}
			return item, record.Write, nil
		})
	return e, err
}

// nameOf is the inverse of keyOf; empty for the key of a long name.
func nameOf(key string) string {
	if len(key) > 200 && strings.LastIndexByte(key, '_') == 200 {
		return ""
	}
	raw, err := url.PathUnescape(strings.ReplaceAll(key, "_", "%"))
	if err != nil {
		return ""
	}
	return raw
}

// entries yields the registry items of a collection after an artifact, in the order
// of their keys. Damaged items are skipped and logged. page is how many are wanted,
// about; 0 means all.
func (s *Service) entries(ctx context.Context, name, after string, page int) iter.Seq2[*entry, error] {
	return func(yield func(*entry, error) bool) {
		for e, err := range s.entriesAfter(ctx, name, after, page) {
			if e == nil && err == nil {
				continue
			}
			if !yield(e, err) {
				return
			}
		}
	}
}

// everyEntry yields the registry items of a collection, nil for a damaged one.
func (s *Service) everyEntry(ctx context.Context, name string) iter.Seq2[*entry, error] {
	return s.entriesAfter(ctx, name, "", 0)
}

func (s *Service) entriesAfter(ctx context.Context, name, after string, page int) iter.Seq2[*entry, error] {
	if after != "" {
		after = keyOf(after)
	}
	return s.decoded(ctx, spread.All(ctx, s.Records, registryName(name), after, page))
}

// decoded yields the entries of items, nil for a damaged one.
func (s *Service) decoded(ctx context.Context, items iter.Seq2[record.Item, error]) iter.Seq2[*entry, error] {
	return func(yield func(*entry, error) bool) {
		for item, err := range items {
			var e *entry
			if err == nil {
				var broken error
				if e, broken = decodeEntry(item); broken != nil {
					s.logDamaged(ctx, item)
					e = nil
				}
			}
			if !yield(e, err) || err != nil {
				return
			}
		}
	}
}

// logDamaged tells of an item that cannot be decoded. Whoever ingests the
// artifact again replaces it.
func (s *Service) logDamaged(ctx context.Context, item record.Item) {
	s.Log.ErrorContext(ctx, "a damaged registry item is skipped", "partition", item.Partition, "key", item.Sort)
}

// CheckContext reports the collections and artifacts that the items of a tool's context
// name and that are not there, each at its item. A collection that the caller may not
// use is Forbidden.
func (s *Service) CheckContext(ctx context.Context, items []message.ContextItem) error {
	var problems []fault.Problem
	for i, c := range items {
		if c.Type != "ingested_artifact" || c.ContextFilter == nil {
			continue
		}
		name := c.ContextFilter.Collection
		if err := auth.Check(ctx, name); err != nil {
			return err
		}
		if c.ContextFilter.Artifacts == nil {
			there, err := s.Exists(ctx, name)
			if err != nil {
				return err
			}
			if !there {
				problems = append(problems, fault.Problem{Loc: []any{"context", i, "context_filter", "collection"},
					Msg: fmt.Sprintf("there is no collection %q", name), Type: "value_error"})
			}
			continue
		}
		live, err := s.Live(ctx, name, c.ContextFilter.Artifacts)
		if err != nil {
			return err
		}
		for _, a := range c.ContextFilter.Artifacts {
			if _, ok := live[a]; !ok {
				problems = append(problems, fault.Problem{Loc: []any{"context", i},
					Msg: fmt.Sprintf("collection %q has no artifact %q", name, a), Type: "value_error"})
			}
		}
	}
	if len(problems) > 0 {
		return fault.Problems(problems)
	}
	return nil
}

// Live is a shown artifact.
type Live struct {
	Generation string
	Doc        Doc
	Bytes      int // of its text
}

// Live returns the shown ones of the named artifacts, by name. One whose
// registry item is damaged is not shown.
func (s *Service) Live(ctx context.Context, collection string, artifacts []string) (map[string]Live, error) {
	keys := make([]spread.Key, len(artifacts))
	for i, a := range artifacts {
		keys[i] = entryKey(collection, a)
	}
	items, err := spread.FindMany(ctx, s.Records, keys)
	if err != nil {
		return nil, err
	}
	live := make(map[string]Live, len(items))
	for _, item := range items {
		e, err := decodeEntry(item)
		if err != nil {
			s.logDamaged(ctx, item)
			continue
		}
		if e.Live != "" {
			live[e.Artifact] = Live{e.Live, newDoc(e), e.Bytes}
		}
	}
	return live, nil
}
