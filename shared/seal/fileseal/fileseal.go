// Package fileseal seals with AES-256-GCM under a key in a file that only the
// service's user may read: the embedded driver.
package fileseal

import (
	"context"
	"crypto/aes"
	"crypto/cipher"
	"crypto/rand"
	"errors"
	"fmt"
	"os"
	"path/filepath"
)

const keyBytes = 32

// Sealer implements seal.Sealer.
type Sealer struct{ aead cipher.AEAD }

// Open reads the key at path, and makes one where there is none.
func Open(path string) (*Sealer, error) {
	key, err := Secret(path, keyBytes)
	if err != nil {
		return nil, err
	}
	return New(key)
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
	return &Sealer{aead}, nil
}

// Seal implements seal.Sealer.
func (s *Sealer) Seal(_ context.Context, plain []byte, context string) ([]byte, error) {
	return s.aead.Seal(nil, nil, plain, []byte(context)), nil
}

// Open implements seal.Sealer.
func (s *Sealer) Open(_ context.Context, sealed []byte, context string) ([]byte, error) {
	plain, err := s.aead.Open(nil, nil, sealed, []byte(context))
	if err != nil {
		return nil, fmt.Errorf("open what is sealed: %w", err)
	}
	return plain, nil
}

// Secret reads n random bytes from the file at path; where there is none, it
// makes them and writes the file, whole or not at all, for its owner alone.
func Secret(path string, n int) ([]byte, error) {
	secret, err := os.ReadFile(path)
	if errors.Is(err, os.ErrNotExist) {
		return create(path, n)
	}
	if err != nil {
		return nil, fmt.Errorf("read secret: %w", err)
	}
	if len(secret) != n {
		return nil, fmt.Errorf("the secret in %s has %d bytes, not %d", path, len(secret), n)
	}
	return secret, nil
}

func create(path string, n int) ([]byte, error) {
	if err := os.MkdirAll(filepath.Dir(path), 0o700); err != nil {
		return nil, fmt.Errorf("make secret: %w", err)
	}
	secret := make([]byte, n)
	rand.Read(secret)
	temp, err := os.CreateTemp(filepath.Dir(path), ".secret-*") // mode 0600
	if err != nil {
		return nil, fmt.Errorf("make secret: %w", err)
	}
	defer os.Remove(temp.Name())
	_, err = temp.Write(secret)
	if err == nil {
		err = temp.Sync()
	}
	if err = errors.Join(err, temp.Close()); err != nil {
		return nil, fmt.Errorf("make secret: %w", err)
	}
	if err := os.Rename(temp.Name(), path); err != nil {
		return nil, fmt.Errorf("make secret: %w", err)
	}
	return secret, nil
}
