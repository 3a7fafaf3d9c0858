// Package usage counts what each key uses, by days of UTC, and holds keys to their
// limits.
//
// Every process counts for itself and stores its own counts; what a key has used is
// the sum over processes. So no count is written by two, and none waits for another.
// Counts of keys with limits are stored with each request; those of others from time
// to time, so that a process that dies takes at most the last of them with it.
package usage

import (
	"context"
	"encoding/json"
	"errors"
	"fmt"
	"maps"
	"math"
	"net/http"
	"slices"
	"strconv"
	"strings"
	"sync"
	"time"

	"lectern/shared/auth"
	"lectern/shared/fault"
	"lectern/shared/storage/record"
)

const (
	keyed = "usage" // the keys that have been used
	// keepDays is how long the counts of a day are kept.
	keepDays = 100
	// otherwise is how old the counts of other processes may be by which tokens are
	// limited.
	otherwise = 10 * time.Second
	dayForm   = time.DateOnly
)

// Counts is what a key used.
type Counts struct {
	Requests     int64 `json:"requests"`
	Refused      int64 `json:"refused" doc:"requests that were over a limit"`
	InputTokens  int64 `json:"input_tokens"`
	OutputTokens int64 `json:"output_tokens"`
}

func (c *Counts) add(o Counts) {
	c.Requests += o.Requests
	c.Refused += o.Refused
	c.InputTokens += o.InputTokens
	c.OutputTokens += o.OutputTokens
}

func (c Counts) tokens() int64 { return c.InputTokens + c.OutputTokens }

// Meter counts. Safe for concurrent use.
type Meter struct {
	Records record.Store
	Now     func() time.Time
	// Owner names this process; unguessable.
	Owner string
	// Alone says that no other process counts now. Counts of earlier ones are read
	// once.
	Alone bool
	// Every is how often counts of keys without limits are stored.
	Every time.Duration

	mu   sync.Mutex
	keys map[string]*tally
}

// tally is what this process knows of a key.
type tally struct {
	mu      sync.Mutex
	day     string
	own     Counts // of the day, by this process
	others  Counts // of the day, by others, when they were last read
	asked   time.Time
	minute  int64 // since 1970
	now     int64 // own requests in that minute
	last    int64 // and in the one before
	earlier minutes
	known   bool // earlier was read
	listed  bool // the key is among those that were used
	unsaved bool
	saved   time.Time
	exact   bool // the key has limits
	gone    bool // no longer in the meter
}

// minutes are requests of other processes in a minute and the one before.
type minutes struct{ at, now, last int64 }

// of returns the tally of a key, locked.
func (m *Meter) of(key string) *tally {
	for {
		m.mu.Lock()
		if m.keys == nil {
			m.keys = map[string]*tally{}
		}
		t := m.keys[key]
		if t == nil {
			t = &tally{saved: m.Now()}
			m.keys[key] = t
		}
		m.mu.Unlock()
		t.mu.Lock()
		if !t.gone {
			return t
		}
		t.mu.Unlock()
	}
}

// turn begins a new day or minute when it is time, after what is left of the old day
// is stored.
func (m *Meter) turn(ctx context.Context, key string, t *tally) error {
	now := m.Now().UTC()
	if minute := now.Unix() / 60; minute != t.minute {
		if minute != t.minute+1 {
			t.now = 0
		}
		t.minute, t.last, t.now = minute, t.now, 0
	}
	if day := now.Format(dayForm); day != t.day {
		if t.unsaved {
			if err := m.store(ctx, key, t); err != nil {
				return err
			}
		}
		t.day, t.own, t.others, t.asked = day, Counts{}, Counts{}, time.Time{}
	}
	return nil
}

// Standing is what is left to a key.
type Standing struct {
	Limits       auth.Limits
	RequestsLeft int64
	RequestsBy   time.Time // when all requests of a minute are free again, if none is made
	TokensLeft   int64
	TokensBy     time.Time
}

// Admit counts a request, unless it is over the key's limit: then it is
// fault.RateLimited and says when to come back. Callers without a key are admitted.
func (m *Meter) Admit(ctx context.Context, p auth.Principal) (Standing, error) {
	if p.Key == "" {
		return Standing{}, nil
	}
	t := m.of(p.Key)
	defer t.mu.Unlock()
	if err := m.turn(ctx, p.Key, t); err != nil {
		return Standing{}, err
	}
	t.exact = p.Limits != auth.Limits{}
	s := Standing{Limits: p.Limits}
	if most := int64(p.Limits.RequestsPerMinute); most > 0 {
		if err := m.lookAround(ctx, p.Key, t); err != nil {
			return s, err
		}
		used, wait := t.rate(m.Now(), most)
		s.RequestsLeft, s.RequestsBy = max(0, most-int64(math.Ceil(used))-1), time.Unix((t.minute+2)*60, 0).UTC()
		if wait > 0 {
			t.own.Refused++
			t.unsaved = true
			return s, &fault.Error{Code: fault.RateLimited, RetryAfter: wait,
				Msg: fmt.Sprintf("this key may make %d requests a minute; come back in %d s", most, int64(wait.Seconds()))}
		}
	}
	t.own.Requests++
	t.now++
	t.unsaved = true
	if p.Limits.RequestsPerMinute > 0 && !m.Alone {
		if err := m.storeMinute(ctx, p.Key, t); err != nil {
			return s, err
		}
	}
	if most := int64(p.Limits.TokensPerDay); most > 0 {
		used, err := m.today(ctx, p.Key, t)
		if err != nil {
			return s, err
		}
		s.TokensLeft, s.TokensBy = max(0, most-used.tokens()), tomorrow(m.Now())
	}
	return s, nil
}

func tomorrow(now time.Time) time.Time { return now.UTC().Truncate(24 * time.Hour).Add(24 * time.Hour) }

// rate returns the requests within the last 60 s, of which those of the minute before
// are taken to be spread evenly, and how long to wait for the next; 0 when it may come.
func (t *tally) rate(now time.Time, most int64) (used float64, wait time.Duration) {
	current, before := float64(t.now), float64(t.last)
	switch t.minute - t.earlier.at {
	case 0:
		current, before = current+float64(t.earlier.now), before+float64(t.earlier.last)
	case 1:
		before += float64(t.earlier.now)
	}
	passed := now.Sub(time.Unix(t.minute*60, 0)).Seconds()
	used = before*(1-passed/60) + current
	free := float64(most) - 1
	if used <= free {
		return used, 0
	}
	var seconds float64
	if current <= free {
		seconds = 60*(1-(free-current)/before) - passed
	} else {
		seconds = 60 - passed + 60*(1-free/current)
	}
	return used, time.Duration(math.Max(1, math.Ceil(seconds))) * time.Second
}

// lookAround reads the requests that other processes have counted in this minute and
// the one before.
func (m *Meter) lookAround(ctx context.Context, key string, t *tally) error {
	if m.Alone && t.known {
		return nil
	}
	seen := minutes{at: t.minute}
	r := record.Range{Partition: partition(key), Prefix: "minute/", After: minuteSort(t.minute-1, "")}
	for item, err := range record.All(ctx, m.Records, r) {
		if err != nil {
			return err
		}
		var n int64
		if strings.HasSuffix(item.Sort, "/"+m.Owner) || json.Unmarshal(item.Value, &n) != nil {
			continue
		}
		if strings.HasPrefix(item.Sort, minuteSort(t.minute, "")) {
			seen.now += n
		} else {
			seen.last += n
		}
	}
	t.earlier, t.known = seen, true
	return nil
}

// today is what the key has used on this day, by all processes.
func (m *Meter) today(ctx context.Context, key string, t *tally) (Counts, error) {
	now := m.Now()
	if age := now.Sub(t.asked); t.asked.IsZero() || !m.Alone && (age < 0 || age >= otherwise) {
		days, err := m.days(ctx, key, t.day, t.day, t.day)
		if err != nil {
			return Counts{}, err
		}
		t.others, t.asked = days[t.day], now
	}
	sum := t.own
	sum.add(t.others)
	return sum, nil
}

// CheckTokens refuses a caller who has used the tokens of the day: fault.RateLimited,
// which no retry within the request helps. One request may go over the limit, for
// its tokens are known only afterwards.
func (m *Meter) CheckTokens(ctx context.Context) error {
	p := auth.From(ctx)
	most := int64(p.Limits.TokensPerDay)
	if p.Key == "" || most == 0 {
		return nil
	}
	t := m.of(p.Key)
	defer t.mu.Unlock()
	if err := m.turn(ctx, p.Key, t); err != nil {
		return err
	}
	used, err := m.today(ctx, p.Key, t)
	if err != nil || used.tokens() < most {
		return err
	}
	t.own.Refused++
	t.unsaved = true
	now := m.Now()
	return &fault.Error{Code: fault.RateLimited, NoRetry: true, RetryAfter: tomorrow(now).Sub(now).Round(time.Second),
		Msg: fmt.Sprintf("this key may use %d tokens a day and has used them; the next day begins at 00:00 UTC", most)}
}

// Spend counts tokens of the context's caller.
func (m *Meter) Spend(ctx context.Context, input, output int) {
	p := auth.From(ctx)
	if p.Key == "" || input == 0 && output == 0 {
		return
	}
	t := m.of(p.Key)
	defer t.mu.Unlock()
	// Where the day before cannot be stored yet, these tokens are counted to it.
	_ = m.turn(context.WithoutCancel(ctx), p.Key, t)
	t.own.InputTokens += int64(input)
	t.own.OutputTokens += int64(output)
	t.unsaved = true
}

func partition(key string) string { return "usage/" + key }

func daySort(day, owner string) string { return "day/" + day + "/" + owner }

func minuteSort(minute int64, owner string) string {
	return fmt.Sprintf("minute/%010d/%s", minute, owner)
}

func (m *Meter) storeMinute(ctx context.Context, key string, t *tally) error {
	return m.Records.Put(ctx, record.Item{Key: record.Key{Partition: partition(key), Sort: minuteSort(t.minute, m.Owner)},
		Value: fmt.Appendf(nil, "%d", t.now), Expires: time.Unix((t.minute+3)*60, 0)}, record.Any())
}

// store writes the counts of a day, and of its last minutes where they are not written
// with each request.
func (m *Meter) store(ctx context.Context, key string, t *tally) error {
	value, err := json.Marshal(t.own)
	if err != nil {
		return fmt.Errorf("encode usage: %w", err)
	}
	day, err := time.Parse(dayForm, t.day)
	if err != nil {
		return fmt.Errorf("day of usage: %w", err)
	}
	expires := day.AddDate(0, 0, keepDays)
	items := []record.Item{{Key: record.Key{Partition: partition(key), Sort: daySort(t.day, m.Owner)}, Value: value, Expires: expires}}
	if !t.listed {
		items = append(items, record.Item{Key: record.Key{Partition: keyed, Sort: key}, Expires: expires})
	}
	if err := m.Records.PutMany(ctx, items); err != nil {
		return err
	}
	t.listed, t.unsaved, t.saved = true, false, m.Now()
	if m.Alone && t.exact {
		return m.storeMinute(ctx, key, t)
	}
	return nil
}

// Flush stores what is due, or all.
func (m *Meter) Flush(ctx context.Context, all bool) error {
	m.mu.Lock()
	keys := maps.Clone(m.keys)
	m.mu.Unlock()
	now := m.Now().UTC()
	var errs []error
	for key, t := range keys {
		t.mu.Lock()
		if t.unsaved && (all || t.exact || now.Sub(t.saved) >= m.Every) {
			errs = append(errs, m.store(ctx, key, t))
		}
		// Keys that nobody uses any more are forgotten. That of today is still added to.
		if !t.unsaved && t.day != now.Format(dayForm) {
			t.gone = true
			m.mu.Lock()
			delete(m.keys, key)
			m.mu.Unlock()
		}
		t.mu.Unlock()
	}
	return errors.Join(errs...)
}

// Run flushes every second until ctx ends, and then once more.
func (m *Meter) Run(ctx context.Context, failed func(error)) {
	tick := time.NewTicker(time.Second)
	defer tick.Stop()
	for {
		last := false
		select {
		case <-tick.C:
		case <-ctx.Done():
			last = true
		}
		if err := m.Flush(context.WithoutCancel(ctx), last); err != nil {
			failed(err)
		}
		if last {
			return
		}
	}
}

// days sums the counts of a key by day; those of a day still counted here are without
// what this process stored.
func (m *Meter) days(ctx context.Context, key, from, to, counting string) (map[string]Counts, error) {
	sums := map[string]Counts{}
	end, err := time.Parse(dayForm, to)
	if err != nil {
		return nil, fmt.Errorf("day of usage: %w", err)
	}
	r := record.Range{Partition: partition(key), Prefix: "day/", After: daySort(from, ""), Before: daySort(end.AddDate(0, 0, 1).Format(dayForm), "")}
	for item, err := range record.All(ctx, m.Records, r) {
		if err != nil {
			return nil, err
		}
		parts := strings.Split(item.Sort, "/")
		var c Counts
		if len(parts) != 3 || parts[1] == counting && parts[2] == m.Owner || json.Unmarshal(item.Value, &c) != nil {
			continue
		}
		sum := sums[parts[1]]
		sum.add(c)
		sums[parts[1]] = sum
	}
	return sums, nil
}

// Day is what a key used on a day.
type Day struct {
	Key  string `json:"key_id"`
	Date string `json:"date" format:"date" doc:"of UTC"`
	Counts
}

// Report returns the days from and to, both included, of a key, in order, without those
// on which it was not used.
func (m *Meter) Report(ctx context.Context, key string, from, to time.Time) ([]Day, error) {
	first, last := from.UTC().Format(dayForm), to.UTC().Format(dayForm)
	t := m.of(key)
	defer t.mu.Unlock()
	days, err := m.days(ctx, key, first, last, t.day)
	if err != nil {
		return nil, err
	}
	if t.day >= first && t.day <= last && t.own != (Counts{}) {
		sum := days[t.day]
		sum.add(t.own)
		days[t.day] = sum
	}
	var list []Day
	for _, date := range slices.Sorted(maps.Keys(days)) {
		list = append(list, Day{key, date, days[date]})
	}
	return list, nil
}

// Keys returns up to limit ids of keys that were used in the last 100 days, in order,
// after one, and whether there are more.
func (m *Meter) Keys(ctx context.Context, after string, limit int) (list []string, more bool, err error) {
	if err := m.Flush(ctx, true); err != nil { // what is not stored yet is listed too
		return nil, false, err
	}
	r := record.Range{Partition: keyed, After: after, Limit: min(limit+1, record.MaxPageItems)}
	for item, err := range record.All(ctx, m.Records, r) {
		if err != nil {
			return nil, false, err
		}
		if len(list) == limit {
			return list, true, nil
		}
		list = append(list, item.Sort)
	}
	return list, false, nil
}

// Write adds what is left to the headers of an answer, by the names that clients of
// the Messages API know.
func (s Standing) Write(h http.Header) {
	write := func(kind string, limit, left int64, by time.Time) {
		if limit == 0 {
			return
		}
		name := "Anthropic-Ratelimit-" + kind
		h.Set(name+"-Limit", strconv.FormatInt(limit, 10))
		h.Set(name+"-Remaining", strconv.FormatInt(left, 10))
		h.Set(name+"-Reset", by.Format(time.RFC3339))
	}
	write("Requests", int64(s.Limits.RequestsPerMinute), s.RequestsLeft, s.RequestsBy)
	write("Tokens", int64(s.Limits.TokensPerDay), s.TokensLeft, s.TokensBy)
}
