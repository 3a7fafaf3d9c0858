// Package pdf reads the text of PDF files with its geometry, and derives
// structure from the geometry: columns, paragraphs, headings, lists and tables.
//
// The parser is PDFium in WebAssembly, a sandbox with a memory limit in which a
// file that loops can be stopped. engine.go, pdfium.go and segment.go call it; layout.go
// and the other files are plain geometry.
package pdf

import (
	"bytes"
	"context"
	"crypto/rand"
	"errors"
	"fmt"
	"log/slog"
	"runtime"
	"sync"
	"time"
	_ "unsafe" // for go:linkname

	"lectern/shared/fault"
	"lectern/shared/fault/budget"
	"lectern/shared/knowledge/reader/intake"

	_ "github.com/klippa-app/go-pdfium/webassembly" // holds the module
	"github.com/klippa-app/go-pdfium/webassembly/imports"
	"github.com/tetratelabs/wazero"
	"github.com/tetratelabs/wazero/api"
	"github.com/tetratelabs/wazero/experimental"
	"github.com/tetratelabs/wazero/imports/wasi_snapshot_preview1"
)

const (
	idleTime = time.Minute
	// maxPageTime limits one page; honest ones take a hundredth of it.
	maxPageTime = 6 * time.Second
)

// pdfiumModule is the WebAssembly module inside go-pdfium, which accepts
// another module but does not export its own. It is only read.
//
//go:linkname pdfiumModule github.com/klippa-app/go-pdfium/webassembly.pdfiumWasm
var pdfiumModule []byte

// Errors wrapped by Read.
var (
	ErrEncrypted     = errors.New("the PDF is encrypted")
	ErrMalformed     = errors.New("the PDF is malformed")
	ErrTooManyPages  = errors.New("the PDF has too many pages")
	ErrTooManyForms  = errors.New("a page of the PDF draws too many forms")
	ErrTooMuchMemory = errors.New("the PDF takes too much memory")
	ErrTooMuchTime   = errors.New("the PDF takes too much time")
)

// Engine runs PDFium. It starts on first use and stops after a minute without
// work. Safe for concurrent use; it reads as many files at once as there are
// processors.
type Engine struct {
	// Log is told why compiled code cannot be cached, or is damaged; nil tells nobody. It is set
	// before the first use.
	Log *slog.Logger
	// Memory counts what files take beyond the 18 MiB that each begins with; nil
	// counts nothing. A file that takes more than all of it, or than 320 MiB, is
	// refused; three times its size and 32 MiB it may take. Set before the first use.
	Memory *budget.Budget

	cacheDir string
	slots    chan struct{}

	mu      sync.Mutex
	started *started // nil while idle
	users   int
	idle    *time.Timer
	closed  bool
}

// NewEngine returns an engine that caches compiled code in cacheDir; without a
// cache, or where the directory can neither be used nor made, the first file of
// each process waits a second or more.
func NewEngine(cacheDir string) *Engine {
	return &Engine{cacheDir: cacheDir, slots: make(chan struct{}, runtime.GOMAXPROCS(0))}
}

// Close stops the engine after the files being read.
func (e *Engine) Close() error {
	e.mu.Lock()
	defer e.mu.Unlock()
	e.closed = true
	return e.stopIfIdle()
}

// started is a runtime with the compiled module.
type started struct {
	runtime wazero.Runtime
	module  wazero.CompiledModule
	cache   wazero.CompilationCache
}

func (s *started) close() error {
	ctx := context.Background()
	return errors.Join(s.runtime.Close(ctx), s.cache.Close(ctx))
}

// acquire starts the runtime if necessary and counts a user of it.
func (e *Engine) acquire() (*started, error) {
	e.mu.Lock()
	defer e.mu.Unlock()
	if e.closed {
		return nil, errors.New("the PDF engine is closed")
	}
	if e.idle != nil {
		e.idle.Stop()
	}
	if e.started == nil {
		if err := e.start(); err != nil {
			return nil, fmt.Errorf("start the PDF engine: %w", err)
		}
	}
	e.users++
	return e.started, nil
}

// start starts the runtime with the cache's directory, or with memory alone: a
// function's directory is read-only, and code that was compiled on a processor
// with other features does not count as cached. What is damaged is compiled anew.
func (e *Engine) start() error {
	if e.cacheDir != "" {
		damaged, err := checkCache(e.cacheDir)
		if len(damaged) > 0 {
			e.warn("the PDF reader's compiled code is damaged; it is removed and compiled anew, which takes seconds", "files", damaged)
		}
		if err == nil {
			err = e.startCached()
		}
		if err != nil && len(cachedFiles(e.cacheDir)) > 0 && dropCache(e.cacheDir) == nil {
			e.warn("the PDF reader cannot start with its compiled code; it is removed and compiled anew, which takes seconds", "error", err)
			err = e.startCached()
		}
		if err == nil {
			return nil
		}
		e.warn("the PDF reader's compiled code cannot be cached; it is compiled into memory, which takes seconds", "error", err)
	}
	return e.startWith(wazero.NewCompilationCache())
}

func (e *Engine) warn(msg string, args ...any) {
	if e.Log != nil {
		e.Log.Warn(msg, append([]any{"directory", e.cacheDir}, args...)...)
	}
}

// startCached starts the runtime with the cache's directory.
func (e *Engine) startCached() error {
	cache, err := wazero.NewCompilationCacheWithDir(e.cacheDir)
	if err == nil {
		err = e.startWith(cache)
	}
	if err != nil {
		return err
	}
	if err := sumCache(e.cacheDir); err != nil {
		e.warn("the checksum of the PDF reader's compiled code cannot be kept; the next start compiles it anew", "error", err)
	}
	return nil
}

func (e *Engine) startWith(cache wazero.CompilationCache) error {
	ctx := context.Background()
	s := &started{cache: cache, runtime: wazero.NewRuntimeWithConfig(ctx, wazero.NewRuntimeConfig().
		WithCompilationCache(cache).WithMemoryLimitPages(maxMemory>>16))}
	code, err := withLimits(pdfiumModule, canGuard(pdfiumModule))
	if err == nil {
		_, err = wasi_snapshot_preview1.Instantiate(ctx, s.runtime)
	}
	if err == nil {
		s.module, err = s.runtime.CompileModule(ctx, code)
	}
	if err == nil {
		_, err = imports.Instantiate(ctx, s.runtime, s.module)
	}
	if err != nil {
		return errors.Join(err, s.close())
	}
	e.started = s
	return nil
}

// release undoes acquire.
func (e *Engine) release() {
	e.mu.Lock()
	defer e.mu.Unlock()
	e.users--
	if e.users > 0 {
		return
	}
	if e.closed {
		_ = e.stopIfIdle()
		return
	}
	e.idle = time.AfterFunc(idleTime, func() {
		e.mu.Lock()
		defer e.mu.Unlock()
		_ = e.stopIfIdle()
	})
}

func (e *Engine) stopIfIdle() error {
	if e.users > 0 || e.started == nil {
		return nil
	}
	if e.idle != nil {
		e.idle.Stop()
	}
	err := e.started.close()
	e.started = nil
	return err
}

// Read reads a whole file before ctx ends. The errors are those above, ctx's,
// or the engine's own.
func (e *Engine) Read(ctx context.Context, data []byte, o intake.PDFOptions) (f *File, err error) {
	if !begins(data) {
		return nil, intake.Refuse(intake.Malformed, "the file is no PDF")
	}
	err = e.with(ctx, data, o, func(s *session) (err error) {
		f, err = s.read(data)
		s.scans.wait(f)
		return err
	})
	if ctx.Err() != nil && fault.CodeOf(err) != fault.RateLimited {
		return nil, ctx.Err()
	}
	return f, err
}

// headBytes is where a PDF has to begin.
//
// Source: ISO 32000-1, annex H, implementation note 13 of Adobe's readers.
const headBytes = 1024

// begins reports whether data has the head of a PDF. Without it the engine would copy
// all of it before it found out.
func begins(data []byte) bool {
	return bytes.Contains(data[:min(len(data), headBytes)], []byte("%PDF-"))
}

// with calls f with a session of its own for a file. Every file gets a separate
// instance of the module, which frees all its memory.
func (e *Engine) with(ctx context.Context, data []byte, o intake.PDFOptions, f func(*session) error) error {
	select {
	case e.slots <- struct{}{}:
		defer func() { <-e.slots }()
	case <-ctx.Done():
		return ctx.Err()
	}
	s, err := e.acquire()
	if err != nil {
		return err
	}
	defer e.release()
	m := newMemory(ctx, e.Memory, len(data))
	module, err := s.instance(m)
	if err == nil {
		err = f(newSession(ctx, module, o))
		err = errors.Join(err, module.Close(context.Background()))
	}
	m.Free()
	if err != nil && m.err != nil {
		return m.err
	}
	return err
}

// instance starts the module with a memory.
func (s *started) instance(m *memory) (api.Module, error) {
	ctx := experimental.WithMemoryAllocator(context.Background(), m)
	// No files, and no names, so that there can be many.
	config := wazero.NewModuleConfig().WithName("").WithStartFunctions("_initialize").WithRandSource(rand.Reader)
	module, err := s.runtime.InstantiateModule(ctx, s.module, config)
	if err != nil {
		return nil, fmt.Errorf("start the PDF engine: %w", err)
	}
	if _, err := module.ExportedFunction("FPDF_InitLibrary").Call(ctx); err != nil {
		return nil, errors.Join(fmt.Errorf("start the PDF engine: %w", err), module.Close(ctx))
	}
	return module, nil
}
