// Package chunk cuts a document into the pieces that are embedded, searched
// and cited. It is pure: no I/O, no clock, the same input gives the same
// chunks.
package chunk

// Options are the chunker's settings; the zero value is the default.
type Options struct {
	TargetWords int // aimed at; 200 when zero
	MaxWords    int // never more; twice the target when zero
}

// Chunk is a piece of a document's text.
type Chunk struct {
	Order int // zero-based place in the document
	// Text is Document.Text[Start:End], without white space around it.
	Text       string
	Start, End int // byte offsets into Document.Text
	// UTF16Start and UTF16End are the same span in UTF-16 code units.
	UTF16Start, UTF16End int
	// Headings are the titles of the sections around the chunk's beginning,
	// outermost first. Chunks share the slices: read only.
	Headings []string
	Page     int // one-based page of its beginning; 0 where there is none
	Tokens   int // EstimateTokens of Text
}
