package schema_test

import (
	"encoding/json"
	"reflect"
	"strings"
	"testing"
	"time"

	"github.com/google/go-cmp/cmp"

	"lectern/shared/api/schema"
	"lectern/shared/fault"
)

type inner struct {
	Name  string   `json:"name" required:"true" minlen:"1" maxlen:"3"`
	Score *float64 `json:"score,omitempty" min:"0" max:"1"`
}

type outer struct {
	ID     int               `json:"id" required:"true" min:"1"`
	Kind   string            `json:"kind" default:"plain" enum:"plain,fancy"`
	Model  string            `json:"model" notnull:"true" default:"m"`
	On     bool              `json:"on,omitempty"`
	Items  []inner           `json:"items,omitempty" maxlen:"2"`
	One    *inner            `json:"one,omitempty"`
	Labels map[string]string `json:"labels,omitempty"`
	Any    any               `json:"any,omitempty"`
	Raw    json.RawMessage   `json:"raw,omitempty"`
	Alias  string            `json:"inputSchema,omitempty" alias:"input_schema"`
	At     *time.Time        `json:"at,omitempty"`
	Secret string            `json:"secret,omitempty" enum:"a" secret:"true"`
	Tree   *outer            `json:"tree,omitempty"`
}

func TestDecode(t *testing.T) {
	half := .5
	at := time.Date(2026, 1, 2, 3, 4, 5, 0, time.UTC)
	tests := []struct {
		name, text string
		want       outer
	}{
		{"defaults", `{"id":1}`, outer{ID: 1, Kind: "plain", Model: "m"}},
		{"null is absent", `{"id":1,"kind":null,"items":null,"one":null}`, outer{ID: 1, Kind: "plain", Model: "m"}},
		{"all", ` {"id":2.0,"kind":"fancy","on":true,"items":[{"name":"a","score":0.5}],"one":{"name":"b"},"labels":{"x":"y"},"any":[1,"2",null],"raw":{"k":[1, 2]},"input_schema":"s","at":"2026-01-02T03:04:05Z","unknown":{"deep":[{}]}} `,
			outer{ID: 2, Kind: "fancy", Model: "m", On: true, Items: []inner{{"a", &half}}, One: &inner{Name: "b"}, Labels: map[string]string{"x": "y"},
				Any: []any{1.0, "2", nil}, Raw: json.RawMessage(`{"k":[1, 2]}`), Alias: "s", At: &at}},
		{"escapes", `{"id":1,"model":"a\"\\\/\b\f\n\r\té😀"}`, outer{ID: 1, Kind: "plain", Model: "a\"\\/\b\f\n\r\té😀"}},
		{"lone surrogates", `{"id":1,"model":"\ud83dx\ude00"}`, outer{ID: 1, Kind: "plain", Model: "\uFFFDx\uFFFD"}},
		{"broken UTF-8", "{\"id\":1,\"model\":\"a\xffb\"}", outer{ID: 1, Kind: "plain", Model: "a\uFFFDb"}},
		{"escaped names", `{"\u0069d":1}`, outer{ID: 1, Kind: "plain", Model: "m"}},
		{"the last of equal names", `{"id":1,"id":3}`, outer{ID: 3, Kind: "plain", Model: "m"}},
		{"nested in itself", `{"id":1,"tree":{"id":2,"tree":{"id":3}}}`,
			outer{ID: 1, Kind: "plain", Model: "m", Tree: &outer{ID: 2, Kind: "plain", Model: "m", Tree: &outer{ID: 3, Kind: "plain", Model: "m"}}}},
	}
	for _, tc := range tests {
		var got outer
		if err := schema.Decode([]byte(tc.text), &got, "body"); err != nil {
			t.Errorf("%s: Decode = %v", tc.name, err)
		} else if diff := cmp.Diff(tc.want, got); diff != "" {
			t.Errorf("%s (-want +got):\n%s", tc.name, diff)
		}
	}
}

func TestDecodeReportsEverything(t *testing.T) {
	const text = `{"id":0,"kind":"x","model":null,"on":1,"items":[{},{"name":"long"},{"name":"a","score":2}],"labels":{"a":1},"at":"soon","secret":"hush"}`
	err := schema.Decode([]byte(text), &outer{}, "body")
	f := fault.As(err)
	if f == nil || f.Code != fault.Invalid {
		t.Fatalf("Decode = %v, want Invalid", err)
	}
	var got []string
	for _, p := range f.Problems {
		loc, _ := json.Marshal(p.Loc)
		got = append(got, p.Type+" "+string(loc))
		if strings.Contains(p.Msg, "hush") || p.Input == "hush" {
			t.Errorf("a secret is shown: %+v", p)
		}
	}
	want := []string{
		`greater_than_equal ["body","id"]`, `enum ["body","kind"]`, `string_type ["body","model"]`, `bool_type ["body","on"]`,
		`missing ["body","items",0,"name"]`, `string_too_long ["body","items",1,"name"]`, `less_than_equal ["body","items",2,"score"]`,
		`string_type ["body","labels","a"]`, `datetime_parsing ["body","at"]`, `enum ["body","secret"]`,
	}
	if diff := cmp.Diff(want, got); diff != "" {
		t.Errorf("problems (-want +got):\n%s", diff)
	}
}

func TestDecodeRefusesWhatIsNotJSON(t *testing.T) {
	bad := []string{``, ` `, `{`, `{"a"}`, `{"a":}`, `{"a":1,}`, `[1,]`, `[1 2]`, `nul`, `tru`, `01`, `1.`, `1e`, `-`, `"a`, `"\x"`, `"\u12g4"`, "\"\n\"",
		`{} {}`, `{a:1}`, `+1`, `"\`, strings.Repeat("[", 1000)}
	for _, text := range bad {
		if err := schema.Decode([]byte(text), new(any)); !fault.Is(err, fault.Malformed) {
			t.Errorf("Decode(%.20q) = %v, want Malformed", text, err)
		}
	}
}

func TestValues(t *testing.T) {
	type query struct {
		Limit int     `json:"limit" default:"10" min:"1" max:"100"`
		After *string `json:"after,omitempty"`
		Name  string  `json:"name" required:"true"`
		Flag  bool    `json:"flag,omitempty"`
	}
	var q query
	if err := schema.Values(map[string][]string{"name": {""}, "after": {""}, "flag": {"true"}}, &q, "query"); err != nil {
		t.Fatal(err)
	}
	empty := ""
	if diff := cmp.Diff(query{Limit: 10, After: &empty, Flag: true}, q); diff != "" {
		t.Errorf("Values (-want +got):\n%s", diff)
	}
	f := fault.As(schema.Values(map[string][]string{"limit": {"x"}, "flag": {"maybe"}}, &q, "query"))
	if f == nil || len(f.Problems) != 3 {
		t.Errorf("Values of bad input = %v, want 3 problems", f)
	}
}

type scope struct {
	Name string `json:"name" default:"all"`
}

func (scope) SchemaClosed() {}

// TestClosed: a field that a closed type does not have is a violation, at its place;
// elsewhere it is ignored.
func TestClosed(t *testing.T) {
	var in struct {
		Scope *scope `json:"scope"`
	}
	if err := schema.Decode([]byte(`{"other":1,"scope":{"name":"a"}}`), &in, "body"); err != nil || in.Scope.Name != "a" {
		t.Errorf("Decode = %+v, %v", in.Scope, err)
	}
	f := fault.As(schema.Decode([]byte(`{"scope":{"nmae":"a","x":null}}`), &in, "body"))
	if f == nil || len(f.Problems) != 2 {
		t.Fatalf("Decode of unknown fields = %v, want 2 problems", f)
	}
	want := fault.Problem{Loc: []any{"body", "scope", "nmae"}, Msg: `There is no field "nmae"; the fields are name`, Type: "extra_forbidden"}
	if d := cmp.Diff(want, f.Problems[0]); d != "" {
		t.Errorf("the problem (-want +got):\n%s", d)
	}
	g := schema.NewGenerator(func(reflect.Type) string { return "" }, nil)
	if doc := g.Describe(schema.Request, scope{}); doc["additionalProperties"] != false {
		t.Errorf("described as %v", doc)
	}
}

// FuzzDecode holds the checker to encoding/json: both take the same texts, and
// strings decode alike.
func FuzzDecode(f *testing.F) {
	for _, s := range []string{`{"a":["b",1.5e3,null,true,{"c":"é\n"}]}`, `[]`, `"\ud800"`, `{"model":"a\/b","id":7}`, `1E400`} {
		f.Add([]byte(s))
	}
	f.Fuzz(func(t *testing.T, text []byte) {
		var want any
		jsonErr := json.Unmarshal(text, &want)
		var raw json.RawMessage
		err := schema.Decode(text, &raw)
		if valid := json.Valid(text); valid != (err == nil) && strings.Count(string(text), "[")+strings.Count(string(text), "{") < 200 {
			t.Fatalf("Decode(%q) = %v, encoding/json says valid %v", text, err, valid)
		}
		var o outer
		schema.Decode(text, &o)
		var s string
		if want, ok := want.(string); ok && jsonErr == nil && schema.Decode(text, &s) == nil && s != want {
			t.Fatalf("Decode(%q) = %q, want %q", text, s, want)
		}
	})
}

func BenchmarkDecode(b *testing.B) {
	type message struct {
		Role    string `json:"role" required:"true"`
		Content string `json:"content"`
	}
	type request struct {
		Messages []message `json:"messages"`
	}
	var r request
	for range 100 {
		r.Messages = append(r.Messages, message{"user", strings.Repeat("The quick brown fox jumps over the lazy dog. ", 45)})
	}
	text, _ := json.Marshal(r)
	b.SetBytes(int64(len(text)))
	for b.Loop() {
		var got request
		if err := schema.Decode(text, &got); err != nil {
			b.Fatal(err)
		}
	}
}
