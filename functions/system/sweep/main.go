// Command sweep frees what processes that died have left: the function behind
// a schedule. Whatever it removes was invisible already, so it may run at any
// time and any number of times.
package main

import (
	"context"
	"encoding/json"
	"errors"

	"lectern/shared/function"
	"lectern/shared/lambdahttp"
)

func main() {
	f := function.Start()
	artifacts, files, skills, chats := f.Artifacts(nil), f.Files(), f.Skills(), f.Chats(nil)
	tasks := f.Tasks(artifacts)
	lambdahttp.StartEvents(func(ctx context.Context, _ json.RawMessage) (any, error) {
		return nil, errors.Join(artifacts.Sweep(ctx, false), files.Sweep(ctx, false), skills.Sweep(ctx, false), chats.Sweep(ctx), tasks.Sweep(ctx))
	})
}
