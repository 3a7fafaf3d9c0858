// Command rights stands between the functions of an emulated deployment and the
// emulator, and notes which function does what to which resource. evaluate.py
// then judges the notes by the policies of the functions' roles, because the
// emulator lets everybody do everything.
//
//	go run ./scripts/rights -port 9400 -to http://127.0.0.1:4566 -notes rights.notes
//
// Functions reach it by http://127.77.0.<number>:9400, where the number is that of
// the function in the table: Linux has all of 127.0.0.0/8 on one interface.
package main

import (
	"bytes"
	"encoding/json"
	"flag"
	"fmt"
	"io"
	"net"
	"net/http"
	"net/http/httputil"
	"net/url"
	"os"
	"sync"
	"time"

	"lectern/functions"
)

func main() {
	port := flag.String("port", "9400", "port to listen on")
	to := flag.String("to", "http://127.0.0.1:4566", "URL of the emulator")
	notes := flag.String("notes", "rights.notes", "file of the notes, a JSON object a line")
	flag.Parse()
	if err := run(*port, *to, *notes); err != nil {
		fmt.Fprintln(os.Stderr, "rights:", err)
		os.Exit(1)
	}
}

func run(port, to, notes string) error {
	target, err := url.Parse(to)
	if err != nil {
		return err
	}
	f, err := os.OpenFile(notes, os.O_CREATE|os.O_APPEND|os.O_WRONLY, 0o644)
	if err != nil {
		return err
	}
	defer f.Close()
	r := &recorder{notes: f, noted: map[string]bool{}, next: &httputil.ReverseProxy{
		Rewrite: func(p *httputil.ProxyRequest) {
			p.SetURL(target)
			p.Out.Host = p.In.Host
		}}}
	server := &http.Server{Addr: ":" + port, Handler: r, ReadHeaderTimeout: 10 * time.Second}
	return server.ListenAndServe()
}

// caller returns the function whose address a request came to; empty for clients
// of the deployment, whose calls are not noted.
func caller(r *http.Request) string {
	at, ok := r.Context().Value(http.LocalAddrContextKey).(*net.TCPAddr)
	if ip := at.IP.To4(); ok && len(ip) == net.IPv4len {
		for _, f := range functions.Functions() {
			if functions.Number(f.Name) == int(ip[3]) {
				return f.Name
			}
		}
	}
	return ""
}

// recorder notes each kind of call once, and passes it on.
type recorder struct {
	next http.Handler

	mu    sync.Mutex
	notes io.Writer
	noted map[string]bool
}

func (r *recorder) ServeHTTP(w http.ResponseWriter, in *http.Request) {
	if who := caller(in); who != "" {
		body, err := io.ReadAll(in.Body)
		if err != nil {
			http.Error(w, "the body cannot be read", http.StatusBadRequest)
			return
		}
		in.Body = io.NopCloser(bytes.NewReader(body))
		for _, c := range calls(in, body) {
			c.Function = who
			r.note(c)
		}
	}
	r.next.ServeHTTP(w, in)
}

func (r *recorder) note(c call) {
	raw, err := json.Marshal(c)
	if err != nil {
		return // strings always encode
	}
	r.mu.Lock()
	defer r.mu.Unlock()
	if line := string(raw); !r.noted[line] {
		r.noted[line] = true
		r.notes.Write(append(raw, '\n'))
	}
}
