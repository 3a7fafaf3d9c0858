// Command local runs every group of the service in one process, with embedded
// drivers unless the settings name others.
package main

import (
	"context"
	"errors"
	"fmt"
	"log/slog"
	"net"
	"net/http"
	"os"
	"os/signal"
	"runtime"
	"runtime/debug"
	"strings"
	"syscall"
	"time"

	"golang.org/x/net/netutil"

	"lectern/functions/local/cli"
	"lectern/functions/local/control"
	"lectern/functions/local/service"
	"lectern/shared/app"
	"lectern/shared/app/config"
	"lectern/shared/app/embedded"
	"lectern/shared/fault"
)

// ballastBytes is memory that is reserved and never touched: it costs no
// resident memory, and lets the heap of a small, busy service grow to twice as
// much before the collector runs.
const ballastBytes = 8 << 20

func main() {
	ballast := make([]byte, ballastBytes)
	defer runtime.KeepAlive(ballast)
	limitMemory()
	from, args, err := readSources(os.Args[1:], os.Getenv)
	if err == nil && len(args) > 0 && cli.Known(args[0]) {
		os.Exit(client(args[0], args[1:], from.get))
	}
	if err == nil {
		err = command(args, from.get)
	}
	if err != nil {
		fmt.Fprintln(os.Stderr, "lectern:", err)
		if errors.Is(err, errArguments) {
			os.Exit(cli.Usage)
		}
		os.Exit(cli.Failed)
	}
}

var errArguments = errors.New("unknown arguments")

// client runs a command that talks to a service.
func client(name string, args []string, getenv func(string) string) int {
	ctx, stop := signal.NotifyContext(context.Background(), os.Interrupt, syscall.SIGTERM)
	defer stop()
	info, err := os.Stderr.Stat()
	terminal := err == nil && info.Mode()&os.ModeCharDevice != 0
	c := &cli.Command{Out: os.Stdout, Err: os.Stderr, In: os.Stdin, Getenv: getenv, Terminal: terminal, Now: time.Now}
	return c.Run(ctx, name, args)
}

// mostConnections is how many connections are taken at a time, of so many descriptors:
// a quarter is left to files, so that who opens connections without an end stops no work
// that has begun. 0 is no bound.
func mostConnections(descriptors uint64) int { return int(min(descriptors/4*3, 1<<20)) }

// readyTime is how long /ready says that the service stops before it takes no
// more connections.
const readyTime = 300 * time.Millisecond

// drainTime is how long requests may go on after the signal to stop.
const drainTime = 10 * time.Second

// command does what the arguments say: without any it serves.
func command(args []string, getenv func(string) string) error {
	switch {
	case len(args) == 0, len(args) == 1 && args[0] == "serve":
		return run(getenv)
	case len(args) == 1 && (args[0] == "--version" || args[0] == "version"):
		info, _ := debug.ReadBuildInfo()
		fmt.Println(version(info))
		return nil
	}
	if known, err := runStores(args, getenv); known {
		return err
	}
	help := "  lectern [serve]           start the service\n" + cli.Help() +
		storesHelp() +
		"  lectern --version         tell commit, date and compiler\n" +
		"Each setting is a variable, a line of the file that --config FILE or LECTERN_CONFIG names, or a flag: LECTERN_DATA is --data.\n"
	if len(args) == 1 && (args[0] == "help" || args[0] == "--help" || args[0] == "-h") {
		fmt.Print(help)
		return nil
	}
	return fmt.Errorf("%w %q\n%s", errArguments, args, help)
}

// stamp is version, commit and date of a release, which its build sets.
var stamp string

// version tells the commit that the program was built from, its date, and the
// compiler; a build outside of a repository has none of the first two.
func version(info *debug.BuildInfo) string {
	if info == nil {
		return "lectern, built without information"
	}
	said := map[string]string{}
	for _, s := range info.Settings {
		said[s.Key] = s.Value
	}
	out := "lectern"
	if stamp != "" {
		out += " " + stamp
	} else if commit := said["vcs.revision"]; commit != "" {
		out += " " + commit[:min(12, len(commit))]
		if said["vcs.modified"] == "true" {
			out += ", changed"
		}
		out += " of " + said["vcs.time"]
	}
	return out + " (" + info.GoVersion + ", " + said["GOOS"] + "/" + said["GOARCH"] + ")"
}

// settings loads the settings and the log that they ask for.
func settings(getenv func(string) string) (*config.Config, *slog.Logger, error) {
	cfg, err := config.Load(getenv)
	if err != nil {
		return nil, nil, err
	}
	log, err := app.NewLog(cfg)
	return cfg, log, err
}

func run(getenv func(string) string) error {
	ctx, stop := signal.NotifyContext(context.Background(), os.Interrupt, syscall.SIGTERM)
	defer stop()
	cfg, log, err := settings(getenv)
	if err != nil {
		return err
	}
	for _, w := range cfg.Warnings {
		log.Warn("the settings work and are not safe", "setting", w)
	}
	closes, others := misspelt(os.Environ())
	if len(closes) > 0 {
		return fmt.Errorf("there is no setting %s; authentication is set by SERVER_AUTH_ENABLED and SERVER_AUTH_SECRET", strings.Join(closes, " or "))
	}
	for _, name := range others {
		log.Warn("a variable of the environment looks like a setting and is none", "name", name)
	}
	s, err := service.Open(ctx, cfg, service.Options{Log: log, Guard: true, Made: func(key, path string) {
		fmt.Printf("A key was made for this service. It is shown this once, and kept in %s:\n\n    %s\n\n"+
			"Clients send it as x-api-key, or as Authorization: Bearer; the page asks for it.\n", path, key)
	}})
	if err != nil {
		return err
	}
	defer s.Close()
	door, err := control.Listen(cfg.Data, s.Backup)
	if err != nil {
		return embedded.OfData(cfg, fmt.Errorf("open the door for commands: %w", err))
	}
	defer func() {
		if err := door.Close(); err != nil {
			log.Error("close failed", "error", err)
		}
	}()
	listener, err := net.Listen("tcp", cfg.Addr)
	if err != nil {
		return app.Of("LECTERN_ADDR", err)
	}
	if n := mostConnections(descriptors()); n > 0 {
		listener = netutil.LimitListener(listener, n)
	}
	serving, cut := context.WithCancelCause(context.Background())
	defer cut(nil)
	server := &http.Server{
		Handler:           s.Handler,
		BaseContext:       func(net.Listener) context.Context { return serving },
		ReadHeaderTimeout: 10 * time.Second,
		IdleTimeout:       2 * time.Minute,
		ErrorLog:          slog.NewLogLogger(log.Handler(), slog.LevelDebug),
	}
	log.Info("lectern listens", "address", "http://"+listener.Addr().String(), "data", cfg.Data)
	failed := make(chan error, 1)
	go func() { failed <- server.Serve(listener) }()
	go sweep(ctx, s, log)
	select {
	case err := <-failed:
		return err
	case <-ctx.Done():
	}
	stop() // a second signal ends the process at once
	log.Info("lectern stops")
	s.Stopping()
	time.Sleep(readyTime)
	drain, cancel := context.WithTimeout(context.Background(), drainTime)
	defer cancel()
	// What is open when half of the time is over ends with an error that says so.
	end := time.AfterFunc(drainTime/2, func() {
		cut(&fault.Error{Code: fault.Unavailable, Msg: "the service is stopping; send the request again", RetryAfter: time.Second})
	})
	defer end.Stop()
	if err := server.Shutdown(drain); err != nil && !errors.Is(err, context.DeadlineExceeded) {
		return err
	}
	return server.Close()
}

// sweepEvery is how often what dead processes and ingests left is freed.
const sweepEvery = 15 * time.Minute

func sweep(ctx context.Context, s *service.Service, log *slog.Logger) {
	tick := time.NewTicker(sweepEvery)
	defer tick.Stop()
	for {
		select {
		case <-ctx.Done():
			return
		case <-tick.C:
			if err := s.Sweep(ctx, false); err != nil && ctx.Err() == nil {
				log.Error("sweep failed", "error", err)
			}
			if err := s.Reclaim(ctx); err != nil && ctx.Err() == nil {
				log.Error("what was deleted is still on the disk", "error", err)
			}
		}
	}
}
