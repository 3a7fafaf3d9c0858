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
	if err != nil || len(near) != 3 || len(near[0].Words) != 0 || len(near[1].Words) != 3 || len(near[2].Words) != 2 {
		t.Fatalf("Compare = %v, %v", near, err)
	}
	vectors, err := e.Embed(t.Context(), []string{asked, text}, embedding.Query)
	if err != nil {
		t.Fatal(err)
	}
	want := float64(product(vectors[0], vectors[1]))
	for i, n := range near[:2] { // with parts and without
		if math.Abs(n.Whole-want) > 1e-4 {
			t.Errorf("text %d: the whole comes as near as %.4f, its vector as %.4f", i, n.Whole, want)
		}
	}
	first, second, third := near[1].Words[0], near[1].Words[1], near[1].Words[2]
	if first[0] < .6 || third[0] > first[0]-.2 {
		t.Errorf("café: %.2f in its sentence, %.2f in another", first[0], third[0])
	}
	if second[1] < third[1]+.03 {
		t.Errorf("rebuilt: %.2f where something is erected again, %.2f elsewhere", second[1], third[1])
	}
	if alone, err := e.Compare(t.Context(), question, []embedding.Text{{Text: "It was erected again in 1920.", Parts: []embedding.Span{{End: 29}}}}); err != nil ||
		second[0] < alone[0].Words[0][0]+.1 {
		t.Errorf("café: %.2f in a sentence that refers to it, without the one before %v (%v)", second[0], alone, err)
	}
	for i, words := range near[2].Words {
		if math.Abs(words[i]-1) > 1e-3 {
			t.Errorf("a word of the question comes as near as %.4f to itself", words[i])
		}
	}
}

func TestCompareAtTheEdges(t *testing.T) {
	e := open(t, supported()[0])
	long := strings.Repeat("word ", 2*maxTokens)
	question := embedding.Text{Text: "word", Parts: []embedding.Span{{End: 4}}}
	near, err := e.Compare(t.Context(), question, []embedding.Text{
		{Text: long, Parts: []embedding.Span{{Start: len(long) - 5, End: len(long)}}}, {Text: "", Parts: []embedding.Span{{}}}})
	if err != nil || near[0].Words[0][0] != 0 || near[1].Words[0][0] != 0 {
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
