// Command crash repeatedly kills the service during work, restarts it on the
// same data, and verifies: every document is its old or new version, complete;
// lists and searches agree; every accepted async chat ends with the events that
// its reader saw; every accepted task ends; files, skills, collections and batches
// are as they were answered; backups restore. First starts are killed too, and
// processes that compact the stores without an end.
//
//	go run ./scripts/crash -rounds 50
package main

import (
	"bytes"
	"encoding/json"
	"flag"
	"fmt"
	"io"
	"math/rand/v2"
	"net"
	"net/http"
	"os"
	"os/exec"
	"path/filepath"
	"strings"
	"sync"
	"syscall"
	"time"
)

func main() {
	rounds := flag.Int("rounds", 5, "how often to kill")
	seed := flag.Uint64("seed", uint64(time.Now().UnixNano()), "of the moments to kill at")
	child := flag.String("store", "", "be the process that is killed while it compacts the stores of this directory")
	flag.Parse()
	if *child != "" {
		fmt.Fprintln(os.Stderr, "crash:", store(*child))
		os.Exit(1)
	}
	fmt.Printf("crash: %d rounds, seed %d\n", *rounds, *seed)
	if err := run(*rounds, rand.New(rand.NewPCG(*seed, 0))); err != nil {
		fmt.Fprintln(os.Stderr, "crash:", err)
		os.Exit(1)
	}
}

const documents = 6

func run(rounds int, rng *rand.Rand) error {
	dir, err := os.MkdirTemp("", "lectern-crash-")
	if err != nil {
		return err
	}
	defer os.RemoveAll(dir)
	binary := filepath.Join(dir, "lectern")
	build := exec.Command("go", "build", "-o", binary, "./functions/local")
	build.Stderr = os.Stderr
	if err := build.Run(); err != nil {
		return err
	}
	model := slowModel()
	defer model.Close()
	w := &world{committed: map[string]int{}, tried: map[string]map[int]bool{}, later: newLater(), kept: newKept(dir, binary)}
	if err := firstStarts(binary, dir, model.URL, rng); err != nil {
		return err
	}
	if err := compactions(dir, rounds, rng); err != nil {
		return err
	}
	data := filepath.Join(dir, "data")
	for round := range rounds {
		s, err := start(binary, filepath.Join(dir, "data"), model.URL)
		if err != nil {
			return fmt.Errorf("round %d: %w", round, err)
		}
		if err := w.check(s.url); err != nil {
			return fmt.Errorf("round %d: %w", round, err)
		}
		w.work(s.url, data, time.Duration(20+rng.IntN(400))*time.Millisecond, s.cmd.Process, rng)
		s.cmd.Wait()
	}
	s, err := start(binary, filepath.Join(dir, "data"), model.URL)
	if err != nil {
		return err
	}
	defer s.cmd.Wait()
	defer s.cmd.Process.Signal(syscall.SIGTERM)
	if err := w.check(s.url); err != nil {
		return err
	}
	if err := w.kept.restored(dir, model.URL); err != nil {
		return err
	}
	fmt.Printf("crash: ok; %d ingests and deletes were answered, %d were cut off; accepted work ended as %v; looked at %v\n", w.answered, w.cut,
		w.later.ended, w.kept.done)
	return nil
}

type server struct {
	cmd *exec.Cmd
	url string
}

func start(binary, data, model string) (*server, error) {
	l, err := net.Listen("tcp", "127.0.0.1:0")
	if err != nil {
		return nil, err
	}
	addr := l.Addr().String()
	l.Close()
	cmd := exec.Command(binary)
	cmd.Env = append(os.Environ(), "LECTERN_ADDR="+addr, "LECTERN_DATA="+data, "LECTERN_LOG=error",
		"LECTERN_CHAT=extractive:,openai+"+model+"/v1?model=slow&as=slow")
	cmd.Stderr = os.Stderr
	if err := cmd.Start(); err != nil {
		return nil, err
	}
	for range 200 {
		if resp, err := http.Get("http://" + addr + "/ready"); err == nil {
			resp.Body.Close()
			return &server{cmd, "http://" + addr}, nil
		}
		time.Sleep(20 * time.Millisecond)
	}
	return nil, fmt.Errorf("the service did not start again")
}

// world is the possible state of the service: the last confirmed version of
// each document, and those requested since.
type world struct {
	mu            sync.Mutex
	committed     map[string]int // 0: not there
	tried         map[string]map[int]bool
	version       int
	answered, cut int
	later         *later
	kept          *kept
}

// firstStarts kills services while they make an empty data directory theirs, and while
// they open it again; the next one starts.
func firstStarts(binary, dir, model string, rng *rand.Rand) error {
	for i := range 4 {
		data := filepath.Join(dir, fmt.Sprint("first", i))
		for range 3 {
			cmd := exec.Command(binary)
			cmd.Env = append(os.Environ(), "LECTERN_ADDR=127.0.0.1:0", "LECTERN_DATA="+data, "LECTERN_LOG=error")
			if err := cmd.Start(); err != nil {
				return err
			}
			time.Sleep(time.Duration(1+rng.IntN(150)) * time.Millisecond)
			_ = cmd.Process.Kill() // it may have ended
			_ = cmd.Wait()
		}
		s, err := start(binary, data, model)
		if err != nil {
			return fmt.Errorf("after a first start that was killed: %w", err)
		}
		_ = s.cmd.Process.Kill()
		_ = s.cmd.Wait()
	}
	return nil
}

// text returns a version of a document. Every paragraph contains the version,
// so that a mixture is detected.
func text(name string, version int) string {
	var out strings.Builder
	for i := range 120 {
		fmt.Fprintf(&out, "Paragraph %d of document %s tells of revision%d and of nothing else that matters to anyone who reads this sentence today.\n\n", i, name, version)
	}
	return out.String()
}

// work writes documents from several clients until the process is killed.
func (w *world) work(url, data string, life time.Duration, victim *os.Process, rng *rand.Rand) {
	done := make(chan struct{})
	var group sync.WaitGroup
	for i := range documents {
		name := fmt.Sprintf("doc%d", i)
		own := rand.New(rand.NewPCG(rng.Uint64(), 1))
		group.Go(func() {
			for {
				select {
				case <-done:
					return
				default:
					w.step(url, name, own.IntN(5) == 0)
				}
			}
		})
	}
	w.later.work(&group, url, done, rng)
	w.kept.work(&group, url, data, done, rng)
	time.Sleep(life)
	victim.Kill()
	close(done)
	group.Wait()
}

func (w *world) step(url, name string, remove bool) {
	w.mu.Lock()
	w.version++
	version, path := w.version, "/v1/artifacts/ingest"
	body := map[string]any{"artifact": name, "collection": "crash", "input": map[string]any{"type": "text", "value": text(name, version)}}
	if remove {
		version, path, body = 0, "/v1/artifacts/delete", map[string]any{"artifact": name, "collection": "crash"}
	}
	if w.tried[name] == nil {
		w.tried[name] = map[int]bool{}
	}
	w.tried[name][version] = true
	w.mu.Unlock()
	status, _, err := post(url+path, body)
	w.mu.Lock()
	defer w.mu.Unlock()
	if err != nil {
		w.cut++
		return
	}
	if status == http.StatusOK || status == http.StatusNotFound {
		w.answered++
		w.committed[name], w.tried[name] = version, map[int]bool{}
	}
}

// check compares lists, searches and texts with the possible states.
func (w *world) check(url string) error {
	if err := w.later.check(url); err != nil {
		return err
	}
	if err := w.kept.check(url); err != nil {
		return err
	}
	listed, err := listOf(url, "crash")
	if err != nil {
		return err
	}
	for i := range documents {
		name := fmt.Sprintf("doc%d", i)
		version, err := shown(url, "crash", name, listed[name])
		if err != nil {
			return err
		}
		if version != w.committed[name] && !w.tried[name][version] {
			return fmt.Errorf("%s is at version %d, which was neither answered (%d) nor asked for since (%v)", name, version, w.committed[name],
				w.tried[name])
		}
		w.committed[name], w.tried[name] = version, map[int]bool{}
	}
	return nil
}

// listOf returns the artifacts of a collection.
func listOf(url, collection string) (map[string]bool, error) {
	resp, err := http.Get(url + "/v1/artifacts/list?collection=" + collection)
	if err != nil {
		return nil, err
	}
	defer resp.Body.Close()
	var list struct{ Data []struct{ Artifact string } }
	if err := json.NewDecoder(resp.Body).Decode(&list); err != nil {
		return nil, err
	}
	listed := map[string]bool{}
	for _, d := range list.Data {
		listed[d.Artifact] = true
	}
	return listed, nil
}

// shown returns the version in the text and every found chunk of a document; 0
// if there is none.
func shown(url, collection, name string, listed bool) (int, error) {
	filter := map[string]any{"collection": collection, "artifacts": []string{name}}
	status, raw, err := post(url+"/v1/artifacts/content", map[string]any{"context_filter": filter})
	if err != nil {
		return 0, err
	}
	if listed != (status == http.StatusOK) {
		return 0, fmt.Errorf("%s: listed %v, but its content answers %d", name, listed, status)
	}
	status, found, err := post(url+"/v1/primitives/search", map[string]any{"type": "semantic_search", "text": "paragraph revision",
		"limit": 100, "context_filter": map[string]any{"collection": collection, "metadata_filter": []any{}}})
	if err != nil || status != http.StatusOK {
		return 0, fmt.Errorf("search answers %d, %v", status, err)
	}
	var hits struct {
		Data []struct {
			Text     string
			Document struct{ Artifact string }
		}
	}
	if err := json.Unmarshal(found, &hits); err != nil {
		return 0, err
	}
	versions := map[int]bool{}
	for _, h := range hits.Data {
		if h.Document.Artifact == name {
			collect(h.Text, versions)
		}
	}
	if !listed {
		if len(versions) > 0 {
			return 0, fmt.Errorf("%s is not listed but found", name)
		}
		return 0, nil
	}
	collect(string(raw), versions)
	if len(versions) != 1 {
		return 0, fmt.Errorf("%s shows versions %v at once", name, versions)
	}
	for v := range versions {
		return v, nil
	}
	return 0, nil
}

func collect(text string, into map[int]bool) {
	for _, part := range strings.Split(text, "revision")[1:] {
		var v int
		if n, _ := fmt.Sscanf(part, "%d", &v); n == 1 {
			into[v] = true
		}
	}
}

func post(url string, body any) (int, []byte, error) {
	raw, err := json.Marshal(body)
	if err != nil {
		return 0, nil, err
	}
	resp, err := http.Post(url, "application/json", bytes.NewReader(raw))
	if err != nil {
		return 0, nil, err
	}
	defer resp.Body.Close()
	text, err := io.ReadAll(resp.Body)
	return resp.StatusCode, text, err
}
