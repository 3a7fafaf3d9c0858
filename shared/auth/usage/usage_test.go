package usage_test

import (
	"context"
	"net/http"
	"path/filepath"
	"strings"
	"testing"
	"time"

	"github.com/google/go-cmp/cmp"

	"lectern/shared/auth"
	"lectern/shared/auth/usage"
	"lectern/shared/fault"
	"lectern/shared/storage/record"
	"lectern/shared/storage/record/boltrecord"
)

type clock struct{ now time.Time }

func (c *clock) read() time.Time { return c.now }

func open(t *testing.T) (record.Store, *clock) {
	t.Helper()
	c := &clock{time.Date(2026, 3, 1, 12, 0, 0, 0, time.UTC)}
	s, err := boltrecord.Open(filepath.Join(t.TempDir(), "records.db"), boltrecord.Options{Now: c.read})
	if err != nil {
		t.Fatal(err)
	}
	t.Cleanup(func() { s.Close() })
	return s, c
}

func key(l auth.Limits) auth.Principal { return auth.Principal{Key: "key_a", Limits: l} }

// tries makes requests and returns how many were admitted.
func tries(t *testing.T, m *usage.Meter, p auth.Principal, n int) (admitted int) {
	t.Helper()
	for range n {
		_, err := m.Admit(t.Context(), p)
		switch {
		case err == nil:
			admitted++
		case !fault.Is(err, fault.RateLimited):
			t.Fatal(err)
		}
	}
	return admitted
}

// TestRequestsPerMinute: processes together admit what a key may make in any minute,
// and say when to come back; who comes back then is admitted.
func TestRequestsPerMinute(t *testing.T) {
	for name, processes := range map[string]int{"alone": 1, "three processes": 3} {
		t.Run(name, func(t *testing.T) {
			records, c := open(t)
			var meters []*usage.Meter
			for i := range processes {
				meters = append(meters, &usage.Meter{Records: records, Now: c.read, Owner: string(rune('a' + i)), Alone: processes == 1})
			}
			p := key(auth.Limits{RequestsPerMinute: 9})
			admitted := 0
			for range 6 {
				for _, m := range meters {
					admitted += tries(t, m, p, 1)
				}
			}
			if want := min(9, 6*processes); admitted != want {
				t.Errorf("%d requests were admitted, not %d", admitted, want)
			}
			tries(t, meters[0], p, 9-admitted)
			_, err := meters[processes-1].Admit(t.Context(), p)
			f := fault.As(err)
			if f == nil || f.Code != fault.RateLimited || f.RetryAfter <= 0 || f.RetryAfter > 2*time.Minute {
				t.Fatalf("the tenth request got %v", err)
			}
			c.now = c.now.Add(f.RetryAfter)
			if n := tries(t, meters[processes-1], p, 1); n != 1 {
				t.Errorf("after %s no request was admitted", f.RetryAfter)
			}
			c.now = c.now.Add(3 * time.Minute)
			if n := tries(t, meters[0], p, 20); n != 9 {
				t.Errorf("minutes later %d requests were admitted, not 9", n)
			}
		})
	}
}

// TestNoBurst: the end of a minute and the beginning of the next do not add up.
func TestNoBurst(t *testing.T) {
	records, c := open(t)
	m := &usage.Meter{Records: records, Now: c.read, Owner: "a", Alone: true}
	p := key(auth.Limits{RequestsPerMinute: 10})
	c.now = c.now.Add(59 * time.Second)
	n := tries(t, m, p, 20)
	c.now = c.now.Add(2 * time.Second)
	if n += tries(t, m, p, 20); n > 11 {
		t.Errorf("%d requests were admitted within 2 s; the limit is 10 a minute", n)
	}
}

// TestTokensPerDay: tokens of all processes, and of processes that have died, count
// against the day; the next day begins anew.
func TestTokensPerDay(t *testing.T) {
	records, c := open(t)
	p := key(auth.Limits{TokensPerDay: 100})
	ctx := auth.With(t.Context(), p)
	spend := func(owner string, alone bool, tokens int) error {
		m := &usage.Meter{Records: records, Now: c.read, Owner: owner, Alone: alone}
		if _, err := m.Admit(ctx, p); err != nil {
			t.Fatal(err)
		}
		if err := m.CheckTokens(ctx); err != nil {
			return err
		}
		m.Spend(ctx, tokens-1, 1)
		return m.Flush(ctx, false)
	}
	for i, alone := range []bool{true, false, true} {
		if err := spend(string(rune('a'+i)), alone, 40); err != nil {
			t.Fatalf("process %d: %v", i, err)
		}
	}
	for _, alone := range []bool{true, false} {
		err := spend("z", alone, 1)
		f := fault.As(err)
		if f == nil || f.Code != fault.RateLimited || !f.NoRetry || f.RetryAfter != 12*time.Hour {
			t.Errorf("alone %v: over the limit: %v", alone, err)
		}
	}
	c.now = c.now.Add(12 * time.Hour)
	if err := spend("z", true, 1); err != nil {
		t.Errorf("the next day: %v", err)
	}
}

// TestReport: days are sums over processes, stored and not; nothing of another key.
func TestReport(t *testing.T) {
	records, c := open(t)
	a := &usage.Meter{Records: records, Now: c.read, Owner: "a"}
	b := &usage.Meter{Records: records, Now: c.read, Owner: "b", Every: time.Hour}
	ctx := auth.With(t.Context(), key(auth.Limits{}))
	for _, m := range []*usage.Meter{a, b} {
		tries(t, m, key(auth.Limits{}), 2)
		m.Spend(ctx, 5, 7)
	}
	if _, err := a.Admit(t.Context(), auth.Principal{Key: "key_other"}); err != nil {
		t.Fatal(err)
	}
	if err := a.Flush(t.Context(), true); err != nil {
		t.Fatal(err)
	}
	from := c.now
	c.now = c.now.Add(24 * time.Hour)
	tries(t, b, key(auth.Limits{}), 1)
	if err := b.Flush(t.Context(), false); err != nil { // too early for what is not limited
		t.Fatal(err)
	}
	got, err := b.Report(t.Context(), "key_a", from, c.now)
	want := []usage.Day{
		{Key: "key_a", Date: "2026-03-01", Counts: usage.Counts{Requests: 4, InputTokens: 10, OutputTokens: 14}},
		{Key: "key_a", Date: "2026-03-02", Counts: usage.Counts{Requests: 1}},
	}
	if diff := cmp.Diff(want, got); err != nil || diff != "" {
		t.Errorf("%v (-want +got):\n%s", err, diff)
	}
	if keys, more, err := b.Keys(t.Context(), "", 1); err != nil || !more || len(keys) != 1 || keys[0] != "key_a" {
		t.Errorf("used keys: %v, more %v, %v", keys, more, err)
	}
	if keys, more, err := b.Keys(t.Context(), "key_a", 5); err != nil || more || strings.Join(keys, " ") != "key_other" {
		t.Errorf("used keys after key_a: %v, more %v, %v", keys, more, err)
	}
}

// TestStoreIsDown: a limited request that cannot be counted is not let through.
func TestStoreIsDown(t *testing.T) {
	records, c := open(t)
	records.Close()
	m := &usage.Meter{Records: records, Now: c.read, Owner: "a"}
	if _, err := m.Admit(t.Context(), key(auth.Limits{RequestsPerMinute: 5})); !fault.Is(err, fault.Unavailable) {
		t.Errorf("got %v", err)
	}
	if _, err := m.Admit(t.Context(), key(auth.Limits{})); err != nil {
		t.Errorf("a request without limits: %v", err)
	}
}

// TestHeaders: what is left is told in the headers that clients of the API know.
func TestHeaders(t *testing.T) {
	records, c := open(t)
	m := &usage.Meter{Records: records, Now: c.read, Owner: "a", Alone: true}
	h := http.Header{}
	ctx := auth.With(context.Background(), key(auth.Limits{RequestsPerMinute: 3, TokensPerDay: 50}))
	m.Spend(ctx, 10, 5)
	s, err := m.Admit(ctx, auth.From(ctx))
	if err != nil {
		t.Fatal(err)
	}
	s.Write(h)
	want := http.Header{
		"Anthropic-Ratelimit-Requests-Limit": {"3"}, "Anthropic-Ratelimit-Requests-Remaining": {"2"},
		"Anthropic-Ratelimit-Requests-Reset": {"2026-03-01T12:02:00Z"},
		"Anthropic-Ratelimit-Tokens-Limit":   {"50"}, "Anthropic-Ratelimit-Tokens-Remaining": {"35"},
		"Anthropic-Ratelimit-Tokens-Reset": {"2026-03-02T00:00:00Z"},
	}
	if diff := cmp.Diff(want, h); diff != "" {
		t.Errorf("(-want +got):\n%s", diff)
	}
}
