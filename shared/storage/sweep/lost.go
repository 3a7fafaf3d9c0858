package sweep

import (
	"context"
	"log/slog"
)

// maxNamed is how many losses of a kind are named in the log; a service that lost all
// would log for long, and lectern verify names them.
const maxNamed = 100

// Losses are the objects that a registry names and the store lacks. An object is stored
// before it is registered, and freed after, so that the death of a process loses none.
type Losses struct {
	Guard Guard
	Of    string // what was looked at, such as "documents"

	count int
}

// Add tells of an object that is lost, and what it is of.
func (l *Losses) Add(ctx context.Context, key string, of ...slog.Attr) {
	if l.Guard.Lost != nil {
		l.Guard.Lost(key)
	}
	if l.count++; l.count <= maxNamed && l.Guard.Log != nil {
		l.Guard.Log.LogAttrs(ctx, slog.LevelWarn, "a stored object is lost", append(of, slog.String("of", l.Of), slog.String("object", key))...)
	}
}

// Report logs how many there are, if any.
func (l *Losses) Report(ctx context.Context) {
	if l.count > 0 && l.Guard.Log != nil {
		l.Guard.Log.WarnContext(ctx, "stored objects are lost: put them back from a backup, or send again what they were made of",
			"of", l.Of, "lost", l.count)
	}
}
