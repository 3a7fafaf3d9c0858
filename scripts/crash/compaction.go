package main

import (
	"bufio"
	"context"
	"errors"
	"fmt"
	"io"
	"math/rand/v2"
	"os"
	"os/exec"
	"path/filepath"
	"strings"
	"sync"
	"time"

	"lectern/shared/fault"
	"lectern/shared/knowledge/index"
	"lectern/shared/knowledge/index/segindex"
	"lectern/shared/storage/object"
	"lectern/shared/storage/object/diskobject"
	"lectern/shared/storage/record"
	"lectern/shared/storage/record/boltrecord"
)

// shelf is the three embedded stores. The service compacts them once a day, too seldom
// to be killed at it.
type shelf struct {
	objects *diskobject.Store
	records *boltrecord.Store
	index   *segindex.Store
}

func openShelf(dir string) (*shelf, error) {
	s := &shelf{}
	var err error
	if s.objects, err = diskobject.Open(filepath.Join(dir, "objects"), diskobject.Options{}); err != nil {
		return nil, err
	}
	if s.records, err = boltrecord.Open(filepath.Join(dir, "records.db"), boltrecord.Options{}); err != nil {
		return nil, errors.Join(err, s.objects.Close())
	}
	if s.index, err = segindex.Open(filepath.Join(dir, "index"), segindex.Options{}); err != nil {
		return nil, errors.Join(err, s.objects.Close(), s.records.Close())
	}
	return s, nil
}

func (s *shelf) close() error {
	return errors.Join(s.objects.Close(), s.records.Close(), s.index.Close())
}

// things are what is stored, by the kind of store and a number.
const (
	kinds         = "orx" // objects, records, chunks of the index
	thingsOfAKind = 12
)

// body is a version's content. Objects of some numbers are files of their own.
func body(number, version int) string {
	times := 40
	if number%6 == 0 {
		times = 2000
	}
	return strings.Repeat(fmt.Sprintf("revision%d of what is stored under number %d. ", version, number), times)
}

// set stores a version of a thing; 0 deletes it.
func (s *shelf) set(ctx context.Context, kind byte, number, version int) error {
	name, text := fmt.Sprint("thing", number), body(number, version)
	switch {
	case kind == 'o' && version == 0:
		return s.objects.Delete(ctx, name)
	case kind == 'o':
		_, err := s.objects.Put(ctx, name, strings.NewReader(text), object.PutOptions{Size: int64(len(text))})
		return err
	case kind == 'r' && version == 0:
		return s.records.Delete(ctx, record.Key{Partition: "p", Sort: name}, record.Any())
	case kind == 'r':
		return s.records.Put(ctx, record.Item{Key: record.Key{Partition: "p", Sort: name}, Value: []byte(text)}, record.Any())
	case version == 0:
		return s.index.Drop(ctx, "c", name, "")
	}
	generation := fmt.Sprint(name, "-", version) // of this document alone
	return s.index.Write(ctx, []index.Chunk{{ID: generation, Collection: "c", Artifact: name, Generation: generation, Text: text}})
}

// versions returns what is there of a thing: none, or the versions. Only the index, in
// which a version does not replace the one before, has more than one.
func (s *shelf) versions(ctx context.Context, kind byte, number int) (map[int]bool, error) {
	name, found := fmt.Sprint("thing", number), map[int]bool{}
	var texts []string
	var err error
	switch kind {
	case 'o':
		var raw []byte
		if raw, _, err = object.ReadAll(ctx, s.objects, name, 1<<20); err == nil {
			texts = []string{string(raw)}
		}
	case 'r':
		var item record.Item
		if item, err = s.records.Find(ctx, record.Key{Partition: "p", Sort: name}); err == nil {
			texts = []string{string(item.Value)}
		}
	default:
		for g, gerr := range s.index.Generations(ctx, "c", index.Generation{}) {
			if err = errors.Join(err, gerr); gerr != nil || g.Artifact != name {
				continue
			}
			chunks, aerr := s.index.Around(ctx, "c", name, g.Generation, 1, 1, 0) // what is before its second chunk
			if err = errors.Join(err, aerr); err != nil || len(chunks) != 1 {
				return nil, fmt.Errorf("%s has %d chunks in generation %s, %v", name, len(chunks), g.Generation, err)
			}
			texts = append(texts, chunks[0].Text)
		}
	}
	if err != nil && !fault.Is(err, fault.NotFound) {
		return nil, err
	}
	for _, text := range texts {
		one := map[int]bool{}
		collect(text, one)
		for v := range one {
			if found[v] = true; text != body(number, v) {
				return nil, fmt.Errorf("%c %s is not whole at version %d", kind, name, v)
			}
		}
	}
	return found, nil
}

// store is what the process that is killed does: it changes things, compacts without an
// end, and says what it begins and what is done.
func store(dir string) error {
	s, err := openShelf(dir)
	if err != nil {
		return err
	}
	var out sync.Mutex
	say := func(word string, kind byte, number, version int) {
		out.Lock()
		defer out.Unlock()
		fmt.Printf("%s %c %d %d\n", word, kind, number, version)
	}
	ctx := context.Background()
	failed := make(chan error)
	for _, reclaim := range []func(context.Context) (bool, error){s.objects.Reclaim, s.records.Reclaim, s.index.Reclaim} {
		go func() {
			for {
				if _, err := reclaim(ctx); err != nil {
					failed <- fmt.Errorf("compacting: %w", err)
				}
				time.Sleep(time.Millisecond)
			}
		}()
	}
	for _, kind := range []byte(kinds) {
		for number := range thingsOfAKind {
			go func() {
				for {
					version := int(time.Now().UnixNano()/1000) % 1_000_000_000 // grows from one process to the next
					if rand.IntN(3) == 0 {
						version = 0
					}
					say("begun", kind, number, version)
					if err := s.set(ctx, kind, number, version); err != nil {
						failed <- err
					}
					say("done", kind, number, version)
				}
			}()
		}
	}
	return <-failed
}

// thing is what is known of one: the versions that may be there.
type thing struct {
	may  map[int]bool // one of them, or all in the index
	must map[int]bool // of the index: those that were answered, and not dropped
}

// compactions kills processes that compact the stores, and looks at what is left.
func compactions(dir string, rounds int, rng *rand.Rand) error {
	self, err := os.Executable()
	if err != nil {
		return err
	}
	data := filepath.Join(dir, "compacted")
	known, done := map[string]*thing{}, 0
	for round := range rounds {
		cmd := exec.Command(self, "-store", data)
		cmd.Stderr = os.Stderr
		said, err := cmd.StdoutPipe()
		if err != nil {
			return err
		}
		if err := cmd.Start(); err != nil {
			return err
		}
		killed := time.AfterFunc(time.Duration(100+rng.IntN(500))*time.Millisecond, func() { _ = cmd.Process.Kill() })
		n := note(known, said)
		killed.Stop()
		if err := cmd.Wait(); err == nil || cmd.ProcessState.Exited() {
			return fmt.Errorf("compaction %d: the process ended by itself: %w", round, err)
		}
		if done += n; n == 0 {
			continue // killed before it began
		}
		if err := lookAt(data, known); err != nil {
			return fmt.Errorf("after a kill during compaction %d: %w", round, err)
		}
	}
	fmt.Printf("crash: compactions ok; %d changes were answered in %d processes that compacted without an end\n", done, rounds)
	return nil
}

// note reads what a process says until its end, and returns how many changes it made.
func note(known map[string]*thing, said io.Reader) (done int) {
	lines := bufio.NewScanner(said)
	for lines.Scan() {
		var word string
		var kind, number, version int
		if _, err := fmt.Sscanf(lines.Text(), "%s %c %d %d", &word, &kind, &number, &version); err != nil {
			continue // the last line may be torn
		}
		key := fmt.Sprintf("%c%d", kind, number)
		t := known[key]
		if t == nil {
			t = &thing{may: map[int]bool{0: true}, must: map[int]bool{}}
			known[key] = t
		}
		switch {
		case word == "begun":
			t.may[version] = true
			if version == 0 {
				clear(t.must) // they go with it, if it is done
			}
		case kind == 'x' && version != 0:
			t.must[version] = true
			done++
		default:
			t.may = map[int]bool{version: true}
			done++
		}
	}
	return done
}

// lookAt compares the stores with what is known of them.
func lookAt(data string, known map[string]*thing) error {
	s, err := openShelf(data)
	if err != nil {
		return err
	}
	defer s.close()
	if n := s.objects.Damaged() + s.records.Damaged() + s.index.Damaged(); n > 0 {
		return fmt.Errorf("%d things are damaged", n)
	}
	for _, kind := range []byte(kinds) {
		for number := range thingsOfAKind {
			t := known[fmt.Sprintf("%c%d", kind, number)]
			if t == nil {
				continue
			}
			found, err := s.versions(context.Background(), kind, number)
			if err != nil {
				return err
			}
			if len(found) == 0 && !t.may[0] {
				return fmt.Errorf("%c%d is lost; it may be %v", kind, number, t.may)
			}
			for v := range found {
				if !t.may[v] {
					return fmt.Errorf("%c%d is at version %d, which may not be there: %v may", kind, number, v, t.may)
				}
			}
			for v := range t.must {
				if !found[v] {
					return fmt.Errorf("%c%d has lost version %d of %v; %v are there", kind, number, v, t.must, found)
				}
			}
			t.may, t.must = map[int]bool{}, map[int]bool{}
			for v := range found {
				t.may[v] = true
				if kind == 'x' {
					t.must[v] = true
				}
			}
			if len(found) == 0 {
				t.may[0] = true
			}
		}
	}
	return nil
}
