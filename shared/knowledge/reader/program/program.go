// Package program runs the programs of the machine that read what this service
// does not: each gets a directory of its own, no shell, no environment, a
// deadline, and bounds on its memory and on what it may answer.
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

// maxOutput bounds what a program may write to its standard output, bytes.
const maxOutput = 64 << 20

// maxMemory bounds the data of each process, bytes.
const maxMemory = 2 << 30

// Program is an executable file.
type Program struct {
	file string
	path string // where it finds programs of its own
}

// Find looks for a program in a list of directories in the form of $PATH; nil
// when it is in none of them. Relative directories are left out.
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

// Run runs the program in dir, which is its home and place for temporary
// files as well, and returns what it writes. It ends with ctx at the latest,
// and everything that it started with it.
func (p *Program) Run(ctx context.Context, dir string, args ...string) ([]byte, error) {
	cmd := exec.CommandContext(ctx, p.file, args...)
	cmd.Dir = dir
	// One thread: as many run at once as there are processors.
	cmd.Env = []string{"PATH=" + p.path, "HOME=" + dir, "TMPDIR=" + dir, "LANG=C.UTF-8", "OMP_THREAD_LIMIT=1"}
	out, complaint := &bounded{most: maxOutput}, &bounded{most: 4 << 10}
	cmd.Stdout, cmd.Stderr = out, complaint
	cmd.WaitDelay = 2 * time.Second
	alone(cmd)
	err := cmd.Start()
	if err == nil {
		if lerr := limit(cmd.Process.Pid); lerr != nil {
			_ = cmd.Cancel() // it may have ended already, which Wait tells
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
		return nil, errors.New(filepath.Base(p.file) + " wrote more than it may")
	}
	return out.Bytes(), nil
}

// bounded keeps the first most bytes and swallows the rest.
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
