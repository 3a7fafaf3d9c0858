// Package spread keeps the items of one name in sixteen partitions of a record
// store instead of one, so that strong reads of a name that everybody asks for do
// not meet the limit of a single partition (in DynamoDB 3,000 read units a second).
//
// The caller says at which place an item lies, by a hash of its own. Items that
// were stored before, in one partition, are still read: an item counts at its place
// if it is there, and else in the old partition. A write moves its item, and Adopt
// moves all. An old item that was left beside a moved one never comes back: before
// anything lets the moved one disappear, the old one is deleted.
package spread

import (
	"cmp"
	"context"
	"errors"
	"iter"
	"slices"

	"golang.org/x/sync/errgroup"

	"lectern/shared/fault"
	"lectern/shared/storage/record"
)

// Places is the number of partitions of a name.
const Places = 16

const digits = "0123456789abcdef"

// Key names an item: its name, its place there, 0 to Places-1, and its sort key.
type Key struct {
	Name  string
	Place int
	Sort  string
}

// Partition returns the partition of a place.
func Partition(name string, place int) string { return name + "/" + digits[place:place+1] }

// Item returns the key by which the item is stored.
func (k Key) Item() record.Key {
	return record.Key{Partition: Partition(k.Name, k.Place), Sort: k.Sort}
}

// old returns the key by which it was stored before.
func (k Key) old() record.Key { return record.Key{Partition: k.Name, Sort: k.Sort} }

// Find returns an item; NotFound if there is none.
func Find(ctx context.Context, s record.Store, k Key) (record.Item, error) {
	var item record.Item
	var err error
	// An item that is being moved may be missed at both keys, but is then at its place.
	for _, key := range []record.Key{k.Item(), k.old(), k.Item()} {
		if item, err = s.Find(ctx, key); err == nil || !fault.Is(err, fault.NotFound) {
			break
		}
	}
	return item, err
}

// FindMany returns the items that exist, in no order. Those at their places take one
// read each.
func FindMany(ctx context.Context, s record.Store, keys []Key) ([]record.Item, error) {
	var found []record.Item
	missing := keys
	for _, at := range []func(Key) record.Key{Key.Item, Key.old, Key.Item} {
		by := make(map[record.Key]Key, len(missing))
		ask := make([]record.Key, len(missing))
		for i, k := range missing {
			ask[i] = at(k)
			by[ask[i]] = k
		}
		items, err := s.FindMany(ctx, ask)
		if err != nil {
			return nil, err
		}
		found = append(found, items...)
		for _, item := range items {
			delete(by, item.Key)
		}
		if len(by) == 0 {
			break
		}
		missing = missing[:0:0]
		for _, key := range ask {
			if k, ok := by[key]; ok {
				missing = append(missing, k)
				delete(by, key)
			}
		}
	}
	return found, nil
}

// Update is record.Update for an item, which it moves to its place first.
func Update(ctx context.Context, s record.Store, k Key,
	change func(old record.Item, found bool) (record.Item, record.Action, error)) error {
	for looked, again := false, true; again; {
		again = false
		err := record.Update(ctx, s, k.Item(), func(item record.Item, found bool) (record.Item, record.Action, error) {
			if !found && !looked {
				looked = true
				var err error
				if again, err = moveOne(ctx, s, k); err != nil || again {
					return item, record.Leave, err
				}
			}
			next, action, err := change(item, found)
			if err == nil && (action == record.Remove || action == record.Write && !next.Expires.IsZero()) {
				err = s.Delete(ctx, k.old(), record.Any())
			}
			return next, action, err
		})
		if err != nil {
			return err
		}
	}
	return nil
}

// moveOne moves the item of a key, if it is an old one.
func moveOne(ctx context.Context, s record.Store, k Key) (bool, error) {
	old, err := s.Find(ctx, k.old())
	if fault.Is(err, fault.NotFound) {
		return false, nil
	}
	if err != nil {
		return false, err
	}
	return true, move(ctx, s, old, k, nil)
}

// move copies an old item to its place, unless one is there, and deletes it. An old
// item that newer prefers to the one at its place replaces that; nil prefers none.
func move(ctx context.Context, s record.Store, old record.Item, k Key, newer func(old, there record.Item) bool) error {
	copied := old
	copied.Key = k.Item()
	copied.Value = slices.Clone(old.Value) // a store may keep what it is given
	err := s.Put(ctx, copied, record.Absent())
	if fault.Is(err, fault.Conflict) {
		err = nil
		if newer != nil {
			var there record.Item
			if there, err = s.Find(ctx, k.Item()); err == nil && newer(old, there) {
				err = s.Put(ctx, copied, record.VersionIs(there.Version))
			} else if fault.Is(err, fault.NotFound) {
				err = nil
			}
		}
	}
	if err == nil {
		cond := record.VersionIs(old.Version)
		if old.Version == "" { // damaged
			cond = record.Any()
		}
		err = s.Delete(ctx, old.Key, cond)
	}
	if fault.Is(err, fault.Conflict) {
		return nil // somebody else moves it, or wrote it once more: the next look tells
	}
	return err
}

// movers is how many items Adopt moves at once.
const movers = 32

// Adopt moves every old item of a name to its place. place returns -1 for an item
// whose place it cannot tell, which stays. newer reports whether an old item is to
// replace the one at its place: a program of before may still have written it.
func Adopt(ctx context.Context, s record.Store, name string, place func(record.Item) int,
	newer func(old, there record.Item) bool) (moved int, err error) {
	work, ctx := errgroup.WithContext(ctx)
	work.SetLimit(movers)
	for item, err := range record.All(ctx, s, record.Range{Partition: name}) {
		if err != nil {
			return moved, errors.Join(err, work.Wait())
		}
		at := place(item)
		if at < 0 {
			continue
		}
		moved++
		work.Go(func() error { return move(ctx, s, item, Key{name, at, item.Sort}, newer) })
	}
	return moved, work.Wait()
}

// All yields the items of a name after a sort key, in the order of their sort keys.
// page is how many items are wanted, about; 0 means all. It ends after its first
// error.
func All(ctx context.Context, s record.Store, name, after string, page int) iter.Seq2[record.Item, error] {
	return func(yield func(record.Item, error) bool) {
		for {
			// An old item is looked for before its place is: one that is moved meanwhile
			// is seen at either, and one that is seen at both counts at its place.
			old, err := s.Range(ctx, record.Range{Partition: name, After: after, Limit: page})
			if err != nil {
				yield(record.Item{}, err)
				return
			}
			if !merge(ctx, s, name, after, old, page, yield) || old.Next == "" {
				return
			}
			after = old.Next
		}
	}
}

// source is a partition that is merged with others.
type source struct {
	record.Range
	items []record.Item
	done  bool
}

func (r *source) fill(ctx context.Context, s record.Store) error {
	for len(r.items) == 0 && !r.done {
		page, err := s.Range(ctx, r.Range)
		if err != nil {
			return err
		}
		r.items, r.After, r.done = page.Items, page.Next, page.Next == ""
	}
	return nil
}

// merge yields what lies after a sort key, up to the end of a page of old items. It
// returns false when it was told to stop.
func merge(ctx context.Context, s record.Store, name, after string, old record.Page, page int, yield func(record.Item, error) bool) bool {
	before := ""
	if old.Next != "" {
		before = old.Next + "#" // the least key behind it
	}
	share := 0
	if page > 0 {
		share = page/Places*2 + 8
	}
	sources := make([]*source, 0, Places+1)
	work, first := errgroup.WithContext(ctx)
	for place := range Places {
		r := &source{Range: record.Range{Partition: Partition(name, place), After: after, Before: before, Limit: share}}
		sources = append(sources, r)
		work.Go(func() error { return r.fill(first, s) })
	}
	if err := work.Wait(); err != nil {
		yield(record.Item{}, err)
		return false
	}
	sources = append(sources, &source{items: old.Items, done: true}) // the last, so that places come before it
	last := after
	for {
		sources = slices.DeleteFunc(sources, func(r *source) bool { return len(r.items) == 0 })
		if len(sources) == 0 {
			return true
		}
		least := slices.MinFunc(sources, func(a, b *source) int { return cmp.Compare(a.items[0].Sort, b.items[0].Sort) })
		item := least.items[0]
		least.items = least.items[1:]
		if err := least.fill(ctx, s); err != nil {
			yield(record.Item{}, err)
			return false
		}
		if item.Sort == last {
			continue // an old one
		}
		last = item.Sort
		if !yield(item, nil) {
			return false
		}
	}
}
