// Package seal is the port for keeping secrets at rest: stored requests hold
// connection strings, tokens and headers, and are sealed before they are
// written anywhere.
package seal

import "context"

// Sealer seals texts. Safe for concurrent use.
type Sealer interface {
	// Seal returns a form of plain that only Open reads. context is what the
	// text belongs to; it is not kept, and Open must be given the same.
	Seal(ctx context.Context, plain []byte, context string) ([]byte, error)

	// Open returns what was sealed. What was changed, or sealed with another
	// key or context, is a plain error.
	Open(ctx context.Context, sealed []byte, context string) ([]byte, error)
}
