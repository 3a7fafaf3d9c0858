package async

import (
	"bytes"
	"context"
	"fmt"

	"lectern/shared/storage/object"
)

// maxRequestBytes is more than any sealed body.
const maxRequestBytes = 64 << 20

// keepRequest seals a body into the record, or beside it when it is large.
func (s *Service) keepRequest(ctx context.Context, m *meta, body []byte) error {
	sealed, err := s.Sealer.Seal(ctx, body, m.log())
	if err != nil {
		return fmt.Errorf("seal request: %w", err)
	}
	if len(sealed) <= inlineBytes {
		m.Sealed = sealed
		return nil
	}
	m.InObject = true
	_, err = s.Objects.Put(ctx, m.object(), bytes.NewReader(sealed), object.PutOptions{Size: int64(len(sealed))})
	return err
}

// request returns the body that was kept.
func (s *Service) request(ctx context.Context, m *meta) ([]byte, error) {
	sealed := m.Sealed
	if m.InObject {
		var err error
		if sealed, _, err = object.ReadAll(ctx, s.Objects, m.object(), maxRequestBytes); err != nil {
			return nil, err
		}
	}
	return s.Sealer.Open(ctx, sealed, m.log())
}

// dropRequest erases what keepRequest kept beside the record.
func (s *Service) dropRequest(ctx context.Context, m *meta) {
	if !m.InObject {
		return
	}
	if err := s.Objects.Delete(context.WithoutCancel(ctx), m.object()); err != nil {
		s.Log.WarnContext(ctx, "a sealed request was not erased", "message", m.ID, "error", err)
	}
}

// Sweep erases the requests of messages that were never accepted, because a
// process died meanwhile: those that are older than any message under way.
func (s *Service) Sweep(ctx context.Context) error {
	return object.DeleteOlder(ctx, s.Objects, "requests/", s.Now().Add(-2*s.Options.deadline()))
}
