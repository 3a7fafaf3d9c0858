// Package workbench serves the web pages of the service, the workbench at / and
// the guide at /docs: the files that `npm run build` makes from the sources beside
// this file. They are embedded compressed; a client that does not take gzip gets
// them unpacked.
//
// The workbench is of the service's own origin and calls the same endpoints as any
// client. Its policy allows its own scripts, styles and images alone, so that
// a document which slips markup into an answer runs nothing and calls nobody.
package workbench

import (
	"bytes"
	"compress/gzip"
	"crypto/sha256"
	"embed"
	"encoding/base64"
	"fmt"
	"io"
	"io/fs"
	"mime"
	"net/http"
	"path"
	"strings"
	"time"
)

//go:embed all:built
var built embed.FS

// Assets is the prefix of the paths of what the page loads; their names change
// with their content.
const Assets = "/assets/"

// policyOf is the page's policy. Images may come from memory, where pages of a PDF and
// charts are drawn. Requests go to the service alone, and to the store to which it
// signs URLs, if that is another origin.
func policyOf(store string) string {
	return "default-src 'none'; script-src 'self'; style-src 'self'; img-src 'self' data: blob:; font-src 'self' data:; " +
		strings.TrimSpace("connect-src 'self' "+store) + "; worker-src 'self'; manifest-src 'self'; frame-ancestors 'none'; " +
		"base-uri 'none'; form-action 'none'"
}

// docsPolicyOf is that of the guide, whose viewer of the API's description writes
// styles of its own; it shows no document.
func docsPolicyOf(policy string) string {
	return strings.Replace(policy, "style-src 'self'", "style-src 'self' 'unsafe-inline'", 1)
}

// file is one embedded file.
type file struct {
	packed []byte
	kind   string
	tag    string // entity tag without the quotes
}

// Page is the handler of the page and its assets.
type Page struct {
	files              map[string]file // by path
	policy, docsPolicy string
}

// New reads the embedded files. store is the origin, other than the service's own,
// of the URLs that the service signs; empty for none.
func New(store string) (*Page, error) {
	p := &Page{files: map[string]file{}, policy: policyOf(store), docsPolicy: docsPolicyOf(policyOf(""))}
	err := fs.WalkDir(built, "built", func(name string, d fs.DirEntry, err error) error {
		if err != nil || d.IsDir() || !strings.HasSuffix(name, ".gz") {
			return err
		}
		packed, err := built.ReadFile(name)
		if err != nil {
			return err
		}
		at := strings.TrimSuffix(strings.TrimPrefix(name, "built"), ".gz")
		sum := sha256.Sum256(packed)
		f := file{packed, kindOf(at), base64.RawURLEncoding.EncodeToString(sum[:12])}
		switch at {
		case "/index.html":
			at = "/"
		case "/docs.html":
			at = "/docs"
		}
		p.files[at] = f
		return nil
	})
	if err == nil && p.files["/"].packed == nil {
		err = fmt.Errorf("the page is not built")
	}
	return p, err
}

// kindOf returns the media type of a path; some systems do not know all of ours.
func kindOf(at string) string {
	switch path.Ext(at) {
	case ".js", ".mjs":
		return "text/javascript; charset=utf-8"
	case ".md":
		return "text/markdown; charset=utf-8"
	case ".woff2":
		return "font/woff2"
	}
	if kind := mime.TypeByExtension(path.Ext(at)); kind != "" {
		return kind
	}
	return "application/octet-stream"
}

// Serves reports whether a request is for the page or one of its assets.
func (p *Page) Serves(r *http.Request) bool {
	_, ok := p.files[r.URL.Path]
	return ok && (r.Method == http.MethodGet || r.Method == http.MethodHead)
}

// ServeHTTP answers a request that Serves accepts.
func (p *Page) ServeHTTP(w http.ResponseWriter, r *http.Request) {
	f := p.files[r.URL.Path]
	h := w.Header()
	h.Set("Content-Type", f.kind)
	h.Set("X-Content-Type-Options", "nosniff")
	h.Set("X-Frame-Options", "DENY")
	h.Set("Content-Security-Policy", p.policy)
	if r.URL.Path == "/docs" {
		h.Set("Content-Security-Policy", p.docsPolicy)
	}
	h.Set("Referrer-Policy", "no-referrer")
	h.Set("Cross-Origin-Opener-Policy", "same-origin")
	h.Set("Permissions-Policy", "camera=(), geolocation=(), microphone=()")
	h.Set("Vary", "Accept-Encoding")
	h.Set("Cache-Control", "no-cache") // ask each time, by the entity tag
	if strings.HasPrefix(r.URL.Path, Assets) {
		h.Set("Cache-Control", "public, max-age=31536000, immutable")
	}
	body := f.packed
	if takesGzip(r) {
		h.Set("Content-Encoding", "gzip")
		h.Set("ETag", `"`+f.tag+`-gz"`)
	} else {
		h.Set("ETag", `"`+f.tag+`"`)
		body = unpack(body)
	}
	http.ServeContent(w, r, "", time.Time{}, bytes.NewReader(body))
}

// takesGzip reports whether the client accepts gzip.
func takesGzip(r *http.Request) bool {
	for coding := range strings.SplitSeq(r.Header.Get("Accept-Encoding"), ",") {
		name, weight, weighted := strings.Cut(strings.TrimSpace(coding), ";")
		refused := weighted && strings.Trim(strings.TrimPrefix(strings.TrimSpace(weight), "q="), "0.") == ""
		if (name == "gzip" || name == "*") && !refused {
			return true
		}
	}
	return false
}

// unpack decompresses an embedded file, which a test has read before.
func unpack(packed []byte) []byte {
	r, err := gzip.NewReader(bytes.NewReader(packed))
	if err != nil {
		return nil
	}
	body, err := io.ReadAll(r)
	if err != nil {
		return nil
	}
	return body
}
