package batch

import (
	"bytes"
	"context"
	"encoding/json"
	"errors"
	"fmt"
	"sync"
	"time"

	"lectern/shared/auth"
	"lectern/shared/fault"
	"lectern/shared/message"
	"lectern/shared/storage/object"
	"lectern/shared/storage/task"
)

// Handler returns the handler of jobs of Kind.
func (s *Service) Handler() task.Handler { return worker{s} }

type worker struct{ *Service }

// outcome is the result of one request.
type outcome struct {
	ID     string `json:"custom_id"`
	Result result `json:"result"`
}

type result struct {
	Type    string          `json:"type"`
	Message json.RawMessage `json:"message,omitempty"`
	Error   json.RawMessage `json:"error,omitempty"`
}

// Types of results.
const (
	succeeded = "succeeded"
	errored   = "errored"
	cancelled = "canceled"
	expired   = "expired"
)

func (c *Counts) add(kind string) {
	c.Processing--
	switch kind {
	case succeeded:
		c.Succeeded++
	case errored:
		c.Errored++
	case cancelled:
		c.Canceled++
	case expired:
		c.Expired++
	}
}

// hold is how long a job is kept from other workers at a time; longer than a chat
// may take.
const hold = 15 * time.Minute

// Run implements task.Handler.
func (w worker) Run(ctx context.Context, d task.Delivery) error {
	return w.part(ctx, d.Job, func(e *entry, r *Request) (result, error) {
		if err := d.Extend(ctx, hold); err != nil {
			return result{}, err
		}
		owner, _, _, _ := parse(d.Job)
		return w.answer(ctx, owner, e, r)
	})
}

// Dead implements task.Handler: what could not be answered is an error.
func (w worker) Dead(ctx context.Context, job task.Job, _ error) error {
	return w.part(ctx, job, func(e *entry, _ *Request) (result, error) {
		err := fault.New(fault.Unavailable, "the request could not be answered")
		return result{Type: errored, Error: w.ErrorData(e.RequestID, err)}, nil
	})
}

// part gives each request of a part its result, notes the part as done, and sends the
// job of the next one of its lane.
func (w worker) part(ctx context.Context, job task.Job, answer func(*entry, *Request) (result, error)) error {
	owner, id, part, ok := parse(job)
	if !ok {
		return nil
	}
	e, _, err := w.read(ctx, owner, id)
	if fault.Is(err, fault.NotFound) {
		return nil // deleted, or never accepted
	}
	if err != nil || part >= e.Parts {
		return err
	}
	if !e.done(part) {
		if err := w.do(ctx, owner, e, part, answer); err != nil {
			return err
		}
	}
	// Its requests are answered: nobody reads them again.
	if err := w.Objects.Delete(ctx, partKey(owner, id, requestsOf, part)); err != nil {
		return err
	}
	if part+lanes < e.Parts {
		return w.Queue.Send(ctx, jobOf(owner, id, part+lanes), 0)
	}
	return nil
}

func (w worker) do(ctx context.Context, owner string, e *entry, part int, answer func(*entry, *Request) (result, error)) error {
	requests, err := w.stored(ctx, owner, e.ID, part)
	if err != nil {
		return err
	}
	var out bytes.Buffer
	var counts []string
	for i := range requests {
		r, err := w.resultOf(ctx, owner, e.ID, &requests[i], answer)
		if err != nil {
			return err
		}
		line, err := json.Marshal(outcome{requests[i].ID, r})
		if err != nil {
			return fmt.Errorf("encode result: %w", err)
		}
		out.Write(append(line, '\n'))
		counts = append(counts, r.Type)
	}
	if _, err := w.Objects.Put(ctx, partKey(owner, e.ID, resultsOf, part), bytes.NewReader(out.Bytes()),
		object.PutOptions{Size: int64(out.Len()), ContentType: "application/x-jsonl"}); err != nil {
		return err
	}
	_, err = w.change(ctx, owner, e.ID, func(e *entry) (bool, error) {
		if e.done(part) {
			return false, nil // by another run of the same job
		}
		e.Done[part/8] |= 1 << (part % 8)
		for _, kind := range counts {
			e.Counts.add(kind)
		}
		if e.Counts.Processing == 0 {
			now := w.Now().UTC()
			e.Ended = &now
		}
		return true, nil
	})
	if fault.Is(err, fault.NotFound) {
		return nil
	}
	return err
}

func (w worker) stored(ctx context.Context, owner, id string, part int) ([]Request, error) {
	key := partKey(owner, id, requestsOf, part)
	sealed, _, err := object.ReadAll(ctx, w.Objects, key, maxPartBytes)
	if err != nil {
		return nil, err
	}
	raw, err := w.Sealer.Open(ctx, sealed, key)
	if err != nil {
		return nil, fmt.Errorf("open requests: %w", err)
	}
	var requests []Request
	if err := json.Unmarshal(raw, &requests); err != nil {
		return nil, fmt.Errorf("decode requests: %w", err)
	}
	return requests, nil
}

// resultOf answers a request, unless the batch was cancelled or has expired.
func (w worker) resultOf(ctx context.Context, owner, id string, r *Request, answer func(*entry, *Request) (result, error)) (result, error) {
	if err := ctx.Err(); err != nil {
		return result{}, err
	}
	e, _, err := w.read(ctx, owner, id)
	switch {
	case err != nil:
		return result{}, err
	case e.Cancelled != nil:
		return result{Type: cancelled}, nil
	case w.Now().After(e.Created.Add(life)):
		return result{Type: expired}, nil
	}
	return answer(e, r)
}

// errCancelled stops the answer to a request whose batch was cancelled.
var errCancelled = errors.New("the batch was cancelled")

// answer runs a chat. Its errors are its result, save those of a process that stops.
func (w worker) answer(ctx context.Context, owner string, e *entry, r *Request) (result, error) {
	making, stop := context.WithTimeout(auth.With(ctx, auth.Principal{Collections: e.Collections, Tenant: e.Tenant, Key: e.Key}), hold)
	defer stop()
	making, cancel := context.WithCancelCause(making)
	var watching sync.WaitGroup
	watching.Go(func() { w.watch(making, cancel, owner, e.ID) })
	raw, err := w.message(making, r.Params)
	cancel(nil)
	watching.Wait()
	switch {
	case ctx.Err() != nil:
		return result{}, ctx.Err()
	case err != nil && errors.Is(context.Cause(making), errCancelled):
		return result{Type: cancelled}, nil
	}
	if err == nil {
		return result{Type: succeeded, Message: raw}, nil
	}
	if fault.CodeOf(err) == fault.Internal {
		w.Log.ErrorContext(ctx, "a request of a batch failed", "batch", e.ID, "request_id", e.RequestID, "error", err)
	}
	return result{Type: errored, Error: w.ErrorData(e.RequestID, err)}, nil
}

// watchEvery is how often the answer to a request looks whether its batch was
// cancelled.
const watchEvery = 2 * time.Second

// watch ends the context of an answer once its batch is cancelled or deleted.
func (w worker) watch(ctx context.Context, cancel context.CancelCauseFunc, owner, id string) {
	tick := time.NewTicker(watchEvery)
	defer tick.Stop()
	for {
		select {
		case <-ctx.Done():
			return
		case <-tick.C:
		}
		e, _, err := w.read(ctx, owner, id)
		if fault.Is(err, fault.NotFound) || err == nil && e.Cancelled != nil {
			cancel(errCancelled)
			return
		}
	}
}

func (w worker) message(ctx context.Context, params []byte) ([]byte, error) {
	req, err := w.Engine.Decode(params)
	if err != nil {
		return nil, err
	}
	m, err := message.Fold(w.Engine.Run(ctx, req))
	if err != nil {
		return nil, err
	}
	return m.AppendJSON(nil)
}
