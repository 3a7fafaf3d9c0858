package cli

import (
	"cmp"
	"context"
	"errors"
	"fmt"
	"maps"
	"os"
	"os/exec"
	"slices"
	"strings"
)

// program is a client, and what it needs to use the service.
type program struct {
	command []string
	// environment names what it reads: {url}, {key} and {model} stand for values.
	environment map[string]string
	note        string
}

// programs are the clients that launch knows.
var programs = map[string]program{
	"claude": {command: []string{"claude"}, environment: map[string]string{
		"ANTHROPIC_BASE_URL": "{url}", "ANTHROPIC_AUTH_TOKEN": "{key}", "ANTHROPIC_MODEL": "{model}", "ANTHROPIC_SMALL_FAST_MODEL": "{model}"},
		note: "needs a model that calls tools; the built-in one quotes documents only"},
	"open-webui": {command: []string{"open-webui", "serve"}, environment: map[string]string{
		"OPENAI_API_BASE_URL": "{url}/v1", "OPENAI_API_KEY": "{key}", "ENABLE_OLLAMA_API": "false"},
		note: "a collection is a model: add default@NAME to the model ids of the connection"},
	"aider": {command: []string{"aider", "--model", "openai/{model}"}, environment: map[string]string{
		"OPENAI_API_BASE": "{url}/v1", "OPENAI_API_KEY": "{key}"}},
	"opencode": {command: []string{"opencode"}, environment: map[string]string{
		"ANTHROPIC_BASE_URL": "{url}/v1", "ANTHROPIC_API_KEY": "{key}"}},
	"shell": {environment: map[string]string{
		"ANTHROPIC_BASE_URL": "{url}", "ANTHROPIC_API_KEY": "{key}", "OPENAI_BASE_URL": "{url}/v1", "OPENAI_API_KEY": "{key}"},
		note: "what the SDKs of Anthropic and OpenAI read"},
}

func programNames() []string { return slices.Sorted(maps.Keys(programs)) }

func (c *Command) launch(ctx context.Context, name string, args []string) (int, error) {
	f, o := c.flags(name)
	model := f.String("model", "default", "model; default@NAME answers from a collection")
	show := f.Bool("print", false, "show the environment and the command, and run nothing")
	rest, service, err := o.parse(f, args)
	if err != nil {
		return Failed, err
	}
	p, ok := programs[rest[0]]
	if !ok {
		c.say("no program %q is known; there are %s", rest[0], strings.Join(programNames(), ", "))
		return Usage, nil
	}
	fill := strings.NewReplacer("{url}", service.url, "{key}", cmp.Or(service.key, "none"), "{model}", *model).Replace
	set := make([]string, 0, len(p.environment))
	for _, name := range slices.Sorted(maps.Keys(p.environment)) {
		set = append(set, name+"="+fill(p.environment[name]))
	}
	command := make([]string, 0, len(p.command)+len(rest))
	for _, word := range p.command {
		command = append(command, fill(word))
	}
	command = append(command, rest[1:]...)
	if *show || len(p.command) == 0 {
		return Done, c.showProgram(o, set, command, p.note)
	}
	if _, err := exec.LookPath(command[0]); err != nil {
		if err := c.showProgram(o, set, command, p.note); err != nil {
			return Failed, err
		}
		return Failed, fmt.Errorf("%s is not installed, or not on the path; the lines above are what it needs", command[0])
	}
	if p.note != "" {
		c.say("%s", p.note)
	}
	run := exec.CommandContext(ctx, command[0], command[1:]...)
	run.Env = append(os.Environ(), set...)
	run.Stdin, run.Stdout, run.Stderr = c.In, c.Out, c.Err
	err = run.Run()
	var exit *exec.ExitError
	if errors.As(err, &exit) && exit.ExitCode() >= 0 {
		return exit.ExitCode(), nil
	}
	return Done, err
}

// showProgram writes lines that a shell reads.
func (c *Command) showProgram(o *options, set, command []string, note string) error {
	if o.json {
		environment := map[string]string{}
		for _, s := range set {
			name, value, _ := strings.Cut(s, "=")
			environment[name] = value
		}
		return c.line(map[string]any{"environment": environment, "command": command, "note": note})
	}
	for _, s := range set {
		name, value, _ := strings.Cut(s, "=")
		if _, err := fmt.Fprintf(c.Out, "export %s=%s\n", name, quoted(value)); err != nil {
			return err
		}
	}
	if len(command) > 0 {
		words := make([]string, len(command))
		for i, w := range command {
			words[i] = quoted(w)
		}
		if _, err := fmt.Fprintln(c.Out, strings.Join(words, " ")); err != nil {
			return err
		}
	}
	if note != "" {
		c.say("%s", note)
	}
	return nil
}

// quoted is a word for a shell.
func quoted(s string) string {
	plain := func(r rune) bool {
		return r >= 'a' && r <= 'z' || r >= 'A' && r <= 'Z' || r >= '0' && r <= '9' || strings.ContainsRune("-_./:@%+=,", r)
	}
	if s != "" && strings.IndexFunc(s, func(r rune) bool { return !plain(r) }) < 0 {
		return s
	}
	return "'" + strings.ReplaceAll(s, "'", `'\''`) + "'"
}
