// Command worker registers objects that were uploaded by signed requests as
// files. The bucket's events invoke it.
package main

import (
	"context"
	"os"

	"lectern/functions/files"
	"lectern/shared/app"
	"lectern/shared/app/cloud"
	"lectern/shared/aws/lambdahttp"
)

func main() { os.Exit(cloud.Main(run)) }

func run(ctx context.Context) error {
	p, err := cloud.Open(ctx, cloud.Objects, cloud.Records)
	if err != nil {
		return err
	}
	lambdahttp.StartEvents(files.Deps{Files: app.NewFiles(p), Now: p.Now}.Created)
	return nil
}
