package file

import (
	"bytes"
	"context"
	"crypto/md5"
	"encoding/hex"
	"encoding/json"
	"fmt"
	"io"
	"strings"
	"time"

	"github.com/gabriel-vasile/mimetype"

	"lectern/shared/auth"
	"lectern/shared/fault"
	"lectern/shared/storage/object"
	"lectern/shared/storage/record"
)

// sniffed is how many bytes of a file determine its type.
const sniffed = 3072

// PutOptions are the settings of a Put.
type PutOptions struct {
	Output bool          // made by a tool
	Life   time.Duration // lifetime; 0 means unlimited
}

// Put stores a file and replaces any file with the same id.
func (s *Service) Put(ctx context.Context, p Place, id string, data []byte, o PutOptions) (*Metadata, error) {
	if err := s.Check(p.Namespace); err != nil {
		return nil, err
	}
	e := &entry{Namespace: p.Namespace, Scope: p.Scope, Tenant: auth.From(ctx).Tenant, ID: id, Version: s.IDs.Ordered(),
		Size: int64(len(data)), Output: o.Output,
		Mime: detect(data).String()}
	if o.Life > 0 {
		e.Expires = s.Now().UTC().Add(o.Life).Truncate(time.Second)
	}
	if _, err := s.Objects.Put(ctx, e.objectKey(), bytes.NewReader(data), object.PutOptions{ContentType: e.Mime, Size: e.Size}); err != nil {
		return nil, err
	}
	sum := md5.Sum(data)
	e.ETag = hex.EncodeToString(sum[:])
	if err := s.commit(ctx, e); err != nil {
		return nil, err
	}
	return e.metadata(), nil
}

// detect tells the media type of a content.
func detect(data []byte) *mimetype.MIME { return mimetype.Detect(data[:min(len(data), sniffed)]) }

// Unnamed is the name of a file that was sent without one.
func Unnamed(data []byte) string { return "unnamed" + detect(data).Extension() }

// commit makes a stored object the file of its id and removes the file that it
// replaces.
func (s *Service) commit(ctx context.Context, e *entry) error {
	if err := s.notePlace(ctx, e); err != nil {
		return err
	}
	e.Created = s.Now().UTC().Truncate(time.Microsecond)
	if err := s.Records.Put(ctx, record.Item{Key: e.timeKey(), Value: []byte(e.ID), Expires: e.Expires}, record.Any()); err != nil {
		return err
	}
	value, err := json.Marshal(e)
	if err != nil {
		return fmt.Errorf("encode file item: %w", err)
	}
	var old *entry
	err = record.Update(ctx, s.Records, idKey(e.place(), e.ID), func(item record.Item, found bool) (record.Item, record.Action, error) {
		old = nil
		if found {
			var err error
			if old, err = decode(item); err != nil {
				old = nil // damaged: replace it; the sweep finds its object
			}
		}
		return record.Item{Value: value, Version: s.IDs.Ordered(), Expires: e.Expires}, record.Write, nil
	})
	if err != nil {
		return err
	}
	return s.forget(context.WithoutCancel(ctx), old, e)
}

// forget removes the leftovers of a file that was deleted or, with next, replaced.
func (s *Service) forget(ctx context.Context, old, next *entry) error {
	if old == nil {
		return nil
	}
	if next == nil || old.timeKey() != next.timeKey() {
		if err := s.Records.Delete(ctx, old.timeKey(), record.Any()); err != nil {
			return err
		}
	}
	if next != nil && old.Version == next.Version {
		return nil // the same signed URL was used again
	}
	if strings.HasPrefix(old.Version, signedPrefix) {
		if err := s.Records.Delete(ctx, uploadKey(old.Version), record.Any()); err != nil {
			return err
		}
	}
	return s.Objects.Delete(ctx, old.objectKey())
}

// Delete removes a file and returns its id.
func (s *Service) Delete(ctx context.Context, p Place, id string) (string, error) {
	e, err := s.find(ctx, p, id)
	if err != nil {
		return "", err
	}
	err = record.Update(ctx, s.Records, idKey(e.place(), e.ID), func(item record.Item, found bool) (record.Item, record.Action, error) {
		if !found {
			return record.Item{}, record.Leave, noFile(id)
		}
		var err error
		e, err = decode(item)
		return record.Item{}, record.Remove, err
	})
	if err != nil {
		return "", err
	}
	return e.ID, s.forget(context.WithoutCancel(ctx), e, nil)
}

// Query selects a page of files. After and Before are exclusive cursors (ids),
// of which at most one may be set.
type Query struct {
	Place
	After, Before *string
	Prefix        string
	Limit         int // 1 to 1000
}

// Page is a result of List; More reports further files in the direction of paging.
type Page struct {
	Files []*Metadata
	More  bool
}

// List returns files ordered by time, then id. With Before, the page ends just
// before the cursor. Both cursors together, or an unknown one, are Malformed.
func (s *Service) List(ctx context.Context, q Query) (*Page, error) {
	q.Place = q.Place.of(ctx)
	if q.After != nil && q.Before != nil {
		return nil, fault.New(fault.Malformed, "after_id and before_id cannot be used together")
	}
	if err := s.Check(q.Namespace); err != nil {
		return nil, err
	}
	r := record.Range{Partition: q.partition(), Prefix: timePrefix, Limit: min(q.Limit+1, maxListItems)}
	for name, cursor := range map[string]*string{"after_id": q.After, "before_id": q.Before} {
		if cursor == nil {
			continue
		}
		e, err := s.find(ctx, q.Place, *cursor)
		if fault.Is(err, fault.NotFound) {
			return nil, fault.New(fault.Malformed, "%s: no file has the id %q", name, *cursor)
		}
		if err != nil {
			return nil, err
		}
		if name == "after_id" {
			r.After = e.timeKey().Sort
		} else {
			r.Before, r.Reverse = e.timeKey().Sort, true
		}
	}
	return s.page(ctx, q, r)
}

func (s *Service) page(ctx context.Context, q Query, r record.Range) (*Page, error) {
	out := &Page{Files: []*Metadata{}}
	for {
		page, err := s.Records.Range(ctx, r)
		if err != nil {
			return nil, err
		}
		found, err := s.shown(ctx, q, page.Items)
		if err != nil {
			return nil, err
		}
		out.Files = append(out.Files, found...)
		if out.More = len(out.Files) > q.Limit; out.More || page.Next == "" {
			break
		}
		if r.Reverse {
			r.Before = page.Next
		} else {
			r.After = page.Next
		}
	}
	if out.More {
		out.Files = out.Files[:q.Limit]
	}
	if r.Reverse {
		for i, j := 0, len(out.Files)-1; i < j; i, j = i+1, j-1 {
			out.Files[i], out.Files[j] = out.Files[j], out.Files[i]
		}
	}
	return out, nil
}

// shown returns the files of items by time, in their order. It skips stale
// items: those whose file is gone or has another time.
func (s *Service) shown(ctx context.Context, q Query, items []record.Item) ([]*Metadata, error) {
	var keys []record.Key
	for _, item := range items {
		if id := string(item.Value); strings.HasPrefix(id, q.Prefix) {
			keys = append(keys, idKey(q.Place, id))
		}
	}
	found, err := s.Records.FindMany(ctx, keys)
	if err != nil {
		return nil, err
	}
	byTime := make(map[string]*entry, len(found))
	for _, item := range found {
		e, err := decode(item)
		if err != nil {
			continue // damaged: the other files are unaffected
		}
		byTime[e.timeKey().Sort] = e
	}
	var list []*Metadata
	for _, item := range items {
		if e, ok := byTime[item.Sort]; ok {
			list = append(list, e.metadata())
		}
	}
	return list, nil
}

// Content is a file's description and bytes.
type Content struct {
	*Metadata
	// MediaType includes the charset.
	MediaType string
	// Body reads from the store on demand; the caller closes it.
	Body io.ReadSeekCloser
}

// Open returns a file's content. It stays one version, even if the file is
// replaced or deleted during a read from the start.
func (s *Service) Open(ctx context.Context, p Place, id string) (*Content, error) {
	for try := 0; ; try++ {
		e, err := s.find(ctx, p, id)
		if err != nil {
			return nil, err
		}
		open, _, err := s.Objects.Open(ctx, e.objectKey(), 0, -1)
		if err == nil {
			return &Content{Metadata: e.metadata(), MediaType: e.Mime, Body: object.NewBody(ctx, s.Objects, e.objectKey(), e.Size, open)}, nil
		}
		if !fault.Is(err, fault.NotFound) || try >= 3 { // replaced in the meantime
			return nil, err
		}
	}
}

// Read returns a whole file; one larger than maxBytes is TooLarge.
func (s *Service) Read(ctx context.Context, p Place, id string, maxBytes int64) (*Metadata, []byte, error) {
	e, err := s.find(ctx, p, id)
	if err != nil {
		return nil, nil, err
	}
	data, _, err := object.ReadAll(ctx, s.Objects, e.objectKey(), maxBytes)
	return e.metadata(), data, err
}

// Object opens an object by its key, for signed URLs.
func (s *Service) Object(ctx context.Context, key string) (*Content, error) {
	info, err := s.Objects.Head(ctx, key)
	if err != nil {
		return nil, err
	}
	meta := &Metadata{Filename: key[strings.LastIndexByte(key, '/')+1:], SizeBytes: info.Size, CreatedAt: info.Modified,
		ETag: strings.Trim(info.ETag, `"`)}
	if by, _, ok := recordOf(key); ok {
		if item, err := s.Records.Find(ctx, by); err == nil {
			if e, err := decode(item); err == nil && e.objectKey() == key {
				meta = e.metadata()
			}
		}
	}
	return &Content{Metadata: meta, MediaType: info.ContentType, Body: object.NewBody(ctx, s.Objects, key, info.Size, nil)}, nil
}
