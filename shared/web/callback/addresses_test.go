package callback_test

import (
	"errors"
	"fmt"
	"testing"

	"lectern/shared/web/callback"
	"lectern/shared/web/fetch"
	"lectern/shared/web/fetch/fetchtest"
)

// TestBlockedAddresses: no callback reaches what is not public when it is sent,
// whatever its name was when it was asked for.
func TestBlockedAddresses(t *testing.T) {
	n := 0
	fetchtest.Refuses(t, func(host string, port int) error {
		w := open(t)
		w.Fetch = fetch.New(nil)
		n++
		if err := w.Announce(t.Context(), &callback.Config{URL: fmt.Sprintf("http://%s:%d/", host, port)},
			callback.Event{Type: "ingest.done", TaskID: fmt.Sprint("t", n)}); err != nil {
			return err
		}
		w.queue.RunDue(t.Context())
		return errors.New("tried") // that nobody was reached is seen by the table
	})
}
