// Package control is the door by which commands on the same machine ask the running
// service for what no client may: a backup of everything.
//
// The service listens on a loopback address of its own, and writes that address and
// a fresh token to a file in its data directory that only its user may read. Whoever
// may read that file may read the data directory. No web page can guess the token.
package control

import (
	"context"
	"crypto/rand"
	"crypto/subtle"
	"encoding/json"
	"errors"
	"fmt"
	"io"
	"io/fs"
	"net"
	"net/http"
	"os"
	"path/filepath"
	"time"
)

const (
	fileName   = "control.json"
	backupPath = "/backup"
	// writeTime is how long a client may take to read the next part.
	writeTime = time.Minute
)

type door struct {
	Address string `json:"address"`
	Token   string `json:"token"`
}

// Server is an open door.
type Server struct {
	path   string
	server *http.Server
}

// Listen opens the door of a data directory. backup writes a whole backup.
func Listen(dir string, backup func(context.Context, io.Writer) error) (*Server, error) {
	if err := os.MkdirAll(dir, 0o700); err != nil {
		return nil, err
	}
	listener, err := net.Listen("tcp", "127.0.0.1:0")
	if err != nil {
		return nil, err
	}
	d := door{Address: listener.Addr().String(), Token: rand.Text()}
	s := &Server{path: filepath.Join(dir, fileName)}
	mux := http.NewServeMux()
	mux.HandleFunc("GET "+backupPath, func(w http.ResponseWriter, r *http.Request) {
		if subtle.ConstantTimeCompare([]byte(r.Header.Get("Authorization")), []byte("Bearer "+d.Token)) != 1 {
			http.Error(w, "the token is missing or wrong", http.StatusForbidden)
			return
		}
		out := &writer{ResponseWriter: w, control: http.NewResponseController(w)}
		if err := backup(r.Context(), out); err != nil {
			if out.begun {
				panic(http.ErrAbortHandler) // the client sees that the file is cut
			}
			http.Error(w, err.Error(), http.StatusInternalServerError)
		}
	})
	s.server = &http.Server{Handler: mux, ReadHeaderTimeout: 10 * time.Second, IdleTimeout: time.Minute}
	if err := d.write(s.path); err != nil {
		return nil, errors.Join(err, listener.Close())
	}
	go func() { _ = s.server.Serve(listener) }()
	return s, nil
}

// writer moves its deadline with each write.
type writer struct {
	http.ResponseWriter
	control *http.ResponseController
	begun   bool
}

func (w *writer) Write(b []byte) (int, error) {
	w.begun = true
	_ = w.control.SetWriteDeadline(time.Now().Add(writeTime)) // unsupported only without a connection
	return w.ResponseWriter.Write(b)
}

func (d door) write(path string) error {
	raw, err := json.Marshal(d)
	if err != nil {
		return err
	}
	temp, err := os.CreateTemp(filepath.Dir(path), ".control-*") // of mode 0600
	if err != nil {
		return err
	}
	defer os.Remove(temp.Name())
	_, err = temp.Write(raw)
	if err = errors.Join(err, temp.Close()); err != nil {
		return err
	}
	return os.Rename(temp.Name(), path)
}

// Close closes the door.
func (s *Server) Close() error { return errors.Join(os.Remove(s.path), s.server.Close()) }

// ErrNobody says that no service runs on a data directory.
var ErrNobody = errors.New("no service runs on this data directory")

// Backup copies a backup by the service that runs on a data directory; ErrNobody when
// there is none.
func Backup(ctx context.Context, dir string, to io.Writer) error {
	raw, err := os.ReadFile(filepath.Join(dir, fileName))
	if errors.Is(err, fs.ErrNotExist) {
		return ErrNobody
	}
	var d door
	if err == nil {
		err = json.Unmarshal(raw, &d)
	}
	if err != nil {
		return fmt.Errorf("read the door of the service: %w", err)
	}
	r, err := http.NewRequestWithContext(ctx, http.MethodGet, "http://"+d.Address+backupPath, nil)
	if err != nil {
		return err
	}
	r.Header.Set("Authorization", "Bearer "+d.Token)
	resp, err := (&http.Client{Transport: &http.Transport{}}).Do(r)
	if err != nil {
		if ctx.Err() == nil {
			return ErrNobody // it ended without closing its door
		}
		return err
	}
	defer resp.Body.Close()
	if resp.StatusCode != http.StatusOK {
		text, _ := io.ReadAll(io.LimitReader(resp.Body, 1<<10))
		return fmt.Errorf("the service answered %d: %s", resp.StatusCode, text)
	}
	_, err = io.Copy(to, resp.Body)
	return err
}
