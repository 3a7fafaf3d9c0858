package cost_test

import (
	"encoding/json"
	"flag"
	"fmt"
	"io"
	"math"
	"os"
	"strings"
	"testing"
	"testing/synctest"
	"time"

	"lectern/scripts/cost"
	"lectern/shared/app"
)

var table = flag.Bool("table", false, "print what each kind of request costs")

// What is logged of an invocation and of a request without our doing: lines as
// Lambda and the stage's format of infra/stack write them.
const (
	platformLines = "START RequestId: 8f507cfc-xmpl-4697-b07a-ac58fc914c95 Version: $LATEST\nEND RequestId: 8f507cfc-xmpl-4697-b07a-ac58fc914c95\n" +
		"REPORT RequestId: 8f507cfc-xmpl-4697-b07a-ac58fc914c95\tDuration: 2003.42 ms\tBilled Duration: 2004 ms\tMemory Size: 256 MB\tMax Memory Used: 61 MB\t\n" +
		"XRAY TraceId: 1-5e34a614-10bdxmplf1fb44f07bc535a1\tSegmentId: 07f5xmpl2d1f6f85\tSampled: true\t\n"
	accessLine = `{"bytes":"4211","error":"-","integrationError":"-","integrationMs":"2011","ip":"203.0.113.178","method":"POST","ms":"2019","path":"/live/v1/messages/async/0192f5e4-7b3a-7cc0-8000-0123456789ab/stream","requestId":"c6af9ac6-7b61-11e6-9a41-93e8deadbeef","status":"200","time":"1795255200000"}` + "\n"
)

// kind is a kind of request: what comes before it is not counted.
type kind struct {
	name    string
	most    float64 // USD per million, for answering alone; 0 where none is promised
	prepare func(*deployment)
	run     func(*deployment)
	check   func(*deployment) // what it came to; not counted either
}

const hello = `{"model":"default","max_tokens":500,"stream":true,"messages":[{"role":"user","content":"Hello, what do you know of robins?"}]}`

// document is an ingest of 20 KB of text, long one of 2 MB.
func document(name string) string { return documentOf(name, 20<<10) }

func long(name string) string { return documentOf(name, 2<<20) }

func documentOf(name string, size int) string {
	var text strings.Builder
	for i := 0; text.Len() < size; i++ {
		fmt.Fprintf(&text, "In %s robin number %d sings at dawn, and eats %d worms before noon.\n\n", name, i, i%17)
	}
	// of strings only
	raw, _ := json.Marshal(map[string]any{"artifact": name, "collection": "birds", "input": map[string]string{"type": "text", "value": text.String()}})
	return string(raw)
}

func ingest(d *deployment, names ...string) {
	for _, name := range names {
		d.request("POST", "/v1/artifacts/ingest", document(name), workOfIngest)
	}
}

// ingestLater ingests by a task, and delivers its jobs to the end.
func ingestLater(d *deployment) {
	d.request("POST", "/v1/artifacts/ingest/async", `{"ingest_body":`+document("second")+`}`, workOfStart)
	finish(d, "default", workOfIngest)
}

func ingested(d *deployment) {
	if list := string(d.request("GET", "/v1/artifacts/list?collection=birds", "", 0)); !strings.Contains(list, `"second"`) {
		d.t.Errorf("the collection holds %s", list)
	}
}

// finish delivers what the queue holds until it holds nothing.
func finish(d *deployment, queue string, work time.Duration) {
	for d.deliver(queue, work) > 0 {
	}
}

func kinds() []kind {
	return []kind{
		{name: "chat of 2 s, streamed", most: 10.4, run: func(d *deployment) {
			d.model.words, d.model.pause = 100, 20*time.Millisecond
			d.request("POST", "/v1/messages", hello, 0)
		}},
		{name: "chat of 10 s, streamed", most: 38, run: func(d *deployment) {
			d.model.words, d.model.pause = 500, 20*time.Millisecond
			d.request("POST", "/v1/messages", hello, 0)
		}},
		{name: "file of 20 MB, streamed", prepare: func(d *deployment) {
			d.request("POST", "/v1/files?scope_id=s", "--b\r\nContent-Disposition: form-data; name=\"file\"; filename=\"a.bin\"\r\n\r\n"+
				strings.Repeat("x", 20<<20)+"\r\n--b--\r\n", 0)
		}, run: func(d *deployment) { d.request("GET", "/v1/files/uploads/a.bin/content?scope_id=s", "", workOfStart) }},
		{name: "delete of a document of 20 KB", most: 12, prepare: func(d *deployment) { ingest(d, "first", "second") }, run: func(d *deployment) {
			d.request("POST", "/v1/artifacts/delete", `{"collection":"birds","artifact":"second"}`, workOfStart)
			finish(d, "default", workOfStart)
		}, check: func(d *deployment) {
			if list := string(d.request("GET", "/v1/artifacts/list?collection=birds", "", 0)); strings.Contains(list, `"second"`) {
				d.t.Errorf("the collection holds %s", list)
			}
		}},
		{name: "async chat of 5 s, 300 tokens, one reader", most: 59, run: func(d *deployment) {
			d.model.words, d.model.pause = 300, 5*time.Second/300
			var started struct {
				ID string `json:"message_id"`
			}
			if err := json.Unmarshal(d.request("POST", "/v1/messages/async", hello, workOfStart), &started); err != nil {
				d.t.Fatal(err)
			}
			read := make(chan []byte)
			go func() { read <- d.request("GET", "/v1/messages/async/"+started.ID+"/stream", "", workOfStart) }()
			finish(d, "chat", 0)
			if events := string(<-read); !strings.Contains(events, "word299") || !strings.Contains(events, "event: message_stop") {
				d.t.Errorf("the reader saw %.2000s", events)
			}
		}},
		{name: "ingest of 20 KB", most: 27, prepare: func(d *deployment) { ingest(d, "first") }, run: func(d *deployment) { ingest(d, "second") }},
		{name: "ingest of 20 KB that the index shows 10 s later", prepare: func(d *deployment) { ingest(d, "first"); d.index.state.hidden = 10 * time.Second },
			run: func(d *deployment) { ingest(d, "second") }},
		{name: "ingest of 20 KB as a task", most: 33, prepare: func(d *deployment) { ingest(d, "first") }, run: func(d *deployment) { ingestLater(d) },
			check: ingested},
		{name: "ingest of 20 KB as a task that the index shows 10 s later", prepare: func(d *deployment) {
			ingest(d,
				"first")
			d.index.state.hidden = 10 * time.Second
		}, run: func(d *deployment) { ingestLater(d) }, check: ingested},
		{name: "ingest of 2 MB as a task, in stages", prepare: func(d *deployment) { ingest(d, "first") }, run: func(d *deployment) {
			d.request("POST", "/v1/artifacts/ingest/async", `{"ingest_body":`+long("second")+`}`, workOfStart)
			d.execute(workOfStage)
		}, check: ingested},
		{name: "search over three documents", most: 5.5, prepare: func(d *deployment) { ingest(d, "York", "Kent", "Leeds") }, run: func(d *deployment) {
			found := d.request("POST", "/v1/primitives/search", `{"type":"semantic_search","text":"when do robins sing","context_filter":{"collection":"birds"}}`,
				workOfSearch)
			if !strings.Contains(string(found), "sings at dawn") {
				d.t.Errorf("the search found %.1000s", found)
			}
		}},
	}
}

// measure runs a kind of request once.
func measure(t *testing.T, k kind) (used cost.Usage, told []string) {
	t.Helper()
	synctest.Test(t, func(t *testing.T) {
		d := deploy(t)
		if k.prepare != nil {
			k.prepare(d)
			d.usage()
		}
		k.run(d)
		used, told = d.usage()
		if k.check != nil {
			k.check(d)
		}
	})
	return used, told
}

// TestCosts holds every kind of request to its ceiling: USD per million for
// answering alone, without the model's tokens, logs and traces.
func TestCosts(t *testing.T) {
	out := io.Discard
	if *table {
		out = os.Stdout
	}
	fmt.Fprintln(out, "USD per million requests, us-east-1, without tokens and without what is free each month")
	for _, k := range kinds() {
		t.Run(k.name, func(t *testing.T) {
			used, told := measure(t, k)
			calls, watched := used.Total(1e6)
			fmt.Fprintf(out, "\n%s: %.2f", k.name, calls)
			if k.most > 0 {
				fmt.Fprintf(out, " of %.2f", k.most)
			}
			fmt.Fprintf(out, "; with logs and traces %.2f\n", watched)
			for _, l := range used.Bill(1e6) {
				fmt.Fprintf(out, "  %-14s %9.4g %-15s %8.2f\n", l.Service, l.Amount, l.Unit, l.Cost)
			}
			fmt.Fprintf(out, "  billed: %s\n", strings.Join(told, ", "))
			if k.most > 0 && calls > k.most {
				t.Errorf("a million cost %.2f USD, %.2f at most: %v, billed %v", calls, k.most, used, told)
			}
			if used[cost.FunctionCall] == 0 || used[cost.GatewayRequest] == 0 || used[cost.LogKB] == 0 {
				t.Errorf("nothing was counted: %v", used)
			}
		})
	}
}

// TestStart: what a start costs is known, and little beside what follows.
func TestStart(t *testing.T) {
	used := cost.Start(1, 1)
	calls, _ := used.Total(1e6)
	if *table {
		fmt.Printf("\na start of messages, beside its request: %.2f\n", calls)
	}
	if calls > 10 || used[cost.KeyUse] != 1 || used[cost.SecretRead] != 1 {
		t.Errorf("a million starts cost %.2f USD: %v", calls, used)
	}
}

// TestSweep: what an unused environment is said to take for a sweep covers what
// the sweep does once nothing has changed, and the index is left alone.
func TestSweep(t *testing.T) {
	synctest.Test(t, func(t *testing.T) {
		d := deploy(t)
		sweep := func() {
			p := d.process(false)
			l := app.NewLibrary(p)
			sweep := app.Sweeper(p, l, app.NewChats(p, nil), app.NewTasks(p, l))
			d.invoke("system-sweep", workOfStart, func() {
				if err := sweep(t.Context(), false); err != nil {
					t.Error(err)
				}
			})
		}
		sweep()
		d.usage()
		time.Sleep(48 * time.Hour)
		sweep()
		used, told := d.usage()
		said := cost.Sweep()
		for unit, n := range used {
			if unit != cost.LogKB && n > said[unit] {
				t.Errorf("a sweep takes %g %s, and %g are said", n, unit, said[unit])
			}
		}
		if used[cost.ObjectPut] != said[cost.ObjectPut] || used[cost.WriteUnit] != 0 {
			t.Errorf("a sweep takes %v, billed %v; %v are said", used, told, said)
		}
	})
}

// TestPrices: each unit has one price, and each price says where it is from.
func TestPrices(t *testing.T) {
	seen := map[cost.Unit]bool{}
	for _, p := range cost.Prices() {
		if seen[p.Unit] || p.USD <= 0 || p.Service == "" || !strings.HasPrefix(p.Source, "aws.amazon.com/") {
			t.Errorf("the price %+v", p)
		}
		seen[p.Unit] = true
	}
	used := cost.Usage{cost.Alarm: 12, cost.QueueRequest: 3e6, cost.Dashboard: 1}
	if all, _ := used.Total(1); math.Abs(all-(1.2+1.2+3)) > 1e-9 {
		t.Errorf("Total = %v", all)
	}
	if beyond, _ := used.Beyond().Total(1); math.Abs(beyond-(.2+.8)) > 1e-9 {
		t.Errorf("Total beyond what is free = %v", beyond)
	}
}
