// Command lambda is the function of the group files.
package main

import (
	"context"
	"os"

	"lectern/functions/files"
	"lectern/shared/app"
	"lectern/shared/app/cloud"
)

func main() { os.Exit(cloud.Main(run)) }

func run(ctx context.Context) error {
	p, err := cloud.Open(ctx, cloud.Objects, cloud.Records)
	if err != nil {
		return err
	}
	return cloud.Serve(p, app.Keep(p, files.Deps{Files: app.NewFiles(p), Now: p.Now}.Routes()), nil)
}
