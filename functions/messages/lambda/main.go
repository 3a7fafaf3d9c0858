// Command lambda is the function of the group messages.
package main

import (
	"lectern/functions/messages"
	"lectern/shared/app"
	"lectern/shared/chat"
	"lectern/shared/function"
	"lectern/shared/tool"
	"lectern/shared/tool/semanticsearch"
)

func main() {
	f := function.Start()
	engine := &chat.Engine{
		Models: f.Models(), Reader: f.Artifacts(nil), IDs: f.IDs, Now: f.Now, Log: f.Log,
		Tools: tool.NewSet(&semanticsearch.Tool{Searcher: f.Searcher(), Artifacts: f.Artifacts(nil), Scratch: app.Scratch}),
	}
	f.Serve(messages.New(messages.Deps{Engine: engine}), nil)
}
