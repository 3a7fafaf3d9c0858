package embedding

import "context"

// Comparer is an embedder that reads sentences in what stands around them.
type Comparer interface {
	// Compare tells how near texts come to a question. What is beyond the length that
	// the embedder reads comes near to nothing. If ctx ends, its error is returned.
	Compare(ctx context.Context, question Text, texts []Text) ([]Nearness, error)

	// Judge returns, by window and sentence, the log odds that the sentence answers a question, by a model that reads the
	// question and the window together; never 0, and nil where nothing is judged. If ctx ends, its error is returned.
	Judge(ctx context.Context, question string, windows []Window) ([][]float64, error)
}

// Text is a text with parts that are looked at: words of a question, sentences of a
// passage.
type Text struct {
	Text  string
	Parts []Span
}

// Span is where a part lies, in bytes of its text.
type Span struct{ Start, End int }

// Nearness is how near a text comes to a question, by cosines, -1..1.
type Nearness struct {
	Whole float64     // of the vectors of both
	Words [][]float64 // of each part of the text, the nearest token to each part of the question: whether that is spoken of
}

// Window is sentences that follow one another in a document.
type Window []Sentence

// Sentence is one that is judged.
type Sentence struct {
	Lead string // what is read before it and not judged: the title of the document, headings, the names of columns; may be empty
	Text string
}

// Meaner is an embedder that knows which questions mean the same.
type Meaner interface {
	Embedder

	// Means returns, for each of some plain questions about a table, the log odds that a question in other words means it, over that
	// it means none of them. If ctx ends, its error is returned.
	Means(ctx context.Context, question string, plain []string) ([]float64, error)
}
