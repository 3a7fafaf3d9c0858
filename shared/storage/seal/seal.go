// Package seal is the port for keeping secrets at rest: stored requests hold
// connection strings, tokens and headers, and are sealed before they are
// written anywhere.
package seal

import (
	"context"
	"errors"
)

// ErrKey is the cause of errors about what cannot be opened.
var ErrKey = errors.New("what is sealed cannot be opened")

// Sealer seals texts. Safe for concurrent use.
type Sealer interface {
	// Seal returns a form of plain that only Open reads. context is what the
	// text belongs to; it is not kept, and Open must be given the same.
	Seal(ctx context.Context, plain []byte, context string) ([]byte, error)

	// Open returns what was sealed. What was changed, or sealed with another
	// key or context, is fault.Unavailable with ErrKey as its cause, and a
	// sentence that names where the key is kept.
	Open(ctx context.Context, sealed []byte, context string) ([]byte, error)
}
