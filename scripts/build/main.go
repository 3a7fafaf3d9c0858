// Command build builds the functions: one static binary each, in a reproducible
// zip. It prints their sizes and checks what they link.
//
//	go run ./scripts/build -out dist -arch arm64
package main

import (
	"archive/zip"
	"bytes"
	"context"
	"crypto/sha256"
	"encoding/base64"
	"flag"
	"fmt"
	"io/fs"
	"log/slog"
	"net/http/httptest"
	"os"
	"os/exec"
	"path/filepath"
	"runtime"
	"slices"
	"strings"
	"time"

	"lectern/functions"
	"lectern/functions/local/service"
	"lectern/shared/app/config"
	"lectern/shared/ident"
)

// options are the flags.
type options struct {
	out, arch, only, overlay string
	uncached                 bool
}

func main() {
	var o options
	flag.StringVar(&o.out, "out", "dist", "directory of the zips")
	flag.StringVar(&o.arch, "arch", runtime.GOARCH,
		"amd64 or arm64, of all functions but the one that reads PDF, which is always amd64 in the cloud")
	flag.StringVar(&o.only, "only", "", "comma list of functions; all when empty")
	flag.BoolVar(&o.uncached, "without-cache", false, "on a machine that is not linux/amd64, build the functions that read PDF without compiled code")
	flag.StringVar(&o.overlay, "overlay", "", "file as go build -overlay takes it, to build the functions from other sources")
	flag.Parse()
	if err := run(o); err != nil {
		fmt.Fprintln(os.Stderr, "build:", err)
		os.Exit(1)
	}
}

// Function is one binary to build.
type Function struct {
	Name string // of the zip
	Dir  string // of its main package
}

// Functions lists the mains of all groups: functions/<group>/lambda, and those
// invoked by queues, events, schedules and deployments.
func Functions() ([]Function, error) {
	var list []Function
	for _, kind := range []string{"lambda", "worker", "sweep", "setup", "empty"} {
		mains, err := filepath.Glob(filepath.Join("functions", "*", kind, "main.go"))
		if err != nil {
			return nil, err
		}
		for _, m := range mains {
			dir := filepath.Dir(m)
			name := filepath.Base(filepath.Dir(dir))
			if kind != "lambda" {
				name += "-" + kind
			}
			list = append(list, Function{name, dir})
		}
	}
	slices.SortFunc(list, func(a, b Function) int { return strings.Compare(a.Name, b.Name) })
	return list, nil
}

// readsPDF lists the functions with the PDF reader. They contain code compiled
// for amd64, because compiling it takes seconds at every cold start.
func readsPDF() []string {
	var names []string
	for _, f := range functions.Functions() {
		if f.PDF {
			names = append(names, f.Name)
		}
	}
	return names
}

func run(o options) error {
	list, err := Functions()
	if err != nil {
		return err
	}
	if err := os.MkdirAll(o.out, 0o755); err != nil {
		return err
	}
	pdf := o.only == "" || slices.ContainsFunc(readsPDF(), func(n string) bool { return wanted(o.only, n) })
	if pdf && !o.uncached {
		if err := checkHost(runtime.GOOS, runtime.GOARCH); err != nil {
			return err
		}
	}
	document, cache, err := prepared(pdf && !o.uncached)
	if err != nil {
		return err
	}
	defer os.RemoveAll(cache)
	fmt.Println("| function | architecture | binary MiB | zip MiB | code sha256 |\n|---|---|---|---|---|")
	for _, f := range list {
		if !wanted(o.only, f.Name) {
			continue
		}
		if err := build(f, o, document, cache); err != nil {
			return fmt.Errorf("%s: %w", f.Name, err)
		}
	}
	return nil
}

// checkHost reports a machine whose compiled code a function cannot use: the
// WebAssembly compiler makes code for the processor and system that it runs on.
func checkHost(goos, goarch string) error {
	if goos == "linux" && goarch == "amd64" {
		return nil
	}
	return fmt.Errorf("%s contain the PDF reader's compiled code, which only linux/amd64 can make, and this is %s/%s: "+
		"build there (docker run --platform linux/amd64 golang), or with -without-cache, whose first PDF in each process waits some seconds",
		strings.Join(readsPDF(), " and "), goos, goarch)
}

func wanted(only, name string) bool {
	return only == "" || slices.Contains(strings.Split(only, ","), name)
}

// build builds one zip.
func build(f Function, o options, document []byte, cache string) error {
	target := o.arch
	if slices.Contains(readsPDF(), f.Name) {
		target = "amd64"
	}
	binary := filepath.Join(o.out, f.Name+".bootstrap")
	defer os.Remove(binary)
	args := append([]string{"build", "-buildvcs=false", "-o", binary}, functions.BuildFlags...)
	if o.overlay != "" {
		args = append(args, "-overlay", o.overlay)
	}
	cmd := exec.Command("go", append(args, "./"+filepath.ToSlash(f.Dir))...)
	cmd.Env = append(os.Environ(), "CGO_ENABLED=0", "GOOS=linux", "GOARCH="+target, "GOFLAGS=")
	if text, err := cmd.CombinedOutput(); err != nil {
		return fmt.Errorf("%w\n%s", err, text)
	}
	if err := checkLinked(f.Name, binary); err != nil {
		return err
	}
	program, err := os.ReadFile(binary)
	if err != nil {
		return err
	}
	if err := checkSize(f.Name, len(program)); err != nil {
		return err
	}
	files := map[string][]byte{"bootstrap": program}
	if f.Name == "system" {
		files["openapi.json"] = document
	}
	if slices.Contains(readsPDF(), f.Name) {
		if err := addDir(files, cache, "cache"); err != nil {
			return err
		}
	}
	packed, err := pack(files)
	if err != nil {
		return err
	}
	sum := sha256.Sum256(packed)
	fmt.Printf("| %s | %s | %.1f | %.1f | %s |\n", f.Name, target, mib(len(program)), mib(len(packed)),
		base64.StdEncoding.EncodeToString(sum[:6]))
	return os.WriteFile(filepath.Join(o.out, f.Name+".zip"), packed, 0o644)
}

func mib(n int) float64 { return float64(n) / (1 << 20) }

// pack builds a zip whose bytes depend only on the files.
func pack(files map[string][]byte) ([]byte, error) {
	var names []string
	for name := range files {
		names = append(names, name)
	}
	slices.Sort(names)
	var buf bytes.Buffer
	w := zip.NewWriter(&buf)
	for _, name := range names {
		h := &zip.FileHeader{Name: name, Method: zip.Deflate, Modified: time.Date(1980, 1, 1, 0, 0, 0, 0, time.UTC)}
		h.SetMode(0o644)
		if name == "bootstrap" {
			h.SetMode(0o755)
		}
		to, err := w.CreateHeader(h)
		if err != nil {
			return nil, err
		}
		if _, err := to.Write(files[name]); err != nil {
			return nil, err
		}
	}
	err := w.Close()
	return buf.Bytes(), err
}

func addDir(files map[string][]byte, dir, under string) error {
	return filepath.WalkDir(dir, func(path string, d fs.DirEntry, err error) error {
		if err != nil || d.IsDir() {
			return err
		}
		rel, err := filepath.Rel(dir, path)
		if err != nil {
			return err
		}
		raw, err := os.ReadFile(path)
		files[under+"/"+filepath.ToSlash(rel)] = raw
		return err
	})
}

// prepared returns what some functions contain besides their binary: the
// OpenAPI document, and the compiled code of the PDF reader. Both are made by
// running the service.
func prepared(pdf bool) (document []byte, cache string, err error) {
	if cache, err = os.MkdirTemp("", "lectern-build-"); err != nil {
		return nil, "", err
	}
	data, err := os.MkdirTemp("", "lectern-build-")
	if err != nil {
		return nil, cache, err
	}
	defer os.RemoveAll(data)
	cfg, err := config.Load(func(name string) string {
		if name == "LECTERN_DATA" {
			return data
		}
		return ""
	})
	if err != nil {
		return nil, cache, err
	}
	s, err := service.Open(context.Background(), cfg, service.Options{IDs: ident.Random{Now: time.Now}, Now: time.Now,
		Log: slog.New(slog.DiscardHandler), Cache: cache})
	if err != nil {
		return nil, cache, err
	}
	defer s.Close()
	w := httptest.NewRecorder()
	s.Handler.ServeHTTP(w, httptest.NewRequest("GET", "/openapi.json", nil))
	if w.Code != 200 {
		return nil, cache, fmt.Errorf("the service answers %d for its description", w.Code)
	}
	document = bytes.Clone(w.Body.Bytes())
	if !pdf {
		return document, cache, nil
	}
	w = httptest.NewRecorder()
	s.Handler.ServeHTTP(w, httptest.NewRequest("POST", "/v1/artifacts/convert", strings.NewReader(
		`{"input":{"type":"file","value":"`+base64.StdEncoding.EncodeToString([]byte(smallPDF))+`"},"metadata":{"file_name":"a.pdf"}}`)))
	entries, err := os.ReadDir(cache)
	if err == nil && len(entries) == 0 {
		err = fmt.Errorf("reading a PDF left no compiled code: %d %s", w.Code, w.Body)
	}
	return document, cache, err
}

// smallPDF only starts the reader.
const smallPDF = "%PDF-1.4\n1 0 obj<</Type/Catalog/Pages 2 0 R>>endobj 2 0 obj<</Type/Pages/Kids[3 0 R]/Count 1>>endobj 3 0 obj<</Type/Page/MediaBox[0 0 9 9]/Parent 2 0 R>>endobj\ntrailer<</Root 1 0 R>>"
