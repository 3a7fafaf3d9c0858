package document_test

import (
	"fmt"
	"runtime"
	"testing"
	"unsafe"

	"lectern/shared/text/document"
)

// TestManyNodes: long tables, lists and sections keep all nodes in order, and are not copied
// again and again while they grow.
func TestManyNodes(t *testing.T) {
	const many = 200_000
	for name, add := range map[string]func(b *document.Builder, text string){
		"table":    func(b *document.Builder, text string) { b.Record([]string{"n"}, []string{text}) },
		"list":     func(b *document.Builder, text string) { b.Item(0, false, text) },
		"sections": func(b *document.Builder, text string) { b.Heading(2, text) },
	} {
		var before, after runtime.MemStats
		runtime.ReadMemStats(&before)
		var b document.Builder
		for i := range many {
			add(&b, fmt.Sprintf("node%d.", i))
		}
		b.Item(1, false, "below")
		d := b.Document()
		runtime.ReadMemStats(&after)
		if taken := after.TotalAlloc - before.TotalAlloc; taken > 4*many*uint64(unsafe.Sizeof(document.Node{})) {
			t.Errorf("%s: %d MiB", name, taken>>20)
		}
		list := d.Root.Children
		if name != "sections" {
			list = list[0].Children
		}
		for i, n := range list {
			want := fmt.Sprintf("node%d.", i)
			if text := d.Text[n.Start:n.End]; len(text) < len(want) || text[len(text)-len(want):] != want && i < many-1 {
				t.Fatalf("%s: node %d is %q", name, i, text)
			}
		}
		if len(list) != many {
			t.Errorf("%s: %d nodes, want %d", name, len(list), many)
		}
	}
}
