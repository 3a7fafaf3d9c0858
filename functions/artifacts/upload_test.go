package artifacts_test

import (
	"archive/zip"
	"bytes"
	"encoding/json"
	"fmt"
	"mime/multipart"
	"net/http"
	"net/http/httptest"
	"slices"
	"strings"
	"testing"
	"time"

	"lectern/functions/local/service/servicetest"
)

// part is a part of a form; file is its file name, empty for a value.
type part struct{ name, file, content string }

type receipt struct {
	Data []struct {
		Artifact string
		Metadata map[string]any `json:"doc_metadata"`
	}
	Errors []struct {
		Artifact string
		File     string `json:"file_name"`
		Code     string `json:"error_code"`
		Message  string
	}
	Detail any
}

func sendForm(t *testing.T, h http.Handler, path string, parts ...part) *httptest.ResponseRecorder {
	t.Helper()
	var body bytes.Buffer
	form := multipart.NewWriter(&body)
	for _, p := range parts {
		disposition := fmt.Sprintf("form-data; name=%q", p.name)
		if p.file != "" {
			disposition += fmt.Sprintf("; filename=%q", p.file)
		}
		w, err := form.CreatePart(map[string][]string{"Content-Disposition": {disposition}})
		if err != nil {
			t.Fatal(err)
		}
		if _, err := w.Write([]byte(p.content)); err != nil {
			t.Fatal(err)
		}
	}
	if err := form.Close(); err != nil {
		t.Fatal(err)
	}
	r := httptest.NewRequest("POST", path, &body)
	r.Header.Set("Content-Type", form.FormDataContentType())
	w := httptest.NewRecorder()
	h.ServeHTTP(w, r)
	return w
}

func upload(t *testing.T, h http.Handler, parts ...part) (int, receipt) {
	t.Helper()
	w := sendForm(t, h, "/v1/artifacts/ingest", parts...)
	var out receipt
	if err := json.Unmarshal(w.Body.Bytes(), &out); err != nil {
		t.Fatalf("%v in %s", err, w.Body)
	}
	return w.Code, out
}

func zipOf(t *testing.T, files ...string) string {
	t.Helper()
	var out bytes.Buffer
	z := zip.NewWriter(&out)
	for i := 0; i < len(files); i += 2 {
		w, err := z.Create(files[i])
		if err != nil {
			t.Fatal(err)
		}
		if _, err := w.Write([]byte(files[i+1])); err != nil {
			t.Fatal(err)
		}
	}
	if err := z.Close(); err != nil {
		t.Fatal(err)
	}
	return out.String()
}

func (r *receipt) names() (kept, failed []string) {
	for _, d := range r.Data {
		kept = append(kept, d.Artifact)
	}
	for _, e := range r.Errors {
		failed = append(failed, e.File+" "+e.Code)
	}
	return kept, failed
}

// TestUpload: files of a form are ingested under their names, those of a zip under
// their paths in it, and one that cannot be read does not keep out the others.
func TestUpload(t *testing.T) {
	h := servicetest.Handler(t)
	small := zipOf(t, "b/c.md", "# Robins\n\nThey sing.", "b/", "", "__MACOSX/b/._c.md", "x", "d.txt", "Wrens.", "../e.txt", "Out.")
	for _, tc := range []struct {
		name         string
		parts        []part
		kept, failed []string
	}{
		{"one file", []part{{"file", "a.txt", "Robins sing."}}, []string{"a.txt"}, nil},
		{"under a name", []part{{"file", "a.txt", "Robins sing."}, {"artifact", "", "birds"}, {"collection", "", "c"}}, []string{"birds"}, nil},
		{"of no known type", []part{{"file", "NOTES", "Robins sing."}}, []string{"NOTES"}, nil},
		{"two files", []part{{"file", "a.txt", "Robins sing."}, {"file[]", `b\c.txt`, "Wrens."}}, []string{"a.txt", "b/c.txt"}, nil},
		{"one of them broken", []part{{"file", "a.txt", "Robins sing."}, {"files", "b.pdf", "%PDF-1.4"}, {"file", "a.txt", "twice"}}, []string{"a.txt"},
			[]string{"b.pdf malformed_file", "a.txt value_error"}},
		{"a zip", []part{{"file", "x.zip", small}}, []string{"b/c.md", "d.txt", "e.txt"}, nil},
		{"a zip beside", []part{{"file", "x.zip", small}, {"file", "z.txt", "Tits."}, {"file", "y.zip", "PK\x03\x04 damaged"}},
			[]string{"b/c.md", "d.txt", "e.txt", "z.txt"}, []string{"y.zip malformed_file"}},
		{"a zip in a zip", []part{{"file", "x.zip", zipOf(t, "a.txt", "Robins.", "y.zip", small)}}, []string{"a.txt"}, []string{"y.zip unsupported_extension"}},
		{"a bomb", []part{{"file", "x.zip", zipOf(t, "a.txt", "Robins.", "b.txt", strings.Repeat("a", 40<<20))}}, []string{"a.txt"},
			[]string{"b.txt too_large"}},
	} {
		status, got := upload(t, h, tc.parts...)
		kept, failed := got.names()
		if status != http.StatusOK || !slices.Equal(kept, tc.kept) || !slices.Equal(failed, tc.failed) {
			t.Errorf("%s: %d %q, failed %q; want %q and %q: %v", tc.name, status, kept, failed, tc.kept, tc.failed, got.Detail)
		}
	}
	for _, tc := range []struct {
		name  string
		parts []part
		want  string
	}{
		{"no file", []part{{"collection", "", "c"}}, "form file"},
		{"an unknown part", []part{{"fiel", "a.txt", "x"}}, "form fiel"},
		{"an unknown field", []part{{"file", "a.txt", "x"}, {"collectoin", "", "c"}}, "form collectoin"},
		{"a file that is unfit", []part{{"file", "a.pdf", "%PDF-1.4"}}, "form file"},
		{"an empty file", []part{{"file", "a.txt", ""}}, "form file"},
		{"all are unfit", []part{{"file", "a.pdf", "%PDF-1.4"}, {"file", "b.exe", "MZ"}}, "form file 0; form file 1"},
		{"an empty zip", []part{{"file", "a.zip", zipOf(t, "b/", "")}}, "form file"},
		{"one name for two", []part{{"file", "a.txt", "x"}, {"file", "b.txt", "y"}, {"artifact", "", "n"}}, "form artifact"},
		{"metadata of another kind", []part{{"file", "a.txt", "x"}, {"metadata", "", "[1]"}}, "form metadata"},
		{"a collection without a name", []part{{"file", "a.txt", "x"}, {"collection", "", ""}}, "form collection"},
		{"a name that is too long", []part{{"file", "a.txt", "x"}, {"artifact", "", strings.Repeat("n", 256)}}, "form artifact"},
		{"a control character", []part{{"file", "a.txt", "x"}, {"artifact", "", "a\x01"}}, "form artifact"},
	} {
		status, got := upload(t, h, tc.parts...)
		var places []string
		list, _ := got.Detail.([]any)
		for _, p := range list {
			places = append(places, strings.Trim(fmt.Sprint(p.(map[string]any)["loc"]), "[]"))
		}
		if place := strings.Join(places, "; "); status != http.StatusUnprocessableEntity || place != tc.want {
			t.Errorf("%s: %d at %q, want 422 at %q: %v", tc.name, status, place, tc.want, got.Detail)
		}
	}
}

// TestUploadWhere: the collection of a form may stand in the address.
func TestUploadWhere(t *testing.T) {
	h := servicetest.Handler(t)
	for path, want := range map[string]int{"?collection=office": http.StatusOK, "?collection=": http.StatusUnprocessableEntity} {
		if w := sendForm(t, h, "/v1/artifacts/ingest"+path, part{"file", "a.txt", "Robins sing."}); w.Code != want {
			t.Errorf("a form to %s is answered %d, want %d: %s", path, w.Code, want, w.Body)
		}
	}
	w := httptest.NewRecorder()
	h.ServeHTTP(w, httptest.NewRequest("GET", "/v1/artifacts/list?collection=office", nil))
	if !strings.Contains(w.Body.String(), `"a.txt"`) {
		t.Errorf("the collection of the address has %s", w.Body)
	}
}

// TestUploadLater: a file of a form is ingested as a task, under the name that the form
// gives it; several files are refused.
func TestUploadLater(t *testing.T) {
	h := servicetest.Handler(t)
	const path = "/v1/artifacts/ingest/async"
	get := func(path string) string {
		w := httptest.NewRecorder()
		h.ServeHTTP(w, httptest.NewRequest("GET", path, nil))
		return w.Body.String()
	}
	for _, parts := range [][]part{{{"file", `b\c.txt`, "Wrens."}}, {{"file", "a.txt", "Robins sing."}, {"artifact", "", "birds"}, {"metadata", "", `{"year": 2024}`}}} {
		w := sendForm(t, h, path, parts...)
		var task struct {
			ID string `json:"task_id"`
		}
		if err := json.Unmarshal(w.Body.Bytes(), &task); err != nil || w.Code != http.StatusOK || task.ID == "" {
			t.Fatalf("%d %s %v", w.Code, w.Body, err)
		}
		status := ""
		for range 400 {
			if status = get(path + "/" + task.ID); strings.Contains(status, `"SUCCESS"`) || strings.Contains(status, `"FAILURE"`) {
				break
			}
			time.Sleep(10 * time.Millisecond)
		}
		if !strings.Contains(status, `"SUCCESS"`) {
			t.Errorf("%v: %s", parts, status)
		}
	}
	if list := get("/v1/artifacts/list"); !strings.Contains(list, `"artifact":"birds"`) || !strings.Contains(list, `"year":2024`) ||
		!strings.Contains(list, `"file_name":"a.txt"`) || !strings.Contains(list, `"file_name":"c.txt"`) || !strings.Contains(list, `"artifact":"b/c.txt"`) {
		t.Errorf("the documents are %s", list)
	}
	w := sendForm(t, h, path, part{"file", "a.txt", "Robins."}, part{"file", "b.txt", "Wrens."})
	if w.Code != http.StatusUnprocessableEntity || !strings.Contains(w.Body.String(), "one file") {
		t.Errorf("two files: %d %s", w.Code, w.Body)
	}
}
