package embedded

import (
	"errors"
	"io/fs"
	"os"
	"path/filepath"
	"strings"
	"syscall"

	"lectern/shared/app/config"
	"lectern/shared/fault"
)

// Stored returns an error when the settings name stores on this machine and none of
// them is there: to open them would make empty ones, in which nothing is missing.
// One store of several may be lost; the others tell what it held.
func Stored(c *config.Config) error {
	local := false
	for _, of := range []struct{ url, scheme, otherwise string }{
		{c.Objects, "disk:", "objects"}, {c.Records, "bolt:", "records.db"},
	} {
		path, ok := strings.CutPrefix(of.url, of.scheme)
		if !ok {
			continue
		}
		local = true
		if _, err := os.Stat(inside(c, path, of.otherwise)); !missing(err) {
			return err
		}
	}
	if !local {
		return nil
	}
	switch info, err := os.Stat(c.Data); {
	case missing(err):
		return fault.New(fault.NotFound, "the data directory %s does not exist; LECTERN_DATA should name the one of the service", c.Data)
	case err != nil:
		return err
	case !info.IsDir():
		return fault.New(fault.NotFound, "%s is not a directory; LECTERN_DATA should name the data directory of the service", c.Data)
	}
	return fault.New(fault.NotFound, "the data directory %s holds neither records nor objects; LECTERN_DATA should name the one of the service", c.Data)
}

// missing reports whether nothing is at a path: its last part is missing, or a part
// before is no directory.
func missing(err error) bool {
	return errors.Is(err, fs.ErrNotExist) || errors.Is(err, syscall.ENOTDIR)
}

// inside returns a driver's path, which lies in the data directory unless it is
// absolute.
func inside(c *config.Config, path, otherwise string) string {
	switch {
	case path == "":
		path = otherwise
	case filepath.IsAbs(path):
		return path
	}
	return filepath.Join(c.Data, path)
}
