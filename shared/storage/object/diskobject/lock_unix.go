//go:build unix

package diskobject

import (
	"errors"
	"fmt"
	"os"
	"syscall"
	"time"

	"lectern/shared/fault"
)

// lock takes the directory for this process; the system frees it when the
// process dies. It waits a little for a predecessor that is just leaving.
func lock(path string) (unlock func() error, err error) {
	f, err := os.OpenFile(path, os.O_RDWR|os.O_CREATE, 0o600)
	if err != nil {
		return nil, fmt.Errorf("open objects: %w", err)
	}
	for wait := 0; ; wait += 20 {
		err := syscall.Flock(int(f.Fd()), syscall.LOCK_EX|syscall.LOCK_NB)
		if err == nil {
			return f.Close, nil
		}
		if !errors.Is(err, syscall.EWOULDBLOCK) && !errors.Is(err, syscall.EINTR) || wait >= 500 {
			f.Close()
			return nil, fault.Wrap(err, fault.Unavailable, "the directory is in use by another process")
		}
		time.Sleep(20 * time.Millisecond)
	}
}
