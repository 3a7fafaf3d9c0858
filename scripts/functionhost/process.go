package main

import (
	"archive/zip"
	"bytes"
	"context"
	"errors"
	"fmt"
	"io"
	"maps"
	"os"
	"os/exec"
	"path/filepath"
	"strconv"
	"strings"
	"syscall"

	"lectern/functions"
	"lectern/shared/aws/lambdahttp/lambdatest"
)

// process is a function at work.
type process struct {
	cmd   *exec.Cmd
	host  *lambdatest.Host
	group string // directory of its cgroup; empty without one
	log   bytes.Buffer
}

// nobody is the user that functions run as: it may read everything and write
// nothing but what everybody may.
const nobody = 65534

// maxPayload is what Lambda takes of an event, and of an answer that is not
// streamed.
const maxPayload = 6 << 20

func start(f functions.Function, archive, dir string, settings map[string]string) (*process, error) {
	if err := unpack(archive, dir); err != nil {
		return nil, err
	}
	host, err := lambdatest.NewHost()
	if err != nil {
		return nil, err
	}
	all := map[string]string{
		"AWS_REGION": "us-east-1", "AWS_DEFAULT_REGION": "us-east-1", "AWS_ACCESS_KEY_ID": os.Getenv("AWS_ACCESS_KEY_ID"),
		"AWS_SECRET_ACCESS_KEY": os.Getenv("AWS_SECRET_ACCESS_KEY"), "AWS_LAMBDA_RUNTIME_API": host.Addr(), "AWS_LAMBDA_FUNCTION_NAME": f.Name,
		"AWS_LAMBDA_FUNCTION_MEMORY_SIZE": strconv.Itoa(f.MemoryMB), "LAMBDA_TASK_ROOT": dir, "LANG": "en_US.UTF-8", "TZ": ":UTC",
		"PATH": "/usr/local/bin:/usr/bin:/bin:/opt/bin",
	}
	maps.Copy(all, settings)
	all["LECTERN_DATA"] = dir // in the cloud /var/task
	delete(all, "LECTERN_BUFFERED")
	p := &process{cmd: exec.Command(filepath.Join(dir, "bootstrap")), host: host}
	for name, value := range all {
		p.cmd.Env = append(p.cmd.Env, name+"="+value)
	}
	p.cmd.Dir, p.cmd.Stderr, p.cmd.Stdout = dir, &p.log, &p.log
	if os.Geteuid() == 0 {
		p.cmd.SysProcAttr = &syscall.SysProcAttr{Credential: &syscall.Credential{Uid: nobody, Gid: nobody}}
	}
	if err := p.cmd.Start(); err != nil {
		return nil, errors.Join(err, host.Close())
	}
	p.limit(f.MemoryMB)
	return p, nil
}

// unpack extracts a zip into a directory that is then read-only.
func unpack(archive, dir string) error {
	r, err := zip.OpenReader(archive)
	if err != nil {
		return err
	}
	defer r.Close()
	dirs := []string{dir}
	for _, f := range r.File {
		path := filepath.Join(dir, filepath.Clean("/"+f.Name))
		if err := os.MkdirAll(filepath.Dir(path), 0o755); err != nil {
			return err
		}
		for at := filepath.Dir(path); at != dir; at = filepath.Dir(at) {
			dirs = append(dirs, at)
		}
		in, err := f.Open()
		if err != nil {
			return err
		}
		raw, err := io.ReadAll(in)
		if err := errors.Join(err, in.Close()); err != nil {
			return err
		}
		if err := os.WriteFile(path, raw, f.Mode().Perm()&^0o222); err != nil {
			return err
		}
	}
	for _, d := range dirs {
		if err := os.Chmod(d, 0o555); err != nil {
			return err
		}
	}
	return nil
}

// limit puts the process into a cgroup with its memory, where that is allowed.
func (p *process) limit(megabytes int) {
	for root, name := range map[string]string{"/sys/fs/cgroup/memory": "memory.limit_in_bytes", "/sys/fs/cgroup": "memory.max"} {
		group := filepath.Join(root, "functionhost-"+strconv.Itoa(p.cmd.Process.Pid))
		if _, err := os.Stat(filepath.Join(root, "cgroup.procs")); err != nil || os.Mkdir(group, 0o755) != nil {
			continue
		}
		limited := os.WriteFile(filepath.Join(group, name), []byte(strconv.Itoa(megabytes<<20)), 0o644) == nil
		if limited && os.WriteFile(filepath.Join(group, "cgroup.procs"), []byte(strconv.Itoa(p.cmd.Process.Pid)), 0o644) == nil {
			p.group = group
			return
		}
		os.Remove(group)
	}
}

func (p *process) freeze() error { return p.cmd.Process.Signal(syscall.SIGSTOP) }
func (p *process) thaw() error   { return p.cmd.Process.Signal(syscall.SIGCONT) }

// invoke returns what the function answers: of a request, the head and the body.
func (p *process) invoke(ctx context.Context, event []byte) (string, error) {
	if len(event) > maxPayload {
		return "", fmt.Errorf("an event of %d bytes does not pass Lambda", len(event))
	}
	a, err := p.host.Invoke(ctx, event)
	if err != nil {
		return "", err
	}
	defer a.Body.Close()
	text, err := io.ReadAll(a.Body)
	if err == nil && len(text) > maxPayload && !strings.Contains(a.ContentType, "http-integration-response") {
		err = fmt.Errorf("an answer of %d bytes that is not streamed does not pass Lambda", len(text))
	}
	return string(text), err
}

// stop ends the process and returns the most memory that it took, in MB.
func (p *process) stop() (float64, error) {
	peak, err := p.peak()
	_ = p.cmd.Process.Kill()
	_ = p.cmd.Wait() // it was killed
	if p.group != "" {
		os.Remove(p.group)
	}
	return peak, errors.Join(err, p.host.Close())
}

func (p *process) peak() (float64, error) {
	raw, err := os.ReadFile(fmt.Sprintf("/proc/%d/status", p.cmd.Process.Pid))
	if err != nil {
		return 0, err
	}
	_, rest, _ := strings.Cut(string(raw), "VmHWM:")
	fields := strings.Fields(rest)
	if len(fields) == 0 {
		return 0, errors.New("it is over, or its memory cannot be read")
	}
	kilobytes, err := strconv.ParseFloat(fields[0], 64)
	return kilobytes / 1024, err
}
