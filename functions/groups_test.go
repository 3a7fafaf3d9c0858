package functions_test

import (
	"testing"

	"lectern/functions"
)

func TestOf(t *testing.T) {
	for path, want := range map[string]string{
		"/v1/messages": "messages", "/v1/messages/validate": "messages", "/v1/messages/count_tokens": "tokens", "/v1/messages/count_tokensx": "messages",
		"/v1/models/a/b": "models", "/v1/modelsx": "system", "/": "system", "/health": "system", "": "system", "//": "system", "/v1/collections/c": "artifacts", "*": "system", "/mcp": "mcp", "/mcpx": "system",
		"/v1/messages/async": "messages", "/v1/messages/async/": "streams", "/v1/messages/async/x/status": "streams",
	} {
		if got := functions.Of(functions.Groups(), path).Name; got != want {
			t.Errorf("Of(%q) = %q, want %q", path, got, want)
		}
	}
}
