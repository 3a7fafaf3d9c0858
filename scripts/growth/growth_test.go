package growth_test

import (
	"flag"
	"fmt"
	"runtime"
	"strings"
	"testing"
	"testing/synctest"
	"time"

	"lectern/shared/auth"
)

var (
	tenants = flag.Int("tenants", 50, "collections")
	entries = flag.Int("entries", 10_000, "documents, of all collections together")
)

// The share of a function's 15 minutes that Sweeper gives to the documents.
const share = (15*time.Minute - 90*time.Second) / 2

// step runs something in the simulated time and tells what it took.
func (w *world) step(t *testing.T, name string, f func()) (reads, lists int) {
	t.Helper()
	w.records.Units()
	w.mu.Lock()
	w.lists, w.pages, w.deletes, w.queries = 0, 0, 0, 0
	w.mu.Unlock()
	at := time.Now()
	f()
	took := time.Since(at)
	writes, reads := w.records.Units()
	w.mu.Lock()
	defer w.mu.Unlock()
	t.Logf("%-58s %8.1f s  %8d read units  %5d write units  %7d calls of the table  %5d lists  %5d pages of the index  %5d deletes",
		name, took.Seconds(), reads, writes, w.queries, w.lists, w.pages, w.deletes)
	return reads, w.lists
}

// TestLoad: sweeps come to their end in runs of a function, lists read what they show.
func TestLoad(t *testing.T) {
	w := newWorld(*tenants, *entries)
	wall := time.Now()
	synctest.Test(t, func(t *testing.T) {
		time.Sleep(time.Until(start.Add(time.Hour)))
		s := w.service()
		s.Guard.Log = s.Log
		whole := func(name string) (reads int) {
			t.Helper()
			for run := 1; ; run++ {
				if run > 20 {
					t.Fatal("the sweep does not end")
				}
				before := strings.Count(w.log.String(), "msg=sweep of=documents")
				n, _ := w.step(t, fmt.Sprintf("%s, run %d", name, run), func() {
					s.Guard.Until = time.Now().Add(share)
					if err := s.Sweep(t.Context(), false); err != nil {
						t.Fatal(err)
					}
				})
				reads += n
				if strings.Count(w.log.String(), "msg=sweep of=documents") > before {
					return reads
				}
				time.Sleep(time.Hour)
			}
		}
		n := w.each * w.tenants
		reads := whole("sweep of everything, with the index")
		t.Logf("together %d read units, %.2f for each document", reads, float64(reads)/float64(n))
		dead := (n + 999) / 1000
		if want := fmt.Sprintf("of=documents looked_at=%d freed=%d", n+dead, dead); !strings.Contains(w.log.String(), want) {
			t.Errorf("the log lacks %q: %.2000s", want, w.log.String())
		}
		time.Sleep(25 * time.Hour)
		if reads := whole("sweep a day later, index asleep"); reads > n+w.tenants*20+1000 {
			t.Errorf("it took %d read units for %d documents of %d collections", reads, n, w.tenants)
		}

		after := ""
		for _, pass := range []string{"sizes not known", "sizes known"} {
			reads, _ := w.step(t, "page of 100 collections, "+pass, func() {
				list, _, err := s.Collections(t.Context(), after, min(100, w.tenants))
				if err != nil || len(list) != min(100, w.tenants) || list[0].Artifacts != w.each {
					t.Errorf("Collections = %d, %v", len(list), err)
				}
			})
			if pass == "sizes known" && reads > 60+w.each {
				t.Errorf("a page of collections took %d read units", reads)
			}
		}
		w.step(t, "all collections, sizes not known", func() {
			if list, _, err := s.Collections(t.Context(), "", 0); err != nil || len(list) != w.tenants {
				t.Errorf("Collections = %d, %v", len(list), err)
			}
		})
		w.step(t, "all collections, sizes known", func() {
			if list, _, err := s.Collections(t.Context(), "", 0); err != nil || len(list) != w.tenants {
				t.Errorf("Collections = %d, %v", len(list), err)
			}
		})
		mine := auth.With(t.Context(), auth.Principal{Collections: []string{w.tenant(n / 2)}})
		if reads, _ := w.step(t, "collections of a caller with one", func() {
			if list, _, err := s.Collections(mine, "", 0); err != nil || len(list) != 1 {
				t.Errorf("Collections = %d, %v", len(list), err)
			}
		}); reads > 2 {
			t.Errorf("it took %d read units", reads)
		}
		if reads, _ := w.step(t, "page of 100 documents of a collection", func() {
			docs, err := s.List(t.Context(), w.tenant(0), "", 100)
			if err != nil || len(docs) != min(100, w.each) {
				t.Errorf("List = %d, %v", len(docs), err)
			}
		}); reads > 120 {
			t.Errorf("it took %d read units", reads)
		}
		if reads, _ := w.step(t, "liveness of ten hits of a search", func() {
			var names []string
			for i := range 10 {
				names = append(names, w.name(i*w.each/10))
			}
			if live, err := s.Live(t.Context(), w.tenant(0), names); err != nil || len(live) != 10 {
				t.Errorf("Live = %d, %v", len(live), err)
			}
		}); reads != 10 {
			t.Errorf("it took %d read units", reads)
		}
	})
	var m runtime.MemStats
	runtime.ReadMemStats(&m)
	t.Logf("%d documents of %d collections; of this machine %.0f s, %d MiB of memory with the stand-ins", w.each*w.tenants, w.tenants,
		time.Since(wall).Seconds(), m.Sys>>20)
}
