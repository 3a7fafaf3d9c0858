package cli

import (
	"bytes"
	"context"
	"encoding/json"
	"fmt"
	"io"
	"mime/multipart"
	"net/http"
	"net/url"
	"strings"
)

// api calls a service.
type api struct{ url, key string }

func (o *options) api() (*api, error) {
	u, err := url.Parse(o.url)
	if err != nil || u.Scheme != "http" && u.Scheme != "https" || u.Host == "" {
		return nil, fmt.Errorf("--url %q is no address such as http://127.0.0.1:8080", o.url)
	}
	return &api{strings.TrimSuffix(o.url, "/"), o.key}, nil
}

// problem is an answer that is no success.
type problem struct {
	status int
	text   string
}

func (p *problem) Error() string { return p.text }

// do sends a request and decodes the answer into out; into a *[]byte as it is.
func (a *api) do(ctx context.Context, method, path, contentType string, body []byte, out any) error {
	req, err := http.NewRequestWithContext(ctx, method, a.url+path, bytes.NewReader(body))
	if err != nil {
		return err
	}
	if contentType != "" {
		req.Header.Set("Content-Type", contentType)
	}
	if a.key != "" {
		req.Header.Set("Authorization", "Bearer "+a.key)
	}
	resp, err := http.DefaultClient.Do(req)
	if err != nil {
		return fmt.Errorf("the service at %s cannot be reached: %w", a.url, err)
	}
	defer resp.Body.Close()
	raw, err := io.ReadAll(resp.Body)
	if err != nil {
		return err
	}
	if resp.StatusCode/100 != 2 {
		var said struct{ Error struct{ Message string } }
		if json.Unmarshal(raw, &said) != nil || said.Error.Message == "" {
			said.Error.Message = "the service answers " + resp.Status
		}
		return &problem{resp.StatusCode, said.Error.Message}
	}
	if out == nil {
		return nil
	}
	if plain, ok := out.(*[]byte); ok {
		*plain = raw
		return nil
	}
	return json.Unmarshal(raw, out)
}

func (a *api) post(ctx context.Context, path string, in, out any) error {
	raw, err := json.Marshal(in)
	if err != nil {
		return err
	}
	return a.do(ctx, http.MethodPost, path, "application/json", raw, out)
}

// document is a stored document as lists show it.
type document struct {
	Artifact string         `json:"artifact"`
	Metadata map[string]any `json:"doc_metadata"`
}

// failure is a file of several that could not be ingested.
type failure struct {
	File    string `json:"file_name"`
	Message string `json:"message"`
}

// upload ingests a file under a name.
func (a *api) upload(ctx context.Context, collection, name, file string, data []byte, metadata map[string]any) (
	docs []document, failures []failure, err error,
) {
	var body bytes.Buffer
	form := multipart.NewWriter(&body)
	fields := map[string]string{"collection": collection, "artifact": name}
	if len(metadata) > 0 {
		raw, err := json.Marshal(metadata)
		if err != nil {
			return nil, nil, err
		}
		fields["metadata"] = string(raw)
	}
	for field, value := range fields {
		if value == "" {
			continue
		}
		if err := form.WriteField(field, value); err != nil {
			return nil, nil, err
		}
	}
	part, err := form.CreateFormFile("file", file)
	if err == nil {
		_, err = part.Write(data)
	}
	if err == nil {
		err = form.Close()
	}
	if err != nil {
		return nil, nil, err
	}
	var out struct {
		Data   []document `json:"data"`
		Errors []failure  `json:"errors"`
	}
	err = a.do(ctx, http.MethodPost, "/v1/artifacts/ingest", form.FormDataContentType(), body.Bytes(), &out)
	return out.Data, out.Errors, err
}

// listed is how many documents a page of a list has.
const listed = 1000

// documents returns the documents of a collection; none where it does not exist.
func (a *api) documents(ctx context.Context, collection string) (map[string]document, error) {
	all := map[string]document{}
	after := ""
	for {
		q := url.Values{"collection": {collection}, "limit": {fmt.Sprint(listed)}}
		if after != "" {
			q.Set("after", after)
		}
		var page struct{ Data []document }
		if err := a.do(ctx, http.MethodGet, "/v1/artifacts/list?"+q.Encode(), "", nil, &page); err != nil {
			return nil, err
		}
		for _, d := range page.Data {
			all[d.Artifact] = d
			after = d.Artifact
		}
		if len(page.Data) < listed {
			return all, nil
		}
	}
}
