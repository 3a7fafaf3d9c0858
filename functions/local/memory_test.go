package main

import (
	"math"
	"testing"
	"testing/fstest"
)

func TestMemoryLimit(t *testing.T) {
	const none = math.MaxInt64
	for name, test := range map[string]struct {
		files map[string]string
		want  int64
	}{
		"no control groups":   {nil, none},
		"version 2":           {map[string]string{"sys/fs/cgroup/memory.max": "1073741824\n", "proc/self/cgroup": "0::/\n"}, 1 << 30},
		"version 2, no limit": {map[string]string{"sys/fs/cgroup/memory.max": "max\n", "proc/self/cgroup": "0::/\n"}, none},
		"version 1":           {map[string]string{"sys/fs/cgroup/memory/memory.limit_in_bytes": "536870912\n"}, 512 << 20},
		"version 1, no limit": {map[string]string{"sys/fs/cgroup/memory/memory.limit_in_bytes": "9223372036854771712\n"}, none},
		"version 2, of a service": {map[string]string{"proc/self/cgroup": "0::/system.slice/lectern.service\n",
			"sys/fs/cgroup/system.slice/lectern.service/memory.max": "268435456\n"}, 256 << 20},
		"version 2, of the group around it": {map[string]string{"proc/self/cgroup": "0::/system.slice/lectern.service\n",
			"sys/fs/cgroup/system.slice/memory.max":                 "268435456\n",
			"sys/fs/cgroup/system.slice/lectern.service/memory.max": "536870912\n"}, 256 << 20},
		"version 1, of a group": {map[string]string{"proc/self/cgroup": "12:cpu,cpuacct:/x\n5:memory:/docker/abc\n",
			"sys/fs/cgroup/memory/memory.limit_in_bytes":            "9223372036854771712\n",
			"sys/fs/cgroup/memory/docker/abc/memory.limit_in_bytes": "134217728\n"}, 128 << 20},
		"a path of the host": {map[string]string{"proc/self/cgroup": "5:memory:/docker/abc\n0::/../abc\n",
			"sys/fs/cgroup/memory/memory.limit_in_bytes": "134217728\n"}, 128 << 20},
		"nonsense": {map[string]string{"proc/self/cgroup": "memory\n\n", "sys/fs/cgroup/memory.max": "-1\n"}, none},
	} {
		system := fstest.MapFS{}
		for file, content := range test.files {
			system[file] = &fstest.MapFile{Data: []byte(content)}
		}
		if got := memoryLimit(system); got != test.want {
			t.Errorf("%s: the limit is %d, want %d", name, got, test.want)
		}
	}
}
