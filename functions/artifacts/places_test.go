package artifacts_test

import (
	"encoding/json"
	"fmt"
	"net/http"
	"net/http/httptest"
	"net/url"
	"strings"
	"testing"
	"unicode/utf16"

	"lectern/functions/local/service/servicetest"
)

type places struct {
	Unit, Origin, Reason string
	Data                 []struct {
		Page          int
		Width, Height float64
		Rects         []struct{ X0, Y0, X1, Y1 float64 }
	}
}

// TestPlaces: the words of the stored text are found in the PDF that it was read
// from, inside the page, lines from top to bottom; what is not certain has no place.
func TestPlaces(t *testing.T) {
	h := servicetest.Handler(t)
	var kept object
	post(t, h, "/v1/artifacts/ingest", object{"artifact": "lamps", "input": lamps(t, "pdf"), "metadata": object{"file_name": "lamps.pdf"}}, &kept)
	post(t, h, "/v1/artifacts/ingest", object{"artifact": "page", "input": lamps(t, "html"), "metadata": object{"file_name": "lamps.html"}}, &kept)
	var stored struct{ Data []struct{ Content string } }
	post(t, h, "/v1/artifacts/content", object{"context_filter": object{"artifacts": []string{"lamps"}}}, &stored)
	text := stored.Data[0].Content
	get := func(artifact string, start, end int) (int, places) {
		w := httptest.NewRecorder()
		q := url.Values{"artifact": {artifact}, "start": {fmt.Sprint(start)}, "end": {fmt.Sprint(end)}}
		h.ServeHTTP(w, httptest.NewRequest("GET", "/v1/artifacts/places?"+q.Encode(), nil))
		var out places
		if err := json.Unmarshal(w.Body.Bytes(), &out); err != nil {
			t.Fatalf("%v in %s", err, w.Body)
		}
		return w.Code, out
	}
	found, lines := 0, 0
	at := 0
	for line := range strings.Lines(text) {
		from := len(utf16.Encode([]rune(text[:at])))
		at += len(line)
		if strings.TrimSpace(strings.Trim(line, "|-: \n")) == "" {
			continue
		}
		lines++
		status, p := get("lamps", from, from+len(utf16.Encode([]rune(strings.TrimRight(line, "\n")))))
		if status != http.StatusOK || len(p.Data) == 0 && p.Reason == "" {
			t.Errorf("%q: %d %+v", line, status, p)
		}
		for _, page := range p.Data {
			for _, r := range page.Rects {
				if r.X0 < 0 || r.X1 > page.Width || r.X0 >= r.X1 || r.Y0 < 0 || r.Y1 > page.Height || r.Y0 >= r.Y1 || page.Page < 1 {
					t.Errorf("%q: %+v lies outside of its page", line, r)
				}
			}
		}
		if len(p.Data) > 0 {
			found++
		} else {
			t.Logf("%q: %s", line, p.Reason)
		}
	}
	if found*10 < lines*9 {
		t.Errorf("%d of %d lines are found", found, lines)
	}
	if _, p := get("page", 0, 5); len(p.Data) != 0 || p.Reason == "" {
		t.Errorf("a page of the web has places: %+v", p)
	}
	for _, bad := range [][2]int{{5, 5}, {9, 3}, {0, 1 << 30}, {-1, 4}} {
		if status, _ := get("lamps", bad[0], bad[1]); status != http.StatusUnprocessableEntity {
			t.Errorf("the span %v gives %d, want 422", bad, status)
		}
	}
	if status, _ := get("absent", 0, 5); status != http.StatusNotFound {
		t.Errorf("an unknown artifact gives %d, want 404", status)
	}
}
