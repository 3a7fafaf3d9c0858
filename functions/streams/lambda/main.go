// Command lambda is the function of the group streams: it watches and ends
// async messages, and carries nothing that could answer one.
package main

import (
	"lectern/functions/streams"
	"lectern/shared/app/function"
)

func main() {
	f := function.Start()
	f.Serve(streams.Deps{Chats: f.Chats(nil)}.Routes(), nil)
}
