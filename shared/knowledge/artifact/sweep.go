package artifact

import (
	"context"
	"encoding/json"
	"errors"
	"fmt"
	"log/slog"
	"slices"
	"strings"
	"sync"
	"time"

	"golang.org/x/sync/errgroup"

	"lectern/shared/fault"
	"lectern/shared/ident"
	"lectern/shared/knowledge/index"
	"lectern/shared/storage/object"
	"lectern/shared/storage/record"
	"lectern/shared/storage/spread"
	"lectern/shared/storage/sweep"
)

const documentsFolder = "documents/"

// deferredAge is how old the claim of a task may be: more than a task takes.
const deferredAge = 24 * time.Hour

// registered is what the registry says of all artifacts, or of those of one place.
type registered struct {
	live    map[string]*entry // by the generation that is shown
	stored  map[string]bool   // keys of what is stored of these
	pending map[string]bool   // generations whose ingest may be under way
	last    map[string]string // by the folder of an artifact: the last generation accepted, deletions included
	claims  []*entry          // with a claim that is not live
	items   int
	damaged int // items that cannot be read
	known   bool
	newest  time.Time // of all generations
}

func newRegistered() *registered {
	return &registered{live: map[string]*entry{}, stored: map[string]bool{}, pending: map[string]bool{}, last: map[string]string{}}
}

// registered reads the whole registry.
func (s *Service) registered(ctx context.Context) (*registered, error) {
	r := newRegistered()
	for c, err := range s.collections(ctx, "", 0) {
		if err != nil {
			return nil, err
		}
		r.known = true
		if c.Name == "" {
			r.damaged++ // the items of this collection cannot be found
			continue
		}
		for e, err := range s.everyEntry(ctx, c.Name) {
			if err != nil {
				return nil, err
			}
			r.add(e)
		}
	}
	return r, nil
}

// add adds an entry; nil is a damaged one.
func (r *registered) add(e *entry) {
	if e == nil {
		r.damaged++
		return
	}
	r.items++
	if at := ident.Time(e.Want); at.After(r.newest) {
		r.newest = at
	}
	r.last[folder(e.Collection, e.Artifact)] = max(e.Want, e.Live)
	if e.Live != "" {
		r.live[e.Live] = e
	}
	if e.Want != e.Live && !e.Deleted {
		r.claims = append(r.claims, e)
	}
}

// judge says what the registry tells of a generation that is stored in a folder:
// whether it knows of it or of a later one.
func (r *registered) judge(folder, generation string, kept bool) sweep.Verdict {
	last, known := r.last[folder]
	switch {
	case kept:
		return sweep.Kept
	case known && generation <= last:
		return sweep.Explained
	}
	return sweep.Orphan
}

const (
	// registryReaders is how many partitions of the registry a sweep reads at once.
	registryReaders = 32
	// largeStore is the number of texts from which a sweep looks at all of them, and
	// at the index, once in largeEvery only.
	largeStore = 100_000
	largeEvery = 20 * time.Hour
)

// sweeping is one run of a sweep.
type sweeping struct {
	*Service
	idle             bool
	began            time.Time
	names            []string // of all collections
	unnamed          int      // collections whose names are lost
	texts, originals *sweep.Round
	unclaimed        map[Accepted]string // by artifact, without a generation: the claim that this run took back
	listed           map[string]*listing // by folder
	lost             sweep.Losses
}

// listing is a walk through a folder, in the order of keys.
type listing struct {
	infos []object.Info
	after string
	done  bool
}

// Sweep frees what dead ingests and deletes left behind: claims, chunks and
// texts of generations that are not shown. With idle true no ingest is under
// way anywhere, as at the start of a single process, and claims are freed too.
// What the registry does not explain is freed as far as s.Guard allows.
//
// Where s.Guard gives a time, the sweep stops by then and the next run goes on:
// texts, originals and registry are looked at together, sixteenth by sixteenth, then
// the index, and at last is freed what was found in all of them.
//
// Where others may be at work, and nothing has been ingested or deleted since a
// while before the last look at the index, it does not look again: an index that
// sleeps while nobody uses it would be woken, and paid for, by every sweep.
func (s *Service) Sweep(ctx context.Context, idle bool) error {
	w := &sweeping{Service: s, idle: idle, began: s.Now(), unclaimed: map[Accepted]string{}, listed: map[string]*listing{},
		lost: sweep.Losses{Guard: s.Guard, Of: "documents"}}
	var err error
	if w.texts, err = sweep.Resume(ctx, s.Records, "documents", w.began); err != nil {
		return err
	}
	if w.originals, err = sweep.Resume(ctx, s.Records, "originals", w.began); err != nil {
		return err
	}
	if w.originals.After != w.texts.After { // a run died between saving the two
		if err := sweep.Forget(ctx, s.Records, "documents", "originals"); err != nil {
			return err
		}
		return s.Sweep(ctx, idle)
	}
	if w.texts.After == "" && !idle {
		if soon, err := s.sweptLately(ctx, w.began); err != nil || soon {
			return err
		}
	}
	for _, step := range []func(context.Context) (bool, error){w.prepare, w.look, w.lookAtIndex, w.free} {
		if done, err := step(ctx); err != nil || !done {
			return err
		}
	}
	return nil
}

// prepare lists the collections, and spreads what an earlier version registered.
func (w *sweeping) prepare(ctx context.Context) (bool, error) {
	for c, err := range w.collections(ctx, "", 0) {
		if err != nil {
			return false, err
		}
		w.texts.Known, w.originals.Known = true, true
		if c.Name == "" {
			w.unnamed++ // the items of this collection cannot be found
			continue
		}
		w.names = append(w.names, c.Name)
	}
	if w.texts.After != "" {
		return true, nil
	}
	work, working := errgroup.WithContext(ctx)
	work.SetLimit(registryReaders)
	done := true
	for i, name := range w.names {
		if done = i == 0 || !w.Guard.Late(0); !done {
			break // what was moved is not moved again
		}
		work.Go(func() error { return w.adopt(working, name) })
	}
	return done, work.Wait()
}

// look compares the stored texts and originals with the registry, place by place.
func (w *sweeping) look(ctx context.Context) (bool, error) {
	if w.texts.After == sweep.Whole {
		return true, nil
	}
	longest := time.Duration(0)
	for place := len(w.texts.After); place < spread.Places; place++ {
		at := time.Now()
		r, err := w.registeredAt(ctx, place)
		if err != nil {
			return false, err
		}
		if place == 0 {
			r.damaged += w.unnamed
		}
		if err := w.settleClaims(ctx, r); err != nil {
			return false, err
		}
		w.texts.Saw(r.newest)
		for folder, round := range map[string]*sweep.Round{documentsFolder: w.texts, originalsFolder: w.originals} {
			if err := w.storedUnder(ctx, r, folder, place, round); err != nil {
				return false, err
			}
			round.Damaged += r.damaged
			round.After += "+" // one for each place that is done
		}
		if w.idle { // or what is replaced now would look lost
			w.tellLost(ctx, r)
		}
		longest = max(longest, time.Since(at))
		if place < spread.Places-1 && w.Guard.Late(longest) {
			return false, w.save(ctx)
		}
	}
	w.texts.After, w.originals.After = sweep.Whole, sweep.Whole
	w.lost.Report(ctx)
	return true, nil
}

// tellLost names what the registry shows and the objects lack. An object is stored
// before it is registered, so that no death of a process looks like a loss.
func (w *sweeping) tellLost(ctx context.Context, r *registered) {
	for generation, e := range r.live {
		text, original := w.storedKey(e.Collection, e.Artifact, generation), originalKey(e.Collection, e.Artifact, generation)
		for what, key := range map[string]string{"text": text, "original": original} {
			if r.stored[key] || what == "original" && !e.Original {
				continue
			}
			w.lost.Add(ctx, key, slog.String("part", what), slog.String("collection", e.Collection), slog.String("artifact", e.Artifact))
		}
	}
}

func (w *sweeping) save(ctx context.Context) error {
	return errors.Join(w.originals.Save(ctx, w.Guard), w.texts.Save(ctx, w.Guard))
}

// registeredAt reads the registry's entries of a place.
func (w *sweeping) registeredAt(ctx context.Context, place int) (*registered, error) {
	r := newRegistered()
	var mu sync.Mutex
	work, ctx := errgroup.WithContext(ctx)
	work.SetLimit(registryReaders)
	for _, name := range w.names {
		work.Go(func() error {
			items := record.All(ctx, w.Records, record.Range{Partition: spread.Partition(registryName(name), place)})
			for e, err := range w.decoded(ctx, items) {
				if err != nil {
					return err
				}
				mu.Lock()
				r.add(e)
				mu.Unlock()
			}
			return nil
		})
	}
	err := work.Wait()
	return r, err
}

// settleClaims keeps the claims that may be alive, and takes back the others.
func (w *sweeping) settleClaims(ctx context.Context, r *registered) error {
	for _, e := range r.claims {
		if !w.idle || e.Deferred && ident.Time(e.Want).After(w.began.Add(-deferredAge)) {
			r.pending[e.Want] = true
			continue
		}
		w.unclaimed[Accepted{Collection: e.Collection, Artifact: e.Artifact}] = e.Want
		if err := w.unclaim(ctx, e.Collection, e.Artifact, e.Want); err != nil {
			return err
		}
	}
	return nil
}

// kept reports whether a generation stays because of its age, whatever the registry
// says of it.
func (w *sweeping) kept(generation string) bool {
	at := ident.Time(generation)
	return w.Guard.Keeps(at) || !w.idle && at.After(w.began.Add(-sweep.Age))
}

// storedUnder sorts the keys of the stored texts, or originals, of a place by what the
// registry tells of their generations.
func (w *sweeping) storedUnder(ctx context.Context, r *registered, prefix string, place int, round *sweep.Round) error {
	l := w.listed[prefix]
	if l == nil {
		l = &listing{}
		if place > 0 {
			l.after = prefix + fmt.Sprintf("%xz", place-1) // no folder has a byte as great
		}
		w.listed[prefix] = l
	}
	end := prefix + fmt.Sprintf("%xz", place)
	if place == spread.Places-1 {
		end = prefix + "~" // what is no folder of ours counts too
	}
	for {
		for len(l.infos) == 0 && !l.done {
			infos, next, err := w.Objects.List(ctx, prefix, l.after, 0)
			if err != nil {
				return err
			}
			l.infos, l.after, l.done = infos, next, next == ""
		}
		if len(l.infos) == 0 || l.infos[0].Key > end {
			return nil
		}
		o := l.infos[0]
		l.infos = l.infos[1:]
		at := strings.LastIndexByte(o.Key, '/')
		generation := o.Key[at+1:]
		w.texts.Saw(ident.Time(generation))
		live := r.live[generation] != nil
		if live {
			r.stored[o.Key] = true
		}
		kept := live || r.pending[generation] || w.kept(generation)
		round.Add(r.judge(documentsFolder+strings.TrimPrefix(o.Key[:at], prefix), generation, kept), o.Key)
	}
}

// lookAtIndex drops the chunks of generations that are not to be kept. The index is
// looked at before texts go: of a generation that the index still holds the text is
// what the next sweep finds it by.
func (w *sweeping) lookAtIndex(ctx context.Context) (bool, error) {
	looked := w.lastLook(ctx)
	changed := looked.IsZero() || w.texts.Newest.After(looked.Add(-deferredAge))
	switch {
	case !w.idle && !looked.Before(w.texts.Began.Truncate(time.Second)):
		return true, nil // an earlier run of this round did
	case !w.idle && !w.texts.Any(w.Guard) && !changed:
		return true, nil
	case !w.idle && w.texts.Looked >= largeStore && looked.After(w.began.Add(-largeEvery)):
		return false, w.save(ctx)
	}
	if w.IndexBelongs != nil {
		if err := w.IndexBelongs(ctx); err != nil {
			return false, err
		}
	}
	round, err := sweep.Resume(ctx, w.Records, "index", w.began)
	if err != nil {
		return false, err
	}
	round.Known, round.Damaged = round.Known || w.texts.Known, max(round.Damaged, w.texts.Damaged)
	done, err := w.generations(ctx, round)
	if err == nil && done {
		done, err = round.Free(ctx, w.Guard, w.freeAccepted)
	}
	if err != nil {
		return false, err
	}
	if !done {
		return false, w.save(ctx)
	}
	return true, w.noteLook(ctx, round.Began)
}

// generationsAtOnce is how many generations are compared with the registry together.
const generationsAtOnce = 500

// generations compares what the index holds with the registry.
func (w *sweeping) generations(ctx context.Context, round *sweep.Round) (bool, error) {
	if round.After == sweep.Whole {
		return true, nil
	}
	var from index.Generation
	if round.After != "" {
		if err := json.Unmarshal([]byte(round.After), &from); err != nil {
			return false, fmt.Errorf("where the sweep of the index goes on: %w", err)
		}
	}
	var list []index.Generation
	next := func(last bool) error {
		if err := w.judgeGenerations(ctx, round, list); err != nil || last {
			round.After = sweep.Whole
			return err
		}
		after, err := json.Marshal(list[len(list)-1])
		round.After, list = string(after), list[:0]
		return err
	}
	for g, err := range w.Index.Generations(ctx, "", from) {
		if err != nil {
			return false, err
		}
		if list = append(list, g); len(list) < generationsAtOnce {
			continue
		}
		if err := next(false); err != nil {
			return false, err
		}
		if w.Guard.Late(0) {
			return false, round.Save(ctx, w.Guard)
		}
	}
	return true, next(true)
}

// judgeGenerations adds generations to a round by what the registry tells of them now.
func (w *sweeping) judgeGenerations(ctx context.Context, round *sweep.Round, list []index.Generation) error {
	keys := make([]spread.Key, len(list))
	for i, g := range list {
		keys[i] = entryKey(g.Collection, g.Artifact)
	}
	items, err := spread.FindMany(ctx, w.Records, slices.Compact(keys))
	if err != nil {
		return err
	}
	by := make(map[[2]string]*entry, len(items))
	damaged := map[string]bool{}
	for _, item := range items {
		e, err := decodeEntry(item)
		if err != nil {
			damaged[item.Sort] = true
			continue
		}
		by[[2]string{e.Collection, e.Artifact}] = e
	}
	for _, g := range list {
		e := by[[2]string{g.Collection, g.Artifact}]
		verdict := sweep.Orphan
		switch {
		case w.kept(g.Generation) || e != nil && (e.Live == g.Generation || e.Want == g.Generation && !e.Deleted):
			verdict = sweep.Kept
		case e != nil && g.Generation <= max(e.Want, e.Live),
			g.Generation <= w.unclaimed[Accepted{Collection: g.Collection, Artifact: g.Artifact}]:
			verdict = sweep.Explained
		case e == nil && damaged[keyOf(g.Artifact)]:
			verdict = sweep.Unreadable
		}
		what, err := json.Marshal(Accepted{g.Collection, g.Artifact, g.Generation})
		if err != nil {
			return err
		}
		round.Add(verdict, string(what))
	}
	return nil
}

func (w *sweeping) freeAccepted(ctx context.Context, what string) (bool, error) {
	var a Accepted
	if err := json.Unmarshal([]byte(what), &a); err != nil {
		return false, err
	}
	return true, w.Free(ctx, a)
}

// free frees the texts and originals that the round found.
func (w *sweeping) free(ctx context.Context) (bool, error) {
	looked := w.texts.Looked
	drop := func(ctx context.Context, key string) (bool, error) { return true, w.Objects.Delete(ctx, key) }
	for _, round := range []*sweep.Round{w.originals, w.texts} {
		if done, err := round.Free(ctx, w.Guard, drop); err != nil || !done {
			return false, errors.Join(err, w.save(ctx))
		}
	}
	if looked < largeStore {
		return true, nil
	}
	return true, w.noteTime(ctx, wholeKey(), w.texts.Began)
}

// wholeKey is where the time of the last whole look at a large store stands.
func wholeKey() record.Key { return record.Key{Partition: "sweep", Sort: "documents"} }

// sweptLately reports whether a large store was looked at as a whole not long ago.
func (s *Service) sweptLately(ctx context.Context, now time.Time) (bool, error) {
	item, err := s.Records.Find(ctx, wholeKey())
	if fault.Is(err, fault.NotFound) {
		return false, nil
	}
	at, bad := time.Parse(time.RFC3339, string(item.Value))
	return err == nil && bad == nil && now.Before(at.Add(largeEvery)), err
}

// Survey compares the registry with the stored texts and, where withIndex is
// true, with the index.
func (s *Service) Survey(ctx context.Context, withIndex bool) (Survey, error) {
	r, err := s.registered(ctx)
	if err != nil {
		return Survey{}, err
	}
	out := Survey{Registered: r.items + r.damaged}
	named := func(folder, generation string) int {
		if last, ok := r.last[folder]; ok && generation <= last {
			return 1
		}
		return 0
	}
	for o, err := range object.All(ctx, s.Objects, documentsFolder) {
		if err != nil {
			return out, err
		}
		at := strings.LastIndexByte(o.Key, '/')
		out.Objects++
		out.Named += named(o.Key[:at], o.Key[at+1:])
	}
	if !withIndex {
		return out, nil
	}
	for g, err := range s.Index.Generations(ctx, "", index.Generation{}) {
		if err != nil {
			return out, err
		}
		out.Indexed++
		out.Found += named(folder(g.Collection, g.Artifact), g.Generation)
	}
	return out, nil
}

// Survey says how far the registry names what is stored.
type Survey struct {
	Registered     int // registry items
	Objects, Named int // stored texts, and those of artifacts that the registry knows
	Indexed, Found int // generations in the index, and those of artifacts that it knows
}

// lookKey is where the time of the last look at the index stands.
func lookKey() record.Key { return record.Key{Partition: "sweep", Sort: "index"} }

// lastLook is when the last look at the index began; zero when that cannot be told.
func (s *Service) lastLook(ctx context.Context) time.Time {
	item, err := s.Records.Find(ctx, lookKey())
	if err != nil {
		return time.Time{}
	}
	looked, _ := time.Parse(time.RFC3339, string(item.Value)) // zero when it is damaged
	return looked
}

func (s *Service) noteLook(ctx context.Context, at time.Time) error {
	return s.noteTime(ctx, lookKey(), at)
}

func (s *Service) noteTime(ctx context.Context, key record.Key, at time.Time) error {
	return s.Records.Put(ctx, record.Item{Key: key, Value: []byte(at.UTC().Format(time.RFC3339))}, record.Any())
}
