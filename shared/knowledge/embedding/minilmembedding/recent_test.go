package minilmembedding

import (
	"crypto/sha256"
	"reflect"
	"strconv"
	"sync"
	"testing"

	"lectern/shared/knowledge/embedding"
)

// TestCompareAgain: what was read lately comes exactly as near as when it was read, also where it was read without its
// words at first, and to another question.
func TestCompareAgain(t *testing.T) {
	const text = "The café burnt down in 1912. It was erected again in 1920."
	passage := embedding.Text{Text: text, Parts: []embedding.Span{span(t, text, "It was erected again in 1920.")}}
	texts := []embedding.Text{{Text: text}, passage, {Text: "Entry is free."}, {Text: "Entry is free."}}
	questions := []embedding.Text{
		{Text: "When was the café rebuilt?", Parts: []embedding.Span{{Start: 9, End: 14}}}, {Text: "What does it cost?"}}
	again := open(t, supported()[0])
	for range 3 {
		for _, q := range questions {
			want, err := open(t, supported()[0]).Compare(t.Context(), q, texts)
			if err != nil {
				t.Fatal(err)
			}
			if near, err := again.Compare(t.Context(), q, texts); err != nil || !reflect.DeepEqual(near, want) {
				t.Errorf("%s: %v, %v; read afresh %v", q.Text, near, err, want)
			}
		}
	}
	if again.recent.order.Len() != 4 {
		t.Errorf("%d readings are kept of 4 texts", again.recent.order.Len())
	}
}

// TestRecentIsBounded: those that were asked for last are kept, by many at once, within the limit.
func TestRecentIsBounded(t *testing.T) {
	var r recent[read]
	key := func(i int) [sha256.Size]byte { return sha256.Sum256([]byte(strconv.Itoa(i))) }
	reading := func() read { return read{vector: make([]float32, width), tokens: make([]float32, 100*width)} }
	const asked = 500
	var all sync.WaitGroup
	for from := range 2 {
		all.Go(func() {
			for i := from; i < asked; i += 2 {
				r.put(key(-1-from), reading()) // again and again
				r.put(key(i), reading())
				r.get(key(0))
			}
		})
	}
	all.Wait()
	if r.bytes > recentBytes || r.bytes < recentBytes/2 || len(r.byKey) != r.order.Len() {
		t.Errorf("%d bytes in %d readings, %d keys", r.bytes, r.order.Len(), len(r.byKey))
	}
	sum := 0
	for e := r.order.Front(); e != nil; e = e.Next() {
		sum += e.Value.(*kept[read]).value.size() + keptBytes
	}
	if sum != r.bytes {
		t.Errorf("%d bytes are counted as %d", sum, r.bytes)
	}
	r.put(key(asked), reading()) // one of the two above may have ended long before the other
	for i, want := range map[int]bool{0: true, 1: false, asked: true} {
		if _, ok := r.get(key(i)); ok != want {
			t.Errorf("reading %d is kept: %v", i, ok)
		}
	}
}

// TestJudgeAgain: what was judged lately is judged exactly as before, and neither another question nor a window of other sentences
// is taken for it.
func TestJudgeAgain(t *testing.T) {
	e := open(t, supported()[0])
	windows := []embedding.Window{
		{{Lead: "Guide: ", Text: "Boats are let by the hour."}, {Text: "Pay at the hut."}},
		{{Text: "Boats are let by the hour. Pay at the hut."}},
		{{Lead: "Guide: Boats are ", Text: "let by the hour."}, {Text: "Pay at the hut."}},
	}
	questions := []string{"Where do I pay for a boat?", "How are boats let?"}
	for range 2 {
		for _, q := range questions {
			want, err := open(t, supported()[0]).Judge(t.Context(), q, windows)
			if err != nil {
				t.Fatal(err)
			}
			if got, err := e.Judge(t.Context(), q, windows); err != nil || !reflect.DeepEqual(got, want) {
				t.Errorf("%s: %v, %v; judged afresh %v", q, got, err, want)
			}
			if got, err := e.Judge(t.Context(), q, windows[1:2]); err != nil || !reflect.DeepEqual(got, want[1:2]) {
				t.Errorf("%s, one window: %v, %v; judged afresh %v", q, got, err, want[1])
			}
		}
	}
	if n := e.judged.order.Len(); n != len(questions)*len(windows) {
		t.Errorf("%d windows are kept of %d", n, len(questions)*len(windows))
	}
}
