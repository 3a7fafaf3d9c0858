package cli

import (
	"cmp"
	"context"
	"crypto/sha256"
	"encoding/hex"
	"errors"
	"fmt"
	"io/fs"
	"maps"
	"net/http"
	"os"
	"path/filepath"
	"slices"
	"strings"
	"time"
)

// outcome is what became of a file, as --json tells it.
type outcome struct {
	File     string `json:"file"`
	Artifact string `json:"artifact,omitempty"`
	Done     string `json:"done,omitempty"` // ingested, exported, moved, unchanged, deleted
	Error    string `json:"error,omitempty"`
}

// report tells outcomes and progress.
type report struct {
	c      *Command
	json   bool
	of, n  int
	since  time.Time
	counts map[string]int
	failed []outcome
}

func (c *Command) report(o *options, of int) *report {
	return &report{c: c, json: o.json, of: of, since: c.Now(), counts: map[string]int{}}
}

// tell reports one outcome.
func (r *report) tell(o outcome) error {
	r.n++
	r.counts[o.Done]++
	if o.Error != "" {
		r.failed = append(r.failed, o)
	}
	switch {
	case r.json:
		return r.c.line(o)
	case r.c.Terminal:
		took := r.c.Now().Sub(r.since)
		left := took / time.Duration(r.n) * time.Duration(max(0, r.of-r.n))
		fmt.Fprintf(r.c.Err, "\r\x1b[K%d of %d, %s left  %s", r.n, r.of, left.Round(time.Second), printable(o.File))
	case o.Error == "" && o.Done != "unchanged":
		_, err := fmt.Fprintf(r.c.Out, "%s %s\n", o.Done, printable(o.File))
		return err
	}
	return nil
}

// end sums up and returns the exit code.
func (r *report) end() (int, error) {
	if r.c.Terminal && !r.json && r.n > 0 {
		_, _ = fmt.Fprint(r.c.Err, "\r\x1b[K")
	}
	for _, f := range r.failed {
		r.c.say("%s: %s", printable(f.File), printable(f.Error))
	}
	if !r.json {
		var parts []string
		for _, done := range []string{"ingested", "exported", "moved", "unchanged", "deleted"} {
			if n := r.counts[done]; n > 0 {
				parts = append(parts, fmt.Sprintf("%d %s", n, done))
			}
		}
		if n := len(r.failed); n > 0 {
			parts = append(parts, fmt.Sprintf("%d failed", n))
		}
		if len(parts) == 0 {
			parts = []string{"nothing to do"}
		}
		if _, err := fmt.Fprintln(r.c.Out, strings.Join(parts, ", ")); err != nil {
			return Failed, err
		}
	}
	if len(r.failed) > 0 {
		return Failed, nil
	}
	return Done, nil
}

// printable replaces what would control a terminal.
func printable(s string) string {
	return strings.Map(func(r rune) rune {
		if r < ' ' || r >= 0x7F && r < 0xA0 {
			return '?'
		}
		return r
	}, s)
}

// stopped reports whether the whole command is over, rather than one file.
func stopped(ctx context.Context, err error) bool {
	var p *problem
	return ctx.Err() != nil || !errors.As(err, &p) || p.status == http.StatusUnauthorized || p.status == http.StatusForbidden
}

func (c *Command) ingest(ctx context.Context, name string, args []string) (int, error) {
	f, o := c.flags(name)
	files, service, err := o.parse(f, args)
	if err != nil {
		return Failed, err
	}
	r := c.report(o, len(files))
	for _, file := range files {
		data, err := os.ReadFile(file)
		if err != nil {
			if info, e := os.Stat(file); e == nil && info.IsDir() {
				err = fmt.Errorf("a directory; use: lectern sync %s", file)
			}
			if err := r.tell(outcome{File: file, Error: err.Error()}); err != nil {
				return Failed, err
			}
			continue
		}
		docs, failures, err := service.upload(ctx, o.collection, "", filepath.Base(file), data, nil)
		if err != nil && stopped(ctx, err) {
			return Failed, err
		}
		if err != nil {
			failures = append(failures, failure{File: file, Message: err.Error()})
		}
		for _, d := range docs {
			if err := r.tell(outcome{File: file, Artifact: d.Artifact, Done: "ingested"}); err != nil {
				return Failed, err
			}
		}
		for _, fail := range failures {
			if err := r.tell(outcome{File: fail.File, Error: fail.Message}); err != nil {
				return Failed, err
			}
		}
	}
	return r.end()
}

// Metadata that sync keeps at a document: the hash of its file, and the name of the
// directory that it is from, so that directories may share a collection.
const (
	hashField = "sync_hash"
	rootField = "sync_root"
)

// local is a file of a directory.
type local struct {
	size    int64
	changed time.Time
	hash    string
}

// scan returns the files of a directory by their paths in it, with slashes. Hidden
// ones are left out, links are not followed. What has neither another size nor another
// time than before keeps its hash.
func scan(ctx context.Context, root string, before map[string]local) (map[string]local, error) {
	found := map[string]local{}
	err := filepath.WalkDir(root, func(path string, d fs.DirEntry, err error) error {
		if err != nil {
			return err
		}
		if ctx.Err() != nil {
			return ctx.Err()
		}
		if path != root && strings.HasPrefix(d.Name(), ".") {
			if d.IsDir() {
				return fs.SkipDir
			}
			return nil
		}
		if !d.Type().IsRegular() {
			return nil
		}
		info, err := d.Info()
		if err != nil {
			return err
		}
		rel, err := filepath.Rel(root, path)
		if err != nil {
			return err
		}
		name := filepath.ToSlash(rel)
		file := local{size: info.Size(), changed: info.ModTime(), hash: before[name].hash}
		if was := before[name]; was.hash == "" || was.size != file.size || !was.changed.Equal(file.changed) {
			data, err := os.ReadFile(path)
			if err != nil {
				return err
			}
			sum := sha256.Sum256(data)
			file.hash = hex.EncodeToString(sum[:])
		}
		found[name] = file
		return nil
	})
	return found, err
}

func (c *Command) sync(ctx context.Context, name string, args []string) (int, error) {
	f, o := c.flags(name)
	watch := f.Bool("watch", false, "go on, and look for changes every two seconds")
	keep := f.Bool("keep", false, "keep documents whose files were removed")
	rest, service, err := o.parse(f, args)
	if err != nil {
		return Failed, err
	}
	root, err := filepath.Abs(rest[0])
	if err != nil {
		return Failed, err
	}
	if info, err := os.Stat(root); err != nil || !info.IsDir() {
		return Failed, fmt.Errorf("%s is no directory", rest[0])
	}
	var files map[string]local
	for {
		if files, err = scan(ctx, root, files); err != nil {
			return Failed, err
		}
		code, err := c.syncOnce(ctx, service, o, root, files, *keep, *watch)
		if !*watch || err != nil && ctx.Err() == nil {
			return code, err
		}
		select {
		case <-ctx.Done():
			return Done, nil
		case <-time.After(2 * time.Second):
		}
	}
}

// syncOnce moves what differs. quiet says nothing where nothing does.
func (c *Command) syncOnce(ctx context.Context, service *api, o *options, root string, files map[string]local, keep, quiet bool) (
	int, error,
) {
	there, err := service.documents(ctx, o.collection)
	if err != nil {
		return Failed, err
	}
	exported, err := readManifest(root)
	if err != nil {
		return Failed, err
	}
	from := filepath.Base(root)
	var changed, gone []string
	here := map[string]bool{}
	for name, file := range files {
		artifact := cmp.Or(exported[name].Artifact, name)
		here[artifact] = true
		if there[artifact].Metadata[hashField] != file.hash {
			changed = append(changed, name)
		}
	}
	for artifact, d := range there {
		if !here[artifact] && d.Metadata[rootField] == from && !keep {
			gone = append(gone, artifact)
		}
	}
	slices.Sort(changed)
	slices.Sort(gone)
	if quiet && len(changed)+len(gone) == 0 {
		return Done, nil
	}
	r := c.report(o, len(changed)+len(gone))
	r.counts["unchanged"] = len(files) - len(changed)
	for _, name := range changed {
		line := exported[name]
		line.File, line.Artifact, line.Hash = name, cmp.Or(line.Artifact, name), files[name].hash
		out := outcome{File: name, Artifact: line.Artifact, Done: "ingested"}
		if err := c.syncFile(ctx, service, o, root, &line); err != nil {
			if stopped(ctx, err) {
				if _, e := r.end(); e != nil {
					return Failed, e
				}
				return Failed, fmt.Errorf("stopped after %d of %d; the same command goes on: %w", r.n, r.of, err)
			}
			out.Done, out.Error = "", err.Error()
		}
		if err := r.tell(out); err != nil {
			return Failed, err
		}
	}
	for _, name := range gone {
		err := service.post(ctx, "/v1/artifacts/delete", map[string]string{"collection": o.collection, "artifact": name}, nil)
		out := outcome{File: name, Artifact: name, Done: "deleted"}
		if err != nil {
			if stopped(ctx, err) {
				return Failed, err
			}
			out.Done, out.Error = "", err.Error()
		}
		if err := r.tell(out); err != nil {
			return Failed, err
		}
	}
	return r.end()
}

// syncFile moves a file, under the name and with the metadata that an export noted.
func (c *Command) syncFile(ctx context.Context, service *api, o *options, root string, line *manifestLine) error {
	data, err := os.ReadFile(filepath.Join(root, filepath.FromSlash(line.File)))
	if err != nil {
		return &problem{text: err.Error()}
	}
	metadata := map[string]any{hashField: line.Hash, rootField: filepath.Base(root)}
	maps.Copy(metadata, line.Metadata)
	return service.bring(ctx, o.collection, line.Artifact, filepath.Base(line.File), data, metadata)
}

// bring ingests one document.
func (a *api) bring(ctx context.Context, collection, artifact, file string, data []byte, metadata map[string]any) error {
	_, failures, err := a.upload(ctx, collection, artifact, file, data, metadata)
	if err == nil && len(failures) > 0 {
		return &problem{text: failures[0].Message}
	}
	return err
}
