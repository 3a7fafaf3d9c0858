// Package sentence finds sentences in text of any language that we index.
//
// It is rules, not a model: end marks by script, and exceptions for
// abbreviations, initials, numbers and ellipses. A missed border only makes a
// longer sentence, so doubt joins rather than splits.
package sentence

// Span is a sentence's byte range, without white space around it.
type Span struct{ Start, End int }
