package embedding

import "context"

// Comparer is an embedder that reads sentences in what stands around them.
type Comparer interface {
	// Compare tells how near the parts of texts come to those of a question, by text
	// and part. What is beyond the length that the embedder reads comes near to
	// nothing. If ctx ends, its error is returned.
	Compare(ctx context.Context, question Text, texts []Text) ([][]Nearness, error)
}

// Text is a text with parts that are looked at: words of a question, sentences of a
// passage. Without parts all of it is one.
type Text struct {
	Text  string
	Parts []Span
}

// Span is where a part lies, in bytes of its text.
type Span struct{ Start, End int }

// Nearness is how near a part of a text comes to a question, by cosines, -1..1.
type Nearness struct {
	Whole float64   // of the means of its tokens and of the whole question
	Words []float64 // of each part of the question and the nearest token, which says whether it is spoken of
}
