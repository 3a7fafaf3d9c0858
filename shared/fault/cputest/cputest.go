// Package cputest holds work to an amount of processor time, which other
// work on the machine does not stretch as it does the time on the clock.
package cputest

import (
	"testing"
	"time"
)

// Most fails t where work, and what runs beside it in this process, took more
// processor time (user and system, all threads) than most. Where the system
// does not tell, as on Windows, nothing is asserted.
func Most(t testing.TB, most time.Duration, name string, work func()) {
	t.Helper()
	began := spent()
	work()
	if took := spent() - began; took > most {
		t.Errorf("%s took %s of processor time, want at most %s", name, took.Round(time.Millisecond), most)
	}
}
