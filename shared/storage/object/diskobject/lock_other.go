//go:build !unix

package diskobject

import (
	"errors"
	"fmt"
	"os"

	"lectern/shared/fault"
)

// lock takes the directory for this process. Without flock the mark is the
// lock file itself, opened so that a second process cannot remove it.
func lock(path string) (unlock func() error, err error) {
	if err := os.Remove(path); err != nil && !errors.Is(err, os.ErrNotExist) {
		return nil, fault.Wrap(err, fault.Unavailable, "the directory is in use by another process")
	}
	f, err := os.OpenFile(path, os.O_RDWR|os.O_CREATE|os.O_EXCL, 0o600)
	if err != nil {
		return nil, fmt.Errorf("open objects: %w", err)
	}
	return f.Close, nil
}
