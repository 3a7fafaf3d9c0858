package skill

import (
	"context"
	"fmt"
	"slices"

	"lectern/shared/auth"
	"lectern/shared/fault"
	"lectern/shared/storage/record"
)

// Choice is a skill and the version of it that a conversation uses.
type Choice struct {
	*Skill
	Version *Version
}

// Catalogue returns the skills of a collection, newest first, each in its latest
// version; skills without versions are omitted. With ids, of skills or versions, it
// returns only those, in their order. At most limit are returned. An unknown id is
// Invalid, located by its index.
func (s *Service) Catalogue(ctx context.Context, collection string, ids []string, limit int) ([]Choice, error) {
	if err := auth.Check(ctx, collection); err != nil {
		return nil, err
	}
	var list []Choice
	var refs []Ref
	if ids == nil {
		for item, err := range record.All(ctx, s.Records, record.Range{Partition: partition(collection), Prefix: skillSort, Reverse: true}) {
			if err != nil {
				return nil, err
			}
			k, err := decodeSkill(item)
			if err != nil {
				return nil, err
			}
			if ref, ok := k.Latest(); ok {
				list, refs = append(list, Choice{Skill: k}), append(refs, ref)
			}
			if len(list) == limit {
				break
			}
		}
	} else {
		var err error
		if list, refs, err = s.named(ctx, collection, ids); err != nil {
			return nil, err
		}
	}
	versions, err := s.described(ctx, collection, refs)
	if err != nil {
		return nil, err
	}
	for _, v := range versions {
		list[slices.Index(refs, v.Ref)].Version = v
	}
	list = slices.DeleteFunc(list, func(c Choice) bool { return c.Version == nil }) // deleted in the meantime
	return list[:min(len(list), limit)], nil
}

func (s *Service) named(ctx context.Context, collection string, ids []string) ([]Choice, []Ref, error) {
	var list []Choice
	var refs []Ref
	var problems []fault.Problem
	for i, id := range ids {
		owner := id
		if v := OwnerOf(id); v != "" {
			owner = v
		}
		k, err := s.Find(ctx, collection, owner)
		var ref Ref
		ok := false
		if err == nil {
			if ref, ok = k.Latest(); owner != id {
				ref, ok = k.find(id)
			}
		}
		if err != nil && !fault.Is(err, fault.NotFound) {
			return nil, nil, err
		}
		if !ok {
			problems = append(problems, fault.Problem{Loc: []any{i}, Msg: fmt.Sprintf("collection %q has no skill or version %q", collection,
				id), Type: "value_error"})
			continue
		}
		if !slices.Contains(refs, ref) {
			list, refs = append(list, Choice{Skill: k}), append(refs, ref)
		}
	}
	if len(problems) > 0 {
		return nil, nil, fault.Problems(problems)
	}
	return list, refs, nil
}
