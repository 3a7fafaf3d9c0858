package embedding

import "context"

// Comparer is an embedder that reads sentences in what stands around them.
type Comparer interface {
	// Compare tells how near texts come to a question. What is beyond the length that
	// the embedder reads comes near to nothing. If ctx ends, its error is returned.
	Compare(ctx context.Context, question Text, texts []Text) ([]Nearness, error)
}

// Text is a text with parts that are looked at: words of a question, sentences of a
// passage.
type Text struct {
	Text       string
	Parts      []Span
	Judged     bool   // whether it answers the question is asked for, too
	OnlyJudged bool   // nothing but that is: of its Nearness only Answers is set
	Of         string // the title of what it is from, for that; may be empty
}

// Span is where a part lies, in bytes of its text.
type Span struct{ Start, End int }

// Nearness is how near a text comes to a question, by cosines, -1..1.
type Nearness struct {
	Whole float64     // of the vectors of both
	Words [][]float64 // of each part of the text, the nearest token to each part of the question: whether that is spoken of

	// Answers is the log odds that a text that is Judged or OnlyJudged answers the question, by a model that reads both together; else 0.
	Answers float64
}
