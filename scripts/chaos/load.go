package main

import (
	"errors"
	"fmt"
	"io"
	"net"
	"net/http"
	"os"
	"os/exec"
	"path/filepath"
	"slices"
	"strconv"
	"strings"
	"time"
)

// service is one that chaos runs.
type service struct {
	*target
	cmd *exec.Cmd
}

func build(dir string) (string, error) {
	binary := filepath.Join(dir, "lectern")
	b := exec.Command("go", "build", "-o", binary, "./functions/local")
	b.Env, b.Stderr = append(os.Environ(), "CGO_ENABLED=0"), os.Stderr
	return binary, b.Run()
}

func start(binary, data string, settings ...string) (*service, error) {
	l, err := net.Listen("tcp", "127.0.0.1:0")
	if err != nil {
		return nil, err
	}
	addr := l.Addr().String()
	l.Close()
	s := &service{target: newTarget("http://"+addr, ""), cmd: exec.Command(binary)}
	s.cmd.Env = append(append(os.Environ(), "LECTERN_ADDR="+addr, "LECTERN_DATA="+data, "LECTERN_LOG=error"), settings...)
	if err := s.cmd.Start(); err != nil {
		return nil, err
	}
	for range 500 {
		if resp, err := http.Get(s.url + "/health"); err == nil {
			resp.Body.Close()
			return s, nil
		}
		time.Sleep(20 * time.Millisecond)
	}
	return nil, errors.New("the service did not start")
}

func (s *service) stop() {
	_ = s.cmd.Process.Kill() // it may have ended
	_ = s.cmd.Wait()
}

// figures are what the kernel and the runtime say of the process.
type figures struct {
	mib               float64
	files, goroutines int
}

func (s *service) figures() (f figures) {
	dir := fmt.Sprintf("/proc/%d/", s.cmd.Process.Pid)
	raw, _ := os.ReadFile(dir + "status") // zero where there is no /proc
	for line := range strings.Lines(string(raw)) {
		if rest, ok := strings.CutPrefix(line, "VmRSS:"); ok {
			kib, _ := strconv.ParseFloat(strings.Fields(rest)[0], 64)
			f.mib = kib / 1024
		}
	}
	list, _ := os.ReadDir(dir + "fd")
	f.files = len(list)
	if a, err := s.send(probe{method: "GET", path: "/metrics"}); err == nil {
		if _, rest, ok := strings.Cut(a.body, "\ngo_goroutines "); ok {
			f.goroutines, _ = strconv.Atoi(strings.Fields(rest)[0])
		}
	}
	return f
}

func (f figures) String() string {
	return fmt.Sprintf("%.0f MiB, %d descriptors, %d goroutines", f.mib, f.files, f.goroutines)
}

// mostMiB is what the service may take under load.
const mostMiB = 1024

// load holds connections open in three ways and checks that small requests are
// answered meanwhile, that a soak leaves memory and descriptors flat, and that the
// service ends within its time although streams are open.
func load(s *service, o options) error {
	before := s.figures()
	fmt.Println("before the load:", before)
	host := strings.TrimPrefix(s.url, "http://")
	body := `{"model":"default","max_tokens":4096,"stream":true,"messages":[{"role":"user","content":"` + strings.Repeat("word ", 20_000) + `"}]}`
	head := "POST /v1/messages HTTP/1.1\r\nHost: " + host + "\r\nContent-Type: application/json\r\n"
	for _, kind := range []struct {
		name  string
		count int
		begin string
	}{
		{"connections that idle", o.idle, ""},
		{"streams that nobody reads", o.readers, head + "Content-Length: " + strconv.Itoa(len(body)) + "\r\n\r\n" + body},
		{"bodies that arrive slowly", o.writers, head + "Content-Length: 30000000\r\n\r\n{\"model\":\""},
	} {
		conns, err := dial(host, kind.count, kind.begin)
		if err != nil {
			return err
		}
		slowest, err := s.small(50)
		f := s.figures()
		fmt.Printf("%d %s: %s; 50 small requests, the median %s\n", len(conns), kind.name, f, slowest.Round(time.Millisecond/10))
		for _, c := range conns {
			c.Close()
		}
		if err != nil {
			return fmt.Errorf("%s: %w", kind.name, err)
		}
		if f.mib > mostMiB {
			return fmt.Errorf("%s: the service takes %s", kind.name, f)
		}
	}
	if err := s.soak(o.soak); err != nil {
		return err
	}
	return s.graceful()
}

func dial(host string, count int, begin string) (conns []net.Conn, err error) {
	for range count {
		c, err := net.Dial("tcp", host)
		if err != nil {
			return conns, fmt.Errorf("after %d connections: %w", len(conns), err)
		}
		conns = append(conns, c)
		_ = c.SetWriteDeadline(time.Now().Add(2 * time.Second))
		_, _ = io.WriteString(c, begin) // what is refused is refused
	}
	return conns, nil
}

// small sends requests one after the other and returns the median of their times.
func (s *service) small(n int) (time.Duration, error) {
	var times []time.Duration
	for range n {
		began := time.Now()
		if err := alive(s.target); err != nil {
			return 0, err
		}
		times = append(times, time.Since(began))
	}
	slices.Sort(times)
	return times[n/2], nil
}

// stopTime is how long a stop may take: 10 s for streams, and a little to close.
const stopTime = 13 * time.Second

// graceful asks the service to end while a stream waits for its body.
func (s *service) graceful() error {
	conns, err := dial(strings.TrimPrefix(s.url, "http://"), 5, "POST /v1/messages HTTP/1.1\r\nHost: x\r\n")
	if err != nil {
		return err
	}
	defer func() {
		for _, c := range conns {
			c.Close()
		}
	}()
	began := time.Now()
	if err := s.cmd.Process.Signal(os.Interrupt); err != nil {
		return err
	}
	ended := make(chan error, 1)
	go func() { ended <- s.cmd.Wait() }()
	select {
	case err := <-ended:
		fmt.Printf("stopped in %s\n", time.Since(began).Round(time.Millisecond))
		return err
	case <-time.After(stopTime):
		return fmt.Errorf("the service did not end within %s", stopTime)
	}
}
