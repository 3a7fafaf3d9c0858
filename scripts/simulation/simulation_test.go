package simulation_test

import (
	"context"
	"errors"
	"flag"
	"fmt"
	"os"
	"path/filepath"
	"strings"
	"sync"
	"sync/atomic"
	"testing"
	"testing/synctest"
	"time"

	"lectern/shared/chat/async"
	"lectern/shared/fault"
	"lectern/shared/knowledge/artifact"
	"lectern/shared/knowledge/artifact/tasks"
	"lectern/shared/knowledge/reader/formats"
	"lectern/shared/storage/record"
	"lectern/shared/storage/task/localtask"
	"lectern/shared/web/callback"
)

var (
	seeds = flag.Int("seeds", 150, "how many runs")
	first = flag.Uint64("first", 1, "the first seed")
	one   = flag.Uint64("seed", 0, "run this seed alone and print its trace")
)

// memory is a directory that costs no disk, where there is one.
func memory(t *testing.T) string {
	if dir, err := os.MkdirTemp("/dev/shm", "lectern-simulation-"); err == nil {
		t.Cleanup(func() { os.RemoveAll(dir) })
		return dir
	}
	return t.TempDir()
}

// TestSeeds runs seeds on every processor; the log tells those that failed.
func TestSeeds(t *testing.T) {
	dir := memory(t)
	if *one != 0 {
		run(t, *one, dir, true)
		return
	}
	var next atomic.Uint64
	next.Store(*first)
	for shard := range 2 {
		t.Run(fmt.Sprint(shard), func(t *testing.T) {
			t.Parallel()
			for {
				seed := next.Add(1) - 1
				if seed >= *first+uint64(*seeds) || t.Failed() {
					return
				}
				run(t, seed, dir, false)
			}
		})
	}
}

// found are seeds that once broke a promise, each with what it found.
var found = map[uint64]string{
	45276: "a worker held a job for ever that it had failed to finish while a renewal was under way",
	5949:  "as 241, with a worker that had taken the message already",
	709:   "an ingest whose last write happened, though its answer was lost, dropped its live chunks",
	241:   "a start took a message back that another start of its id had answered for",
	53:    "an ingest that was accepted, and whose claim was not made, came after a deletion that found nothing",
	11:    "a job whose record was put while the answer was lost lay until the next start",
}

func TestFoundSeeds(t *testing.T) {
	dir := memory(t)
	for seed := range found {
		run(t, seed, dir, false)
	}
}

func run(t *testing.T, seed uint64, dir string, verbose bool) {
	readers := formats.Builtin(formats.Options{})
	defer readers.Close()
	synctest.Test(t, func(t *testing.T) {
		s := newSim(t, seed, filepath.Join(dir, fmt.Sprint(seed)), readers)
		s.truth = truth{published: map[string][]string{}, chats: map[string]*chatTruth{}, artifacts: map[string]*artifactTruth{}}
		s.kept = newKept()
		s.play()
		if list := s.broken(); len(list) > 0 {
			t.Errorf("seed %d (cloud %v, rate %v):\n%s", seed, s.cloud, s.asked, strings.Join(list, "\n"))
		}
		if verbose {
			t.Logf("%d port calls:\n%s", len(s.trace), strings.Join(s.trace, "\n"))
		}
	})
}

// actors are the goroutines of callers and of restarts.
type actors struct {
	sync.WaitGroup
	busy     atomic.Int64
	starting atomic.Int64 // processes that are not up yet
}

func (a *actors) spawn(f func()) {
	a.busy.Add(1)
	a.Go(func() {
		defer a.busy.Add(-1)
		f()
	})
}

// play runs the whole seed.
func (s *sim) play() {
	a := &actors{}
	s.restart(a)
	if s.cloud {
		s.restart(a)
	}
	for left := 6 + s.rng.IntN(14); left > 0 && len(s.broken()) == 0; {
		synctest.Wait()
		switch r := s.rng.Float64(); {
		case r < .12:
			s.act(a)
			left--
		case r < .13 && s.rate > 0:
			s.murder(a)
		case r < .15:
			time.Sleep(time.Duration(s.rng.IntN(4000)) * time.Millisecond)
		default:
			if !s.step() {
				time.Sleep(time.Duration(1+s.rng.IntN(1000)) * time.Millisecond)
			}
		}
	}
	s.rate = 0
	s.settle(a)
	s.close(a)
}

// close ends every process and audits what is left.
func (s *sim) close(a *actors) {
	for _, p := range s.procs {
		s.end(p)
	}
	done := make(chan struct{})
	go func() {
		a.Wait()
		for _, p := range s.procs {
			p.work.Wait()
		}
		close(done)
	}()
	for over := false; !over; {
		synctest.Wait()
		select {
		case <-done:
			over = true
		default:
			if !s.step() {
				time.Sleep(time.Second)
			}
		}
	}
	if len(s.broken()) > 0 {
		return
	}
	auditor, err := s.start(true)
	if err != nil {
		s.wrong("%v", err)
		return
	}
	defer auditor.kill()
	s.quiet(context.Background(), auditor)
}

// settle lets everything go on without faults until nothing is under way.
func (s *sim) settle(a *actors) {
	for limit := time.Now().Add(40 * time.Minute); ; {
		synctest.Wait()
		if len(s.alive()) == 0 && a.starting.Load() == 0 {
			s.restart(a)
		}
		if s.step() {
			continue
		}
		if a.busy.Load() == 0 && s.idle() {
			return
		}
		if time.Now().After(limit) {
			s.wrong("I3: after 40 quiet minutes %d callers wait and jobs are left: %v", a.busy.Load(), !s.idle())
			return
		}
		time.Sleep(time.Second)
	}
}

// idle reports whether no job is left.
func (s *sim) idle() bool {
	if s.cloud {
		return s.queue.empty()
	}
	page, err := s.records.Range(context.Background(), record.Range{Partition: localtask.Partition})
	return err == nil && len(page.Items) == 0
}

func (s *sim) alive() []*process {
	s.mu.Lock()
	defer s.mu.Unlock()
	var list []*process
	for _, p := range s.procs {
		if p.ctx.Err() == nil {
			list = append(list, p)
		}
	}
	return list
}

// restart starts a process, again and again until it comes up.
func (s *sim) restart(a *actors) {
	a.starting.Add(1)
	a.spawn(func() {
		defer a.starting.Add(-1)
		time.Sleep(50 * time.Millisecond) // what the last one had under way is over
		for {
			if _, err := s.start(false); err == nil {
				return
			}
			time.Sleep(time.Second)
		}
	})
	synctest.Wait()
}

func (s *sim) end(p *process) {
	p.kill()
	if p.local != nil {
		p.work.Go(func() { _ = p.local.Close() })
	}
}

// murder kills a process and starts another; one with a queue of its own only
// then.
func (s *sim) murder(a *actors) {
	list := s.alive()
	if len(list) == 0 || !s.cloud && a.starting.Load() > 0 {
		return
	}
	p := list[s.rng.IntN(len(list))]
	s.note("%s DIES", p.name)
	s.end(p)
	s.restart(a)
}

var collections = []string{"one", "two"}

// act begins one call of a client.
func (s *sim) act(a *actors) {
	list := s.alive()
	if len(list) == 0 {
		return
	}
	p := list[s.rng.IntN(len(list))]
	collection, name, version := collections[s.rng.IntN(2)], fmt.Sprintf("doc%d", s.rng.IntN(2)), s.rng.IntN(1000)
	chat, after := fmt.Sprintf("chat%d", s.rng.IntN(6)), int64(s.rng.IntN(3))
	switch s.rng.IntN(12) {
	case 0, 1:
		a.spawn(func() { s.startChat(p, chat) })
	case 2:
		a.spawn(func() { s.follow(p, chat, after) })
	case 3:
		a.spawn(func() { s.status(p.ctx, p, chat) })
	case 4:
		a.spawn(func() {
			_, err := p.chats.Cancel(p.ctx, chat)
			s.check("cancel", p, err)
		})
	case 5:
		a.spawn(func() { s.deleteChat(p, chat) })
	case 6:
		a.spawn(func() { s.ingest(p, collection, name, version) })
	case 7, 8:
		a.spawn(func() { s.ingestLater(p, collection, name, version) })
	case 9:
		a.spawn(func() { s.remove(p, collection, name, version%2 == 0) })
	case 10:
		a.spawn(func() { s.search(p.ctx, p, collection) })
	case 11:
		a.spawn(func() { s.listing(p.ctx, p, collection) })
	}
}

// check reports an error that no fault explains.
func (s *sim) check(what string, p *process, err error) {
	if err == nil || p.ctx.Err() != nil || errors.Is(err, errInjected) {
		return
	}
	s.guard.Lock()
	s.refused = append(s.refused, fmt.Sprintf("%s: %v", what, err))
	s.guard.Unlock()
	if fault.CodeOf(err) == fault.Internal {
		s.wrong("%s fails by itself: %v", what, err)
	}
}

// startChat starts a chat. The same id always comes with the same body, and none
// is started anew once its deletion was asked for.
func (s *sim) startChat(p *process, id string) {
	s.guard.Lock()
	c := s.chat(id)
	if c.deleting > 0 {
		s.guard.Unlock()
		return
	}
	c.starting++
	s.guard.Unlock()
	_, err := p.chats.Start(p.ctx, async.Start{ID: id, Body: fmt.Appendf(nil, `{"max_tokens":%d,"messages":[{"role":"user","content":"Hello"}]}`,
		3+13*int(id[len(id)-1]-'0'))})
	s.guard.Lock()
	c.starting--
	c.accepted = c.accepted || err == nil && p.ctx.Err() == nil
	s.guard.Unlock()
	s.check("start", p, err)
}

func (s *sim) follow(p *process, id string, after int64) {
	events, err := p.chats.Events(p.ctx, id, after)
	if err != nil {
		s.check("follow", p, err)
		return
	}
	r := &readerTruth{name: p.name, after: after}
	for e, err := range events {
		if err != nil {
			s.check("follow", p, err)
			s.keep(id, r)
			return
		}
		if e.N > 0 {
			r.events = append(r.events, e)
		}
	}
	r.whole = p.ctx.Err() == nil
	s.keep(id, r)
}

func (s *sim) keep(id string, r *readerTruth) {
	s.guard.Lock()
	defer s.guard.Unlock()
	s.chat(id).readers = append(s.chat(id).readers, r)
}

func (s *sim) deleteChat(p *process, id string) {
	s.guard.Lock()
	c := s.chat(id)
	if c.deleting == 0 {
		c.deleting = s.tick()
	}
	settled := c.starting == 0
	s.guard.Unlock()
	err := p.chats.Delete(p.ctx, id)
	s.guard.Lock()
	if err == nil && p.ctx.Err() == nil && c.deleted == 0 && settled {
		c.deleted = s.tick()
	}
	s.guard.Unlock()
	s.check("delete chat", p, err)
}

func (s *sim) ingest(p *process, collection, name string, version int) {
	c := &call{ingest: true, version: version}
	s.begin(collection, name, c)
	_, err := p.artifacts.Ingest(p.ctx, &artifact.Body{Artifact: name, Collection: collection, Input: &artifact.Input{Type: "text",
		Value: text(collection, name, version)}})
	if p.ctx.Err() != nil {
		err = p.ctx.Err()
	}
	s.finish(c, err)
	s.check("ingest", p, err)
}

var told = &callback.Config{AMQP: &callback.AMQP{Exchange: "documents", Done: "done", Progress: "progress", Error: "error"}}

func (s *sim) ingestLater(p *process, collection, name string, version int) {
	c := &call{ingest: true, version: version}
	s.begin(collection, name, c)
	id, err := p.tasks.Ingest(p.ctx, &tasks.IngestBody{Callback: told, Body: &artifact.Body{Artifact: name, Collection: collection,
		Input: &artifact.Input{Type: "text", Value: text(collection, name, version)}}})
	if p.ctx.Err() != nil {
		err = p.ctx.Err()
	}
	if err == nil {
		c.task = id
	}
	s.finish(c, err)
	s.check("ingest later", p, err)
}

func (s *sim) remove(p *process, collection, name string, later bool) {
	c := &call{}
	s.begin(collection, name, c)
	body := &artifact.DeleteBody{Collection: collection, Artifact: name}
	var err error
	if later {
		var id string
		if id, err = p.tasks.Delete(p.ctx, &tasks.DeleteBody{Body: body, Callback: told}); err == nil && p.ctx.Err() == nil {
			c.task = id
		}
	} else {
		err = p.artifacts.Delete(p.ctx, body)
	}
	if p.ctx.Err() != nil {
		err = p.ctx.Err()
	}
	s.finish(c, err)
	s.check("delete", p, err)
}
