// Package bus opens what callbacks need, for the functions that send them.
package bus

import (
	"context"
	"errors"

	"lectern/shared/app"
	"lectern/shared/web/callback"
	"lectern/shared/web/callback/eventbus"
)

// Callbacks opens the signing secret of callbacks, and the bus of
// LECTERN_EVENT_BUS if there is one.
func Callbacks(ctx context.Context, p *app.Process) error {
	if p.Config.WebhookSecret == "" {
		return errors.New("LECTERN_WEBHOOK_SECRET should be set, because functions cannot store a secret")
	}
	return Open(ctx, p, p.Config.WebhookSecret)
}

// Open is Callbacks with a given secret.
func Open(ctx context.Context, p *app.Process, secret string) error {
	if _, err := callback.ParseSecret(secret); err != nil {
		return app.Of("LECTERN_WEBHOOK_SECRET", err)
	}
	p.WebhookSecret = secret
	if p.Config.EventBus == "" {
		return nil
	}
	cfg, err := p.AWS(ctx, "")
	if err != nil {
		return app.Of("LECTERN_EVENT_BUS", err)
	}
	p.Bus = eventbus.Open(cfg, p.Config.EventBus)
	return nil
}
