// Command lambda is the function of the group tokens.
package main

import (
	"lectern/functions/tokens"
	"lectern/shared/app"
	"lectern/shared/chat"
	"lectern/shared/function"
)

func main() {
	f := function.Start()
	engine := &chat.Engine{Models: f.Models(), IDs: f.IDs, Now: f.Now, Log: f.Log}
	f.Serve(tokens.New(tokens.Deps{Engine: engine, Tokens: app.Tokens()}), nil)
}
