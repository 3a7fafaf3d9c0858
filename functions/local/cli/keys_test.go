package cli_test

import (
	"regexp"
	"strings"
	"testing"
	"time"

	"lectern/functions/local/cli"
	"lectern/functions/local/service/servicetest"
)

// TestKeys: who runs a service makes a key, which lets in, sees what it used, and
// revokes it.
func TestKeys(t *testing.T) {
	const master = "master-key-of-the-service"
	c := open(t, servicetest.Open(t, map[string]string{"SERVER_AUTH_ENABLED": "true", "LECTERN_DATA": t.TempDir(), "LECTERN_EMBEDDING": "hash:",
		"LECTERN_KEYS": `[{"key":"` + master + `","collections":null}]`}).Handler)
	c.now = servicetest.Noon
	c.settings["LECTERN_KEY"] = master
	c.want(cli.Done, "is made", "keys", "add", "the app", "--collections", "guide, other", "--requests-per-minute", "60", "--expires",
		servicetest.Noon.Add(48*time.Hour).Format(time.DateOnly))
	made := strings.TrimSpace(c.out.String())
	id := regexp.MustCompile(`key_[0-9a-f]{24}`).FindString(c.err.String())
	if !strings.HasPrefix(made, "lectern-") || strings.Contains(c.err.String(), made) || id == "" {
		t.Fatalf("made %q; said %s", made, c.err.String())
	}
	c.want(cli.Done, "guide,other", "keys", "list")
	if list := c.out.String(); strings.Contains(list, made) || !strings.Contains(list, id) || !strings.Contains(list, "active") || !strings.Contains(list, "60") {
		t.Errorf("list:\n%s", list)
	}
	c.settings["LECTERN_KEY"] = made
	c.want(cli.Nothing, "", "search", "anything")
	c.want(cli.Failed, "only keys without any limits", "keys", "list")
	c.settings["LECTERN_KEY"] = master
	c.want(cli.Done, id, "keys", "usage", "--days", "1")
	c.want(cli.Done, `"requests":2`, "keys", "usage", id, "--json")
	c.want(cli.Done, "is revoked", "keys", "revoke", id)
	c.want(cli.Failed, "no key", "keys", "revoke", "key_x")
	c.want(cli.Failed, "expires_at", "keys", "add", "x", "--collections", "*", "--expires", "2020-01-01")
	for _, args := range [][]string{{"keys"}, {"keys", "add", "x"}, {"keys", "revoke"}, {"keys", "list", "x"}, {"keys", "turn"}} {
		c.want(cli.Usage, "Exit codes", args...)
	}
	c.settings["LECTERN_KEY"] = made
	c.want(cli.Failed, "revoked", "search", "anything")
}
