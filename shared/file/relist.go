package file

import (
	"bytes"
	"context"
	"crypto/md5"
	"encoding/hex"
	"encoding/json"
	"fmt"
	"io"
	"path"
	"strings"
	"sync"
	"time"

	"lectern/shared/fault"
	"lectern/shared/ident"
	"lectern/shared/storage/object"
	"lectern/shared/storage/record"
)

// The objects of files have keys made of hashes. The objects of this folder hold the
// names of places, by hash, so that lost records can be made again.
const placesFolder = "places/"

// places remembers the places whose names were stored by this process.
type places struct {
	mu   sync.Mutex
	seen map[string]bool
}

const placesRemembered = 10_000

// has reports whether a place was added, and add adds it.
func (p *places) has(hash string) bool {
	p.mu.Lock()
	defer p.mu.Unlock()
	return p.seen[hash]
}

func (p *places) add(hash string) {
	p.mu.Lock()
	defer p.mu.Unlock()
	if p.seen == nil || len(p.seen) >= placesRemembered {
		p.seen = map[string]bool{}
	}
	p.seen[hash] = true
}

// notePlace stores the names of an entry's place, unless they are stored.
func (s *Service) notePlace(ctx context.Context, e *entry) error {
	hash := e.place().hash()
	if s.places.has(hash) {
		return nil
	}
	raw, err := json.Marshal(entry{Namespace: e.Namespace, Scope: e.Scope, Tenant: e.Tenant})
	if err != nil {
		return fmt.Errorf("encode a place: %w", err)
	}
	_, err = s.Objects.Put(ctx, placesFolder+hash, bytes.NewReader(raw),
		object.PutOptions{ContentType: "application/json", Size: int64(len(raw)), IfAbsent: true})
	if err != nil && !fault.Is(err, fault.Conflict) {
		return err
	}
	s.places.add(hash)
	return nil
}

// sweepPlaces removes the names of places without files. Nobody else may write.
func (s *Service) sweepPlaces(ctx context.Context) error {
	for o, err := range object.All(ctx, s.Objects, placesFolder) {
		if err != nil {
			return err
		}
		if s.Guard.Keeps(o.Modified) {
			continue
		}
		files, _, err := s.Objects.List(ctx, objectsFolder+path.Base(o.Key)+"/", "", 1)
		if err != nil {
			return err
		}
		if len(files) > 0 {
			continue
		}
		if err := s.Objects.Delete(ctx, o.Key); err != nil {
			return err
		}
	}
	return nil
}

// Relist makes the records of files that are lost again, from the objects. lost is
// called with a sentence about each file that cannot be listed. When a file was to
// expire is not known any more. Nobody else may write.
func (s *Service) Relist(ctx context.Context, lost func(string)) (listed int, err error) {
	newest := map[record.Key]object.Info{}
	for o, err := range object.All(ctx, s.Objects, objectsFolder) {
		if err != nil {
			return 0, err
		}
		key, version, ok := recordOf(o.Key)
		if !ok {
			continue
		}
		item, err := s.Records.Find(ctx, key)
		if err == nil {
			if _, err := decode(item); err == nil {
				continue // it says which version counts
			}
		} else if !fault.Is(err, fault.NotFound) {
			return 0, err
		}
		if old, found := newest[key]; !found || path.Base(old.Key) < version {
			newest[key] = o
		}
	}
	for key, o := range newest {
		problem, err := s.relistOne(ctx, key, o)
		if err != nil {
			return listed, err
		}
		if problem == "" {
			listed++
		} else {
			lost(problem)
		}
	}
	return listed, nil
}

// relistOne lists a file. problem says why that cannot be done.
func (s *Service) relistOne(ctx context.Context, key record.Key, o object.Info) (problem string, err error) {
	raw, _, err := object.ReadAll(ctx, s.Objects, placesFolder+strings.TrimPrefix(key.Partition, "files/"), 1<<16)
	e := &entry{}
	if err == nil {
		err = json.Unmarshal(raw, e)
	}
	name, whole := nameOf(strings.TrimPrefix(key.Sort, "i#"))
	if err != nil || e.place().partition() != key.Partition {
		return fmt.Sprintf("nothing tells the session of the file %q (%s, %d bytes)", name, o.Key, o.Size), nil
	}
	if !whole {
		return fmt.Sprintf("the whole name of the file that begins with %q is lost (%s, %d bytes)", name, o.Key, o.Size), nil
	}
	body, info, err := s.Objects.Open(ctx, o.Key, 0, -1)
	if err != nil {
		return fmt.Sprintf("the file %q of session %q cannot be read (%s)", name, e.Scope, o.Key), nil
	}
	defer body.Close()
	sum := md5.New()
	if _, err := io.Copy(sum, body); err != nil {
		return fmt.Sprintf("the file %q of session %q cannot be read (%s)", name, e.Scope, o.Key), nil
	}
	e.ID, e.Version, e.Mime, e.Size = name, path.Base(o.Key), info.ContentType, info.Size
	e.Output, e.ETag = strings.HasPrefix(name, outputsFolder), hex.EncodeToString(sum.Sum(nil))
	e.Created = ident.Time(strings.TrimPrefix(e.Version, signedPrefix)).UTC().Truncate(time.Microsecond)
	value, err := json.Marshal(e)
	if err != nil {
		return "", fmt.Errorf("encode file item: %w", err)
	}
	if err := s.Records.Put(ctx, record.Item{Key: e.timeKey(), Value: []byte(e.ID)}, record.Any()); err != nil {
		return "", err
	}
	return "", s.Records.Put(ctx, record.Item{Key: key, Value: value, Version: s.IDs.Ordered()}, record.Any())
}

// nameOf is the inverse of keyOf; whole is false for a name that the key cuts.
func nameOf(key string) (name string, whole bool) {
	shown, _, cut := strings.Cut(key, ".")
	raw, err := hex.DecodeString(shown)
	return string(raw), err == nil && !cut
}
