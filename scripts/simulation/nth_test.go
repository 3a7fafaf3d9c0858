package simulation_test

import (
	"fmt"
	"path/filepath"
	"strings"
	"sync/atomic"
	"testing"
	"testing/synctest"
	"time"

	"lectern/shared/knowledge/reader"
	"lectern/shared/knowledge/reader/formats"
)

// deed is something that a client or a worker does.
type deed func(s *sim, p *process)

// story is what goes well first, and then deeds of which one port call goes wrong.
type story struct {
	name          string
	before, deeds []deed
	later         time.Duration // between them
}

func starts(id string) deed  { return func(s *sim, p *process) { s.startChat(p, id) } }
func follows(id string) deed { return func(s *sim, p *process) { s.follow(p, id, 0) } }
func asks(id string) deed    { return func(s *sim, p *process) { s.status(p.ctx, p, id) } }
func forgets(id string) deed { return func(s *sim, p *process) { s.deleteChat(p, id) } }
func ingests(version int) deed {
	return func(s *sim, p *process) { s.ingest(p, "one", "doc0", version) }
}
func ingestsLater(version int) deed {
	return func(s *sim, p *process) { s.ingestLater(p, "one", "doc0", version) }
}
func removes(later bool) deed {
	return func(s *sim, p *process) { s.remove(p, "one", "doc0", later) }
}

func cancels(id string) deed {
	return func(s *sim, p *process) {
		_, err := p.chats.Cancel(p.ctx, id)
		s.check("cancel", p, err)
	}
}

func looks(s *sim, p *process) {
	s.search(p.ctx, p, "one")
	s.listing(p.ctx, p, "one")
}

// sweeps is what the sweeper does.
func sweeps(s *sim, p *process) {
	s.check("sweep", p, p.artifacts.Sweep(p.ctx, true))
	s.check("sweep", p, p.tasks.Sweep(p.ctx))
	s.check("sweep", p, p.chats.Sweep(p.ctx))
}

var stories = []story{
	{name: "an async message, followed", deeds: []deed{starts("chat1"), follows("chat1"), asks("chat1")}},
	{name: "an async message, cancelled", before: []deed{starts("chat2")}, deeds: []deed{cancels("chat2"), asks("chat2")}},
	{name: "an async message, deleted", before: []deed{starts("chat3")}, deeds: []deed{forgets("chat3"), asks("chat3")}},
	{name: "an ingest", deeds: []deed{ingests(1), looks}},
	{name: "an ingest that replaces", before: []deed{ingests(1)}, deeds: []deed{ingests(2), looks}},
	{name: "an ingest later", deeds: []deed{ingestsLater(1), looks}},
	{name: "an ingest later that replaces", before: []deed{ingests(1)}, deeds: []deed{ingestsLater(2), looks}},
	{name: "a deletion", before: []deed{ingests(1)}, deeds: []deed{removes(false), looks}},
	{name: "a deletion later", before: []deed{ingests(1)}, deeds: []deed{removes(true), looks}},
	{name: "an ingest after a deletion", before: []deed{ingests(1), removes(true)}, deeds: []deed{ingestsLater(2), looks}},
	{name: "a sweep", before: []deed{ingests(1), removes(false), ingestsLater(2), starts("chat4"), forgets("chat4")},
		later: 25 * time.Hour, deeds: []deed{sweeps, looks}},
}

// TestEveryCall: in each story every port call fails in turn, before and after its
// effect, and is the last of its process; each time the promises hold.
func TestEveryCall(t *testing.T) {
	dir := memory(t)
	readers := formats.Builtin(formats.Options{})
	t.Cleanup(func() { readers.Close() })
	var runs atomic.Int64
	t.Cleanup(func() { t.Logf("%d runs", runs.Load()) })
	for i, st := range allStories() {
		t.Run(st.name, func(t *testing.T) {
			t.Parallel()
			for _, cloud := range []bool{true, false} {
				for name, f := range map[string]fate{"before": before, "after": after, "dies": dies, "last": last} {
					for n := 1; ; n++ {
						where := fmt.Sprintf("%s, cloud %v, call %d, %s", st.name, cloud, n, name)
						if !everyCall(t, where, st, cloud, n, f, filepath.Join(dir, fmt.Sprint(i, cloud, n, name)), readers) {
							break
						}
						runs.Add(1)
						if n > mostCalls {
							t.Fatalf("%s: the story has no end", where)
						}
						if t.Failed() {
							return
						}
					}
				}
			}
		})
	}
}

// mostCalls is more than a story has.
const mostCalls = 400

// everyCall plays a story in which the n-th call has a fate, and reports whether it
// has as many.
func everyCall(t *testing.T, where string, st story, cloud bool, n int, f fate, dir string, readers *reader.Set) (reached bool) {
	synctest.Test(t, func(t *testing.T) {
		s := newSim(t, uint64(n), dir, readers)
		s.cloud, s.rate, s.asked = cloud, 0, 0
		s.truth = truth{published: map[string][]string{}, chats: map[string]*chatTruth{}, artifacts: map[string]*artifactTruth{}}
		s.kept = newKept()
		a := &actors{}
		s.restart(a)
		s.settle(a)
		for _, d := range st.before {
			s.drive(a, d)
		}
		s.settle(a)
		time.Sleep(st.later)
		s.nth = &nth{number: n, fate: f}
		for _, d := range st.deeds {
			s.drive(a, d)
		}
		s.settle(a)
		reached = s.nth.seen >= n
		s.nth = nil
		s.close(a)
		if !reached && len(s.refused) > 0 {
			s.wrong("although no call failed: %v", s.refused)
		}
		if list := s.broken(); len(list) > 0 {
			t.Errorf("%s:\n%s\n%s", where, strings.Join(list, "\n"), strings.Join(s.trace, "\n"))
		}
	})
	return reached
}

// drive does one thing to its end, by a process that is alive.
func (s *sim) drive(a *actors, d deed) {
	var p *process
	for p == nil {
		synctest.Wait()
		if list := s.alive(); len(list) > 0 {
			p = list[0]
		} else if a.starting.Load() == 0 {
			s.restart(a)
		} else if !s.step() {
			time.Sleep(100 * time.Millisecond)
		}
	}
	var over atomic.Bool
	a.spawn(func() {
		d(s, p)
		over.Store(true)
	})
	for limit := time.Now().Add(48 * time.Hour); !over.Load(); {
		synctest.Wait()
		if over.Load() {
			return
		}
		if !s.step() {
			time.Sleep(100 * time.Millisecond)
		}
		if time.Now().After(limit) {
			s.wrong("a call does not return")
			return
		}
	}
}
