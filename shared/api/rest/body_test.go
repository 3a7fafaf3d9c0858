package rest_test

import (
	"bufio"
	"context"
	"fmt"
	"io"
	"log/slog"
	"net"
	"net/http"
	"net/http/httptest"
	"runtime"
	"strings"
	"sync"
	"testing"
	"testing/synctest"
	"time"

	"lectern/shared/api/rest"
	"lectern/shared/auth"
	"lectern/shared/fault/budget"
	"lectern/shared/ident"
)

func bodies(t *testing.T, b *budget.Budget) *httptest.Server {
	t.Helper()
	h := rest.Mux([]rest.Route{{Pattern: "POST /x", Handle: rest.HandlerFunc(func(w http.ResponseWriter, r *http.Request) error {
		raw, err := rest.ReadBody(w, r, rest.LargeBody)
		if err != nil {
			return err
		}
		return rest.Write(w, http.StatusOK, map[string]int{"bytes": len(raw)})
	})}})
	s := httptest.NewServer(rest.Wrap(h, rest.Options{IDs: &ident.Counting{}, Log: slog.New(slog.DiscardHandler), Budget: b}))
	t.Cleanup(s.Close)
	return s
}

// TestDeclaredLengths: a length that is declared takes no memory before its
// bytes have come.
func TestDeclaredLengths(t *testing.T) {
	s := bodies(t, nil)
	var before, after runtime.MemStats
	runtime.GC()
	runtime.ReadMemStats(&before)
	for range 50 {
		c, err := net.Dial("tcp", s.Listener.Addr().String())
		if err != nil {
			t.Fatal(err)
		}
		defer c.Close()
		fmt.Fprintf(c, "POST /x HTTP/1.1\r\nHost: x\r\nExpect: 100-continue\r\nContent-Length: 33000000\r\n\r\n")
		if line, err := bufio.NewReader(c).ReadString('\n'); err != nil || !strings.Contains(line, "100") { // the handler reads
			t.Fatal(line, err)
		}
		fmt.Fprint(c, "a few bytes, and then nothing more")
	}
	runtime.ReadMemStats(&after)
	if grown := int64(after.HeapAlloc) - int64(before.HeapAlloc); grown > 50<<20 {
		t.Errorf("50 bodies of which nothing has come hold %d MiB", grown>>20)
	}
}

// TestBodies: bodies of all sizes arrive whole, with a length and without, and
// give back what they held.
func TestBodies(t *testing.T) {
	s := bodies(t, budget.New(8<<20))
	for range 3 {
		for _, n := range []int{0, 1, 64<<10 - 1, 64 << 10, 64<<10 + 1, 1 << 20, 5<<20 + 3} {
			for _, declared := range []bool{true, false} {
				var body io.Reader = strings.NewReader(strings.Repeat("a", n))
				if !declared {
					body = io.MultiReader(body)
				}
				resp, err := http.Post(s.URL+"/x", "text/plain", body)
				if err != nil {
					t.Fatal(err)
				}
				raw, _ := io.ReadAll(resp.Body)
				resp.Body.Close()
				if want := fmt.Sprintf(`{"bytes":%d}`, n); string(raw) != want {
					t.Errorf("%d bytes, declared %v: %s", n, declared, raw)
				}
			}
		}
	}
}

// TestOpenRequests: what stays open counts in the budget however small its body is, so
// that the number of streams has a bound; who finds no room is told to come again.
func TestOpenRequests(t *testing.T) {
	synctest.Test(t, func(t *testing.T) {
		over := make(chan struct{})
		full := budget.New(1 << 20)
		if err := full.Claim().Grow(t.Context(), 1<<20); err != nil { // large bodies leave no room, and small ones need none
			t.Fatal(err)
		}
		h := rest.Wrap(rest.Mux([]rest.Route{{Pattern: "POST /x", Handle: rest.HandlerFunc(func(w http.ResponseWriter, r *http.Request) error {
			if _, err := rest.ReadBody(w, r, rest.LargeBody); err != nil {
				return err
			}
			<-over
			return nil
		})}}), rest.Options{IDs: &ident.Counting{}, Log: slog.New(slog.DiscardHandler), Budget: full, Held: budget.New(10 * 64 << 10)})
		send := func() *httptest.ResponseRecorder {
			w := httptest.NewRecorder()
			h.ServeHTTP(w, httptest.NewRequest("POST", "/x", strings.NewReader("{}")))
			return w
		}
		var group sync.WaitGroup
		for range 10 {
			group.Go(func() { send() })
		}
		synctest.Wait()
		if w := send(); w.Code != http.StatusTooManyRequests || w.Header().Get("Retry-After") == "" {
			t.Errorf("an eleventh request answers %d %s", w.Code, w.Body)
		}
		close(over)
		group.Wait()
		if w := send(); w.Code != http.StatusOK {
			t.Errorf("with room again a request answers %d %s", w.Code, w.Body)
		}
	})
}

// TestArrivingBodies: a caller whose bodies do not arrive holds its share of the room for
// open requests and no more, so that others find room at once; a body that has arrived
// leaves the share.
func TestArrivingBodies(t *testing.T) {
	synctest.Test(t, func(t *testing.T) {
		over := make(chan struct{})
		shares := budget.NewShares(2 * 64 << 10)
		h := rest.Wrap(rest.Mux([]rest.Route{{Pattern: "POST /x", Handle: rest.HandlerFunc(func(w http.ResponseWriter, r *http.Request) error {
			if _, err := rest.ReadBody(w, r, rest.LargeBody); err != nil {
				return err
			}
			if r.Header.Get("X-Stay") != "" {
				<-over
			}
			return nil
		})}}), rest.Options{IDs: &ident.Counting{}, Log: slog.New(slog.DiscardHandler), Held: budget.New(8 * 64 << 10),
			Caller: func(r *http.Request) (auth.Principal, error) {
				return auth.Principal{Key: r.Header.Get("X-Api-Key")}, nil
			},
			Arriving: func(ctx context.Context, bytes int64) (func(), error) {
				return shares.Take(ctx, auth.From(ctx).Key, bytes)
			}})
		send := func(key, stay string, body io.Reader) int {
			r := httptest.NewRequest("POST", "/x", body)
			r.Header.Set("X-Api-Key", key)
			r.Header.Set("X-Stay", stay)
			w := httptest.NewRecorder()
			h.ServeHTTP(w, r)
			return w.Code
		}
		var group sync.WaitGroup
		never, end := io.Pipe()
		for range 20 {
			group.Go(func() { send("slow", "", never) })
		}
		synctest.Wait()
		began := time.Now()
		for range 5 { // more than a share: their bodies are there
			group.Go(func() { send("other", "yes", strings.NewReader("{}")) })
		}
		synctest.Wait()
		if code := send("other", "", strings.NewReader("{}")); code != http.StatusOK || time.Since(began) > 0 {
			t.Errorf("another caller: %d after %s", code, time.Since(began))
		}
		if code := send("slow", "", strings.NewReader("{}")); code != http.StatusTooManyRequests {
			t.Errorf("the slow caller's next request: %d", code)
		}
		end.Close()
		close(over)
		group.Wait()
		if code := send("slow", "", strings.NewReader("{}")); code != http.StatusOK {
			t.Errorf("the slow caller after its bodies: %d", code)
		}
	})
}
