// Package cli holds the commands that talk to a service over HTTP, on this machine or
// deployed: they bring documents, keep a directory and a collection the same, search
// and ask.
package cli

import (
	"context"
	"encoding/json"
	"errors"
	"flag"
	"fmt"
	"io"
	"slices"
	"strings"
	"time"
)

// Exit codes of the commands.
const (
	Done    = 0
	Failed  = 1 // something could not be done; it is said on standard error
	Usage   = 2 // the arguments make no sense
	Nothing = 3 // nothing relevant was found
)

// Command is where a command reads and writes.
type Command struct {
	In       io.Reader // of the programs that launch runs
	Out, Err io.Writer
	Getenv   func(string) string
	// Terminal says whether Err is one: progress is then shown in place.
	Terminal bool
	Now      func() time.Time
}

// options are what every command takes, as a flag or from the environment.
type options struct {
	url, key, collection string
	json                 bool
}

// errUsage has been explained already.
var errUsage = errors.New("usage")

// verb describes a command for the help.
type verb struct{ name, args, does string }

var verbs = []verb{
	{"ingest", "FILE…", "bring files; a zip counts as the files in it"},
	{"sync", "DIRECTORY", "make a collection hold what a directory holds: changed files move, removed ones are deleted"},
	{"search", "QUERY", "show the passages that fit best"},
	{"export", "DIRECTORY", "write documents as files, with their texts and metadata; sync brings them back"},
	{"move", "ADDRESS", "bring documents and skills to another service; what is there already stays"},
	{"eval", "FILE", "ask questions of one's own, a JSON object a line, and grade the answers"},
	{"launch", "PROGRAM", "run a client with what it needs to use the service, or show that: " + strings.Join(programNames(), ", ")},
	{"keys", "ACTION", "list; add NAME; revoke ID; usage [ID]: who may come in, and what they used"},
	{"ask", "QUESTION", "answer from the collection, with citations"},
}

// Settings are the variables that the commands read.
func Settings() []string {
	return []string{"LECTERN_URL", "LECTERN_KEY", "LECTERN_COLLECTION", "LECTERN_TO_KEY"}
}

// Known reports whether there is such a command.
func Known(name string) bool {
	return slices.ContainsFunc(verbs, func(v verb) bool { return v.name == name })
}

// Help lists the commands, a line each.
func Help() string {
	var b strings.Builder
	for _, v := range verbs {
		fmt.Fprintf(&b, "  lectern %-17s %s\n", v.name+" "+v.args, v.does)
	}
	return b.String()
}

// Run carries out a command and returns its exit code.
func (c *Command) Run(ctx context.Context, name string, args []string) int {
	code, err := map[string]func(context.Context, string, []string) (int, error){
		"ingest": c.ingest, "sync": c.sync, "search": c.search, "ask": c.ask, "export": c.export, "move": c.move, "eval": c.eval,
		"launch": c.launch, "keys": c.keys,
	}[name](ctx, name, args)
	switch {
	case errors.Is(err, errUsage):
		return Usage
	case err != nil:
		c.say("%s", err)
		return Failed
	}
	return code
}

// flags returns the flags that all commands have; parse reads the arguments, flags
// and others in any order.
func (c *Command) flags(name string) (*flag.FlagSet, *options) {
	env := func(name, otherwise string) string {
		if v := c.Getenv(name); v != "" {
			return v
		}
		return otherwise
	}
	o := &options{}
	f := flag.NewFlagSet("lectern "+name, flag.ContinueOnError)
	f.SetOutput(c.Err)
	f.StringVar(&o.url, "url", env("LECTERN_URL", "http://127.0.0.1:8080"), "address of the service (LECTERN_URL)")
	f.StringVar(&o.key, "key", c.Getenv("LECTERN_KEY"), "key, where the service asks for one (LECTERN_KEY)")
	f.StringVar(&o.collection, "collection", env("LECTERN_COLLECTION", "vendor_collection"), "collection (LECTERN_COLLECTION)")
	f.BoolVar(&o.json, "json", false, "write JSON, an object a line")
	f.Usage = func() {
		v := verbs[slices.IndexFunc(verbs, func(v verb) bool { return v.name == name })]
		fmt.Fprintf(c.Err, "lectern %s [flags] %s: %s\n", name, v.args, v.does)
		f.PrintDefaults()
		fmt.Fprintf(c.Err, "Exit codes: %d done, %d something failed, %d wrong arguments, %d nothing relevant found.\n", Done, Failed, Usage, Nothing)
	}
	return f, o
}

// parse returns the arguments that are no flags, at least one, and the service that
// the flags name.
func (o *options) parse(f *flag.FlagSet, args []string) (rest []string, service *api, err error) {
	for {
		if err := f.Parse(args); err != nil {
			return nil, nil, errUsage
		}
		if f.NArg() == 0 {
			break
		}
		rest, args = append(rest, f.Arg(0)), f.Args()[1:]
	}
	if len(rest) == 0 {
		f.Usage()
		return nil, nil, errUsage
	}
	service, err = o.api()
	return rest, service, err
}

// say writes a line on standard error. That it cannot be written is nothing to stop
// for.
func (c *Command) say(format string, args ...any) {
	_, _ = fmt.Fprintf(c.Err, "lectern: "+format+"\n", args...)
}

// line writes a JSON line.
func (c *Command) line(v any) error {
	raw, err := json.Marshal(v)
	if err != nil {
		return err
	}
	_, err = fmt.Fprintf(c.Out, "%s\n", raw)
	return err
}
