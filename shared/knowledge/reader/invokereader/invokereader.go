// Package invokereader reads documents by calling another function, the only
// one of a deployment that links the readers.
package invokereader

import (
	"context"

	"lectern/shared/aws/invoke"
	"lectern/shared/text/document"
)

// Local reads documents in this process.
type Local interface {
	ReadBytes(ctx context.Context, name, mediaType string, data []byte) (*document.Document, error)
	ReadURL(ctx context.Context, url string) (*document.Document, error)
}

type bytesInput struct {
	Name, MediaType string
	Data            []byte
}

type urlInput struct{ URL string }

// Reader implements Local by invocations. Safe for concurrent use.
type Reader struct{ Caller *invoke.Caller }

var _ Local = (*Reader)(nil)

const (
	readBytes = "read_bytes"
	readURL   = "read_url"
)

// ReadBytes reads a file by its name's extension or its media type.
func (r *Reader) ReadBytes(ctx context.Context, name, mediaType string, data []byte) (*document.Document, error) {
	var d document.Document
	if err := r.Caller.Call(ctx, readBytes, bytesInput{name, mediaType, data}, &d); err != nil {
		return nil, err
	}
	return &d, nil
}

// ReadURL fetches and reads a file.
func (r *Reader) ReadURL(ctx context.Context, url string) (*document.Document, error) {
	var d document.Document
	if err := r.Caller.Call(ctx, readURL, urlInput{url}, &d); err != nil {
		return nil, err
	}
	return &d, nil
}

// Operations returns the operations of the function that reads.
func Operations(local Local) map[string]invoke.Operation {
	return map[string]invoke.Operation{
		readBytes: invoke.Of(func(ctx context.Context, in bytesInput) (*document.Document, error) {
			return local.ReadBytes(ctx, in.Name, in.MediaType, in.Data)
		}),
		readURL: invoke.Of(func(ctx context.Context, in urlInput) (*document.Document, error) { return local.ReadURL(ctx, in.URL) }),
	}
}
