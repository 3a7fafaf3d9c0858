// Package heldobject lets a backup read objects as the records of one moment name
// them, while the service goes on.
//
// The records are copied first, and every object that they name is still there:
// while a Hold lasts, what is deleted is hidden at once and removed when the last
// Hold ends. A process that dies in between leaves what a sweep frees.
package heldobject

import (
	"context"
	"errors"
	"fmt"
	"io"
	"sync"

	"lectern/shared/fault"
	"lectern/shared/storage/object"
)

// Store is a store whose deletions can be held back.
type Store struct {
	object.Store
	mu     sync.RWMutex
	holds  int
	hidden map[string]bool // deleted while held
}

// Wrap returns a store on top of next. All its users have to use the wrapped one.
func Wrap(next object.Store) *Store { return &Store{Store: next, hidden: map[string]bool{}} }

// Hold returns the objects as they are, those that are deleted from now on
// included, until release is called. Release may be called more than once.
func (s *Store) Hold() (objects object.Store, release func(context.Context) error) {
	s.mu.Lock()
	defer s.mu.Unlock()
	s.holds++
	var once sync.Once
	return s.Store, func(ctx context.Context) (err error) {
		once.Do(func() { err = s.release(ctx) })
		return err
	}
}

func (s *Store) release(ctx context.Context) error {
	s.mu.Lock()
	defer s.mu.Unlock()
	if s.holds--; s.holds > 0 {
		return nil
	}
	var errs []error
	for key := range s.hidden {
		errs = append(errs, s.Store.Delete(ctx, key))
	}
	clear(s.hidden)
	return errors.Join(errs...)
}

func (s *Store) isHidden(key string) bool {
	s.mu.RLock()
	defer s.mu.RUnlock()
	return s.hidden[key]
}

func missing(key string) error { return fault.New(fault.NotFound, "no object %q", key) }

// Put implements object.Store. A key that was deleted while held is free again.
func (s *Store) Put(ctx context.Context, key string, body io.Reader, o object.PutOptions) (object.Info, error) {
	if s.isHidden(key) {
		if err := s.reveal(ctx, key); err != nil {
			return object.Info{}, err
		}
	}
	return s.Store.Put(ctx, key, body, o)
}

// reveal carries out the deletion of a key.
func (s *Store) reveal(ctx context.Context, key string) error {
	s.mu.Lock()
	defer s.mu.Unlock()
	if !s.hidden[key] {
		return nil
	}
	if err := s.Store.Delete(ctx, key); err != nil {
		return fmt.Errorf("delete an object that a backup held: %w", err)
	}
	delete(s.hidden, key)
	return nil
}

// Open implements object.Store.
func (s *Store) Open(ctx context.Context, key string, offset, length int64) (io.ReadCloser, object.Info, error) {
	if s.isHidden(key) {
		return nil, object.Info{}, missing(key)
	}
	return s.Store.Open(ctx, key, offset, length)
}

// Head implements object.Store.
func (s *Store) Head(ctx context.Context, key string) (object.Info, error) {
	if s.isHidden(key) {
		return object.Info{}, missing(key)
	}
	return s.Store.Head(ctx, key)
}

// Delete implements object.Store.
func (s *Store) Delete(ctx context.Context, key string) error {
	if err := object.CheckKey(key); err != nil {
		return err
	}
	s.mu.Lock()
	if s.holds == 0 {
		s.mu.Unlock()
		return s.Store.Delete(ctx, key)
	}
	defer s.mu.Unlock()
	if _, err := s.Store.Head(ctx, key); fault.Is(err, fault.NotFound) {
		return nil
	}
	s.hidden[key] = true
	return nil
}

// List implements object.Store. A page may be short.
func (s *Store) List(ctx context.Context, prefix, after string, limit int) ([]object.Info, string, error) {
	infos, next, err := s.Store.List(ctx, prefix, after, limit)
	s.mu.RLock()
	defer s.mu.RUnlock()
	if len(s.hidden) == 0 {
		return infos, next, err
	}
	shown := infos[:0:0]
	for _, o := range infos {
		if !s.hidden[o.Key] {
			shown = append(shown, o)
		}
	}
	return shown, next, err
}

// Reclaim takes from the disk what was deleted; it is put off, false, while the store
// is held, or when the store below cannot.
func (s *Store) Reclaim(ctx context.Context) (bool, error) {
	s.mu.RLock()
	held := s.holds > 0
	s.mu.RUnlock()
	below, ok := s.Store.(interface {
		Reclaim(context.Context) (bool, error)
	})
	if held || !ok {
		return false, nil
	}
	return below.Reclaim(ctx)
}
