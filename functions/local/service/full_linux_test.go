package service_test

import (
	"fmt"
	"net/http"
	"os"
	"path/filepath"
	"strings"
	"syscall"
	"testing"

	"github.com/google/go-cmp/cmp"
)

// TestFullDisk: on a disk that is full the service answers 503 with a sentence, shows
// what it holds, says that it is not ready, and goes on when there is room.
func TestFullDisk(t *testing.T) {
	dir := t.TempDir()
	if err := syscall.Mount("tmpfs", dir, "tmpfs", 0, "size=12m"); err != nil {
		t.Skipf("no small disk can be mounted here: %v", err)
	}
	defer func() {
		if err := syscall.Unmount(dir, syscall.MNT_DETACH); err != nil {
			t.Error(err)
		}
	}()
	data := filepath.Join(dir, "data")
	s, err := reopen(t, data)
	if err != nil {
		t.Fatal(err)
	}
	fill(t, s)
	want, hits := state(t, s), searches(t, s)
	filler := filepath.Join(dir, "filler")
	f, err := os.Create(filler)
	if err != nil {
		t.Fatal(err)
	}
	for block := make([]byte, 1<<12); err == nil; {
		_, err = f.Write(block)
	}
	f.Close()
	refused := 0
	for i := range 40 {
		w := post(s, "/v1/artifacts/ingest", fmt.Sprintf(`{"artifact":"more%d","input":{"type":"text","value":%q}}`, i, strings.Repeat("A heron. ", 9000+i)))
		switch {
		case w.Code == http.StatusServiceUnavailable && strings.Contains(w.Body.String(), "disk of the service is full"):
			refused++
		case w.Code != http.StatusOK:
			t.Errorf("on a full disk an ingest answers %d %s", w.Code, w.Body)
		}
	}
	if refused == 0 {
		t.Error("nothing was refused on a full disk")
	}
	ready := do(t, s.Handler, "GET", "/ready", "")
	if body := decode(t, ready); ready.StatusCode != http.StatusServiceUnavailable {
		t.Errorf("/ready answers %d %v on a full disk", ready.StatusCode, body)
	}
	if d := cmp.Diff(want, state(t, s)); d != "" {
		t.Errorf("what can be read on a full disk (-want +got):\n%.1000s", d)
	}
	if err := os.Remove(filler); err != nil {
		t.Fatal(err)
	}
	if w := post(s, "/v1/artifacts/ingest", `{"artifact":"after","input":{"type":"text","value":"A wren."}}`); w.Code != http.StatusOK {
		t.Errorf("with room again an ingest answers %d %s", w.Code, w.Body)
	}
	s.Close()
	whole(t, data, want, hits)
}
