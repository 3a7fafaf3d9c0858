package files_test

import (
	"bytes"
	"encoding/json"
	"io"
	"mime/multipart"
	"net/http"
	"net/http/httptest"
	"net/url"
	"os"
	"strings"
	"testing"

	"github.com/google/go-cmp/cmp"

	"lectern/functions/local/service/servicetest"
	"lectern/shared/api/rest/replay"
)

func TestRecordings(t *testing.T) { replay.Run(t, "testdata/*.txtar", servicetest.Handler) }

func do(h http.Handler, method, path string, body io.Reader, headers ...string) *httptest.ResponseRecorder {
	r := httptest.NewRequest(method, path, body)
	for i := 0; i < len(headers); i += 2 {
		r.Header.Set(headers[i], headers[i+1])
	}
	w := httptest.NewRecorder()
	h.ServeHTTP(w, r)
	return w
}

func upload(t *testing.T, h http.Handler, query, name, data string) map[string]any {
	t.Helper()
	var body bytes.Buffer
	w := multipart.NewWriter(&body)
	part, err := w.CreateFormFile("file", name)
	if err != nil {
		t.Fatal(err)
	}
	if _, err := part.Write([]byte(data)); err != nil || w.Close() != nil {
		t.Fatal(err)
	}
	answer := do(h, "POST", "/v1/files?"+query, &body, "Content-Type", w.FormDataContentType())
	var out map[string]any
	if err := json.Unmarshal(answer.Body.Bytes(), &out); err != nil || answer.Code != 200 {
		t.Fatalf("upload of %s = %d %s", name, answer.Code, answer.Body)
	}
	return out
}

func TestContent(t *testing.T) {
	h := servicetest.Handler(t)
	meta := upload(t, h, "scope_id=s", "Über \"x\".html", "<script>alert(1)</script> and more")
	const path = "/v1/files/uploads%2F%C3%9Cber%20%22x%22.html/content?scope_id=s"
	whole := do(h, "GET", path, nil)
	want := map[string]string{
		"Content-Type": "text/html; charset=utf-8", "X-Content-Type-Options": "nosniff", "Content-Security-Policy": "default-src 'none'; sandbox",
		"Content-Disposition": `attachment; filename="_ber _x_.html"; filename*=UTF-8''%C3%9Cber%20%22x%22.html`, "Accept-Ranges": "bytes",
	}
	for name, value := range want {
		if got := whole.Header().Get(name); got != value {
			t.Errorf("%s is %q, want %q", name, got, value)
		}
	}
	etag := whole.Header().Get("ETag")
	if whole.Body.String() != "<script>alert(1)</script> and more" || etag != `"`+meta["etag"].(string)+`"` {
		t.Errorf("content = %q, ETag %s of %v", whole.Body, etag, meta)
	}
	for _, c := range []struct {
		name, header, value string
		status              int
		body                string
	}{
		{"a range", "Range", "bytes=8-12", 206, "alert"},
		{"the end", "Range", "bytes=-4", 206, "more"},
		{"unchanged", "If-None-Match", etag, 304, ""},
		{"changed", "If-None-Match", `"other"`, 200, whole.Body.String()},
	} {
		got := do(h, "GET", path, nil, c.header, c.value)
		if got.Code != c.status || got.Body.String() != c.body {
			t.Errorf("%s: %d %q, want %d %q", c.name, got.Code, got.Body, c.status, c.body)
		}
	}
	outside := do(h, "GET", path, nil, "Range", "bytes=900-")
	if outside.Code != 416 || !strings.Contains(outside.Body.String(), `"invalid_request_error"`) || outside.Header().Get("Content-Range") != "bytes */34" {
		t.Errorf("a range outside = %d %v %s", outside.Code, outside.Header(), outside.Body)
	}
	if head := do(h, "HEAD", path, nil); head.Code != 200 || head.Header().Get("Content-Length") != "34" || head.Body.Len() != 0 {
		t.Errorf("HEAD = %d %v", head.Code, head.Header())
	}
	if inline := do(h, "GET", path+"&disposition=inline", nil); !strings.HasPrefix(inline.Header().Get("Content-Disposition"), "inline; ") {
		t.Errorf("inline = %v", inline.Header())
	}
}

func TestSignedUpload(t *testing.T) {
	s := servicetest.Open(t, map[string]string{"SERVER_AUTH_ENABLED": "true", "SERVER_AUTH_SECRET": "Basic c2VjcmV0OnNlY3JldA=="})
	key := []string{"x-api-key", "c2VjcmV0OnNlY3JldA==", "Content-Type", "application/json"}
	const text = "A clowder is a group of cats."
	answer := do(s.Handler, "POST", "/v1/files/uploads", strings.NewReader(`{"file_name":"cats.txt","size_bytes":29,"scope_id":"s"}`), key...)
	var signed struct{ Method, URL, URI string }
	if err := json.Unmarshal(answer.Body.Bytes(), &signed); err != nil || answer.Code != 200 {
		t.Fatalf("POST /v1/files/uploads = %d %s", answer.Code, answer.Body)
	}
	convert := func(uri string) *httptest.ResponseRecorder {
		return do(s.Handler, "POST", "/v1/artifacts/convert", strings.NewReader(`{"input":{"type":"uri","value":"`+uri+`"}}`), key...)
	}
	listed := func() string { return do(s.Handler, "GET", "/v1/files?scope_id=s", nil, key...).Body.String() }
	if got := convert(signed.URI); got.Code != 422 || !strings.Contains(got.Body.String(), "unreachable_uri") {
		t.Errorf("convert before the body came = %d %s", got.Code, got.Body)
	}
	if strings.Contains(listed(), "cats") {
		t.Errorf("listed before the body came: %s", listed())
	}
	u, err := url.Parse(signed.URL)
	if err != nil || signed.Method != "PUT" {
		t.Fatalf("signed %+v, %v", signed, err)
	}
	for name, c := range map[string]struct {
		path, body string
		status     int
	}{
		"another size": {u.RequestURI(), text + "!", 422}, "short": {u.RequestURI(), text[:5], 422},
		"another object": {strings.Replace(u.RequestURI(), "/v1/blobs/files/", "/v1/blobs/skills/", 1), text, 403},
		"no signature":   {u.Path, text, 403},
	} {
		if got := do(s.Handler, "PUT", c.path, strings.NewReader(c.body)); got.Code != c.status {
			t.Errorf("%s: %d %s, want %d", name, got.Code, got.Body, c.status)
		}
	}
	if got := do(s.Handler, "GET", u.RequestURI(), nil); got.Code != 403 {
		t.Errorf("a request signed for PUT reads: %d %s", got.Code, got.Body)
	}
	if got := do(s.Handler, "PUT", u.RequestURI(), struct{ io.Reader }{strings.NewReader(text + "!")}); got.Code != 422 { // of unknown length
		t.Errorf("a long body of unknown length: %d %s", got.Code, got.Body)
	}
	if strings.Contains(listed(), "cats") {
		t.Errorf("listed after refused bodies: %s", listed())
	}
	if got := do(s.Handler, "PUT", u.RequestURI(), strings.NewReader(text)); got.Code != 200 {
		t.Fatalf("PUT = %d %s", got.Code, got.Body)
	}
	if got := convert(signed.URI); got.Code != 200 || !strings.Contains(got.Body.String(), text) {
		t.Errorf("convert = %d %s", got.Code, got.Body)
	}
	if !strings.Contains(listed(), `"id":"uploads/cats.txt"`) {
		t.Errorf("not listed: %s", listed())
	}
	for _, uri := range []string{"upload://upload_none", "upload://", "upload://records", "disk:objects/files", signed.URI + "x",
		signed.URI[:strings.LastIndexByte(signed.URI, '.')], signed.URI[:strings.LastIndexByte(signed.URI, '.')+1]} {
		if got := convert(uri); got.Code != 422 {
			t.Errorf("convert of %q = %d %s", uri, got.Code, got.Body)
		}
	}
	if got := do(s.Handler, "DELETE", "/v1/files/uploads/cats.txt?scope_id=s", nil, key...); got.Code != 200 {
		t.Errorf("DELETE = %d %s", got.Code, got.Body)
	}
	if got := convert(signed.URI); got.Code != 422 {
		t.Errorf("convert of a deleted upload = %d %s", got.Code, got.Body)
	}
	if got := do(s.Handler, "PUT", u.RequestURI(), strings.NewReader(text)); got.Code != 404 {
		t.Errorf("PUT after the file was deleted = %d %s", got.Code, got.Body)
	}
}

func TestSigningKeyIsPrivate(t *testing.T) {
	dir := t.TempDir()
	servicetest.Open(t, map[string]string{"LECTERN_DATA": dir})
	info, err := os.Stat(dir + "/signing.key")
	if err != nil || info.Mode().Perm() != 0o600 {
		t.Errorf("signing.key: %v, %v", info, err)
	}
}

func TestFilesOff(t *testing.T) {
	h := servicetest.Open(t, map[string]string{"LECTERN_FILES": "none"}).Handler
	for _, c := range []struct{ method, path, body string }{
		{"GET", "/v1/files?scope_id=s", ""}, {"GET", "/v1/files/a?scope_id=s", ""}, {"GET", "/v1/files/a/content?scope_id=s", ""},
		{"DELETE", "/v1/files/a?scope_id=s", ""}, {"POST", "/v1/files/uploads", `{"file_name":"a","size_bytes":1}`},
	} {
		got := do(h, c.method, c.path, strings.NewReader(c.body))
		if got.Code != 503 || got.Header().Get("X-Should-Retry") != "false" {
			t.Errorf("%s %s = %d %v", c.method, c.path, got.Code, got.Header())
		}
	}
}

func TestPaging(t *testing.T) {
	h := servicetest.Handler(t)
	for _, name := range []string{"e", "a", "d", "b", "c"} {
		upload(t, h, "scope_id=s&path=p/"+name+".txt", "x", name)
	}
	upload(t, h, "scope_id=s&path=q/z.txt", "x", "z")
	upload(t, h, "scope_id=other", "a.txt", "z")
	type page struct {
		IDs      []string
		More     bool
		NextPage *string
	}
	list := func(query string) page {
		got := do(h, "GET", "/v1/files?scope_id=s&"+query, nil)
		var out struct {
			Data     []struct{ ID string }
			HasMore  bool    `json:"has_more"`
			NextPage *string `json:"next_page"`
		}
		if err := json.Unmarshal(got.Body.Bytes(), &out); err != nil || got.Code != 200 {
			t.Fatalf("list %s = %d %s", query, got.Code, got.Body)
		}
		p := page{More: out.HasMore, NextPage: out.NextPage}
		for _, f := range out.Data {
			p.IDs = append(p.IDs, f.ID)
		}
		return p
	}
	b := "p/b.txt"
	for _, c := range []struct {
		query string
		want  page
	}{
		{"prefix=p/", page{IDs: []string{"p/a.txt", "p/b.txt", "p/c.txt", "p/d.txt", "p/e.txt"}}},
		{"prefix=p/&limit=2", page{IDs: []string{"p/a.txt", "p/b.txt"}, More: true, NextPage: &b}},
		{"limit=2&page=p/b.txt&prefix=p/c", page{IDs: []string{"p/c.txt"}}},
		{"limit=9&after_id=p/d.txt", page{IDs: []string{"p/e.txt", "q/z.txt"}}},
		{"limit=1&before_id=p/c.txt", page{IDs: []string{"p/b.txt"}, More: true, NextPage: &b}},
		{"before_id=p/c.txt", page{IDs: []string{"p/a.txt", "p/b.txt"}}},
		{"before_id=p/a.txt", page{}},
		{"ids[]=p/e.txt&ids[]=none&ids[]=cS96LnR4dA", page{IDs: []string{"p/e.txt", "q/z.txt"}}}, // q/z.txt in base64url
	} {
		if diff := cmp.Diff(c.want, list(c.query)); diff != "" {
			t.Errorf("%s: -want +got\n%s", c.query, diff)
		}
	}
}

// TestTenants: sessions of the same name are apart for tenants, and a key
// without limits has those that were made without one.
func TestTenants(t *testing.T) {
	h := servicetest.Open(t, map[string]string{"SERVER_AUTH_ENABLED": "true", "SERVER_AUTH_SECRET": "Basic c2VjcmV0OnNlY3JldA==", "LECTERN_DATA": t.TempDir(),
		"LECTERN_KEYS": `[{"key":"key-of-number-one","collections":["one"]},{"key":"key-of-number-two","collections":["two"]}]`}).Handler
	keys := []string{"key-of-number-one", "key-of-number-two", "c2VjcmV0OnNlY3JldA=="}
	for _, key := range keys {
		body, kind := form(t, "note.txt", "the note of "+key)
		if w := do(h, "POST", "/v1/files?scope_id=s", body, "x-api-key", key, "Content-Type", kind); w.Code != 200 {
			t.Fatalf("upload with %s = %d %s", key, w.Code, w.Body)
		}
	}
	for _, key := range keys {
		if w := do(h, "GET", "/v1/files/uploads/note.txt/content?scope_id=s", nil, "x-api-key", key); w.Body.String() != "the note of "+key {
			t.Errorf("with %s the note says %q", key, w.Body)
		}
	}
	if w := do(h, "DELETE", "/v1/files/uploads/note.txt?scope_id=s", nil, "x-api-key", keys[0]); w.Code != 200 {
		t.Errorf("delete = %d", w.Code)
	}
	for i, key := range keys {
		if w := do(h, "GET", "/v1/files?scope_id=s", nil, "x-api-key", key); strings.Contains(w.Body.String(), "note.txt") != (i > 0) {
			t.Errorf("with %s the list is %s", key, w.Body)
		}
	}
}

func form(t *testing.T, name, text string) (body io.Reader, kind string) {
	t.Helper()
	var b bytes.Buffer
	w := multipart.NewWriter(&b)
	part, err := w.CreateFormFile("file", name)
	if err != nil {
		t.Fatal(err)
	}
	io.WriteString(part, text)
	w.Close()
	return &b, w.FormDataContentType()
}
