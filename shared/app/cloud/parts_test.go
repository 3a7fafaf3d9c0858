package cloud_test

import (
	"encoding/json"
	"io"
	"net/http"
	"net/http/httptest"
	"strings"
	"testing"

	"lectern/shared/app"
	"lectern/shared/app/cloud"
)

// TestIndexOfAWS: the URL says what requests are signed for, and what the index
// is made of: a name of a host tells neither.
func TestIndexOfAWS(t *testing.T) {
	t.Setenv("AWS_REGION", "eu-west-1")
	t.Setenv("AWS_ACCESS_KEY_ID", "id")
	t.Setenv("AWS_SECRET_ACCESS_KEY", "secret")
	for parameters, want := range map[string]struct{ scope, field string }{
		"":                                 {"", `"method":{"engine":"lucene"`},
		"?service=es":                      {"/eu-west-1/es/aws4_request", `"method":{"engine":"lucene"`},
		"?service=aoss":                    {"/eu-west-1/aoss/aws4_request", `"dimension":384,"space_type":"cosinesimil","type":"knn_vector"`},
		"?service=aoss&generation=nextgen": {"/eu-west-1/aoss/aws4_request", `"dimension":384,"space_type":"cosinesimil","type":"knn_vector"`},
		"?service=aoss&generation=classic": {"/eu-west-1/aoss/aws4_request", `"method":{"engine":"faiss"`},
	} {
		var authority, made string
		server := httptest.NewServer(http.HandlerFunc(func(w http.ResponseWriter, r *http.Request) {
			authority = r.Header.Get("Authorization")
			if r.Method == http.MethodPut {
				raw, _ := io.ReadAll(r.Body)
				made = string(raw)
				return
			}
			if made == "" {
				w.WriteHeader(http.StatusNotFound)
				return
			}
			var body struct{ Mappings json.RawMessage }
			if err := json.Unmarshal([]byte(made), &body); err != nil {
				t.Error(err)
			}
			io.WriteString(w, `{"i":{"mappings":`+string(body.Mappings)+`}}`)
		}))
		p, err := opened("opensearch+" + server.URL + parameters)
		if err != nil {
			t.Fatal(err)
		}
		if err := p.Open(t.Context(), app.Embedder, cloud.Index); err != nil {
			t.Fatalf("%s: %v", parameters, err)
		}
		if err := cloud.CreateIndex(t.Context(), p); err != nil {
			t.Fatalf("%s: %v", parameters, err)
		}
		if !strings.Contains(authority, want.scope) || want.scope == "" && authority != "" || !strings.Contains(made, want.field) {
			t.Errorf("%s: signed as %q, made as %s; want %q and %s", parameters, authority, made, want.scope, want.field)
		}
		server.Close()
	}
}

func opened(index string) (*app.Process, error) {
	settings := map[string]string{"LECTERN_INDEX": index, "LECTERN_EMBEDDING": "openai+http://127.0.0.1:1/v1?model=m&dims=384"}
	return cloud.Unopened(func(name string) string { return settings[name] })
}

// TestIndexRefuses: what cannot be right is refused at the start, by name.
func TestIndexRefuses(t *testing.T) {
	for index, says := range map[string]string{
		"opensearch+https://x.aoss.us-east-1.on.aws":              "?service=",
		"opensearch+https://x.us-east-1.aoss.amazonaws.com":       "?service=",
		"opensearch+https://d.us-east-1.es.amazonaws.com":         "?service=",
		"opensearch+https://d.aos.us-east-1.on.aws":               "?service=",
		"opensearch+https://h?service=opensearch":                 `"opensearch"`,
		"opensearch+https://h?service=aoss&generation=first":      `"first"`,
		"opensearch+https://h?generation=classic":                 "service=aoss alone",
		"opensearch+https://me:pw@h?service=es":                   "a user or a service",
		"opensearch+https://h?services=aoss":                      `"services"`,
		"opensearch+https://d.us-east-1.es.amazonaws.com/?x=true": `"x"`,
	} {
		p, err := opened(index)
		if err != nil {
			t.Fatal(err)
		}
		err = p.Open(t.Context(), app.Embedder, cloud.Index)
		if err == nil || !strings.Contains(err.Error(), "LECTERN_INDEX") || !strings.Contains(err.Error(), says) {
			t.Errorf("%s: %v, want an error with %q", index, err, says)
		}
	}
}
