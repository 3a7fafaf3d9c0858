// Package pdf reads the text of PDF files with its geometry, and derives
// structure from the geometry: columns, paragraphs, headings, lists and tables.
//
// The parser is PDFium in WebAssembly, a sandbox with a memory limit in which a
// file that loops can be stopped. engine.go and pdfium.go call it; layout.go
// and the other files are plain geometry.
package pdf

import (
	"bytes"
	"context"
	"errors"
	"fmt"
	"io"
	"log/slog"
	"reflect"
	"runtime"
	"sync"
	"time"
	_ "unsafe" // for go:linkname

	"lectern/shared/knowledge/reader/intake"

	"github.com/klippa-app/go-pdfium"
	"github.com/klippa-app/go-pdfium/webassembly"
	"github.com/tetratelabs/wazero"
	"github.com/tetratelabs/wazero/api"
)

const (
	// memoryPages of 64 KiB limit the memory of one file to 320 MiB.
	memoryPages = 5 << 10
	// Memory above this is freed before the next file, because it grows by
	// copying and would accumulate.
	muchMemory = 96 << 20
	idleTime   = time.Minute
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
	ErrEncrypted    = errors.New("the PDF is encrypted")
	ErrMalformed    = errors.New("the PDF is malformed")
	ErrTooManyPages = errors.New("the PDF has too many pages")
)

// Engine runs PDFium. It starts on first use and stops after a minute without
// work. Safe for concurrent use; it reads as many files at once as there are
// processors.
type Engine struct {
	// Log is told why compiled code cannot be cached; nil tells nobody. It is set
	// before the first use.
	Log *slog.Logger

	cacheDir string
	slots    chan struct{}

	mu     sync.Mutex
	pool   pdfium.Pool
	cache  wazero.CompilationCache
	users  int
	idle   *time.Timer
	closed bool
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

// acquire starts the runtime if necessary and counts a user of it.
func (e *Engine) acquire() (pdfium.Pool, error) {
	e.mu.Lock()
	defer e.mu.Unlock()
	if e.closed {
		return nil, errors.New("the PDF engine is closed")
	}
	if e.idle != nil {
		e.idle.Stop()
	}
	if e.pool == nil {
		if err := e.start(); err != nil {
			return nil, fmt.Errorf("start the PDF engine: %w", err)
		}
	}
	e.users++
	return e.pool, nil
}

// start starts the runtime with the cache's directory, or with memory alone: a
// function's directory is read-only, and code that was compiled on a processor
// with other features does not count as cached.
func (e *Engine) start() error {
	if e.cacheDir != "" {
		cache, err := wazero.NewCompilationCacheWithDir(e.cacheDir)
		if err == nil {
			err = e.startWith(cache)
		}
		if err == nil {
			return nil
		}
		if e.Log != nil {
			e.Log.Warn("the PDF reader's compiled code cannot be cached; it is compiled into memory, which takes seconds",
				"directory", e.cacheDir, "error", err)
		}
	}
	return e.startWith(wazero.NewCompilationCache())
}

func (e *Engine) startWith(cache wazero.CompilationCache) error {
	code, err := withFuel(pdfiumModule)
	if err != nil {
		return errors.Join(err, cache.Close(context.Background()))
	}
	pool, err := webassembly.Init(webassembly.Config{
		WASM:     code,
		MaxTotal: cap(e.slots) + 1,
		FSConfig: wazero.NewFSConfig(), // no files
		Stdout:   io.Discard,
		Stderr:   io.Discard,
		RuntimeConfig: wazero.NewRuntimeConfig().
			WithCompilationCache(cache).
			WithMemoryLimitPages(memoryPages),
	})
	if err != nil {
		return errors.Join(err, cache.Close(context.Background()))
	}
	e.pool, e.cache = pool, cache
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
	if e.users > 0 || e.pool == nil {
		return nil
	}
	if e.idle != nil {
		e.idle.Stop()
	}
	err := errors.Join(e.pool.Close(), e.cache.Close(context.Background()))
	e.pool, e.cache = nil, nil
	return err
}

// Read reads a whole file before ctx ends. The errors are those above, ctx's,
// or the engine's own.
func (e *Engine) Read(ctx context.Context, data []byte, o intake.PDFOptions) (f *File, err error) {
	if !begins(data) {
		return nil, intake.Refuse(intake.Malformed, "the file is no PDF")
	}
	err = e.with(ctx, o, func(s *session) (err error) {
		f, err = s.read(data)
		s.scans.wait(f)
		return err
	})
	if ctx.Err() != nil {
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

// with calls f with a session of its own.
func (e *Engine) with(ctx context.Context, o intake.PDFOptions, f func(*session) error) error {
	select {
	case e.slots <- struct{}{}:
		defer func() { <-e.slots }()
	case <-ctx.Done():
		return ctx.Err()
	}
	pool, err := e.acquire()
	if err != nil {
		return err
	}
	defer e.release()
	instance, err := pool.GetInstanceWithContext(ctx)
	if err != nil {
		return fmt.Errorf("start the PDF engine: %w", err)
	}
	// Every file gets a separate instance, which frees all its memory.
	module, err := moduleOf(instance)
	if err != nil {
		return errors.Join(err, instance.Close())
	}
	much := false
	defer func() {
		instance.Close()
		if much {
			runtime.GC()
		}
	}()
	err = f(newSession(ctx, module, o))
	much = module.Memory().Size() > muchMemory
	return err
}

// moduleOf returns the WebAssembly module of an instance. The instance's own
// methods cost several calls and allocations per character and cannot be
// interrupted, so the module's functions are called directly. The module is an
// exported field of a type in an internal package, hence reflect.
func moduleOf(instance pdfium.Pdfium) (api.Module, error) {
	holder, ok := instance.(interface{ GetImplementation() any })
	if !ok {
		return nil, errors.New("the PDF engine has no module")
	}
	v := reflect.Indirect(reflect.ValueOf(holder.GetImplementation()))
	if v.Kind() != reflect.Struct || !v.FieldByName("Module").IsValid() {
		return nil, errors.New("the PDF engine has no module")
	}
	module, ok := v.FieldByName("Module").Interface().(api.Module)
	if !ok {
		return nil, errors.New("the PDF engine has no module")
	}
	return module, nil
}
