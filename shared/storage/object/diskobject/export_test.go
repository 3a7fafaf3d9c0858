package diskobject

import (
	"os"
	"sync"
	"syscall"
)

// OpenSegmented is Open with segments of another size.
func OpenSegmented(dir string, o Options, segmentBytes int64) (*Store, error) {
	return open(dir, o, segmentBytes)
}

// Disk fails as it is told to, as far as segments are concerned.
type Disk struct {
	mu      sync.Mutex
	fsync   bool // whether fsync fails, and what was written since the last one is lost
	write   bool // whether writes end in their middle
	syncs   int
	dropped []dropped
}

// dropped is what no later fsync brings to the disk.
type dropped struct {
	name     string
	from, to int64
}

// Options returns o with segments on the disk.
func (d *Disk) Options(o Options) Options {
	o.open = func(path string, flag int) (file, error) {
		f, err := os.OpenFile(path, flag, 0o600)
		if err != nil {
			return nil, err
		}
		info, err := f.Stat()
		return &diskFile{File: f, disk: d, synced: info.Size()}, err
	}
	return o
}

// Fail says whether fsyncs and writes fail from now on.
func (d *Disk) Fail(fsync, write bool) {
	d.mu.Lock()
	defer d.mu.Unlock()
	d.fsync, d.write = fsync, write
}

// Syncs is how many fsyncs went well.
func (d *Disk) Syncs() int {
	d.mu.Lock()
	defer d.mu.Unlock()
	return d.syncs
}

// Lose takes away what did not reach the disk, as the end of a machine does.
func (d *Disk) Lose() error {
	for _, r := range d.dropped {
		f, err := os.OpenFile(r.name, os.O_WRONLY, 0)
		if os.IsNotExist(err) {
			continue
		}
		if err != nil {
			return err
		}
		_, err = f.WriteAt(make([]byte, r.to-r.from), r.from)
		f.Close()
		if err != nil {
			return err
		}
	}
	return nil
}

type diskFile struct {
	*os.File
	disk   *Disk
	synced int64
}

func (f *diskFile) Sync() error {
	f.disk.mu.Lock()
	defer f.disk.mu.Unlock()
	info, err := f.Stat()
	if err != nil {
		return err
	}
	if f.disk.fsync {
		if f.synced < info.Size() {
			f.disk.dropped = append(f.disk.dropped, dropped{f.Name(), f.synced, info.Size()})
		}
		f.synced = info.Size() // the kernel forgets that it is not written
		return &os.PathError{Op: "sync", Path: f.Name(), Err: syscall.EIO}
	}
	f.synced = info.Size()
	f.disk.syncs++
	return f.File.Sync()
}

func (f *diskFile) WriteAt(b []byte, at int64) (int, error) {
	f.disk.mu.Lock()
	defer f.disk.mu.Unlock()
	if f.disk.write {
		n, _ := f.File.WriteAt(b[:len(b)/2], at)
		return n, &os.PathError{Op: "write", Path: f.Name(), Err: syscall.ENOSPC}
	}
	return f.File.WriteAt(b, at)
}

func (f *diskFile) Truncate(size int64) error {
	f.disk.mu.Lock()
	defer f.disk.mu.Unlock()
	if f.disk.fsync {
		return &os.PathError{Op: "truncate", Path: f.Name(), Err: syscall.EIO}
	}
	f.synced = min(f.synced, size)
	kept := f.disk.dropped[:0]
	for _, r := range f.disk.dropped {
		if r.name == f.Name() {
			r.to = min(r.to, size)
		}
		if r.from < r.to {
			kept = append(kept, r)
		}
	}
	f.disk.dropped = kept
	return f.File.Truncate(size)
}
