package query_test

import (
	"testing"

	"lectern/shared/chat/model/extractive/query"
	"lectern/shared/message"
)

func TestInput(t *testing.T) {
	for schema, want := range map[string]string{
		`{"properties":{"query":{"type":"string"}},"required":["query"]}`:                                 `{"query":"x"}`,
		`{"properties":{"query":{"type":"string"},"artifact":{"type":"string"}}}`:                         `{"artifact":"a","query":"x"}`,
		`{"properties":{"query":{"type":"string"},"artifact":{"type":"number"}},"required":["query"]}`:    `{"query":"x"}`,
		`{"properties":{"query":{"type":"string"},"city":{"type":"string"}},"required":["query","city"]}`: "",
		`{"properties":{"q":{"type":"string"}}}`:                                                          "",
		`{"properties":{"query":{"type":"number"}}}`:                                                      "",
		`[]`: "",
	} {
		got := ""
		if query.Takes(message.Object(schema)) {
			in, err := query.Input(message.Object(schema), "x", "a")
			if err != nil {
				t.Fatal(err)
			}
			got = string(in)
		}
		if got != want {
			t.Errorf("the input of %s is %q, want %q", schema, got, want)
		}
	}
}
