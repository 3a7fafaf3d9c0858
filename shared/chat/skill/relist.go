package skill

import (
	"archive/zip"
	"bytes"
	"context"
	"encoding/json"
	"fmt"
	"strconv"
	"strings"
	"time"

	"lectern/shared/fault"
	"lectern/shared/ident"
	"lectern/shared/storage/object"
	"lectern/shared/storage/record"
)

// label is what the records know of a skill beside its files. It is the comment of
// each version's archive: with it lost records are made again.
type label struct {
	Collection string    `json:"collection"`
	Title      string    `json:"title"`
	Loading    string    `json:"loading"`
	ReadOnly   bool      `json:"readonly,omitempty"`
	Created    time.Time `json:"created"`
	Directory  string    `json:"directory"` // of the version; the archive has its files alone
	Token      string    `json:"token"`     // of the version
}

// Relist makes the records of skills that are lost again, from the archives. lost is
// called with a sentence about each archive that cannot be listed. Nobody else may
// write.
func (s *Service) Relist(ctx context.Context, lost func(string)) (listed int, err error) {
	unknown := map[record.Key][]string{} // the objects of versions, oldest first, by the key of their skill
	for o, err := range object.All(ctx, s.Objects, objectsFolder) {
		if err != nil {
			return 0, err
		}
		at, version := placeOf(o.Key)
		if version == "" {
			continue
		}
		key := record.Key{Partition: at, Sort: skillSort + OwnerOf(version)}
		item, err := s.Records.Find(ctx, key)
		if err == nil {
			if _, err := decodeSkill(item); err == nil {
				continue // it says which versions there are
			}
		} else if !fault.Is(err, fault.NotFound) {
			return 0, err
		}
		unknown[key] = append(unknown[key], o.Key)
	}
	for key, objects := range unknown {
		k := &Skill{ID: strings.TrimPrefix(key.Sort, skillSort)}
		for _, o := range objects {
			problem, err := s.relistVersion(ctx, key.Partition, k, o)
			if err != nil {
				return listed, err
			}
			if problem != "" {
				lost(problem)
			}
		}
		if len(k.Versions) == 0 {
			continue
		}
		if err := s.put(ctx, key, k, record.Any()); err != nil {
			return listed, err
		}
		listed++
	}
	return listed, nil
}

// relistVersion adds the version of an archive to a skill. problem says why that
// cannot be done.
func (s *Service) relistVersion(ctx context.Context, partitionName string, k *Skill, key string) (problem string, err error) {
	_, id := placeOf(key)
	raw, _, err := object.ReadAll(ctx, s.Objects, key, 2*maxBundleBytes)
	if err != nil {
		return fmt.Sprintf("the archive %s of skill %s cannot be read", key, k.ID), nil
	}
	archive, err := zip.NewReader(bytes.NewReader(raw), int64(len(raw)))
	var of label
	if err == nil {
		_ = json.Unmarshal([]byte(archive.Comment), &of) // stays empty in archives of earlier versions
	}
	if of.Collection == "" && partition(DefaultCollection) == partitionName {
		of = label{Collection: DefaultCollection, Loading: Lazy}
	}
	if err != nil || partition(of.Collection) != partitionName {
		return fmt.Sprintf("nothing tells the collection of the archive %s of skill %s", key, k.ID), nil
	}
	parts, _ := unzip(raw)
	b, broken := ParseBundle(parts)
	if len(broken) > 0 {
		return fmt.Sprintf("the archive %s of skill %s in collection %q is no bundle", key, k.ID, of.Collection), nil
	}
	made := ident.Time(id[len(id)-ulidBytes:]).UTC()
	v := &Version{Frontmatter: b.Frontmatter, SkillID: k.ID, Created: made, Directory: b.Directory,
		Ref: Ref{ID: id, Token: strconv.FormatInt(max(made.UnixMicro(), k.Last+1), 10)}}
	if of.Token != "" {
		v.Directory, v.Token = of.Directory, of.Token
	}
	for _, p := range b.Files {
		v.Files = append(v.Files, File{p.Path, len(p.Data)})
	}
	k.Collection, k.Title, k.Loading, k.ReadOnly, k.Created = of.Collection, of.Title, of.Loading, of.ReadOnly, of.Created
	if k.Title == "" {
		k.Title = b.Name
	}
	if k.Created.IsZero() {
		k.Created = made
	}
	k.add(v, made)
	return "", s.put(ctx, versionKey(k.Collection, id), v, record.Any())
}
