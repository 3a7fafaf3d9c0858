package sweep

import (
	"context"
	"encoding/json"
	"fmt"
	"time"

	"golang.org/x/sync/errgroup"

	"lectern/shared/fault"
	"lectern/shared/storage/object"
	"lectern/shared/storage/record"
)

const (
	statePartition = "sweep"
	// maxRound is the age from which an unfinished round begins again.
	maxRound = 7 * 24 * time.Hour
	// partBytes bounds what one record remembers of a round.
	partBytes = 200 << 10
	// workers is how many objects are judged or deleted at once.
	workers = 16
)

// Round is one look at everything of a kind, in as many runs as that takes. Where a
// run ends before the round does, the records keep how far it came, what it counted
// and what it found; the next run goes on there. Nothing is freed before the round
// has seen everything, because only then its counts tell whether it may.
type Round struct {
	Count
	// After is where the round goes on: what it means is the caller's. Empty at its
	// beginning, and Whole once everything has been looked at.
	After string
	// Newest is the latest time that the caller noted.
	Newest time.Time

	// Began is when its first run began.
	Began time.Time

	saved   bool // it has a record
	freed   int
	parts   []int // numbers of the records that remember findings
	found   []finding
	records record.Store
}

// Whole is the After of a round that has seen everything.
const Whole = "~"

// finding is something to be freed.
type finding struct {
	What   string `json:"k"`
	Orphan bool   `json:"o,omitempty"`
}

// state is the record of a round between two runs.
type state struct {
	Count  Count     `json:"count"`
	After  string    `json:"after"`
	Newest time.Time `json:"newest"`
	Began  time.Time `json:"began"`
	Freed  int       `json:"freed"`
	Parts  []int     `json:"parts"`
}

func stateKey(of string) record.Key {
	return record.Key{Partition: statePartition, Sort: "round/" + of}
}

func partKey(of string, n int) record.Key {
	return record.Key{Partition: statePartition, Sort: fmt.Sprintf("part/%s/%06d", of, n)}
}

// Resume returns the round of a kind that the last run left, or a new one.
func Resume(ctx context.Context, records record.Store, of string, now time.Time) (*Round, error) {
	fresh := &Round{Count: Count{Of: of}, Began: now, records: records}
	item, err := records.Find(ctx, stateKey(of))
	if fault.Is(err, fault.NotFound) {
		return fresh, nil
	}
	if err != nil {
		return nil, err
	}
	var st state
	if json.Unmarshal(item.Value, &st) != nil || now.Sub(st.Began) > maxRound {
		return fresh, Forget(ctx, records, of)
	}
	return &Round{Count: st.Count, After: st.After, Newest: st.Newest, Began: st.Began, saved: true, freed: st.Freed, parts: st.Parts,
		records: records}, nil
}

// Forget drops what the rounds of these kinds have found so far, and without any those
// of every kind: after a change of the registry by an operator their findings may be
// wrong. Nobody else may use the records.
func Forget(ctx context.Context, records record.Store, of ...string) error {
	prefixes := []string{"part/", "round/"}
	if len(of) > 0 {
		prefixes = nil
	}
	for _, name := range of {
		prefixes = append(prefixes, "part/"+name+"/", stateKey(name).Sort)
	}
	for _, prefix := range prefixes {
		for item, err := range record.All(ctx, records, record.Range{Partition: statePartition, Prefix: prefix}) {
			if err != nil {
				return err
			}
			if err := records.Delete(ctx, item.Key, record.Any()); err != nil {
				return err
			}
		}
	}
	return nil
}

// Add counts something stored by its verdict, and remembers what is to be freed.
func (r *Round) Add(v Verdict, what string) {
	r.Looked++
	switch v {
	case Kept:
	case Named:
		r.Known = true
	case Explained:
		r.Known = true
		r.Explained++
		r.found = append(r.found, finding{What: what})
	case Orphan:
		r.Orphans++
		r.found = append(r.found, finding{What: what, Orphan: true})
	case Unreadable:
		r.Damaged++
	}
}

// Saw notes a time.
func (r *Round) Saw(at time.Time) {
	if at.After(r.Newest) {
		r.Newest = at
	}
}

// Any reports whether the guard lets the round free anything.
func (r *Round) Any(g Guard) bool {
	return r.Explained > 0 || r.Orphans > 0 && g.Withheld(r.Count) == ""
}

// Save keeps the round for the next run.
func (r *Round) Save(ctx context.Context, g Guard) error {
	if g.Log != nil {
		g.Log.InfoContext(ctx, "sweep: the next run goes on", "of", r.Of, "looked_at", r.Looked, "unnamed", r.Orphans, "freed", r.freed)
	}
	if err := r.keepFound(ctx); err != nil {
		return err
	}
	value, err := json.Marshal(state{r.Count, r.After, r.Newest, r.Began, r.freed, r.parts})
	if err != nil {
		return err
	}
	r.saved = true
	return r.records.Put(ctx, record.Item{Key: stateKey(r.Of), Value: value}, record.Any())
}

// keepFound moves the findings of this run to the records.
func (r *Round) keepFound(ctx context.Context) error {
	for len(r.found) > 0 {
		n, size := 0, 0
		for n < len(r.found) && size < partBytes {
			size += len(r.found[n].What) + 20
			n++
		}
		value, err := json.Marshal(r.found[:n])
		if err != nil {
			return err
		}
		next := 1
		if len(r.parts) > 0 {
			next = r.parts[len(r.parts)-1] + 1
		}
		if err := r.records.Put(ctx, record.Item{Key: partKey(r.Of, next), Value: value}, record.Any()); err != nil {
			return err
		}
		r.parts, r.found = append(r.parts, next), r.found[n:]
	}
	return nil
}

// Free frees what the whole round found and the guard allows, and ends the round.
// It returns false when the guard's time was up before, after it has saved the rest;
// free returns false for what it left alone after all.
func (r *Round) Free(ctx context.Context, g Guard, free func(ctx context.Context, what string) (bool, error)) (bool, error) {
	for {
		if err := r.freeAll(ctx, g, free); err != nil {
			return false, err
		}
		if len(r.parts) == 0 {
			break
		}
		key := partKey(r.Of, r.parts[0])
		item, err := r.records.Find(ctx, key)
		if err == nil {
			err = json.Unmarshal(item.Value, &r.found)
		}
		if err != nil && !fault.Is(err, fault.NotFound) {
			return false, err
		}
		if err := r.freeAll(ctx, g, free); err != nil {
			return false, err
		}
		if err := r.records.Delete(ctx, key, record.Any()); err != nil {
			return false, err
		}
		if r.parts = r.parts[1:]; len(r.parts) > 0 && g.Late(0) {
			return false, r.Save(ctx, g)
		}
	}
	g.Report(ctx, r.Count, r.freed)
	if !r.saved {
		return true, nil
	}
	return true, r.records.Delete(ctx, stateKey(r.Of), record.Any())
}

// freeAll frees the findings of this run.
func (r *Round) freeAll(ctx context.Context, g Guard, free func(context.Context, string) (bool, error)) error {
	withheld := g.Withheld(r.Count) != ""
	done := make([]bool, len(r.found))
	work, ctx := errgroup.WithContext(ctx)
	work.SetLimit(workers)
	for i, f := range r.found {
		if f.Orphan && withheld {
			continue
		}
		work.Go(func() (err error) {
			done[i], err = free(ctx, f.What)
			return err
		})
	}
	err := work.Wait()
	for _, d := range done {
		if d {
			r.freed++
		}
	}
	r.found = nil
	return err
}

// Objects looks at all objects of a folder and frees what it may. Unless idle, it
// keeps those that are younger than Age. When its time is up it saves how far it
// came; the next call goes on there.
func (g Guard) Objects(ctx context.Context, records record.Store, store object.Store, folder, of string, now time.Time, idle bool,
	judge Judge, free func(context.Context, string) (bool, error)) error {
	r, err := Resume(ctx, records, of, now)
	if err != nil {
		return err
	}
	r.Known = r.Known || g.All
	for r.After != Whole {
		infos, next, err := store.List(ctx, folder, r.After, 0)
		if err != nil {
			return err
		}
		verdicts, err := g.judgeAll(ctx, infos, now, idle, judge)
		if err != nil {
			return err
		}
		for i, o := range infos {
			r.Add(verdicts[i], o.Key)
		}
		if next == "" {
			next = Whole
		}
		if r.After = next; g.Late(0) {
			return r.Save(ctx, g)
		}
	}
	_, err = r.Free(ctx, g, free)
	return err
}

func (g Guard) judgeAll(ctx context.Context, infos []object.Info, now time.Time, idle bool, judge Judge) ([]Verdict, error) {
	verdicts := make([]Verdict, len(infos))
	work, ctx := errgroup.WithContext(ctx)
	work.SetLimit(workers)
	for i, o := range infos {
		if !idle && o.Modified.After(now.Add(-Age)) || g.Keeps(o.Modified) {
			continue
		}
		work.Go(func() (err error) {
			verdicts[i], err = judge(ctx, o)
			return err
		})
	}
	err := work.Wait()
	return verdicts, err
}
