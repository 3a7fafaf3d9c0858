package fileseal_test

import (
	"bytes"
	"errors"
	"os"
	"path/filepath"
	"strings"
	"testing"

	"lectern/shared/fault"
	"lectern/shared/storage/seal"
	"lectern/shared/storage/seal/fileseal"
)

func open(t *testing.T, path string) seal.Sealer {
	t.Helper()
	s, err := fileseal.Open(path)
	if err != nil {
		t.Fatal(err)
	}
	return s
}

func TestSeal(t *testing.T) {
	path := filepath.Join(t.TempDir(), "new", "key")
	plain := []byte("postgres://user:password@host/db")
	sealed, err := open(t, path).Seal(t.Context(), plain, "message 1")
	if err != nil || bytes.Contains(sealed, []byte("password")) {
		t.Fatalf("Seal = %q, %v", sealed, err)
	}
	s := open(t, path) // a later process
	got, err := s.Open(t.Context(), sealed, "message 1")
	if err != nil || !bytes.Equal(got, plain) {
		t.Errorf("Open = %q, %v", got, err)
	}
	if _, err := s.Open(t.Context(), sealed, "message 2"); err == nil {
		t.Error("it was opened in another context")
	}
	_, err = open(t, filepath.Join(t.TempDir(), "other.key")).Open(t.Context(), sealed, "message 1")
	if f := fault.As(err); f == nil || f.Code != fault.Unavailable || !errors.Is(err, seal.ErrKey) || !strings.Contains(f.Msg, "other.key") {
		t.Errorf("with another key: %v, want a sentence that names it", err)
	}
	sealed[len(sealed)-1] ^= 1
	if _, err := s.Open(t.Context(), sealed, "message 1"); err == nil {
		t.Error("it was opened although changed")
	}
	info, err := os.Stat(path)
	if err != nil || info.Mode().Perm() != 0o600 {
		t.Errorf("the key's mode is %v, %v", info.Mode(), err)
	}
	if err := os.WriteFile(path, []byte("short"), 0o600); err != nil {
		t.Fatal(err)
	}
	if _, err := fileseal.Open(path); err == nil || !strings.Contains(err.Error(), path) {
		t.Errorf("with a damaged key: %v, want an error that names it", err)
	}
}
