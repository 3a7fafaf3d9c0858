// Package sweep bounds what a sweep may free. A sweep compares what a store
// holds with what a registry names. When the registry is lost, empty or another
// one's, everything looks like a leftover; so a sweep frees what the registry
// itself tells to be gone, and of the rest only as much as leftovers of dead
// processes can be.
package sweep

import (
	"context"
	"fmt"
	"log/slog"
	"time"
)

// Guard holds sweeps to the rule. The zero value is the strict one, without a
// log.
type Guard struct {
	// All lets a sweep free more than a third of what it looks at: the
	// operator's explicit word.
	All bool
	// Adopted is when stores that did not belong together were adopted; what is
	// older is kept unless All is set. Zero: never.
	Adopted time.Time
	Log     *slog.Logger // nil discards
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
