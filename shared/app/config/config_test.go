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
		{"off", map[string]string{"SERVER_AUTH_SECRET": "nonsense"}, ""},
		{"on without any", map[string]string{"SERVER_AUTH_ENABLED": "true"}, "neither"},
		{"on with a malformed secret", map[string]string{"SERVER_AUTH_ENABLED": "true", "SERVER_AUTH_SECRET": "hunter2"}, "form"},
		{"on", map[string]string{"SERVER_AUTH_ENABLED": "true", "SERVER_AUTH_SECRET": "Basic abc"}, ""},
		{"neither true nor false", map[string]string{"SERVER_AUTH_ENABLED": "maybe"}, "true or false"},
		{"a missing file", map[string]string{"SERVER_AUTH_ENABLED": "true", "LECTERN_KEYS": file + "x"}, "LECTERN_KEYS"},
		{"keys", map[string]string{"SERVER_AUTH_ENABLED": "true", "LECTERN_KEYS": write(`[{"key":"12345678"}]`)}, ""},
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
	for _, text := range []string{`{}`, `[{"key":"short"}]`} {
		if _, err := load(map[string]string{"SERVER_AUTH_ENABLED": "true", "LECTERN_KEYS": write(text)}); err == nil {
			t.Errorf("keys %s are taken", text)
		}
	}
	if _, err := load(map[string]string{"LECTERN_BODY_LIMIT": "many", "SERVER_AUTH_ENABLED": "maybe"}); err == nil ||
		!strings.Contains(err.Error(), "LECTERN_BODY_LIMIT") || !strings.Contains(err.Error(), "SERVER_AUTH_ENABLED") {
		t.Errorf("two problems: %v", err)
	}
}
