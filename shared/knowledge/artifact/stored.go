package artifact

import (
	"bytes"
	"compress/flate"
	"encoding/json"
	"errors"
	"fmt"
	"io"
	"strings"

	"lectern/shared/text/document"
)

// A stored document is a line with the length and the form of its tree, the
// tree, and the text as it is. The tree is JSON, made node by node; that of a
// large document is deflated, for it is many small nodes that are much alike.
// Its first node also holds the label.
const (
	treePlain    = "json"
	treeDeflated = "deflate"
)

// label is what the registry knows of a stored document beside its text: with it a
// lost registry is made again.
type label struct {
	Collection string         `json:"c"`
	Artifact   string         `json:"a"`
	File       string         `json:"file"`
	Hash       string         `json:"hash"`          // of the ingest
	Sum        string         `json:"sum"`           // of the content
	Given      map[string]any `json:"own,omitempty"` // metadata of the caller; nil without any
}

// labelled is the first node of a stored tree. Earlier versions stored no label.
type labelled struct {
	*document.Document
	Of *label `json:",omitempty"`
}

type nothing struct{ io.Writer }

func (nothing) Close() error { return nil }

// encodeStored returns a document's stored form and its size.
func encodeStored(doc *document.Document, of *label) (io.Reader, int64, error) {
	var tree bytes.Buffer
	var to io.WriteCloser = nothing{&tree}
	var err error
	form := treePlain
	if len(doc.Text) >= groupBytes {
		form = treeDeflated
		if to, err = flate.NewWriter(&tree, flate.BestSpeed); err != nil {
			return nil, 0, fmt.Errorf("encode document: %w", err)
		}
	}
	out := json.NewEncoder(to)
	head := *doc
	head.Text, head.Root.Children = "", nil
	err = out.Encode(labelled{&head, of})
	for i := range doc.Root.Children {
		if err == nil {
			err = out.Encode(&doc.Root.Children[i])
		}
	}
	if err == nil {
		err = to.Close()
	}
	if err != nil {
		return nil, 0, fmt.Errorf("encode document: %w", err)
	}
	first := fmt.Sprintf("%d %s\n", tree.Len(), form)
	size := int64(len(first)) + int64(tree.Len()) + int64(len(doc.Text))
	return io.MultiReader(strings.NewReader(first), &tree, strings.NewReader(doc.Text)), size, nil
}

// decodeStored is the inverse of encodeStored, but for the label.
func decodeStored(raw []byte) (*document.Document, error) {
	doc, _, err := decodeLabelled(raw)
	return doc, err
}

// decodeLabelled is the inverse of encodeStored; the label may be nil.
func decodeLabelled(raw []byte) (*document.Document, *label, error) {
	first, rest, _ := bytes.Cut(raw, []byte{'\n'})
	var n int
	var form string
	if _, err := fmt.Sscanf(string(first), "%d %s", &n, &form); err != nil || n < 0 || n > len(rest) {
		return nil, nil, errors.New("its head is damaged")
	}
	var tree io.Reader = bytes.NewReader(rest[:n])
	if form == treeDeflated {
		tree = flate.NewReader(tree)
	}
	in := json.NewDecoder(tree)
	doc := &document.Document{}
	head := labelled{Document: doc}
	if err := in.Decode(&head); err != nil {
		return nil, nil, err
	}
	for {
		var child document.Node
		err := in.Decode(&child)
		if err == io.EOF {
			break
		}
		if err != nil {
			return nil, nil, err
		}
		doc.Root.Children = append(doc.Root.Children, child)
	}
	doc.Text = string(rest[n:])
	return doc, head.Of, nil
}
