// Command release builds what is published: the program for each platform, a list of
// what it is made of (CycloneDX), a container image as an OCI layout, made without
// Docker, and the checksums of all. It is a module of its own, so that the service does
// not depend on the libraries of images.
//
//	make release VERSION=v1.2.3
package main

import (
	"cmp"
	"crypto/sha256"
	"flag"
	"fmt"
	"io"
	"os"
	"os/exec"
	"path/filepath"
	"slices"
	"strings"
	"time"
)

// options are the flags.
type options struct {
	root, out, version, only string
}

// Platform is an operating system and an architecture, in Go's names.
type Platform struct{ OS, Arch string }

// platforms are all that are published.
var platforms = []Platform{
	{"linux", "amd64"}, {"linux", "arm64"}, {"darwin", "amd64"}, {"darwin", "arm64"}, {"windows", "amd64"}, {"windows", "arm64"},
}

// file is the name of a platform's program.
func (p Platform) file() string {
	name := "lectern-" + p.OS + "-" + p.Arch
	if p.OS == "windows" {
		name += ".exe"
	}
	return name
}

// source is what a release is built from.
type source struct {
	Version, Commit string
	Time            time.Time // of the commit
}

func main() {
	var o options
	flag.StringVar(&o.root, "root", "../..", "directory of the repository")
	flag.StringVar(&o.out, "out", "../../dist/release", "directory of what is built; emptied first")
	flag.StringVar(&o.version, "version", "", "version; that of the commit when empty")
	flag.StringVar(&o.only, "only", "", "comma list of platforms, such as linux/amd64; all when empty")
	flag.Parse()
	if err := run(o); err != nil {
		fmt.Fprintln(os.Stderr, "release:", err)
		os.Exit(1)
	}
}

func run(o options) error {
	chosen, err := choose(o.only)
	if err != nil {
		return err
	}
	src, err := describe(o.root, o.version)
	if err != nil {
		return err
	}
	if err := os.RemoveAll(o.out); err != nil {
		return err
	}
	if err := os.MkdirAll(o.out, 0o755); err != nil {
		return err
	}
	out, err := filepath.Abs(o.out)
	if err != nil {
		return err
	}
	for _, p := range chosen {
		if err := build(o.root, out, p, src); err != nil {
			return err
		}
	}
	if err := writeParts(o.root, out, chosen, src); err != nil {
		return err
	}
	if err := writeImage(out, chosen, src); err != nil {
		return err
	}
	return writeSums(out)
}

func choose(only string) ([]Platform, error) {
	if only == "" {
		return platforms, nil
	}
	var chosen []Platform
	for name := range strings.SplitSeq(only, ",") {
		i := slices.IndexFunc(platforms, func(p Platform) bool { return p.OS+"/"+p.Arch == name })
		if i < 0 {
			return nil, fmt.Errorf("-only %q is no platform of a release", name)
		}
		chosen = append(chosen, platforms[i])
	}
	return chosen, nil
}

// describe asks git for the commit. A tree with changes says so in its version.
func describe(root, version string) (source, error) {
	git := func(args ...string) (string, error) {
		cmd := exec.Command("git", args...)
		cmd.Dir, cmd.Stderr = root, os.Stderr
		raw, err := cmd.Output()
		return strings.TrimSpace(string(raw)), err
	}
	commit, err := git("rev-parse", "--short=12", "HEAD")
	if err != nil {
		return source{}, fmt.Errorf("git tells no commit: %w", err)
	}
	date, err := git("log", "-1", "--format=%cI")
	if err != nil {
		return source{}, err
	}
	at, err := time.Parse(time.RFC3339, date)
	if err != nil {
		return source{}, err
	}
	described, err := git("describe", "--tags", "--always", "--dirty", "--abbrev=12")
	return source{cmp.Or(version, described), commit, at.UTC()}, err
}

func build(root, out string, p Platform, src source) error {
	began := time.Now()
	stamp := fmt.Sprintf("%s, commit %s of %s", src.Version, src.Commit, src.Time.Format(time.RFC3339))
	name := filepath.Join(out, p.file())
	cmd := exec.Command("go", "build", "-trimpath", "-buildvcs=false", "-ldflags", "-s -w -buildid= -X 'main.stamp="+stamp+"'",
		"-o", name, "./functions/local")
	cmd.Dir, cmd.Stdout, cmd.Stderr = root, os.Stdout, os.Stderr
	cmd.Env = append(os.Environ(), "CGO_ENABLED=0", "GOOS="+p.OS, "GOARCH="+p.Arch)
	if err := cmd.Run(); err != nil {
		return fmt.Errorf("build %s: %w", p.file(), err)
	}
	info, err := os.Stat(name)
	if err != nil {
		return err
	}
	fmt.Printf("%-28s %5.1f MiB  %s\n", p.file(), float64(info.Size())/(1<<20), time.Since(began).Round(time.Second))
	return nil
}

// writeSums writes the checksums of all files that are published, as sha256sum -c
// reads them.
func writeSums(out string) error {
	entries, err := os.ReadDir(out)
	if err != nil {
		return err
	}
	var sums strings.Builder
	for _, e := range entries {
		if e.IsDir() {
			continue // the image's layout names its blobs by their sums
		}
		f, err := os.Open(filepath.Join(out, e.Name()))
		if err != nil {
			return err
		}
		h := sha256.New()
		_, err = io.Copy(h, f)
		f.Close()
		if err != nil {
			return err
		}
		fmt.Fprintf(&sums, "%x  %s\n", h.Sum(nil), e.Name())
	}
	return os.WriteFile(filepath.Join(out, "SHA256SUMS"), []byte(sums.String()), 0o644)
}
