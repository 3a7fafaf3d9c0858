package artifact

import (
	"context"
	"strings"
	"time"

	"lectern/shared/ident"
	"lectern/shared/storage/object"
	"lectern/shared/storage/record"
	"lectern/shared/storage/sweep"
)

const documentsFolder = "documents/"

// deferredAge is how old the claim of a task may be: more than a task takes.
const deferredAge = 24 * time.Hour

// registered is what the registry says of all artifacts.
type registered struct {
	live    map[string]bool   // generations that are shown
	pending map[string]bool   // generations whose ingest may be under way
	last    map[string]string // by the folder of an artifact: the last generation accepted, deletions included
	claims  []*entry          // with a claim that is not live
	items   int
	damaged int // items that cannot be read
	known   bool
	newest  time.Time // of all generations
}

// registered reads the whole registry.
func (s *Service) registered(ctx context.Context) (*registered, error) {
	r := &registered{live: map[string]bool{}, pending: map[string]bool{}, last: map[string]string{}}
	for c, err := range s.collections(ctx) {
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
			if e == nil {
				r.damaged++
				continue
			}
			r.items++
			r.saw(e.Want)
			r.last[folder(e.Collection, e.Artifact)] = max(e.Want, e.Live)
			if e.Live != "" {
				r.live[e.Live] = true
			}
			if e.Want != e.Live && !e.Deleted {
				r.claims = append(r.claims, e)
			}
		}
	}
	return r, nil
}

func (r *registered) saw(generation string) {
	if at := ident.Time(generation); at.After(r.newest) {
		r.newest = at
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

func (r *registered) count(of string) sweep.Count {
	return sweep.Count{Of: of, Damaged: r.damaged, Known: r.known}
}

// Sweep frees what dead ingests and deletes left behind: claims, chunks and
// texts of generations that are not shown. With idle true no ingest is under
// way anywhere, as at the start of a single process, and claims are freed too.
// What the registry does not explain is freed as far as s.Guard allows.
//
// Where others may be at work, and nothing has been ingested or deleted since a
// while before the last look at the index, it does not look again: an index that
// sleeps while nobody uses it would be woken, and paid for, by every sweep.
func (s *Service) Sweep(ctx context.Context, idle bool) error {
	began := s.Now()
	r, err := s.registered(ctx)
	if err != nil {
		return err
	}
	for _, e := range r.claims {
		if !idle || e.Deferred && ident.Time(e.Want).After(began.Add(-deferredAge)) {
			r.pending[e.Want] = true
		} else if err := s.unclaim(ctx, e.Collection, e.Artifact, e.Want); err != nil {
			return err
		}
	}
	kept := func(generation string) bool {
		return r.live[generation] || r.pending[generation] || s.Guard.Keeps(ident.Time(generation)) || !idle &&
			ident.Time(generation).After(began.Add(-sweep.Age))
	}
	texts, err := s.storedUnder(ctx, r, documentsFolder, "documents", kept)
	if err != nil {
		return err
	}
	originals, err := s.storedUnder(ctx, r, originalsFolder, "originals", kept)
	if err != nil {
		return err
	}
	left := texts.Free(s.Guard)
	// The index is looked at before texts go: of a generation that the index
	// still holds the text is what the next sweep finds it by.
	if idle || len(left) > 0 || s.changed(ctx, r.newest) {
		if err := s.sweepIndex(ctx, r, kept); err != nil {
			return err
		}
		if err := s.noteLook(ctx, began); err != nil {
			return err
		}
	}
	for _, f := range []*sweep.Found[string]{originals, texts} {
		list := f.Free(s.Guard)
		for _, key := range list {
			if err := s.Objects.Delete(ctx, key); err != nil {
				return err
			}
		}
		s.Guard.Report(ctx, f.Count, len(list))
	}
	return nil
}

// storedUnder sorts the keys of all stored texts, or originals, by what the registry
// tells of their generations.
func (s *Service) storedUnder(ctx context.Context, r *registered, prefix, of string, kept func(string) bool) (*sweep.Found[string], error) {
	f := &sweep.Found[string]{Count: r.count(of)}
	for o, err := range object.All(ctx, s.Objects, prefix) {
		if err != nil {
			return nil, err
		}
		at := strings.LastIndexByte(o.Key, '/')
		generation := o.Key[at+1:]
		r.saw(generation)
		f.Add(r.judge(documentsFolder+strings.TrimPrefix(o.Key[:at], prefix), generation, kept(generation)), o.Key)
	}
	return f, nil
}

// sweepIndex drops the chunks of generations that are not to be kept.
func (s *Service) sweepIndex(ctx context.Context, r *registered, kept func(generation string) bool) error {
	if s.IndexBelongs != nil {
		if err := s.IndexBelongs(ctx); err != nil {
			return err
		}
	}
	f := sweep.Found[Accepted]{Count: r.count("index")}
	for g, err := range s.Index.Generations(ctx, "") {
		if err != nil {
			return err
		}
		f.Add(r.judge(folder(g.Collection, g.Artifact), g.Generation, kept(g.Generation)), Accepted{g.Collection, g.Artifact, g.Generation})
	}
	list := f.Free(s.Guard)
	for _, d := range list {
		if err := s.Free(ctx, Accepted{d.Collection, d.Artifact, d.Generation}); err != nil {
			return err
		}
	}
	s.Guard.Report(ctx, f.Count, len(list))
	return nil
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
	for g, err := range s.Index.Generations(ctx, "") {
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

// changed reports whether what is in the index may have changed since the last
// look at it: a generation is younger, or not so much older that its ingest
// might have been under way. When that cannot be told, it may have.
func (s *Service) changed(ctx context.Context, newest time.Time) bool {
	item, err := s.Records.Find(ctx, lookKey())
	if err != nil {
		return true
	}
	looked, err := time.Parse(time.RFC3339, string(item.Value))
	return err != nil || newest.After(looked.Add(-deferredAge))
}

func (s *Service) noteLook(ctx context.Context, at time.Time) error {
	return s.Records.Put(ctx, record.Item{Key: lookKey(), Value: []byte(at.UTC().Format(time.RFC3339))}, record.Any())
}
