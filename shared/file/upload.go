package file

import (
	"cmp"
	"context"
	"crypto/md5"
	"crypto/subtle"
	"encoding/hex"
	"encoding/json"
	"fmt"
	"io"
	"net/url"
	"path"
	"strings"
	"time"

	"github.com/gabriel-vasile/mimetype"

	"lectern/shared/auth"
	"lectern/shared/fault"
	"lectern/shared/storage/object"
	"lectern/shared/storage/record"
	"lectern/shared/web/fetch"
)

// Scheme is the URI scheme by which ingest and convert read an upload. Such a
// URI contains a secret and grants access to that upload only.
const Scheme = "upload"

const (
	// signedPrefix starts the versions of objects stored by signed URLs.
	signedPrefix = "up"
	uploadLife   = time.Hour
	// pendingLife is the lifetime of the record of an unused signed URL.
	pendingLife = 25 * time.Hour
	// maxUpload is the largest body of one signed URL, as on S3.
	maxUpload = 5 << 30
)

// UploadBody requests a signed URL.
type UploadBody struct {
	FileName  string `json:"file_name" required:"true" minlen:"1" maxlen:"255"`
	SizeBytes int64  `json:"size_bytes" required:"true" min:"0" doc:"the exact length of the body to upload"`
	Scope     string `json:"scope_id,omitempty" doc:"may be a query parameter instead; default: a new scope"`
	Namespace string `json:"namespace" default:"session"`
	Path      string `json:"path,omitempty" doc:"default: uploads/<file_name>"`
}

// Upload is a signed URL and the file that it creates.
type Upload struct {
	Method    string            `json:"method"`
	URL       string            `json:"url"`
	Headers   map[string]string `json:"headers"`
	ExpiresAt time.Time         `json:"expires_at"`
	URI       string            `json:"uri" doc:"input for ingest and convert, once the body is uploaded"`
	FileID    string            `json:"file_id"`
	Scope     string            `json:"scope_id"`
}

func uploadKey(version string) record.Key { return record.Key{Partition: "uploads", Sort: version} }

// Sign returns a URL by which a client can upload a file without credentials
// within an hour. The file exists once Register has seen its object.
func (s *Service) Sign(ctx context.Context, b *UploadBody) (*Upload, error) {
	e := &entry{Namespace: b.Namespace, Scope: b.Scope, Tenant: auth.From(ctx).Tenant, ID: PathOf(b.Path, b.FileName),
		Version: signedPrefix + s.IDs.Ordered(),
		Secret:  s.IDs.Fresh(""), Size: b.SizeBytes}
	if e.Scope == "" {
		e.Scope = s.IDs.Fresh("scope_")
	}
	if err := CheckScope(e.Scope, "body", "scope_id"); err != nil {
		return nil, err
	}
	field := "file_name"
	if b.Path != "" {
		field = "path"
	}
	if err := CheckID(e.ID, "body", field); err != nil {
		return nil, err
	}
	if b.SizeBytes > maxUpload {
		return nil, fault.Field("less_than_equal", fmt.Sprintf("Input should be less than or equal to %d", int64(maxUpload)), "body",
			"size_bytes")
	}
	if err := s.Check(e.Namespace); err != nil {
		return nil, err
	}
	value, err := json.Marshal(e)
	if err != nil {
		return nil, fmt.Errorf("encode upload: %w", err)
	}
	if err := s.Records.Put(ctx, record.Item{Key: uploadKey(e.Version), Value: value, Expires: s.Now().Add(pendingLife)},
		record.Absent()); err != nil {
		return nil, err
	}
	signed, err := s.Objects.Presign(ctx, "PUT", e.objectKey(), object.PresignOptions{Expires: uploadLife, Size: e.Size})
	if err != nil {
		return nil, err
	}
	if signed.Headers == nil {
		signed.Headers = map[string]string{}
	}
	return &Upload{Method: signed.Method, URL: signed.URL, Headers: signed.Headers, ExpiresAt: signed.ExpiresAt.UTC().Truncate(time.Second),
		URI: Scheme + "://" + e.Version + "." + e.Secret, FileID: e.ID, Scope: e.Scope}, nil
}

// upload returns the record of a signed URL.
func (s *Service) upload(ctx context.Context, version string) (*entry, error) {
	if !strings.HasPrefix(version, signedPrefix) || record.CheckKey(uploadKey(version)) != nil {
		return nil, fault.New(fault.NotFound, "no such upload")
	}
	item, err := s.Records.Find(ctx, uploadKey(version))
	if fault.Is(err, fault.NotFound) {
		return nil, fault.New(fault.NotFound, "no such upload")
	}
	if err != nil {
		return nil, err
	}
	return decode(item)
}

// Receive stores the body of a signed upload, for object stores without a
// server of their own. Its size must be the signed one.
func (s *Service) Receive(ctx context.Context, key string, body io.Reader) error {
	e, err := s.upload(ctx, path.Base(key))
	if err != nil {
		return err
	}
	if e.objectKey() != key {
		return fault.New(fault.NotFound, "no such upload")
	}
	sum := md5.New()
	if _, err := s.Objects.Put(ctx, key, io.TeeReader(body, sum), object.PutOptions{Size: e.Size}); err != nil {
		return err
	}
	return s.register(ctx, key, hex.EncodeToString(sum.Sum(nil)))
}

// Register makes a file of an uploaded object. It is idempotent and ignores
// keys that belong to no upload. It is called by Receive, or by the worker that
// consumes the events of the bucket.
func (s *Service) Register(ctx context.Context, key string) error { return s.register(ctx, key, "") }

// register is Register with the MD5 of the object, in hex; empty for the store's ETag.
func (s *Service) register(ctx context.Context, key, sum string) error {
	e, err := s.upload(ctx, path.Base(key))
	if fault.Is(err, fault.NotFound) || err == nil && e.objectKey() != key {
		return nil
	}
	if err != nil {
		return err
	}
	head, info, err := s.Objects.Open(ctx, key, 0, sniffed)
	if fault.Is(err, fault.NotFound) {
		return nil // deleted again
	}
	if err != nil {
		return err
	}
	start, err := io.ReadAll(head)
	head.Close()
	if err != nil {
		return fmt.Errorf("read the start of an upload: %w", err)
	}
	if item, err := s.Records.Find(ctx, idKey(e.place(), e.ID)); err == nil {
		if old, err := decode(item); err == nil && old.Version == e.Version && old.ETag == cmp.Or(sum, info.ETag) {
			return nil
		}
	}
	e.Size, e.ETag, e.Mime = info.Size, cmp.Or(sum, info.ETag), mimetype.Detect(start).String()
	value, err := json.Marshal(e)
	if err != nil {
		return fmt.Errorf("encode upload: %w", err)
	}
	// The URI stays valid as long as the file: the item no longer expires.
	if err := s.Records.Put(ctx, record.Item{Key: uploadKey(e.Version), Value: value}, record.Any()); err != nil {
		return err
	}
	e.Secret = ""
	return s.commit(ctx, e)
}

// Fetch reads an upload by its URI, for package fetch.
func (s *Service) Fetch(ctx context.Context, u *url.URL) (*fetch.File, error) {
	version, secret, _ := strings.Cut(u.Host, ".")
	e, err := s.upload(ctx, version)
	if err != nil {
		return nil, err
	}
	// Keys contain the version and may be logged; the secret is in the URI only.
	if subtle.ConstantTimeCompare([]byte(secret), []byte(e.Secret)) != 1 {
		return nil, fault.New(fault.NotFound, "no such upload")
	}
	data, _, err := object.ReadAll(ctx, s.Objects, e.objectKey(), fetch.MaxBytes)
	if fault.Is(err, fault.NotFound) {
		return nil, fault.New(fault.NotFound, "the body of the upload has not arrived yet")
	}
	if err != nil {
		return nil, err
	}
	kind, _, _ := strings.Cut(e.Mime, ";")
	return &fetch.File{Data: data, Name: path.Base(e.ID), ContentType: kind}, nil
}
