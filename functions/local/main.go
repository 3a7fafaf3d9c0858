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
	"syscall"
	"time"

	"lectern/functions/local/service"
	"lectern/shared/app"
	"lectern/shared/app/config"
)

// ballastBytes is memory that is reserved and never touched: it costs no
// resident memory, and lets the heap of a small, busy service grow to twice as
// much before the collector runs.
const ballastBytes = 8 << 20

func main() {
	ballast := make([]byte, ballastBytes)
	defer runtime.KeepAlive(ballast)
	if err := run(os.Getenv); err != nil {
		fmt.Fprintln(os.Stderr, "lectern:", err)
		os.Exit(1)
	}
}

// drainTime is how long requests may go on after the signal to stop.
const drainTime = 10 * time.Second

func run(getenv func(string) string) error {
	ctx, stop := signal.NotifyContext(context.Background(), os.Interrupt, syscall.SIGTERM)
	defer stop()
	cfg, err := config.Load(getenv)
	if err != nil {
		return err
	}
	log, err := app.NewLog(cfg)
	if err != nil {
		return err
	}
	for _, w := range cfg.Warnings {
		log.Warn("the settings work and are not safe", "setting", w)
	}
	s, err := service.Open(ctx, cfg, service.Options{Log: log, Guard: true})
	if err != nil {
		return err
	}
	defer s.Close()
	listener, err := net.Listen("tcp", cfg.Addr)
	if err != nil {
		return err
	}
	server := &http.Server{
		Handler:           s.Handler,
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
	drain, cancel := context.WithTimeout(context.Background(), drainTime)
	defer cancel()
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
		}
	}
}
