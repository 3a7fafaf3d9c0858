package object_test

import (
	"context"
	"testing"
	"testing/synctest"
	"time"

	"lectern/shared/storage/object"
)

// TestTimeLeft: a walk stops well before its deadline, and has some time however near
// that is.
func TestTimeLeft(t *testing.T) {
	synctest.Test(t, func(t *testing.T) {
		if left, limited := object.TimeLeft(t.Context()); limited {
			t.Errorf("without a deadline TimeLeft = %s", left)
		}
		for deadline, want := range map[time.Duration]time.Duration{
			15 * time.Minute: 15*time.Minute - 90*time.Second, time.Minute: 48 * time.Second, 5 * time.Second: 4 * time.Second,
		} {
			ctx, cancel := context.WithTimeout(t.Context(), deadline)
			if left, limited := object.TimeLeft(ctx); !limited || left != want {
				t.Errorf("%s before the deadline TimeLeft = %s, %v; want %s", deadline, left, limited, want)
			}
			cancel()
		}
	})
}
