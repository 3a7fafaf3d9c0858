package app

import (
	"crypto/rand"
	"errors"
	"fmt"
	"io/fs"
	"os"
	"path/filepath"

	"lectern/shared/config"
	"lectern/shared/object/signedurl"
)

const signingKeyBytes = 32

// SigningKey reads the key by which the service signs requests for its own
// objects, and makes it at the first start. Only the owner of the data
// directory can read it.
func SigningKey(c *config.Config) (signedurl.Key, error) {
	name := filepath.Join(c.Data, "signing.key")
	key, err := os.ReadFile(name)
	if err == nil {
		if len(key) != signingKeyBytes {
			return nil, fmt.Errorf("%s should hold %d bytes; remove it to have it made again", name, signingKeyBytes)
		}
		return key, nil
	}
	if !errors.Is(err, fs.ErrNotExist) {
		return nil, err
	}
	if err := os.MkdirAll(c.Data, 0o700); err != nil {
		return nil, err
	}
	key = make([]byte, signingKeyBytes)
	rand.Read(key)
	// A process that dies here leaves the whole key or none.
	temp, err := os.CreateTemp(c.Data, "signing-*") // of mode 0600
	if err != nil {
		return nil, err
	}
	defer os.Remove(temp.Name())
	_, err = temp.Write(key)
	if err = errors.Join(err, temp.Sync(), temp.Close()); err != nil {
		return nil, err
	}
	return key, os.Rename(temp.Name(), name)
}
