// Command sweep frees what processes that died have left: the function behind
// a schedule. Whatever it removes was invisible already, so it may run at any
// time and any number of times.
package main

import (
	"context"
	"encoding/json"

	"lectern/shared/app/function"
	"lectern/shared/aws/lambdahttp"
)

func main() {
	f := function.Start()
	sweep := f.Sweeper(f.Chats(nil), f.Tasks())
	lambdahttp.StartEvents(func(ctx context.Context, _ json.RawMessage) (any, error) { return nil, sweep(ctx, false) })
}
