// Package fileseal seals with AES-256-GCM under a key in a file that only the
// service's user may read: the embedded driver.
package fileseal

import (
	"context"
	"crypto/aes"
	"crypto/cipher"
	"crypto/rand"
	"crypto/sha256"
	"encoding/hex"
	"errors"
	"fmt"
	"os"
	"path/filepath"

	"lectern/shared/fault"
	"lectern/shared/storage/seal"
)

const keyBytes = 32

// Sealer implements seal.Sealer.
type Sealer struct {
	aead cipher.AEAD
	id   string
	from string // where the key is kept
}

// Open reads the key at path, and makes one where there is none.
func Open(path string) (*Sealer, error) {
	key, err := Secret(path, func() []byte {
		key := make([]byte, keyBytes)
		rand.Read(key)
		return key
	})
	if err != nil {
		return nil, err
	}
	s, err := New(key)
	if err != nil {
		return nil, fmt.Errorf("%s: %w", path, err)
	}
	s.from = filepath.Base(path)
	return s, nil
}

// New seals with a key of 32 bytes, such as a secret store keeps.
func New(key []byte) (*Sealer, error) {
	if len(key) != keyBytes {
		return nil, fmt.Errorf("the key to seal with should have %d bytes, not %d", keyBytes, len(key))
	}
	block, err := aes.NewCipher(key)
	if err != nil {
		return nil, fmt.Errorf("open key: %w", err)
	}
	aead, err := cipher.NewGCMWithRandomNonce(block)
	if err != nil {
		return nil, fmt.Errorf("open key: %w", err)
	}
	id := sha256.Sum256(append([]byte("id of a sealing key:"), key...))
	return &Sealer{aead: aead, id: hex.EncodeToString(id[:8]), from: "the key given to this service"}, nil
}

// KeyID tells the key from others, and nothing else about it.
func (s *Sealer) KeyID() string { return s.id }

// Seal implements seal.Sealer.
func (s *Sealer) Seal(_ context.Context, plain []byte, context string) ([]byte, error) {
	return s.aead.Seal(nil, nil, plain, []byte(context)), nil
}

// Open implements seal.Sealer.
func (s *Sealer) Open(_ context.Context, sealed []byte, context string) ([]byte, error) {
	plain, err := s.aead.Open(nil, nil, sealed, []byte(context))
	if err != nil {
		return nil, &fault.Error{Code: fault.Unavailable, NoRetry: true, Cause: errors.Join(seal.ErrKey, err), Msg: fmt.Sprintf(
			"what is stored was sealed with another key than %s, or is damaged; put the key back from a backup", s.from)}
	}
	return plain, nil
}

// Secret reads the file at path; where there is none, it writes what fresh
// makes, whole or not at all, for the file's owner alone.
func Secret(path string, fresh func() []byte) ([]byte, error) {
	secret, err := os.ReadFile(path)
	if errors.Is(err, os.ErrNotExist) {
		secret = fresh()
		err = create(path, secret)
	}
	if err != nil {
		return nil, fmt.Errorf("secret of this service: %w", err)
	}
	return secret, nil
}

func create(path string, secret []byte) error {
	if err := os.MkdirAll(filepath.Dir(path), 0o700); err != nil {
		return err
	}
	temp, err := os.CreateTemp(filepath.Dir(path), ".secret-*") // of mode 0600
	if err != nil {
		return err
	}
	defer os.Remove(temp.Name())
	_, err = temp.Write(secret)
	if err == nil {
		err = temp.Sync()
	}
	if err = errors.Join(err, temp.Close()); err != nil {
		return err
	}
	return os.Rename(temp.Name(), path)
}
