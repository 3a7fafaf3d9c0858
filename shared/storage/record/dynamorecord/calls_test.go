package dynamorecord_test

import (
	"encoding/json"
	"io"
	"net/http"
	"net/http/httptest"
	"strconv"
	"strings"
	"testing"
	"testing/synctest"

	"github.com/aws/aws-sdk-go-v2/aws"
	"github.com/aws/aws-sdk-go-v2/credentials"
	"github.com/google/go-cmp/cmp"

	"lectern/shared/fault"
	"lectern/shared/storage/record"
	"lectern/shared/storage/record/dynamorecord"
)

// scripted answers calls one by one; its last answer repeats.
type scripted struct {
	answers []string // status, a space, and the body
	asked   []string // operation, and the sort keys in the body
}

func (s *scripted) RoundTrip(r *http.Request) (*http.Response, error) {
	raw, err := io.ReadAll(r.Body)
	if err != nil {
		return nil, err
	}
	call := strings.TrimPrefix(r.Header.Get("X-Amz-Target"), "DynamoDB_20120810.")
	for part := range strings.SplitSeq(string(raw), `"sk":{"S":"`) {
		if key, _, ok := strings.Cut(part, `"`); ok && !strings.HasPrefix(part, "{") {
			call += " " + key
		}
	}
	code, body, _ := strings.Cut(s.answers[min(len(s.asked), len(s.answers)-1)], " ")
	s.asked = append(s.asked, call)
	status, err := strconv.Atoi(code)
	if err != nil {
		return nil, err
	}
	w := httptest.NewRecorder()
	w.WriteHeader(status)
	w.WriteString(body)
	return w.Result(), nil
}

func (s *scripted) open(t *testing.T) *dynamorecord.Store {
	t.Helper()
	cfg := aws.Config{Region: "us-east-1", Credentials: credentials.NewStaticCredentialsProvider("id", "secret", ""), HTTPClient: &http.Client{Transport: s}}
	store, err := dynamorecord.Open("dynamodb://table", cfg, dynamorecord.Options{})
	if err != nil {
		t.Fatal(err)
	}
	return store
}

func stored(keys ...string) string {
	var list []map[string]any
	for _, k := range keys {
		list = append(list, map[string]any{"pk": map[string]string{"S": "p"}, "sk": map[string]string{"S": k}, "ver": map[string]string{"S": "1"}})
	}
	raw, _ := json.Marshal(list)
	return string(raw)
}

func key(sort string) record.Key { return record.Key{Partition: "p", Sort: sort} }

// TestLeftOver: what a batch leaves over is asked for, or written, again, and
// nothing else.
func TestLeftOver(t *testing.T) {
	synctest.Test(t, func(t *testing.T) {
		s := &scripted{answers: []string{
			`200 {"Responses":{"table":` + stored("a") + `},"UnprocessedKeys":{"table":{"Keys":[{"pk":{"S":"p"},"sk":{"S":"b"}},{"pk":{"S":"p"},"sk":{"S":"c"}}],"ConsistentRead":true}}}`,
			`200 {"Responses":{"table":` + stored("b", "c") + `},"UnprocessedKeys":{}}`,
		}}
		items, err := s.open(t).FindMany(t.Context(), []record.Key{key("a"), key("b"), key("c")})
		if err != nil || len(items) != 3 {
			t.Errorf("FindMany = %v, %v; want three", items, err)
		}
		if diff := cmp.Diff([]string{"BatchGetItem a b c", "BatchGetItem b c"}, s.asked); diff != "" {
			t.Errorf("reads (-want +got):\n%s", diff)
		}
		s = &scripted{answers: []string{
			`200 {"UnprocessedItems":{"table":[{"PutRequest":{"Item":{"pk":{"S":"p"},"sk":{"S":"b"},"ver":{"S":"1"}}}}]}}`, `200 {"UnprocessedItems":{}}`,
		}}
		if err := s.open(t).PutMany(t.Context(), []record.Item{{Key: key("a")}, {Key: key("b")}}); err != nil {
			t.Error(err)
		}
		if diff := cmp.Diff([]string{"BatchWriteItem a b", "BatchWriteItem b"}, s.asked); diff != "" {
			t.Errorf("writes (-want +got):\n%s", diff)
		}
	})
}

// TestRefused: what is tried again, and what its end is.
func TestRefused(t *testing.T) {
	for name, test := range map[string]struct {
		answers []string
		want    fault.Code
		fails   bool
		asked   []string
	}{
		"throughput": {[]string{`400 {"__type":"com.amazonaws.dynamodb.v20120810#ProvisionedThroughputExceededException"}`, `500 {}`, `200 {}`}, 0, false, []string{"PutItem a", "PutItem a", "PutItem a"}},
		"mine":       {[]string{`400 {"__type":"com.amazonaws.dynamodb.v20120810#ConditionalCheckFailedException","Item":{"pk":{"S":"p"},"sk":{"S":"a"},"ver":{"S":"mine"}}}`}, 0, false, []string{"PutItem a"}},
		"another's":  {[]string{`400 {"__type":"com.amazonaws.dynamodb.v20120810#ConditionalCheckFailedException","Item":{"pk":{"S":"p"},"sk":{"S":"a"},"ver":{"S":"other"}}}`}, fault.Conflict, true, []string{"PutItem a"}},
		"not shown":  {[]string{`400 {"__type":"ConditionalCheckFailedException"}`, `200 {"Item":{"pk":{"S":"p"},"sk":{"S":"a"},"ver":{"S":"mine"}}}`}, 0, false, []string{"PutItem a", "GetItem a"}},
		"invalid":    {[]string{`400 {"__type":"com.amazon.coral.validate#ValidationException"}`}, fault.Internal, true, []string{"PutItem a"}},
		"no access":  {[]string{`400 {"__type":"AccessDeniedException"}`}, fault.Unavailable, true, []string{"PutItem a"}},
	} {
		synctest.Test(t, func(t *testing.T) {
			s := &scripted{answers: test.answers}
			err := s.open(t).Put(t.Context(), record.Item{Key: key("a"), Version: "mine"}, record.Absent())
			if (err != nil) != test.fails || test.fails && fault.CodeOf(err) != test.want {
				t.Errorf("%s: Put = %v, want failure %v with code %v", name, err, test.fails, test.want)
			}
			if diff := cmp.Diff(test.asked, s.asked); diff != "" {
				t.Errorf("%s: calls (-want +got):\n%s", name, diff)
			}
		})
	}
}
