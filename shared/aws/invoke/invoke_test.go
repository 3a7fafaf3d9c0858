package invoke_test

import (
	"bytes"
	"context"
	"encoding/json"
	"errors"
	"fmt"
	"io"
	"log/slog"
	"net/http"
	"net/http/httptest"
	"strings"
	"testing"

	"github.com/aws/aws-sdk-go-v2/aws"
	"github.com/aws/aws-sdk-go-v2/credentials"
	"github.com/google/go-cmp/cmp"

	"lectern/shared/auth"
	"lectern/shared/aws/invoke"
	"lectern/shared/chat/tool"
	"lectern/shared/chat/tool/invoketool"
	"lectern/shared/fault"
	"lectern/shared/ident"
	"lectern/shared/knowledge/reader/invokereader"
	"lectern/shared/message"
	"lectern/shared/message/passage"
	"lectern/shared/storage/object"
	"lectern/shared/storage/object/diskobject"
	"lectern/shared/storage/seal/fileseal"
	"lectern/shared/text/document"
)

// deployment is a function behind a stand-in for Lambda, and its caller. left
// lists what lies in the object store.
func deployment(t *testing.T, operations map[string]invoke.Operation) (c *invoke.Caller, left func() []string) {
	t.Helper()
	objects, err := diskobject.Open(t.TempDir(), diskobject.Options{})
	if err != nil {
		t.Fatal(err)
	}
	t.Cleanup(func() { objects.Close() })
	sealer, err := fileseal.New(make([]byte, 32))
	if err != nil {
		t.Fatal(err)
	}
	server := &invoke.Server{Operations: operations, Objects: objects, Sealer: sealer, IDs: &ident.Counting{}}
	h := httptest.NewServer(http.HandlerFunc(func(w http.ResponseWriter, r *http.Request) {
		raw, err := io.ReadAll(r.Body)
		if err != nil || len(raw) > 6<<20 || r.URL.Path != "/2015-03-31/functions/reader/invocations" || r.Header.Get("Authorization") == "" {
			t.Errorf("asked %s with %d bytes, %v", r.URL.Path, len(raw), err)
		}
		out, err := server.Handle(r.Context(), raw)
		if err != nil {
			w.Header().Set("X-Amz-Function-Error", "Unhandled")
			fmt.Fprintf(w, `{"errorMessage":%q}`, err)
			return
		}
		if err := json.NewEncoder(w).Encode(out); err != nil {
			t.Error(err)
		}
	}))
	t.Cleanup(h.Close)
	cfg := aws.Config{Region: "us-east-1", BaseEndpoint: &h.URL, Credentials: credentials.NewStaticCredentialsProvider("id", "secret", "")}
	return invoke.Open(cfg, "reader", spy{objects, t}, sealer, &ident.Counting{}), func() []string {
		infos, _, err := objects.List(t.Context(), "", "", 0)
		if err != nil {
			t.Fatal(err)
		}
		var keys []string
		for _, i := range infos {
			keys = append(keys, i.Key)
		}
		return keys
	}
}

// spy sees that nothing is stored as it is.
type spy struct {
	object.Store
	t *testing.T
}

func (s spy) Put(ctx context.Context, key string, body io.Reader, o object.PutOptions) (object.Info, error) {
	raw, err := io.ReadAll(body)
	if err != nil {
		return object.Info{}, err
	}
	if bytes.Contains(raw, []byte("a.txt")) {
		s.t.Errorf("%s lies in clear", key)
	}
	return s.Store.Put(ctx, key, bytes.NewReader(raw), o)
}

type local struct{ t *testing.T }

func (l local) ReadBytes(ctx context.Context, name, mediaType string, data []byte) (*document.Document, error) {
	switch name {
	case "bad.pdf":
		return nil, fault.Wrap(errors.New("private"), fault.Invalid, "the file is damaged")
	case "problem.pdf":
		return nil, fault.Field("encrypted_file", "the file is encrypted", "body", "input", 0)
	case "broken.pdf":
		return nil, errors.New("a bug")
	}
	if got := auth.From(ctx).Collections; len(got) != 1 || got[0] != "mine" {
		l.t.Errorf("read for collections %v, want the asker's", got)
	}
	var b document.Builder
	b.Heading(1, name+" "+mediaType)
	b.Paragraph(string(data))
	return b.Document(), nil
}

func (l local) ReadURL(ctx context.Context, url string) (*document.Document, error) {
	return l.ReadBytes(ctx, url, "", nil)
}

func TestReader(t *testing.T) {
	c, left := deployment(t, invokereader.Operations(local{t}))
	r := &invokereader.Reader{Caller: c}
	ctx := auth.With(t.Context(), auth.Principal{Collections: []string{"mine"}})
	for name, size := range map[string]int{"small": 10, "large": 6 << 20} {
		data := []byte(strings.Repeat("word ", size/5))
		want, err := local{t}.ReadBytes(ctx, "a.txt", "text/plain", data)
		if err != nil {
			t.Fatal(err)
		}
		got, err := r.ReadBytes(ctx, "a.txt", "text/plain", data)
		if err != nil {
			t.Fatalf("%s: %v", name, err)
		}
		if diff := cmp.Diff(want, got); diff != "" {
			t.Errorf("%s (-want +got):\n%.500s", name, diff)
		}
	}
	if got, err := r.ReadURL(ctx, "https://example.com/a"); err != nil || !strings.Contains(got.Text, "example.com") {
		t.Errorf("ReadURL = %v, %v", got, err)
	}
	if keys := left(); len(keys) > 0 {
		t.Errorf("left in the object store: %v", keys)
	}
}

func TestFaults(t *testing.T) {
	c, _ := deployment(t, invokereader.Operations(local{t}))
	r := &invokereader.Reader{Caller: c}
	_, err := r.ReadBytes(t.Context(), "bad.pdf", "", nil)
	if f := fault.As(err); f == nil || f.Code != fault.Invalid || f.Msg != "the file is damaged" || strings.Contains(err.Error(), "private") {
		t.Errorf("a refusal came back as %v", err)
	}
	_, err = r.ReadBytes(t.Context(), "problem.pdf", "", nil)
	if f := fault.As(err); f == nil || len(f.Problems) != 1 || f.Problems[0].Type != "encrypted_file" || len(f.Problems[0].Loc) != 3 {
		t.Errorf("a problem came back as %+v", f)
	}
	if _, err = r.ReadBytes(t.Context(), "broken.pdf", "", nil); err == nil || fault.CodeOf(err) != fault.Internal {
		t.Errorf("a bug came back as %v", err)
	}
}

// TestLimits: a function that is busy is asked once, and the asker is told to
// come again.
func TestLimits(t *testing.T) {
	asked := 0
	h := httptest.NewServer(http.HandlerFunc(func(w http.ResponseWriter, _ *http.Request) {
		asked++
		w.WriteHeader(http.StatusTooManyRequests)
	}))
	defer h.Close()
	cfg := aws.Config{Region: "us-east-1", BaseEndpoint: &h.URL, Credentials: credentials.NewStaticCredentialsProvider("id", "secret", "")}
	err := invoke.Open(cfg, "reader", nil, nil, &ident.Counting{}).Call(t.Context(), "read", "x", nil)
	if fault.CodeOf(err) != fault.Overloaded || asked != 1 {
		t.Errorf("Call = %v after %d questions, want Overloaded after 1", err, asked)
	}
}

type echo struct{}

func (echo) Type() string { return "echo_v1" }

func (echo) Describe() tool.Description {
	return tool.Description{Description: "says it again", InputSchema: message.Object(`{"type":"object"}`), Instructions: "be brief"}
}

func (echo) Check(_ context.Context, spec tool.Spec) error {
	if len(spec.Context) == 0 {
		return fault.Field("missing", "it needs a context", "context")
	}
	return nil
}

func (echo) Run(_ context.Context, call tool.Call) (tool.Result, error) {
	return tool.Result{
		Content: message.Content{message.NewText(string(call.Input)), &message.Binary{Filename: "a.csv",
			Source: &message.Source{Type: "base64", MediaType: "text/csv", Data: "YQ=="}}},
		Material: []passage.Passage{{Key: "k", Text: call.Context[0].ConnectionString, Score: .5}}, Nothing: true,
	}, nil
}

func TestTool(t *testing.T) {
	c, _ := deployment(t, invoketool.Operations(tool.NewSet(echo{})))
	remote := &invoketool.Tool{Kind: "echo_v1", Caller: c, Log: slog.New(slog.DiscardHandler)}
	if diff := cmp.Diff(echo{}.Describe(), remote.Describe()); diff != "" {
		t.Errorf("description (-want +got):\n%s", diff)
	}
	spec := tool.Spec{Name: "e", Context: []message.ContextItem{{Type: "sql_database", ConnectionString: "postgres://u:p@h/d", Schemas: []string{"s"}}}}
	if err := remote.Check(t.Context(), spec); err != nil {
		t.Errorf("Check = %v", err)
	}
	if f := fault.As(remote.Check(t.Context(), tool.Spec{})); f == nil || len(f.Problems) != 1 {
		t.Errorf("Check without a context = %v", f)
	}
	call := tool.Call{Spec: spec, Input: message.Object(`{"q":"ü"}`), Cite: true}
	want, err := echo{}.Run(t.Context(), call)
	if err != nil {
		t.Fatal(err)
	}
	got, err := remote.Run(t.Context(), call)
	if err != nil {
		t.Fatal(err)
	}
	if diff := cmp.Diff(want, got); diff != "" {
		t.Errorf("result (-want +got):\n%s", diff)
	}
	if _, err := (&invoketool.Tool{Kind: "other_v1", Caller: c, Log: slog.New(slog.DiscardHandler)}).Run(t.Context(),
		call); fault.CodeOf(err) != fault.Unsupported {
		t.Errorf("a tool that is not there: %v", err)
	}
}
