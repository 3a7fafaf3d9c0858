package artifact

import (
	"context"

	"lectern/shared/ident"
)

// Accepted names an ingest that is to be run, now or by another process: its
// generation, which is later than all that were accepted before, decides which
// of several wins.
type Accepted struct {
	Collection string `json:"collection"`
	Artifact   string `json:"artifact"`
	Generation string `json:"generation"`
}

// Prepare checks an ingest as far as that needs no network, and names it.
// Nothing is stored.
func (s *Service) Prepare(ctx context.Context, b *Body) (Accepted, error) {
	if err := checkNames(ctx, b.Collection, b.Artifact); err != nil {
		return Accepted{}, err
	}
	if _, err := s.given(ctx, b); err != nil {
		return Accepted{}, err
	}
	e, err := s.find(ctx, b.Collection, b.Artifact)
	if err != nil {
		return Accepted{}, err
	}
	return Accepted{b.Collection, b.Artifact, ident.After(s.IDs.Ordered(), e.Want)}, nil
}

// Claim accepts a prepared ingest: from its return on this is the last one
// accepted, which wins, unless a later one was prepared and claimed before. It
// may be repeated until the ingest is settled or abandoned.
func (s *Service) Claim(ctx context.Context, a Accepted) error {
	if err := s.enrol(ctx, a.Collection); err != nil {
		return err
	}
	_, err := s.change(ctx, a.Collection, a.Artifact, func(e *entry) (bool, error) {
		if e.Want >= a.Generation || e.Live == a.Generation {
			return false, nil
		}
		e.Want, e.Deleted, e.Deferred = a.Generation, false, true
		return true, nil
	})
	return err
}

// Wanted reports whether an accepted ingest has not been overtaken by a later
// one, or by a delete.
func (s *Service) Wanted(ctx context.Context, a Accepted) (bool, error) {
	e, err := s.find(ctx, a.Collection, a.Artifact)
	return err == nil && (e.Want == a.Generation || e.Live == a.Generation), err
}

// Settle gives up the claim of an ingest that found the same content as before.
// After any other success it does nothing.
func (s *Service) Settle(ctx context.Context, a Accepted) error {
	return s.unclaim(ctx, a.Collection, a.Artifact, a.Generation)
}

// Abandon undoes an accepted ingest that will not be resumed. One that was
// committed meanwhile is left as it is.
func (s *Service) Abandon(ctx context.Context, a Accepted) error {
	if err := s.unclaim(ctx, a.Collection, a.Artifact, a.Generation); err != nil {
		return err
	}
	e, err := s.find(ctx, a.Collection, a.Artifact)
	if err != nil {
		return err
	}
	if e.Live == a.Generation {
		return nil
	}
	return s.Free(ctx, a)
}
