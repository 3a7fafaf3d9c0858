// Package idempotency makes creating requests safe to retry: the answer to the
// first request with an Idempotency-Key is stored for 24 hours and returned to
// retries.
//
// A key is scoped to the caller's permissions, the method and the path. Only
// answers are stored: an error frees the key, because a failed request has
// created nothing that its retry would duplicate. An answer that is too large
// for a record frees the key too; no route that uses this package comes near.
package idempotency

import (
	"bytes"
	"context"
	"crypto/sha256"
	"encoding/hex"
	"encoding/json"
	"fmt"
	"io"
	"log/slog"
	"mime"
	"net/http"
	"slices"
	"strings"
	"time"

	"lectern/shared/api/rest"
	"lectern/shared/auth"
	"lectern/shared/fault"
	"lectern/shared/ident"
	"lectern/shared/storage/record"
)

// Keeper stores answers. Safe for concurrent use.
type Keeper struct {
	Records record.Store
	IDs     ident.Source
	Now     func() time.Time
	Log     *slog.Logger
	// Owner names this process; unguessable.
	Owner string
	// Alone says that no other process uses these records, so that a request
	// in progress under another owner belongs to a dead process.
	Alone bool
}

const (
	header = "Idempotency-Key"
	// keep is how long an answer is stored.
	keep = 24 * time.Hour
	// running is the lease of a request in progress: its key is free afterwards.
	running = 15 * time.Minute
	// maxAnswer is the largest answer that is stored, in bytes.
	maxAnswer = 200 << 10
)

// Routes wraps the routes that create something.
func (k *Keeper) Routes(routes []rest.Route) []rest.Route {
	out := slices.Clone(routes)
	for i, r := range out {
		if r.Creates {
			out[i] = r.Wrap(k.wrap)
		}
	}
	return out
}

// kept is the record of a key.
type kept struct {
	Digest string      `json:"digest"` // of the request
	Owner  string      `json:"owner"`
	Status int         `json:"status,omitempty"` // 0 while the request runs
	Header http.Header `json:"header,omitempty"`
	Body   []byte      `json:"body,omitempty"`
}

func (k *Keeper) wrap(h rest.HandlerFunc) rest.HandlerFunc {
	return func(w http.ResponseWriter, r *http.Request) error {
		key := r.Header.Get(header)
		if key == "" {
			return h(w, r)
		}
		if len(key) > 255 || strings.ContainsFunc(key, func(r rune) bool { return r < ' ' || r == 0x7f }) {
			return fault.Field("value_error", "a key has at most 255 characters and no control characters", "header", header)
		}
		raw, err := rest.ReadBody(w, r, rest.LargeBody)
		if err != nil {
			return err
		}
		r.Body, r.ContentLength = io.NopCloser(bytes.NewReader(raw)), int64(len(raw))
		item := record.Item{Key: record.Key{Partition: "idempotency/" + nameOf(r, key), Sort: "answer"}}
		mine := kept{Digest: digestOf(r, raw), Owner: k.Owner}
		first, err := k.claim(r.Context(), &item, mine)
		if err != nil {
			return err
		}
		if first != nil {
			return first.write(w)
		}
		return k.run(w, r, h, item, mine)
	}
}

// nameOf returns the record key: a hash of the caller, the target and the key.
func nameOf(r *http.Request, key string) string {
	who, _ := json.Marshal(auth.From(r.Context()).Collections)
	if tenant := auth.From(r.Context()).Tenant; tenant != "" {
		who = []byte("tenant " + tenant) // which no JSON is: a tenant may be called null
	}
	return digest(who, []byte(r.Method), []byte(r.URL.Path), []byte(key))
}

// digestOf is equal for requests with the same content. It ignores a form's
// boundary, which differs in each retry.
func digestOf(r *http.Request, body []byte) string {
	kind, params, _ := mime.ParseMediaType(r.Header.Get("Content-Type"))
	if boundary := params["boundary"]; boundary != "" {
		body = bytes.ReplaceAll(body, []byte(boundary), nil)
	}
	return digest([]byte(r.URL.RawQuery), []byte(kind), body)
}

func digest(parts ...[]byte) string {
	h := sha256.New()
	for _, p := range parts {
		fmt.Fprintf(h, "%d:", len(p))
		h.Write(p)
	}
	return hex.EncodeToString(h.Sum(nil))
}

// claim reserves a key for a request, or returns the stored answer of the key.
func (k *Keeper) claim(ctx context.Context, item *record.Item, mine kept) (*kept, error) {
	cond := record.Absent()
	for {
		err := k.put(ctx, item, mine, running, cond)
		if !fault.Is(err, fault.Conflict) {
			return nil, err
		}
		stored, err := k.Records.Find(ctx, item.Key)
		if fault.Is(err, fault.NotFound) {
			cond = record.Absent() // it was freed in the meantime
			continue
		}
		if err != nil {
			return nil, err
		}
		var theirs kept
		if err := json.Unmarshal(stored.Value, &theirs); err != nil {
			return nil, fmt.Errorf("record of an idempotency key: %w", err)
		}
		switch {
		case theirs.Digest != mine.Digest:
			return nil, fault.Field("value_error", "this key was used for another request", "header", header)
		case theirs.Status != 0:
			return &theirs, nil
		case !k.Alone || theirs.Owner == k.Owner:
			return nil, &fault.Error{Code: fault.Conflict, Msg: "the first request with this " + header + " is still running",
				RetryAfter: time.Second}
		}
		cond = record.VersionIs(stored.Version)
	}
}

func (k *Keeper) put(ctx context.Context, item *record.Item, v kept, life time.Duration, cond record.Condition) error {
	value, err := json.Marshal(v)
	if err != nil {
		return fmt.Errorf("encode answer: %w", err)
	}
	item.Value, item.Version, item.Expires = value, k.IDs.Ordered(), k.Now().Add(life)
	return k.Records.Put(ctx, *item, cond)
}

// run calls the handler and stores its answer before sending it.
func (k *Keeper) run(w http.ResponseWriter, r *http.Request, h rest.HandlerFunc, item record.Item, mine kept) error {
	ctx, claimed := context.WithoutCancel(r.Context()), record.VersionIs(item.Version)
	stored := false
	defer func() {
		if stored {
			return
		}
		if err := k.Records.Delete(ctx, item.Key, claimed); err != nil {
			k.Log.WarnContext(ctx, "idempotency key was not freed", "error", err)
		}
	}()
	a := &answer{header: http.Header{}}
	if err := h(a, r); err != nil {
		return err
	}
	mine.Status, mine.Header, mine.Body = a.status(), a.header, a.body.Bytes()
	if a.body.Len() <= maxAnswer {
		if err := k.put(ctx, &item, mine, keep, claimed); err != nil {
			k.Log.WarnContext(ctx, "answer was not stored for its idempotency key", "error", err)
		} else {
			stored = true
		}
	}
	return mine.write(w)
}

func (v *kept) write(w http.ResponseWriter) error {
	for name, values := range v.Header {
		w.Header()[name] = values
	}
	w.WriteHeader(v.Status)
	_, _ = w.Write(v.Body) // an error here means that the client has disconnected
	return nil
}

// answer buffers what a handler writes.
type answer struct {
	header http.Header
	code   int
	body   bytes.Buffer
}

func (a *answer) Header() http.Header         { return a.header }
func (a *answer) Write(b []byte) (int, error) { return a.body.Write(b) }
func (a *answer) WriteHeader(status int) {
	if a.code == 0 {
		a.code = status
	}
}

func (a *answer) status() int {
	if a.code == 0 {
		return http.StatusOK
	}
	return a.code
}
