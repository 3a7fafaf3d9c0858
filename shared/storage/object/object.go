// Package object is the port for bytes by key: uploaded files, documents and
// their stored text, outputs of tools.
//
// The contract is what S3 keeps. There is no append, no rename and no
// directory: a key is a name, and List by prefix serves sweeps, not pages of
// an API.
package object

import (
	"context"
	"errors"
	"fmt"
	"io"
	"iter"
	"strings"
	"time"

	"golang.org/x/sync/errgroup"

	"lectern/shared/fault"
)

// Limits every driver enforces; beyond them Put is fault.Invalid.
const (
	MaxKeyBytes = 512
	// MaxListItems is the largest limit of List, and the limit when none is given.
	MaxListItems = 1000
)

// Info describes an object.
type Info struct {
	Key         string
	Size        int64
	ContentType string // application/octet-stream when Put named none; List may leave it empty
	// ETag changes when the content does; quoted as HTTP wants it, opaque
	// otherwise.
	ETag     string
	Modified time.Time // UTC, whole seconds
}

// PutOptions are the settings of a Put.
type PutOptions struct {
	ContentType string
	// IfAbsent makes Put fail with fault.Conflict when the key exists. The
	// object may be this call's own: the store took the first try and its
	// answer was lost.
	IfAbsent bool
	// Size is the body's length, or -1 when it is not known. A body of
	// another length is fault.Invalid and stores nothing. The zero value
	// means an empty body.
	Size int64
}

// Signed is a request that needs no credentials and is valid until ExpiresAt.
type Signed struct {
	Method    string
	URL       string
	Headers   map[string]string // to send along exactly
	ExpiresAt time.Time
}

// PresignOptions are what a signed request is bound to.
type PresignOptions struct {
	Expires time.Duration // 1 second to 7 days
	Size    int64         // of the body that a PUT will carry; signed
	// ContentType and Disposition, of a GET, replace those headers of the answer.
	ContentType, Disposition string
}

// Signer makes signed requests for a driver that has no server of its own;
// the service answers them.
type Signer func(ctx context.Context, method, key string, o PresignOptions) (Signed, error)

// Store keeps objects. All methods are safe for concurrent use. An object
// appears whole or not at all, and every read sees every write that was
// answered before it began; of two concurrent Puts one wins entirely.
//
// A key is 1 to MaxKeyBytes bytes of [A-Za-z0-9/_.-]; its parts between
// slashes are 1 to 255 bytes and neither "." nor ".."; anything else is
// fault.Invalid. Callers avoid keys of which one continues another after a
// slash ("a", "a/b"): a file system cannot hold both. A store that cannot be
// reached is fault.Unavailable. An object whose stored bytes are damaged is
// fault.Unavailable with ErrDamaged as its cause, never other bytes; it can be
// listed, replaced and deleted.
type Store interface {
	// Put stores the body under key, replacing what was there, and returns
	// what Head would; Modified may be the store's clock or ours. A body whose
	// Read fails stores nothing and returns that error wrapped.
	Put(ctx context.Context, key string, body io.Reader, o PutOptions) (Info, error)

	// Open reads length bytes from offset on; -1 reads to the end, and fewer
	// come when the object ends first. An offset at or past the end gives an
	// empty body. The reader sees one version of the object even when a Put
	// or Delete follows; the caller closes it. fault.NotFound when absent.
	Open(ctx context.Context, key string, offset, length int64) (io.ReadCloser, Info, error)

	// Head describes an object; fault.NotFound when absent.
	Head(ctx context.Context, key string) (Info, error)

	// Delete removes an object; the absent is success.
	Delete(ctx context.Context, key string) error

	// List returns up to limit objects whose key begins with prefix and is
	// greater than after, in the order of the keys' bytes. next is the after
	// of the following call, empty at the end; a page may be short.
	List(ctx context.Context, prefix, after string, limit int) (infos []Info, next string, err error)

	// Presign makes a request that a client sends without credentials;
	// method is GET or PUT. fault.Unsupported when the driver has no Signer.
	Presign(ctx context.Context, method, key string, o PresignOptions) (Signed, error)

	// Close releases the store; later calls are fault.Unavailable.
	Close() error
}

// ErrDamaged is the cause of errors about objects whose stored bytes are not
// those that were put.
var ErrDamaged = errors.New("the stored bytes are damaged")

// Damaged is the error of reading a damaged object.
func Damaged(key string) error {
	return &fault.Error{Code: fault.Unavailable, NoRetry: true, Cause: ErrDamaged,
		Msg: fmt.Sprintf("the stored object %q is damaged; store it again, or put it back from a backup", key)}
}

// ReadAll returns the whole of an object of at most maxBytes; a larger one is
// fault.TooLarge.
func ReadAll(ctx context.Context, s Store, key string, maxBytes int64) ([]byte, Info, error) {
	body, info, err := s.Open(ctx, key, 0, -1)
	if err != nil {
		return nil, info, err
	}
	defer body.Close()
	if info.Size > maxBytes {
		return nil, info, fault.New(fault.TooLarge, "an object of %d bytes is over the limit of %d", info.Size, maxBytes)
	}
	data := make([]byte, info.Size)
	if _, err := io.ReadFull(body, data); err != nil {
		if errors.Is(err, ErrDamaged) {
			return nil, info, err
		}
		return nil, info, fault.Wrap(err, fault.Unavailable, "an object could not be read whole")
	}
	return data, info, nil
}

// All walks every object under a prefix, page by page; objects may be deleted
// meanwhile. It ends after its first error.
func All(ctx context.Context, s Store, prefix string) iter.Seq2[Info, error] {
	return func(yield func(Info, error) bool) {
		for after := ""; ; {
			infos, next, err := s.List(ctx, prefix, after, 0)
			if err != nil {
				yield(Info{}, err)
				return
			}
			for _, o := range infos {
				if !yield(o, nil) {
					return
				}
			}
			if next == "" {
				return
			}
			after = next
		}
	}
}

// reserve is how long before its deadline a walk through many objects stops, if it
// has long enough: time to finish what is under way.
const reserve = 90 * time.Second

// TimeLeft returns the time that a walk through many objects has before the deadline of
// ctx: what is left, less 90 s or a fifth of it. limited is false without a deadline.
func TimeLeft(ctx context.Context) (left time.Duration, limited bool) {
	deadline, limited := ctx.Deadline()
	if !limited {
		return 0, false
	}
	left = time.Until(deadline)
	return left - min(reserve, left/5), true
}

// deleters is how many objects DeleteOlder removes at once.
const deleters = 16

// DeleteOlder removes the objects under a prefix that were put before a time. Near the
// deadline of ctx it stops, and the next call finds fewer.
func DeleteOlder(ctx context.Context, s Store, prefix string, before time.Time) error {
	left, limited := TimeLeft(ctx)
	until := time.Now().Add(left)
	work, working := errgroup.WithContext(ctx)
	work.SetLimit(deleters)
	for o, err := range All(working, s, prefix) {
		if err != nil {
			return errors.Join(err, work.Wait())
		}
		if !o.Modified.Before(before) {
			continue
		}
		if limited && time.Now().After(until) {
			break
		}
		work.Go(func() error { return s.Delete(working, o.Key) })
	}
	return work.Wait()
}

// CheckKey returns fault.Invalid when a key breaks the rules of Store.
func CheckKey(key string) error {
	if key == "" {
		return fault.New(fault.Invalid, "an object's key is empty")
	}
	if len(key) > MaxKeyBytes {
		return fault.New(fault.Invalid, "an object's key of %d bytes is over the limit of %d", len(key), MaxKeyBytes)
	}
	for part := range strings.SplitSeq(key, "/") {
		if part == "" || part == "." || part == ".." || len(part) > 255 {
			return fault.New(fault.Invalid, "an object's key %q has a part that is empty, a dot, two dots or over 255 bytes", key)
		}
	}
	return checkChars(key)
}

// CheckPut returns fault.Invalid when the arguments of Put break its rules.
func CheckPut(key string, o PutOptions) error {
	if err := CheckKey(key); err != nil {
		return err
	}
	if o.Size < -1 {
		return fault.New(fault.Invalid, "an object's size of %d is negative", o.Size)
	}
	if len(o.ContentType) > 255 || strings.IndexFunc(o.ContentType, notPrintable) >= 0 {
		return fault.New(fault.Invalid, "an object's content type is not up to 255 printable ASCII characters")
	}
	return nil
}

// CheckList returns the limit to use, or fault.Invalid.
func CheckList(prefix, after string, limit int) (int, error) {
	for _, s := range []string{prefix, after} {
		if err := checkChars(s); err != nil {
			return 0, err
		}
	}
	if limit < 0 {
		return 0, fault.New(fault.Invalid, "a list's limit of %d is negative", limit)
	}
	if limit == 0 || limit > MaxListItems {
		limit = MaxListItems
	}
	return limit, nil
}

// CheckPresign returns fault.Invalid when the arguments of Presign break its
// rules.
func CheckPresign(method, key string, o PresignOptions) error {
	if err := CheckKey(key); err != nil {
		return err
	}
	if method != "GET" && method != "PUT" {
		return fault.New(fault.Invalid, "a signed request's method is GET or PUT, not %q", method)
	}
	if o.Expires < time.Second || o.Expires > 7*24*time.Hour {
		return fault.New(fault.Invalid, "a signed request lives 1 second to 7 days, not %s", o.Expires)
	}
	if o.Size < 0 {
		return fault.New(fault.Invalid, "a signed request's size of %d is negative", o.Size)
	}
	if method != "GET" && o.ContentType+o.Disposition != "" || strings.IndexFunc(o.ContentType+o.Disposition, notPrintable) >= 0 {
		return fault.New(fault.Invalid, "a signed GET names headers of its answer in printable ASCII, and a PUT none")
	}
	return nil
}

func checkChars(key string) error {
	for i := range len(key) {
		c := key[i]
		switch {
		case c >= 'a' && c <= 'z', c >= 'A' && c <= 'Z', c >= '0' && c <= '9', c == '/', c == '_', c == '.', c == '-':
		default:
			return fault.New(fault.Invalid, "an object's key %q holds a character outside A-Z a-z 0-9 / _ . -", key)
		}
	}
	return nil
}

func notPrintable(r rune) bool { return r < ' ' || r > '~' }
