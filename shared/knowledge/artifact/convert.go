package artifact

import (
	"context"
	"errors"
	"fmt"
	"strings"

	"lectern/shared/api/schema"
	"lectern/shared/auth"
	"lectern/shared/fault"
	"lectern/shared/knowledge/reader"
	"lectern/shared/message"
	"lectern/shared/storage/object"
	"lectern/shared/text/chunk"
	"lectern/shared/text/document"
)

// ConvertBody is a request to read a file without keeping it.
type ConvertBody struct {
	Input    *Input         `json:"input" required:"true"`
	Metadata map[string]any `json:"metadata,omitempty" doc:"must include file_name, whose extension selects the reader"`
	Reader   string         `json:"reader,omitempty" doc:"name of a reader; default: that of the file type"`
	Format   string         `json:"format" default:"markdown" enum:"object,markdown"`
}

// Converted is a read file: Content is Markdown or a Tree.
type Converted struct {
	Content any    `json:"content"`
	Reader  string `json:"reader"`
}

// DescribeSchema describes the forms of the content.
func (*Converted) DescribeSchema(g *schema.Generator) schema.Doc {
	type plain Converted
	return g.With(plain{}, map[string]schema.Doc{"content": schema.AnyOf(schema.Doc{"type": "string"}, g.For(Tree{}))})
}

// Tree is a node of a document.
type Tree struct {
	ID       string `json:"id"`
	Type     string `json:"type"`
	Content  string `json:"content"`
	Children []Tree `json:"children,omitempty"`
}

// TreeOf makes the tree of a document. A node's content is its own text: all
// of it for a leaf, the heading of a section.
func TreeOf(doc *document.Document) Tree { return treeOf(doc.Text, &doc.Root) }

func treeOf(text string, n *document.Node) Tree {
	t := Tree{ID: n.ID, Type: string(n.Type), Content: text[n.Start:n.End]}
	if len(n.Children) > 0 {
		t.Content = strings.TrimSpace(text[n.Start:n.Children[0].Start])
	}
	if n.Title != "" && (n.Type == document.Section || len(n.Children) > 0) {
		t.Content = n.Title
	}
	for i := range n.Children {
		t.Children = append(t.Children, treeOf(text, &n.Children[i]))
	}
	return t
}

// Convert reads a file and shows it, without keeping anything.
func (s *Service) Convert(ctx context.Context, b *ConvertBody) (*Converted, error) {
	src, err := s.given(ctx, &Body{Input: b.Input, Metadata: b.Metadata})
	if err != nil {
		return nil, err
	}
	if src.data == nil {
		if err := s.download(ctx, &src); err != nil {
			return nil, err
		}
	}
	r, err := s.readerFor(src.name, b.Reader)
	if err != nil {
		return nil, err
	}
	doc, err := s.readSource(ctx, src, b.Reader)
	if err != nil {
		return nil, err
	}
	return &Converted{Content: shown(doc, b.Format), Reader: r.Name()}, nil
}

func shown(doc *document.Document, format string) any {
	if format == "object" {
		return TreeOf(doc)
	}
	return doc.Text
}

// download fetches a uri's bytes and settles their name.
func (s *Service) download(ctx context.Context, src *source) error {
	file, err := s.Fetch.Get(ctx, src.uri, "body", "input", "value")
	if err != nil {
		return err
	}
	src.data = file.Data
	if src.named {
		return nil
	}
	src.name, err = s.nameOf(file.Name, file.ContentType, file.Data)
	return err
}

// ReadBytes reads a file of a conversation by its name or media type.
func (s *Service) ReadBytes(ctx context.Context, name, mediaType string, data []byte) (*document.Document, error) {
	name, err := s.nameOf(name, mediaType, data)
	if err != nil {
		return nil, fault.Field(reader.Unknown, fmt.Sprintf("no reader takes documents of type %q", mediaType), "body", "messages")
	}
	return s.readSource(ctx, source{name: name, data: data}, "")
}

// ReadURL fetches and reads a file of a conversation.
func (s *Service) ReadURL(ctx context.Context, url string) (*document.Document, error) {
	src := source{uri: url}
	if err := s.download(ctx, &src); err != nil {
		return nil, err
	}
	return s.readSource(ctx, src, "")
}

// ContentBody asks for the stored text of artifacts.
type ContentBody struct {
	Filter    *Filter     `json:"context_filter" required:"true"`
	Format    string      `json:"format" default:"markdown" enum:"object,markdown"`
	Nodes     *NodeFilter `json:"filter,omitempty"`
	MaxTokens *int        `json:"max_tokens,omitempty" min:"1"`
}

// Filter names artifacts of a collection.
type Filter struct {
	Collection string   `json:"collection" default:"vendor_collection" minlen:"1" maxlen:"255"`
	Artifacts  []string `json:"artifacts,omitempty" doc:"default: all"`
}

// SchemaClosed says that a misspelt field is refused: more would be read than was meant.
func (Filter) SchemaClosed() {}

// Content is one artifact's content.
type Content struct {
	Artifact string `json:"artifact_id"`
	Content  any    `json:"content"`
}

// DescribeSchema describes the forms of the content: a text, a tree, or chunks.
func (*Content) DescribeSchema(g *schema.Generator) schema.Doc {
	type plain Content
	return g.With(plain{}, map[string]schema.Doc{
		"content": schema.AnyOf(schema.Doc{"type": "string"}, g.For(Tree{}), g.For(message.Content{})),
	})
}

// maxStored bounds a stored document, in bytes.
const maxStored = 1 << 30

const (
	// maxContents bounds the text of several artifacts that one answer shows, in bytes.
	maxContents = 64 << 20
	// contentWeight is the memory that a byte of them takes until the answer is made.
	contentWeight = 3
)

// Content returns the stored text of the named artifacts. NotFound when one is
// not there, TooLarge when several have more than 64 MiB and no max_tokens cuts them.
func (s *Service) Content(ctx context.Context, b *ContentBody) ([]Content, error) {
	return s.contents(ctx, b, func(doc *document.Document, left *int) any {
		if b.Nodes != nil {
			doc = b.Nodes.apply(doc)
		}
		return shown(cut(doc, left), b.Format)
	})
}

// Chunked returns the stored text of the named artifacts in the pieces that
// are searched and cited, as text blocks.
func (s *Service) Chunked(ctx context.Context, b *ContentBody) ([]Content, error) {
	return s.contents(ctx, b, func(doc *document.Document, left *int) any {
		if b.Nodes != nil {
			doc = b.Nodes.apply(doc)
		}
		blocks := message.Content{}
		for _, c := range chunk.Split(doc) {
			if left != nil {
				if *left -= c.Tokens; *left < 0 {
					break
				}
			}
			blocks = append(blocks, message.NewText(c.Text))
		}
		return blocks
	})
}

// Documents returns the stored documents of the named artifacts, by their names
// in order, of those that keep lets through; a nil keep takes all.
// NotFound when one is not there.
func (s *Service) Documents(ctx context.Context, f *Filter, keep func(Live) bool) ([]Document, error) {
	if err := auth.Check(ctx, f.Collection); err != nil {
		return nil, err
	}
	names, live, err := s.chosen(ctx, f)
	if err != nil {
		return nil, err
	}
	var out []Document
	for _, name := range names {
		if keep != nil && !keep(live[name]) {
			continue
		}
		doc, err := s.stored(ctx, f.Collection, name, live[name].Generation)
		if err != nil {
			return nil, err
		}
		out = append(out, Document{live[name].Doc, doc})
	}
	return out, nil
}

// Document is a stored document.
type Document struct {
	Doc
	Content *document.Document
}

func (s *Service) contents(ctx context.Context, b *ContentBody, show func(*document.Document, *int) any) ([]Content, error) {
	if err := auth.Check(ctx, b.Filter.Collection); err != nil {
		return nil, err
	}
	names, live, err := s.chosen(ctx, b.Filter)
	if err != nil {
		return nil, err
	}
	var total, largest int64
	for _, name := range names {
		bytes := int64(live[name].Bytes)
		total, largest = total+bytes, max(largest, bytes)
	}
	if b.MaxTokens != nil {
		total = largest // they are read one after the other, and cut
	} else if len(names) > 1 && total > maxContents {
		return nil, fault.New(fault.TooLarge, "the text of these %d artifacts has %d bytes, and that of several in one answer at most %d; "+
			"name fewer of them in context_filter.artifacts, or set max_tokens", len(names), total, maxContents)
	}
	claim := s.Budget.Within(ctx)
	defer claim.Leave(total)
	if err := claim.Grow(ctx, contentWeight*total); err != nil {
		return nil, err
	}
	out := []Content{}
	for _, name := range names {
		doc, err := s.stored(ctx, b.Filter.Collection, name, live[name].Generation)
		if err != nil {
			return nil, err
		}
		out = append(out, Content{name, show(doc, b.MaxTokens)})
	}
	return out, nil
}

// chosen resolves a filter to artifacts that are shown, in order.
func (s *Service) chosen(ctx context.Context, f *Filter) ([]string, map[string]Live, error) {
	names := f.Artifacts
	if names == nil {
		docs, err := s.List(ctx, f.Collection, "", 0)
		if err != nil {
			return nil, nil, err
		}
		for _, d := range docs {
			names = append(names, d.Artifact)
		}
	}
	live, err := s.Live(ctx, f.Collection, names)
	if err != nil {
		return nil, nil, err
	}
	for _, name := range names {
		if _, ok := live[name]; !ok {
			return nil, nil, fault.New(fault.NotFound, "collection %q has no artifact %q", f.Collection, name)
		}
	}
	return names, live, nil
}

func (s *Service) stored(ctx context.Context, collection, artifact, generation string) (*document.Document, error) {
	raw, _, err := object.ReadAll(ctx, s.Objects, s.storedKey(collection, artifact, generation), maxStored)
	if fault.Is(err, fault.NotFound) || errors.Is(err, object.ErrDamaged) {
		return nil, s.gone(ctx, Accepted{collection, artifact, generation}, err)
	}
	if err != nil {
		return nil, err
	}
	doc, err := decodeStored(raw)
	if err != nil {
		return nil, fmt.Errorf("stored document of %q: %w", artifact, err)
	}
	return doc, nil
}

// gone is the error of a stored text that err says is not there, or damaged.
func (s *Service) gone(ctx context.Context, a Accepted, err error) error {
	now, findErr := s.find(ctx, a.Collection, a.Artifact)
	switch {
	case findErr != nil:
		return findErr
	case now.Live == "":
		return fault.New(fault.NotFound, "collection %q has no artifact %q", a.Collection, a.Artifact)
	case now.Live != a.Generation:
		return fault.New(fault.Unavailable, "artifact %q was replaced meanwhile; try again", a.Artifact)
	}
	return notWhole("text", a.Artifact, a.Collection, err)
}

// notWhole is the error of what should be stored of an artifact; err is that of the
// object.
func notWhole(what, artifact, collection string, err error) error {
	return &fault.Error{Code: fault.Unavailable, NoRetry: true, Cause: err, Msg: fmt.Sprintf(
		"the %s of artifact %q in collection %q is lost or damaged; ingest it again, or put it back from a backup", what, artifact, collection)}
}
