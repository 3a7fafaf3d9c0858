// Package setup makes what a deployment needs and CloudFormation cannot: the
// search index, and secrets of a form that its generator does not know. It is
// told of changes to the deployment and may be told twice.
//
// A secret that is there is never made anew: what was sealed with it could not
// be opened any more, and receivers of callbacks would refuse them.
package setup

import (
	"context"
	"crypto/rand"
	"encoding/base64"
	"errors"
	"fmt"
	"log/slog"
	"time"

	"github.com/cenkalti/backoff/v5"

	"lectern/shared/fault"
)

// Change is one change to the deployment.
type Change struct {
	Kind       string         // Create, Update or Delete
	Properties map[string]any // of the template, all values text
}

// Secrets keeps secrets by name.
type Secrets interface {
	// Keep stores a secret where there is none of that name.
	Keep(ctx context.Context, name, value string) error
	// Forget removes a secret; one that is not there is no error.
	Forget(ctx context.Context, name string) error
}

// Properties of a change.
const (
	SealKey       = "SealKey"       // name of the secret that seals requests
	WebhookSecret = "WebhookSecret" // name of the secret that signs callbacks
	Retain        = "Retain"        // "true" keeps the secrets of a deployment that goes
)

// Maker makes what is missing. Its fields are required but those with a
// default.
type Maker struct {
	Secrets Secrets
	// Index makes the search index where there is none.
	Index func(context.Context) error
	Log   *slog.Logger
}

// Handle makes, at a creation or update, the secrets and the index; at a
// deletion it removes the secrets unless they are to be retained. The index
// goes with its server.
func (m *Maker) Handle(ctx context.Context, c Change) error {
	seal, err := text(c, SealKey)
	if err != nil {
		return err
	}
	webhook, err := text(c, WebhookSecret)
	if err != nil {
		return err
	}
	if c.Kind == "Delete" {
		if c.Properties[Retain] == "true" {
			return nil
		}
		return errors.Join(m.Secrets.Forget(ctx, seal), m.Secrets.Forget(ctx, webhook))
	}
	if err := m.Secrets.Keep(ctx, seal, random(32)); err != nil {
		return fmt.Errorf("keep %s: %w", seal, err)
	}
	if err := m.Secrets.Keep(ctx, webhook, "whsec_"+random(32)); err != nil {
		return fmt.Errorf("keep %s: %w", webhook, err)
	}
	return m.index(ctx)
}

func text(c Change, name string) (string, error) {
	s, _ := c.Properties[name].(string)
	if s == "" {
		return "", fmt.Errorf("the property %s is missing", name)
	}
	return s, nil
}

func random(bytes int) string {
	key := make([]byte, bytes)
	rand.Read(key)
	return base64.StdEncoding.EncodeToString(key)
}

// patience is how long the index may refuse: the policy that lets the function in
// takes a while to be known everywhere.
const patience = 4 * time.Minute

// index tries until the server takes the index or patience ends.
func (m *Maker) index(ctx context.Context) error {
	ctx, cancel := context.WithTimeout(ctx, patience)
	defer cancel()
	var last error
	_, err := backoff.Retry(ctx, func() (struct{}, error) {
		if last = m.Index(ctx); last != nil {
			m.Log.WarnContext(ctx, "the index cannot be made yet", "error", last)
		}
		if f := fault.As(last); f != nil && f.NoRetry {
			return struct{}{}, backoff.Permanent(last)
		}
		return struct{}{}, last
	}, backoff.WithBackOff(&backoff.ExponentialBackOff{InitialInterval: time.Second, Multiplier: 2, MaxInterval: 20 * time.Second}),
		backoff.WithMaxElapsedTime(0))
	if err != nil {
		return fmt.Errorf("make the index: %w", last)
	}
	return nil
}
