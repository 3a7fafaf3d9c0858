package main

import (
	"bufio"
	"bytes"
	"fmt"
	"io"
	"net/http"
	"net/http/httputil"
	"net/url"
	"os"
	"slices"
	"strconv"
	"strings"
	"sync"
	"sync/atomic"
	"time"
)

// serveUpstream is a chat completions server that sends as many words as the
// last user message asks for, at full speed, each as an event. "hold" sends one
// word and waits for the client to disconnect.
func serveUpstream(addr string) error {
	word := []byte(`data: {"id":"c","object":"chat.completion.chunk","model":"scripted","choices":[{"index":0,"delta":{"content":"word "},"finish_reason":null}]}` + "\n\n")
	end := []byte(`data: {"id":"c","choices":[{"index":0,"delta":{},"finish_reason":"stop"}],"usage":{"prompt_tokens":10,"completion_tokens":20}}` + "\n\ndata: [DONE]\n\n")
	whole := []byte(`{"id":"c","object":"chat.completion","model":"scripted","choices":[{"index":0,"message":{"role":"assistant","content":"` + strings.Repeat("word ", 20) + `"},"finish_reason":"stop"}],"usage":{"prompt_tokens":10,"completion_tokens":20}}`)
	batch := bytes.Repeat(word, 16)
	return http.ListenAndServe(addr, http.HandlerFunc(func(w http.ResponseWriter, r *http.Request) {
		body, _ := io.ReadAll(r.Body)
		if !bytes.Contains(body, []byte(`"stream":true`)) {
			w.Header().Set("Content-Type", "application/json")
			w.Write(whole)
			return
		}
		w.Header().Set("Content-Type", "text/event-stream")
		flush := http.NewResponseController(w).Flush
		w.Write(word)
		flush()
		if bytes.Contains(body, []byte("hold")) {
			<-r.Context().Done()
			return
		}
		for left := words(body) - 1; left > 0; left -= 16 {
			w.Write(batch[:min(left, 16)*len(word)])
			flush()
		}
		w.Write(end)
	}))
}

// words returns the number after "words:" in the request.
func words(body []byte) int {
	_, after, _ := bytes.Cut(body, []byte("words:"))
	n := 0
	for _, c := range after {
		if c < '0' || c > '9' {
			break
		}
		n = 10*n + int(c-'0')
	}
	return max(1, n)
}

func serveProxy(addr, target string) error {
	to, err := url.Parse(target)
	if err != nil {
		return err
	}
	p := httputil.NewSingleHostReverseProxy(to)
	transport := http.DefaultTransport.(*http.Transport).Clone()
	transport.MaxIdleConnsPerHost = 256
	p.Transport = transport
	return http.ListenAndServe(addr, p)
}

// trio is a scripted provider, and a bare proxy and the service in front of it.
type trio struct{ upstream, proxy, service *process }

func (b *bench) trio() (*trio, error) {
	t := &trio{}
	var err error
	if t.upstream, err = b.self("-upstream"); err != nil {
		return nil, err
	}
	if t.proxy, err = b.self("-proxy", "-target", t.upstream.url); err != nil {
		return nil, err
	}
	t.service, err = b.service("LECTERN_CHAT=openai+" + t.upstream.url + "/v1?model=scripted")
	return t, err
}

func (t *trio) stop() {
	for _, p := range []*process{t.service, t.proxy, t.upstream} {
		if p != nil {
			p.stop()
		}
	}
}

func ask(words string) object {
	return object{"model": "scripted", "max_tokens": 4096, "stream": true, "messages": []object{{"role": "user", "content": words}}}
}

// gateway compares chats with the provider to the bare proxy, unstreamed and
// streamed.
func (b *bench) gateway() error {
	t, err := b.trio()
	if err != nil {
		return err
	}
	defer t.stop()
	urls := []string{t.proxy.url + "/v1/chat/completions", t.service.url + "/v1/messages", t.upstream.url}
	for _, streamed := range []bool{false, true} {
		question := ask("words:20")
		question["stream"] = streamed
		p50, rps, err := compare(urls, constant(question))
		if err != nil {
			return err
		}
		if !streamed {
			b.atMost("through a provider: p50 over ReverseProxy's", p50[1]/p50[0], 1.35, 1.2, "x")
			b.atLeast("through a provider: requests/s over ReverseProxy's", rps[1]/rps[0], .75, .90, "x")
		} else {
			b.note("the same streamed, 20 words: p50 over ReverseProxy's", p50[1]/p50[0], "x")
			b.note("the same streamed, 20 words: requests/s over its", rps[1]/rps[0], "x")
		}
		b.note("p50: provider itself", p50[2], "ms")
		b.note("p50: ReverseProxy", p50[0], "ms")
		b.note("p50: through the service", p50[1], "ms")
	}
	return nil
}

// compare measures the same request at several servers in short alternating
// rounds, so that other load on the machine affects all of them alike.
func compare(urls []string, body func(int) []byte) (p50, rps [3]float64, err error) {
	const rounds, alone, together = 40, 150, 600
	var all [3][]time.Duration
	var took [3]time.Duration
	for round := range rounds {
		for i, u := range urls {
			one, many := newLoad(u, 1, body), newLoad(u, 32, body)
			if i == 0 { // the proxy may break a connection off
				one.spare.Store(40)
				many.spare.Store(150)
			}
			times, _, err := one.run(alone)
			if err != nil {
				return p50, rps, err
			}
			_, t, err := many.run(together)
			if err != nil {
				return p50, rps, err
			}
			if round >= rounds/10 { // the first ones warm up
				all[i] = append(all[i], times...)
				took[i] += t
			}
		}
	}
	for i := range urls {
		slices.Sort(all[i])
		p50[i] = ms(quantile(all[i], .5))
		rps[i] = (rounds - rounds/10) * together / took[i].Seconds()
	}
	return p50, rps, nil
}

// streams measures many concurrent streams: event rate and cost, time to the
// first event, and the memory of an idle stream.
func (b *bench) streams() error {
	t, err := b.trio()
	if err != nil {
		return err
	}
	defer t.stop()
	u := t.service.url + "/v1/messages"
	const clients, each = 200, 1000
	client := &http.Client{Transport: &http.Transport{MaxIdleConnsPerHost: clients, DisableCompression: true}}
	open := func(body func(int) []byte) (*http.Response, error) {
		return client.Post(u, "application/json", bytes.NewReader(body(0)))
	}
	many := constant(ask("words:" + strconv.Itoa(each)))
	var events atomic.Int64
	var failed atomic.Pointer[error]
	cpu := t.service.cpu()
	begun := time.Now()
	var group sync.WaitGroup
	for range clients {
		group.Go(func() {
			resp, err := open(many)
			if err != nil {
				failed.Store(&err)
				return
			}
			defer resp.Body.Close()
			buf := make([]byte, 64<<10)
			for {
				n, err := resp.Body.Read(buf)
				events.Add(int64(bytes.Count(buf[:n], []byte("event: content_block_delta"))))
				if err != nil {
					return
				}
			}
		})
	}
	group.Wait()
	if err := failed.Load(); err != nil {
		return *err
	}
	took := time.Since(begun)
	n := float64(events.Load())
	b.atLeast("200 streams: events/s", n/took.Seconds()/1000, 100, 150, "thousand")
	b.atMost("200 streams: CPU per event", (t.service.cpu()-cpu).Seconds()*1e6/n, 8, 2.5, "us")
	return b.firstEvent(open)
}

func (b *bench) firstEvent(open func(func(int) []byte) (*http.Response, error)) error {
	hold := constant(ask("hold"))
	var times []time.Duration
	for range 500 {
		begun := time.Now()
		resp, err := open(hold)
		if err != nil {
			return err
		}
		line := bufio.NewReader(resp.Body)
		for {
			text, err := line.ReadString('\n')
			if err != nil {
				return err
			}
			if strings.HasPrefix(text, "event: content_block_delta") {
				break
			}
		}
		times = append(times, time.Since(begun))
		resp.Body.Close()
	}
	slices.Sort(times)
	b.atMost("a stream alone: first word, p50", ms(quantile(times, .5)), 1, .3, "ms")
	return nil
}

// idleStreams measures the memory of a stream whose provider is silent.
func (b *bench) idleStreams() error {
	t, err := b.trio()
	if err != nil {
		return err
	}
	defer t.stop()
	const streams = 1000
	hold := constant(ask("hold"))
	client := &http.Client{Transport: &http.Transport{DisableCompression: true}}
	p := t.service
	for range 50 { // so that code and pools are not counted as the streams'
		resp, err := client.Post(p.url+"/v1/messages", "application/json", bytes.NewReader(hold(0)))
		if err != nil {
			return err
		}
		resp.Body.Close()
	}
	before := p.memory("VmRSS")
	for range streams {
		resp, err := client.Post(p.url+"/v1/messages", "application/json", bytes.NewReader(hold(0)))
		if err != nil {
			return err
		}
		defer resp.Body.Close()
		if _, err := resp.Body.Read(make([]byte, 1024)); err != nil {
			return err
		}
	}
	time.Sleep(time.Second)
	b.atMost("memory of an idle stream", (p.memory("VmRSS")-before)*1024/streams, 64, 64, "KiB")
	return nil
}

// cpu returns the processor time of a process.
func (p *process) cpu() time.Duration {
	raw, err := os.ReadFile(fmt.Sprintf("/proc/%d/stat", p.cmd.Process.Pid))
	if err != nil {
		return 0
	}
	fields := strings.Fields(string(raw[bytes.LastIndexByte(raw, ')')+1:]))
	ticks := 0
	for _, f := range fields[11:13] { // utime and stime, in hundredths of a second
		n, _ := strconv.Atoi(f)
		ticks += n
	}
	return time.Duration(ticks) * 10 * time.Millisecond
}
