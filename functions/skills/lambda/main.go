// Command lambda is the function of the group skills.
package main

import (
	"context"
	"os"

	"lectern/functions/skills"
	"lectern/shared/app"
	"lectern/shared/app/cloud"
)

func main() { os.Exit(cloud.Main(run)) }

func run(ctx context.Context) error {
	p, err := cloud.Open(ctx, cloud.Objects, cloud.Records)
	if err != nil {
		return err
	}
	return cloud.Serve(p, app.Keep(p, skills.Deps{Skills: app.NewSkills(p)}.Routes()), nil)
}
