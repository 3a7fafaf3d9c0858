package cputest

import (
	"runtime"
	"testing"
	"time"
)

// record keeps what is reported instead of failing.
type record struct {
	testing.TB
	failed bool
}

func (r *record) Helper()               {}
func (r *record) Errorf(string, ...any) { r.failed = true }

func TestMost(t *testing.T) {
	if spent() == 0 {
		t.Skip("no processor time is told on " + runtime.GOOS)
	}
	busy, idle := &record{TB: t}, &record{TB: t}
	Most(busy, time.Millisecond, "busy", func() {
		for began := spent(); spent()-began < 20*time.Millisecond; {
		}
	})
	Most(idle, 10*time.Second, "idle", func() { time.Sleep(time.Millisecond) })
	if !busy.failed || idle.failed {
		t.Errorf("busy failed %v, idle failed %v; want only busy", busy.failed, idle.failed)
	}
}
