package simulation_test

import (
	"context"
	"fmt"
	"regexp"
	"slices"
	"strings"
	"sync"
	"time"

	"lectern/shared/chat/stream"
	"lectern/shared/fault"
	"lectern/shared/knowledge/artifact"
	"lectern/shared/knowledge/artifact/tasks"
	"lectern/shared/knowledge/index"
	"lectern/shared/knowledge/retrieval"
	"lectern/shared/message"
)

// truth is what callers were promised, and what they saw.
type truth struct {
	guard      sync.Mutex
	clock      int // counts beginnings and ends of calls
	violations []string
	refused    []string            // errors that no fault explains, such as of what is not there
	published  map[string][]string // ids by task and type
	chats      map[string]*chatTruth
	artifacts  map[string]*artifactTruth // by collection and name
}

type chatTruth struct {
	accepted  bool
	starting  int // calls under way
	deleted   int // when the first delete returned well; 0 for never
	deleting  int // when the first delete began; 0 for never
	final     stream.Status
	finalFrom int
	readers   []*readerTruth
}

type readerTruth struct {
	name   string
	after  int64
	events []stream.Event
	whole  bool // it ended by itself
}

type artifactTruth struct {
	collection, name string
	calls            []*call
}

// String tells the calls in order.
func (a *artifactTruth) String() string {
	var b strings.Builder
	for _, c := range a.calls {
		what := "delete"
		if c.ingest {
			what = fmt.Sprintf("ingest %d", c.version)
		}
		fmt.Fprintf(&b, "[%s %d-%d ok:%v %s]", what, c.begun, c.end, c.ok, c.task)
	}
	return b.String()
}

// call is an ingest or a deletion as its caller saw it.
type call struct {
	ingest     bool
	version    int
	begun, end int // end 0: under way
	ok         bool
	task       string
}

func (t *truth) tick() int {
	t.clock++
	return t.clock
}

func (t *truth) now() int {
	t.guard.Lock()
	defer t.guard.Unlock()
	return t.tick()
}

func (t *truth) wrong(format string, args ...any) {
	t.guard.Lock()
	defer t.guard.Unlock()
	t.violations = append(t.violations, fmt.Sprintf(format, args...))
}

func (t *truth) broken() []string {
	t.guard.Lock()
	defer t.guard.Unlock()
	return slices.Clone(t.violations)
}

// told audits I8: an event has one id, however often it is sent.
func (t *truth) told(event, id string) {
	t.guard.Lock()
	defer t.guard.Unlock()
	if !slices.Contains(t.published[event], id) {
		t.published[event] = append(t.published[event], id)
	}
	if len(t.published[event]) > 1 {
		t.violations = append(t.violations, fmt.Sprintf("I8: %s was sent under ids %v", event, t.published[event]))
	}
}

func (t *truth) chat(id string) *chatTruth {
	if t.chats[id] == nil {
		t.chats[id] = &chatTruth{}
	}
	return t.chats[id]
}

func (t *truth) begin(collection, name string, c *call) {
	t.guard.Lock()
	defer t.guard.Unlock()
	key := collection + "/" + name
	if t.artifacts[key] == nil {
		t.artifacts[key] = &artifactTruth{collection: collection, name: name}
	}
	c.begun = t.tick()
	t.artifacts[key].calls = append(t.artifacts[key].calls, c)
}

func (t *truth) finish(c *call, err error) {
	t.guard.Lock()
	defer t.guard.Unlock()
	c.end, c.ok = t.tick(), err == nil
}

// gone reports whether an artifact must not be seen by a call that began at
// from and ended at to: a deletion had returned before, and no ingest was asked
// for since that deletion began.
func (a *artifactTruth) gone(from, to int) bool {
	for _, d := range a.calls {
		if d.ingest || !d.ok || d.end >= from {
			continue
		}
		clean := true
		for _, i := range a.calls {
			if i.ingest && i.begun < to && (i.end == 0 || i.end > d.begun) {
				clean = false
			}
		}
		if clean {
			return true
		}
	}
	return false
}

var versionMark = regexp.MustCompile(`version(\d+)`)

// search audits what one search shows: I2, I6 and I7.
func (s *sim) search(ctx context.Context, p *process, collection string) {
	from := s.now()
	found, err := p.searcher.Search(ctx, retrieval.Query{Text: "robins sing at dawn", Filter: message.ContextFilter{Collection: collection}, Limit: 50})
	if err != nil {
		return
	}
	to := s.now()
	versions := map[string]map[string]bool{}
	for _, c := range found.Chunks {
		if !strings.Contains(c.Text, " in "+collection+" ") {
			s.wrong("I7: a search of %s shows %.60q", collection, c.Text)
		}
		for _, m := range versionMark.FindAllStringSubmatch(c.Text, -1) {
			if versions[c.Document.Artifact] == nil {
				versions[c.Document.Artifact] = map[string]bool{}
			}
			versions[c.Document.Artifact][m[1]] = true
		}
	}
	s.guard.Lock()
	defer s.guard.Unlock()
	for name, seen := range versions {
		if len(seen) > 1 {
			s.violations = append(s.violations, fmt.Sprintf("I2: one search shows versions %v of %s", seen, name))
		}
		if a := s.artifacts[collection+"/"+name]; a == nil || a.gone(from, to) {
			s.violations = append(s.violations, fmt.Sprintf("I6: %s/%s is found after its deletion", collection, name))
		}
	}
}

// list audits what a list shows: I6.
func (s *sim) listing(ctx context.Context, p *process, collection string) {
	from := s.now()
	docs, err := p.artifacts.List(ctx, collection, "", 0)
	if err != nil {
		return
	}
	to := s.now()
	s.guard.Lock()
	defer s.guard.Unlock()
	for _, d := range docs {
		if a := s.artifacts[collection+"/"+d.Artifact]; a == nil || a.gone(from, to) {
			s.violations = append(s.violations, fmt.Sprintf("I6: %s/%s is listed after its deletion", collection, d.Artifact))
		}
	}
}

// status audits I4 and, after a deletion, I6.
func (s *sim) status(ctx context.Context, p *process, id string) {
	from := s.now()
	info, err := p.chats.Status(ctx, id)
	to := s.now()
	s.guard.Lock()
	defer s.guard.Unlock()
	c := s.chat(id)
	switch {
	case fault.CodeOf(err) == fault.NotFound:
		if c.accepted && c.deleting == 0 {
			s.violations = append(s.violations, fmt.Sprintf("I3: chat %s was accepted and is unknown", id))
		}
	case err != nil:
	case c.deleted > 0 && c.deleted < from:
		s.violations = append(s.violations, fmt.Sprintf("I6: chat %s is %s after its deletion", id, info.Status))
	case c.final != "" && c.finalFrom < from && info.Status != c.final:
		s.violations = append(s.violations, fmt.Sprintf("I4: chat %s was %s and is %s", id, c.final, info.Status))
	case info.Status.Final() && c.final == "":
		c.final, c.finalFrom = info.Status, to
	}
}

// quiet audits everything once nothing is under way. What calls that failed
// have left may stay for a day, unseen; then the sweep takes it.
func (s *sim) quiet(ctx context.Context, p *process) {
	for id, c := range s.chats {
		s.quietChat(ctx, p, id, c)
	}
	for _, a := range s.artifacts {
		s.quietArtifact(ctx, p, a, false)
	}
	s.quietKept(ctx, p)
	time.Sleep(25 * time.Hour)
	for _, sweep := range []func() error{func() error { return p.artifacts.Sweep(ctx, true) }, func() error { return p.tasks.Sweep(ctx) },
		func() error { return p.chats.Sweep(ctx) }, func() error { return s.sweepKept(ctx, p) }} {
		if err := sweep(); err != nil {
			s.wrong("sweep: %v", err)
		}
	}
	documents := 0
	for _, a := range s.artifacts {
		documents += s.quietArtifact(ctx, p, a, true)
	}
	s.quietKept(ctx, p)
	want := s.stored(ctx, p)
	want["documents/"], want["tasks/"], want["requests/"] = documents, 0, 0
	for prefix, want := range want {
		if list, _, err := s.objects.List(ctx, prefix, "", 0); err != nil || len(list) != want {
			s.wrong("a day later %d objects lie under %s, %v, want %d", len(list), prefix, err, want)
		}
	}
}

func (s *sim) quietChat(ctx context.Context, p *process, id string, c *chatTruth) {
	s.status(ctx, p, id)
	var canon []stream.Event
	if c.deleting == 0 && c.accepted {
		if c.final == "" {
			s.wrong("I3: chat %s never ended", id)
			return
		}
		events, err := p.chats.Events(ctx, id, 0)
		if err != nil {
			s.wrong("I5: chat %s cannot be replayed: %v", id, err)
			return
		}
		for e, err := range events {
			if err != nil {
				s.wrong("I5: the replay of %s breaks off: %v", id, err)
				return
			}
			canon = append(canon, e)
		}
	}
	seen := map[int64]stream.Event{}
	for _, e := range canon {
		seen[e.N] = e
	}
	for _, r := range c.readers {
		for i, e := range r.events {
			if e.N != r.after+int64(i)+1 {
				s.wrong("I5: reader %s of %s saw event %d in place %d after %d", r.name, id, e.N, i, r.after)
				return
			}
			known, ok := seen[e.N]
			switch {
			case !ok && canon != nil:
				s.wrong("I5: reader %s of %s saw event %d, the replay has %d", r.name, id, e.N, len(canon))
			case ok && (known.Type != e.Type || string(known.Data) != string(e.Data)):
				s.wrong("I5: reader %s of %s saw event %d as %s %s, others as %s %s", r.name, id, e.N, e.Type, e.Data, known.Type, known.Data)
			}
			seen[e.N] = e
		}
		if r.whole && canon != nil && r.after+int64(len(r.events)) != int64(len(canon)) {
			s.wrong("I5: reader %s of %s ended after event %d of %d", r.name, id, r.after+int64(len(r.events)), len(canon))
		}
	}
}

// quietArtifact audits an artifact and returns how many documents it keeps.
func (s *sim) quietArtifact(ctx context.Context, p *process, a *artifactTruth, swept bool) int {
	where := a.collection + "/" + a.name
	docs, err := p.artifacts.List(ctx, a.collection, "", 0)
	if err != nil {
		s.wrong("list: %v", err)
		return 0
	}
	listed := slices.ContainsFunc(docs, func(d artifact.Doc) bool { return d.Artifact == a.name })
	generations := 0
	for g, err := range s.chunks.Generations(ctx, a.collection, index.Generation{}) {
		if err != nil {
			s.wrong("generations: %v", err)
			return 0
		}
		if g.Artifact == a.name {
			generations++
		}
	}
	found := 0
	if listed {
		r, err := p.searcher.Search(ctx, retrieval.Query{Text: "robins sing at dawn", Filter: message.ContextFilter{Collection: a.collection,
			Artifacts: []string{a.name}}, Limit: 50})
		if err != nil {
			s.wrong("search: %v", err)
			return 0
		}
		found = len(r.Chunks)
	}
	kept := 0
	if listed {
		kept = 1
	}
	if listed && found == 0 || generations < kept || swept && generations > kept {
		s.wrong("I1: %s is listed: %v, with %d generations in the index and %d chunks found", where, listed, generations, found)
	}
	version := ""
	if listed {
		content, err := p.artifacts.Content(ctx, &artifact.ContentBody{Filter: &artifact.Filter{Collection: a.collection, Artifacts: []string{a.name}}})
		if err != nil {
			s.wrong("content: %v", err)
			return 0
		}
		if m := versionMark.FindStringSubmatch(content[0].Content.(string)); m != nil {
			version = m[1]
		}
	}
	if !swept {
		s.quietTasks(ctx, p, a, listed, version)
	}
	return kept
}

// quietTasks audits the ends of an artifact's tasks, and that the last call
// decides, where it was alone.
func (s *sim) quietTasks(ctx context.Context, p *process, a *artifactTruth, listed bool, version string) {
	where := a.collection + "/" + a.name
	last := a.calls[len(a.calls)-1]
	alone := last.ok
	for _, c := range a.calls[:len(a.calls)-1] {
		alone = alone && c.end != 0 && c.end < last.begun
	}
	for _, c := range a.calls {
		state := tasks.Success
		if c.task != "" {
			kind := tasks.DeleteKind
			if c.ingest {
				kind = tasks.IngestKind
			}
			st, err := p.tasks.Status(ctx, kind, c.task)
			if err != nil {
				s.wrong("I3: task %s of %s: %v", c.task, where, err)
				continue
			}
			state = st.State
			if state != tasks.Success && state != tasks.Failure && state != tasks.Revoked {
				s.wrong("I3: task %s of %s is %s", c.task, where, state)
			}
			if c == last && alone && state == tasks.Revoked {
				s.wrong("I3: task %s of %s is REVOKED although nothing came after it", c.task, where)
			}
		}
		if c != last || !alone {
			continue
		}
		switch {
		case c.ingest && state == tasks.Success && (!listed || version != fmt.Sprint(c.version)):
			s.wrong("I1: version %d of %s was ingested last; listed: %v, version %s", c.version, where, listed, version)
		case !c.ingest && listed:
			s.wrong("I6: %s was deleted last and is listed with version %s of %s", where, version, a)
		}
	}
}
