//go:build !unix

package segindex

import (
	"errors"
	"os"
)

// openMapping reads the whole file where there is no memory map.
func openMapping(path string) (*mapping, error) {
	data, err := os.ReadFile(path)
	if err != nil {
		return nil, err
	}
	return &mapping{data}, nil
}

func mapRange(*os.File, int64, int) (*mapping, error) { return nil, errors.ErrUnsupported }
