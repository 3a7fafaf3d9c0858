package rest

import (
	"io"
	"net/http"
	"net/url"
	"strings"
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
// guesses another type nor runs anything of it.
func (c Content) Send(w http.ResponseWriter, r *http.Request) {
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
	checked := &ranged{ResponseWriter: w}
	http.ServeContent(checked, r, "", c.Modified.Truncate(time.Second), c.Body)
	if checked.outside {
		for _, name := range []string{"Content-Disposition", "Content-Security-Policy", "Cache-Control", "ETag", "Last-Modified"} {
			h.Del(name)
		}
		WriteError(w, r, fault.New(fault.OutOfRange, "the requested range lies outside the file of %d bytes", c.Size))
	}
}

// ranged replaces the plain text that http.ServeContent sends with status 416
// by the standard error body.
type ranged struct {
	http.ResponseWriter
	outside bool
}

func (w *ranged) WriteHeader(status int) {
	if status == http.StatusRequestedRangeNotSatisfiable {
		w.outside = true
		return
	}
	w.ResponseWriter.WriteHeader(status)
}

func (w *ranged) Write(p []byte) (int, error) {
	if w.outside {
		return len(p), nil
	}
	return w.ResponseWriter.Write(p)
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
