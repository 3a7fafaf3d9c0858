package file

import (
	"cmp"
	"context"
	"encoding/base64"
	"path"
	"strings"
	"time"

	"github.com/gabriel-vasile/mimetype"

	"lectern/shared/fault"
	"lectern/shared/message"
	"lectern/shared/storage/object"
)

// maxAttached is the largest file of a conversation whose text is given to a
// model, in bytes.
const maxAttached = 32 << 20

// OwnScope is the scope of the files of clients that know no scopes, which is the key's
// own: those of different keys are apart.
const OwnScope = "default"

// Attachment returns a session's file for a conversation, without a session one of OwnScope;
// NotFound if it does not exist. data is nil for a file larger than maxAttached.
func (s *Service) Attachment(ctx context.Context, session, id string) (name, mediaType string, data []byte, err error) {
	e, err := s.find(ctx, Place{Namespace: DefaultNamespace, Scope: cmp.Or(session, OwnScope)}, id)
	if err != nil {
		return "", "", nil, err
	}
	m := e.metadata()
	if e.Size <= maxAttached {
		data, _, err = object.ReadAll(ctx, s.Objects, e.objectKey(), maxAttached)
	}
	return m.Filename, m.MimeType, data, err
}

// Output stores a file that a tool made in a session, below outputs/, and
// returns a block that links it.
func (s *Service) Output(ctx context.Context, session, name string, data []byte) (*message.LocalResource, error) {
	m, err := s.output(ctx, session, name, data)
	if err != nil {
		return nil, err
	}
	return &message.LocalResource{FilePath: "/" + m.ID, Name: strings.TrimSuffix(m.Filename, path.Ext(m.Filename)), MimeType: m.MimeType,
		FileID: ExternalID(m.ID)}, nil
}

func (s *Service) output(ctx context.Context, session, name string, data []byte) (*Metadata, error) {
	id := outputsFolder + strings.TrimPrefix(name, outputsFolder)
	if err := CheckID(id); err != nil {
		return nil, err
	}
	return s.Put(ctx, Place{Namespace: DefaultNamespace, Scope: session}, id, data, PutOptions{Output: true})
}

// NewBinary returns a binary block of a file that a tool made.
func NewBinary(name string, data []byte) *message.Binary {
	kind, _, _ := strings.Cut(mimetype.Detect(data[:min(len(data), sniffed)]).String(), ";")
	return &message.Binary{Filename: name, Source: &message.Source{Type: "base64", MediaType: kind,
		Data: base64.StdEncoding.EncodeToString(data)}}
}

// visibleLife is the lifetime of a public URL.
const visibleLife = time.Hour

// Publish converts a binary block as the request's blob_visibility requires:
// with its bytes (binary, or empty), with the URL of the stored object
// (internal), or with a signed URL (public). For a URL, the file is stored in
// the session's outputs; without a session, in a new scope.
func (s *Service) Publish(ctx context.Context, session, visibility string, b *message.Binary) (*message.Binary, error) {
	if visibility != "internal" && visibility != "public" || b.Source == nil || b.Source.Type != "base64" {
		return b, nil
	}
	data, err := base64.StdEncoding.DecodeString(b.Source.Data)
	if err != nil {
		return nil, fault.New(fault.Invalid, "the file of a tool is not valid base64")
	}
	if session == "" {
		session = s.IDs.Fresh("scope_")
	}
	name := b.Filename
	if CheckID(outputsFolder+name) != nil {
		name = s.IDs.Fresh("file_")
	}
	m, err := s.output(ctx, session, name, data)
	if err != nil {
		return nil, err
	}
	e, err := s.find(ctx, Place{Namespace: DefaultNamespace, Scope: session}, m.ID)
	if err != nil {
		return nil, err
	}
	out := &message.Binary{Base: b.Base, Filename: b.Filename, Source: &message.Source{Type: "url", MediaType: b.Source.MediaType,
		URL: s.Root + "/" + e.objectKey()}}
	if visibility == "public" {
		signed, err := s.Objects.Presign(ctx, "GET", e.objectKey(), object.PresignOptions{Expires: visibleLife})
		if err != nil {
			return nil, err
		}
		out.Source.URL = signed.URL
	}
	return out, nil
}
