// Package pdf reads the text of PDF files with its geometry, and turns the
// geometry into structure: columns, paragraphs, headings, lists and tables.
//
// The parser is PDFium in WebAssembly, so that a hostile file meets a sandbox
// with a memory limit, and a file that loops can be stopped. engine.go and
// pdfium.go talk to it; layout.go and what follows are plain geometry.
package pdf

import (
	"context"
	"errors"
	"fmt"
	"io"
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
	// memoryPages of 64 KiB bound what one file may take: 320 MiB.
	memoryPages = 5 << 10
	// A file that took more than this is cleared away before the next one:
	// memory grows by copies, which would otherwise pile up.
	muchMemory = 96 << 20
	idleTime   = time.Minute
	// maxPageTime bounds one page: honest ones take a hundredth.
	maxPageTime = 6 * time.Second
)

// pdfiumModule is the module that go-pdfium carries. The package runs another
// one when it is given one, but does not export its own; it is only read here.
//
//go:linkname pdfiumModule github.com/klippa-app/go-pdfium/webassembly.pdfiumWasm
var pdfiumModule []byte

// Errors that Read wraps.
var (
	ErrEncrypted    = errors.New("the PDF is encrypted")
	ErrMalformed    = errors.New("the PDF is malformed")
	ErrTooManyPages = errors.New("the PDF has too many pages")
)

// Engine runs PDFium. It starts when it is first needed and is dropped after
// a minute without work. Safe for concurrent use; as many files are read at
// once as there are processors.
type Engine struct {
	cacheDir string
	slots    chan struct{}

	mu     sync.Mutex
	pool   pdfium.Pool
	cache  wazero.CompilationCache
	users  int
	idle   *time.Timer
	closed bool
}

// NewEngine makes an engine that keeps compiled code in cacheDir; without it
// the first file of each process waits a second or more.
func NewEngine(cacheDir string) *Engine {
	return &Engine{cacheDir: cacheDir, slots: make(chan struct{}, runtime.GOMAXPROCS(0))}
}

// Close frees the engine; files being read are finished first.
func (e *Engine) Close() error {
	e.mu.Lock()
	defer e.mu.Unlock()
	e.closed = true
	return e.stopIfIdle()
}

// acquire starts the runtime if need be and counts a user of it.
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

func (e *Engine) start() error {
	cache := wazero.NewCompilationCache()
	if e.cacheDir != "" {
		var err error
		if cache, err = wazero.NewCompilationCacheWithDir(e.cacheDir); err != nil {
			return err
		}
	}
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

// release ends what acquire began.
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

// Read reads a file, all of it before the end of ctx. The errors are those
// above, ctx's, or the engine's own.
func (e *Engine) Read(ctx context.Context, data []byte, o intake.PDFOptions) (*File, error) {
	select {
	case e.slots <- struct{}{}:
		defer func() { <-e.slots }()
	case <-ctx.Done():
		return nil, ctx.Err()
	}
	pool, err := e.acquire()
	if err != nil {
		return nil, err
	}
	defer e.release()
	instance, err := pool.GetInstanceWithContext(ctx)
	if err != nil {
		return nil, fmt.Errorf("start the PDF engine: %w", err)
	}
	// Every file gets an instance of its own, which frees all it took.
	module, err := moduleOf(instance)
	if err != nil {
		return nil, errors.Join(err, instance.Close())
	}
	much := false
	defer func() {
		instance.Close()
		if much {
			runtime.GC()
		}
	}()
	s := newSession(ctx, module, o)
	f, err := s.read(data)
	s.scans.wait(f)
	much = module.Memory().Size() > muchMemory
	if ctx.Err() != nil {
		return nil, ctx.Err()
	}
	return f, err
}

// moduleOf returns the WebAssembly module behind an instance. The instance's
// own methods cost several calls and allocations per character and cannot be
// interrupted; the module's functions are called directly instead. It is an
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
