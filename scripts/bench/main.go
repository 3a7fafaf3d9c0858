// Command bench measures the service against its budgets, as ratios to a
// baseline on the same machine in the same run. It builds the service, runs it
// and a bare net/http echo as separate processes, and prints one line per
// budget: the figure, the limit, and the goal.
//
// The load comes from this process over loopback, so on a small machine the
// client's own work is part of every figure, including the echo's.
package main

import (
	"flag"
	"fmt"
	"io"
	"net"
	"net/http"
	"os"
	"os/exec"
	"path/filepath"
	"runtime"
	"strings"
	"time"
)

func main() {
	echo := flag.String("echo", "", "serve as the bare echo on this address")
	scripted := flag.String("upstream", "", "serve as a scripted model provider on this address")
	proxy := flag.String("proxy", "", "serve as a bare reverse proxy on this address")
	target := flag.String("target", "", "of the proxy")
	only := flag.String("only", "", "run only the parts whose names contain this")
	large := flag.Bool("large", false, "also search a million chunks and ingest 100 MB: needs 8 GB of disk and some minutes")
	flag.Parse()
	switch {
	case *echo != "":
		fmt.Fprintln(os.Stderr, serveEcho(*echo))
		os.Exit(1)
	case *scripted != "":
		fmt.Fprintln(os.Stderr, serveUpstream(*scripted))
		os.Exit(1)
	case *proxy != "":
		fmt.Fprintln(os.Stderr, serveProxy(*proxy, *target))
		os.Exit(1)
	}
	if err := run(*only, *large); err != nil {
		fmt.Fprintln(os.Stderr, "bench:", err)
		os.Exit(1)
	}
}

// serveEcho answers each request with its body.
func serveEcho(addr string) error {
	return http.ListenAndServe(addr, http.HandlerFunc(func(w http.ResponseWriter, r *http.Request) {
		body, err := io.ReadAll(r.Body)
		if err != nil {
			return
		}
		w.Header().Set("Content-Type", "application/json")
		w.Write(body)
	}))
}

type part struct {
	name string
	run  func(*bench) error
}

func run(only string, large bool) error {
	dir, err := os.MkdirTemp("", "lectern-bench-")
	if err != nil {
		return err
	}
	defer os.RemoveAll(dir)
	b := &bench{dir: dir, binary: filepath.Join(dir, "lectern"), large: large}
	build := exec.Command("go", "build", "-trimpath", "-ldflags=-s -w", "-o", b.binary, "./functions/local")
	build.Env, build.Stderr = append(os.Environ(), "CGO_ENABLED=0"), os.Stderr
	if err := build.Run(); err != nil {
		return fmt.Errorf("build the service: %w", err)
	}
	fmt.Printf("%s, %s/%s, %d cores: %s\n", time.Now().UTC().Format(time.DateOnly), runtime.GOOS, runtime.GOARCH, runtime.NumCPU(),
		cpuName())
	parts := []part{
		{"idle", (*bench).idle}, {"chat", (*bench).chat}, {"body", (*bench).body}, {"ingest", (*bench).ingest}, {"huge", (*bench).huge},
		{"vectors", (*bench).vectors}, {"readers", (*bench).readers}, {"search", (*bench).search}, {"gateway", (*bench).gateway},
		{"async", (*bench).async}, {"streams", (*bench).streams}, {"held", (*bench).idleStreams}, {"functions", (*bench).functions},
	}
	for _, p := range parts {
		if only != "" && !strings.Contains(p.name, only) {
			continue
		}
		if err := p.run(b); err != nil {
			return fmt.Errorf("%s: %w", p.name, err)
		}
	}
	if b.missed > 0 {
		return fmt.Errorf("%d budgets missed", b.missed)
	}
	return nil
}

func cpuName() string {
	raw, _ := os.ReadFile("/proc/cpuinfo")
	for line := range strings.SplitSeq(string(raw), "\n") {
		if name, ok := strings.CutPrefix(line, "model name\t: "); ok {
			return name
		}
	}
	return "unknown processor"
}

// bench holds shared state.
type bench struct {
	dir, binary string
	large       bool
	missed      int
}

// atMost and atLeast print a figure and its budget.
func (b *bench) atMost(name string, got, must, want float64, unit string) {
	b.line(name, got, got <= must, got <= want, fmt.Sprintf("must <= %g, want <= %g %s", must, want, unit))
}

func (b *bench) atLeast(name string, got, must, want float64, unit string) {
	b.line(name, got, got >= must, got >= want, fmt.Sprintf("must >= %g, want >= %g %s", must, want, unit))
}

func (b *bench) line(name string, got float64, must, want bool, budget string) {
	mark := "MISSED"
	switch {
	case want:
		mark = "want"
	case must:
		mark = "must"
	default:
		b.missed++
	}
	fmt.Printf("%-6s  %-52s %10.2f  (%s)\n", mark, name, got, budget)
}

func (b *bench) note(name string, got float64, unit string) {
	fmt.Printf("%-6s  %-52s %10.2f  %s\n", "", name, got, unit)
}

// process is a measured server.
type process struct {
	cmd *exec.Cmd
	url string
	dir string
}

func freeAddress() (string, error) {
	l, err := net.Listen("tcp", "127.0.0.1:0")
	if err != nil {
		return "", err
	}
	defer l.Close()
	return l.Addr().String(), nil
}

// service starts the service on an empty data directory.
func (b *bench) service(settings ...string) (*process, error) {
	dir, err := os.MkdirTemp(b.dir, "data-")
	if err != nil {
		return nil, err
	}
	return b.serviceAt(dir, settings...)
}

// serviceAt starts the service on a data directory.
func (b *bench) serviceAt(dir string, settings ...string) (*process, error) {
	addr, err := freeAddress()
	if err != nil {
		return nil, err
	}
	cmd := exec.Command(b.binary)
	cmd.Env = append(os.Environ(), "LECTERN_ADDR="+addr, "LECTERN_DATA="+dir, "LECTERN_LOG=error")
	cmd.Env = append(cmd.Env, settings...)
	return start(cmd, "http://"+addr, "/ready", dir)
}

// echo starts the bare echo.
func (b *bench) echo() (*process, error) { return b.self("-echo") }

// self starts this program as one of its servers.
func (b *bench) self(role string, args ...string) (*process, error) {
	self, err := os.Executable()
	if err != nil {
		return nil, err
	}
	addr, err := freeAddress()
	if err != nil {
		return nil, err
	}
	return start(exec.Command(self, append([]string{role, addr}, args...)...), "http://"+addr, "/", "")
}

func start(cmd *exec.Cmd, url, ready, dir string) (*process, error) {
	cmd.Stderr = os.Stderr
	if err := cmd.Start(); err != nil {
		return nil, err
	}
	p := &process{cmd, url, dir}
	for range 1200 {
		if resp, err := http.Get(url + ready); err == nil {
			_, err := io.Copy(io.Discard, resp.Body)
			resp.Body.Close()
			return p, err
		}
		time.Sleep(5 * time.Millisecond)
	}
	p.stop()
	return nil, fmt.Errorf("%s did not start", cmd.Path)
}

func (p *process) stop() {
	p.cmd.Process.Signal(os.Interrupt)
	p.cmd.Wait()
}

// memory reads a line of the process's status, in MiB: VmRSS or VmHWM.
func (p *process) memory(field string) float64 {
	raw, err := os.ReadFile(fmt.Sprintf("/proc/%d/status", p.cmd.Process.Pid))
	if err != nil {
		return 0
	}
	for line := range strings.SplitSeq(string(raw), "\n") {
		var kb float64
		if n, _ := fmt.Sscanf(line, field+": %f kB", &kb); n == 1 {
			return kb / 1024
		}
	}
	return 0
}
