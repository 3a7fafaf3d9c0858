package main

import (
	"context"
	"errors"
	"fmt"
	"io"
	"log/slog"
	"os"
	"os/signal"
	"slices"
	"syscall"

	"lectern/functions/local/control"
	"lectern/functions/local/service"
	"lectern/shared/app/config"
	"lectern/shared/app/embedded"
	"lectern/shared/storage/backup"
)

// storesCommand looks after the stores of the settings: it reads, mends, copies or
// puts back what they hold.
type storesCommand struct {
	name, args, does string
	run              func(ctx context.Context, cfg *config.Config, log *slog.Logger, file string) error
}

var storesCommands = []storesCommand{
	{"verify", "", "read all that is stored, and name what is lost or damaged", verify},
	{"repair", "", "list, read and index again what can be, and name what cannot", repair},
	{"adopt", "", "make one set of stores that do not belong together, and list what they hold", adopt},
	{"reindex", "", "give vectors to documents that have none of the embedder", reindex},
	{"backup", "FILE", "copy everything into a file, while the service serves or without it", backUp},
	{"restore", "FILE", "make an empty data directory of a backup", restore},
}

// storesHelp lists the commands, a line each.
func storesHelp() (out string) {
	for _, c := range storesCommands {
		name := c.name
		if c.args != "" {
			name += " " + c.args
		}
		out += fmt.Sprintf("  lectern %-17s %s\n", name, c.does)
	}
	return out
}

// runStores runs the command that args name; known is false when there is none.
func runStores(args []string, getenv func(string) string) (known bool, err error) {
	i := slices.IndexFunc(storesCommands, func(c storesCommand) bool { return len(args) > 0 && c.name == args[0] })
	if i < 0 {
		return false, nil
	}
	c, file := storesCommands[i], ""
	switch {
	case c.args == "" && len(args) == 1:
	case c.args != "" && len(args) == 2:
		file = args[1]
	default:
		return true, fmt.Errorf("usage: lectern %s %s", c.name, c.args)
	}
	cfg, log, err := settings(getenv)
	if err != nil {
		return true, err
	}
	ctx, stop := signal.NotifyContext(context.Background(), os.Interrupt, syscall.SIGTERM)
	defer stop()
	return true, c.run(ctx, cfg, log, file)
}

// told prints problems and counts them.
type told int

func (t *told) tell(problem string) {
	*t++
	fmt.Println("-", problem)
}

func (t told) err() error {
	if t > 0 {
		return fmt.Errorf("%d things are lost or damaged; they are listed above", t)
	}
	return nil
}

func verify(ctx context.Context, cfg *config.Config, log *slog.Logger, _ string) error {
	var wrong told
	out, err := service.Verify(ctx, cfg, log, wrong.tell)
	if err != nil {
		return err
	}
	fmt.Printf("%d documents, %d files and %d skills were read; %d things are not as they should be.\n", out.Documents, out.Files, out.Skills, wrong)
	if out.Unindexed > 0 {
		fmt.Printf("The search index lacks %d documents, which is no loss: the next start of the service rebuilds it from their stored texts.\n", out.Unindexed)
	}
	return wrong.err()
}

func repair(ctx context.Context, cfg *config.Config, log *slog.Logger, _ string) error {
	var left told
	out, err := service.Repair(ctx, cfg, log, left.tell)
	if err != nil {
		return err
	}
	fmt.Printf("Listed again: %d documents, %d files, %d skills. Read again from originals: %d. Indexed again: %d. Nothing was deleted.\n",
		out.Relisted.Documents, out.Relisted.Files, out.Relisted.Skills, out.Reread, out.Rebuilt)
	return left.err()
}

// adopt takes over the stores as they are, on the operator's word.
func adopt(ctx context.Context, cfg *config.Config, log *slog.Logger, _ string) error {
	var lost told
	out, err := service.Adopt(ctx, cfg, log, lost.tell)
	if err != nil {
		return err
	}
	fmt.Printf("The stores of %s are one set now, %s. Listed again: %d documents, %d files, %d skills; %d could not be listed. Nothing was deleted.\n",
		cfg.Data, out.ID, out.Documents, out.Files, out.Skills, lost)
	return nil
}

// reindex gives vectors to what the index holds, while no service runs.
func reindex(ctx context.Context, cfg *config.Config, log *slog.Logger, _ string) error {
	return service.Reindex(ctx, cfg, log, func(have, of int) { fmt.Printf("%d of %d chunks have a vector\n", have, of) })
}

// backUp copies through the running service, or opens the stores where none runs. The
// file appears when it is whole.
func backUp(ctx context.Context, cfg *config.Config, log *slog.Logger, file string) (err error) {
	if err := embedded.Stored(cfg); err != nil {
		return err
	}
	temp := file + ".part"
	to, err := os.OpenFile(temp, os.O_RDWR|os.O_CREATE|os.O_TRUNC, 0o600)
	if err != nil {
		return err
	}
	defer func() {
		if err != nil {
			err = errors.Join(err, os.Remove(temp))
		}
	}()
	defer to.Close()
	if err = control.Backup(ctx, cfg.Data, to); errors.Is(err, control.ErrNobody) {
		err = service.Backup(ctx, cfg, log, to)
	}
	if err != nil {
		return err
	}
	if _, err = to.Seek(0, io.SeekStart); err != nil {
		return err
	}
	is, err := backup.Check(to)
	if err != nil {
		return err
	}
	if err = errors.Join(to.Sync(), os.Rename(temp, file)); err != nil {
		return err
	}
	fmt.Printf("%s holds the records and %d objects (%d bytes), and the secrets of the service: keep it as safe as the data directory.\n",
		file, is.Objects, is.Bytes)
	var lost told
	for _, key := range is.Damaged {
		lost.tell(fmt.Sprintf("the object %s is damaged and left out", key))
	}
	if lost > 0 {
		fmt.Println("Run `lectern verify` to see what they belong to.")
	}
	return nil
}

func restore(ctx context.Context, cfg *config.Config, _ *slog.Logger, file string) error {
	from, err := os.Open(file)
	if err != nil {
		return err
	}
	defer from.Close()
	is, err := embedded.Restore(ctx, cfg, from)
	if err != nil {
		return err
	}
	fmt.Printf("%s holds what was stored at %s: %d objects. The next start rebuilds the search index.\n", cfg.Data, is.Made.Local().Format("2006-01-02 15:04:05"),
		is.Objects)
	return nil
}
