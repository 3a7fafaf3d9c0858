// Package program runs external programs that read documents. Each run gets a
// separate directory, no shell, no environment, a deadline, and limits on
// memory and output.
package program

import (
	"bytes"
	"context"
	"errors"
	"fmt"
	"os"
	"os/exec"
	"path/filepath"
	"time"
)

// maxOutput limits the standard output of a program, in bytes.
const maxOutput = 64 << 20

// maxMemory limits the data of each process, in bytes.
const maxMemory = 2 << 30

// Program is an executable file.
type Program struct {
	file string
	path string // PATH for its child processes
}

// Find looks for a program in a list of directories in the form of $PATH; nil
// if it is in none of them. Relative directories are ignored.
func Find(path, name string) *Program {
	for _, dir := range filepath.SplitList(path) {
		if !filepath.IsAbs(dir) {
			continue
		}
		file := filepath.Join(dir, name)
		if info, err := os.Stat(file); err == nil && info.Mode().IsRegular() && info.Mode()&0o111 != 0 {
			return &Program{file, path}
		}
	}
	return nil
}

// Run runs the program in dir, which is also its home and temporary directory,
// and returns its output. It and its child processes are killed when ctx ends.
func (p *Program) Run(ctx context.Context, dir string, args ...string) ([]byte, error) {
	cmd := exec.CommandContext(ctx, p.file, args...)
	cmd.Dir = dir
	// One thread, because as many programs run at once as there are processors.
	cmd.Env = []string{"PATH=" + p.path, "HOME=" + dir, "TMPDIR=" + dir, "LANG=C.UTF-8", "OMP_THREAD_LIMIT=1"}
	out, complaint := &bounded{most: maxOutput}, &bounded{most: 4 << 10}
	cmd.Stdout, cmd.Stderr = out, complaint
	cmd.WaitDelay = 2 * time.Second
	alone(cmd)
	err := cmd.Start()
	if err == nil {
		if lerr := limit(cmd.Process.Pid); lerr != nil {
			_ = cmd.Cancel() // if it has ended already, Wait reports it
		}
		err = cmd.Wait()
	}
	if err != nil {
		if ctx.Err() != nil {
			return nil, ctx.Err()
		}
		return nil, fmt.Errorf("%s: %w: %s", filepath.Base(p.file), err, bytes.TrimSpace(complaint.Bytes()))
	}
	if out.cut {
		return nil, errors.New(filepath.Base(p.file) + " exceeded its output limit")
	}
	return out.Bytes(), nil
}

// bounded keeps the first most bytes and discards the rest.
type bounded struct {
	bytes.Buffer
	most int
	cut  bool
}

func (b *bounded) Write(p []byte) (int, error) {
	if room := b.most - b.Len(); len(p) > room {
		b.cut = true
		b.Buffer.Write(p[:max(room, 0)])
		return len(p), nil
	}
	return b.Buffer.Write(p)
}
