// Package file implements session files: storing, listing, reading and deleting
// them, and uploading large ones by signed URL.
//
// A file is an object, an item by its id, and an item by its time. They are
// written in the order object, time, id, and removed in the order id, time,
// object: only the item by id decides whether the file exists, so a process
// that dies in between leaves a whole file or none. Sweep finds leftovers by
// the objects.
package file

import (
	"context"
	"crypto/sha256"
	"encoding/base64"
	"encoding/hex"
	"encoding/json"
	"fmt"
	"path"
	"slices"
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

// DefaultNamespace is the namespace of requests that name none.
const DefaultNamespace = "session"

// Folders of a session: uploads, and files made by tools.
const (
	uploadsFolder = "uploads/"
	outputsFolder = "outputs/"
)

const (
	maxIDBytes    = 512
	maxScopeRunes = 255
	maxListItems  = 1000
)

// Service is the use case. Safe for concurrent use.
type Service struct {
	Objects    object.Store
	Records    record.Store
	Namespaces []string // configured namespaces; without any every call is Unavailable
	// Root is the URL prefix of objects, without the slash before the key.
	Root string
	IDs  ident.Source
	Now  func() time.Time
	// Guard limits what a sweep removes.
	Guard sweep.Guard

	places places
}

// Place is the namespace and scope of a file. It includes the caller's tenant,
// so that equal scope names of different tenants are separate.
type Place struct {
	Namespace, Scope string
	tenant           string
}

// of returns the place within the caller's tenant.
func (p Place) of(ctx context.Context) Place {
	p.tenant = auth.From(ctx).Tenant
	return p
}

// Metadata describes a file.
type Metadata struct {
	ID           string    `json:"id"`
	Type         string    `json:"type"`
	CreatedAt    time.Time `json:"created_at"`
	ExpiresAt    time.Time `json:"expires_at,omitzero"`
	Filename     string    `json:"filename"`
	MimeType     string    `json:"mime_type"`
	SizeBytes    int64     `json:"size_bytes"`
	Downloadable bool      `json:"downloadable"`
	Scope        Scope     `json:"scope"`
	ETag         string    `json:"etag"`
	Namespace    string    `json:"namespace"`
}

// Scope is the session that a file belongs to; Type is the namespace.
type Scope struct {
	ID   string `json:"id"`
	Type string `json:"type"`
}

// entry is the item of a file by its id.
type entry struct {
	Namespace string    `json:"ns"`
	Scope     string    `json:"scope"`
	ID        string    `json:"id"`
	Created   time.Time `json:"t"`
	Version   string    `json:"v"` // of the object
	Mime      string    `json:"mime"`
	Size      int64     `json:"n"`
	ETag      string    `json:"etag"`
	Output    bool      `json:"out,omitempty"`
	Expires   time.Time `json:"exp,omitzero"`
	Secret    string    `json:"secret,omitempty"` // of an upload's URI
	Tenant    string    `json:"tenant,omitempty"` // the owner
}

func (e *entry) place() Place { return Place{e.Namespace, e.Scope, e.Tenant} }

func (e *entry) metadata() *Metadata {
	kind, _, _ := strings.Cut(e.Mime, ";")
	return &Metadata{
		ID: e.ID, Type: "file", CreatedAt: e.Created, ExpiresAt: e.Expires, Filename: path.Base(e.ID), MimeType: kind, SizeBytes: e.Size,
		Downloadable: e.Output,
		Scope:        Scope{e.Scope, e.Namespace}, ETag: strings.Trim(e.ETag, `"`), Namespace: e.Namespace,
	}
}

// hash identifies a place in keys.
func (p Place) hash() string {
	if p.tenant != "" {
		return digest(p.Namespace + "\x00" + p.Scope + "\x00" + p.tenant)
	}
	return digest(p.Namespace + "\x00" + p.Scope)
}

func (p Place) partition() string { return "files/" + p.hash() }

func digest(s string) string {
	sum := sha256.Sum256([]byte(s))
	return hex.EncodeToString(sum[:16])
}

// keyOf returns a key whose order is that of the first 90 bytes of the ids.
func keyOf(id string) string {
	const shown = 90
	if len(id) <= shown {
		return hex.EncodeToString([]byte(id))
	}
	return hex.EncodeToString([]byte(id[:shown])) + "." + digest(id)
}

func idKey(p Place, id string) record.Key {
	return record.Key{Partition: p.partition(), Sort: "i#" + keyOf(id)}
}

const timePrefix = "t#"

func (e *entry) timeKey() record.Key {
	return record.Key{Partition: e.place().partition(), Sort: fmt.Sprintf("%s%016d#%s", timePrefix, e.Created.UnixMicro(), keyOf(e.ID))}
}

const objectsFolder = "files/"

func (e *entry) objectKey() string {
	return objectsFolder + e.place().hash() + "/" + keyOf(e.ID) + "/" + e.Version
}

// recordOf returns the item by id that decides about an object.
func recordOf(objectKey string) (key record.Key, version string, ok bool) {
	parts := strings.Split(strings.TrimPrefix(objectKey, objectsFolder), "/")
	if len(parts) != 3 {
		return record.Key{}, "", false
	}
	return record.Key{Partition: "files/" + parts[0], Sort: "i#" + parts[1]}, parts[2], true
}

// Check rejects a namespace that is not configured as Unavailable.
func (s *Service) Check(namespace string) error {
	if slices.Contains(s.Namespaces, namespace) {
		return nil
	}
	return &fault.Error{Code: fault.Unavailable, NoRetry: true,
		Msg: fmt.Sprintf("the file namespace %q is not configured; add it to LECTERN_FILES", namespace)}
}

// CheckScope validates the name of a scope.
func CheckScope(scope string, loc ...any) error {
	switch n := utf8.RuneCountInString(scope); {
	case n == 0:
		return fault.Field("string_too_short", "scope_id should not be empty", loc...)
	case n > maxScopeRunes:
		return fault.Field("string_too_long", fmt.Sprintf("scope_id should have at most %d characters", maxScopeRunes), loc...)
	case badText(scope):
		return fault.Field("value_error", "scope_id should not contain control characters or invalid UTF-8", loc...)
	}
	return nil
}

// CheckID validates a file's id, which is a relative path.
func CheckID(id string, loc ...any) error {
	wrong := func(msg string) error { return fault.Field("value_error", msg, loc...) }
	switch {
	case id == "":
		return fault.Field("string_too_short", "a file's id should not be empty", loc...)
	case len(id) > maxIDBytes:
		return fault.Field("string_too_long", fmt.Sprintf("a file's id should have at most %d bytes", maxIDBytes), loc...)
	case badText(id):
		return wrong("a file's id should not contain control characters or invalid UTF-8")
	case strings.HasPrefix(id, "/"):
		return wrong("a file's id is a relative path; it should not begin with a slash")
	}
	for part := range strings.SplitSeq(id, "/") {
		if part == "" || part == "." || part == ".." {
			return wrong("a file's id should not have a part that is empty, '.' or '..'")
		}
	}
	if path.Base(id) == "content" {
		return wrong("a file cannot be named 'content': a path that ends so means a file's content")
	}
	return nil
}

func badText(s string) bool {
	return !utf8.ValidString(s) || strings.ContainsFunc(s, unicode.IsControl)
}

// PathOf returns the id of an upload: the given path, with the file name
// appended if it ends in a slash, or the file name below uploads/. Backslashes
// in a file name separate folders.
func PathOf(given, fileName string) string {
	name := strings.ReplaceAll(fileName, `\`, "/")
	switch {
	case given == "":
		return uploadsFolder + strings.TrimPrefix(name, uploadsFolder)
	case strings.HasSuffix(given, "/"):
		return given + path.Base(name)
	}
	return given
}

// ExternalID returns the base64url form of an id, which fits into one path segment.
func ExternalID(id string) string { return base64.RawURLEncoding.EncodeToString([]byte(id)) }

// forms returns the ids that a given id may stand for: itself, and its
// base64url-decoded form.
func forms(given string) []string {
	list := []string{given}
	raw, err := base64.RawURLEncoding.DecodeString(strings.TrimRight(given, "="))
	if err == nil && CheckID(string(raw)) == nil {
		list = append(list, string(raw))
	}
	return list
}

func decode(item record.Item) (*entry, error) {
	e := &entry{}
	if err := json.Unmarshal(item.Value, e); err != nil {
		return nil, fmt.Errorf("file item %s/%s: %w", item.Partition, item.Sort, err)
	}
	return e, nil
}

// find returns a file by either form of its id.
func (s *Service) find(ctx context.Context, p Place, id string) (*entry, error) {
	p = p.of(ctx)
	if err := s.Check(p.Namespace); err != nil {
		return nil, err
	}
	for _, form := range forms(id) {
		item, err := s.Records.Find(ctx, idKey(p, form))
		if fault.Is(err, fault.NotFound) {
			continue
		}
		if err != nil {
			return nil, err
		}
		return decode(item)
	}
	return nil, noFile(id)
}

// Find describes a file; NotFound when there is none.
func (s *Service) Find(ctx context.Context, p Place, id string) (*Metadata, error) {
	e, err := s.find(ctx, p, id)
	if err != nil {
		return nil, err
	}
	return e.metadata(), nil
}

func noFile(id string) error { return fault.New(fault.NotFound, "no file %q in this scope", id) }
