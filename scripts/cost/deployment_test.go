package cost_test

import (
	"bytes"
	"context"
	"encoding/base64"
	"encoding/json"
	"fmt"
	"io"
	"iter"
	"log/slog"
	"net/http"
	"net/http/httptest"
	"strings"
	"sync"
	"testing"
	"time"

	"github.com/aws/aws-sdk-go-v2/aws"
	"github.com/aws/aws-sdk-go-v2/credentials"

	"lectern/functions"
	"lectern/functions/artifacts"
	"lectern/functions/files"
	"lectern/functions/messages"
	"lectern/functions/primitives"
	"lectern/functions/streams"
	"lectern/scripts/cost"
	"lectern/shared/api/rest"
	"lectern/shared/app"
	"lectern/shared/app/cloud"
	"lectern/shared/app/cloud/bus"
	"lectern/shared/app/config"
	"lectern/shared/aws/lambdahttp/lambdatest"
	"lectern/shared/chat"
	"lectern/shared/chat/async"
	"lectern/shared/chat/model"
	"lectern/shared/knowledge/artifact"
	"lectern/shared/knowledge/artifact/artifacttest"
	"lectern/shared/knowledge/artifact/tasks"
	"lectern/shared/knowledge/reader"
	"lectern/shared/knowledge/reader/formats"
	"lectern/shared/message"
	"lectern/shared/storage/object/objectmeter"
	"lectern/shared/storage/record/recordmeter"
	"lectern/shared/storage/task"
	"lectern/shared/storage/task/sqstask"
)

// deployment is the functions as they are deployed, each a process of its own,
// on stores that count and answer as fast as the cloud's.
type deployment struct {
	t       *testing.T
	models  *model.Catalog
	tasks   task.Queue
	config  *config.Config
	records *recordmeter.Meter
	objects *objectmeter.Meter
	queue   *sqstask.Queue
	sqs     *sqs
	machine machine
	model   *script
	log     *lines
	index   slowIndex
	started map[string]http.Handler

	mu   sync.Mutex
	used cost.Usage
	told []string // who was billed how long
}

// deploy makes one whose functions have the settings that infra gives them.
func deploy(t *testing.T) *deployment {
	t.Helper()
	t.Setenv("AWS_REGION", "us-east-1")
	stores := artifacttest.OpenStores(t, t.TempDir())
	settings := map[string]string{
		"LECTERN_RECORDS": "dynamodb://table", "LECTERN_OBJECTS": "s3://bucket", "LECTERN_INDEX": "opensearch+https://search", "LECTERN_EMBEDDING": "hash:",
		"LECTERN_TASKS":          "aws:?chat=https://sqs/1/chat&default=https://sqs/1/default",
		"LECTERN_SEAL_KEY":       base64.StdEncoding.EncodeToString(bytes.Repeat([]byte{7}, 32)),
		"LECTERN_WEBHOOK_SECRET": "whsec_AAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAA=", "LECTERN_EVENT_BUS": "callbacks",
	}
	d := &deployment{
		t: t, records: recordmeter.New(slowRecords{stores.Records}), objects: objectmeter.New(slowObjects{stores.Objects}), sqs: &sqs{}, model: &script{},
		log: &lines{}, index: slowIndex{Store: stores.Index, state: &visibility{}},
		started: map[string]http.Handler{}, used: cost.Usage{},
	}
	var err error
	if d.config, err = config.Load(func(name string) string { return settings[name] }); err != nil {
		t.Fatal(err)
	}
	d.queue = sqstask.Open(
		aws.Config{Region: "us-east-1", Credentials: credentials.NewStaticCredentialsProvider("id", "secret", ""), HTTPClient: &http.Client{Transport: d.sqs}},
		sqstask.Options{Queues: map[string]string{"chat": "https://sqs/1/chat", "default": "https://sqs/1/default"}},
	)
	d.models = model.NewCatalog(model.Entry{Info: model.Info{ID: "script", MaxTokens: 4000}, Model: d.model})
	d.tasks = &task.Router{Kinds: map[string]task.Queue{tasks.StagedKind: &d.machine}, Default: d.queue}
	return d
}

// process is one function's; the worker of ingests looks at the index once.
func (d *deployment) process(revisits bool) *app.Process {
	d.t.Helper()
	p := app.New(d.config, slog.New(slog.NewJSONHandler(d.log, nil)))
	p.Objects, p.Records, p.Models, p.Queue = d.objects, d.records, d.models, d.tasks
	p.AWS = func(context.Context, string) (aws.Config, error) { return aws.Config{Region: "us-east-1"}, nil }
	p.LooksOnce = revisits
	index := d.index
	index.once = revisits
	p.Index = index
	if err := p.Open(d.t.Context(), app.Embedder, cloud.Sealer, bus.Callbacks); err != nil {
		d.t.Fatal(err)
	}
	return p
}

func (d *deployment) engine(p *app.Process) *chat.Engine {
	d.t.Helper()
	engine, err := cloud.Engine(d.t.Context(), p)
	if err != nil {
		d.t.Fatal(err)
	}
	return engine
}

// handler is the function of a group, as its main puts it together.
func (d *deployment) handler(group string) http.Handler {
	if h, ok := d.started[group]; ok {
		return h
	}
	p := d.process(false)
	var routes []rest.Route
	switch group {
	case "messages":
		engine := d.engine(p)
		routes = app.Keep(p, messages.Deps{Engine: engine, Async: app.NewChats(p, engine)}.Routes())
	case "streams":
		routes = streams.Deps{Chats: app.NewChats(p, nil)}.Routes()
	case "artifacts":
		p.Readers = d.readers()
		l := app.NewLibrary(p)
		routes = app.Keep(p, artifacts.Deps{Artifacts: l.Artifacts, Tasks: app.NewTasks(p, l)}.Routes())
	case "files":
		routes = files.Deps{Files: app.NewFiles(p)}.Routes()
	case "primitives":
		routes = primitives.Deps{Searcher: app.NewLibrary(p).Searcher}.Routes()
	default:
		d.t.Fatalf("no group %q here", group)
	}
	handler, err := app.Wrap(p, rest.Mux(routes), nil)
	if err != nil {
		d.t.Fatal(err)
	}
	d.started[group] = lambdatest.Serve(handler)
	return d.started[group]
}

func (d *deployment) readers() *reader.Set {
	set := formats.Builtin(formats.Options{})
	d.t.Cleanup(func() { set.Close() })
	return set
}

// worker does the jobs of a queue, as its main puts it together.
func (d *deployment) worker(queue string) (name string, table task.Table) {
	p := d.process(queue != "chat")
	if queue == "chat" {
		return "messages-worker", task.Table{async.Kind: app.NewChats(p, d.engine(p)).Handler()}
	}
	p.Readers = d.readers()
	return "artifacts-worker", app.TaskJobs(app.NewTasks(p, app.NewLibrary(p)))
}

func (d *deployment) use(unit cost.Unit, n float64) {
	d.mu.Lock()
	defer d.mu.Unlock()
	d.used[unit] += n
}

const (
	// answerBytes is how much of an answer one request of the gateway covers.
	answerBytes = 10 << 20
	// unchargedBytes of an answer are streamed without a charge.
	unchargedBytes = 6 << 20
)

// request is a client's: what it costs the gateway, and the function behind. It
// returns the answer of status 200.
func (d *deployment) request(method, path, body string, work time.Duration) []byte {
	d.t.Helper()
	route, _, _ := strings.Cut(path, "?")
	group := functions.Of(functions.Groups(), route).Name
	h := d.handler(group)
	r := httptest.NewRequest(method, path, strings.NewReader(body))
	if head, _, ok := strings.Cut(body, "\r\n"); ok && strings.HasPrefix(head, "--") {
		r.Header.Set("Content-Type", "multipart/form-data; boundary="+strings.TrimPrefix(head, "--"))
	}
	w := httptest.NewRecorder()
	d.invoke(group, work, func() { h.ServeHTTP(w, r) })
	if w.Code != http.StatusOK {
		d.t.Fatalf("%s %s answers %d: %s", method, path, w.Code, w.Body)
	}
	d.use(cost.GatewayRequest, float64(1+max(0, w.Body.Len()-1)/answerBytes))
	d.use(cost.StreamedMB, float64(max(0, w.Body.Len()-unchargedBytes))/(1<<20))
	d.use(cost.LogKB, float64(len(accessLine))/1024)
	d.use(cost.Trace, cost.SampledTraces)
	return w.Body.Bytes()
}

// invoke is one invocation: its time is the clock's, and what it works.
func (d *deployment) invoke(name string, work time.Duration, run func()) {
	begun := time.Now()
	run()
	took := (time.Since(begun) + work).Round(time.Millisecond)
	for _, f := range functions.Functions() {
		if f.Name != name {
			continue
		}
		unit := map[string]cost.Unit{"arm64": cost.ARMSecond, "x86_64": cost.X86Second}[f.ArchitectureAmong(functions.Architecture)]
		d.use(cost.FunctionCall, 1)
		d.use(unit, took.Seconds()*float64(f.MemoryMB)/1024)
		d.use(cost.LogKB, float64(len(platformLines))/1024)
		d.mu.Lock()
		defer d.mu.Unlock()
		d.told = append(d.told, fmt.Sprintf("%s %d MB for %s", name, f.MemoryMB, took))
		return
	}
	d.t.Errorf("the table has no function %q", name)
}

// deliver hands the messages of a queue to its worker, as an event source does:
// one at a time, each received and deleted. It returns how many there were.
func (d *deployment) deliver(queue string, work time.Duration) int {
	d.t.Helper()
	sent := d.sqs.take()
	for _, letter := range sent {
		time.Sleep(letter.delay)
		name, table := d.worker(queue)
		type m = map[string]any
		event, err := json.Marshal(m{"Records": []m{{
			"messageId": "m", "receiptHandle": "r", "body": letter.body, "eventSourceARN": "arn:aws:sqs:us-east-1:1:" + queue,
			"attributes": m{"ApproximateReceiveCount": "1"},
		}}})
		if err != nil {
			d.t.Fatal(err)
		}
		d.use(cost.QueueRequest, 2)
		d.invoke(name, work, func() {
			if failures, err := d.queue.Batch(context.Background(), event, table); err != nil || len(failures.Items) > 0 {
				d.t.Errorf("%s failed: %v, %v; it logged %s", name, failures, err, d.log.text.String())
			}
		})
	}
	return len(sent)
}

// machine is the state machine of long ingests: it keeps what was started.
type machine struct{ started []task.Job }

func (m *machine) Send(_ context.Context, job task.Job, _ time.Duration) error {
	m.started = append(m.started, job)
	return nil
}

func (m *machine) Close() error { return nil }

// execute runs the started ingests stage by stage, as the machine of infra/stack
// does, and counts its steps: the wait, each stage and the question whether all
// is over, or the map and each of its groups, and the end.
func (d *deployment) execute(work time.Duration) {
	d.t.Helper()
	p := d.process(true)
	p.Readers = d.readers()
	later := app.NewTasks(p, app.NewLibrary(p))
	run := func(in tasks.Staged) (out tasks.Staged) {
		d.use(cost.Transition, 1)
		d.invoke("artifacts-worker", work, func() {
			var err error
			if out, err = later.RunStage(context.Background(), in); err != nil {
				d.t.Errorf("stage %s: %v", in.Stage, err)
			}
		})
		return out
	}
	for _, job := range d.machine.started {
		d.use(cost.Transition, 2) // the wait and the end
		state := tasks.Staged{Task: job.ID}
		for _, stage := range artifact.Stages() {
			d.use(cost.Transition, 1) // the question, or the map
			if state.Stage = stage.Name; !stage.Each {
				state = run(state)
				continue
			}
			for _, group := range state.Groups {
				one := state
				one.Group = group
				run(one)
			}
		}
		if !state.Over {
			d.t.Errorf("after all stages the ingest is not over: %+v", state)
		}
	}
	d.machine.started = nil
}

// usage returns what was used since the last call of it.
func (d *deployment) usage() (cost.Usage, []string) {
	writes, reads := d.records.Units()
	objects := d.objects.Calls()
	d.use(cost.WriteUnit, float64(writes))
	d.use(cost.ReadUnit, float64(reads))
	d.use(cost.ObjectPut, float64(objects.Puts+objects.Lists))
	d.use(cost.ObjectGet, float64(objects.Gets))
	// The bucket tells of every object that comes or goes.
	d.use(cost.BucketEvent, float64(objects.Puts+objects.Deletes))
	d.use(cost.QueueRequest, float64(d.sqs.count()))
	d.use(cost.LogKB, float64(d.log.count())/1024)
	d.mu.Lock()
	defer d.mu.Unlock()
	used, told := d.used, d.told
	d.used, d.told = cost.Usage{}, nil
	return used, told
}

// sqs is the service behind the real client: it counts the requests and keeps
// the messages.
type sqs struct {
	mu       sync.Mutex
	requests int
	messages []letter
}

type letter struct {
	body  string
	delay time.Duration
}

func (s *sqs) RoundTrip(r *http.Request) (*http.Response, error) {
	time.Sleep(queueLatency)
	var in struct {
		MessageBody  string
		DelaySeconds int
	}
	if err := json.NewDecoder(r.Body).Decode(&in); err != nil {
		return nil, err
	}
	s.mu.Lock()
	defer s.mu.Unlock()
	s.requests++
	if strings.HasSuffix(r.Header.Get("X-Amz-Target"), ".SendMessage") {
		s.messages = append(s.messages, letter{in.MessageBody, time.Duration(in.DelaySeconds) * time.Second})
	}
	return &http.Response{StatusCode: 200, Header: http.Header{"Content-Type": {"application/x-amz-json-1.0"}},
		Body: io.NopCloser(strings.NewReader(`{"MessageId":"m"}`)), Request: r}, nil
}

func (s *sqs) take() []letter {
	s.mu.Lock()
	defer s.mu.Unlock()
	messages := s.messages
	s.messages = nil
	return messages
}

func (s *sqs) count() int {
	s.mu.Lock()
	defer s.mu.Unlock()
	n := s.requests
	s.requests = 0
	return n
}

// lines counts what is logged.
type lines struct {
	mu   sync.Mutex
	text strings.Builder
	n    int
}

func (l *lines) Write(p []byte) (int, error) {
	l.mu.Lock()
	defer l.mu.Unlock()
	l.n += len(p)
	return l.text.Write(p)
}

func (l *lines) count() int {
	l.mu.Lock()
	defer l.mu.Unlock()
	n := l.n
	l.n = 0
	return n
}

// script is a model that says words, one after each pause.
type script struct {
	words int
	pause time.Duration
}

func (s *script) Stream(ctx context.Context, _ *model.Request) iter.Seq2[model.Event, error] {
	return func(yield func(model.Event, error) bool) {
		if !yield(model.Event{Kind: model.Start, Block: &message.Text{}, More: true}, nil) {
			return
		}
		for i := range s.words {
			select {
			case <-time.After(s.pause):
			case <-ctx.Done():
				yield(model.Event{}, ctx.Err())
				return
			}
			if !yield(model.Event{Kind: model.Delta, Delta: message.Delta{Type: message.TextDelta, Text: fmt.Sprintf("word%d ", i)}}, nil) {
				return
			}
		}
		if yield(model.Event{Kind: model.End, More: true}, nil) {
			yield(model.Event{Kind: model.Stop, Reason: message.StopEndTurn}, nil)
		}
	}
}
