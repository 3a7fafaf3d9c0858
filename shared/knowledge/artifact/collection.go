package artifact

import (
	"cmp"
	"context"
	"encoding/json"
	"iter"
	"maps"
	"slices"
	"strings"
	"time"

	"golang.org/x/sync/errgroup"

	"lectern/shared/auth"
	"lectern/shared/fault"
	"lectern/shared/storage/record"
)

// Collection describes a collection. One exists while it holds an artifact
// that is ready.
type Collection struct {
	Name      string    `json:"name"`
	Artifacts int       `json:"artifacts"`
	Chunks    int       `json:"chunks"`
	Bytes     int64     `json:"bytes" doc:"size of the stored text"`
	Embedder  string    `json:"embedding_model"`
	Created   time.Time `json:"created_at" doc:"when its oldest artifact was ingested"`
	Updated   time.Time `json:"updated_at" doc:"when an artifact was last ingested"`
}

// Collections returns the collections that the caller may use, in the order of their
// keys, which is that of the names' bytes for names of letters, digits, dots and
// hyphens. after is a cursor: list collections after this name. limit 0 means all;
// more tells whether others follow. What is not listed is not read.
func (s *Service) Collections(ctx context.Context, after string, limit int) (list []Collection, more bool, err error) {
	list = []Collection{}
	var items []collection
	for item, err := range s.allowed(ctx, after, limit) {
		if err != nil {
			return nil, false, err
		}
		if items = append(items, item); len(items) < describers {
			continue
		}
		if list, more, err = s.describeAll(ctx, list, items, limit); err != nil || more {
			return list, more, err
		}
		items = items[:0]
	}
	return s.describeAll(ctx, list, items, limit)
}

// describers is how many collections are described at once.
const describers = 8

// describeAll appends the descriptions of collections that hold anything, up to the
// limit; more tells whether one is left over.
func (s *Service) describeAll(ctx context.Context, list []Collection, items []collection, limit int) ([]Collection, bool, error) {
	described := make([]Collection, len(items))
	work, working := errgroup.WithContext(ctx)
	for i, item := range items {
		work.Go(func() (err error) {
			described[i], err = s.describe(working, item)
			return err
		})
	}
	if err := work.Wait(); err != nil {
		return nil, false, err
	}
	for _, c := range described {
		if c.Artifacts == 0 {
			continue
		}
		if limit > 0 && len(list) == limit {
			return list, true, nil
		}
		list = append(list, c)
	}
	return list, false, nil
}

// CollectionNames lists the collections that the caller may use and that hold
// anything, in order.
func (s *Service) CollectionNames(ctx context.Context) ([]string, error) {
	names := []string{}
	for item, err := range s.allowed(ctx, "", 0) {
		if err != nil {
			return nil, err
		}
		there, err := s.holds(ctx, item)
		if err != nil {
			return nil, err
		}
		if there {
			names = append(names, item.Name)
		}
	}
	slices.Sort(names)
	return names, nil
}

// Collection describes one; NotFound when it holds nothing.
func (s *Service) Collection(ctx context.Context, name string) (Collection, error) {
	if err := auth.Check(ctx, name); err != nil {
		return Collection{}, err
	}
	item, err := s.collection(ctx, name)
	if err != nil {
		return Collection{}, err
	}
	c, err := s.describe(ctx, item)
	if err == nil && c.Artifacts == 0 {
		err = noCollection(name)
	}
	return c, err
}

// Exists reports whether a collection holds anything.
func (s *Service) Exists(ctx context.Context, name string) (bool, error) {
	item, err := s.collection(ctx, name)
	if err != nil {
		return false, err
	}
	return s.holds(ctx, item)
}

func (s *Service) holds(ctx context.Context, item collection) (bool, error) {
	if item.Sizes != nil {
		return item.Sizes.Artifacts > 0, nil
	}
	for e, err := range s.entries(ctx, item.Name, "", 1) {
		if err != nil {
			return false, err
		}
		if e.Live != "" {
			return true, nil
		}
	}
	return false, nil
}

func noCollection(name string) error { return fault.New(fault.NotFound, "no collection %q", name) }

// describe returns what is kept of a collection's sizes, or counts them and keeps
// that, if nobody can be about to change them.
func (s *Service) describe(ctx context.Context, item collection) (Collection, error) {
	c := Collection{Name: item.Name, Embedder: s.Embedder.Name()}
	if z := item.Sizes; z != nil {
		c.Artifacts, c.Chunks, c.Bytes, c.Created, c.Updated = z.Artifacts, z.Chunks, z.Bytes, z.Created, z.Updated
		return c, nil
	}
	at := s.Now()
	for e, err := range s.entries(ctx, item.Name, "", 0) {
		if err != nil {
			return c, err
		}
		if e.Live == "" {
			continue
		}
		c.Artifacts++
		c.Chunks += e.Chunks
		c.Bytes += int64(e.Bytes)
		if c.Created.IsZero() || e.Created.Before(c.Created) {
			c.Created = e.Created
		}
		if e.Updated.After(c.Updated) {
			c.Updated = e.Updated
		}
	}
	if !s.KeepsSizes || item.version == "" || item.Changed.After(at.Add(-settled)) {
		return c, nil
	}
	item.Sizes = &sizes{c.Artifacts, c.Chunks, c.Bytes, c.Created, c.Updated}
	err := s.saveCollection(ctx, item, record.VersionIs(item.version))
	if fault.Is(err, fault.Conflict) {
		err = nil // a document comes or goes
	}
	return c, err
}

// collection is the record of a collection.
type collection struct {
	Name    string    `json:"name"`
	Created time.Time `json:"created"`
	// Changed is when a document was about to come or go, to a minute. Sizes were
	// counted when every writer who saw that time had ended; whoever changes the
	// collection drops them first.
	Changed time.Time `json:"changed,omitzero"`
	Sizes   *sizes    `json:"sizes,omitempty"`

	version string
}

type sizes struct {
	Artifacts int       `json:"n"`
	Chunks    int       `json:"chunks"`
	Bytes     int64     `json:"bytes"`
	Created   time.Time `json:"t0"`
	Updated   time.Time `json:"t"`
}

const (
	// settled is longer than a process takes from announcing a change to making it:
	// a function lives for 15 minutes at most.
	settled = 20 * time.Minute
	// announcedFor is how long an announced change stands for others.
	announcedFor = time.Minute
)

func collectionKey(name string) record.Key {
	return record.Key{Partition: collectionsPartition, Sort: keyOf(name)}
}

// collection returns the record of a collection; one without version when there is none.
func (s *Service) collection(ctx context.Context, name string) (collection, error) {
	item, err := s.Records.Find(ctx, collectionKey(name))
	if fault.Is(err, fault.NotFound) {
		return collection{Name: name}, nil
	}
	return s.decodeCollection(ctx, item, name), err
}

// decodeCollection decodes a record. Of a damaged one the key tells the name, or the
// caller; else it is empty.
func (s *Service) decodeCollection(ctx context.Context, item record.Item, name string) collection {
	c := collection{}
	if json.Unmarshal(item.Value, &c) != nil {
		s.logDamaged(ctx, item)
		return collection{Name: cmp.Or(name, nameOf(item.Sort))}
	}
	c.version = item.Version
	return c
}

func (s *Service) saveCollection(ctx context.Context, c collection, cond record.Condition) error {
	value, err := json.Marshal(c)
	if err != nil {
		return err
	}
	return s.Records.Put(ctx, record.Item{Key: collectionKey(c.Name), Value: value}, cond)
}

// enrol makes sure that the collection is known by name.
func (s *Service) enrol(ctx context.Context, name string) error {
	if _, err := s.Records.Find(ctx, collectionKey(name)); !fault.Is(err, fault.NotFound) {
		return err
	}
	err := s.saveCollection(ctx, collection{Name: name, Created: s.Now().UTC(), Changed: s.Now().UTC()}, record.Absent())
	if fault.Is(err, fault.Conflict) {
		return nil
	}
	return err
}

// announce says that a document of a collection is about to come, change or go.
func (s *Service) announce(ctx context.Context, name string) error {
	return record.Update(ctx, s.Records, collectionKey(name), func(old record.Item, found bool) (record.Item, record.Action, error) {
		if !found {
			return old, record.Leave, nil
		}
		c := s.decodeCollection(ctx, old, name)
		now := s.Now().UTC()
		if c.version == "" || c.Sizes == nil && c.Changed.After(now.Add(-announcedFor)) {
			return old, record.Leave, nil
		}
		c.Sizes, c.Changed = nil, now
		value, err := json.Marshal(c)
		return record.Item{Value: value}, record.Write, err
	})
}

// collections yields the records of all collections that ever held anything, after a
// name, in the order of their keys. The name is empty where the item is damaged and
// its key does not tell. page is how many are wanted, about; 0 means all.
func (s *Service) collections(ctx context.Context, after string, page int) iter.Seq2[collection, error] {
	return func(yield func(collection, error) bool) {
		r := record.Range{Partition: collectionsPartition}
		if after != "" {
			r.After = keyOf(after)
		}
		if page > 0 {
			r.Limit = min(page+1, record.MaxPageItems)
		}
		for item, err := range record.All(ctx, s.Records, r) {
			var c collection
			if err == nil {
				c = s.decodeCollection(ctx, item, "")
			}
			if !yield(c, err) || err != nil {
				return
			}
		}
	}
}

// allowed is collections for those that the caller may use. For a caller with a list
// only these are read.
func (s *Service) allowed(ctx context.Context, after string, page int) iter.Seq2[collection, error] {
	may := auth.From(ctx).Collections
	return func(yield func(collection, error) bool) {
		if may == nil {
			for c, err := range s.collections(ctx, after, page) {
				if (c.Name != "" || err != nil) && !yield(c, err) {
					return
				}
			}
			return
		}
		var keys []record.Key
		for _, name := range may {
			if key := collectionKey(name); after == "" || key.Sort > keyOf(after) {
				keys = append(keys, key)
			}
		}
		slices.SortFunc(keys, func(a, b record.Key) int { return cmp.Compare(a.Sort, b.Sort) })
		items, err := s.Records.FindMany(ctx, keys)
		if err != nil {
			yield(collection{}, err)
			return
		}
		for _, item := range items {
			if c := s.decodeCollection(ctx, item, ""); c.Name != "" && !yield(c, nil) {
				return
			}
		}
	}
}

// deleters is how many artifacts of a collection are deleted at once.
const deleters = 16

// DeleteCollection removes every artifact of a collection, those whose first
// ingest is under way too, and returns how many there were. NotFound when it
// holds nothing. An ingest that is accepted meanwhile may stay.
func (s *Service) DeleteCollection(ctx context.Context, name string) (int, error) {
	if err := auth.Check(ctx, name); err != nil {
		return 0, err
	}
	var names []string
	for e, err := range s.entries(ctx, name, "", 0) {
		if err != nil {
			return 0, err
		}
		if !e.Deleted {
			names = append(names, e.Artifact)
		}
	}
	if len(names) == 0 {
		return 0, noCollection(name)
	}
	work, ctx := errgroup.WithContext(ctx)
	work.SetLimit(deleters)
	for _, artifact := range names {
		work.Go(func() error {
			err := s.Delete(ctx, &DeleteBody{Collection: name, Artifact: artifact})
			if fault.Is(err, fault.NotFound) {
				return nil // somebody else did
			}
			return err
		})
	}
	return len(names), work.Wait()
}

// markDuplicates names, in each document's metadata, the others of the list
// with the same content.
func markDuplicates(docs []Doc) {
	same := map[any][]string{}
	for _, d := range docs {
		if h, ok := d.Metadata["content_hash"].(string); ok && strings.HasPrefix(h, "sha256:") {
			same[h] = append(same[h], d.Artifact)
		}
	}
	for i, d := range docs {
		h, ok := d.Metadata["content_hash"].(string)
		if !ok || len(same[h]) < 2 {
			continue
		}
		others := slices.DeleteFunc(slices.Clone(same[h]), func(name string) bool { return name == d.Artifact })
		docs[i].Metadata = maps.Clone(d.Metadata)
		docs[i].Metadata["duplicate_of"] = others
	}
}
