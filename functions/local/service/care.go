package service

import (
	"context"
	"errors"
	"log/slog"

	"lectern/shared/app"
	"lectern/shared/app/config"
	"lectern/shared/app/embedded"
)

// care is an open set of stores that no service uses.
type care struct {
	process *app.Process
	library *app.Library
	local   *embedded.Local
}

func takeCare(ctx context.Context, c *config.Config, log *slog.Logger) (*care, error) {
	p := app.New(c, log)
	local, err := embedded.Open(ctx, p)
	if err != nil {
		return nil, err
	}
	return &care{process: p, library: app.NewLibrary(p), local: local}, nil
}

// Adopted is what Adopt did.
type Adopted struct {
	ID string // of the set of stores
	app.Relisted
}

// Adopt marks the configured stores as one set, whatever set they belong to now, and
// lists again what their objects hold and the registry does not know. It deletes
// nothing. lost is called with a sentence about everything that cannot be listed.
func Adopt(ctx context.Context, c *config.Config, log *slog.Logger, lost func(string)) (out Adopted, err error) {
	s, err := takeCare(ctx, c, log)
	if err != nil {
		return out, err
	}
	if out.ID, err = app.Stores(s.process, s.library, true).Adopt(ctx, s.process.Now()); err == nil {
		out.Relisted, err = app.Relist(ctx, s.process, s.library, lost)
	}
	return out, errors.Join(err, s.process.Close())
}
