package artifact

import (
	"context"
	"maps"
	"slices"
	"strings"
	"time"

	"golang.org/x/sync/errgroup"

	"lectern/shared/auth"
	"lectern/shared/fault"
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

// Collections returns the collections that the caller may use, in the order of
// their names. after is a cursor: list collections after this name. limit 0 means
// all; more tells whether others follow. All registry items of the collections
// are read.
func (s *Service) Collections(ctx context.Context, after string, limit int) (list []Collection, more bool, err error) {
	var names []string
	for c, err := range s.collections(ctx) {
		if err != nil {
			return nil, false, err
		}
		if c.Name > after && auth.From(ctx).Allows(c.Name) {
			names = append(names, c.Name)
		}
	}
	slices.Sort(names)
	list = []Collection{}
	for _, name := range names {
		c, err := s.describe(ctx, name)
		if err != nil {
			return nil, false, err
		}
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
	for c, err := range s.collections(ctx) {
		if err != nil {
			return nil, err
		}
		if c.Name == "" || !auth.From(ctx).Allows(c.Name) {
			continue
		}
		there, err := s.Exists(ctx, c.Name)
		if err != nil {
			return nil, err
		}
		if there {
			names = append(names, c.Name)
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
	c, err := s.describe(ctx, name)
	if err == nil && c.Artifacts == 0 {
		err = noCollection(name)
	}
	return c, err
}

// Exists reports whether a collection holds anything.
func (s *Service) Exists(ctx context.Context, name string) (bool, error) {
	for e, err := range s.entries(ctx, name, "") {
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

func (s *Service) describe(ctx context.Context, name string) (Collection, error) {
	c := Collection{Name: name, Embedder: s.Embedder.Name()}
	for e, err := range s.entries(ctx, name, "") {
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
	return c, nil
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
	for e, err := range s.entries(ctx, name, "") {
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
