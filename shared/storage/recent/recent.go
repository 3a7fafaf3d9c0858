// Package recent lists what was accepted lately, newest first, for those who
// administer the service. What became of it stands elsewhere.
package recent

import (
	"context"
	"encoding/json"
	"fmt"
	"log/slog"
	"strings"
	"time"

	"lectern/shared/fault"
	"lectern/shared/storage/record"
)

// keep is how long an entry is listed.
const keep = 7 * 24 * time.Hour

// Log is a list in the records. Safe for concurrent use.
type Log struct {
	Name    string // of the list, such as tasks
	Records record.Store
	Now     func() time.Time
	Log     *slog.Logger
}

// Entry is something that was accepted.
type Entry struct {
	ID         string    `json:"id"`
	Kind       string    `json:"kind,omitempty"`
	Collection string    `json:"collection,omitempty"`
	Tenant     string    `json:"tenant,omitempty"`
	Key        string    `json:"key,omitempty"`
	At         time.Time `json:"at"`

	cursor string
}

// Cursor names the entry's place in the list.
func (e *Entry) Cursor() string { return e.cursor }

func (l *Log) partition() string { return "recent/" + l.Name }

// Add lists an entry, whose At it sets. That it cannot is logged, and no reason to
// refuse what was accepted. A nil Log lists nothing.
func (l *Log) Add(ctx context.Context, e Entry) {
	if l == nil {
		return
	}
	e.At = l.Now().UTC()
	value, err := json.Marshal(e)
	if err == nil {
		err = l.Records.Put(context.WithoutCancel(ctx), record.Item{Expires: e.At.Add(keep), Value: value,
			Key: record.Key{Partition: l.partition(), Sort: fmt.Sprintf("%013d-%s", e.At.UnixMilli(), e.ID)}}, record.Any())
	}
	if err != nil {
		l.Log.WarnContext(ctx, "not listed among the recent", "list", l.Name, "id", e.ID, "error", err)
	}
}

// List returns up to limit entries, newest first, before the one that a cursor names,
// and whether there are older ones.
func (l *Log) List(ctx context.Context, before string, limit int) (list []Entry, more bool, err error) {
	if before != "" && (len(before) > record.MaxKeyBytes || strings.Trim(before, "0123456789abcdefghijklmnopqrstuvwxyzABCDEFGHIJKLMNOPQRSTUVWXYZ._-") != "") {
		return nil, false, fault.New(fault.Malformed, "page: not a cursor of this list")
	}
	r := record.Range{Partition: l.partition(), Before: before, Reverse: true, Limit: min(limit+1, record.MaxPageItems)}
	for item, err := range record.All(ctx, l.Records, r) {
		if err != nil {
			return nil, false, err
		}
		e := Entry{cursor: item.Sort}
		if json.Unmarshal(item.Value, &e) != nil {
			continue // damaged: the others are unaffected
		}
		if len(list) == limit {
			return list, true, nil
		}
		list = append(list, e)
	}
	return list, false, nil
}
