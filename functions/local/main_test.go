package main

import (
	"runtime/debug"
	"testing"
)

func TestVersion(t *testing.T) {
	settings := []debug.BuildSetting{{Key: "GOOS", Value: "linux"}, {Key: "GOARCH", Value: "amd64"}}
	commit := []debug.BuildSetting{{Key: "vcs.revision", Value: "0123456789abcdef"}, {Key: "vcs.time", Value: "2026-06-01T12:00:00Z"},
		{Key: "vcs.modified", Value: "true"}}
	for want, info := range map[string]*debug.BuildInfo{
		"lectern, built without information": nil,
		"lectern (go1.26, linux/amd64)":      {GoVersion: "go1.26", Settings: settings},
		"lectern 0123456789ab, changed of 2026-06-01T12:00:00Z (go1.26, linux/amd64)": {GoVersion: "go1.26",
			Settings: append(commit, settings...)},
	} {
		if got := version(info); got != want {
			t.Errorf("version = %q, want %q", got, want)
		}
	}
}

// TestMostConnections: a quarter of the descriptors is left to files.
func TestMostConnections(t *testing.T) {
	for descriptors, want := range map[uint64]int{0: 0, 120: 90, 1024: 768, 1 << 20: 786432, 1<<64 - 1: 1 << 20} {
		if got := mostConnections(descriptors); got != want {
			t.Errorf("of %d descriptors %d are connections, want %d", descriptors, got, want)
		}
	}
}
