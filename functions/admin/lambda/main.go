// Command lambda is the function of the group admin.
package main

import (
	"context"
	"os"

	"lectern/functions/admin"
	"lectern/shared/app"
	"lectern/shared/app/cloud"
	"lectern/shared/knowledge/artifact/tasks"
)

func main() { os.Exit(cloud.Main(run)) }

func run(ctx context.Context) error {
	p, err := cloud.Open(ctx, cloud.Records)
	if err != nil {
		return err
	}
	var settings []admin.Setting
	for _, s := range p.Config.InForce {
		settings = append(settings, admin.Setting(s))
	}
	return cloud.Serve(p, admin.Deps{
		Keys: app.NewKeys(p), AsksForKeys: p.Config.Keys != nil, Meter: app.NewMeter(p), Now: p.Now, Settings: settings,
		Tasks: &tasks.Service{Records: p.Records}, Chats: app.NewChats(p, nil),
		RecentTasks: app.Recent(p, app.RecentTasks), RecentMessages: app.Recent(p, app.RecentMessages),
	}.Routes(), nil)
}
