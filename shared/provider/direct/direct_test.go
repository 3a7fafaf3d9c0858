package direct_test

import (
	"bufio"
	"bytes"
	"context"
	"errors"
	"fmt"
	"io"
	"net"
	"net/http"
	"net/http/httptest"
	"strings"
	"sync"
	"sync/atomic"
	"testing"
	"time"

	"lectern/shared/provider/direct"
)

// serve starts a server and counts the connections that it gets.
func serve(t *testing.T, h http.HandlerFunc) (url string, dials *atomic.Int64) {
	t.Helper()
	dials = &atomic.Int64{}
	server := httptest.NewUnstartedServer(h)
	server.Config.ConnState = func(_ net.Conn, s http.ConnState) {
		if s == http.StateNew {
			dials.Add(1)
		}
	}
	server.Start()
	t.Cleanup(server.Close)
	return server.URL, dials
}

// script starts a server that says the given bytes to each connection's first
// request and then does as told.
func script(t *testing.T, say string, then func(net.Conn)) string {
	t.Helper()
	l, err := net.Listen("tcp", "127.0.0.1:0")
	if err != nil {
		t.Fatal(err)
	}
	t.Cleanup(func() { l.Close() })
	go func() {
		for {
			c, err := l.Accept()
			if err != nil {
				return
			}
			go func() {
				defer c.Close()
				if _, err := http.ReadRequest(bufio.NewReader(c)); err == nil {
					io.WriteString(c, say)
					then(c)
				}
			}()
		}
	}()
	return "http://" + l.Addr().String()
}

func client(t *testing.T) *http.Client {
	tr := &direct.Transport{HeaderTimeout: 10 * time.Second}
	t.Cleanup(tr.CloseIdleConnections)
	return &http.Client{Transport: tr}
}

func post(t *testing.T, c *http.Client, url, body string) string {
	t.Helper()
	resp, err := c.Post(url, "text/plain", strings.NewReader(body))
	if err != nil {
		t.Fatal(err)
	}
	defer resp.Body.Close()
	text, err := io.ReadAll(resp.Body)
	if err != nil {
		t.Fatal(err)
	}
	return string(text)
}

func echo(w http.ResponseWriter, r *http.Request) {
	body, _ := io.ReadAll(r.Body)
	w.Write(body)
}

// TestConnectionsAreKept: answers of every kind leave a connection that the
// next request uses.
func TestConnectionsAreKept(t *testing.T) {
	large := strings.Repeat("large ", 100_000)
	url, dials := serve(t, echo)
	c := client(t)
	for _, body := range []string{"small", "", large, "x", large} {
		if got := post(t, c, url, body); got != body {
			t.Errorf("echo of %d bytes gave %d", len(body), len(got))
		}
	}
	resp, err := c.Head(url)
	if err != nil {
		t.Fatal(err)
	}
	resp.Body.Close()
	if got := post(t, c, url, "last"); got != "last" || dials.Load() != 1 {
		t.Errorf("%q by %d connections, want 1", got, dials.Load())
	}
}

// TestStreamsAreKept: a reader that leaves a stream after its last event, before
// the mark of its end, does not cost a connection; one that leaves earlier frees
// the server.
func TestStreamsAreKept(t *testing.T) {
	freed := make(chan struct{})
	url, dials := serve(t, func(w http.ResponseWriter, r *http.Request) {
		io.Copy(io.Discard, r.Body)
		io.WriteString(w, "data: x\n\n")
		w.(http.Flusher).Flush()
		io.WriteString(w, "data: [DONE]\n\n")
		if r.URL.Path == "/endless" {
			w.(http.Flusher).Flush()
			<-r.Context().Done()
			close(freed)
		}
	})
	c := client(t)
	leave := func(path string) {
		resp, err := c.Post(url+path, "text/plain", strings.NewReader("{}"))
		if err != nil {
			t.Fatal(err)
		}
		last := []byte("data: x\n\ndata: [DONE]\n")
		if _, err := io.ReadFull(resp.Body, last); !bytes.HasSuffix(last, []byte("[DONE]\n")) {
			t.Fatalf("read %q, %v", last, err)
		}
		resp.Body.Close()
		if _, err := resp.Body.Read(make([]byte, 1)); err == nil {
			t.Error("a closed body can be read")
		}
	}
	for range 3 {
		leave("/")
	}
	if dials.Load() != 1 {
		t.Errorf("3 streams used %d connections, want 1", dials.Load())
	}
	leave("/endless")
	<-freed
}

// TestServersThatClose: what a server closes after an answer, or while nobody
// uses it, is replaced without the caller's notice.
func TestServersThatClose(t *testing.T) {
	url, dials := serve(t, func(w http.ResponseWriter, r *http.Request) {
		if r.URL.Path == "/close" {
			w.Header().Set("Connection", "close")
		}
		echo(w, r)
	})
	c := client(t)
	post(t, c, url+"/close", "x")
	post(t, c, url+"/close", "x")
	if dials.Load() != 2 {
		t.Errorf("%d connections, want 2", dials.Load())
	}
	once := script(t, "HTTP/1.1 200 OK\r\nContent-Length: 2\r\n\r\nok", func(c net.Conn) {
		bufio.NewReader(c).ReadByte() // the next request, which it breaks
	})
	for range 3 {
		if got := post(t, c, once, "x"); got != "ok" {
			t.Errorf("answer %q", got)
		}
	}
}

// TestUnaskedBytes: bytes after an answer never become the next one.
func TestUnaskedBytes(t *testing.T) {
	answer := "HTTP/1.1 200 OK\r\nContent-Length: 2\r\n\r\nok"
	url := script(t, answer+strings.Replace(answer, "ok", "no", 1), func(c net.Conn) { io.Copy(io.Discard, c) })
	c := client(t)
	for range 3 {
		if got := post(t, c, url, "x"); got != "ok" {
			t.Errorf("answer %q", got)
		}
	}
}

// TestEarlyAnswer: a server that refuses a large body before it has read it is
// heard.
func TestEarlyAnswer(t *testing.T) {
	url := script(t, "HTTP/1.1 413 Too Large\r\nContent-Length: 3\r\n\r\nbig", func(c net.Conn) {
		c.(*net.TCPConn).CloseWrite()
		io.CopyN(io.Discard, c, 1<<20) // then it stops reading
	})
	resp, err := client(t).Post(url, "text/plain", bytes.NewReader(make([]byte, 16<<20)))
	if err != nil {
		t.Fatal(err)
	}
	defer resp.Body.Close()
	if text, err := io.ReadAll(resp.Body); resp.StatusCode != 413 || string(text) != "big" || err != nil {
		t.Errorf("%d %q, %v", resp.StatusCode, text, err)
	}
}

// TestBrokenAnswers: whatever is no answer is an error, and soon.
func TestBrokenAnswers(t *testing.T) {
	for _, say := range []string{
		"", "nonsense\r\n\r\n", "HTTP/1.1 200 OK\r\n",
		"HTTP/1.1 200 OK\r\nContent-Length: 10\r\n\r\nshort",
		"HTTP/1.1 200 OK\r\nTransfer-Encoding: chunked\r\n\r\n5\r\nab",
		"HTTP/1.1 101 Switching Protocols\r\n\r\n",
		strings.Repeat("HTTP/1.1 100 Continue\r\n\r\n", 9),
		"HTTP/1.1 200 OK\r\n" + strings.Repeat("X-Long: "+strings.Repeat("y", 1000)+"\r\n", 1100) + "\r\n",
	} {
		resp, err := client(t).Post(script(t, say, func(net.Conn) {}), "text/plain", strings.NewReader("x"))
		if err == nil {
			_, err = io.ReadAll(resp.Body)
			resp.Body.Close()
		}
		if err == nil || errors.Is(err, context.Canceled) {
			t.Errorf("%.40q gave %v", say, err)
		}
	}
	interim := "HTTP/1.1 103 Early Hints\r\nLink: </x>\r\n\r\nHTTP/1.1 200 OK\r\nContent-Length: 2\r\n\r\nok"
	if got := post(t, client(t), script(t, interim, func(net.Conn) {}), "x"); got != "ok" {
		t.Errorf("after an interim answer: %q", got)
	}
	if _, err := client(t).Get("https://127.0.0.1:1/"); err == nil {
		t.Error("https was taken")
	}
}

// TestTheEndOfTheContext breaks off the wait for the head, a large body on its
// way, and a stream; the error says that it was the context.
func TestTheEndOfTheContext(t *testing.T) {
	never := script(t, "", func(c net.Conn) { io.Copy(io.Discard, c) })
	stuck := script(t, "", func(c net.Conn) { select {} })
	stream := script(t, "HTTP/1.1 200 OK\r\n\r\ndata", func(c net.Conn) { io.Copy(io.Discard, c) })
	for url, size := range map[string]int{never: 1, stuck: 32 << 20, stream: 1} {
		ctx, cancel := context.WithCancel(t.Context())
		req, err := http.NewRequestWithContext(ctx, http.MethodPost, url, bytes.NewReader(make([]byte, size)))
		if err != nil {
			t.Fatal(err)
		}
		time.AfterFunc(20*time.Millisecond, cancel)
		resp, err := (&direct.Transport{}).RoundTrip(req)
		if err == nil {
			_, err = io.ReadAll(resp.Body)
			resp.Body.Close()
		}
		if !errors.Is(err, context.Canceled) {
			t.Errorf("%d bytes: %v, want that the context was cancelled", size, err)
		}
	}
}

// TestHeaderTimeout: only the head has to come in time.
func TestHeaderTimeout(t *testing.T) {
	t.Parallel()
	tr := &direct.Transport{HeaderTimeout: 300 * time.Millisecond}
	c := &http.Client{Transport: tr}
	never := script(t, "", func(c net.Conn) { io.Copy(io.Discard, c) })
	var ne net.Error
	if _, err := c.Get(never); !errors.As(err, &ne) || !ne.Timeout() {
		t.Errorf("%v, want a timeout", err)
	}
	slow := script(t, "HTTP/1.1 200 OK\r\nContent-Length: 4\r\n\r\nsl", func(c net.Conn) {
		c.SetReadDeadline(time.Now().Add(400 * time.Millisecond)) // a pause longer than the time-out
		io.Copy(io.Discard, c)
		io.WriteString(c, "ow")
	})
	if got := post(t, c, slow, "x"); got != "slow" {
		t.Errorf("answer %q", got)
	}
}

// TestManyAtOnce: requests side by side get their own answers.
func TestManyAtOnce(t *testing.T) {
	url, dials := serve(t, echo)
	c := client(t)
	var group sync.WaitGroup
	for i := range 16 {
		group.Go(func() {
			for k := range 50 {
				body := fmt.Sprintf("%d of %d", k, i)
				resp, err := c.Post(url, "text/plain", strings.NewReader(body))
				if err != nil {
					t.Error(err)
					return
				}
				got, err := io.ReadAll(resp.Body)
				resp.Body.Close()
				if string(got) != body || err != nil {
					t.Errorf("got %q, %v, want %q", got, err, body)
				}
			}
		})
	}
	group.Wait()
	if n := dials.Load(); n > 16 {
		t.Errorf("%d connections for 16 at once", n)
	}
}
