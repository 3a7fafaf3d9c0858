// Command lambda is the function of the group streams: it follows and cancels
// async messages, and does not link what answers them.
package main

import (
	"context"
	"os"

	"lectern/functions/streams"
	"lectern/shared/app"
	"lectern/shared/app/cloud"
)

func main() { os.Exit(cloud.Main(run)) }

func run(ctx context.Context) error {
	p, err := cloud.Open(ctx, cloud.Objects, cloud.Records, cloud.Sealer, cloud.Queue)
	if err != nil {
		return err
	}
	return cloud.Serve(p, streams.Deps{Chats: app.NewChats(p, nil)}.Routes(), nil)
}
