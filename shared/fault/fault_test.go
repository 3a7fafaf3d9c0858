package fault_test

import (
	"errors"
	"fmt"
	"io/fs"
	"strings"
	"syscall"
	"testing"

	"lectern/shared/fault"
)

// TestPublic: what a client may read is there, all of it, and what only the
// log may know is not.
func TestPublic(t *testing.T) {
	problems := fault.Problems([]fault.Problem{{Msg: "a is missing"}, {Msg: "b is too long"}})
	for want, err := range map[string]error{
		"an internal error occurred":  errors.New("open /srv/key: denied"),
		"no artifact \"x\"":           fmt.Errorf("find: %w", fault.New(fault.NotFound, "no artifact %q", "x")),
		"the store is away":           fault.Wrap(errors.New("dial 10.0.0.1"), fault.Unavailable, "the store is away"),
		"a is missing; b is too long": problems,
		fault.Overloaded.String():     &fault.Error{Code: fault.Overloaded, Cause: errors.New("secret")},
	} {
		if got := fault.Public(err); got != want {
			t.Errorf("Public(%v) = %q, want %q", err, got, want)
		}
	}
	if got := fault.Public(&fault.Error{Code: fault.Internal, Msg: "an index is broken"}); got != "an internal error occurred" {
		t.Errorf("an internal fault shows %q", got)
	}
}

// TestSystemErrors: what the system refuses for a while is unavailable, with a sentence
// and a time to come again, wherever it comes from.
func TestSystemErrors(t *testing.T) {
	for _, e := range []syscall.Errno{syscall.ENOSPC, syscall.EDQUOT, syscall.EROFS, syscall.EIO, syscall.EMFILE, syscall.ENFILE} {
		err := fmt.Errorf("open: %w", &fs.PathError{Op: "open", Path: "/data/secret", Err: e})
		f := fault.As(err)
		if f == nil || f.Code != fault.Unavailable || f.RetryAfter == 0 || strings.Contains(fault.Public(err), "secret") {
			t.Errorf("%v is %+v, shown as %q", e, f, fault.Public(err))
		}
	}
}
