package artifacts_test

import (
	"encoding/json"
	"net/http"
	"net/http/httptest"
	"net/url"
	"os"
	"testing"

	"github.com/google/go-cmp/cmp"

	"lectern/functions/local/service/servicetest"
)

// TestOriginal: the file comes back byte by byte, to a browser as something that it
// shows or keeps, and never runs.
func TestOriginal(t *testing.T) {
	h := servicetest.Handler(t)
	get := func(target string, header ...string) *httptest.ResponseRecorder {
		r := httptest.NewRequest("GET", target, nil)
		for i := 0; i < len(header); i += 2 {
			r.Header.Set(header[i], header[i+1])
		}
		w := httptest.NewRecorder()
		h.ServeHTTP(w, r)
		return w
	}
	for _, tc := range []struct{ name, file, kind, disposition, policy string }{
		{"pdf", "lamps.pdf", "application/pdf", `inline; filename="lamps.pdf"`,
			"default-src 'none'; object-src 'self'; style-src 'unsafe-inline'; frame-ancestors 'self'"},
		{"page", "lamps.html", "text/html", `attachment; filename="lamps.html"`, "default-src 'none'; sandbox"},
	} {
		var kept object
		ext := tc.file[len("lamps."):]
		post(t, h, "/v1/artifacts/ingest", object{"artifact": "a/" + tc.name + " ?", "input": lamps(t, ext), "metadata": object{"file_name": tc.file}}, &kept)
		want, err := os.ReadFile("../../shared/knowledge/reader/formats/testdata/" + tc.file)
		if err != nil {
			t.Fatal(err)
		}
		path := "/v1/artifacts/original?artifact=" + url.QueryEscape("a/"+tc.name+" ?")
		check := func(w *httptest.ResponseRecorder) {
			t.Helper()
			got := map[string]string{}
			for _, name := range []string{"Content-Type", "Content-Disposition", "Content-Security-Policy", "X-Content-Type-Options"} {
				got[name] = w.Header().Get(name)
			}
			if diff := cmp.Diff(map[string]string{"Content-Type": tc.kind, "Content-Disposition": tc.disposition,
				"Content-Security-Policy": tc.policy, "X-Content-Type-Options": "nosniff"}, got); w.Code != 200 || diff != "" {
				t.Errorf("%s: %d, -want +got\n%s", tc.name, w.Code, diff)
			}
			if w.Body.String() != string(want) {
				t.Errorf("%s: %d bytes came back, want %d", tc.name, w.Body.Len(), len(want))
			}
		}
		first := get(path)
		check(first)
		if w := get(path, "If-None-Match", first.Header().Get("ETag")); w.Code != http.StatusNotModified {
			t.Errorf("%s: unchanged gives %d", tc.name, w.Code)
		}
		if w := get(path, "Range", "bytes=1-3"); w.Code != http.StatusPartialContent || w.Body.String() != string(want[1:4]) {
			t.Errorf("%s: a range gives %d %q", tc.name, w.Code, w.Body)
		}
		var link struct {
			URL      string
			FileName string `json:"file_name"`
		}
		if err := json.Unmarshal(get(path+"&link=true").Body.Bytes(), &link); err != nil || link.FileName != tc.file {
			t.Errorf("%s: the link is %+v, %v", tc.name, link, err)
		}
		u, err := url.Parse(link.URL)
		if err != nil {
			t.Fatal(err)
		}
		check(get(u.RequestURI()))
		q := u.Query()
		q.Set("content-disposition", "inline")
		u.RawQuery = q.Encode()
		if w := get(u.RequestURI()); w.Code != http.StatusForbidden {
			t.Errorf("%s: a changed link gives %d", tc.name, w.Code)
		}
	}
}
