package segindex

import (
	"bytes"
	"encoding/binary"
	"encoding/json"
	"errors"
	"fmt"
	"io"
	"unsafe"

	"lectern/shared/fault"
	"lectern/shared/knowledge/index"
	"lectern/shared/knowledge/index/filter"
	"lectern/shared/text/document"
)

// The sections of a segment, in no particular order on disk. Numbers are
// little-endian, sections begin at multiples of eight bytes, and the table of
// sections is at the very end.
//
// Documents are sorted by (generation, order), so that a source, which is all
// chunks of one generation, is a range of documents. Words are numbered by
// falling frequency. The sequence of a document is its words in order, which
// makes postings of 4-grams and bigrams unnecessary: 4-grams lead to words of
// the vocabulary, and candidates are read in full.
const (
	secName        = iota // the collection
	secSourceRow          // first document, documents: two uint32
	secSourceText         // uint64: bytes of text
	secSourceOff          // uint64 into secSource, one more than sources
	secSource             // source: see appendSource
	secDocSource          // uint32
	secDocOrder           // uint32
	secDocRecord          // uint64 into secRecord, one more than documents
	secDocSeq             // uint64 into secSeq, one more than documents
	secDocWords           // uint32: words in the document
	secDocGrams           // uint32: 4-grams in the document
	secDocLength          // byte: lengthCode of secDocWords
	secRecord             // record: see appendRecord
	secSeq                // uvarint: word+1, or 0 between texts
	secWordOff            // uint32 into secWord, one more than words
	secWord               // text
	secWordStem           // uint32
	secStopWord           // uint32: the words that are English stop words
	secStemOff            // uint32 into secStem, one more than stems
	secStem               // text
	secStemHash           // uint32: open addressing by hash32, stem+1
	secStemDocs           // uint32: documents that have the stem
	secStemPostOff        // uint64 into secPost, one more than stems
	secPost               // uvarint (document-previous)<<2 | min(times-1, 3), then uvarint times-4
	secStemWordOff        // uint32 into secStemWord, one more than stems
	secStemWord           // uint32: words by stem
	secGram               // uint32: sorted
	secGramDocs           // uint32: documents that have the gram
	secGramOff            // uint64 into secGramWord, one more than grams
	secGramWord           // uvarint: word-previous
	secVectorScale        // float32 per document, 0 for no vector; the section is empty without vectors
	secVector             // int8
	secCode               // uint64: one bit per dimension after rotation
	sections
)

const (
	segmentMagic = 0x3147455363654c01
	footerSize   = 8 * (2*sections + 4)
)

// segment is a read-only view of one segment's bytes.
type segment struct {
	raw        []byte
	mapping    *mapping // keeps raw mapped; nil when raw is on the heap
	origin     *origin  // nil for what this process has made
	sec        [sections][]byte
	collection string

	sources, docs, words, stems, grams int
	sumWords, sumGrams, textBytes      uint64
	dims                               int

	embedded bool // all documents have a vector, as far as filling knows, which alone looks here
}

// footer holds the numbers after the section table.
type footer struct {
	sumWords, sumGrams, textBytes uint64
}

// openSegment views raw, which must begin at a multiple of eight bytes.
func openSegment(raw []byte, m *mapping, dims int) (*segment, error) {
	bad := errors.New("segment is damaged")
	if len(raw) < footerSize {
		return nil, bad
	}
	foot := raw[len(raw)-footerSize:]
	word := func(i int) uint64 { return binary.LittleEndian.Uint64(foot[8*i:]) }
	if word(2*sections+3) != segmentMagic {
		return nil, fmt.Errorf("%w: not of this version", bad)
	}
	s := &segment{raw: raw, mapping: m, dims: dims}
	for i := range sections {
		from, n := word(2*i), word(2*i+1)
		if from > uint64(len(raw)) || n > uint64(len(raw))-from || from%8 != 0 {
			return nil, bad
		}
		s.sec[i] = raw[from : from+n : from+n]
	}
	s.sumWords, s.sumGrams, s.textBytes = word(2*sections), word(2*sections+1), word(2*sections+2)
	s.collection = string(s.sec[secName])
	s.sources, s.docs = len(s.sec[secSourceRow])/8, len(s.sec[secDocOrder])/4
	s.words, s.stems = len(s.sec[secWordStem])/4, len(s.sec[secStemDocs])/4
	s.grams = len(s.sec[secGram]) / 4
	return s, nil
}

// numbers views a section as an array.
func numbers[T uint32 | uint64 | float32 | int8](b []byte) []T {
	var t T
	if len(b) == 0 {
		return nil
	}
	return unsafe.Slice((*T)(unsafe.Pointer(unsafe.SliceData(b))), len(b)/int(unsafe.Sizeof(t)))
}

func bytesOf[T uint32 | uint64 | float32 | int8](list []T) []byte {
	var t T
	if len(list) == 0 {
		return nil
	}
	return unsafe.Slice((*byte)(unsafe.Pointer(unsafe.SliceData(list))), len(list)*int(unsafe.Sizeof(t)))
}

func (s *segment) u32(section int) []uint32 { return numbers[uint32](s.sec[section]) }
func (s *segment) u64(section int) []uint64 { return numbers[uint64](s.sec[section]) }

func (s *segment) source(i int) []byte {
	off := s.u64(secSourceOff)
	return s.sec[secSource][off[i]:off[i+1]]
}

func (s *segment) generation(i int) []byte {
	g, _ := cutBytes(s.source(i))
	return g
}

// sourceDocs returns the range of a source's documents.
func (s *segment) sourceDocs(i int) (from, to int) {
	row := s.u32(secSourceRow)[2*i:]
	return int(row[0]), int(row[0] + row[1])
}

// find returns the source of a generation, or -1.
func (s *segment) find(generation string) int {
	lo, hi := 0, s.sources
	for lo < hi {
		mid := (lo + hi) / 2
		switch c := bytes.Compare(s.generation(mid), []byte(generation)); {
		case c == 0:
			return mid
		case c < 0:
			lo = mid + 1
		default:
			hi = mid
		}
	}
	return -1
}

func (s *segment) record(doc int) []byte {
	off := s.u64(secDocRecord)
	return s.sec[secRecord][off[doc]:off[doc+1]]
}

func (s *segment) sequence(doc int) []byte {
	off := s.u64(secDocSeq)
	return s.sec[secSeq][off[doc]:off[doc+1]]
}

func (s *segment) word(i uint32) []byte {
	off := s.u32(secWordOff)
	return s.sec[secWord][off[i]:off[i+1]]
}

func (s *segment) stem(i uint32) []byte {
	off := s.u32(secStemOff)
	return s.sec[secStem][off[i]:off[i+1]]
}

// findStem returns the number of a stem, or -1.
func (s *segment) findStem(stem string) int {
	table := s.u32(secStemHash)
	if len(table) == 0 {
		return -1
	}
	mask := uint32(len(table) - 1)
	for at := hash32([]byte(stem)) & mask; table[at] != 0; at = (at + 1) & mask {
		if string(s.stem(table[at]-1)) == stem {
			return int(table[at] - 1)
		}
	}
	return -1
}

// findStems returns the numbers of those stems that the segment has.
func (s *segment) findStems(stems []string) []int {
	var list []int
	for _, stem := range stems {
		if i := s.findStem(stem); i >= 0 {
			list = append(list, i)
		}
	}
	return list
}

// stemDocs counts the documents that have any of the stems.
func (s *segment) stemDocs(stems []int) uint32 {
	switch len(stems) {
	case 0:
		return 0
	case 1:
		return s.u32(secStemDocs)[stems[0]]
	}
	var all uint32
	seen := make([]uint64, s.docs/64+1)
	for _, stem := range stems {
		eachPosting(s.postings(stem), func(doc int) {
			if bit := uint64(1) << (doc & 63); seen[doc>>6]&bit == 0 {
				seen[doc>>6] |= bit
				all++
			}
		})
	}
	return all
}

// eachPosting calls f with the documents of a list, in order.
func eachPosting(list []byte, f func(doc int)) {
	doc := -1
	for i := 0; i < len(list); {
		v, n := binary.Uvarint(list[i:])
		i += n
		if v&3 == 3 { // a count of its own follows
			_, n = binary.Uvarint(list[i:])
			i += n
		}
		doc += int(v >> 2)
		f(doc)
	}
}

func (s *segment) postings(stem int) []byte {
	off := s.u64(secStemPostOff)
	return s.sec[secPost][off[stem]:off[stem+1]]
}

func (s *segment) stemWords(stem int) []uint32 {
	off := s.u32(secStemWordOff)
	return s.u32(secStemWord)[off[stem]:off[stem+1]]
}

// findGram returns the number of a gram, or -1.
func (s *segment) findGram(g uint32) int {
	list := s.u32(secGram)
	lo, hi := 0, len(list)
	for lo < hi {
		mid := (lo + hi) / 2
		if list[mid] < g {
			lo = mid + 1
		} else {
			hi = mid
		}
	}
	if lo < len(list) && list[lo] == g {
		return lo
	}
	return -1
}

func (s *segment) gramWords(gram int) []byte {
	off := s.u64(secGramOff)
	return s.sec[secGramWord][off[gram]:off[gram+1]]
}

// forgetVectors leaves the vectors out.
func (s *segment) forgetVectors() {
	s.sec[secVector], s.sec[secVectorScale], s.sec[secCode] = nil, nil, nil
}

func (s *segment) hasVectors() bool { return len(s.sec[secVectorScale]) > 0 }

// segmentWriter writes sections and the table that ends a segment.
type segmentWriter struct {
	w     io.Writer
	n     uint64
	table [sections][2]uint64
	err   error
}

func (w *segmentWriter) Write(b []byte) (int, error) {
	if w.err == nil {
		_, w.err = w.w.Write(b)
		w.n += uint64(len(b))
	}
	return len(b), w.err
}

func (w *segmentWriter) begin(section int) { w.table[section][0] = w.n }

func (w *segmentWriter) end(section int) {
	w.table[section][1] = w.n - w.table[section][0]
	var zero [8]byte
	w.Write(zero[:-w.n&7])
}

func (w *segmentWriter) put(section int, b []byte) {
	w.begin(section)
	w.Write(b)
	w.end(section)
}

func (w *segmentWriter) finish(f footer) error {
	out := make([]byte, 0, footerSize)
	for _, t := range w.table {
		out = binary.LittleEndian.AppendUint64(out, t[0])
		out = binary.LittleEndian.AppendUint64(out, t[1])
	}
	for _, v := range []uint64{f.sumWords, f.sumGrams, f.textBytes, segmentMagic} {
		out = binary.LittleEndian.AppendUint64(out, v)
	}
	w.Write(out)
	return w.err
}

func appendString[S string | []byte](dst []byte, s S) []byte {
	dst = binary.AppendUvarint(dst, uint64(len(s)))
	return append(dst, s...)
}

func cutBytes(b []byte) (s, rest []byte) {
	n, k := binary.Uvarint(b)
	return b[k : k+int(n)], b[k+int(n):]
}

func cutString(b []byte) (s string, rest []byte) {
	raw, rest := cutBytes(b)
	return string(raw), rest
}

func cutInt(b []byte) (v int, rest []byte) {
	n, k := binary.Uvarint(b)
	return int(n), b[k:]
}

// Marks of a record's page: it has the beginnings of further pages, the names of columns, and
// its table goes on.
const (
	manyPages  = 1 << 40
	hasColumns = 1 << 41
	continues  = 1 << 42
)

// appendRecord encodes what belongs to one chunk alone.
func appendRecord(dst []byte, c *index.Chunk) []byte {
	page := c.Page
	if len(c.Breaks) > 0 {
		page |= manyPages
	}
	if c.Columns != "" {
		page |= hasColumns
	}
	if c.Continues {
		page |= continues
	}
	for _, v := range []int{c.Start, c.End, c.UTF16Start, c.UTF16End, page, c.Tokens} {
		dst = binary.AppendUvarint(dst, uint64(v))
	}
	if len(c.Breaks) > 0 {
		dst = binary.AppendUvarint(dst, uint64(len(c.Breaks)))
	}
	for _, b := range c.Breaks {
		dst = binary.AppendUvarint(dst, uint64(b.At))
		dst = binary.AppendUvarint(dst, uint64(b.Page))
	}
	if c.Columns != "" {
		dst = appendString(dst, c.Columns)
	}
	dst = appendString(dst, c.ID)
	dst = binary.AppendUvarint(dst, uint64(len(c.Headings)))
	for _, h := range c.Headings {
		dst = appendString(dst, h)
	}
	return append(dst, c.Text...)
}

func readRecord(b []byte, c *index.Chunk) {
	b = readPlace(b, c)
	c.ID, b = cutString(b)
	n, b := cutInt(b)
	for range n {
		var h string
		h, b = cutString(b)
		c.Headings = append(c.Headings, h)
	}
	c.Text = string(b)
}

// readPlace reads the numbers that a record begins with, and returns the rest.
func readPlace(b []byte, c *index.Chunk) []byte {
	for _, v := range []*int{&c.Start, &c.End, &c.UTF16Start, &c.UTF16End, &c.Page, &c.Tokens} {
		*v, b = cutInt(b)
	}
	marks := c.Page
	c.Page &= manyPages - 1
	c.Continues = marks&continues != 0
	if marks&manyPages != 0 {
		var n int
		n, b = cutInt(b)
		c.Breaks = make([]document.Break, n)
		for i := range c.Breaks {
			c.Breaks[i].At, b = cutInt(b)
			c.Breaks[i].Page, b = cutInt(b)
		}
	}
	if marks&hasColumns != 0 {
		c.Columns, b = cutString(b)
	}
	return b
}

// appendSource encodes what all chunks of a generation share: generation,
// artifact, title, file name, content type, filter keywords, metadata.
func appendSource(dst []byte, c *index.Chunk) ([]byte, error) {
	for _, s := range []string{c.Generation, c.Artifact, c.Title, c.FileName, c.ContentType} {
		dst = appendString(dst, s)
	}
	keywords := filter.Encode(c.Metadata)
	dst = binary.AppendUvarint(dst, uint64(len(keywords)))
	for _, k := range keywords {
		dst = appendString(dst, k)
	}
	if c.Metadata == nil {
		return dst, nil
	}
	raw, err := json.Marshal(c.Metadata)
	if err != nil {
		return nil, fault.Wrap(err, fault.Invalid, "metadata of artifact %q is not JSON", c.Artifact)
	}
	return append(dst, raw...), nil
}

func readSource(b []byte, c *index.Chunk) error {
	for _, v := range []*string{&c.Generation, &c.Artifact, &c.Title, &c.FileName, &c.ContentType} {
		*v, b = cutString(b)
	}
	n, b := cutInt(b)
	for range n {
		_, b = cutBytes(b)
	}
	if len(b) == 0 {
		return nil
	}
	if err := json.Unmarshal(b, &c.Metadata); err != nil {
		return fmt.Errorf("metadata of generation %q: %w", c.Generation, err)
	}
	return nil
}

// sourceArtifact returns the artifact of a source.
func sourceArtifact(b []byte) []byte {
	_, b = cutBytes(b)
	a, _ := cutBytes(b)
	return a
}

// sourceKeywords returns the filter keywords of a source, appended to dst.
func sourceKeywords(dst []string, b []byte) []string {
	for range 5 {
		_, b = cutBytes(b)
	}
	n, b := cutInt(b)
	for range n {
		var k string
		k, b = cutString(b)
		dst = append(dst, k)
	}
	return dst
}

// chunk reads a whole chunk but for its vector.
func (s *segment) chunk(doc int) (index.Chunk, error) {
	c := index.Chunk{Collection: s.collection, Order: int(s.u32(secDocOrder)[doc])}
	if err := readSource(s.source(int(s.u32(secDocSource)[doc])), &c); err != nil {
		return index.Chunk{}, err
	}
	readRecord(s.record(doc), &c)
	return c, nil
}
