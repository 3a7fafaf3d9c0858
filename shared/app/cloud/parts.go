package cloud

import (
	"context"
	"errors"
	"fmt"
	"net/url"
	"strings"

	"lectern/shared/app"
	"lectern/shared/knowledge/index/opensearchindex"
	"lectern/shared/storage/object/s3object"
	"lectern/shared/storage/record/dynamorecord"
	"lectern/shared/storage/seal/fileseal"
	"lectern/shared/storage/task/sqstask"
)

// Objects opens the bucket of LECTERN_OBJECTS.
func Objects(ctx context.Context, p *app.Process) error {
	const setting = "LECTERN_OBJECTS"
	if !strings.HasPrefix(p.Config.Objects, "s3://") {
		return app.UnknownDriver(setting, p.Config.Objects)
	}
	cfg, err := p.AWS(ctx, "")
	if err != nil {
		return app.Of(setting, err)
	}
	store, err := s3object.Open(p.Config.Objects, cfg, s3object.Options{})
	if err != nil {
		return app.Of(setting, err)
	}
	p.Objects = store
	p.OnClose(store.Close)
	return nil
}

// EmptyBucket deletes what the bucket holds, and returns how many objects and
// versions it deleted.
func EmptyBucket(ctx context.Context, p *app.Process) (int, error) {
	return p.Objects.(*s3object.Store).Empty(ctx)
}

// Records opens the table of LECTERN_RECORDS.
func Records(ctx context.Context, p *app.Process) error {
	const setting = "LECTERN_RECORDS"
	if !strings.HasPrefix(p.Config.Records, "dynamodb://") {
		return app.UnknownDriver(setting, p.Config.Records)
	}
	cfg, err := p.AWS(ctx, "")
	if err != nil {
		return app.Of(setting, err)
	}
	store, err := dynamorecord.Open(p.Config.Records, cfg, dynamorecord.Options{Now: p.Now})
	if err != nil {
		return app.Of(setting, err)
	}
	p.Records = store
	p.OnClose(store.Close)
	return nil
}

// Index opens the search index of LECTERN_INDEX. It needs Embedder.
func Index(ctx context.Context, p *app.Process) error {
	const setting = "LECTERN_INDEX"
	u, err := url.Parse(strings.TrimPrefix(p.Config.Index, "opensearch+"))
	switch {
	case !strings.HasPrefix(p.Config.Index, "opensearch+"):
		return app.UnknownDriver(setting, p.Config.Index)
	case err != nil || u.Scheme != "http" && u.Scheme != "https" || u.Host == "":
		return errors.New(setting + ": the URL should have the form opensearch+https://host")
	}
	prefix := strings.Trim(u.Path, "/")
	if prefix == "" {
		prefix = "lectern"
	}
	stamp := app.Stamp(p)
	o := opensearchindex.Options{Address: u.Scheme + "://" + u.Host, Index: opensearchindex.Name(prefix, stamp), Stamp: stamp,
		Username: u.User.Username(), LookOnce: p.LooksOnce}
	o.Password, _ = u.User.Password()
	if o.Server, o.Service, err = searchServer(u); err != nil {
		return app.Of(setting, err)
	}
	if o.Service != "" {
		if o.AWS, err = p.AWS(ctx, ""); err != nil {
			return app.Of(setting, err)
		}
	}
	store, err := opensearchindex.Open(o)
	if err != nil {
		return app.Of(setting, err)
	}
	p.Index = store
	p.OnClose(store.Close)
	return nil
}

// IndexLookedAtOnce is Index for a worker of ingests; it sets Process.LooksOnce.
func IndexLookedAtOnce(ctx context.Context, p *app.Process) error {
	p.LooksOnce = true
	return Index(ctx, p)
}

// CreateIndex creates the index on the server unless it exists.
func CreateIndex(ctx context.Context, p *app.Process) error {
	return p.Index.(*opensearchindex.Store).Create(ctx)
}

// searchServer returns the kind of a search server, and the AWS service name
// with which requests to it are signed; empty for a server outside of AWS. The
// URL says so, because names of hosts do not tell: ?service=es is a domain,
// ?service=aoss a serverless collection, of the first generation with
// &generation=classic.
func searchServer(u *url.URL) (opensearchindex.Server, string, error) {
	q := u.Query()
	service, generation, user := q.Get("service"), q.Get("generation"), u.User != nil
	for name := range q {
		if name != "service" && name != "generation" {
			return 0, "", fmt.Errorf("the URL has the unknown parameter %q; there are service and generation", name)
		}
	}
	host := strings.TrimSuffix(u.Hostname(), ".")
	switch {
	case service != "" && user:
		return 0, "", errors.New("the URL should have a user or a service, because a request has one authorization")
	case generation != "" && service != "aoss":
		return 0, "", errors.New("generation in the URL belongs to service=aoss alone")
	case service == "es":
		return opensearchindex.Domain, service, nil
	case service == "aoss" && (generation == "" || generation == "nextgen"):
		return opensearchindex.NextGen, service, nil
	case service == "aoss" && generation == "classic":
		return opensearchindex.Classic, service, nil
	case service == "aoss":
		return 0, "", fmt.Errorf("generation %q in the URL is not known; there are nextgen and classic", generation)
	case service != "":
		return 0, "", fmt.Errorf("service %q in the URL is not known; there are es and aoss", service)
	case !user && (strings.HasSuffix(host, ".amazonaws.com") || strings.HasSuffix(host, ".on.aws")):
		return 0, "", errors.New("a search server of AWS needs ?service=es (a domain) or ?service=aoss (a serverless collection) in the URL")
	}
	return opensearchindex.Domain, "", nil
}

// Sealer seals stored requests with the key of LECTERN_SEAL_KEY.
func Sealer(_ context.Context, p *app.Process) (err error) {
	if len(p.Config.SealKey) == 0 {
		return errors.New("LECTERN_SEAL_KEY should be set, because functions cannot store a key")
	}
	p.Sealer, err = fileseal.New(p.Config.SealKey)
	return app.Of("LECTERN_SEAL_KEY", err)
}

// Queue opens the queues of LECTERN_TASKS for sending jobs. The form is
// aws:?chat=https://queue&default=https://queue. Kinds that a state machine runs
// need package machines.
func Queue(ctx context.Context, p *app.Process) error {
	const setting = "LECTERN_TASKS"
	queues, machines, err := Targets(p.Config.Tasks)
	if err == nil && len(machines) > 0 {
		err = errors.New("this function starts no state machines")
	}
	if err != nil {
		return app.Of(setting, err)
	}
	q, err := Queues(ctx, p, queues)
	if err != nil {
		return app.Of(setting, err)
	}
	p.Queue = q
	p.OnClose(q.Close)
	return nil
}

// Queues opens queues by the kinds of their jobs.
func Queues(ctx context.Context, p *app.Process, queues map[string]string) (*sqstask.Queue, error) {
	cfg, err := p.AWS(ctx, "")
	if err != nil {
		return nil, err
	}
	return sqstask.Open(cfg, sqstask.Options{Queues: queues, Now: p.Now, Log: p.Log}), nil
}

// Targets returns the queues and the state machines of LECTERN_TASKS, by kind of job.
func Targets(raw string) (queues, machines map[string]string, err error) {
	rest, ok := strings.CutPrefix(raw, "aws:?")
	values, err := url.ParseQuery(rest)
	if err != nil || !ok {
		return nil, nil, errors.New("queues should have the form aws:?chat=https://queue&default=https://queue")
	}
	machines = map[string]string{}
	for kind := range values {
		if strings.HasPrefix(values.Get(kind), "arn:") {
			machines[kind] = values.Get(kind)
			values.Del(kind)
		}
	}
	queues, err = sqstask.Parse("aws:?" + values.Encode())
	return queues, machines, err
}
