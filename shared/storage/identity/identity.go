// Package identity tells whether records, objects and index belong together.
//
// A set of stores has one random id, kept in each of them. It is written on the
// first use of an empty set; sets that are older than ids get one when their
// registry names what the other stores hold. Where ids differ, or the records
// are new beside stores that hold something, Check refuses: the registry does
// not describe these objects, and a sweep by it would delete them. Adopt is the
// operator's word that the stores belong together all the same.
//
// The id is claimed in the records, by one conditional write, so that two
// processes that start together cannot make two.
//
// The records keep a format beside the id: that of what releases write into them. A
// release that does not know the format refuses, for it would miss items that
// lie where it does not look, and its sweep would delete what they name. Releases from
// before formats take the two for an id that is not the objects', and refuse too.
package identity

import (
	"context"
	"crypto/rand"
	"errors"
	"fmt"
	"strconv"
	"strings"
	"time"

	"lectern/shared/fault"
	"lectern/shared/storage/object"
	"lectern/shared/storage/record"
	"lectern/shared/storage/sweep"
)

// Marker is a store that keeps the id of its set.
type Marker interface {
	// StoreID returns the id; empty when the store has none.
	StoreID(ctx context.Context) (string, error)
	// SetStoreID keeps the id, whatever was there.
	SetStoreID(ctx context.Context, id string) error
}

// Survey compares the registry with what the other stores hold.
type Survey struct {
	Registered int // items of the registry
	Objects    int // objects that a registry should name
	Named      int // of them, those that the registry names
	Indexed    int // generations in the index; of them
	Found      int // those that the registry names
}

// Stores is a set of stores.
type Stores struct {
	Records record.Store
	Objects object.Store
	Index   Marker // nil: not looked at
	// Survey is asked only while an id is missing.
	Survey func(context.Context) (Survey, error)

	checked bool
	adopted time.Time
	format  int
}

// Format is what this release writes: 2 since the registry of documents lies in several
// partitions, 1 before.
const Format = 2

const formatWord = " format "

// ObjectKey is where the id lies among the objects.
const ObjectKey = "identity"

func recordKey() record.Key { return record.Key{Partition: "identity", Sort: "store"} }

// maxIDBytes bounds what is read as an id.
const maxIDBytes = 200

// ids are what the three stores say; empty where there is none.
type ids struct{ records, objects, index string }

// look reads the ids.
func (s *Stores) look(ctx context.Context) (found ids, err error) {
	if found.records, err = s.ofRecords(ctx); err != nil {
		return found, err
	}
	if found.objects, err = s.ofObjects(ctx); err != nil {
		return found, err
	}
	if s.Index != nil {
		found.index, err = s.Index.StoreID(ctx)
	}
	return found, err
}

func (s *Stores) ofRecords(ctx context.Context) (string, error) {
	item, err := s.Records.Find(ctx, recordKey())
	if fault.Is(err, fault.NotFound) {
		return "", nil
	}
	var id string
	id, s.format, s.adopted = parse(item.Value)
	return id, err
}

// parse reads the item of the records: the id with the format, and on a second line
// when the stores were adopted.
func parse(value []byte) (id string, format int, adopted time.Time) {
	first, second, _ := strings.Cut(string(value), "\n")
	adopted, _ = time.Parse(time.RFC3339Nano, second) // zero when there was none
	id, number, told := strings.Cut(first, formatWord)
	if format = 1; told {
		format, _ = strconv.Atoi(number)
	}
	return id, format, adopted
}

// compose is the item that parse reads.
func compose(id string, adopted time.Time) []byte {
	value := id + formatWord + strconv.Itoa(Format)
	if !adopted.IsZero() {
		value += "\n" + adopted.UTC().Format(time.RFC3339Nano)
	}
	return []byte(value)
}

// known refuses records of a later release.
func (s *Stores) known() error {
	if s.format <= Format {
		return nil
	}
	return &fault.Error{Code: fault.Unavailable, NoRetry: true, Msg: fmt.Sprintf("a later release has written these records (format %d, this one "+
		"knows %d): start that release, or restore a backup of before; nothing was changed", s.format, Format)}
}

// raise writes the format of this release beside an id that is there.
func (s *Stores) raise(ctx context.Context) error {
	return record.Update(ctx, s.Records, recordKey(), func(old record.Item, found bool) (record.Item, record.Action, error) {
		id, format, adopted := parse(old.Value)
		if !found || id == "" || format >= Format {
			return record.Item{}, record.Leave, nil
		}
		return record.Item{Value: compose(id, adopted)}, record.Write, nil
	})
}

// Adopted returns when the stores were adopted; zero when they never were. After
// Check it asks nobody.
func (s *Stores) Adopted(ctx context.Context) (time.Time, error) {
	if s.checked {
		return s.adopted, nil
	}
	_, err := s.ofRecords(ctx)
	return s.adopted, err
}

func (s *Stores) ofObjects(ctx context.Context) (string, error) {
	raw, _, err := object.ReadAll(ctx, s.Objects, ObjectKey, maxIDBytes)
	if fault.Is(err, fault.NotFound) {
		return "", nil
	}
	if errors.Is(err, object.ErrDamaged) {
		return "", nil // the records have it too, and write it again
	}
	return strings.TrimSpace(string(raw)), err
}

// Check returns nil when the stores belong together, and completes their id. A
// set that does not is fault.Unavailable with a sentence that says what to do.
func (s *Stores) Check(ctx context.Context) error {
	found, err := s.look(ctx)
	if err != nil {
		return fmt.Errorf("look for the stores' id: %w", err)
	}
	if err := s.known(); err != nil {
		return err
	}
	s.checked = true
	if found.complete(s.Index != nil) {
		if s.format < Format {
			return s.raise(ctx)
		}
		return nil
	}
	if err := found.differ(); err != nil {
		return err
	}
	survey, err := s.Survey(ctx)
	if err != nil {
		return fmt.Errorf("compare the registry with the stores: %w", err)
	}
	if err := found.judge(survey); err != nil {
		return err
	}
	if err := s.mark(ctx, found.objects); err != nil {
		return err
	}
	return s.raise(ctx)
}

// complete reports whether all stores have one id.
func (f ids) complete(withIndex bool) bool {
	return f.records != "" && f.records == f.objects && (!withIndex || f.records == f.index)
}

func (f ids) differ() error {
	for _, other := range []struct{ name, id string }{{"the objects", f.objects}, {"the search index", f.index}} {
		if f.records != "" && other.id != "" && other.id != f.records {
			return refusal("the records belong to store %s, %s to store %s", short(f.records), other.name, short(other.id))
		}
	}
	return nil
}

// judge decides about stores of which some have no id. A registry that names
// what is stored beside it belongs to it: it is older than ids, or its id was
// damaged.
func (f ids) judge(s Survey) error {
	switch {
	case s.Objects > 0 && s.Named == 0 && (f.records == "" || f.objects == ""):
		if s.Registered == 0 {
			return refusal("the records are new, but %d objects are stored", s.Objects)
		}
		return refusal("the records name none of the %d stored objects", s.Objects)
	case s.Indexed > 0 && s.Found == 0 && (f.records == "" || f.index == ""):
		if s.Registered == 0 {
			return refusal("the records are new, but the search index holds %d documents", s.Indexed)
		}
		return refusal("the records name none of the %d documents in the search index", s.Indexed)
	case f.records == "" && f.objects != "" && s.Named*2 < s.Objects:
		return refusal("the records have lost their id, the objects belong to store %s", short(f.objects))
	}
	return nil
}

func refusal(format string, args ...any) error {
	return &fault.Error{Code: fault.Unavailable, NoRetry: true, Msg: fmt.Sprintf("the stores do not belong together: %s; nothing was "+
		"deleted: put the missing store back, or run `lectern adopt` to go on with these as they are", fmt.Sprintf(format, args...))}
}

// short is enough of an id to tell it from others.
func short(id string) string { return id[:min(len(id), 8)] }

// mark completes the id in all stores; wish is the id to take when the records
// have none.
func (s *Stores) mark(ctx context.Context, wish string) error {
	id, err := s.claim(ctx, wish)
	if err != nil {
		return fmt.Errorf("write the stores' id: %w", err)
	}
	_, err = s.Objects.Put(ctx, ObjectKey, strings.NewReader(id),
		object.PutOptions{ContentType: "text/plain", Size: int64(len(id)), IfAbsent: true})
	if fault.Is(err, fault.Conflict) {
		var there string
		if there, err = s.ofObjects(ctx); err == nil && there != id {
			return ids{records: id, objects: there}.differ()
		}
	}
	if err != nil {
		return fmt.Errorf("write the stores' id: %w", err)
	}
	if s.Index == nil {
		return nil
	}
	there, err := s.Index.StoreID(ctx)
	if err == nil && there != id {
		err = s.Index.SetStoreID(ctx, id)
	}
	return err
}

// claim returns the id of the records, which it makes when there is none.
func (s *Stores) claim(ctx context.Context, wish string) (string, error) {
	if wish == "" {
		wish = rand.Text()
	}
	id := wish
	err := record.Update(ctx, s.Records, recordKey(), func(old record.Item, _ bool) (record.Item, record.Action, error) {
		if id, _, _ = parse(old.Value); id != "" {
			return record.Item{}, record.Leave, nil // it was there, or another process was faster
		}
		id = wish
		return record.Item{Value: compose(id, time.Time{}), Version: id}, record.Write, nil
	})
	return id, err
}

// Adopt makes one set of the stores, whatever their ids: that of the records
// counts, else that of the objects. It deletes nothing, and returns the id. What
// the stores hold now is kept by later sweeps, whatever the registry says of it.
func (s *Stores) Adopt(ctx context.Context, now time.Time) (string, error) {
	found, err := s.look(ctx)
	if err != nil {
		return "", err
	}
	if err := s.known(); err != nil {
		return "", err
	}
	id, err := s.claim(ctx, found.objects)
	if err != nil {
		return "", err
	}
	if err := s.Records.Put(ctx, record.Item{Key: recordKey(), Value: compose(id, now)}, record.Any()); err != nil {
		return "", err
	}
	if _, err := s.Objects.Put(ctx, ObjectKey, strings.NewReader(id),
		object.PutOptions{ContentType: "text/plain", Size: int64(len(id))}); err != nil {
		return "", err
	}
	if err := sweep.Forget(ctx, s.Records); err != nil {
		return "", err
	}
	if s.Index != nil {
		err = s.Index.SetStoreID(ctx, id)
	}
	return id, err
}
