// Command worker ingests and deletes artifacts and sends callbacks: the function
// behind the queue of all that is no chat and behind its dead-letter queue, and
// the one that the state machine of long ingests runs for each stage.
package main

import (
	"lectern/shared/app/function"
	"lectern/shared/app/process/reading"
)

func main() {
	f := function.Start()
	f.Revisits = true
	reading.Open(&f.Process, "")
	tasks := f.Tasks()
	f.Work(f.TaskJobs(tasks), tasks.RunStage)
}
