package rest

import (
	"bytes"
	"errors"
	"io"
	"mime"
	"mime/multipart"
	"net/http"
	"net/url"

	"lectern/shared/fault"
)

// maxParts bounds the parts of a form.
const maxParts = 2000

// Form is a decoded form: its values, and its files in order.
type Form struct {
	Values url.Values
	Files  []FormFile
}

// FormFile is a file of a form.
type FormFile struct {
	Field string
	// Name is the file name as the client sent it, folders included. It is
	// untrusted and must not be opened as a path.
	Name string
	Data []byte
}

// ReadForm reads a multipart or urlencoded body of at most limit bytes.
func ReadForm(w http.ResponseWriter, r *http.Request, limit int64) (*Form, error) {
	raw, err := ReadBody(w, r, limit)
	if err != nil {
		return nil, err
	}
	return ParseForm(r.Header.Get("Content-Type"), raw)
}

// ParseForm decodes a form of the given content type. A form that cannot be
// parsed is Malformed. The files share the body's memory where possible.
func ParseForm(contentType string, body []byte) (*Form, error) {
	kind, params, err := mime.ParseMediaType(contentType)
	if err != nil {
		return nil, fault.Wrap(err, fault.Malformed, "the body should be multipart/form-data")
	}
	switch kind {
	case "application/x-www-form-urlencoded":
		values, err := url.ParseQuery(string(body))
		if err != nil {
			return nil, fault.Wrap(err, fault.Malformed, "the form cannot be parsed")
		}
		return &Form{Values: values}, nil
	case "multipart/form-data":
		// multipart.Reader accepts a body truncated between parts, so check its end.
		if end := "--" + params["boundary"] + "--"; end == "----" || !bytes.Contains(body, []byte(end)) {
			return nil, fault.New(fault.Malformed, "the multipart body does not end with its boundary")
		}
		return parseParts(multipart.NewReader(bytes.NewReader(body), params["boundary"]))
	}
	return nil, fault.New(fault.Malformed, "the body should be multipart/form-data, not %s", kind)
}

func parseParts(parts *multipart.Reader) (*Form, error) {
	form := &Form{Values: url.Values{}}
	for n := 0; ; n++ {
		part, err := parts.NextPart()
		if errors.Is(err, io.EOF) {
			return form, nil
		}
		if err != nil {
			return nil, fault.Wrap(err, fault.Malformed, "the multipart body cannot be parsed")
		}
		if n == maxParts {
			return nil, fault.New(fault.TooLarge, "the form has over %d parts", maxParts)
		}
		// Part.FileName drops folders, so the header is read here.
		_, params, err := mime.ParseMediaType(part.Header.Get("Content-Disposition"))
		if err != nil || params["name"] == "" {
			return nil, fault.New(fault.Malformed, "a part of the form has no name")
		}
		data, err := io.ReadAll(part)
		if err != nil {
			return nil, fault.Wrap(err, fault.Malformed, "the multipart body ended early")
		}
		if name, isFile := params["filename"]; isFile {
			form.Files = append(form.Files, FormFile{params["name"], name, data})
		} else {
			form.Values.Add(params["name"], string(data))
		}
	}
}
