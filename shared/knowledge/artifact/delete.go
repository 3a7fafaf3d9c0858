package artifact

import (
	"context"
	"encoding/json"
	"maps"

	"lectern/shared/auth"
	"lectern/shared/fault"
	"lectern/shared/ident"
	"lectern/shared/knowledge/index"
	"lectern/shared/storage/record"
	"lectern/shared/storage/spread"
)

// DeleteBody names an artifact.
type DeleteBody struct {
	Collection string `json:"collection" default:"vendor_collection" minlen:"1" maxlen:"255"`
	Artifact   string `json:"artifact" required:"true" minlen:"1" maxlen:"255"`
}

// Delete removes an artifact with its chunks and its text. When it returns, no
// reader sees the artifact, and an ingest of it that is under way fails with a
// Conflict. NotFound when there is no such artifact.
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
	if err := s.announce(ctx, b.Collection); err != nil {
		return gone, err
	}
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

// Free deletes the chunks and the text of a generation that is no longer shown,
// now or by Later. A generation whose ingest is under way is freed by that ingest
// when it fails.
func (s *Service) Free(ctx context.Context, a Accepted) error {
	if a.Generation == "" {
		return nil
	}
	if s.Later != nil {
		return s.Later(ctx, a)
	}
	return s.FreeNow(ctx, a)
}

// FreeNow is Free for whoever does what Later put off. Unavailable where the index
// is asked once and still shows chunks: then it is repeated. What is live again,
// because Later was sent twice or late, stays.
func (s *Service) FreeNow(ctx context.Context, a Accepted) error {
	e, err := s.find(ctx, a.Collection, a.Artifact)
	if err != nil || e.Live == a.Generation {
		return err
	}
	return s.discard(ctx, a.Collection, a.Artifact, a.Generation)
}

// unclaim takes back a claim: the registry wants the live generation again, or
// forgets an artifact that has none.
func (s *Service) unclaim(ctx context.Context, collection, artifact, generation string) error {
	return spread.Update(ctx, s.Records, entryKey(collection, artifact),
		func(old record.Item, found bool) (record.Item, record.Action, error) {
			e, err := decodeEntry(old)
			if !found || err != nil || e.Want != generation || e.Live == generation {
				return old, record.Leave, nil
			}
			if e.Live == "" {
				return old, record.Remove, nil
			}
			e.Want = e.Live
			value, err := json.Marshal(e)
			return record.Item{Value: value, Version: s.IDs.Ordered()}, record.Write, err
		})
}

// addVectors says in a document's metadata how many of its chunks have a vector,
// while some do not.
func (s *Service) addVectors(ctx context.Context, e *entry, doc *Doc) error {
	filler, ok := s.Index.(index.Filler)
	if !ok {
		return nil
	}
	have, of, err := filler.Vectors(ctx, e.Collection, e.Artifact, e.Live)
	if err != nil || have == of {
		return err
	}
	doc.Metadata = maps.Clone(doc.Metadata)
	doc.Metadata["vectors"] = map[string]any{"have": have, "of": of}
	return nil
}

// List returns the artifacts of a collection that are ready, in a stable order;
// an unknown collection has none. after is a cursor: list artifacts after this
// one. limit 0 means all. Artifacts of one answer that have the same content name
// each other in duplicate_of.
func (s *Service) List(ctx context.Context, name, after string, limit int) ([]Doc, error) {
	if err := auth.Check(ctx, name); err != nil {
		return nil, err
	}
	docs := []Doc{}
	for e, err := range s.entries(ctx, name, after, limit) {
		if err != nil {
			return nil, err
		}
		if e.Live == "" {
			continue
		}
		doc := newDoc(e)
		if err := s.addVectors(ctx, e, &doc); err != nil {
			return nil, err
		}
		docs = append(docs, doc)
		if len(docs) == limit {
			break
		}
	}
	markDuplicates(docs)
	return docs, nil
}
