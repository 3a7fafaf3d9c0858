package artifact

import (
	"context"

	"lectern/shared/text/document"
)

// Stored returns the stored document of an artifact.
func (s *Service) Stored(ctx context.Context, collection, artifact string) (*document.Document, error) {
	e, err := s.find(ctx, collection, artifact)
	if err != nil {
		return nil, err
	}
	return s.stored(ctx, collection, artifact, e.Live)
}
