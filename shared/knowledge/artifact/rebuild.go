package artifact

import (
	"context"
	"errors"
	"fmt"
	"io"
	"maps"
	"slices"
	"strings"
	"sync"

	"golang.org/x/sync/errgroup"

	"lectern/shared/fault"
	"lectern/shared/knowledge/index"
	"lectern/shared/storage/object"
	"lectern/shared/text/chunk"
	"lectern/shared/text/document"
)

// Progress is how far a rebuilding of the index has come.
type Progress struct {
	Done   int `json:"done"`
	Of     int `json:"of"`     // documents that the index lacked
	Failed int `json:"failed"` // of those done: their stored text is missing or damaged
}

// rebuilding is the progress as others may ask for it.
type rebuilding struct {
	mu      sync.Mutex
	running bool
	Progress
}

// begin starts over with a number of documents; 0 means that none are missing.
func (r *rebuilding) begin(documents int) {
	r.mu.Lock()
	defer r.mu.Unlock()
	r.running, r.Progress = documents > 0, Progress{Of: documents}
}

// next counts a document and returns how many are done.
func (r *rebuilding) next(failed bool) int {
	r.mu.Lock()
	defer r.mu.Unlock()
	if r.Done++; failed {
		r.Failed++
	}
	return r.Done
}

func (r *rebuilding) end() Progress {
	r.mu.Lock()
	defer r.mu.Unlock()
	r.running = false
	return r.Progress
}

// Rebuilding returns the progress of Rebuild; running is false when it is not
// at work, and the progress then is that of the last time.
func (s *Service) Rebuilding() (p Progress, running bool) {
	s.rebuilding.mu.Lock()
	defer s.rebuilding.mu.Unlock()
	return s.rebuilding.Progress, s.rebuilding.running
}

const (
	rebuilders = 8    // documents that are rebuilt at once: they share the index's syncs
	logEvery   = 1000 // documents after which a rebuilding logs how far it is
)

// Rebuild compares the index with the registry, and writes the documents that
// the index lacks, or has parts of, from their stored texts. A document whose
// text cannot be read is logged and counted; the others go on. One call at a
// time.
func (s *Service) Rebuild(ctx context.Context) (Progress, error) {
	small, large, err := s.missing(ctx)
	of := len(small) + len(large)
	s.rebuilding.begin(of)
	if err != nil || of == 0 {
		return s.rebuilding.end(), err
	}
	s.Log.WarnContext(ctx, "the index lacks documents that the registry names; it is rebuilt from the stored texts", "documents", of)
	if err = s.rebuildAll(ctx, small, rebuilders, of); err == nil {
		err = s.rebuildAll(ctx, large, 1, of)
	}
	p := s.rebuilding.end()
	if err == nil {
		s.Log.InfoContext(ctx, "the index is rebuilt", "documents", p.Done-p.Failed, "failed", p.Failed)
	}
	return p, err
}

// rebuildAll rebuilds documents, so many at once, of the number that is missing.
func (s *Service) rebuildAll(ctx context.Context, list []Accepted, atOnce, of int) error {
	work, working := errgroup.WithContext(ctx)
	work.SetLimit(atOnce)
	for _, a := range list {
		work.Go(func() error {
			if err := working.Err(); err != nil {
				return err
			}
			err := s.rebuildOne(working, a)
			if working.Err() != nil {
				return working.Err()
			}
			if err != nil {
				s.Log.ErrorContext(ctx, "a document cannot be rebuilt; ingest it again", "collection", a.Collection, "artifact", a.Artifact,
					"error", err)
			}
			if n := s.rebuilding.next(err != nil); n%logEvery == 0 {
				s.Log.InfoContext(ctx, "the index is being rebuilt", "done", n, "of", of)
			}
			return nil
		})
	}
	return work.Wait()
}

// Missing counts the documents that the index lacks, or has parts of.
func (s *Service) Missing(ctx context.Context) (int, error) {
	small, large, err := s.missing(ctx)
	return len(small) + len(large), err
}

// missing lists the live generations of which the index has fewer chunks than
// the registry says. Large ones fill the memory of several small ones.
func (s *Service) missing(ctx context.Context) (small, large []Accepted, err error) {
	have := map[string]int{}
	for g, err := range s.Index.Generations(ctx, "", index.Generation{}) {
		if err != nil {
			return nil, nil, err
		}
		have[g.Generation] = g.Chunks
	}
	for c, err := range s.collections(ctx, "", 0) {
		if err != nil {
			return nil, nil, err
		}
		for e, err := range s.entries(ctx, c.Name, "", 0) {
			if err != nil {
				return nil, nil, err
			}
			if e.Live == "" || have[e.Live] >= e.Chunks {
				continue
			}
			if a := (Accepted{e.Collection, e.Artifact, e.Live}); e.Bytes < groupBytes {
				small = append(small, a)
			} else {
				large = append(large, a)
			}
		}
	}
	return small, large, nil
}

// rebuildOne rebuilds a generation that is live and not whole in the index.
func (s *Service) rebuildOne(ctx context.Context, a Accepted) error {
	e, err := s.find(ctx, a.Collection, a.Artifact)
	if err != nil || e.Live != a.Generation {
		return err
	}
	n, err := s.Index.Count(ctx, a.Collection, a.Artifact, a.Generation)
	if err != nil || n >= e.Chunks {
		return err
	}
	return s.rebuild(ctx, e, n)
}

// rebuild writes the live generation of an entry into the index, which has n of
// its chunks.
func (s *Service) rebuild(ctx context.Context, e *entry, n int) error {
	raw, _, err := object.ReadAll(ctx, s.Objects, s.storedKey(e.Collection, e.Artifact, e.Live), maxStored)
	if err != nil {
		return err
	}
	doc, err := decodeStored(raw)
	if err != nil {
		return fmt.Errorf("decode the stored text: %w", err)
	}
	j := &job{service: s, body: &Body{Artifact: e.Artifact, Collection: e.Collection, Metadata: e.given(doc)}, generation: e.Live,
		group: allGroups, entry: e, doc: doc, pieces: chunk.Split(doc)}
	j.source.name, _ = e.Doc["file_name"].(string)
	if n > 0 && len(j.pieces) != e.Chunks {
		// Another version of the chunker cut the text; its chunks do not mix.
		if err := s.Index.Drop(ctx, e.Collection, e.Artifact, e.Live); err != nil {
			return err
		}
	}
	if err := j.index(ctx); err != nil {
		return err
	}
	if err := j.await(ctx); err != nil {
		return err
	}
	return s.settleRebuilt(ctx, j)
}

// settleRebuilt notes how many chunks a rebuilt generation has, or drops them
// when it was replaced or deleted meanwhile.
func (s *Service) settleRebuilt(ctx context.Context, j *job) error {
	now, err := s.find(ctx, j.body.Collection, j.body.Artifact)
	if err != nil {
		return err
	}
	if now.Live != j.generation {
		return s.Index.Drop(ctx, j.body.Collection, j.body.Artifact, j.generation)
	}
	if now.Chunks == len(j.pieces) {
		return nil
	}
	if err := s.announce(ctx, j.body.Collection); err != nil {
		return err
	}
	_, err = s.change(ctx, j.body.Collection, j.body.Artifact, func(e *entry) (bool, error) {
		if e.Live != j.generation {
			return false, nil
		}
		e.Chunks = len(j.pieces)
		if _, ok := e.Doc["chunk_count"]; ok {
			e.Doc["chunk_count"] = e.Chunks
		}
		return true, nil
	})
	return err
}

// found are the names of doc_metadata that an ingest makes itself.
var foundNames = []string{"file_name", "file_type", "chunk_count", "token_count", "content_hash", "size_bytes", "ingested_at", "title",
	"pages", "warnings"}

// given returns the metadata that the caller of the ingest gave; nil when there
// was none.
func (e *entry) given(doc *document.Document) map[string]any {
	if e.Given != nil {
		if len(e.Given) == 0 {
			return nil
		}
		meta := make(map[string]any, len(e.Given))
		for _, name := range e.Given {
			meta[name] = e.Doc[name]
		}
		return meta
	}
	// An entry of an older version does not tell. Metadata always came with a
	// file name, and a title that the document does not have is the caller's.
	meta := maps.Clone(e.Doc)
	title, _ := e.Doc["title"].(string)
	maps.DeleteFunc(meta, func(name string, _ any) bool {
		return name != "file_name" && (name != "title" || title == doc.Title) && slices.Contains(foundNames, name)
	})
	d := newDoc(e)
	if len(meta) == 1 && d.FileName() == "" {
		return nil
	}
	return meta
}

// whole reports whether all that an unchanged ingest relies on is there: the
// stored text, and the chunks, which are rebuilt when they are missing. Where
// the index cannot be asked they are taken to be there.
func (s *Service) whole(ctx context.Context, e *entry) (bool, error) {
	_, err := s.Objects.Head(ctx, s.storedKey(e.Collection, e.Artifact, e.Live))
	if fault.Is(err, fault.NotFound) || errors.Is(err, object.ErrDamaged) {
		return false, nil
	}
	if err != nil {
		return false, err
	}
	n, err := s.Index.Count(ctx, e.Collection, e.Artifact, e.Live)
	if err != nil || n >= e.Chunks {
		return true, ctx.Err()
	}
	s.Log.WarnContext(ctx, "the index has lost a document; it is rebuilt", "collection", e.Collection, "artifact", e.Artifact)
	if err := s.rebuild(ctx, e, n); err != nil {
		s.Log.WarnContext(ctx, "a document cannot be rebuilt and is ingested again", "collection", e.Collection, "artifact", e.Artifact,
			"error", err)
		return false, ctx.Err()
	}
	return true, nil
}

// state of a stored object.
func (s *Service) readable(ctx context.Context, key string) (state string, err error) {
	body, _, err := s.Objects.Open(ctx, key, 0, -1)
	if err == nil {
		_, err = io.Copy(io.Discard, body)
		body.Close()
	}
	return stateBy(err)
}

// stateBy tells what the error of a read says of the object.
func stateBy(err error) (state string, other error) {
	switch {
	case fault.Is(err, fault.NotFound):
		return "lost", nil
	case errors.Is(err, object.ErrDamaged):
		return "damaged", nil
	}
	return "", err
}

// textState is readable for a stored text, which has to make sense too.
func (s *Service) textState(ctx context.Context, e *entry) (state string, err error) {
	raw, _, err := object.ReadAll(ctx, s.Objects, s.storedKey(e.Collection, e.Artifact, e.Live), maxStored)
	if err == nil {
		if _, err := decodeStored(raw); err != nil {
			return "damaged", nil
		}
	}
	return stateBy(err)
}

// Verify reads everything that the registry names and calls wrong with a sentence
// about each thing that is not as it should be, and behind about each document of
// which the index lacks chunks: Rebuild makes those from the stored text. It returns how
// many documents are listed.
func (s *Service) Verify(ctx context.Context, wrong, behind func(string)) (listed int, err error) {
	known := map[string]bool{}
	for c, err := range s.collections(ctx, "", 0) {
		if err != nil {
			return listed, err
		}
		if c.Name == "" {
			wrong("the name of a collection is lost, and its documents cannot be listed")
			continue
		}
		for e, err := range s.everyEntry(ctx, c.Name) {
			if err != nil {
				return listed, err
			}
			if e == nil {
				wrong(fmt.Sprintf("a registry item of collection %q is damaged", c.Name))
				continue
			}
			known[folder(e.Collection, e.Artifact)] = true
			if e.Live == "" {
				continue
			}
			listed++
			if err := s.verify(ctx, e, wrong, behind); err != nil {
				return listed, err
			}
		}
	}
	for o, err := range object.All(ctx, s.Objects, documentsFolder) {
		if err != nil {
			return listed, err
		}
		if at := strings.LastIndexByte(o.Key, '/'); !known[o.Key[:at]] {
			wrong(fmt.Sprintf("the stored text %s is of no document that is listed", o.Key))
		}
	}
	return listed, nil
}

func (s *Service) verify(ctx context.Context, e *entry, wrong, behind func(string)) error {
	of := fmt.Sprintf("of artifact %q in collection %q", e.Artifact, e.Collection)
	state, err := s.textState(ctx, e)
	if err != nil {
		return err
	}
	if state != "" {
		wrong(fmt.Sprintf("the text %s is %s", of, state))
	}
	// An original that is missing was not kept.
	if state, err = s.readable(ctx, originalKey(e.Collection, e.Artifact, e.Live)); err != nil {
		return err
	}
	if state == "damaged" {
		wrong(fmt.Sprintf("the original %s is damaged", of))
	}
	n, err := s.Index.Count(ctx, e.Collection, e.Artifact, e.Live)
	if err == nil && n < e.Chunks {
		behind(fmt.Sprintf("the index has %d of %d chunks %s", n, e.Chunks, of))
	}
	return err
}

// Reread ingests documents again whose stored text is lost, from their originals. It
// returns how many, and calls failed with a sentence about each that cannot be read
// again. The documents of others stay as they are.
func (s *Service) Reread(ctx context.Context, failed func(string)) (n int, err error) {
	for c, err := range s.collections(ctx, "", 0) {
		if err != nil {
			return n, err
		}
		for e, err := range s.entries(ctx, c.Name, "", 0) {
			if err != nil {
				return n, err
			}
			if e.Live == "" {
				continue
			}
			state, err := s.textState(ctx, e)
			if err != nil {
				return n, err
			}
			if state == "" {
				continue
			}
			if err := s.reread(ctx, e); err != nil {
				failed(fmt.Sprintf("artifact %q of collection %q cannot be read again from its original: %v", e.Artifact, e.Collection, err))
				continue
			}
			n++
		}
	}
	return n, nil
}

func (s *Service) reread(ctx context.Context, e *entry) error {
	raw, _, err := object.ReadAll(ctx, s.Objects, originalKey(e.Collection, e.Artifact, e.Live), maxStored)
	if err != nil {
		return err
	}
	name, _ := e.Doc["file_name"].(string)
	j := s.job(&Body{Artifact: e.Artifact, Collection: e.Collection, Metadata: e.given(&document.Document{})}, source{name: name, data: raw})
	if err := j.accept(ctx); err != nil {
		return err
	}
	if err := j.run(ctx, "", func() error { return nil }); err != nil {
		j.abandon(context.WithoutCancel(ctx))
		return err
	}
	return nil
}
