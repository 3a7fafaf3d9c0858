package rest_test

import (
	"bytes"
	"mime/multipart"
	"net/textproto"
	"net/url"
	"strings"
	"testing"

	"github.com/google/go-cmp/cmp"

	"lectern/shared/api/rest"
	"lectern/shared/fault"
)

func TestParseForm(t *testing.T) {
	body := strings.ReplaceAll("--x\nContent-Disposition: form-data; name=\"scope_id\"\n\ns1\n"+
		"--x\nContent-Disposition: form-data; name=\"files[]\"; filename=\"a/b/Über.md\"\nContent-Type: text/markdown\n\n# hi\n"+
		"--x\nContent-Disposition: form-data; name=\"file\"; filename=\"\"\n\n\n--x--\n", "\n", "\r\n")
	got, err := rest.ParseForm("multipart/form-data; boundary=x", []byte(body))
	want := &rest.Form{Values: url.Values{"scope_id": {"s1"}}, Files: []rest.FormFile{{"files[]", "a/b/Über.md", []byte("# hi")}, {"file", "", []byte{}}}}
	if diff := cmp.Diff(want, got); err != nil || diff != "" {
		t.Errorf("ParseForm: %v, -want +got\n%s", err, diff)
	}
	if got, err := rest.ParseForm("application/x-www-form-urlencoded", []byte("a=1&b=%2F")); err != nil || got.Values.Get("b") != "/" {
		t.Errorf("an urlencoded form gives %+v, %v", got, err)
	}
	for kind, body := range map[string]string{
		"": "x", "application/json": "{}", "multipart/form-data": body, "multipart/form-data; boundary=y": body,
		"multipart/form-data; boundary=x": body[:len(body)/2], "application/x-www-form-urlencoded": "%zz",
	} {
		if _, err := rest.ParseForm(kind, []byte(body)); !fault.Is(err, fault.Malformed) {
			t.Errorf("a form of type %q gives %v, want Malformed", kind, err)
		}
	}
	nameless := strings.ReplaceAll("--x\nContent-Disposition: form-data\n\ns1\n--x--\n", "\n", "\r\n")
	if _, err := rest.ParseForm("multipart/form-data; boundary=x", []byte(nameless)); !fault.Is(err, fault.Malformed) {
		t.Errorf("a part without a name gives %v, want Malformed", err)
	}
}

// FuzzParseForm: whatever comes is a form or a client's error, and what a
// writer wrote is read again.
func FuzzParseForm(f *testing.F) {
	f.Add("--x\r\nContent-Disposition: form-data; name=\"a\"; filename=\"b/c\"\r\n\r\nd\r\n--x--\r\n", "a/b", "data")
	f.Add("--x", "..\\x", "")
	f.Fuzz(func(t *testing.T, raw, name, data string) {
		if _, err := rest.ParseForm("multipart/form-data; boundary=x", []byte(raw)); err != nil && fault.CodeOf(err) == fault.Internal {
			t.Errorf("ParseForm(%q) = %v", raw, err)
		}
		if name == "" || strings.ContainsAny(name, "\"\\\r\n\x00") {
			return
		}
		var body bytes.Buffer
		w := multipart.NewWriter(&body)
		part, err := w.CreatePart(textproto.MIMEHeader{"Content-Disposition": {`form-data; name="file"; filename="` + name + `"`}})
		if err != nil {
			t.Fatal(err)
		}
		if _, err := part.Write([]byte(data)); err != nil || w.Close() != nil {
			t.Fatal(err)
		}
		form, err := rest.ParseForm(w.FormDataContentType(), body.Bytes())
		if err != nil && fault.CodeOf(err) == fault.Internal {
			t.Errorf("a file named %q gives %v", name, err)
		}
		if err == nil && len(form.Files) == 1 && string(form.Files[0].Data) != data {
			t.Errorf("data %q is read as %q", data, form.Files[0].Data)
		}
	})
}
