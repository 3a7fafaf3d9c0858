package segindex

import (
	"encoding/binary"
	"encoding/json"
	"fmt"

	"lectern/shared/fault"
	"lectern/shared/index"
	"lectern/shared/index/filter"
)

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
