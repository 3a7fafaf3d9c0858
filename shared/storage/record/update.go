package record

import (
	"context"

	"lectern/shared/fault"
)

// Action is what Update does with an item.
type Action int

// The actions of Update.
const (
	Leave  Action = iota // nothing
	Write                // put the item that was returned
	Remove               // delete the item
)

// updateTries bounds how often Update begins again.
const updateTries = 50

// Update reads the item of a key, asks change what is to become of it, and does
// that on the condition that nobody wrote in between. When somebody did, it
// begins again, 50 times at most; then it is fault.Conflict. change gets found
// false when there is no item; the key of what it returns is set by Update, and
// its Version names the write. Errors of change end it.
func Update(ctx context.Context, s Store, key Key, change func(old Item, found bool) (Item, Action, error)) error {
	for try := 1; ; try++ {
		old, err := s.Find(ctx, key)
		found := err == nil
		if err != nil && !fault.Is(err, fault.NotFound) {
			return err
		}
		cond := Absent()
		if found {
			cond = VersionIs(old.Version)
		}
		item, action, err := change(old, found)
		if err != nil || action == Leave {
			return err
		}
		if action == Remove {
			err = s.Delete(ctx, key, cond)
		} else {
			item.Key = key
			err = s.Put(ctx, item, cond)
		}
		if !fault.Is(err, fault.Conflict) || try == updateTries {
			return err
		}
	}
}
