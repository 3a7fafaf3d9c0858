//go:build unix && !aix && !solaris

package pdf

import "syscall"

// reserve returns n bytes of memory that are taken as they are written; nil where
// the system refuses.
func reserve(n int) []byte {
	b, err := syscall.Mmap(-1, 0, n, syscall.PROT_READ|syscall.PROT_WRITE, syscall.MAP_ANON|syscall.MAP_PRIVATE)
	if err != nil {
		return nil
	}
	return b
}

func unreserve(b []byte) { _ = syscall.Munmap(b) }
