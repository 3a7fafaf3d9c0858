package skill

import (
	"context"
	"fmt"
	"strings"

	"lectern/shared/fault"
	"lectern/shared/storage/object"
	"lectern/shared/storage/record"
)

// Verify reads the archives of all skills and calls wrong with a sentence about each
// that is not as it should be. It returns how many skills are listed; 0 where the
// records cannot tell which there are.
func (s *Service) Verify(ctx context.Context, wrong func(string)) (listed int, err error) {
	if l, ok := s.Records.(record.Lister); ok {
		for partition, err := range l.Partitions(ctx, "skills/") {
			if err != nil {
				return listed, err
			}
			for item, err := range record.All(ctx, s.Records, record.Range{Partition: partition, Prefix: skillSort}) {
				if err != nil {
					return listed, err
				}
				k, err := decodeSkill(item)
				if err != nil {
					wrong(fmt.Sprintf("the record of skill %s is damaged", strings.TrimPrefix(item.Sort, skillSort)))
					continue
				}
				listed++
				s.verify(ctx, k, wrong)
			}
		}
	}
	for o, err := range object.All(ctx, s.Objects, objectsFolder) {
		if err != nil {
			return listed, err
		}
		at, version := placeOf(o.Key)
		if version == "" {
			continue
		}
		if _, err := s.Records.Find(ctx, record.Key{Partition: at, Sort: skillSort + OwnerOf(version)}); fault.Is(err, fault.NotFound) {
			wrong(fmt.Sprintf("the stored archive %s is of no skill that is listed", o.Key))
		}
	}
	return listed, nil
}

func (s *Service) verify(ctx context.Context, k *Skill, wrong func(string)) {
	for _, ref := range k.Versions {
		raw, err := s.Archive(ctx, k.Collection, &Version{Ref: ref})
		if err == nil {
			if _, broken := unzip(raw); broken != nil {
				err = object.ErrDamaged
			}
		}
		if err != nil {
			wrong(fmt.Sprintf("the archive of skill %q (%s, version %s) in collection %q is lost or damaged", k.Title, k.ID, ref.Token, k.Collection))
		}
		if list, err := s.described(ctx, k.Collection, []Ref{ref}); err != nil || len(list) == 0 {
			wrong(fmt.Sprintf("the record of version %s of skill %q in collection %q is lost or damaged", ref.Token, k.Title, k.Collection))
		}
	}
}
