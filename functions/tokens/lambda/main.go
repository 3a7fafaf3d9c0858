// Command lambda is the function of the group tokens.
package main

import (
	"lectern/functions/tokens"
	"lectern/shared/chat"
	"lectern/shared/function"
	"lectern/shared/o200k"
)

func main() {
	f := function.Start()
	engine := &chat.Engine{Models: f.Models(), IDs: f.IDs, Now: f.Now, Log: f.Log}
	f.Serve(tokens.Deps{Engine: engine, Tokens: o200k.Counter()}.Routes(), nil)
}
