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
	data, err := syscall.Mmap(int(f.Fd()), 0, int(info.Size()), syscall.PROT_READ, syscall.MAP_SHARED)
	if err != nil {
		return nil, fmt.Errorf("map %s: %w", path, err)
	}
	m := &mapping{data}
	runtime.AddCleanup(m, func(data []byte) { _ = syscall.Munmap(data) }, data)
	return m, nil
}
