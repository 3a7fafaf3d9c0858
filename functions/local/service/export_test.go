package service

import "context"

// EmptyIndex drops a collection from the index, and from nothing else.
func (s *Service) EmptyIndex(ctx context.Context, collection string) error {
	return s.process.Index.Drop(ctx, collection, "", "")
}
