package object

import (
	"context"
	"fmt"
	"io"
)

// Checker is a body of Store.Open that would find damage only at its end. Check reads
// the whole of it before any of it is used, and returns what Read would; a body that is
// a part of the object has nothing to check.
type Checker interface{ Check() error }

// NewBody returns a reader of an object from any offset, which opens the object
// when it is read. open, if not nil, is the object opened at its start. The object
// must not be replaced meanwhile: each part may be a read of its own. Who reads from the
// start learns of damage before the first byte.
func NewBody(ctx context.Context, s Store, key string, size int64, open io.ReadCloser) io.ReadSeekCloser {
	return &body{ctx: ctx, store: s, key: key, size: size, open: open}
}

// body implements NewBody.
type body struct {
	ctx   context.Context
	store Store
	key   string
	size  int64
	at    int64 // of the next read
	open  io.ReadCloser
	stand int64 // offset of open
	whole bool  // checked
}

func (b *body) Read(p []byte) (int, error) {
	if b.at >= b.size {
		return 0, io.EOF
	}
	if b.open != nil && b.stand != b.at {
		b.open.Close()
		b.open = nil
	}
	if b.open == nil {
		open, _, err := b.store.Open(b.ctx, b.key, b.at, -1)
		if err != nil {
			return 0, err
		}
		b.open, b.stand = open, b.at
	}
	if c, ok := b.open.(Checker); ok && b.at == 0 && !b.whole {
		if err := c.Check(); err != nil {
			return 0, err
		}
		b.whole = true
	}
	n, err := b.open.Read(p)
	b.at += int64(n)
	b.stand = b.at
	return n, err
}

func (b *body) Seek(offset int64, whence int) (int64, error) {
	switch whence {
	case io.SeekCurrent:
		offset += b.at
	case io.SeekEnd:
		offset += b.size
	}
	if offset < 0 {
		return 0, fmt.Errorf("seek before the start of %s", b.key)
	}
	b.at = offset
	return offset, nil
}

func (b *body) Close() error {
	if b.open == nil {
		return nil
	}
	err := b.open.Close()
	b.open = nil
	return err
}
