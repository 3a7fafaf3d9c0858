// Package skill implements skills: bundles of instructions and files, stored in
// collections and versions.
//
// A version is an archive and an item; a skill is one item that lists its
// versions. The archive and the version's item are written before the skill's
// item names them, and removed after it no longer does, so that one write
// decides even if a process dies. Ids start with their time, so that key order
// is creation order; the rest is unguessable.
package skill

import (
	"context"
	"crypto/sha256"
	"encoding/base64"
	"encoding/hex"
	"encoding/json"
	"fmt"
	"regexp"
	"slices"
	"strconv"
	"strings"
	"time"
	"unicode"
	"unicode/utf8"

	"lectern/shared/auth"
	"lectern/shared/fault"
	"lectern/shared/ident"
	"lectern/shared/storage/object"
	"lectern/shared/storage/record"
	"lectern/shared/storage/sweep"
)

// DefaultCollection holds the skills of calls that name no collection.
const DefaultCollection = "default"

const maxVersions = 1000

// How a skill is loaded into a conversation.
const (
	Lazy  = "lazy"  // when the model requests it
	Eager = "eager" // from the start
)

// Service is the use case. Safe for concurrent use.
type Service struct {
	Objects object.Store
	Records record.Store
	IDs     ident.Source
	Now     func() time.Time
	Guard   sweep.Guard // limits what a sweep removes
}

// Skill is a skill as it is stored and shown; the form of its source depends on the
// version of the API.
type Skill struct {
	ID         string    `json:"id"`
	Collection string    `json:"collection"`
	Title      string    `json:"title"`
	Loading    string    `json:"loading"`
	ReadOnly   bool      `json:"readonly,omitempty"`
	Created    time.Time `json:"created"`
	Updated    time.Time `json:"updated"`
	Versions   []Ref     `json:"versions"` // oldest first
	Last       int64     `json:"last"`     // token of the newest version ever, deleted or not

}

// Ref identifies a version, by id and by token.
type Ref struct {
	ID    string `json:"id"`
	Token string `json:"token"` // microseconds of its creation
}

// Latest names the newest version; ok is false when none is left.
func (s *Skill) Latest() (ref Ref, ok bool) {
	if len(s.Versions) == 0 {
		return Ref{}, false
	}
	return s.Versions[len(s.Versions)-1], true
}

// find returns the version with the given id or token.
func (s *Skill) find(version string) (Ref, bool) {
	i := slices.IndexFunc(s.Versions, func(r Ref) bool { return r.ID == version || r.Token == version })
	if i < 0 {
		return Ref{}, false
	}
	return s.Versions[i], true
}

// Version is one version of a skill.
type Version struct {
	Frontmatter
	Ref
	SkillID   string    `json:"skill_id"`
	Created   time.Time `json:"created"`
	Directory string    `json:"directory"`
	Files     []File    `json:"files"`
}

// File is a file of a version.
type File struct {
	Path string `json:"path"`
	Size int    `json:"size"`
}

const (
	skillPrefix   = "skill_"
	versionPrefix = "skillver_"
	stampLen      = 26 // of the ULID in an id
)

var stampForm = regexp.MustCompile(`^[0-9A-Z]{26}$`)

// stamp returns the ULID of a skill's id; empty if id is not one.
func stamp(id string) string {
	rest, ok := strings.CutPrefix(id, skillPrefix)
	if !ok || !stampForm.MatchString(rest) {
		return ""
	}
	return rest
}

// OwnerOf returns the id of the skill of a version's id; empty if it is not one.
func OwnerOf(versionID string) string {
	rest, ok := strings.CutPrefix(versionID, versionPrefix)
	if !ok || len(rest) != 2*stampLen || !stampForm.MatchString(rest[:stampLen]) || !stampForm.MatchString(rest[stampLen:]) {
		return ""
	}
	return skillPrefix + rest[:stampLen]
}

func hashOf(collection string) string {
	sum := sha256.Sum256([]byte(collection))
	return hex.EncodeToString(sum[:16])
}

func partition(collection string) string { return "skills/" + hashOf(collection) }

const (
	skillSort   = "s#"
	versionSort = "v#"
)

func skillKey(collection, id string) record.Key {
	return record.Key{Partition: partition(collection), Sort: skillSort + id}
}

func versionKey(collection, id string) record.Key {
	return record.Key{Partition: partition(collection), Sort: versionSort + id}
}

const objectsFolder = "skills/"

func objectKey(collection, versionID string) string {
	return objectsFolder + hashOf(collection) + "/" + strings.TrimPrefix(OwnerOf(versionID), skillPrefix) + "/" + versionID
}

// CheckCollection validates the name of a collection; Forbidden if the caller may not
// use it.
func CheckCollection(ctx context.Context, name string, loc ...any) error {
	if p := badName("collection", name); p != "" {
		return fault.Field("value_error", p, loc...)
	}
	return auth.Check(ctx, name)
}

func badName(field, name string) string {
	if n := utf8.RuneCountInString(name); n < 1 || n > 255 {
		return field + " should have 1 to 255 characters"
	}
	if !utf8.ValidString(name) || strings.ContainsFunc(name, unicode.IsControl) {
		return field + " should not hold control characters or broken text"
	}
	return ""
}

func noSkill(id string) error { return fault.New(fault.NotFound, "no skill %q", id) }

// Find returns a skill; NotFound when there is none.
func (s *Service) Find(ctx context.Context, collection, id string) (*Skill, error) {
	if stamp(id) == "" {
		return nil, noSkill(id)
	}
	item, err := s.Records.Find(ctx, skillKey(collection, id))
	if fault.Is(err, fault.NotFound) {
		return nil, noSkill(id)
	}
	if err != nil {
		return nil, err
	}
	return decodeSkill(item)
}

func decodeSkill(item record.Item) (*Skill, error) {
	k := &Skill{}
	if err := json.Unmarshal(item.Value, k); err != nil {
		return nil, fmt.Errorf("skill item %s/%s: %w", item.Partition, item.Sort, err)
	}
	return k, nil
}

func decodeVersion(item record.Item) (*Version, error) {
	v := &Version{}
	if err := json.Unmarshal(item.Value, v); err != nil {
		return nil, fmt.Errorf("skill version item %s/%s: %w", item.Partition, item.Sort, err)
	}
	return v, nil
}

// List returns skills, newest first, and the cursor of the next page, empty at
// the end. An invalid cursor is Malformed.
func (s *Service) List(ctx context.Context, collection, page string, limit int) ([]*Skill, string, error) {
	r := record.Range{Partition: partition(collection), Prefix: skillSort, Reverse: true, Limit: min(limit+1, record.MaxPageItems)}
	if page != "" {
		raw, err := base64.RawURLEncoding.DecodeString(page)
		if err != nil || stamp(string(raw)) == "" {
			return nil, "", fault.New(fault.Malformed, "page: not a cursor of this list")
		}
		r.Before = skillSort + string(raw)
	}
	list := []*Skill{}
	for item, err := range record.All(ctx, s.Records, r) {
		if err != nil {
			return nil, "", err
		}
		k, err := decodeSkill(item)
		if err != nil {
			continue // damaged: the other skills are unaffected
		}
		if len(list) == limit {
			return list, base64.RawURLEncoding.EncodeToString([]byte(list[limit-1].ID)), nil
		}
		list = append(list, k)
	}
	return list, "", nil
}

// Versions returns the versions of a skill, newest first, and the cursor of the next
// page, empty at the end.
func (s *Service) Versions(ctx context.Context, collection, id, page string, limit int) ([]*Version, string, error) {
	k, err := s.Find(ctx, collection, id)
	if err != nil {
		return nil, "", err
	}
	refs := slices.Clone(k.Versions)
	slices.Reverse(refs)
	if page != "" {
		raw, err := base64.RawURLEncoding.DecodeString(page)
		last, perr := strconv.ParseInt(string(raw), 10, 64)
		if err != nil || perr != nil {
			return nil, "", fault.New(fault.Malformed, "page: not a cursor of this list")
		}
		refs = slices.DeleteFunc(refs, func(r Ref) bool { n, _ := strconv.ParseInt(r.Token, 10, 64); return n >= last })
	}
	next := ""
	if len(refs) > limit {
		refs = refs[:limit]
		next = base64.RawURLEncoding.EncodeToString([]byte(refs[limit-1].Token))
	}
	list, err := s.described(ctx, collection, refs)
	return list, next, err
}

// described returns the items of versions, in their order.
func (s *Service) described(ctx context.Context, collection string, refs []Ref) ([]*Version, error) {
	keys := make([]record.Key, len(refs))
	for i, r := range refs {
		keys[i] = versionKey(collection, r.ID)
	}
	items, err := s.Records.FindMany(ctx, keys)
	if err != nil {
		return nil, err
	}
	list := make([]*Version, 0, len(items))
	for _, item := range items {
		v, err := decodeVersion(item)
		if err != nil {
			continue // damaged: the other versions are unaffected
		}
		list = append(list, v)
	}
	return list, nil
}

// Version returns a version by its id or token; NotFound if there is none.
func (s *Service) Version(ctx context.Context, collection, id, version string) (*Version, error) {
	k, err := s.Find(ctx, collection, id)
	if err != nil {
		return nil, err
	}
	ref, ok := k.find(version)
	if !ok {
		return nil, fault.New(fault.NotFound, "skill %q has no version %q", id, version)
	}
	list, err := s.described(ctx, collection, []Ref{ref})
	if err != nil {
		return nil, err
	}
	if len(list) == 0 { // deleted in between
		return nil, fault.New(fault.NotFound, "skill %q has no version %q", id, version)
	}
	return list[0], nil
}

// Archive returns the files of a version as a zip.
func (s *Service) Archive(ctx context.Context, collection string, v *Version) ([]byte, error) {
	data, _, err := object.ReadAll(ctx, s.Objects, objectKey(collection, v.ID), 2*maxBundleBytes)
	return data, err
}

// Read returns one file of a version; NotFound if it has no such path.
func (s *Service) Read(ctx context.Context, collection string, v *Version, path string) ([]byte, error) {
	if !slices.ContainsFunc(v.Files, func(f File) bool { return f.Path == path }) {
		return nil, fault.New(fault.NotFound, "skill %q has no file %q", v.Name, path)
	}
	data, err := s.Archive(ctx, collection, v)
	if err != nil {
		return nil, err
	}
	parts, broken := unzip(data)
	if broken != nil {
		return nil, fmt.Errorf("archive of skill version %s: %s", v.ID, broken.Message)
	}
	i := slices.IndexFunc(parts, func(p Part) bool { return p.Path == path })
	if i < 0 {
		return nil, fmt.Errorf("archive of skill version %s lacks %s", v.ID, path)
	}
	return parts[i].Data, nil
}

// Instructions returns the text of a version's SKILL.md without its frontmatter.
func (s *Service) Instructions(ctx context.Context, collection string, v *Version) (string, error) {
	data, err := s.Read(ctx, collection, v, main)
	if err != nil {
		return "", err
	}
	_, body, _ := split(string(data))
	return strings.TrimSpace(body), nil
}
