package mcpclient_test

import (
	"fmt"
	"testing"

	"lectern/shared/chat/tool"
	"lectern/shared/chat/tool/mcpclient"
	"lectern/shared/message"
	"lectern/shared/web/fetch"
	"lectern/shared/web/fetch/fetchtest"
)

func TestAddresses(t *testing.T) {
	c := &mcpclient.Client{Fetch: fetch.New(nil)}
	for _, path := range []string{"mcp", "sse"} {
		fetchtest.Refuses(t, func(host string, port int) error {
			_, err := c.Open(t.Context(), tool.Toolset{MCPServer: message.MCPServer{Name: "a", URL: fmt.Sprintf("https://%s:%d/%s", host, port, path)}})
			return err
		})
	}
}
