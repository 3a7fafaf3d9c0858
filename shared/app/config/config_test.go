package config_test

import (
	"os"
	"path/filepath"
	"strings"
	"testing"

	"lectern/shared/app/config"
)

func load(settings map[string]string) (*config.Config, error) {
	return config.Load(func(name string) string { return settings[name] })
}

func TestDefaults(t *testing.T) {
	c, err := load(nil)
	if err != nil || c.Addr != "127.0.0.1:8080" || len(c.Chat) != 1 || c.Keys != nil || c.Origin != "*" {
		t.Errorf("Load = %+v, %v", c, err)
	}
}

func TestLists(t *testing.T) {
	c, err := load(map[string]string{"LECTERN_CHAT": " extractive:, openai+http://h/v1?model=m ,", "LECTERN_ALLOW_HOSTS": "a,10.0.0.0/8",
		"LECTERN_CORS_ORIGIN": "none"})
	if err != nil || len(c.Chat) != 2 || len(c.AllowHosts) != 2 || c.Origin != "" {
		t.Errorf("Load = %+v, %v", c, err)
	}
}

func TestCredentials(t *testing.T) {
	file := filepath.Join(t.TempDir(), "keys")
	write := func(text string) string {
		if err := os.WriteFile(file, []byte(text), 0o600); err != nil {
			t.Fatal(err)
		}
		return file
	}
	tests := []struct {
		name     string
		settings map[string]string
		problem  string
	}{
		{"a secret, and off", map[string]string{"SERVER_AUTH_SECRET": "Basic c2VjcmV0OnNlY3JldA=="}, "SERVER_AUTH_ENABLED is false"},
		{"keys, and off", map[string]string{"LECTERN_KEYS": `[{"key":"1234567890123456","collections":null}]`}, "SERVER_AUTH_ENABLED is false"},
		{"on without any", map[string]string{"SERVER_AUTH_ENABLED": "true"}, "none of"},
		{"a provider alone", map[string]string{"SERVER_AUTH_ENABLED": "true", "LECTERN_OIDC": "https://issuer.example?audience=a"}, ""},
		{"a provider, and off", map[string]string{"LECTERN_OIDC": "https://issuer.example?audience=a"}, "LECTERN_OIDC"},
		{"a provider beside a key that is made", map[string]string{"LECTERN_OPEN": "key", "LECTERN_OIDC": "https://issuer.example?audience=a"}, ""},
		{"on with a malformed secret", map[string]string{"SERVER_AUTH_ENABLED": "true", "SERVER_AUTH_SECRET": "hunter2"}, "form"},
		{"on", map[string]string{"SERVER_AUTH_ENABLED": "true", "SERVER_AUTH_SECRET": "Basic abc"}, ""},
		{"neither yes nor no", map[string]string{"LECTERN_SQL_SUPERUSERS": "true"}, "LECTERN_SQL_SUPERUSERS should be yes or no"},
		{"neither true nor false", map[string]string{"SERVER_AUTH_ENABLED": "maybe"}, "true or false"},
		{"a missing file", map[string]string{"SERVER_AUTH_ENABLED": "true", "LECTERN_KEYS": file + "x"}, "LECTERN_KEYS"},
		{"keys", map[string]string{"SERVER_AUTH_ENABLED": "true", "LECTERN_KEYS": write(`[{"key":"1234567890123456","collections":["a"],"tenant":"birds"}]`)},
			""},
	}
	for _, tc := range tests {
		_, err := load(tc.settings)
		if (err == nil) != (tc.problem == "") || err != nil && !strings.Contains(err.Error(), tc.problem) {
			t.Errorf("%s: Load = %v, want %q", tc.name, err, tc.problem)
		}
		if err != nil && strings.Contains(err.Error(), "hunter2") {
			t.Errorf("%s: the error shows the secret", tc.name)
		}
	}
	for _, text := range []string{
		`{}`, `[{"key":"short","collections":null}]`, `[{"key":"1234567890123456"}]`, `[{"key":"1234567890123456","collection":["a"],"collections":null}]`,
		`[{"key":"1234567890123456","collections":"a"}]`, `[{"key":"1234567890123456","collections":null,"tenant":"a b"}]`,
		`[{"key":"1234567890123456","collections":["*"]}]`, `[{"key":"1234567890123456","collections":[null]}]`,
		`[{"key":"1234567890123456","collections":null},{"key":"1234567890123456","collections":["a"]}]`, `[] []`,
		`[{"key":"1234567890123456","collections":["a"],"Collections":null}]`, `[{"tenant":"a","key":"1234567890123456","collections":["a"],"tenant":"b"}]`,
	} {
		if _, err := load(map[string]string{"SERVER_AUTH_ENABLED": "true", "LECTERN_KEYS": write(text)}); err == nil {
			t.Errorf("keys %s are taken", text)
		}
	}
	if _, err := load(map[string]string{"LECTERN_BODY_LIMIT": "many", "SERVER_AUTH_ENABLED": "maybe"}); err == nil ||
		!strings.Contains(err.Error(), "LECTERN_BODY_LIMIT") || !strings.Contains(err.Error(), "SERVER_AUTH_ENABLED") {
		t.Errorf("two problems: %v", err)
	}
}

// TestAddress: a service without keys listens for its own machine, unless the
// operator opens it.
func TestAddress(t *testing.T) {
	for addr, closed := range map[string]bool{"127.0.0.1:1": true, "[::1]:1": true, "localhost:1": true, "0.0.0.0:1": false, ":1": false,
		"192.168.0.1:1": false, "host:1": false} {
		_, err := load(map[string]string{"LECTERN_ADDR": addr})
		if (err == nil) != closed || err != nil && !strings.Contains(err.Error(), "LECTERN_OPEN") {
			t.Errorf("without keys on %s: %v", addr, err)
		}
		if _, err := load(map[string]string{"LECTERN_ADDR": addr, "LECTERN_OPEN": "yes"}); err != nil {
			t.Errorf("opened on %s: %v", addr, err)
		}
		if c, err := load(map[string]string{"LECTERN_ADDR": addr, "LECTERN_OPEN": "key"}); err != nil || !c.MakesKey {
			t.Errorf("with a key to be made on %s: %v", addr, err)
		}
		if _, err := load(map[string]string{"LECTERN_ADDR": addr, "LECTERN_OPEN": "Yes"}); err == nil {
			t.Errorf("LECTERN_OPEN=Yes on %s is taken", addr)
		}
		if _, err := load(map[string]string{"LECTERN_ADDR": addr, "SERVER_AUTH_ENABLED": "true",
			"SERVER_AUTH_SECRET": "Basic c2VjcmV0OnNlY3JldA=="}); err != nil {
			t.Errorf("with a key on %s: %v", addr, err)
		}
	}
	c, err := load(map[string]string{"SERVER_AUTH_ENABLED": "true", "SERVER_AUTH_SECRET": "Basic abc"})
	if err != nil || len(c.Warnings) != 1 || strings.Contains(c.Warnings[0], "abc") {
		t.Errorf("a short secret: %q, %v", c.Warnings, err)
	}
}

// TestInForce: what is in force is told without anything that lets somebody in.
func TestInForce(t *testing.T) {
	given := map[string]string{
		"SERVER_AUTH_ENABLED": "true", "SERVER_AUTH_SECRET": "Basic aHVudGVyMjpodW50ZXIy", "LECTERN_KEYS": `[{"key":"hunter2hunter2hunter2","collections":null}]`,
		"LECTERN_SEAL_KEY": "aHVudGVyMmh1bnRlcjJodW50ZXIyaHVudGVyMjEyMzQ=", "OPENAI_API_KEY": "sk-hunter2", "LECTERN_WEBHOOK_SECRET": "hunter2",
		"LECTERN_CHAT":  "openai+https://me:hunter2@models.example/v1?model=m&api_key=hunter2,extractive:",
		"LECTERN_INDEX": "opensearch+https://hunter2@search.example?token=hunter2&x=1",
	}
	c, err := load(given)
	if err != nil {
		t.Fatal(err)
	}
	values := map[string]string{}
	for _, s := range c.InForce {
		if strings.Contains(s.Value, "hunter2") || strings.Contains(s.Value, "aHVudGVyMj") {
			t.Errorf("%s is shown as %s", s.Name, s.Value)
		}
		if _, ok := given[s.Name]; ok != s.Given {
			t.Errorf("%s is given: %v", s.Name, s.Given)
		}
		values[s.Name] = s.Value
	}
	if values["LECTERN_CHAT"] != "openai+https://(secret)@models.example/v1?model=m&api_key=(secret),extractive:" || values["LECTERN_DATA"] != ".data" ||
		values["LECTERN_INDEX"] != "opensearch+https://(secret)@search.example?token=(secret)&x=1" {
		t.Errorf("in force: %v", values)
	}
}
