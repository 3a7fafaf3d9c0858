package program

import "golang.org/x/sys/unix"

// limit bounds what a process that has just begun, and what it will start, may
// allocate each. Programs load what they need in a few hundred megabytes; a
// document that asks for more makes them fail, which is told as such.
func limit(pid int) error {
	return unix.Prlimit(pid, unix.RLIMIT_DATA, &unix.Rlimit{Cur: maxMemory, Max: maxMemory}, nil)
}
