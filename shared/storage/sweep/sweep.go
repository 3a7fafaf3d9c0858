// Package sweep bounds what a sweep may free. A sweep compares what a store
// holds with what a registry names. When the registry is lost, empty or another
// one's, everything looks like a leftover; so a sweep frees what the registry
// itself tells to be gone, and of the rest only as much as leftovers of dead
// processes can be. A sweep of much takes several runs: see Round.
package sweep

import (
	"context"
	"fmt"
	"log/slog"
	"time"

	"lectern/shared/storage/object"
)

// Age is the minimum age of what a sweep of a running service may free: the
// writer of something younger may be about to register it.
const Age = 15 * time.Minute

// Guard holds sweeps to the rule. The zero value is the strict one, without a
// log.
type Guard struct {
	// All lets a sweep free more than a third of what it looks at: the
	// operator's explicit word.
	All bool
	// Adopted is when stores that did not belong together were adopted; what is
	// older is kept unless All is set. Zero: never.
	Adopted time.Time
	// Until is when a run has to stop, well before its process is stopped. Zero: never.
	Until time.Time
	Log   *slog.Logger // nil discards
	// Lost is told the keys of objects that the registry names and the store lacks, by
	// sweeps at a start; may be nil.
	Lost func(key string)
}

// Late reports whether there is no time left for a step that takes as long as next.
func (g Guard) Late(next time.Duration) bool {
	return !g.Until.IsZero() && time.Now().Add(next).After(g.Until)
}

// Keeps reports whether what was stored at a time is kept whatever the registry
// says of it.
func (g Guard) Keeps(at time.Time) bool { return !g.All && at.Before(g.Adopted) }

// Count is what one sweep found before it frees anything.
type Count struct {
	Of     string // what was looked at, such as "documents"
	Looked int
	// Explained are leftovers of which the registry tells: replaced, deleted or
	// given up.
	Explained int
	// Orphans are leftovers that no registry item names or explains.
	Orphans int
	// Damaged are registry items that could not be read; what they name is
	// among the orphans.
	Damaged int
	// Known says that the registry holds anything at all.
	Known bool
}

// Verdict is what a registry tells of something stored.
type Verdict int

// Verdicts.
const (
	Kept       Verdict = iota // not judged: too young, or kept whatever the registry says
	Named                     // in use, or not the sweep's to judge
	Explained                 // the registry tells that it is gone
	Orphan                    // unknown to the registry
	Unreadable                // the deciding item is damaged
)

// Judge returns the verdict on an object.
type Judge func(ctx context.Context, o object.Info) (Verdict, error)

// Survey counts the objects of a folder, and those that the registry knows.
func Survey(ctx context.Context, store object.Store, folder string, judge Judge) (objects, known int, err error) {
	for o, err := range object.All(ctx, store, folder) {
		if err != nil {
			return 0, 0, err
		}
		v, err := judge(ctx, o)
		if err != nil {
			return 0, 0, err
		}
		if objects++; v != Orphan {
			known++
		}
	}
	return objects, known, nil
}

// Withheld returns why the orphans of a count have to stay; empty when they may
// be freed.
func (g Guard) Withheld(c Count) string {
	switch {
	case c.Orphans == 0:
		return ""
	case !c.Known:
		return "the registry is empty"
	case c.Damaged > 0:
		return fmt.Sprintf("%d registry items cannot be read", c.Damaged)
	case c.Orphans*3 > c.Looked && !g.All:
		return "they are more than a third; LECTERN_SWEEP=all frees them"
	}
	return ""
}

// Report logs the end of a sweep.
func (g Guard) Report(ctx context.Context, c Count, freed int) {
	if g.Log == nil {
		return
	}
	level, message := slog.LevelInfo, "sweep"
	attrs := []slog.Attr{slog.String("of", c.Of), slog.Int("looked_at", c.Looked), slog.Int("freed", freed),
		slog.Int("left", c.Looked-freed)}
	if why := g.Withheld(c); why != "" {
		level, message = slog.LevelWarn, "sweep: what no registry item names is left in place"
		attrs = append(attrs, slog.Int("unnamed", c.Orphans), slog.String("reason", why))
	}
	if c.Damaged > 0 {
		level = slog.LevelWarn
		attrs = append(attrs, slog.Int("damaged_registry_items", c.Damaged))
	}
	g.Log.LogAttrs(ctx, level, message, attrs...)
}
