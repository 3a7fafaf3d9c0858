package file

import (
	"context"
	"crypto/md5"
	"encoding/hex"
	"fmt"
	"io"
	"iter"
	"strings"

	"lectern/shared/storage/object"
	"lectern/shared/storage/record"
)

// partitions yields the partitions of all places: as the records list them, else as
// the stored names of places do.
func (s *Service) partitions(ctx context.Context) iter.Seq2[string, error] {
	if l, ok := s.Records.(record.Lister); ok {
		return l.Partitions(ctx, "files/")
	}
	return func(yield func(string, error) bool) {
		for o, err := range object.All(ctx, s.Objects, placesFolder) {
			if !yield("files/"+strings.TrimPrefix(o.Key, placesFolder), err) || err != nil {
				return
			}
		}
	}
}

// Verify reads every file and calls wrong with a sentence about each that is not as
// it should be. It returns how many files are listed.
func (s *Service) Verify(ctx context.Context, wrong func(string)) (listed int, err error) {
	for partition, err := range s.partitions(ctx) {
		if err != nil {
			return listed, err
		}
		for item, err := range record.All(ctx, s.Records, record.Range{Partition: partition, Prefix: "i#"}) {
			if err != nil {
				return listed, err
			}
			e, err := decode(item)
			if err != nil {
				name, _ := nameOf(strings.TrimPrefix(item.Sort, "i#"))
				wrong(fmt.Sprintf("the record of the file %q is damaged (%s)", name, partition))
				continue
			}
			listed++
			if !s.intact(ctx, e) {
				wrong(fmt.Sprintf("the file %q of session %q is lost or damaged", e.ID, e.Scope))
			}
		}
	}
	for o, err := range object.All(ctx, s.Objects, objectsFolder) {
		if err != nil {
			return listed, err
		}
		if key, _, ok := recordOf(o.Key); ok {
			if _, err := s.Records.Find(ctx, key); err != nil {
				wrong(fmt.Sprintf("the stored file %s is not listed", o.Key))
			}
		}
	}
	return listed, nil
}

// intact reports whether the bytes of a file are those that were stored.
func (s *Service) intact(ctx context.Context, e *entry) bool {
	body, info, err := s.Objects.Open(ctx, e.objectKey(), 0, -1)
	if err != nil {
		return false
	}
	defer body.Close()
	sum := md5.New()
	n, err := io.Copy(sum, body)
	// The tag of an upload is the store's, which need not be the MD5.
	etag := strings.Trim(e.ETag, `"`)
	return err == nil && n == e.Size &&
		(len(etag) != 2*md5.Size || hex.EncodeToString(sum.Sum(nil)) == etag || strings.Trim(info.ETag, `"`) == etag)
}
