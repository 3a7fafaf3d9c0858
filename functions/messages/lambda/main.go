// Command lambda is the function of the group messages.
package main

import (
	"lectern/functions/messages"
	"lectern/shared/app/function"
)

func main() {
	f := function.Start()
	f.Serve(f.Keep(messages.Deps{Engine: f.Engine(), Async: f.Chats(f.Engine())}.Routes()), nil)
}
