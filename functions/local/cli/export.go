package cli

import (
	"bufio"
	"bytes"
	"context"
	"encoding/json"
	"errors"
	"fmt"
	"io/fs"
	"maps"
	"net/http"
	"net/url"
	"os"
	"path/filepath"
	"slices"
	"strings"
)

// Names inside a directory that was exported. Those that begin with a dot are no
// documents for sync.
const (
	manifestName = ".lectern.jsonl"
	textsName    = ".texts"
)

// manifestLine says which document a file is.
type manifestLine struct {
	File     string         `json:"file"` // from the directory, with slashes
	Artifact string         `json:"artifact"`
	Hash     string         `json:"content_hash,omitempty"` // of what the service keeps
	TextOnly bool           `json:"text_only,omitempty"`    // the file was not kept: this is its text
	Metadata map[string]any `json:"metadata,omitempty"`     // of its owner
}

// ofService are the fields of a document's metadata that the service writes.
var ofService = []string{"file_name", "file_type", "title", "pages", "chunk_count", "token_count", "content_hash", "size_bytes",
	"ingested_at", "vectors", hashField, rootField}

// owned is the metadata that a document's owner gave it.
func (d *document) owned() map[string]any {
	own := maps.Clone(d.Metadata)
	for _, name := range ofService {
		delete(own, name)
	}
	return own
}

func (d *document) text(name string) string {
	s, _ := d.Metadata[name].(string)
	return s
}

// original is the file that a document was made of; found is false where it was not
// kept.
func (a *api) original(ctx context.Context, collection, artifact string) (data []byte, found bool, err error) {
	q := url.Values{"collection": {collection}, "artifact": {artifact}}
	err = a.do(ctx, http.MethodGet, "/v1/artifacts/original?"+q.Encode(), "", nil, &data)
	var p *problem
	if errors.As(err, &p) && p.status == http.StatusNotFound {
		return nil, false, nil
	}
	return data, err == nil, err
}

// textOf is the text of a document, in Markdown.
func (a *api) textOf(ctx context.Context, collection, artifact string) (string, error) {
	var out struct {
		Data []struct{ Content string }
	}
	err := a.post(ctx, "/v1/artifacts/content", map[string]any{"format": "markdown",
		"context_filter": map[string]any{"collection": collection, "artifacts": []string{artifact}}}, &out)
	if err != nil || len(out.Data) == 0 {
		return "", err
	}
	return out.Data[0].Content, nil
}

// collections lists the names of the collections.
func (a *api) collections(ctx context.Context) ([]string, error) {
	var names []string
	after := ""
	for {
		q := url.Values{"limit": {fmt.Sprint(100)}}
		if after != "" {
			q.Set("after", after)
		}
		var page struct {
			Data []struct {
				Name string `json:"name"`
			}
			HasMore bool `json:"has_more"`
		}
		if err := a.do(ctx, http.MethodGet, "/v1/collections?"+q.Encode(), "", nil, &page); err != nil {
			return nil, err
		}
		for _, c := range page.Data {
			names = append(names, c.Name)
			after = c.Name
		}
		if !page.HasMore || len(page.Data) == 0 {
			return names, nil
		}
	}
}

// chosen lists the collections that a command is for: all, or that of the flags.
func (o *options) chosen(ctx context.Context, service *api, all bool) ([]string, error) {
	if !all {
		return []string{o.collection}, nil
	}
	return service.collections(ctx)
}

func (c *Command) export(ctx context.Context, name string, args []string) (int, error) {
	f, o := c.flags(name)
	all := f.Bool("all", false, "all collections, each in a directory of its name")
	rest, service, err := o.parse(f, args)
	if err != nil {
		return Failed, err
	}
	collections, err := o.chosen(ctx, service, *all)
	if err != nil {
		return Failed, err
	}
	lists := make([]map[string]document, len(collections))
	n := 0
	for i, collection := range collections {
		if lists[i], err = service.documents(ctx, collection); err != nil {
			return Failed, err
		}
		n += len(lists[i])
	}
	r := c.report(o, n)
	for i, collection := range collections {
		dir := rest[0]
		if *all {
			dir = filepath.Join(dir, safeName(collection))
		}
		if err := exportTo(ctx, service, r, collection, dir, lists[i]); err != nil {
			return Failed, err
		}
	}
	return r.end()
}

// exportTo writes the documents of a collection. What is there with the same content
// is not fetched again.
func exportTo(ctx context.Context, service *api, r *report, collection, dir string, documents map[string]document) error {
	before, err := readManifest(dir)
	if err != nil {
		return err
	}
	if err := os.MkdirAll(dir, 0o700); err != nil {
		return err
	}
	have := map[string]manifestLine{}
	for _, line := range before {
		have[line.Artifact] = line
	}
	taken, lines := map[string]bool{}, map[string]manifestLine{}
	for _, artifact := range slices.Sorted(maps.Keys(documents)) {
		d := documents[artifact]
		line := manifestLine{File: fileOf(&d, taken), Artifact: artifact, Hash: d.text("content_hash"), Metadata: d.owned()}
		out := outcome{File: line.File, Artifact: artifact, Done: "unchanged"}
		was := have[artifact]
		if was.TextOnly {
			line.File = was.File
		}
		_, err := os.Stat(filepath.Join(dir, filepath.FromSlash(was.File)))
		if err != nil || was.Hash == "" || was.Hash != line.Hash || was.File != line.File {
			out.Done = "exported"
			if err := exportOne(ctx, service, collection, dir, &line); err != nil {
				if stopped(ctx, err) {
					return errors.Join(writeManifest(dir, lines), fmt.Errorf("stopped after %d of %d; the same command goes on: %w", r.n, r.of, err))
				}
				out.Done, out.Error = "", err.Error()
			}
		} else {
			line.TextOnly = was.TextOnly
		}
		if out.Error == "" {
			lines[artifact] = line
		}
		if err := r.tell(out); err != nil {
			return err
		}
	}
	return writeManifest(dir, lines)
}

func exportOne(ctx context.Context, service *api, collection, dir string, line *manifestLine) error {
	text, err := service.textOf(ctx, collection, line.Artifact)
	if err != nil {
		return err
	}
	data, found, err := service.original(ctx, collection, line.Artifact)
	if err != nil {
		return err
	}
	if !found {
		line.TextOnly, data = true, []byte(text)
		if !strings.HasSuffix(line.File, ".md") {
			line.File += ".md"
		}
	}
	for path, data := range map[string][]byte{line.File: data, textsName + "/" + line.File + ".md": []byte(text)} {
		path = filepath.Join(dir, filepath.FromSlash(path))
		if err := os.MkdirAll(filepath.Dir(path), 0o700); err != nil {
			return &problem{text: err.Error()}
		}
		if err := os.WriteFile(path, data, 0o600); err != nil {
			return &problem{text: err.Error()}
		}
	}
	return nil
}

// fileOf is where a document is written: at its own name, where that is one of a file.
// taken holds the lower case of the names so far, and with a slash those of their
// directories.
func fileOf(d *document, taken map[string]bool) string {
	parts := strings.Split(d.Artifact, "/")
	for i, p := range parts {
		parts[i] = safeName(p)
	}
	name := strings.Join(parts, "/")
	if ext := filepath.Ext(d.text("file_name")); ext != "" && !strings.EqualFold(filepath.Ext(name), ext) {
		name += ext // by which readers know what it is
	}
	if within(name, taken) {
		name = strings.ReplaceAll(name, "/", "_")
	}
	free, ext := name, filepath.Ext(name)
	for n := 2; taken[strings.ToLower(free)] || taken[strings.ToLower(free)+"/"]; n++ {
		free = fmt.Sprintf("%s (%d)%s", strings.TrimSuffix(name, ext), n, ext)
	}
	occupy(free, taken)
	return free
}

// within reports whether a file would stand inside of a file.
func within(name string, taken map[string]bool) bool {
	name = strings.ToLower(name)
	for at, r := range name {
		if r == '/' && taken[name[:at]] {
			return true
		}
	}
	return false
}

func occupy(name string, taken map[string]bool) {
	name = strings.ToLower(name)
	taken[name] = true
	for at, r := range name {
		if r == '/' {
			taken[name[:at+1]] = true
		}
	}
}

// safeName is a part of a path that any system takes, and that is not hidden.
func safeName(s string) string {
	s = strings.Map(func(r rune) rune {
		if r < ' ' || r == 0x7F || strings.ContainsRune(`<>:"\|?*/`, r) {
			return '_'
		}
		return r
	}, s)
	s = strings.TrimRight(s, ". ")
	if s == "" || s[0] == '.' {
		s = "_" + s
	}
	for len(s) > 180 { // bytes; a system's limit is 255, and endings follow
		r := []rune(s)
		s = string(r[:len(r)-1])
	}
	return s
}

// readManifest reads what an export says of the files of a directory, by their names;
// nothing where there was none.
func readManifest(dir string) (map[string]manifestLine, error) {
	raw, err := os.ReadFile(filepath.Join(dir, manifestName))
	if errors.Is(err, fs.ErrNotExist) {
		return nil, nil
	}
	if err != nil {
		return nil, err
	}
	lines := map[string]manifestLine{}
	scanner := bufio.NewScanner(bytes.NewReader(raw))
	scanner.Buffer(nil, 4<<20)
	for n := 1; scanner.Scan(); n++ {
		var line manifestLine
		if err := json.Unmarshal(scanner.Bytes(), &line); err != nil {
			return nil, fmt.Errorf("%s, line %d: %w", manifestName, n, err)
		}
		lines[line.File] = line
	}
	return lines, scanner.Err()
}

// writeManifest writes it whole or not at all.
func writeManifest(dir string, lines map[string]manifestLine) error {
	var out bytes.Buffer
	encoder := json.NewEncoder(&out)
	for _, artifact := range slices.Sorted(maps.Keys(lines)) {
		if err := encoder.Encode(lines[artifact]); err != nil {
			return err
		}
	}
	path := filepath.Join(dir, manifestName)
	if err := os.WriteFile(path+".new", out.Bytes(), 0o600); err != nil {
		return err
	}
	return os.Rename(path+".new", path)
}
