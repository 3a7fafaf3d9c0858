// Command cost prints the monthly cost of idle environments, computed from
// their templates.
//
//	go run ./cost          every environment in the cloud
//	ENV=prod go run ./cost one
package main

import (
	"encoding/json"
	"fmt"
	"os"
	"path/filepath"

	"github.com/aws/aws-cdk-go/awscdk/v2"
	"github.com/aws/jsii-runtime-go"

	"lectern/functions"
	"lectern/infra/environment"
	"lectern/infra/idle"
	"lectern/infra/stack"
	"lectern/scripts/cost"
)

func main() {
	if err := run(os.Getenv("ENV")); err != nil {
		fmt.Fprintln(os.Stderr, "cost:", err)
		os.Exit(1)
	}
}

func run(name string) error {
	defer jsii.Close()
	environments := environment.All()
	if name != "" {
		e, err := environment.Find(name)
		if err != nil {
			return fmt.Errorf("ENV: %w", err)
		}
		environments = []environment.Environment{e}
	}
	dir, err := os.MkdirTemp("", "cost")
	if err != nil {
		return err
	}
	defer os.RemoveAll(dir)
	fmt.Println("USD per month while idle, us-east-1; next to it the rest after the free tier, in an account with nothing else")
	together := cost.Usage{}
	for _, e := range environments {
		if e.LookAlike() {
			continue
		}
		used, err := month(e, filepath.Join(dir, e.Name))
		if err != nil {
			return fmt.Errorf("%s: %w", e.Name, err)
		}
		show(e.Name, used)
		together = together.Plus(used)
	}
	if len(environments) > 1 {
		show("all in one account", together)
	}
	fmt.Println("\nand for each GB that is stored")
	for _, l := range (cost.Usage{cost.TableGB: 1, cost.RecoveryGB: 1, cost.ObjectGB: 1, cost.SearchGB: 1}).Bill(1) {
		fmt.Printf("  %-12s %-16s %8.3f\n", l.Service, l.Unit, l.Cost)
	}
	return nil
}

// month returns the monthly usage of an environment.
func month(e environment.Environment, dir string) (cost.Usage, error) {
	resources, err := templates(e, dir)
	if err != nil {
		return nil, err
	}
	return idle.Month(e, resources)
}

func show(name string, used cost.Usage) {
	beyond := used.Beyond()
	_, all := used.Total(1)
	_, left := beyond.Total(1)
	fmt.Printf("\n%s: %.2f, alone %.2f\n", name, all, left)
	for _, l := range used.Bill(1) {
		if l.Cost >= .005 {
			fmt.Printf("  %-12s %10.6g %-16s %8.2f %8.2f\n", l.Service, l.Amount, l.Unit, l.Cost, beyond[l.Unit]*l.USD)
		}
	}
}

// templates synthesizes an environment and returns its resources. The content
// of the functions' zips does not affect the cost.
func templates(e environment.Environment, dir string) ([]idle.Resource, error) {
	dist := filepath.Join(dir, "dist")
	if err := os.MkdirAll(dist, 0o755); err != nil {
		return nil, err
	}
	for _, f := range functions.Functions() {
		if err := os.WriteFile(filepath.Join(dist, f.Name+".zip"), []byte(f.Name), 0o600); err != nil {
			return nil, err
		}
	}
	app := awscdk.NewApp(&awscdk.AppProps{Outdir: jsii.String(filepath.Join(dir, "out"))})
	stack.Add(app, e, stack.Options{Dist: dist})
	app.Synth(nil)
	files, err := filepath.Glob(filepath.Join(dir, "out", "*.template.json"))
	if err != nil {
		return nil, err
	}
	var list []idle.Resource
	for _, f := range files {
		raw, err := os.ReadFile(f)
		if err != nil {
			return nil, err
		}
		var template struct{ Resources map[string]idle.Resource }
		if err := json.Unmarshal(raw, &template); err != nil {
			return nil, err
		}
		for _, r := range template.Resources {
			list = append(list, r)
		}
	}
	return list, nil
}
