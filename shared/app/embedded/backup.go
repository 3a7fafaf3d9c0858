package embedded

import (
	"context"
	"errors"
	"fmt"
	"io"
	"io/fs"
	"os"
	"path/filepath"
	"slices"

	"lectern/shared/app"
	"lectern/shared/app/config"
	"lectern/shared/fault"
	"lectern/shared/storage/backup"
	"lectern/shared/storage/object/diskobject"
	"lectern/shared/storage/object/heldobject"
	"lectern/shared/storage/record"
)

// secrets are files of the data directory without which what is sealed cannot be
// opened, and what is signed is not recognised.
var secrets = []string{"seal.key", "signing.key", "webhook.secret"}

// Backup writes the records, objects and secrets of a process, which may be serving.
// Objects that are deleted meanwhile are hidden at once, and freed at the end.
func Backup(ctx context.Context, p *app.Process, to io.Writer) (backup.Summary, error) {
	records, ok := p.Records.(record.Snapshotter)
	held, local := p.Objects.(*heldobject.Store)
	if !ok || !local {
		return backup.Summary{}, fault.New(fault.Unsupported,
			"a backup copies stores of a data directory; those of AWS are kept by point-in-time recovery and versions of objects")
	}
	source := backup.Source{Records: records, Secrets: map[string][]byte{}, Now: p.Now()}
	for _, name := range secrets {
		value, err := os.ReadFile(within(p, "", name))
		if err == nil {
			source.Secrets[name] = value
		} else if !errors.Is(err, fs.ErrNotExist) {
			return backup.Summary{}, err
		}
	}
	objects, release := held.Hold()
	source.Objects = objects
	out, err := backup.Write(ctx, to, source)
	return out, errors.Join(err, release(context.WithoutCancel(ctx)))
}

// Restore makes the data directory of c out of a backup. The directory has to be
// empty or missing, and the settings those of a data directory.
func Restore(ctx context.Context, c *config.Config, from io.ReadSeeker) (backup.Summary, error) {
	is, err := backup.Check(from)
	if err != nil {
		return is, err
	}
	if _, err := from.Seek(0, io.SeekStart); err != nil {
		return is, err
	}
	if c.Objects != "disk:" || c.Records != "bolt:" {
		return is, fault.New(fault.Invalid, "a backup is restored into a data directory; leave LECTERN_OBJECTS and LECTERN_RECORDS empty")
	}
	work := filepath.Join(c.Data, ".restoring")
	if err := os.RemoveAll(work); err != nil { // of a restoring that was cut off
		return is, err
	}
	there, err := os.ReadDir(c.Data)
	if err != nil && !errors.Is(err, fs.ErrNotExist) {
		return is, err
	}
	if len(there) > 0 {
		return is, fault.New(fault.Conflict, "the data directory %s is not empty; name another one in LECTERN_DATA, or move it away", c.Data)
	}
	if err := restoreInto(ctx, work, is, from); err != nil {
		return is, errors.Join(err, os.RemoveAll(work))
	}
	// The records come last: without them no service starts on what is half there.
	for _, name := range append(slices.Clone(secrets), "objects", "records.db") {
		if err := os.Rename(filepath.Join(work, name), filepath.Join(c.Data, name)); err != nil && !errors.Is(err, fs.ErrNotExist) {
			return is, err
		}
	}
	return is, os.Remove(work)
}

func restoreInto(ctx context.Context, dir string, is backup.Summary, from io.Reader) error {
	objects, err := diskobject.Open(filepath.Join(dir, "objects"), diskobject.Options{})
	if err != nil {
		return err
	}
	err = backup.Restore(ctx, from, is, backup.Target{
		Objects: objects,
		Secret: func(name string, value []byte) error {
			if !slices.Contains(secrets, name) {
				return fmt.Errorf("%q is no secret of a data directory", name)
			}
			return os.WriteFile(filepath.Join(dir, name), value, 0o600)
		},
		Records: func(r io.Reader) error { return writeFile(filepath.Join(dir, "records.db"), r) },
	})
	return errors.Join(err, objects.Close())
}

func writeFile(path string, from io.Reader) error {
	f, err := os.OpenFile(path, os.O_WRONLY|os.O_CREATE|os.O_EXCL, 0o600)
	if err != nil {
		return err
	}
	_, err = io.Copy(f, from)
	if err == nil {
		err = f.Sync()
	}
	return errors.Join(err, f.Close())
}
