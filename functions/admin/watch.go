package admin

import (
	"context"
	"strconv"
	"strings"
	"sync"
	"time"

	"lectern/shared/api/rest"
	"lectern/shared/auth"
	"lectern/shared/auth/usage"
	"lectern/shared/chat/async"
	"lectern/shared/fault"
	"lectern/shared/knowledge/artifact/tasks"
	"lectern/shared/storage/recent"
)

type usageQuery struct {
	Key     string `json:"key_id,omitempty" doc:"of one key; else of all keys, a page of keys at a time"`
	From    string `json:"starting_on,omitempty" format:"date" doc:"first day, of UTC; 6 days before the last when left out"`
	To      string `json:"ending_on,omitempty" format:"date" doc:"last day; today when left out"`
	AfterID string `json:"after_id,omitempty" doc:"cursor: last_id of the page before"`
	Limit   int    `json:"limit" default:"20" min:"1" max:"100" doc:"of keys"`
}

type usageList struct {
	Data    []usage.Day `json:"data"`
	LastID  *string     `json:"last_id" doc:"the page's last key"`
	HasMore bool        `json:"has_more"`
}

// maxDays is how many days one answer tells of.
const maxDays = 100

func (d Deps) usage(ctx context.Context, q *usageQuery) (usageList, error) {
	out := usageList{Data: []usage.Day{}}
	to := d.Now().UTC().Truncate(24 * time.Hour)
	var problems []fault.Problem
	day := func(name, text string, otherwise time.Time) time.Time {
		if text == "" {
			return otherwise
		}
		at, err := time.Parse(time.DateOnly, text)
		if err != nil {
			problems = append(problems, fault.Problem{Loc: []any{"query", name}, Type: "date_parsing", Msg: "Input should be a date such as 2026-01-31"})
		}
		return at
	}
	to = day("ending_on", q.To, to)
	from := day("starting_on", q.From, to.AddDate(0, 0, -6))
	if len(problems) == 0 && (from.After(to) || to.Sub(from) >= maxDays*24*time.Hour) {
		problems = append(problems, fault.Problem{Loc: []any{"query", "starting_on"}, Type: "value_error",
			Msg: "Input should be ending_on or up to 99 days before it"})
	}
	for name, id := range map[string]string{"key_id": q.Key, "after_id": q.AfterID} {
		if !auth.ValidTenant(id) { // ids of keys and of who signs in are tenants' names
			problems = append(problems, fault.Problem{Loc: []any{"query", name}, Type: "value_error", Msg: "Input should be the id of a key"})
		}
	}
	if len(problems) > 0 {
		return out, fault.Problems(problems)
	}
	keys := []string{q.Key}
	if q.Key == "" {
		var err error
		if keys, out.HasMore, err = d.Meter.Keys(ctx, q.AfterID, q.Limit); err != nil {
			return out, err
		}
	}
	for i, key := range keys {
		days, err := d.Meter.Report(ctx, key, from, to)
		if err != nil {
			return out, err
		}
		out.Data, out.LastID = append(out.Data, days...), &keys[i]
	}
	return out, nil
}

// Requests keeps what the last requests were. The zero value is empty. Safe for
// concurrent use.
type Requests struct {
	mu   sync.Mutex
	list []rest.Answered // a ring
	n    int             // requests seen
}

const (
	keptRequests = 1000
	maxPath      = 512 // bytes that are kept of a path
)

// Observe keeps a request. Looking at the requests is none.
func (r *Requests) Observe(a rest.Answered) {
	if strings.HasPrefix(a.Path, "/v1/admin/requests") {
		return
	}
	a.Path = strings.ToValidUTF8(a.Path[:min(len(a.Path), maxPath)], "")
	r.mu.Lock()
	defer r.mu.Unlock()
	if len(r.list) < keptRequests {
		r.list = append(r.list, a)
	} else {
		r.list[r.n%keptRequests] = a
	}
	r.n++
}

// page returns up to limit requests before the nth, newest first, and the number of the
// last one; 0 is no bound.
func (r *Requests) page(before, limit int) (list []rest.Answered, last int, more bool) {
	r.mu.Lock()
	defer r.mu.Unlock()
	if before == 0 || before > r.n {
		before = r.n + 1
	}
	for last = before; last > 1 && last-1 > r.n-keptRequests; {
		if len(list) == limit {
			return list, last, true
		}
		last--
		list = append(list, r.list[(last-1)%keptRequests])
	}
	return list, last, false
}

type pageQuery struct {
	Page  string `json:"page,omitempty" doc:"cursor: next_page of the previous page"`
	Limit int    `json:"limit" default:"20" min:"1" max:"1000"`
}

type page[T any] struct {
	Data     []T     `json:"data"`
	HasMore  bool    `json:"has_more"`
	NextPage *string `json:"next_page"`
}

type shownRequest struct {
	ID     string    `json:"id"`
	At     time.Time `json:"at"`
	Method string    `json:"method"`
	Path   string    `json:"path"`
	Status int       `json:"status"`
	Took   float64   `json:"took_ms"`
	Key    *string   `json:"key_id"`
	Tenant *string   `json:"tenant"`
}

func (d Deps) requests(_ context.Context, q *pageQuery) (page[shownRequest], error) {
	out := page[shownRequest]{Data: []shownRequest{}}
	if d.Requests == nil {
		return out, fault.New(fault.Unsupported, "this deployment keeps no list of requests: its access log has them")
	}
	before := 0
	if q.Page != "" {
		var err error
		if before, err = strconv.Atoi(q.Page); err != nil || before < 1 {
			return out, fault.New(fault.Malformed, "page: not a cursor of this list")
		}
	}
	list, last, more := d.Requests.page(before, q.Limit)
	for _, a := range list {
		out.Data = append(out.Data, shownRequest{ID: a.ID, At: a.Began.UTC(), Method: a.Method, Path: a.Path, Status: a.Status,
			Took: float64(a.Took.Microseconds()) / 1000, Key: named(a.Caller.Key), Tenant: named(a.Caller.Tenant)})
	}
	if more {
		next := strconv.Itoa(last)
		out.HasMore, out.NextPage = true, &next
	}
	return out, nil
}

// named is nil for an empty name.
func named(name string) *string {
	if name == "" {
		return nil
	}
	return &name
}

type shownTask struct {
	ID         string      `json:"task_id"`
	Kind       string      `json:"kind" enum:"ingest,delete"`
	State      tasks.State `json:"task_state" enum:"PENDING,STARTED,RETRY,SUCCESS,FAILURE,REVOKED"`
	Percent    int         `json:"percentage"`
	Error      *string     `json:"error"`
	Collection string      `json:"collection"`
	Accepted   time.Time   `json:"accepted_at"`
	Key        *string     `json:"key_id"`
	Tenant     *string     `json:"tenant"`
}

func (d Deps) tasks(ctx context.Context, q *pageQuery) (page[shownTask], error) {
	return walk(ctx, d.RecentTasks, q, func(e *recent.Entry) (shownTask, error) {
		st, err := d.Tasks.Peek(ctx, e.ID)
		return shownTask{e.ID, e.Kind, st.State, st.Progress.Percentage, named(st.Error), e.Collection, e.At, named(e.Key), named(e.Tenant)}, err
	})
}

type shownStream struct {
	Accepted time.Time   `json:"accepted_at"`
	Key      *string     `json:"key_id"`
	Tenant   *string     `json:"tenant"`
	Message  *async.Info `json:"message"`
}

func (d Deps) streams(ctx context.Context, q *pageQuery) (page[shownStream], error) {
	return walk(ctx, d.RecentMessages, q, func(e *recent.Entry) (shownStream, error) {
		info, err := d.Chats.Peek(ctx, e.ID)
		return shownStream{e.At, named(e.Key), named(e.Tenant), info}, err
	})
}

// walk shows a page of a list; what is gone meanwhile is left out.
func walk[T any](ctx context.Context, list *recent.Log, q *pageQuery, show func(*recent.Entry) (T, error)) (page[T], error) {
	out := page[T]{Data: []T{}}
	entries, more, err := list.List(ctx, q.Page, q.Limit)
	if err != nil {
		return out, err
	}
	for _, e := range entries {
		one, err := show(&e)
		if fault.Is(err, fault.NotFound) {
			continue
		}
		if err != nil {
			return out, err
		}
		out.Data = append(out.Data, one)
	}
	if more {
		next := entries[len(entries)-1].Cursor()
		out.HasMore, out.NextPage = true, &next
	}
	return out, nil
}

type settingList struct {
	Data []Setting `json:"data"`
}

// Setting is a setting as it is in force, without anything secret.
type Setting struct {
	Name    string `json:"name"`
	Value   string `json:"value" doc:"without passwords and keys"`
	Given   bool   `json:"given" doc:"false where it is the default"`
	Meaning string `json:"meaning"`
}

func (d Deps) settings(context.Context, *struct{}) (settingList, error) {
	return settingList{d.Settings}, nil
}
