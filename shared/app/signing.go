package app

import (
	"crypto/rand"
	"fmt"
	"path/filepath"

	"lectern/shared/app/config"
	"lectern/shared/storage/object/signedurl"
	"lectern/shared/storage/seal/fileseal"
)

const signingKeyBytes = 32

// SigningKey reads the key by which the service signs requests for its own
// objects, and makes it at the first start. Only the owner of the data
// directory can read it.
func SigningKey(c *config.Config) (signedurl.Key, error) {
	name := filepath.Join(c.Data, "signing.key")
	key, err := fileseal.Secret(name, func() []byte {
		fresh := make([]byte, signingKeyBytes)
		rand.Read(fresh)
		return fresh
	})
	if err == nil && len(key) != signingKeyBytes {
		err = fmt.Errorf("%s should hold %d bytes; remove it to have it made again", name, signingKeyBytes)
	}
	if err != nil {
		return nil, err
	}
	return key, nil
}
