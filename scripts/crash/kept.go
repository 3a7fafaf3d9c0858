package main

import (
	"bufio"
	"bytes"
	"encoding/json"
	"fmt"
	"io"
	"math/rand/v2"
	"net/http"
	"os"
	"os/exec"
	"path/filepath"
	"strings"
	"sync"
	"time"
)

// kept is what is stored beside documents: files, skills, whole collections that come
// and go, batches, and backups that are made while the service is killed.
type kept struct {
	mu      sync.Mutex
	n       int
	files   map[string]int          // by name, the last version that was answered; 0: not there
	maybe   map[string]map[int]bool // versions that were asked for since
	skills  map[string]bool         // ids of those made, and answered
	gone    map[string]bool         // collections whose deletion was answered, without an ingest since
	batches map[string]bool
	done    map[string]int // count of what was looked at
	program string
	backups string // directory
}

func newKept(dir, program string) *kept {
	return &kept{files: map[string]int{}, maybe: map[string]map[int]bool{}, skills: map[string]bool{}, gone: map[string]bool{}, batches: map[string]bool{},
		done: map[string]int{}, program: program, backups: dir}
}

const keptFiles, batchSize = 3, 20

func (k *kept) next() int {
	k.mu.Lock()
	defer k.mu.Unlock()
	k.n++
	return k.n
}

// work keeps storing until done is closed. data is the directory of the service.
func (k *kept) work(group *sync.WaitGroup, url, data string, done chan struct{}, rng *rand.Rand) {
	until := func(f func()) { repeat(group, done, f) }
	for i := range keptFiles {
		own := rand.New(rand.NewPCG(rng.Uint64(), 3))
		until(func() { k.file(url, fmt.Sprintf("file%d.txt", i), own.IntN(4) == 0) })
	}
	until(func() { k.skill(url) })
	until(func() { k.collection(url) })
	until(func() { k.batch(url) })
	until(func() { k.backup(data) })
}

// form sends one part of a form.
func form(url, field, name, content string) (int, []byte, error) {
	body := "--b\r\nContent-Disposition: form-data; name=\"" + field + "\"; filename=\"" + name + "\"\r\n\r\n" + content + "\r\n--b--\r\n"
	return send(http.MethodPost, url, "multipart/form-data; boundary=b", body)
}

func send(method, url, contentType, body string) (int, []byte, error) {
	r, err := http.NewRequest(method, url, strings.NewReader(body))
	if err != nil {
		return 0, nil, err
	}
	r.Header.Set("Content-Type", contentType)
	resp, err := http.DefaultClient.Do(r)
	if err != nil {
		return 0, nil, err
	}
	defer resp.Body.Close()
	raw, err := io.ReadAll(resp.Body)
	return resp.StatusCode, raw, err
}

func (k *kept) file(url, name string, remove bool) {
	version := k.next()
	if remove {
		version = 0
	}
	k.mu.Lock()
	if k.maybe[name] == nil {
		k.maybe[name] = map[int]bool{}
	}
	k.maybe[name][version] = true
	k.mu.Unlock()
	var status int
	var err error
	if remove {
		status, _, err = send(http.MethodDelete, url+"/v1/files/uploads/"+name+"?scope_id=crash", "", "")
	} else {
		status, _, err = form(url+"/v1/files?scope_id=crash", "file", name, text(name, version))
	}
	if err != nil || status >= 500 {
		return
	}
	k.mu.Lock()
	defer k.mu.Unlock()
	k.files[name], k.maybe[name] = version, map[int]bool{}
}

func (k *kept) skill(url string) {
	n := k.next()
	status, raw, err := form(url+"/v1/skills?collection=crash", "files[]", "SKILL.md", fmt.Sprintf("---\nname: skill-%d\ndescription: Skill %d.\n---\nBoil water.\n", n, n))
	var made struct {
		ID string `json:"id"`
	}
	if err != nil || status != http.StatusOK || json.Unmarshal(raw, &made) != nil {
		return
	}
	k.mu.Lock()
	k.skills[made.ID] = true
	k.mu.Unlock()
	if n%3 == 0 {
		return
	}
	k.mu.Lock()
	delete(k.skills, made.ID) // it may be there or not until that is answered
	k.mu.Unlock()
	_, _, _ = send(http.MethodDelete, url+"/v1/skills/"+made.ID+"?collection=crash", "", "")
}

// collection makes a collection of three documents and deletes it.
func (k *kept) collection(url string) {
	name := fmt.Sprintf("crash-gone%d", k.next()%4)
	k.mu.Lock()
	delete(k.gone, name)
	k.mu.Unlock()
	for i := range 3 {
		if _, _, err := post(url+"/v1/artifacts/ingest", map[string]any{"artifact": fmt.Sprint("d", i), "collection": name,
			"input": map[string]any{"type": "text", "value": "A document that goes with its collection."}}); err != nil {
			return
		}
	}
	if status, _, err := send(http.MethodDelete, url+"/v1/collections/"+name, "", ""); err == nil && status == http.StatusOK {
		k.mu.Lock()
		k.gone[name] = true
		k.mu.Unlock()
	}
}

func (k *kept) batch(url string) {
	var requests []any
	for i := range batchSize {
		requests = append(requests, map[string]any{"custom_id": fmt.Sprint("r", i), "params": map[string]any{"model": "extractive", "max_tokens": 50,
			"messages": []any{map[string]any{"role": "user", "content": "Hello"}}}})
	}
	status, raw, err := post(url+"/v1/messages/batches", map[string]any{"requests": requests})
	var made struct {
		ID string `json:"id"`
	}
	if err == nil && status == http.StatusOK && json.Unmarshal(raw, &made) == nil {
		k.mu.Lock()
		k.batches[made.ID] = true
		k.mu.Unlock()
	}
	time.Sleep(100 * time.Millisecond)
}

// backup makes a backup; one that ends well has to be restored by anybody.
func (k *kept) backup(data string) {
	path := filepath.Join(k.backups, fmt.Sprintf("backup-%d", k.next()))
	cmd := exec.Command(k.program, "backup", path)
	cmd.Env = append(os.Environ(), "LECTERN_DATA="+data)
	if cmd.Run() != nil {
		_ = os.Remove(path) // what is left of one that failed may not be taken for a backup
		return
	}
	time.Sleep(50 * time.Millisecond)
}

// check verifies what was answered.
func (k *kept) check(url string) error {
	for i := range keptFiles {
		name := fmt.Sprintf("file%d.txt", i)
		status, raw, err := send(http.MethodGet, url+"/v1/files/uploads/"+name+"/content?scope_id=crash", "", "")
		if err != nil {
			return err
		}
		versions := map[int]bool{}
		collect(string(raw), versions)
		version := 0
		for version = range versions {
		}
		if status == http.StatusNotFound {
			version = 0
		} else if status != http.StatusOK || len(versions) != 1 || string(raw) != text(name, version) {
			return fmt.Errorf("%s answers %d with versions %v", name, status, versions)
		}
		if version != k.files[name] && !k.maybe[name][version] {
			return fmt.Errorf("%s is at version %d; %d was answered, %v perhaps", name, version, k.files[name], k.maybe[name])
		}
		k.files[name], k.maybe[name] = version, map[int]bool{}
		k.done["files"]++
	}
	for id := range k.skills {
		if status, raw, err := send(http.MethodGet, url+"/v1/skills/"+id+"?collection=crash", "", ""); err != nil || status != http.StatusOK {
			return fmt.Errorf("the skill %s answers %d %.200s, %v", id, status, raw, err)
		}
		k.done["skills"]++
	}
	for name := range k.gone {
		if listed, err := listOf(url, name); err != nil || len(listed) > 0 {
			return fmt.Errorf("the deleted collection %s lists %v, %v", name, listed, err)
		}
		k.done["collections"]++
	}
	for id := range k.batches {
		if err := ended(url, id); err != nil {
			return err
		}
		delete(k.batches, id)
		k.done["batches"]++
	}
	return nil
}

// ended waits for a batch and looks for each result once.
func ended(url, id string) error {
	state := ""
	for range 1200 {
		var err error
		if state, err = member(url+"/v1/messages/batches/"+id, "processing_status"); err != nil {
			return err
		}
		if state == "ended" {
			break
		}
		time.Sleep(50 * time.Millisecond)
	}
	status, raw, err := send(http.MethodGet, url+"/v1/messages/batches/"+id+"/results", "", "")
	if err != nil || status != http.StatusOK {
		return fmt.Errorf("the results of %s, which is %s, answer %d, %v", id, state, status, err)
	}
	seen := map[string]bool{}
	lines := bufio.NewScanner(bytes.NewReader(raw))
	lines.Buffer(nil, 1<<20)
	for lines.Scan() {
		var one struct {
			ID     string                `json:"custom_id"`
			Result struct{ Type string } `json:"result"`
		}
		if err := json.Unmarshal(lines.Bytes(), &one); err != nil || seen[one.ID] || one.Result.Type != "succeeded" {
			return fmt.Errorf("a result of %s is %s, %v", id, lines.Bytes(), err)
		}
		seen[one.ID] = true
	}
	if len(seen) != batchSize {
		return fmt.Errorf("the batch %s has %d results of %d", id, len(seen), batchSize)
	}
	return lines.Err()
}

// restored restores backups into empty directories, and serves them: each document is
// whole, and found by its text once the index is made again.
func (k *kept) restored(dir, model string) error {
	list, err := filepath.Glob(filepath.Join(k.backups, "backup-*"))
	if err != nil {
		return err
	}
	for i, path := range list[:min(len(list), mostRestored)] {
		data := filepath.Join(dir, fmt.Sprint("restored", i))
		cmd := exec.Command(k.program, "restore", path)
		cmd.Env = append(os.Environ(), "LECTERN_DATA="+data)
		if out, err := cmd.CombinedOutput(); err != nil {
			return fmt.Errorf("restoring a backup: %w: %s", err, out)
		}
		s, err := start(k.program, data, model)
		if err != nil {
			return fmt.Errorf("a restored backup: %w", err)
		}
		for d := 0; err == nil && d < documents; d++ {
			err = whole(s.url, fmt.Sprintf("doc%d", d))
		}
		_ = s.cmd.Process.Kill()
		_ = s.cmd.Wait()
		if err != nil {
			return fmt.Errorf("a restored backup: %w", err)
		}
		k.done["backups restored"]++
	}
	return nil
}

const mostRestored = 5

// whole waits until a document that is listed is found in one version.
func whole(url, name string) error {
	var err error
	for range 200 {
		var listed map[string]bool
		if listed, err = listOf(url, "crash"); err == nil {
			var version int
			if version, err = shown(url, "crash", name, listed[name]); err == nil && listed[name] && version == 0 {
				err = fmt.Errorf("%s shows no version", name)
			}
		}
		if err == nil {
			return nil
		}
		time.Sleep(50 * time.Millisecond)
	}
	return err
}
