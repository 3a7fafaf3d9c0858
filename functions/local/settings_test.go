package main

import (
	"os"
	"path/filepath"
	"slices"
	"strings"
	"testing"

	"github.com/google/go-cmp/cmp"

	"lectern/shared/app/config"
)

// TestSources: a flag goes before the environment, and that before the file; what is
// no setting stays an argument, or is named.
func TestSources(t *testing.T) {
	file := filepath.Join(t.TempDir(), "lectern.conf")
	write := func(text string) {
		if err := os.WriteFile(file, []byte(text), 0o600); err != nil {
			t.Fatal(err)
		}
	}
	write("# mine\nLECTERN_DATA = /file\nexport LECTERN_LOG='debug'\n\nLECTERN_ADDR=127.0.0.1:1\nLECTERN_URL=http://there\n")
	env := map[string]string{"LECTERN_ADDR": "127.0.0.1:2", "LECTERN_CHAT": "extractive:"}
	s, rest, err := readSources([]string{"serve", "--config", file, "--addr=127.0.0.1:3", "--server-auth-enabled", "false"}, func(name string) string { return env[name] })
	if err != nil {
		t.Fatal(err)
	}
	if d := cmp.Diff([]string{"serve"}, rest); d != "" {
		t.Errorf("the other arguments (-want +got):\n%s", d)
	}
	for name, want := range map[string]string{"LECTERN_ADDR": "127.0.0.1:3", "LECTERN_DATA": "/file", "LECTERN_LOG": "debug",
		"LECTERN_CHAT": "extractive:", "SERVER_AUTH_ENABLED": "false", "LECTERN_URL": "http://there", "LECTERN_INDEX": ""} {
		if got := s.get(name); got != want {
			t.Errorf("%s = %q, want %q", name, got, want)
		}
	}
	env["LECTERN_CONFIG"] = file
	s, rest, err = readSources([]string{"search", "--addr", "x", "--", "--config"}, func(name string) string { return env[name] })
	if err != nil || s.get("LECTERN_DATA") != "/file" || !slices.Equal(rest, []string{"search", "--addr", "x", "--", "--config"}) {
		t.Errorf("a client's command: %v, %q, %v", s, rest, err)
	}
	for text, want := range map[string]string{"LECTERN_DATE=x": `line 1: there is no setting "LECTERN_DATE"`, "\nLECTERN_DATA": "line 2: should be NAME=value",
		"LECTERN_DATA=1\nLECTERN_DATA=2": "line 2: LECTERN_DATA is set twice"} {
		write(text)
		if _, _, err := readSources(nil, func(name string) string { return env[name] }); err == nil || !strings.Contains(err.Error(), want) {
			t.Errorf("%q: %v, want %q", text, err, want)
		}
	}
	if _, _, err := readSources([]string{"--data"}, func(string) string { return "" }); err == nil || !strings.Contains(err.Error(), "--data needs a value") {
		t.Errorf("a flag without a value: %v", err)
	}
	flags := map[string]bool{}
	for _, s := range config.Settings() {
		if flags[flagOf(s.Name)] {
			t.Errorf("two settings have the flag %s", flagOf(s.Name))
		}
		flags[flagOf(s.Name)] = true
	}
}

// TestMisspelt: a variable that somebody meant as a setting is named, above all one of
// authentication.
func TestMisspelt(t *testing.T) {
	closes, others := misspelt([]string{"LECTERN_DATA=x", "LECTERN_DATE=x", "LECTERN_EMPTY=", "LECTERN_PORT_8080_TCP=tcp://x", "LECTERN_SERVICE_HOST=x", "LECTERN_CONFIG=x",
		"SERVER_AUTH_ENABLED=true", "SERVER_AUTH_ENABLE=true", "SERVER_AUTHENTICATION=x", "LECTERN_URL=x", "HOME=/"})
	if d := cmp.Diff([]string{"SERVER_AUTH_ENABLE", "SERVER_AUTHENTICATION"}, closes); d != "" {
		t.Errorf("of authentication (-want +got):\n%s", d)
	}
	if d := cmp.Diff([]string{"LECTERN_DATE"}, others); d != "" {
		t.Errorf("others (-want +got):\n%s", d)
	}
}
