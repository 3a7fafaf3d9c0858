package artifact

import (
	"context"
	"strings"
	"time"

	"lectern/shared/auth"
	"lectern/shared/fault"
	"lectern/shared/ident"
	"lectern/shared/storage/object"
	"lectern/shared/storage/record"
)

// DeleteBody names an artifact.
type DeleteBody struct {
	Collection string `json:"collection" default:"vendor_collection" minlen:"1" maxlen:"255"`
	Artifact   string `json:"artifact" required:"true" minlen:"1" maxlen:"255"`
}

// Delete removes an artifact and all that belongs to it. It is gone for every
// reader when this returns, and an ingest of it that is under way comes to
// nothing. NotFound when it is not there.
func (s *Service) Delete(ctx context.Context, b *DeleteBody) error {
	live, err := s.Retract(ctx, b)
	if err != nil {
		return err
	}
	ctx = context.WithoutCancel(ctx)
	if err := s.Free(ctx, live); err != nil {
		s.Log.WarnContext(ctx, "a deleted document is left for the sweep", "error", err)
	}
	return nil
}

// Retract is the part of Delete that readers see: from its return on nothing
// shows the artifact, and no ingest that was accepted before it will. It
// returns what is to be freed. Where there is nothing it is NotFound, and leaves
// a tombstone all the same: an ingest may have been accepted whose claim is not
// there yet.
func (s *Service) Retract(ctx context.Context, b *DeleteBody) (Accepted, error) {
	if err := checkNames(ctx, b.Collection, b.Artifact); err != nil {
		return Accepted{}, err
	}
	gone := Accepted{Collection: b.Collection, Artifact: b.Artifact}
	missing := false
	_, err := s.change(ctx, b.Collection, b.Artifact, func(e *entry) (bool, error) {
		missing = e.Deleted || e.version == ""
		gone.Generation = e.Live
		*e = entry{Collection: e.Collection, Artifact: e.Artifact, Want: ident.After(s.IDs.Ordered(), e.Want), Deleted: true,
			version: e.version}
		return true, nil
	})
	if err == nil && missing {
		err = fault.New(fault.NotFound, "collection %q has no artifact %q", b.Collection, b.Artifact)
	}
	return gone, err
}

// Free drops what a generation left that nothing shows any more. Generations
// under way are dropped by their ingests, which fail.
func (s *Service) Free(ctx context.Context, a Accepted) error {
	if a.Generation == "" {
		return nil
	}
	return s.discard(ctx, a.Collection, a.Artifact, a.Generation)
}

// unclaim takes back a claim: the registry wants the live generation again, or
// forgets an artifact that has none.
func (s *Service) unclaim(ctx context.Context, collection, artifact, generation string) error {
	e, err := s.change(ctx, collection, artifact, func(e *entry) (bool, error) {
		if e.Want != generation || e.Live == "" || e.Live == generation {
			return false, nil
		}
		e.Want = e.Live
		return true, nil
	})
	if err != nil || e.Want != generation || e.Live != "" || e.version == "" {
		return err
	}
	err = s.Records.Delete(ctx, entryKey(collection, artifact), record.VersionIs(e.version))
	if fault.Is(err, fault.Conflict) {
		return nil // somebody claimed it meanwhile
	}
	return err
}

// Sweep frees what dead ingests and deletes left behind: claims, chunks and
// texts of generations that are not shown. With idle true no ingest is under
// way anywhere, as at the start of a single process, and claims are freed too.
//
// Where others may be at work, and nothing has been ingested or deleted since a
// while before the last look at the index, it does not look again: an index that
// sleeps while nobody uses it would be woken, and paid for, by every sweep.
func (s *Service) Sweep(ctx context.Context, idle bool) error {
	began, newest := s.Now(), time.Time{}
	seen := func(generation string) {
		if at := ident.Time(generation); at.After(newest) {
			newest = at
		}
	}
	keep := map[string]bool{}
	for c, err := range s.collections(ctx) {
		if err != nil {
			return err
		}
		for e, err := range s.entries(ctx, c.Name, "") {
			if err != nil {
				return err
			}
			keep[e.Live] = true
			seen(e.Want)
			if e.Want == e.Live || e.Deleted {
				continue
			}
			if !idle || e.Deferred && ident.Time(e.Want).After(began.Add(-deferredAge)) {
				keep[e.Want] = true
			} else if err := s.unclaim(ctx, c.Name, e.Artifact, e.Want); err != nil {
				return err
			}
		}
	}
	kept := func(generation string) bool {
		return keep[generation] || !idle && ident.Time(generation).After(began.Add(-sweepAge))
	}
	var dead []string // texts of generations that are not shown
	for o, err := range object.All(ctx, s.Objects, "documents/") {
		if err != nil {
			return err
		}
		generation := o.Key[strings.LastIndexByte(o.Key, '/')+1:]
		if seen(generation); !kept(generation) {
			dead = append(dead, o.Key)
		}
	}
	if idle || len(dead) > 0 || s.changed(ctx, newest) {
		if err := s.sweepIndex(ctx, kept); err != nil {
			return err
		}
		if err := s.noteLook(ctx, began); err != nil {
			return err
		}
	}
	for _, key := range dead {
		if err := s.Objects.Delete(ctx, key); err != nil {
			return err
		}
	}
	return nil
}

// deferredAge is how old the claim of a task may be: more than a task takes.
const deferredAge = 24 * time.Hour

// sweepAge is how old a generation must be before a sweep of a running service
// judges it: younger ones may have been accepted while the registry was read.
const sweepAge = 15 * time.Minute

// sweepIndex drops the chunks of generations that are not to be kept.
func (s *Service) sweepIndex(ctx context.Context, keep func(generation string) bool) error {
	type dead struct{ collection, artifact, generation string }
	var list []dead
	for g, err := range s.Index.Generations(ctx, "") {
		if err != nil {
			return err
		}
		if !keep(g.Generation) {
			list = append(list, dead{g.Collection, g.Artifact, g.Generation})
		}
	}
	for _, d := range list {
		if err := s.discard(ctx, d.collection, d.artifact, d.generation); err != nil {
			return err
		}
	}
	return nil
}

// lookKey is where the time of the last look at the index stands.
func lookKey() record.Key { return record.Key{Partition: "sweep", Sort: "index"} }

// changed reports whether what is in the index may have changed since the last
// look at it: a generation is younger, or not so much older that its ingest
// might have been under way. When that cannot be told, it may have.
func (s *Service) changed(ctx context.Context, newest time.Time) bool {
	item, err := s.Records.Find(ctx, lookKey())
	if err != nil {
		return true
	}
	looked, err := time.Parse(time.RFC3339, string(item.Value))
	return err != nil || newest.After(looked.Add(-deferredAge))
}

func (s *Service) noteLook(ctx context.Context, at time.Time) error {
	return s.Records.Put(ctx, record.Item{Key: lookKey(), Value: []byte(at.UTC().Format(time.RFC3339))}, record.Any())
}

// List returns the artifacts of a collection that are ready, in a stable
// order; an unknown collection has none. after is the artifact to go on
// behind, limit 0 means all. Those of one answer that have the same content
// name each other in duplicate_of.
func (s *Service) List(ctx context.Context, name, after string, limit int) ([]Doc, error) {
	if err := auth.Check(ctx, name); err != nil {
		return nil, err
	}
	docs := []Doc{}
	for e, err := range s.entries(ctx, name, after) {
		if err != nil {
			return nil, err
		}
		if e.Live == "" {
			continue
		}
		docs = append(docs, newDoc(e))
		if len(docs) == limit {
			break
		}
	}
	markDuplicates(docs)
	return docs, nil
}
