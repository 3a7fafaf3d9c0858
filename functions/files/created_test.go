package files_test

import (
	"encoding/json"
	"net/url"
	"os"
	"strings"
	"testing"

	"lectern/functions/files"
	"lectern/functions/local/service/servicetest"
	"lectern/shared/fault"
	"lectern/shared/file"
	"lectern/shared/storage/object"
)

// TestCreated: the bucket's event about an upload makes a file of it, and does
// so once; other events change nothing or say what is wrong.
func TestCreated(t *testing.T) {
	s := servicetest.Open(t, nil)
	d := files.Deps{Files: s.Files}
	signed, err := s.Files.Sign(t.Context(), &file.UploadBody{FileName: "a.txt", SizeBytes: 5, Namespace: "session", Scope: "s"})
	if err != nil {
		t.Fatal(err)
	}
	u, err := url.Parse(signed.URL)
	if err != nil {
		t.Fatal(err)
	}
	key := u.Path[strings.Index(u.Path, "files/"):]
	if _, err := s.Files.Objects.Put(t.Context(), key, strings.NewReader("hello"), object.PutOptions{Size: 5}); err != nil {
		t.Fatal(err)
	}
	place := file.Place{Namespace: "session", Scope: "s"}
	if _, _, err := s.Files.Read(t.Context(), place, "uploads/a.txt", 10); !fault.Is(err, fault.NotFound) {
		t.Fatalf("the upload is a file before anybody was told: %v", err)
	}
	sample, err := os.ReadFile("../../events/s3-object-created.json")
	if err != nil {
		t.Fatal(err)
	}
	event := func(key string) json.RawMessage {
		return json.RawMessage(strings.Replace(string(sample), "KEY", key, 1))
	}
	for range 2 {
		if _, err := d.Created(t.Context(), event(key)); err != nil {
			t.Fatal(err)
		}
		if _, data, err := s.Files.Read(t.Context(), place, "uploads/a.txt", 10); err != nil || string(data) != "hello" {
			t.Errorf("the upload is a file of %q, %v", data, err)
		}
	}
	if _, err := d.Created(t.Context(), event("files/a/b/up0")); err != nil {
		t.Errorf("an object of no upload: %v", err)
	}
	for _, bad := range []string{"", "{", `{"detail":{}}`} {
		if _, err := d.Created(t.Context(), json.RawMessage(bad)); err == nil {
			t.Errorf("the event %q is taken", bad)
		}
	}
}
