package artifact

import (
	"bytes"
	"context"
	"errors"
	"fmt"
	"io"
	"path"
	"strings"
	"time"

	"lectern/shared/auth"
	"lectern/shared/fault"
	"lectern/shared/knowledge/reader"
	"lectern/shared/storage/object"
)

// originalsFolder holds the bytes that were ingested, in the same folders and
// under the same names as the texts.
const originalsFolder = "originals/"

func originalKey(collection, artifact, generation string) string {
	return originalsFolder + strings.TrimPrefix(folder(collection, artifact), documentsFolder) + "/" + generation
}

// keepOriginal stores the bytes of an ingest.
func (s *Service) keepOriginal(ctx context.Context, a Accepted, data []byte, name string) error {
	_, err := s.Objects.Put(ctx, originalKey(a.Collection, a.Artifact, a.Generation), bytes.NewReader(data),
		object.PutOptions{ContentType: mediaType(name), Size: int64(len(data))})
	return err
}

// unchanged is whole, for an ingest of the same bytes: the original is put back
// where it is lost, or not kept as of a document that was ingested before originals were.
func (s *Service) unchanged(ctx context.Context, e *entry, src source) (bool, error) {
	same, err := s.whole(ctx, e)
	if err != nil || !same || s.NoOriginals {
		return same, err
	}
	_, err = s.Objects.Head(ctx, originalKey(e.Collection, e.Artifact, e.Live))
	if !fault.Is(err, fault.NotFound) && !errors.Is(err, object.ErrDamaged) {
		return true, ctx.Err()
	}
	if err := s.keepOriginal(ctx, Accepted{e.Collection, e.Artifact, e.Live}, src.data, src.name); err != nil {
		s.Log.WarnContext(ctx, "the original of an unchanged document is not kept", "error", err)
	}
	return true, ctx.Err()
}

// mediaTypes are those of the extensions that clients know what to do with.
var mediaTypes = map[string]string{
	".md": "text/markdown; charset=utf-8", ".html": "text/html", ".htm": "text/html", ".xhtml": "application/xhtml+xml",
	".csv": "text/csv", ".txt": "text/plain", ".tsv": "text/tab-separated-values", ".json": "application/json",
	".pdf": "application/pdf", ".rtf": "application/rtf", ".epub": "application/epub+zip", ".eml": "message/rfc822",
	".mbox": "application/mbox",
	".docx": "application/vnd.openxmlformats-officedocument.wordprocessingml.document",
	".pptx": "application/vnd.openxmlformats-officedocument.presentationml.presentation",
	".xlsx": "application/vnd.openxmlformats-officedocument.spreadsheetml.sheet",
	".odt":  "application/vnd.oasis.opendocument.text",
	".png":  "image/png", ".jpg": "image/jpeg", ".jpeg": "image/jpeg", ".gif": "image/gif", ".webp": "image/webp",
}

func mediaType(name string) string {
	if kind, ok := mediaTypes[reader.Ext(name)]; ok {
		return kind
	}
	return "application/octet-stream"
}

// Original is what was ingested, byte by byte.
type Original struct {
	Name      string
	MediaType string
	Inline    bool // a browser may show it: it is a PDF or an image without scripts
	ETag      string
	Modified  time.Time
	Size      int64

	key, collection, artifact string
	objects                   object.Store
}

// Original describes the original of an artifact; NotFound when there is no such
// artifact, and when its original was not kept; Unavailable when it was, and is lost.
func (s *Service) Original(ctx context.Context, collection, artifact string) (*Original, error) {
	if err := auth.Check(ctx, collection); err != nil {
		return nil, err
	}
	for try := 0; ; try++ {
		e, err := s.find(ctx, collection, artifact)
		if err != nil {
			return nil, err
		}
		if e.Live == "" {
			return nil, fault.New(fault.NotFound, "collection %q has no artifact %q", collection, artifact)
		}
		info, err := s.Objects.Head(ctx, originalKey(collection, artifact, e.Live))
		if err == nil {
			name, _ := e.Doc["file_name"].(string)
			kind := mediaType(name)
			return &Original{Name: path.Base(name), MediaType: kind, Inline: inline(kind), ETag: strings.Trim(info.ETag, `"`),
				Modified: info.Modified, Size: info.Size, key: info.Key, collection: collection, artifact: artifact,
				objects: s.Objects}, nil
		}
		missing := fault.Is(err, fault.NotFound)
		if !missing && !errors.Is(err, object.ErrDamaged) {
			return nil, err
		}
		now, findErr := s.find(ctx, collection, artifact)
		switch {
		case findErr != nil:
			return nil, findErr
		case now.Live != e.Live && try < 3: // replaced meanwhile
		case missing && !e.Original:
			return nil, fault.New(fault.NotFound, "the original of artifact %q was not kept; ingest it again", artifact)
		default:
			return nil, notWhole("original", artifact, collection, err)
		}
	}
}

func inline(mediaType string) bool {
	switch mediaType {
	case "application/pdf", "image/png", "image/jpeg", "image/gif", "image/webp":
		return true
	}
	return false
}

// Open reads the original from any offset; the caller closes it. A read of one that is
// lost or damaged is Unavailable.
func (o *Original) Open(ctx context.Context) io.ReadSeekCloser {
	return originalBody{object.NewBody(ctx, o.objects, o.key, o.Size, nil), o}
}

type originalBody struct {
	io.ReadSeekCloser
	of *Original
}

func (b originalBody) Read(p []byte) (int, error) {
	n, err := b.ReadSeekCloser.Read(p)
	if errors.Is(err, object.ErrDamaged) {
		err = notWhole("original", b.of.artifact, b.of.collection, err)
	}
	return n, err
}

// linkLife is how long a signed URL of an original is valid.
const linkLife = time.Hour

// Link returns a request that needs no credentials and is valid for an hour; it
// is answered with the given header Content-Disposition.
func (o *Original) Link(ctx context.Context, disposition string) (object.Signed, error) {
	signed, err := o.objects.Presign(ctx, "GET", o.key, object.PresignOptions{Expires: linkLife, ContentType: o.MediaType,
		Disposition: disposition})
	if err != nil {
		return signed, fmt.Errorf("sign the URL of an original: %w", err)
	}
	return signed, nil
}
