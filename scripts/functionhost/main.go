// Command functionhost runs every function of an emulated deployment as Lambda
// would, which emulators do not: its directory is read-only, nothing but /tmp can
// be written, there is no HOME, its memory is that of the table, responses are
// streamed, and it is frozen between invocations. Each starts and answers.
//
//	go run ./scripts/functionhost -dist dist -emulator http://127.0.0.1:4566 -environment localstack
//
// Settings are those that the deployment gives. Run as root it takes the rights
// of nobody and, where there is a cgroup, limits memory; else the peak is looked
// at.
package main

import (
	"context"
	"encoding/json"
	"flag"
	"fmt"
	"net/http"
	"os"
	"path/filepath"
	"strings"
	"time"

	"lectern/functions"
)

func main() {
	dist := flag.String("dist", "dist", "directory of the zips")
	emulator := flag.String("emulator", "http://127.0.0.1:4566", "URL of the emulator that has the deployment")
	environment := flag.String("environment", "localstack", "name of the environment")
	flag.Parse()
	if err := run(*dist, *emulator, *environment); err != nil {
		fmt.Fprintln(os.Stderr, "functionhost:", err)
		os.Exit(1)
	}
}

func run(dist, emulator, environment string) error {
	work, err := os.MkdirTemp("", "functionhost")
	if err != nil {
		return err
	}
	defer os.RemoveAll(work)
	if err := os.Chmod(work, 0o755); err != nil {
		return err
	}
	for _, f := range functions.Functions() {
		settings, err := given(emulator, "lectern-"+environment+"-"+f.Name)
		if err != nil {
			return fmt.Errorf("%s: %w", f.Name, err)
		}
		p, err := start(f, filepath.Join(dist, f.Name+".zip"), filepath.Join(work, f.Name), settings)
		if err != nil {
			return fmt.Errorf("%s: %w", f.Name, err)
		}
		err = serve(p, events(f, emulator))
		if peak, stopErr := p.stop(); err == nil {
			if err = stopErr; err == nil && peak > float64(f.MemoryMB) {
				err = fmt.Errorf("it took %.0f MB of %d", peak, f.MemoryMB)
			}
			fmt.Printf("%-18s %4.0f of %4d MB\n", f.Name, peak, f.MemoryMB)
		}
		if err != nil {
			return fmt.Errorf("%s: %w\n%s", f.Name, err, p.log.String())
		}
	}
	return nil
}

// given returns the settings that the deployment gives a function.
func given(emulator, name string) (map[string]string, error) {
	res, err := http.Get(emulator + "/2015-03-31/functions/" + name)
	if err != nil {
		return nil, err
	}
	defer res.Body.Close()
	var out struct {
		Configuration struct {
			Environment struct{ Variables map[string]string }
		}
	}
	if err := json.NewDecoder(res.Body).Decode(&out); err != nil || res.StatusCode != http.StatusOK {
		return nil, fmt.Errorf("the emulator answers %s, %w", res.Status, err)
	}
	return out.Configuration.Environment.Variables, nil
}

// frozen is how long a function stands still between two invocations.
const frozen = 300 * time.Millisecond

// serve lets a function handle events, frozen between them.
func serve(p *process, list []sample) error {
	for _, s := range list {
		if err := p.thaw(); err != nil {
			return err
		}
		ctx, cancel := context.WithTimeout(context.Background(), time.Minute)
		text, err := p.invoke(ctx, s.event)
		cancel()
		if err != nil {
			return fmt.Errorf("%s: %w", s.name, err)
		}
		for _, part := range s.says {
			if !strings.Contains(text, part) {
				return fmt.Errorf("%s: the answer lacks %q: %.400s", s.name, part, text)
			}
		}
		if err := p.freeze(); err != nil {
			return err
		}
		time.Sleep(frozen)
	}
	return nil
}
