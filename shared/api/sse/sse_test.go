package sse_test

import (
	"io"
	"net/http/httptest"
	"strings"
	"testing"
	"testing/iotest"

	"github.com/google/go-cmp/cmp"

	"lectern/shared/api/sse"
)

type event struct{ Name, ID, Data string }

func read(t *testing.T, r io.Reader) []event {
	t.Helper()
	var out []event
	for reader := sse.NewReader(r); ; {
		e, err := reader.Next()
		if err == io.EOF {
			return out
		}
		if err != nil {
			t.Fatal(err)
		}
		out = append(out, event{e.Name, e.ID, string(e.Data)})
	}
}

func TestReader(t *testing.T) {
	tests := []struct {
		name, text string
		want       []event
	}{
		{"plain", "event: a\ndata: 1\n\ndata: 2\n\n", []event{{"a", "", "1"}, {"", "", "2"}}},
		{"line ends", "data: 1\r\n\r\ndata: 2\r\rdata: 3\n\n", []event{{"", "", "1"}, {"", "", "2"}, {"", "", "3"}}},
		{"several data lines", "data: a\ndata:b\ndata:  c\n\n", []event{{"", "", "a\nb\n c"}}},
		{"comments, ids, unknown fields", ": hi\nid: 7\nretry: 5\nfoo: bar\ndata: x\n\n", []event{{"", "7", "x"}}},
		{"no data is no event", "event: a\n\ndata: x\n\n", []event{{"", "", "x"}}},
		{"an unfinished event is dropped", "data: x\n\ndata: y", []event{{"", "", "x"}}},
		{"nothing", "", nil},
	}
	for _, tc := range tests {
		if diff := cmp.Diff(tc.want, read(t, strings.NewReader(tc.text))); diff != "" {
			t.Errorf("%s (-want +got):\n%s", tc.name, diff)
		}
		if diff := cmp.Diff(tc.want, read(t, iotest.OneByteReader(strings.NewReader(tc.text)))); diff != "" {
			t.Errorf("%s, byte by byte (-want +got):\n%s", tc.name, diff)
		}
	}
}

func TestWriterIsReadBack(t *testing.T) {
	rec := httptest.NewRecorder()
	w := sse.NewWriter(rec)
	if err := w.Event("a", 0, []byte(`{"x":1}`)); err != nil {
		t.Fatal(err)
	}
	if err := w.Send(sse.Append(sse.Append(nil, "b", 12, []byte("2")), "c", 13, []byte("3"))); err != nil {
		t.Fatal(err)
	}
	if diff := cmp.Diff([]event{{"a", "", `{"x":1}`}, {"b", "12", "2"}, {"c", "13", "3"}}, read(t, rec.Body)); diff != "" {
		t.Errorf("(-want +got):\n%s", diff)
	}
}

func FuzzReader(f *testing.F) {
	f.Add("event: a\ndata: 1\r\n\ndata:2\r\r")
	f.Fuzz(func(t *testing.T, text string) {
		whole := read(t, strings.NewReader(text))
		if diff := cmp.Diff(whole, read(t, iotest.OneByteReader(strings.NewReader(text)))); diff != "" {
			t.Fatalf("pieces read otherwise:\n%s", diff)
		}
	})
}
