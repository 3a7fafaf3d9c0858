package app

import (
	"context"

	"lectern/shared/storage/identity"
	"lectern/shared/storage/sweep"
)

// guard returns the limits of the process's sweeps.
func guard(p *Process) sweep.Guard {
	return sweep.Guard{All: p.Config.SweepAll, Log: p.Log, Lost: p.LostObject}
}

// Stores returns the stores of a process, to check that they belong together. It
// includes the index if that stores an id and withIndex is set.
func Stores(p *Process, l *Library, withIndex bool) *identity.Stores {
	s := &identity.Stores{Records: p.Records, Objects: p.Objects}
	if withIndex {
		s.Index, _ = p.Index.(identity.Marker)
	}
	skills := NewSkills(p)
	s.Survey = func(ctx context.Context) (identity.Survey, error) {
		documents, err := l.Artifacts.Survey(ctx, s.Index != nil)
		if err != nil {
			return identity.Survey{}, err
		}
		files, knownFiles, err := l.Files.Survey(ctx)
		if err != nil {
			return identity.Survey{}, err
		}
		archives, knownArchives, err := skills.Survey(ctx)
		return identity.Survey{
			Registered: documents.Registered + knownFiles + knownArchives,
			Objects:    documents.Objects + files + archives,
			Named:      documents.Named + knownFiles + knownArchives,
			Indexed:    documents.Indexed, Found: documents.Found,
		}, err
	}
	return s
}

// Relisted counts what Relist has listed again.
type Relisted struct{ Documents, Files, Skills int }

// Relist makes registry items that are lost again, from what the objects hold. lost
// is called with a sentence about everything that cannot be listed. Nobody else may
// use the stores.
func Relist(ctx context.Context, p *Process, l *Library, lost func(string)) (out Relisted, err error) {
	if out.Documents, err = l.Artifacts.Relist(ctx, lost); err != nil {
		return out, err
	}
	if out.Files, err = l.Files.Relist(ctx, lost); err != nil {
		return out, err
	}
	out.Skills, err = NewSkills(p).Relist(ctx, lost)
	return out, err
}

// Damaged returns how many damaged items the stores of a process skipped, by
// store; stores without damage are omitted.
func Damaged(p *Process) map[string]int {
	out := map[string]int{}
	for name, count := range p.Damage {
		if n := count(); n > 0 {
			out[name] = n
		}
	}
	return out
}
