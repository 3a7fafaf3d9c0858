// Command hostile sends hostile documents (see package readertest) to the
// service and checks that each one is read or rejected with a status below 500,
// within limits of time and memory, and that nothing of a rejected one is
// stored.
//
// Without -url it starts a service and prints each document's peak memory; with
// -dir it also keeps the documents.
package main

import (
	"bytes"
	"encoding/base64"
	"encoding/json"
	"flag"
	"fmt"
	"io"
	"net"
	"net/http"
	"os"
	"os/exec"
	"path/filepath"
	"strings"
	"time"

	"lectern/shared/knowledge/reader/readertest"
)

// Limits of a document.
const (
	mostTime   = 10 * time.Second
	mostMemory = 1536.0 // MiB of the whole service, including garbage of earlier documents
)

func main() {
	url := flag.String("url", "", "a running service; empty: run one")
	dir := flag.String("dir", "", "leave the documents here")
	only := flag.String("only", "", "only documents whose names contain this")
	scale := flag.Float64("scale", 1, "how large the documents are")
	samples := flag.String("samples", "shared/knowledge/reader/formats/testdata", "folder of honest documents to cut, lock and rename")
	flag.Parse()
	if err := run(*url, *dir, *only, *samples, *scale); err != nil {
		fmt.Fprintln(os.Stderr, "hostile:", err)
		os.Exit(1)
	}
}

func run(url, dir, only, samples string, scale float64) error {
	files, err := readertest.Hostile(scale, os.DirFS(samples))
	if err != nil {
		return err
	}
	if dir != "" {
		if err := os.MkdirAll(dir, 0o755); err != nil {
			return err
		}
	}
	s := &target{url: url, client: &http.Client{Timeout: 2 * time.Minute}}
	if url == "" {
		if err := s.start(); err != nil {
			return err
		}
		defer s.stop()
	}
	failed, count := 0, 0
	worst := outcome{}
	for _, f := range files {
		if !strings.Contains(f.Name, only) {
			continue
		}
		data := f.Make()
		if dir != "" {
			if err := os.WriteFile(filepath.Join(dir, f.Name), data, 0o644); err != nil {
				return err
			}
		}
		o, err := s.try(f.Name, data)
		count++
		mark := "ok"
		if err != nil {
			mark = "FAILED"
			failed++
		}
		worst.took, worst.peak = max(worst.took, o.took), max(worst.peak, o.peak)
		fmt.Printf("%-6s %-32s %9d bytes  %3d %-21s %6.2f s  %5.0f MiB", mark, f.Name, len(data), o.status, o.kind, o.took.Seconds(), o.peak)
		if err != nil {
			fmt.Printf("  %v", err)
		}
		fmt.Println()
	}
	fmt.Printf("%d documents, %d failed; the slowest took %.2f s, the largest peak of the service was %.0f MiB\n", count, failed,
		worst.took.Seconds(), worst.peak)
	if failed > 0 {
		return fmt.Errorf("%d documents were not handled as required", failed)
	}
	return nil
}

// target is the service under attack.
type target struct {
	url    string
	client *http.Client
	cmd    *exec.Cmd
	dir    string
}

func (s *target) start() error {
	var err error
	if s.dir, err = os.MkdirTemp("", "lectern-hostile-"); err != nil {
		return err
	}
	binary := filepath.Join(s.dir, "lectern")
	build := exec.Command("go", "build", "-o", binary, "./functions/local")
	build.Env, build.Stderr = append(os.Environ(), "CGO_ENABLED=0"), os.Stderr
	if err := build.Run(); err != nil {
		return fmt.Errorf("build the service: %w", err)
	}
	l, err := net.Listen("tcp", "127.0.0.1:0")
	if err != nil {
		return err
	}
	addr := l.Addr().String()
	l.Close()
	s.cmd = exec.Command(binary)
	s.cmd.Env = append(os.Environ(), "LECTERN_ADDR="+addr, "LECTERN_DATA="+filepath.Join(s.dir, "data"), "LECTERN_LOG=error",
		"LECTERN_BODY_LIMIT=268435456")
	s.cmd.Stderr = os.Stderr
	if err := s.cmd.Start(); err != nil {
		return err
	}
	s.url = "http://" + addr
	for range 200 {
		if resp, err := http.Get(s.url + "/ready"); err == nil {
			resp.Body.Close()
			return nil
		}
		time.Sleep(20 * time.Millisecond)
	}
	return fmt.Errorf("the service did not start")
}

func (s *target) stop() {
	s.cmd.Process.Signal(os.Interrupt)
	s.cmd.Wait()
	os.RemoveAll(s.dir)
}

// outcome is the result of one document.
type outcome struct {
	status int
	kind   string // of the rejection
	took   time.Duration
	peak   float64 // MiB
}

// try ingests a document, and deletes it if it was read.
func (s *target) try(name string, data []byte) (outcome, error) {
	s.resetPeak()
	body, err := json.Marshal(map[string]any{
		"artifact": name, "collection": "hostile", "metadata": map[string]any{"file_name": name},
		"input": map[string]any{"type": "file", "value": base64.StdEncoding.EncodeToString(data)},
	})
	if err != nil {
		return outcome{}, err
	}
	begin := time.Now()
	status, text, err := s.post("/v1/artifacts/ingest", body)
	o := outcome{status: status, took: time.Since(begin), peak: s.peak()}
	if err != nil {
		return o, err
	}
	var answer struct {
		Detail []struct{ Type string }
	}
	if json.Unmarshal(text, &answer) == nil && len(answer.Detail) > 0 {
		o.kind = answer.Detail[0].Type
	}
	switch {
	case status == http.StatusRequestEntityTooLarge:
		return o, nil // by its size alone
	case status != http.StatusOK && status != http.StatusUnprocessableEntity:
		return o, fmt.Errorf("answered %.200s", text)
	case status != http.StatusOK && o.kind == "":
		return o, fmt.Errorf("the rejection has no type: %.200s", text)
	case o.took > mostTime:
		return o, fmt.Errorf("took more than %s", mostTime)
	case o.peak > mostMemory:
		return o, fmt.Errorf("took more than %.0f MiB", mostMemory)
	}
	kept, err := s.kept(name)
	if err != nil {
		return o, err
	}
	if kept != (status == http.StatusOK) {
		return o, fmt.Errorf("kept: %t", kept)
	}
	if kept {
		remove, _ := json.Marshal(map[string]any{"artifact": name, "collection": "hostile"})
		if status, text, err := s.post("/v1/artifacts/delete", remove); err != nil || status != http.StatusOK {
			return o, fmt.Errorf("delete: %w, %.200s", err, text)
		}
	}
	return o, nil
}

func (s *target) post(path string, body []byte) (int, []byte, error) {
	resp, err := s.client.Post(s.url+path, "application/json", bytes.NewReader(body))
	if err != nil {
		return 0, nil, err
	}
	defer resp.Body.Close()
	text, err := io.ReadAll(io.LimitReader(resp.Body, 1<<20))
	return resp.StatusCode, text, err
}

// kept reports whether the service lists a document.
func (s *target) kept(name string) (bool, error) {
	resp, err := s.client.Get(s.url + "/v1/artifacts/list?collection=hostile")
	if err != nil {
		return false, err
	}
	defer resp.Body.Close()
	var list struct{ Data []struct{ Artifact string } }
	if err := json.NewDecoder(resp.Body).Decode(&list); err != nil {
		return false, err
	}
	for _, d := range list.Data {
		if d.Artifact == name {
			return true, nil
		}
	}
	return false, nil
}

// resetPeak resets the process's peak memory to its current use; Linux only.
func (s *target) resetPeak() {
	if s.cmd != nil {
		_ = os.WriteFile(fmt.Sprintf("/proc/%d/clear_refs", s.cmd.Process.Pid), []byte("5"), 0)
	}
}

func (s *target) peak() float64 {
	if s.cmd == nil {
		return 0
	}
	raw, _ := os.ReadFile(fmt.Sprintf("/proc/%d/status", s.cmd.Process.Pid))
	for line := range strings.SplitSeq(string(raw), "\n") {
		var kb float64
		if n, _ := fmt.Sscanf(line, "VmHWM: %f kB", &kb); n == 1 {
			return kb / 1024
		}
	}
	return 0
}
