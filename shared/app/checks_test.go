package app_test

import (
	"context"
	"errors"
	"io"
	"syscall"
	"testing"
	"time"

	"lectern/shared/app"
	"lectern/shared/fault"
	"lectern/shared/storage/object"
	"lectern/shared/storage/record"
)

type noRecords struct{ record.Store }

func (noRecords) Put(context.Context, record.Item, record.Condition) error { return nil }

// failing takes no objects of the sizes that fail.
type failing struct {
	object.Store
	fails func(size int64) bool
}

func (f failing) Put(_ context.Context, _ string, body io.Reader, o object.PutOptions) (object.Info, error) {
	if f.fails(o.Size) {
		return object.Info{}, syscall.EIO
	}
	_, err := io.Copy(io.Discard, body)
	return object.Info{}, err
}

// TestWriteProbe: the service is not ready when its disk takes large objects only, or
// small ones only, and says so as what it is.
func TestWriteProbe(t *testing.T) {
	for name, tc := range map[string]struct {
		fails func(int64) bool
		ready bool
	}{
		"well":          {func(int64) bool { return false }, true},
		"large objects": {func(size int64) bool { return size > 64<<10 }, false},
		"small objects": {func(size int64) bool { return size < 64<<10 }, false},
	} {
		p := &app.Process{}
		p.Alone, p.Records, p.Objects, p.Now = true, noRecords{}, failing{fails: tc.fails}, time.Now
		err := app.Checks(p)["writes"](t.Context())
		if (err == nil) != tc.ready || err != nil && !fault.Is(err, fault.Unavailable) || err != nil && !errors.Is(err, syscall.EIO) {
			t.Errorf("%s: %v, want ready %v", name, err, tc.ready)
		}
	}
}
