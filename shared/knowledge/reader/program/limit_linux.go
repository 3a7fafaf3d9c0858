package program

import "golang.org/x/sys/unix"

// limit limits the memory of a process that has just started, and of each of
// its children. Programs need a few hundred megabytes; a document that needs
// more makes them fail.
func limit(pid int) error {
	return unix.Prlimit(pid, unix.RLIMIT_DATA, &unix.Rlimit{Cur: maxMemory, Max: maxMemory}, nil)
}
