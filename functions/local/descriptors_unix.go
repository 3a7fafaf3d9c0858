//go:build linux || darwin

package main

import "golang.org/x/sys/unix"

// descriptors returns how many descriptors the process may have; 0: nobody knows.
func descriptors() uint64 {
	var limit unix.Rlimit
	if unix.Getrlimit(unix.RLIMIT_NOFILE, &limit) != nil {
		return 0
	}
	return limit.Cur
}
