package service_test

import (
	"errors"
	"fmt"
	"net/http"
	"os"
	"os/exec"
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

// TestReadOnlyDisk: a file system that takes no more writes while the service runs, as
// one does that found an error in itself, makes every change 503 with a sentence; what
// is stored can be read, and is whole after a restart.
func TestReadOnlyDisk(t *testing.T) {
	dir := t.TempDir()
	image, at := filepath.Join(dir, "image"), filepath.Join(dir, "disk")
	if err := os.Mkdir(at, 0o700); err != nil {
		t.Fatal(err)
	}
	run := func(program string, args ...string) error {
		out, err := exec.Command(program, args...).CombinedOutput()
		if err != nil {
			return fmt.Errorf("%s: %w: %s", program, err, out)
		}
		return nil
	}
	mount := func(image string) error { return run("mount", "-o", "loop,errors=remount-ro", image, at) }
	f, err := os.Create(image)
	if err != nil {
		t.Fatal(err)
	}
	if err := errors.Join(f.Truncate(32<<20), f.Close()); err != nil {
		t.Fatal(err)
	}
	if err := errors.Join(run("mkfs.ext4", "-q", "-F", image), mount(image)); err != nil {
		t.Skipf("no disk can be made here that turns read-only: %v", err)
	}
	defer func() {
		if err := syscall.Unmount(at, syscall.MNT_DETACH); err != nil {
			t.Error(err)
		}
	}()
	data := filepath.Join(at, "data")
	s, err := reopen(t, data)
	if err != nil {
		t.Fatal(err)
	}
	fill(t, s)
	want, hits := state(t, s), searches(t, s)
	if err := breakDisk(at); err != nil {
		s.Close()
		t.Skipf("the disk cannot be made to turn read-only: %v", err)
	}
	for path, body := range map[string]string{"/v1/artifacts/ingest": `{"artifact":"more","input":{"type":"text","value":"A heron."}}`,
		"/v1/artifacts/delete": `{"artifact":"doc1","collection":"birds"}`,
		"/v1/messages/async":   `{"model":"default","max_tokens":9,"messages":[{"role":"user","content":"x"}]}`} {
		if w := post(s, path, body); w.Code != http.StatusServiceUnavailable || !strings.Contains(w.Body.String(), "takes no writes") {
			t.Errorf("on a read-only disk %s answers %d %s", path, w.Code, w.Body)
		}
	}
	if ready := do(t, s.Handler, "GET", "/ready", ""); ready.StatusCode != http.StatusServiceUnavailable {
		t.Errorf("/ready answers %d on a read-only disk", ready.StatusCode)
	}
	if d := cmp.Diff(want, state(t, s)); d != "" {
		t.Errorf("what can be read on a read-only disk (-want +got):\n%.1000s", d)
	}
	s.Close()
	again := filepath.Join(dir, "again") // the first may be mapped until the next garbage collection
	if err := errors.Join(run("cp", image, again), syscall.Unmount(at, syscall.MNT_DETACH), mount(again)); err != nil {
		t.Fatal(err)
	}
	whole(t, data, want, hits)
}

// breakDisk makes the ext4 on a loop device take itself for damaged.
func breakDisk(at string) error {
	mounts, err := os.ReadFile("/proc/mounts")
	if err != nil {
		return err
	}
	for line := range strings.Lines(string(mounts)) {
		if device, ok := strings.CutSuffix(strings.Join(strings.Fields(line)[:2], " "), " "+at); ok && strings.HasPrefix(device, "/dev/loop") {
			return os.WriteFile("/sys/fs/ext4/"+filepath.Base(device)+"/trigger_fs_error", []byte("1"), 0)
		}
	}
	return errors.New("it is on no loop device")
}
