package rest

import (
	"errors"
	"io"
	"net/http"
	"net/url"
	"strings"
	"sync/atomic"
	"time"

	"lectern/shared/fault"
)

// Content is an answer with stored bytes.
type Content struct {
	MediaType   string
	Disposition string // the header Content-Disposition
	ETag        string // without quotes
	Modified    time.Time
	Size        int64
	Body        io.ReadSeeker
}

// Policies of stored content that a browser shows. The viewer of a PDF is a plug-in
// with a style of its own, which no sandbox lets run; a PDF is no page, so that the
// rest of the policy and its exact media type are enough.
const (
	policy    = "default-src 'none'; sandbox"
	policyPDF = "default-src 'none'; object-src 'self'; style-src 'unsafe-inline'; frame-ancestors 'self'"
)

// Send answers with the content, or the requested ranges of it. A browser neither
// guesses another type nor runs anything of it. The status waits for the first bytes, so
// that a body which cannot be read is an error to return; one that fails later cuts the
// answer short, and the client sees that.
func (c Content) Send(w http.ResponseWriter, r *http.Request) error {
	h := w.Header()
	h.Set("X-Content-Type-Options", "nosniff")
	h.Set("Content-Security-Policy", policy)
	if kind, _, _ := strings.Cut(c.MediaType, ";"); kind == "application/pdf" && strings.HasPrefix(c.Disposition, "inline") {
		h.Set("Content-Security-Policy", policyPDF)
	}
	h.Set("Cache-Control", "private, no-cache")
	h.Set("Content-Type", c.MediaType)
	h.Set("Content-Disposition", c.Disposition)
	h.Set("ETag", `"`+c.ETag+`"`)
	held, body := &heldStatus{ResponseWriter: w}, &readBody{ReadSeeker: c.Body}
	http.ServeContent(held, r, "", c.Modified.Truncate(time.Second), body)
	var err error
	if failed := body.failed.Load(); failed != nil {
		err = *failed
	}
	switch {
	case held.status == http.StatusRequestedRangeNotSatisfiable:
		err = fault.New(fault.OutOfRange, "the requested range lies outside the file of %d bytes", c.Size)
	case err == nil:
		held.send()
		return nil
	case held.sent:
		Note(r.Context(), err)
		panic(http.ErrAbortHandler) // the client sees that the content is cut
	}
	for _, name := range []string{"Content-Disposition", "Content-Security-Policy", "Cache-Control", "ETag", "Last-Modified",
		"Accept-Ranges", "Content-Length"} {
		h.Del(name)
	}
	if held.status != http.StatusRequestedRangeNotSatisfiable {
		h.Del("Content-Range")
	}
	return err
}

// heldStatus keeps the status of http.ServeContent back until the first bytes follow it,
// and leaves out the plain text that comes with status 416.
type heldStatus struct {
	http.ResponseWriter
	status int
	sent   bool
}

func (w *heldStatus) WriteHeader(status int) { w.status = status }

func (w *heldStatus) Write(p []byte) (int, error) {
	if w.status == http.StatusRequestedRangeNotSatisfiable {
		return len(p), nil
	}
	w.send()
	return w.ResponseWriter.Write(p)
}

func (w *heldStatus) send() {
	if !w.sent {
		w.sent = true
		w.ResponseWriter.WriteHeader(w.status)
	}
}

// readBody keeps the error that ends a body. http.ServeContent may still read when it
// returns.
type readBody struct {
	io.ReadSeeker
	failed atomic.Pointer[error]
}

func (b *readBody) Read(p []byte) (int, error) {
	n, err := b.ReadSeeker.Read(p)
	if err != nil && !errors.Is(err, io.EOF) {
		b.failed.Store(&err)
	}
	return n, err
}

// Disposition returns the header Content-Disposition of a kind, inline or
// attachment. It gives the file name twice: in ASCII for old clients, and in full.
//
// Source: RFC 6266, appendix D.
func Disposition(kind, name string) string {
	plain := strings.Map(func(r rune) rune {
		if r < ' ' || r > '~' || r == '"' || r == '\\' || r == '%' {
			return '_'
		}
		return r
	}, name)
	out := kind + `; filename="` + plain + `"`
	if plain == name {
		return out
	}
	return out + "; filename*=UTF-8''" + strings.ReplaceAll(url.QueryEscape(name), "+", "%20")
}
