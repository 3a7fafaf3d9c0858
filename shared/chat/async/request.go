package async

import (
	"bytes"
	"context"
	"fmt"

	"lectern/shared/storage/object"
)

// maxRequestBytes is larger than any sealed body.
const maxRequestBytes = 64 << 20

// keepRequest seals a body and stores it in the record, or in an object if it is
// large.
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

// request returns the stored body.
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

// dropRequest deletes the object of keepRequest, if there is one.
func (s *Service) dropRequest(ctx context.Context, m *meta) {
	if !m.InObject {
		return
	}
	if err := s.Objects.Delete(context.WithoutCancel(ctx), m.object()); err != nil {
		s.Log.WarnContext(ctx, "sealed request was not deleted", "message", m.ID, "error", err)
	}
}

// Sweep deletes the requests of messages that were never accepted because a process
// died: those older than any message in progress.
func (s *Service) Sweep(ctx context.Context) error {
	return object.DeleteOlder(ctx, s.Objects, "requests/", s.Now().Add(-2*s.Options.deadline()))
}
