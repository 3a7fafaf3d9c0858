// Package callback notifies others of events: by a signed webhook (Standard
// Webhooks) or through a bus.
//
// An event is stored, sealed, under an id of its own before it is sent as a
// task of Kind. It keeps its id however often it is announced or sent, so that
// a receiver can drop duplicates. A Lambda sends with task.Table{callback.Kind:
// s.Handler()}.
//
// Source: standardwebhooks.com, version 1.
package callback

import (
	"bytes"
	"context"
	"crypto/hmac"
	"crypto/sha256"
	"encoding/base64"
	"encoding/json"
	"errors"
	"fmt"
	"io"
	"log/slog"
	"maps"
	"net/http"
	"net/url"
	"slices"
	"strconv"
	"strings"
	"time"

	"lectern/shared/fault"
	"lectern/shared/ident"
	"lectern/shared/storage/record"
	"lectern/shared/storage/seal"
	"lectern/shared/storage/task"
	"lectern/shared/web/fetch"
)

// Kind is the kind of the jobs that send callbacks; their id is the event's.
const Kind = "callback"

// Config sets where callbacks go.
type Config struct {
	URL        string            `json:"url,omitempty" maxlen:"2048" doc:"URL that receives a signed POST"`
	Headers    map[string]string `json:"headers,omitempty" secret:"true" doc:"additional headers of the POST"`
	AMQP       *AMQP             `json:"amqp,omitempty" doc:"publish on the deployment's event bus instead"`
	Properties map[string]any    `json:"properties,omitempty" doc:"returned as callback_properties"`
}

// AMQP names an exchange and routing keys. Events with an empty key are not
// published.
type AMQP struct {
	Exchange string `json:"exchange" required:"true" minlen:"1" maxlen:"255"`
	Done     string `json:"routing_key_done,omitempty" maxlen:"128"`
	Progress string `json:"routing_key_progress,omitempty" maxlen:"128"`
	Error    string `json:"routing_key_error,omitempty" maxlen:"128"`
}

// Bus publishes events.
type Bus interface {
	// Publish publishes a body under a routing key. id names the event.
	Publish(ctx context.Context, exchange, key, id string, body []byte) error
}

// Service is the use case. Safe for concurrent use.
type Service struct {
	Records record.Store
	Queue   task.Queue
	Sealer  seal.Sealer
	Fetch   *fetch.Client
	Secret  string // whsec_ and base64
	Bus     Bus    // nil when none is configured
	IDs     ident.Source
	Now     func() time.Time
	Log     *slog.Logger
}

// ParseSecret validates a signing secret and returns its bytes.
func ParseSecret(secret string) ([]byte, error) {
	text, ok := strings.CutPrefix(secret, "whsec_")
	key, err := base64.StdEncoding.DecodeString(text)
	if !ok || err != nil || len(key) < 24 || len(key) > 64 {
		return nil, errors.New("a webhook secret should be whsec_ and the base64 of 24 to 64 bytes")
	}
	return key, nil
}

// own are the headers that callers cannot override: those of the message, and
// hop-by-hop headers. Headers that begin with webhook- are reserved for the
// signature.
var own = []string{"host", "content-type", "content-length", "content-encoding", "transfer-encoding", "connection", "upgrade", "te",
	"trailer", "expect", "user-agent", "proxy-authorization", "keep-alive"}

// Check reports every reason why a callback cannot be made; loc is its location
// in the request. A nil c is no callback.
func (s *Service) Check(ctx context.Context, c *Config, loc ...any) error {
	if c == nil {
		return nil
	}
	var problems []fault.Problem
	add := func(kind, msg string, below ...any) {
		problems = append(problems, fault.Problem{Loc: append(slices.Clone(loc), below...), Msg: msg, Type: kind})
	}
	switch {
	case (c.URL == "") == (c.AMQP == nil):
		add("value_error", "a callback has either a url or amqp")
	case c.AMQP != nil && s.Bus == nil:
		add("value_error", "this deployment has no bus for amqp callbacks; use a url", "amqp")
	case c.AMQP != nil && len(c.Headers) > 0:
		add("value_error", "headers belong to a url", "headers")
	}
	if raw, err := json.Marshal(c.Properties); err != nil || len(raw) > maxProperties {
		add("too_long", "properties are 16 KiB of JSON at most", "properties")
	}
	if len(c.Headers) > 16 {
		add("too_long", "a callback has 16 headers at most", "headers")
	}
	for _, name := range slices.Sorted(maps.Keys(c.Headers)) {
		value := c.Headers[name]
		switch {
		case !isToken(name):
			add("value_error", "the name of a header is not valid", "headers", name)
		case strings.HasPrefix(strings.ToLower(name), "webhook-") || slices.Contains(own, strings.ToLower(name)):
			add("value_error", "this header is set by the service", "headers", name)
		case len(value) > 4096 || strings.ContainsFunc(value, func(r rune) bool { return r < ' ' && r != '\t' || r == 0x7f }):
			add("value_error", "the value of a header holds control characters or is over 4096 bytes", "headers", name)
		}
	}
	var address *url.URL
	if c.URL != "" {
		var err error
		if address, err = url.Parse(c.URL); err != nil || s.Fetch.CheckURL(address) != nil {
			add("value_error", "only http and https addresses can be called back", "url")
		}
	}
	if len(problems) > 0 {
		return fault.Problems(problems)
	}
	if address == nil {
		return nil
	}
	return s.Fetch.CheckAddress(ctx, address)
}

// maxProperties limits callback_properties and maxBody the whole body, in
// bytes: an event with its headers fits into a record.
const maxProperties, maxBody = 16 << 10, 64 << 10

func isToken(s string) bool {
	return s != "" && len(s) <= 256 && strings.Trim(s, "abcdefghijklmnopqrstuvwxyzABCDEFGHIJKLMNOPQRSTUVWXYZ0123456789!#$%&'*+-.^_`|~") == ""
}

// Event is an event to announce.
type Event struct {
	Type   string // ingest.done, ingest.error, ingest.progress, delete.done, delete.error
	TaskID string
	Part   int // distinguishes events of one type; 0 if there is only one
	Data   any // replaced by null when larger than 64 KiB
	Error  *string
	Code   string // of the error, for programs; may be empty
}

type body struct {
	Type       string         `json:"type"`
	TaskID     string         `json:"task_id"`
	Data       any            `json:"data"`
	Error      *string        `json:"error"`
	Code       string         `json:"error_code,omitempty"`
	Properties map[string]any `json:"callback_properties"`
	Created    time.Time      `json:"created_at"`
}

// announced is the stored form of an event until it is sent.
type announced struct {
	Config Config `json:"config"`
	Key    string `json:"key,omitempty"` // routing key
	Body   []byte `json:"body"`
}

// keep is how long an event is stored, sent or not.
const keep = 7 * 24 * time.Hour

func eventKey(id string) record.Key { return record.Key{Partition: "callback/" + id, Sort: "event"} }

// Announce sends an event. It is idempotent by task, type and part. A nil c is
// no callback.
func (s *Service) Announce(ctx context.Context, c *Config, e Event) error {
	if c == nil {
		return nil
	}
	a := announced{Config: *c}
	if c.AMQP != nil {
		_, what, _ := strings.Cut(e.Type, ".")
		if a.Key = map[string]string{"done": c.AMQP.Done, "progress": c.AMQP.Progress, "error": c.AMQP.Error}[what]; a.Key == "" {
			return nil
		}
	}
	var err error
	if a.Body, err = json.Marshal(body{e.Type, e.TaskID, e.Data, e.Error, e.Code, c.Properties, s.Now().UTC()}); err != nil {
		return fmt.Errorf("encode callback: %w", err)
	}
	if len(a.Body) > maxBody && e.Data != nil {
		e.Data = nil // the receiver can read the task's status instead
		return s.Announce(ctx, c, e)
	}
	plain, err := json.Marshal(a)
	if err != nil {
		return fmt.Errorf("encode callback: %w", err)
	}
	id := "evt_" + e.TaskID + "_" + e.Type
	if e.Part > 0 {
		id += "_" + strconv.Itoa(e.Part)
	}
	sealed, err := s.Sealer.Seal(ctx, plain, id)
	if err != nil {
		return fmt.Errorf("seal callback: %w", err)
	}
	err = s.Records.Put(ctx, record.Item{Key: eventKey(id), Value: sealed, Expires: s.Now().Add(keep)}, record.Absent())
	if err != nil && !fault.Is(err, fault.Conflict) {
		return err
	}
	// An earlier announcer may have died before it sent the job.
	return s.Queue.Send(ctx, task.Job{Kind: Kind, ID: id}, 0)
}

// Handler returns the handler of jobs of Kind.
func (s *Service) Handler() task.Handler { return sender{s} }

type sender struct{ *Service }

// pauses are the delays between attempts.
var pauses = []time.Duration{5 * time.Second, 30 * time.Second, 5 * time.Minute, 30 * time.Minute}

// Run implements task.Handler.
func (s sender) Run(ctx context.Context, d task.Delivery) error {
	item, err := s.Records.Find(ctx, eventKey(d.ID))
	if fault.Is(err, fault.NotFound) || err == nil && len(item.Value) == 0 {
		return nil // expired, or sent by another delivery
	}
	if err != nil {
		return err
	}
	plain, err := s.Sealer.Open(ctx, item.Value, d.ID)
	if err != nil {
		return err
	}
	var a announced
	if err := json.Unmarshal(plain, &a); err != nil {
		return fmt.Errorf("decode callback: %w", err)
	}
	if err := s.send(ctx, d.ID, &a); err != nil {
		return task.After(pauses[min(max(d.Attempt, 1), len(pauses))-1], err)
	}
	return s.forget(ctx, d.ID)
}

// forget clears an event's content but keeps its id.
func (s sender) forget(ctx context.Context, id string) error {
	return s.Records.Put(ctx, record.Item{Key: eventKey(id), Expires: s.Now().Add(keep)}, record.Any())
}

// Dead implements task.Handler.
func (s sender) Dead(ctx context.Context, job task.Job, _ error) error { return s.forget(ctx, job.ID) }

// sendTimeout limits one attempt.
const sendTimeout = 15 * time.Second

func (s sender) send(ctx context.Context, id string, a *announced) error {
	ctx, cancel := context.WithTimeout(ctx, sendTimeout)
	defer cancel()
	if a.Config.AMQP != nil {
		if s.Bus == nil {
			return fault.New(fault.Unavailable, "no event bus is configured")
		}
		return s.Bus.Publish(ctx, a.Config.AMQP.Exchange, a.Key, id, a.Body)
	}
	req, err := http.NewRequestWithContext(ctx, http.MethodPost, a.Config.URL, bytes.NewReader(a.Body))
	if err != nil {
		return fmt.Errorf("callback: %w", err)
	}
	for name, value := range a.Config.Headers {
		req.Header.Set(name, value)
	}
	key, err := ParseSecret(s.Secret)
	if err != nil {
		return err
	}
	now := strconv.FormatInt(s.Now().Unix(), 10)
	mac := hmac.New(sha256.New, key)
	fmt.Fprintf(mac, "%s.%s.%s", id, now, a.Body)
	req.Header.Set("Content-Type", "application/json")
	req.Header.Set("User-Agent", "Lectern/1.0")
	req.Header.Set("Webhook-Id", id)
	req.Header.Set("Webhook-Timestamp", now)
	req.Header.Set("Webhook-Signature", "v1,"+base64.StdEncoding.EncodeToString(mac.Sum(nil)))
	client := *s.Fetch.HTTP()
	client.CheckRedirect = func(*http.Request, []*http.Request) error { return http.ErrUseLastResponse }
	resp, err := client.Do(req)
	if err != nil {
		return fmt.Errorf("callback: %w", withoutURL(err))
	}
	defer resp.Body.Close()
	_, _ = io.Copy(io.Discard, io.LimitReader(resp.Body, 64<<10)) // for connection reuse
	if resp.StatusCode == http.StatusGone {
		return nil // 410 Gone: the receiver has unsubscribed
	}
	if resp.StatusCode < 200 || resp.StatusCode > 299 {
		return fmt.Errorf("callback: the receiver answered with status %d", resp.StatusCode)
	}
	return nil
}

// withoutURL removes the URL from an error, because it may contain a secret.
func withoutURL(err error) error {
	if e, ok := errors.AsType[*url.Error](err); ok {
		return e.Err
	}
	return err
}
