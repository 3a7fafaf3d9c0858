package main

import (
	"io/fs"
	"math"
	"os"
	"path"
	"runtime/debug"
	"strconv"
	"strings"
)

// limitMemory tells the collector of the container's limit, so that it works
// harder before the kernel ends the process. GOMEMLIMIT goes first.
func limitMemory() {
	if os.Getenv("GOMEMLIMIT") != "" {
		return
	}
	if limit := memoryLimit(os.DirFS("/")); limit < math.MaxInt64 {
		debug.SetMemoryLimit(limit / 10 * 9)
	}
}

// memoryLimit returns the least limit of the control groups of the process and of
// those around them, in bytes, of both versions; math.MaxInt64 without one.
//
// Source: Linux, cgroups(7): lines of /proc/self/cgroup are id:controllers:path, with
// the id 0 and no controllers in version 2. Inside a container the path may be that of
// the host, whose files are not there; those of the container lie at the root.
func memoryLimit(system fs.FS) int64 {
	limit := int64(math.MaxInt64)
	look := func(root, file, group string) {
		for dir := path.Join("/", group); ; dir = path.Dir(dir) {
			raw, err := fs.ReadFile(system, path.Join(root, dir, file))
			if err == nil {
				// Version 2 says "max" for no limit, version 1 a number close to the greatest.
				if n, err := strconv.ParseInt(strings.TrimSpace(string(raw)), 10, 64); err == nil && n > 0 {
					limit = min(limit, n)
				}
			}
			if dir == "/" {
				return
			}
		}
	}
	look("sys/fs/cgroup", "memory.max", "")
	look("sys/fs/cgroup/memory", "memory.limit_in_bytes", "")
	groups, _ := fs.ReadFile(system, "proc/self/cgroup") // not everywhere
	for line := range strings.Lines(string(groups)) {
		parts := strings.SplitN(strings.TrimSpace(line), ":", 3)
		switch {
		case len(parts) < 3:
		case parts[0] == "0":
			look("sys/fs/cgroup", "memory.max", parts[2])
		case strings.Contains(","+parts[1]+",", ",memory,"):
			look("sys/fs/cgroup/memory", "memory.limit_in_bytes", parts[2])
		}
	}
	if limit >= 1<<62 {
		return math.MaxInt64
	}
	return limit
}
