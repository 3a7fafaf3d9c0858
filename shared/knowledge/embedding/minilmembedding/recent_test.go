package minilmembedding

import (
	"reflect"
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
	if again.recent.Len() != 4 {
		t.Errorf("%d readings are kept of 4 texts", again.recent.Len())
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
	if n := e.judged.Len(); n != len(questions)*len(windows) {
		t.Errorf("%d windows are kept of %d", n, len(questions)*len(windows))
	}
}

// TestQueryAgain: a query is read once, and its vector is the caller's own.
func TestQueryAgain(t *testing.T) {
	e := open(t, supported()[0])
	const query = "When was the café rebuilt?"
	first, err := e.Embed(t.Context(), []string{query}, embedding.Query)
	if err != nil {
		t.Fatal(err)
	}
	first[0][0] = 7
	again, err := e.Embed(t.Context(), []string{query}, embedding.Query)
	want, failed := open(t, supported()[0]).Embed(t.Context(), []string{query}, embedding.Document)
	if err != nil || failed != nil || !reflect.DeepEqual(again, want) || e.recent.Len() != 1 {
		t.Errorf("read again: %v, %v; %d readings are kept", err, failed, e.recent.Len())
	}
}
