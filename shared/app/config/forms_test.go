package config_test

import (
	"os"
	"path/filepath"
	"strings"
	"testing"

	"lectern/shared/file"
)

// TestForms: a setting that would be taken and never count stops the start, with its
// name and its value.
func TestForms(t *testing.T) {
	for name, values := range map[string][]string{
		"LECTERN_ALLOW_HOSTS": {"10.0.0.0/99", "a b", "http://a", "a:80", "*.example.com", "10.0.0.256", "a,/8"},
		"LECTERN_HOSTS":       {"a b", "https://a", "a:80", "a/b", "-a", "*"},
		"LECTERN_CORS_ORIGIN": {"ftp:x", "ftp://x", "app.example.com", "https://app.example.com/", "https://App.example.com", "https://a:443", "https://a,https://b",
			"https://me@a", "https://a:99999", "any", "https://a?b"},
		"LECTERN_FILES": {"foo", "skills", "none,session", "session,a b"},
		"LECTERN_ADDR":  {"127.0.0.1:99999", "127.0.0.1", "127.0.0.1:-1", "127.0.0.1:nonsense"},
	} {
		for _, value := range values {
			for _, keys := range []string{"", "Basic c2VjcmV0OnNlY3JldA=="} {
				settings := map[string]string{name: value, "SERVER_AUTH_SECRET": keys}
				if keys != "" {
					settings["SERVER_AUTH_ENABLED"] = "true"
				}
				_, err := load(settings)
				if wrong := value[strings.LastIndexByte(value, ',')+1:]; err == nil || strings.Count(err.Error(), name) != 1 || name != "LECTERN_FILES" && !strings.Contains(err.Error(), wrong) {
					t.Errorf("%s=%s: Load = %v, want an error that names both", name, value, err)
				}
			}
		}
	}
	for name, values := range map[string][]string{
		"LECTERN_ALLOW_HOSTS": {"10.0.0.0/8,fd00::/8, my_db ,db.internal,192.168.1.7,::1"},
		"LECTERN_HOSTS":       {"lectern.lan,Lectern,192.168.1.7,fd00::1,2001-db8.example"},
		"LECTERN_CORS_ORIGIN": {"*", "none", "https://app.example.com", "http://localhost:3000", "http://[::1]:3000", "chrome-extension://abcdef", "https://a:80"},
		"LECTERN_FILES":       {"none", "session", "skills,session,my-own_2"},
		"LECTERN_ADDR":        {"127.0.0.1:0", "[::1]:65535", "localhost:http"},
	} {
		for _, value := range values {
			if _, err := load(map[string]string{name: value}); err != nil {
				t.Errorf("%s=%s: Load = %v", name, value, err)
			}
		}
	}
	if c, err := load(nil); err != nil || c.Files[0] != file.DefaultNamespace {
		t.Errorf("the first namespace is %q, %v, want that of requests that name none, %q", c.Files, err, file.DefaultNamespace)
	}
}

// TestNoWayIn: a service that asks for keys has one, and says why it finds none. What
// may be a key is not shown.
func TestNoWayIn(t *testing.T) {
	file := filepath.Join(t.TempDir(), "keys.json")
	if err := os.WriteFile(file, []byte(" []\n"), 0o600); err != nil {
		t.Fatal(err)
	}
	for value, want := range map[string]string{
		"[]": "LECTERN_KEYS lists no key", file: "LECTERN_KEYS lists no key", "{bad": "LECTERN_KEYS: the value is neither a JSON list",
		"hunter2hunter2": "LECTERN_KEYS: the value is neither", file + "x": "LECTERN_KEYS: the file " + file + "x cannot be read",
	} {
		_, err := load(map[string]string{"SERVER_AUTH_ENABLED": "true", "LECTERN_KEYS": value})
		if err == nil || !strings.Contains(err.Error(), want) || strings.Contains(err.Error(), "hunter2") {
			t.Errorf("LECTERN_KEYS=%s: Load = %v, want %q", value, err, want)
		}
	}
	for _, other := range [][2]string{{"SERVER_AUTH_SECRET", "Basic c2VjcmV0OnNlY3JldA=="}, {"LECTERN_OIDC", "https://issuer.example?audience=a"}} {
		if _, err := load(map[string]string{"SERVER_AUTH_ENABLED": "true", "LECTERN_KEYS": "[]", other[0]: other[1]}); err != nil {
			t.Errorf("no keys, and %s: Load = %v", other[0], err)
		}
	}
}

// TestDriverNames: a driver without options needs no colon.
func TestDriverNames(t *testing.T) {
	c, err := load(map[string]string{"LECTERN_INDEX": "local", "LECTERN_RECORDS": "bolt", "LECTERN_OBJECTS": "disk", "LECTERN_TASKS": "local",
		"LECTERN_EMBEDDING": "hash", "LECTERN_CHAT": "extractive, openai+http://h/v1?model=m", "LECTERN_SEARCH_WEB": "brave"})
	if err != nil {
		t.Fatal(err)
	}
	got := strings.Join(append(c.Chat, c.Index, c.Records, c.Objects, c.Tasks, c.Embedding, c.SearchWeb, c.Rerank), " ")
	if want := "extractive: openai+http://h/v1?model=m local: bolt: disk: local: hash: brave: "; got != want {
		t.Errorf("the drivers are %q, want %q", got, want)
	}
}
