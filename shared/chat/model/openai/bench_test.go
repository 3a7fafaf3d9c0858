package openai_test

import (
	"fmt"
	"net/http"
	"net/http/httptest"
	"strings"
	"testing"

	"lectern/shared/chat/model/modeltest"
	"lectern/shared/chat/model/openai"
)

// BenchmarkStream reads answers of 1,000 words from a server on loopback.
func BenchmarkStream(b *testing.B) {
	const words = 1000
	text := strings.Repeat(`data: {"id":"c","object":"chat.completion.chunk","model":"m","choices":[{"index":0,"delta":{"content":"word "},"finish_reason":null}]}`+"\n\n", words) +
		"data: {\"choices\":[{\"index\":0,\"delta\":{},\"finish_reason\":\"stop\"}]}\n\ndata: [DONE]\n\n"
	server := httptest.NewServer(http.HandlerFunc(func(w http.ResponseWriter, _ *http.Request) {
		w.Header().Set("Content-Type", "text/event-stream")
		fmt.Fprint(w, text)
	}))
	defer server.Close()
	m := openai.New(server.URL+"/v1", "")
	b.ReportAllocs()
	for b.Loop() {
		if _, err := modeltest.Collect(b.Context(), m, modeltest.Request()); err != nil {
			b.Fatal(err)
		}
	}
	b.ReportMetric(float64(b.Elapsed().Nanoseconds())/float64(b.N)/words, "ns/event")
}
