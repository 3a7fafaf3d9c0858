package skill

import (
	"bytes"
	"context"
	"encoding/json"
	"fmt"
	"log/slog"
	"slices"
	"strconv"
	"strings"
	"time"

	"lectern/shared/fault"
	"lectern/shared/ident"
	"lectern/shared/storage/object"
	"lectern/shared/storage/record"
	"lectern/shared/storage/sweep"
)

// Draft is the metadata of a new skill.
type Draft struct {
	Collection string
	Title      string // default: the name in the frontmatter
	Loading    string
	ReadOnly   bool
}

// Verdict is the result of Validate. Name and Description are null if they
// could not be read.
type Verdict struct {
	Valid       bool        `json:"valid"`
	Name        *string     `json:"name"`
	Description *string     `json:"description"`
	Errors      []Violation `json:"errors"`
}

// Validate checks a bundle without storing it.
func Validate(parts []Part) *Verdict {
	b, problems := ParseBundle(parts)
	v := &Verdict{Valid: len(problems) == 0, Errors: problems}
	if problems == nil {
		v.Errors = []Violation{}
	}
	if b.Name != "" {
		v.Name = &b.Name
	}
	if b.Description != "" {
		v.Description = &b.Description
	}
	return v
}

// checked parses a bundle that is to be stored.
func checked(parts []Part) (*Bundle, error) {
	b, violations := ParseBundle(parts)
	if len(violations) == 0 {
		return b, nil
	}
	problems := make([]fault.Problem, len(violations))
	for i, v := range violations {
		problems[i] = fault.Problem{Loc: []any{"form", "files"}, Msg: v.Message, Type: v.Code, Ctx: v.Params}
	}
	return nil, fault.Problems(problems)
}

// Create stores a skill with its first version.
func (s *Service) Create(ctx context.Context, d Draft, parts []Part) (*Skill, error) {
	b, err := checked(parts)
	if err != nil {
		return nil, err
	}
	if d.Title == "" {
		d.Title = b.Name
	} else if p := badName("display_title", d.Title); p != "" {
		return nil, fault.Field("value_error", p, "form", "display_title")
	}
	now := s.Now().UTC().Truncate(time.Microsecond)
	k := &Skill{ID: skillPrefix + s.IDs.Ordered(), Collection: d.Collection, Title: d.Title, Loading: d.Loading, ReadOnly: d.ReadOnly,
		Created: now}
	if _, err := s.store(ctx, k, b, now); err != nil {
		return nil, err
	}
	return k, s.put(ctx, skillKey(k.Collection, k.ID), k, record.Absent())
}

// store writes a version's archive and item, and adds the version to k, which the
// caller saves.
func (s *Service) store(ctx context.Context, k *Skill, b *Bundle, now time.Time) (*Version, error) {
	token := max(now.UnixMicro(), k.Last+1)
	comment, err := json.Marshal(label{Collection: k.Collection, Title: k.Title, Loading: k.Loading, ReadOnly: k.ReadOnly,
		Created: k.Created, Directory: b.Directory, Token: strconv.FormatInt(token, 10)})
	if err != nil {
		return nil, fmt.Errorf("label skill: %w", err)
	}
	archive, err := b.pack(string(comment))
	if err != nil {
		return nil, fmt.Errorf("pack skill: %w", err)
	}
	v := &Version{Frontmatter: b.Frontmatter, SkillID: k.ID, Created: now, Directory: b.Directory,
		Ref: Ref{ID: versionPrefix + stamp(k.ID) + s.IDs.Ordered(), Token: strconv.FormatInt(token, 10)}}
	for _, p := range b.Files {
		v.Files = append(v.Files, File{p.Path, len(p.Data)})
	}
	if _, err := s.Objects.Put(ctx, objectKey(k.Collection, v.ID), bytes.NewReader(archive),
		object.PutOptions{ContentType: "application/zip", Size: int64(len(archive))}); err != nil {
		return nil, err
	}
	k.add(v, now)
	return v, s.put(ctx, versionKey(k.Collection, v.ID), v, record.Any())
}

func (s *Skill) add(v *Version, now time.Time) {
	token, _ := strconv.ParseInt(v.Token, 10, 64)
	s.Versions, s.Last, s.Updated = append(s.Versions, v.Ref), token, now
}

func (s *Service) put(ctx context.Context, key record.Key, v any, cond record.Condition) error {
	item, err := s.item(v)
	if err != nil {
		return err
	}
	item.Key = key
	return s.Records.Put(ctx, item, cond)
}

func (s *Service) item(v any) (record.Item, error) {
	value, err := json.Marshal(v)
	if err != nil {
		return record.Item{}, fmt.Errorf("encode skill item: %w", err)
	}
	return record.Item{Value: value, Version: s.IDs.Ordered()}, nil
}

// change applies f to the skill and saves or removes it, as f decides.
func (s *Service) change(ctx context.Context, collection, id string, f func(*Skill) (record.Action, error)) error {
	if stamp(id) == "" {
		return noSkill(id)
	}
	return record.Update(ctx, s.Records, skillKey(collection, id), func(old record.Item, found bool) (record.Item, record.Action, error) {
		if !found {
			return record.Item{}, record.Leave, noSkill(id)
		}
		k, err := decodeSkill(old)
		if err != nil {
			return record.Item{}, record.Leave, err
		}
		action, err := f(k)
		if err != nil || action != record.Write {
			return record.Item{}, action, err
		}
		item, err := s.item(k)
		return item, record.Write, err
	})
}

func writable(k *Skill) error {
	if k.ReadOnly {
		return fault.New(fault.Forbidden, "skill %q is read-only", k.ID)
	}
	return nil
}

// AddVersion stores a new version of a skill; Forbidden if it is read-only.
func (s *Service) AddVersion(ctx context.Context, collection, id string, parts []Part) (*Version, error) {
	k, err := s.Find(ctx, collection, id)
	if err == nil {
		err = writable(k)
	}
	if err != nil {
		return nil, err
	}
	b, err := checked(parts)
	if err != nil {
		return nil, err
	}
	now := s.Now().UTC().Truncate(time.Microsecond)
	v, err := s.store(ctx, k, b, now)
	if err != nil {
		return nil, err
	}
	err = s.change(ctx, collection, id, func(k *Skill) (record.Action, error) {
		if len(k.Versions) >= maxVersions {
			return record.Leave, fault.New(fault.Invalid, "a skill has at most %d versions; delete old ones", maxVersions)
		}
		if token, _ := strconv.ParseInt(v.Token, 10, 64); token <= k.Last { // a concurrent version was first
			v.Token = strconv.FormatInt(k.Last+1, 10)
			if err := s.put(ctx, versionKey(collection, v.ID), v, record.Any()); err != nil {
				return record.Leave, err
			}
		}
		k.add(v, now)
		return record.Write, nil
	})
	return v, err
}

// Delete removes a skill and its versions.
func (s *Service) Delete(ctx context.Context, collection, id string) error {
	var versions []Ref
	err := s.change(ctx, collection, id, func(k *Skill) (record.Action, error) {
		versions = k.Versions
		return record.Remove, writable(k)
	})
	if err != nil {
		return err
	}
	return s.discard(context.WithoutCancel(ctx), collection, versions)
}

// DeleteVersion removes a version by its id or token.
func (s *Service) DeleteVersion(ctx context.Context, collection, id, version string) error {
	var gone Ref
	err := s.change(ctx, collection, id, func(k *Skill) (record.Action, error) {
		var ok bool
		if gone, ok = k.find(version); !ok {
			return record.Leave, fault.New(fault.NotFound, "skill %q has no version %q", id, version)
		}
		k.Versions = slices.DeleteFunc(k.Versions, func(r Ref) bool { return r == gone })
		k.Updated = s.Now().UTC().Truncate(time.Microsecond)
		return record.Write, writable(k)
	})
	if err != nil {
		return err
	}
	return s.discard(context.WithoutCancel(ctx), collection, []Ref{gone})
}

// discard removes versions that no skill lists any more. The archive goes last,
// because a sweep finds leftovers by it.
func (s *Service) discard(ctx context.Context, collection string, refs []Ref) error {
	for _, r := range refs {
		if err := s.Records.Delete(ctx, versionKey(collection, r.ID), record.Any()); err != nil {
			return err
		}
		if err := s.Objects.Delete(ctx, objectKey(collection, r.ID)); err != nil {
			return err
		}
	}
	return nil
}

// Sweep removes versions left behind by processes that died. Set idle when
// nobody else writes. Archives unknown to the records are removed only as far as
// s.Guard allows.
func (s *Service) Sweep(ctx context.Context, idle bool) error {
	err := s.Guard.Objects(ctx, s.Records, s.Objects, objectsFolder, sweepName, s.Now(), idle, s.judge, s.drop)
	if err != nil || !idle {
		return err
	}
	return s.tellLost(ctx)
}

// tellLost names the versions of skills whose archives are lost.
func (s *Service) tellLost(ctx context.Context) error {
	l, ok := s.Records.(record.Lister)
	if !ok {
		return nil
	}
	lost := sweep.Losses{Guard: s.Guard, Of: sweepName}
	for partition, err := range l.Partitions(ctx, "skills/") {
		if err != nil {
			return err
		}
		for item, err := range record.All(ctx, s.Records, record.Range{Partition: partition, Prefix: skillSort}) {
			if err != nil {
				return err
			}
			k, err := decodeSkill(item)
			if err != nil {
				continue // the records tell of it
			}
			for _, ref := range k.Versions {
				key := objectKey(k.Collection, ref.ID)
				if _, err := s.Objects.Head(ctx, key); fault.Is(err, fault.NotFound) {
					lost.Add(ctx, key, slog.String("skill", k.ID), slog.String("version", ref.Token), slog.String("collection", k.Collection))
				}
			}
		}
	}
	lost.Report(ctx)
	return nil
}

// sweepName names the sweep of skills.
const sweepName = "skills"

// drop frees an archive that a sweep has found, unless a skill names it now.
func (s *Service) drop(ctx context.Context, key string) (bool, error) {
	switch v, err := s.judge(ctx, object.Info{Key: key}); {
	case err != nil:
		return false, err
	case v == sweep.Named || v == sweep.Unreadable:
		return false, nil
	}
	at, version := placeOf(key)
	if err := s.Records.Delete(ctx, record.Key{Partition: at, Sort: versionSort + version}, record.Any()); err != nil {
		return false, err
	}
	return true, s.Objects.Delete(ctx, key)
}

// Survey counts the stored archives, and those that the records know.
func (s *Service) Survey(ctx context.Context) (archives, known int, err error) {
	return sweep.Survey(ctx, s.Objects, objectsFolder, s.judge)
}

// placeOf returns the partition and the version of an archive's key; the version
// is empty for a foreign key.
func placeOf(key string) (partition, version string) {
	parts := strings.Split(strings.TrimPrefix(key, objectsFolder), "/")
	if len(parts) != 3 || OwnerOf(parts[2]) == "" {
		return "", ""
	}
	return "skills/" + parts[0], parts[2]
}

// judge says what the records tell of an archive. A foreign key counts as named.
func (s *Service) judge(ctx context.Context, o object.Info) (sweep.Verdict, error) {
	at, version := placeOf(o.Key)
	if version == "" {
		return sweep.Named, nil
	}
	item, err := s.Records.Find(ctx, record.Key{Partition: at, Sort: skillSort + OwnerOf(version)})
	if err == nil {
		k, err := decodeSkill(item)
		if err != nil {
			return sweep.Unreadable, nil
		}
		if _, ok := k.find(version); ok {
			return sweep.Named, nil
		}
		if made := ident.Time(version[max(0, len(version)-ulidBytes):]); !made.IsZero() && made.Before(k.Updated) {
			return sweep.Explained, nil // the skill's item is newer and no longer lists it
		}
	} else if !fault.Is(err, fault.NotFound) {
		return sweep.Orphan, err
	}
	// A process that dies while adding a version leaves the version's item.
	_, err = s.Records.Find(ctx, record.Key{Partition: at, Sort: versionSort + version})
	if fault.Is(err, fault.NotFound) {
		return sweep.Orphan, nil
	}
	return sweep.Explained, err
}

const ulidBytes = 26
