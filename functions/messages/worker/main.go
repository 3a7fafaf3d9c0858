// Command worker answers async messages: the function behind the chat queue,
// and behind its dead-letter queue, where it tells that a message never began.
package main

import (
	"lectern/shared/app/function"
	"lectern/shared/chat/async"
	"lectern/shared/storage/task"
)

func main() {
	f := function.Start()
	f.Work(task.Table{async.Kind: f.Chats(f.Engine()).Handler()}, nil)
}
