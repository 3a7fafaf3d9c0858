//go:build unix

package segindex

import (
	"fmt"
	"os"
	"runtime"
	"syscall"
)

func openMapping(path string) (*mapping, error) {
	f, err := os.Open(path)
	if err != nil {
		return nil, err
	}
	defer f.Close()
	info, err := f.Stat()
	if err != nil {
		return nil, err
	}
	if info.Size() == 0 {
		return &mapping{}, nil
	}
	return mapRange(f, 0, int(info.Size()))
}

// mapRange maps n bytes of a file from offset, a multiple of the page size.
func mapRange(f *os.File, offset int64, n int) (*mapping, error) {
	data, err := syscall.Mmap(int(f.Fd()), offset, n, syscall.PROT_READ, syscall.MAP_SHARED)
	if err != nil {
		return nil, fmt.Errorf("map %s: %w", f.Name(), err)
	}
	m := &mapping{data}
	runtime.AddCleanup(m, func(data []byte) { _ = syscall.Munmap(data) }, data)
	return m, nil
}
