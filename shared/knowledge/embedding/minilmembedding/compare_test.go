package minilmembedding

import (
	"context"
	"errors"
	"math"
	"strings"
	"testing"

	"lectern/shared/knowledge/embedding"
)

// span is where a part stands in a text.
func span(t *testing.T, text, part string) embedding.Span {
	t.Helper()
	at := strings.Index(text, part)
	if at < 0 {
		t.Fatalf("%q is not in %q", part, text)
	}
	return embedding.Span{Start: at, End: at + len(part)}
}

// TestCompare: a whole text comes as near as its vector, a word nearest to itself and to
// what means the same, and a sentence is read with what stands before it.
func TestCompare(t *testing.T) {
	e := open(t, supported()[0])
	const asked = "When was the café rebuilt?"
	const text = "The café burnt down in 1912. It was erected again in 1920. Entry is free – on Sundays only."
	question := embedding.Text{Text: asked, Parts: []embedding.Span{span(t, asked, "café"), span(t, asked, "rebuilt")}}
	passage := embedding.Text{Text: text, Parts: []embedding.Span{
		span(t, text, "The café burnt down in 1912."), span(t, text, "It was erected again in 1920."), span(t, text, "Entry is free – on Sundays only.")}}
	near, err := e.Compare(t.Context(), question, []embedding.Text{{Text: text}, passage, {Text: asked, Parts: question.Parts}})
	if err != nil || len(near) != 3 || len(near[0]) != 1 || len(near[1]) != 3 || len(near[2]) != 2 {
		t.Fatalf("Compare = %v, %v", near, err)
	}
	vectors, err := e.Embed(t.Context(), []string{asked, text}, embedding.Query)
	if err != nil {
		t.Fatal(err)
	}
	if want := float64(product(vectors[0], vectors[1])); math.Abs(near[0][0].Whole-want) > 1e-4 {
		t.Errorf("the whole text comes as near as %.4f, its vector as %.4f", near[0][0].Whole, want)
	}
	first, second, third := near[1][0], near[1][1], near[1][2]
	if first.Words[0] < .6 || third.Words[0] > first.Words[0]-.2 {
		t.Errorf("café: %.2f in its sentence, %.2f in another", first.Words[0], third.Words[0])
	}
	if second.Words[1] < third.Words[1]+.03 {
		t.Errorf("rebuilt: %.2f where something is erected again, %.2f elsewhere", second.Words[1], third.Words[1])
	}
	if alone, err := e.Compare(t.Context(), question, []embedding.Text{{Text: "It was erected again in 1920.", Parts: []embedding.Span{{End: 29}}}}); err != nil ||
		second.Words[0] < alone[0][0].Words[0]+.1 {
		t.Errorf("café: %.2f in a sentence that refers to it, without the one before %v (%v)", second.Words[0], alone, err)
	}
	for i, n := range near[2] {
		if math.Abs(n.Words[i]-1) > 1e-3 {
			t.Errorf("a word of the question comes as near as %.4f to itself", n.Words[i])
		}
	}
}

func TestCompareAtTheEdges(t *testing.T) {
	e := open(t, supported()[0])
	long := strings.Repeat("word ", 2*maxTokens)
	near, err := e.Compare(t.Context(), embedding.Text{Text: "word"}, []embedding.Text{
		{Text: long, Parts: []embedding.Span{{Start: len(long) - 5, End: len(long)}}}, {Text: "", Parts: []embedding.Span{{}}}})
	if err != nil || near[0][0].Whole != 0 || near[1][0].Whole != 0 {
		t.Errorf("beyond what is read, and in nothing: %v, %v", near, err)
	}
	if near, err := e.Compare(t.Context(), embedding.Text{Text: "word"}, nil); err != nil || len(near) != 0 {
		t.Errorf("no texts: %v, %v", near, err)
	}
	ctx, cancel := context.WithCancel(t.Context())
	cancel()
	if _, err := e.Compare(ctx, embedding.Text{Text: "word"}, []embedding.Text{{Text: "word"}}); !errors.Is(err, context.Canceled) {
		t.Errorf("canceled: %v", err)
	}
}
