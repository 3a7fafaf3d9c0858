package artifact

import (
	"bytes"
	"compress/flate"
	"context"
	"crypto/sha256"
	"encoding/hex"
	"encoding/json"
	"errors"
	"fmt"
	"io"
	"slices"
	"strings"

	"lectern/shared/fault"
	"lectern/shared/ident"
	"lectern/shared/knowledge/index"
	"lectern/shared/storage/object"
	"lectern/shared/storage/sweep"
	"lectern/shared/text/chunk"
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
	Hash       string         `json:"hash"` // of the ingest
	Sum        string         `json:"sum"`  // of the content
	Size       int            `json:"size,omitempty"`
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
			err = encodeNode(to, out, &doc.Root.Children[i])
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

// manyChildren is from how many on the children of a node are encoded one by one: the
// encoder holds all of what it encodes.
const manyChildren = 1000

// encodeNode writes a node by out, an encoder to w.
func encodeNode(w io.Writer, out *json.Encoder, n *document.Node) error {
	if len(n.Children) < manyChildren {
		return out.Encode(n)
	}
	head := *n
	head.Children = nil
	raw, err := json.Marshal(&head)
	if err != nil {
		return err
	}
	begun, ok := bytes.CutSuffix(raw, []byte("null}"))
	if !ok {
		return errors.New("the children of a node are not its last field")
	}
	_, err = w.Write(append(begun, '['))
	for i := range n.Children {
		if err == nil && i > 0 {
			_, err = w.Write([]byte{','})
		}
		if err == nil {
			err = encodeNode(w, out, &n.Children[i])
		}
	}
	if err == nil {
		_, err = w.Write([]byte("]}\n"))
	}
	return err
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

// Relist makes the registry items that are lost again, from the stored texts: of
// each artifact that the registry does not know, the newest text that the index
// holds too, else the newest of all, becomes live. A text tells the names of its
// collection and artifact; of one stored before texts did, the index tells them.
// lost is called with a sentence about each artifact that cannot be listed. No
// ingest may be under way.
func (s *Service) Relist(ctx context.Context, lost func(string)) (listed int, err error) {
	if err := sweep.Forget(ctx, s.Records); err != nil {
		return 0, err
	}
	r, err := s.registered(ctx)
	if err != nil {
		return 0, err
	}
	indexed := map[string]index.Generation{}
	for g, err := range s.Index.Generations(ctx, "", index.Generation{}) {
		if err != nil {
			return 0, err
		}
		indexed[g.Generation] = g
	}
	unknown := map[string][]string{} // generations by folder, oldest first
	for o, err := range object.All(ctx, s.Objects, documentsFolder) {
		if err != nil {
			return 0, err
		}
		at := strings.LastIndexByte(o.Key, '/')
		if _, known := r.last[o.Key[:at]]; !known {
			unknown[o.Key[:at]] = append(unknown[o.Key[:at]], o.Key[at+1:])
		}
	}
	for folder, generations := range unknown {
		done, err := s.relistOne(ctx, folder, generations, indexed)
		if err != nil {
			return listed, err
		}
		if done == "" {
			listed++
		} else {
			lost(done)
		}
	}
	return listed, nil
}

// relistOne lists the artifact of a folder. problem says why that cannot be done.
func (s *Service) relistOne(ctx context.Context, folder string, generations []string, indexed map[string]index.Generation) (
	problem string, err error) {
	slices.SortFunc(generations, func(a, b string) int { // what the index holds first, then the newest
		_, inA := indexed[a]
		_, inB := indexed[b]
		switch {
		case inA && !inB:
			return -1
		case inB && !inA:
			return 1
		}
		return strings.Compare(b, a)
	})
	for _, g := range generations {
		key := folder + "/" + g
		raw, _, err := object.ReadAll(ctx, s.Objects, key, maxStored)
		if err != nil && !errors.Is(err, object.ErrDamaged) && !fault.Is(err, fault.NotFound) {
			return "", err
		}
		var doc *document.Document
		var of *label
		if err == nil {
			doc, of, err = decodeLabelled(raw)
		}
		if err != nil {
			problem = fmt.Sprintf("the text %s%s cannot be read", key, nameIn(indexed, g))
			continue
		}
		if of == nil {
			if of, err = s.labelOf(ctx, indexed[g]); err != nil {
				return "", err
			}
		}
		if of == nil || !of.belongs(folder) {
			problem = fmt.Sprintf("nothing tells the name of the text %s (%d bytes)", key, len(doc.Text))
			continue
		}
		return "", s.list(ctx, g, doc, of)
	}
	return problem, nil
}

// nameIn is the name of a generation, as far as the index tells it.
func nameIn(indexed map[string]index.Generation, generation string) string {
	if g, ok := indexed[generation]; ok {
		return fmt.Sprintf(" (artifact %q of collection %q)", g.Artifact, g.Collection)
	}
	return ""
}

// belongs reports whether a label is that of an artifact whose texts lie in a folder.
func (l *label) belongs(dir string) bool { return folder(l.Collection, l.Artifact) == dir }

// labelOf makes the label of a generation from what the index holds; nil when it
// holds nothing of it. It does not tell the hashes, so the same content is ingested
// again when it comes again.
func (s *Service) labelOf(ctx context.Context, g index.Generation) (*label, error) {
	if g.Generation == "" {
		return nil, nil
	}
	chunks, err := s.Index.Around(ctx, g.Collection, g.Artifact, g.Generation, -1, 0, 1)
	if err != nil || len(chunks) == 0 {
		return nil, err
	}
	return &label{Collection: g.Collection, Artifact: g.Artifact, File: chunks[0].FileName, Given: chunks[0].Metadata}, nil
}

// list makes a stored generation live.
func (s *Service) list(ctx context.Context, generation string, doc *document.Document, of *label) error {
	if of.Sum == "" {
		if raw, _, err := object.ReadAll(ctx, s.Objects, originalKey(of.Collection, of.Artifact, generation), maxStored); err == nil {
			sum := sha256.Sum256(raw)
			of.Sum, of.Size = "sha256:"+hex.EncodeToString(sum[:]), len(raw)
		}
	}
	j := &job{service: s, body: &Body{Artifact: of.Artifact, Collection: of.Collection, Metadata: of.Given}, source: source{name: of.File},
		hash: of.Hash, sum: of.Sum, size: of.Size, generation: generation, doc: doc, pieces: chunk.Split(doc)}
	if err := s.enrol(ctx, of.Collection); err != nil {
		return err
	}
	if err := s.announce(ctx, of.Collection); err != nil {
		return err
	}
	at := ident.Time(generation).UTC()
	_, originalErr := s.Objects.Head(ctx, originalKey(of.Collection, of.Artifact, generation))
	_, err := s.change(ctx, of.Collection, of.Artifact, func(e *entry) (bool, error) {
		if e.Want != "" {
			return false, nil
		}
		e.Want = generation
		j.makeLive(e, at)
		e.Original = originalErr == nil
		return true, nil
	})
	return err
}
