package pdf

import (
	"context"
	"errors"
	"fmt"

	"lectern/shared/fault/budget"

	"github.com/tetratelabs/wazero/experimental"
)

const (
	// maxMemory limits the memory of one file.
	maxMemory = 320 << 20
	// A file may take freeMemory and loadFactor times its size even where the budget
	// is less: all of it is copied into the memory, and its streams once more.
	freeMemory, loadFactor = 32 << 20, 3
)

// memory is the linear memory of one module. What it grows by counts in a claim;
// what it begins with is left to the caller of the engine, who claims it before
// the time for reading begins.
//
// It grows in place: wazero's own memory grows by copying and leaves the copies,
// several times the size, to the garbage collector.
type memory struct {
	ctx   context.Context
	claim *budget.Claim
	most  uint64
	first uint64 // bytes it began with
	data  []byte // reserved, of most bytes; nil where that cannot be
	slice []byte // instead of data
	err   error  // why it could not grow
}

var (
	_ experimental.MemoryAllocator = (*memory)(nil)
	_ experimental.LinearMemory    = (*memory)(nil)
)

// newMemory returns the memory for a file of some bytes.
func newMemory(ctx context.Context, b *budget.Budget, fileBytes int) *memory {
	most := uint64(maxMemory)
	if b != nil {
		most = min(most, uint64(max(b.Bytes(), freeMemory+loadFactor*int64(fileBytes))))
	}
	return &memory{ctx: ctx, claim: b.Within(ctx), most: most}
}

// Allocate implements experimental.MemoryAllocator.
func (m *memory) Allocate(_, _ uint64) experimental.LinearMemory {
	m.data = reserve(int(m.most))
	return m
}

// Reallocate implements experimental.LinearMemory. Beyond the first time it waits
// until the budget has room.
func (m *memory) Reallocate(size uint64) []byte {
	if m.first == 0 {
		m.first = size
	}
	switch {
	case size > m.most:
		m.err = errors.Join(ErrTooMuchMemory, fmt.Errorf("over %d bytes", m.most))
	default:
		m.err = m.claim.Grow(m.ctx, int64(size-m.first))
	}
	if m.err != nil {
		return nil
	}
	if m.data != nil {
		return m.data[:size]
	}
	if size > uint64(cap(m.slice)) {
		grown := make([]byte, size, max(size, min(m.most, size/4*5)))
		copy(grown, m.slice)
		m.slice = grown
	}
	m.slice = m.slice[:size]
	return m.slice
}

// Free implements experimental.LinearMemory.
func (m *memory) Free() {
	if m.data != nil {
		unreserve(m.data)
	}
	m.data, m.slice = nil, nil
	m.claim.Release()
}
