// Command worker answers async messages: the function behind the chat queue,
// and behind its dead-letter queue, where it tells that a message never began.
package main

import (
	"lectern/shared/asyncchat"
	"lectern/shared/function"
	"lectern/shared/task"
)

func main() {
	f := function.Start()
	f.Work(task.Table{asyncchat.Kind: f.Chats(f.Engine()).Handler()}, nil)
}
