package control_test

import (
	"bytes"
	"context"
	"encoding/json"
	"errors"
	"io"
	"net/http"
	"os"
	"path/filepath"
	"strings"
	"testing"

	"lectern/functions/local/control"
)

// TestDoor: who may read the data directory gets a backup, others do not, and a
// backup that breaks off is an error.
func TestDoor(t *testing.T) {
	dir, broken := t.TempDir(), false
	if err := control.Backup(t.Context(), dir, io.Discard); !errors.Is(err, control.ErrNobody) {
		t.Errorf("without a service, Backup = %v, want ErrNobody", err)
	}
	door, err := control.Listen(dir, func(_ context.Context, w io.Writer) error {
		_, err := io.WriteString(w, strings.Repeat("everything ", 10_000))
		if broken {
			err = errors.New("broken")
		}
		return err
	})
	if err != nil {
		t.Fatal(err)
	}
	info, err := os.Stat(filepath.Join(dir, "control.json"))
	if err != nil || info.Mode().Perm() != 0o600 {
		t.Errorf("the file of the door: %v, %v, want mode 0600", info.Mode(), err)
	}
	var got bytes.Buffer
	if err := control.Backup(t.Context(), dir, &got); err != nil || got.Len() != 110_000 {
		t.Errorf("Backup = %d bytes, %v", got.Len(), err)
	}
	if broken = true; control.Backup(t.Context(), dir, io.Discard) == nil {
		t.Error("a backup that breaks off is no error")
	}
	var is struct{ Address string }
	raw, err := os.ReadFile(filepath.Join(dir, "control.json"))
	if err != nil || json.Unmarshal(raw, &is) != nil {
		t.Fatal(err)
	}
	for _, token := range []string{"", "Bearer ", "Bearer wrong"} {
		r, err := http.NewRequestWithContext(t.Context(), "GET", "http://"+is.Address+"/backup", nil)
		if err != nil {
			t.Fatal(err)
		}
		r.Header.Set("Authorization", token)
		resp, err := http.DefaultClient.Do(r)
		if err != nil {
			t.Fatal(err)
		}
		resp.Body.Close()
		if resp.StatusCode != http.StatusForbidden {
			t.Errorf("the token %q is answered %d, want 403", token, resp.StatusCode)
		}
	}
	if err := door.Close(); err != nil {
		t.Error(err)
	}
	if err := control.Backup(t.Context(), dir, io.Discard); !errors.Is(err, control.ErrNobody) {
		t.Errorf("after Close, Backup = %v, want ErrNobody", err)
	}
}
