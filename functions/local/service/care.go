package service

import (
	"context"
	"errors"
	"fmt"
	"io"
	"log/slog"

	"lectern/shared/app"
	"lectern/shared/app/config"
	"lectern/shared/app/embedded"
	"lectern/shared/app/reading"
)

// care is an open set of stores that no service uses, and that was there before.
type care struct {
	process *app.Process
	library *app.Library
}

func takeCare(ctx context.Context, c *config.Config, log *slog.Logger, parts ...app.Part) (*care, error) {
	if err := embedded.Stored(c); err != nil {
		return nil, err
	}
	p := app.New(c, log)
	if _, err := embedded.Open(ctx, p); err != nil {
		return nil, err
	}
	if err := p.Open(ctx, parts...); err != nil {
		return nil, err
	}
	return &care{process: p, library: app.NewLibrary(p)}, nil
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
	if err == nil {
		err = app.CheckSeal(ctx, s.process, true)
	}
	return out, errors.Join(err, s.process.Close())
}

// Backup writes everything that this service stores, while it serves.
func (s *Service) Backup(ctx context.Context, to io.Writer) error {
	_, err := embedded.Backup(ctx, s.process, to)
	return err
}

// Backup writes what stores hold that no service uses.
func Backup(ctx context.Context, c *config.Config, log *slog.Logger, to io.Writer) error {
	s, err := takeCare(ctx, c, log)
	if err != nil {
		return err
	}
	_, err = embedded.Backup(ctx, s.process, to)
	return errors.Join(err, s.process.Close())
}

// Listed counts what the registry lists.
type Listed struct {
	Documents, Files, Skills int
	// Unindexed counts the documents of which the embedded index lacks chunks, for
	// another reason than damage: the next start rebuilds them from their stored texts.
	Unindexed int
}

// Verify reads everything that the stores hold and calls wrong with a sentence about
// each thing that is not as it should be. It changes nothing that is stored.
func Verify(ctx context.Context, c *config.Config, log *slog.Logger, wrong func(string)) (Listed, error) {
	s, err := takeCare(ctx, c, log)
	if err != nil {
		return Listed{}, err
	}
	var behind []string
	out, err := s.verify(ctx, wrong, func(problem string) { behind = append(behind, problem) })
	damaged, embedded := s.process.Damage["index"]
	if embedded && damaged() == 0 {
		out.Unindexed, behind = len(behind), nil
	}
	for _, problem := range behind {
		wrong(problem)
	}
	return out, errors.Join(err, s.process.Close())
}

func (s *care) verify(ctx context.Context, wrong, behind func(string)) (out Listed, err error) {
	found := 0
	counted := func(tell func(string)) func(string) {
		return func(problem string) {
			found++
			tell(problem)
		}
	}
	count := counted(wrong)
	if out.Documents, err = s.library.Artifacts.Verify(ctx, count, counted(behind)); err != nil {
		return out, err
	}
	if out.Files, err = s.library.Files.Verify(ctx, count); err != nil {
		return out, err
	}
	if out.Skills, err = app.NewSkills(s.process).Verify(ctx, count); err != nil {
		return out, err
	}
	for store, n := range app.Damaged(s.process) {
		if found == 0 {
			wrong(fmt.Sprintf("%d damaged parts of the %s belong to nothing that is listed; the log names them", n, store))
		}
	}
	return out, nil
}

// Repaired is what Repair did.
type Repaired struct {
	app.Relisted     // again
	Reread       int // documents ingested again from their originals
	Rebuilt      int // documents that the index lacked
	Listed       Listed
}

// Repair lists again what a lost registry named, reads documents again whose text is
// lost, and rebuilds what the index lacks. It deletes nothing. Stores that do not
// belong together are an error. left is called with a sentence about each thing that
// could not be repaired.
func Repair(ctx context.Context, c *config.Config, log *slog.Logger, left func(string)) (out Repaired, err error) {
	s, err := takeCare(ctx, c, log, reading.Readers)
	if err != nil {
		return out, err
	}
	err = s.repair(ctx, &out, left)
	return out, errors.Join(err, s.process.Close())
}

func (s *care) repair(ctx context.Context, out *Repaired, left func(string)) (err error) {
	if err := app.Stores(s.process, s.library, true).Check(ctx); err != nil {
		return err
	}
	if out.Relisted, err = app.Relist(ctx, s.process, s.library, left); err != nil {
		return err
	}
	if out.Reread, err = s.library.Artifacts.Reread(ctx, left); err != nil {
		return err
	}
	p, err := s.library.Artifacts.Rebuild(ctx)
	if err != nil {
		return err
	}
	out.Rebuilt = p.Done - p.Failed
	out.Listed, err = s.verify(ctx, left, left)
	return err
}
