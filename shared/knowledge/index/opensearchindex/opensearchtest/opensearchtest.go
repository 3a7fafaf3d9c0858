// Package opensearchtest opens indexes on the server that tests are given, a plain
// one or one that behaves as a serverless collection.
package opensearchtest

import (
	"bytes"
	"crypto/sha256"
	"encoding/hex"
	"fmt"
	"net/http"
	"net/url"
	"os"
	"testing"
	"time"

	"github.com/aws/aws-sdk-go-v2/aws"
	v4 "github.com/aws/aws-sdk-go-v2/aws/signer/v4"
	"github.com/aws/aws-sdk-go-v2/credentials"

	"lectern/shared/knowledge/index"
	"lectern/shared/knowledge/index/opensearchindex"
)

// Variable names the URL of an OpenSearch that tests may make indexes in; with
// ?service=aoss it is asked as a serverless collection, by the credentials of
// AWS_ACCESS_KEY_ID and AWS_SECRET_ACCESS_KEY.
const Variable = "LECTERN_TEST_OPENSEARCH"

// Server is a server to test against.
type Server struct {
	Address string
	Kind    opensearchindex.Server
	service string
	config  aws.Config
}

// Of returns the server that the environment names; the test is skipped where it
// names none.
func Of(t *testing.T) Server {
	t.Helper()
	raw := os.Getenv(Variable)
	if raw == "" {
		t.Skip(Variable + " names no OpenSearch to test against")
	}
	u, err := url.Parse(raw)
	if err != nil {
		t.Fatal(err)
	}
	s := Server{Address: u.Scheme + "://" + u.Host, service: u.Query().Get("service")}
	if s.service == "aoss" {
		s.Kind = opensearchindex.NextGen
	}
	s.config = aws.Config{Region: os.Getenv("AWS_REGION"),
		Credentials: credentials.NewStaticCredentialsProvider(os.Getenv("AWS_ACCESS_KEY_ID"), os.Getenv("AWS_SECRET_ACCESS_KEY"), "")}
	return s
}

// Options returns the options of a store on the server.
func (s Server) Options(name string, stamp index.Stamp) opensearchindex.Options {
	return opensearchindex.Options{Address: s.Address, Index: name, Stamp: stamp, Server: s.Kind, Service: s.service, AWS: s.config}
}

// Make makes an index that is deleted at the test's end, and returns its name. A
// server shows what it holds once in the refresh interval, such as "50ms"; a
// serverless collection when it likes.
func (s Server) Make(t *testing.T, prefix string, stamp index.Stamp, refresh string) string {
	t.Helper()
	name := fmt.Sprintf("%s-%d", opensearchindex.Name(prefix, stamp), time.Now().UnixNano())
	if s.Kind != opensearchindex.Domain {
		refresh = ""
	}
	s.ask(t, http.MethodPut, name, opensearchindex.Mapping(s.Kind, stamp, refresh))
	t.Cleanup(func() { s.ask(t, http.MethodDelete, name, nil) })
	return name
}

func (s Server) ask(t *testing.T, method, name string, body []byte) {
	t.Helper()
	r, err := http.NewRequest(method, s.Address+"/"+name, bytes.NewReader(body))
	if err != nil {
		t.Fatal(err)
	}
	r.Header.Set("Content-Type", "application/json")
	if s.service != "" {
		sum := sha256.Sum256(body)
		hash := hex.EncodeToString(sum[:])
		r.Header.Set("X-Amz-Content-Sha256", hash)
		keys, err := s.config.Credentials.Retrieve(r.Context())
		if err != nil {
			t.Fatal(err)
		}
		if err := v4.NewSigner().SignHTTP(r.Context(), keys, r, hash, s.service, s.config.Region, time.Now()); err != nil {
			t.Fatal(err)
		}
	}
	res, err := http.DefaultClient.Do(r)
	if err != nil {
		t.Fatal(err)
	}
	defer res.Body.Close()
	if res.StatusCode >= 300 {
		var text bytes.Buffer
		_, _ = text.ReadFrom(res.Body)
		t.Fatalf("%s %s = %d: %s", method, name, res.StatusCode, text.String())
	}
}
