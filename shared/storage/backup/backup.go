// Package backup copies the records and objects of a service into one file, and back.
//
// The file is a tar: what it is, the secrets, the records as they were at one moment,
// every object that they name, and at the end what could not be copied and a checksum
// of everything before. Objects are copied after the records, and have to be held
// until then, so that each one that the records name is there; objects that came
// later are leftovers, which a sweep judges. The search index is not copied: it is
// rebuilt from the stored texts.
package backup

import (
	"archive/tar"
	"bytes"
	"context"
	"crypto/sha256"
	"encoding/hex"
	"encoding/json"
	"errors"
	"fmt"
	"hash"
	"io"
	"maps"
	"slices"
	"strings"
	"time"

	"lectern/shared/fault"
	"lectern/shared/storage/object"
	"lectern/shared/storage/record"
)

const (
	format        = 1
	headName      = "lectern-backup.json"
	recordsName   = "records.db"
	endName       = "end.json"
	secretsFolder = "secrets/"
	objectsFolder = "objects/"
	typeRecord    = "LECTERN.type" // of the media type in an object's header
	maxHeadBytes  = 1 << 20
	maxEndBytes   = 64 << 20
)

// Source is what is copied.
type Source struct {
	Records record.Snapshotter
	Objects object.Store      // held
	Secrets map[string][]byte // by the name of their file
	Now     time.Time
}

type head struct {
	Format int       `json:"format"`
	Made   time.Time `json:"made"`
}

// Summary is what a backup holds.
type Summary struct {
	Made    time.Time `json:"-"`
	Objects int       `json:"objects"`
	Bytes   int64     `json:"bytes"`   // of the objects
	Damaged []string  `json:"damaged"` // keys of objects that could not be read, and are left out
	Sum     string    `json:"sum"`
}

// archive is a tar with a checksum of its entries: names, media types, sizes and
// contents.
type archive struct {
	*tar.Writer
	sum hash.Hash
}

func (a *archive) begin(h *tar.Header) error {
	describe(a.sum, h)
	return a.WriteHeader(h)
}

func (a *archive) Write(b []byte) (int, error) {
	n, err := a.Writer.Write(b)
	a.sum.Write(b[:n])
	return n, err
}

func describe(sum hash.Hash, h *tar.Header) {
	fmt.Fprintf(sum, "%s\x00%s\x00%d\x00", h.Name, h.PAXRecords[typeRecord], h.Size)
}

// Write writes a backup. A file without its end is none: Check refuses it.
func Write(ctx context.Context, to io.Writer, s Source) (Summary, error) {
	w := &archive{tar.NewWriter(to), sha256.New()}
	out := Summary{Made: s.Now.UTC().Truncate(time.Second), Damaged: []string{}}
	if err := entry(w, headName, head{format, out.Made}, s.Now); err != nil {
		return out, err
	}
	for _, name := range slices.Sorted(maps.Keys(s.Secrets)) {
		if err := whole(w, secretsFolder+name, s.Secrets[name], s.Now); err != nil {
			return out, err
		}
	}
	err := s.Records.Snapshot(ctx, func(size int64, write func(io.Writer) error) error {
		if err := w.begin(&tar.Header{Name: recordsName, Mode: 0o600, Size: size, ModTime: s.Now}); err != nil {
			return err
		}
		return write(w)
	})
	if err != nil {
		return out, fmt.Errorf("copy the records: %w", err)
	}
	for o, err := range object.All(ctx, s.Objects, "") {
		if err == nil {
			err = out.add(ctx, w, s.Objects, o)
		}
		if err != nil {
			return out, fmt.Errorf("copy the objects: %w", err)
		}
	}
	out.Sum = hex.EncodeToString(w.sum.Sum(nil))
	if err := entry(w, endName, out, s.Now); err != nil {
		return out, err
	}
	return out, w.Close()
}

func entry(w *archive, name string, v any, at time.Time) error {
	raw, err := json.Marshal(v)
	if err != nil {
		return err
	}
	return whole(w, name, raw, at)
}

func whole(w *archive, name string, raw []byte, at time.Time) error {
	if err := w.begin(&tar.Header{Name: name, Mode: 0o600, Size: int64(len(raw)), ModTime: at}); err != nil {
		return err
	}
	_, err := w.Write(raw)
	return err
}

// zeros fills the place of what cannot be read.
type zeros struct{}

func (zeros) Read(b []byte) (int, error) { clear(b); return len(b), nil }

// add copies one object.
func (s *Summary) add(ctx context.Context, w *archive, objects object.Store, o object.Info) error {
	body, info, err := objects.Open(ctx, o.Key, 0, -1)
	switch {
	case fault.Is(err, fault.NotFound):
		return nil
	case errors.Is(err, object.ErrDamaged):
		s.Damaged = append(s.Damaged, o.Key)
		return nil
	case err != nil:
		return err
	}
	defer body.Close()
	h := &tar.Header{Name: objectsFolder + o.Key, Mode: 0o600, Size: info.Size, ModTime: info.Modified, Format: tar.FormatPAX,
		PAXRecords: map[string]string{typeRecord: info.ContentType}}
	if err := w.begin(h); err != nil {
		return err
	}
	n, err := io.Copy(w, body)
	if err == nil && n < info.Size {
		err = object.Damaged(o.Key)
	}
	if errors.Is(err, object.ErrDamaged) {
		s.Damaged = append(s.Damaged, o.Key)
		_, err = io.CopyN(w, zeros{}, info.Size-n)
		return err
	}
	s.Objects++
	s.Bytes += n
	return err
}

// Target is where a backup is put back.
type Target struct {
	Secret  func(name string, value []byte) error
	Records func(io.Reader) error
	Objects object.Store
}

func refused(format string, args ...any) error {
	return &fault.Error{Code: fault.Unsupported, Msg: "the file is no whole backup: " + fmt.Sprintf(format, args...)}
}

// Check reads a whole backup and returns what it holds; an error when it is none, or
// when a byte of it has changed.
func Check(from io.Reader) (Summary, error) {
	var out Summary
	r, sum := tar.NewReader(from), sha256.New()
	objects, records := 0, false
	for first := true; ; first = false {
		h, err := r.Next()
		if err != nil {
			return out, refused("it ends before its end (%v)", err)
		}
		if h.Name == endName {
			if err := readJSON(r, maxEndBytes, &out); err != nil {
				return out, refused("its end cannot be read (%v)", err)
			}
			if out.Sum != hex.EncodeToString(sum.Sum(nil)) || !records || objects < out.Objects {
				return out, refused("what it holds is not what was written")
			}
			return out, nil
		}
		describe(sum, h)
		content := io.TeeReader(r, sum)
		if first {
			var is head
			if err := readJSON(content, maxHeadBytes, &is); h.Name != headName || err != nil || is.Format != format {
				return out, refused("it does not begin as one of this version")
			}
			out.Made = is.Made
		}
		if _, err := io.Copy(io.Discard, content); err != nil {
			return out, refused("%v", err)
		}
		records = records || h.Name == recordsName
		if strings.HasPrefix(h.Name, objectsFolder) {
			objects++
		}
	}
}

func readJSON(r io.Reader, limit int64, v any) error {
	raw, err := io.ReadAll(io.LimitReader(r, limit))
	if err != nil {
		return err
	}
	return json.Unmarshal(raw, v)
}

// Restore puts a backup back that Check has found whole.
func Restore(ctx context.Context, from io.Reader, is Summary, to Target) error {
	r := tar.NewReader(from)
	damaged := map[string]bool{}
	for _, key := range is.Damaged {
		damaged[key] = true
	}
	for {
		h, err := r.Next()
		if err == io.EOF {
			return nil
		}
		if err != nil {
			return err
		}
		if name, ok := strings.CutPrefix(h.Name, secretsFolder); ok {
			value, err := io.ReadAll(io.LimitReader(r, maxHeadBytes))
			if err == nil {
				err = to.Secret(name, value)
			}
			if err != nil {
				return fmt.Errorf("restore %s: %w", h.Name, err)
			}
		} else if key, ok := strings.CutPrefix(h.Name, objectsFolder); ok && !damaged[key] {
			if err := restoreObject(ctx, to.Objects, key, h, r); err != nil {
				return fmt.Errorf("restore %s: %w", h.Name, err)
			}
		} else if h.Name == recordsName {
			if err := to.Records(r); err != nil {
				return fmt.Errorf("restore the records: %w", err)
			}
		}
	}
}

func restoreObject(ctx context.Context, to object.Store, key string, h *tar.Header, r io.Reader) error {
	var body = r
	if h.Size == 0 {
		body = bytes.NewReader(nil)
	}
	_, err := to.Put(ctx, key, body, object.PutOptions{ContentType: h.PAXRecords[typeRecord], Size: h.Size})
	return err
}
