// Package setup creates the resources of a deployment that CloudFormation
// cannot create: the search index, and secrets in formats that its generator
// does not support. Changes of the deployment may be delivered more than once.
//
// An existing secret is never replaced: data sealed with it could no longer be
// opened, and receivers of callbacks would reject new signatures.
package setup

import (
	"context"
	"crypto/rand"
	"encoding/base64"
	"errors"
	"fmt"
	"log/slog"
	"strings"
	"time"

	"github.com/cenkalti/backoff/v5"

	"lectern/shared/fault"
)

// Change is one change to the deployment.
type Change struct {
	Kind       string         // Create, Update or Delete
	Properties map[string]any // of the template, all values strings
}

// Secrets stores secrets by name.
type Secrets interface {
	// Keep stores a secret unless the name exists, and returns its ARN.
	Keep(ctx context.Context, name, value string) (arn string, err error)
	// Forget removes a secret; no error if it does not exist.
	Forget(ctx context.Context, name string) error
}

// Properties of a change.
const (
	SealKey       = "SealKey"       // name of the secret that seals requests
	WebhookSecret = "WebhookSecret" // name of the secret that signs callbacks
	Keys          = "Keys"          // name of the secret with the keys of callers; empty where there are none
	Retain        = "Retain"        // "true" keeps the secrets when the deployment is deleted
)

// KeysARN is the attribute with the ARN of the secret of Keys; empty without one.
const KeysARN = "KeysARN"

// Maker creates missing resources. All fields are required, except those with a
// default.
type Maker struct {
	Secrets Secrets // of the service
	Callers Secrets // keys of callers, which people read
	// Index creates the search index unless it exists.
	Index func(context.Context) error
	Log   *slog.Logger
}

// Handle creates secrets and index on creation and update, and returns the
// attributes of the resource. On deletion it removes the secrets, unless they are
// retained; the index is deleted with its server.
func (m *Maker) Handle(ctx context.Context, c Change) (map[string]any, error) {
	seal, err := text(c, SealKey)
	if err != nil {
		return nil, err
	}
	webhook, err := text(c, WebhookSecret)
	if err != nil {
		return nil, err
	}
	keys, _ := c.Properties[Keys].(string)
	if c.Kind == "Delete" {
		if c.Properties[Retain] == "true" {
			return nil, nil
		}
		err := errors.Join(m.Secrets.Forget(ctx, seal), m.Secrets.Forget(ctx, webhook))
		if keys != "" {
			err = errors.Join(err, m.Callers.Forget(ctx, keys))
		}
		return nil, err
	}
	if _, err := m.Secrets.Keep(ctx, seal, random(32)); err != nil {
		return nil, fmt.Errorf("keep %s: %w", seal, err)
	}
	if _, err := m.Secrets.Keep(ctx, webhook, "whsec_"+random(32)); err != nil {
		return nil, fmt.Errorf("keep %s: %w", webhook, err)
	}
	attributes := map[string]any{KeysARN: ""}
	if keys != "" {
		if attributes[KeysARN], err = m.Callers.Keep(ctx, keys, firstKey()); err != nil {
			return nil, fmt.Errorf("keep %s: %w", keys, err)
		}
	}
	return attributes, m.index(ctx)
}

// firstKey returns a list, as LECTERN_KEYS holds it, with one key without limits.
// People add keys to it and take the first one out.
func firstKey() string {
	return `[{"key": "lk_` + strings.NewReplacer("+", "-", "/", "_", "=", "").Replace(random(32)) + `", "collections": null}]`
}

func text(c Change, name string) (string, error) {
	s, _ := c.Properties[name].(string)
	if s == "" {
		return "", fmt.Errorf("property %s is missing", name)
	}
	return s, nil
}

func random(bytes int) string {
	key := make([]byte, bytes)
	rand.Read(key)
	return base64.StdEncoding.EncodeToString(key)
}

// patience is how long to retry the index: the access policy of this function
// takes a while to propagate.
const patience = 4 * time.Minute

// index retries until the index is created or patience is over.
func (m *Maker) index(ctx context.Context) error {
	ctx, cancel := context.WithTimeout(ctx, patience)
	defer cancel()
	var last error
	_, err := backoff.Retry(ctx, func() (struct{}, error) {
		if last = m.Index(ctx); last != nil {
			m.Log.WarnContext(ctx, "index not created yet, retrying", "error", last)
		}
		if f := fault.As(last); f != nil && f.NoRetry {
			return struct{}{}, backoff.Permanent(last)
		}
		return struct{}{}, last
	}, backoff.WithBackOff(&backoff.ExponentialBackOff{InitialInterval: time.Second, Multiplier: 2, MaxInterval: 20 * time.Second}),
		backoff.WithMaxElapsedTime(0))
	if err != nil {
		return fmt.Errorf("create index: %w", last)
	}
	return nil
}
