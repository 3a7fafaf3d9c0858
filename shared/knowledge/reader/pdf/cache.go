package pdf

import (
	"errors"
	"fmt"
	"hash/crc32"
	"io"
	"os"
	"path/filepath"
	"strings"
)

// sumExtension is that of the files that hold the checksums of those beside them.
const sumExtension = ".sum"

// sumKey is the length of a file's name.
//
// Source: wazero, internal/filecache: a file is named by the SHA-256 of what was compiled,
// in hexadecimal digits, and lies in a directory wazero-<version>-<processor>-<system>.
const sumKey = 64

// cachedFiles are the files with compiled code in the cache's directory.
func cachedFiles(cacheDir string) []string {
	var files []string
	versions, _ := os.ReadDir(cacheDir) // a cache that cannot be read is told of by the engine
	for _, v := range versions {
		if !v.IsDir() || !strings.HasPrefix(v.Name(), "wazero-") {
			continue
		}
		entries, _ := os.ReadDir(filepath.Join(cacheDir, v.Name()))
		for _, e := range entries {
			if e.Type().IsRegular() && len(e.Name()) == sumKey {
				files = append(files, filepath.Join(cacheDir, v.Name(), e.Name()))
			}
		}
	}
	return files
}

// checkCache compares the compiled code with the checksums that sumCache wrote, for the
// engine would run what is damaged, or refuse every file. What is damaged is removed and
// returned; so is, untold, what has no checksum: the process ended before it was written.
// Where that cannot be removed, as in a function's directory, it is used as it is.
func checkCache(cacheDir string) (damaged []string, err error) {
	for _, file := range cachedFiles(cacheDir) {
		want, readErr := os.ReadFile(file + sumExtension)
		switch {
		case errors.Is(readErr, os.ErrNotExist):
			_ = os.Remove(file)
			continue
		case readErr == nil:
			var got string
			if got, readErr = sumOf(file); readErr == nil && got == string(want) {
				continue
			}
		}
		damaged = append(damaged, file)
		err = errors.Join(err, os.Remove(file))
		_ = os.Remove(file + sumExtension)
	}
	return damaged, err
}

// sumCache writes the checksums of compiled code that has none.
func sumCache(cacheDir string) error {
	for _, file := range cachedFiles(cacheDir) {
		if _, err := os.Stat(file + sumExtension); err == nil {
			continue
		}
		sum, err := sumOf(file)
		if err != nil {
			return err
		}
		temp := file + sumExtension + ".tmp"
		if err := os.WriteFile(temp, []byte(sum), 0o600); err != nil {
			return err
		}
		if err := os.Rename(temp, file+sumExtension); err != nil {
			return err
		}
	}
	return nil
}

// sumOf is quick, for it is made at each start: it finds damage, and no intent.
func sumOf(path string) (string, error) {
	f, err := os.Open(path)
	if err != nil {
		return "", err
	}
	defer f.Close()
	h := crc32.New(crc32.MakeTable(crc32.Castagnoli))
	n, err := io.Copy(h, f)
	return fmt.Sprintf("crc32c %08x of %d bytes\n", h.Sum32(), n), err
}

// dropCache removes all compiled code.
func dropCache(cacheDir string) error {
	var err error
	for _, file := range cachedFiles(cacheDir) {
		err = errors.Join(err, os.Remove(file))
		_ = os.Remove(file + sumExtension)
	}
	return err
}
