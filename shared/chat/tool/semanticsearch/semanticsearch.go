// Package semanticsearch is the tool that searches ingested collections, and
// texts and files that the request itself contains.
package semanticsearch

import (
	"context"
	"crypto/sha256"
	"encoding/base64"
	"encoding/hex"
	"encoding/json"
	"fmt"
	"slices"
	"strings"

	"lectern/shared/api/schema"
	"lectern/shared/chat/tool"
	"lectern/shared/fault"
	"lectern/shared/knowledge/artifact"
	"lectern/shared/knowledge/index"
	"lectern/shared/knowledge/retrieval"
	"lectern/shared/message"
	"lectern/shared/message/passage"
	"lectern/shared/text/chunk"
	"lectern/shared/text/document"
	"lectern/shared/text/terms"
)

// Type declares the tool in a request.
const Type = "semantic_search_v1"

const (
	hits      = 8  // passages of one call
	hitsOfOne = 64 // of one that names an artifact, such as for all rows of a table

	// Limits of texts and files in the request.
	maxItems = 10
	maxBytes = 20 << 20
)

// Tool searches. Safe for concurrent use.
type Tool struct {
	Searcher  *retrieval.Searcher
	Artifacts *artifact.Service
	// Reader parses texts and files of the request.
	Reader Reader
	// Scratch searches chunks that are not in an index.
	Scratch func(ctx context.Context, chunks []index.Chunk, q index.Query) (index.Result, bool, error)
}

// Reader parses files in a request.
type Reader interface {
	ReadBytes(ctx context.Context, name, mediaType string, data []byte) (*document.Document, error)
	ReadURL(ctx context.Context, url string) (*document.Document, error)
}

// Type is semantic_search_v1.
func (*Tool) Type() string { return Type }

// Describe returns the description for models.
func (*Tool) Describe() tool.Description {
	return tool.Description{
		Description: "Search the private documents of this conversation for passages about a question. Returns the best passages with their ids.",
		InputSchema: message.Object(`{"type":"object","properties":{"query":{"type":"string","description":"what to look for, as a full question or the key words"},` +
			`"artifact":{"type":"string","description":"id of an artifact to read more of, up to 64 passages, such as all rows of a table"}},"required":["query"]}`),
		Instructions: "Search before answering questions that private documents may answer, and search again with other words when the passages do not settle the question. Answer from the passages.",
	}
}

// Check reports contexts that cannot be searched.
func (t *Tool) Check(ctx context.Context, spec tool.Spec) error {
	return tool.CheckContext(ctx, t.Artifacts.CheckContext, t.read, spec.Context)
}

// Run searches every context and returns the best passages overall.
func (t *Tool) Run(ctx context.Context, call tool.Call) (tool.Result, error) {
	var input struct {
		Query    string `json:"query"`
		Artifact string `json:"artifact"`
	}
	if err := json.Unmarshal(call.Input, &input); err != nil || strings.TrimSpace(input.Query) == "" {
		return tool.Failed("the input needs a query"), nil
	}
	var chunks []retrieval.Chunk
	var material []passage.Passage
	var warnings []string
	searched := false
	for _, c := range call.Context {
		if c.Type != "ingested_artifact" || c.ContextFilter == nil {
			continue
		}
		searched = true
		q := retrieval.Query{Text: input.Query, Filter: *c.ContextFilter, Limit: hits}
		if input.Artifact != "" {
			if q.Filter.Artifacts != nil && !slices.Contains(q.Filter.Artifacts, input.Artifact) {
				continue
			}
			q.Filter.Artifacts, q.Limit = []string{input.Artifact}, hitsOfOne
		}
		found, err := t.Searcher.Search(ctx, q)
		if input.Artifact != "" && fault.Is(err, fault.NotFound) {
			continue
		}
		if err != nil {
			return tool.Result{}, err
		}
		warnings = append(warnings, found.Warnings...)
		if found.Relevant || input.Artifact != "" || oneTable(found.Hits) || namesColumn(input.Query, found.Hits) {
			chunks = append(chunks, found.Chunks...)
			material = append(material, Passages(found)...)
		}
	}
	var own []index.Hit
	brought := false
	if input.Artifact == "" {
		var err error
		if own, brought, err = t.brought(ctx, call.Context, input.Query); err != nil {
			return tool.Result{}, err
		}
	}
	for i := range own {
		chunks = append(chunks, retrieval.NewChunk(&own[i], artifact.Doc{Artifact: own[i].Artifact, Object: "ingest.document",
			Metadata: map[string]any{}}))
		material = append(material, passageOf(&own[i]))
	}
	if len(material) > 0 {
		content := message.Content{SourceBlock(chunks)}
		if len(warnings) > 0 {
			content = append(content, message.NewText(Partial(warnings)))
		}
		return tool.Result{Content: content, Material: material}, nil
	}
	if !searched && !brought {
		return tool.Failed("the tool has no context to search; give it context items of type ingested_artifact, file, text or uri"), nil
	}
	return tool.Result{Content: message.Content{SourceBlock(nil), message.NewText(Nothing(warnings))}, Nothing: true}, nil
}

// oneTable reports whether all that comes near is rows of one document: whatever words a question has, it is asked of these.
func oneTable(hits []index.Hit) bool {
	for i := range hits {
		h := &hits[i]
		first := firstRow(h)
		name, rest, ok := strings.Cut(first, ": ")
		record := ok && len(name) <= columnBytes && strings.Contains(rest, "; ") && strings.Contains(rest, ": ")
		if h.Artifact != hits[0].Artifact || h.Columns == "" && !record && !strings.HasPrefix(first, "|") {
			return false
		}
	}
	return len(hits) > 0
}

// firstRow returns the first line of a hit, without the mark of an item.
func firstRow(h *index.Hit) string {
	line, _, _ := strings.Cut(strings.TrimPrefix(h.Text, "- "), "\n")
	return line
}

// columnBytes is how long the name of a column is at most.
const columnBytes = 60

// namesColumn reports whether the best hits are of one document whose parts go on, begin with rows, and name a column that the query
// has a word of: each part of a large table is like all others, so that none stands out, and what is asked for is computed of all.
func namesColumn(query string, hits []index.Hit) bool {
	if len(hits) < tableParts {
		return false
	}
	asked := map[string]bool{}
	for _, w := range terms.Words(query) {
		asked[terms.Fold(w.Text)] = len(w.Text) >= columnLetters
	}
	for i := range hits[:tableParts] {
		h := &hits[i]
		if h.Artifact != hits[0].Artifact || !h.Continues && h.Order == 0 {
			return false
		}
		line := firstRow(h)
		if h.Columns != "" {
			line = strings.ReplaceAll(h.Columns, "|", ": ; ")
		}
		named := false
		for field := range strings.SplitSeq(line, "; ") {
			name, _, ok := strings.Cut(field, ": ")
			for _, w := range terms.Words(name) {
				named = named || ok && asked[terms.Fold(w.Text)]
			}
		}
		if !named {
			return false
		}
	}
	return true
}

const (
	tableParts    = 3 // of the hits, at least
	columnLetters = 3 // bytes of a word that may name a column
)

// Nothing is the text of a search without a passage; warnings say why.
func Nothing(warnings []string) string {
	if len(warnings) == 0 {
		return "No relevant passages were found."
	}
	return "No relevant passages were found: " + strings.Join(warnings, "; ") + "."
}

// Partial is the text beside passages of a search; warnings say why there may be more.
func Partial(warnings []string) string {
	return "Something that was asked for may be missing from these passages: " + strings.Join(warnings, "; ") + "."
}

// SourceBlock lists chunks as a sources block.
func SourceBlock(chunks []retrieval.Chunk) *message.Sources {
	b := &message.Sources{Sources: []message.SourceRecord{}}
	for _, c := range chunks {
		if raw, err := schema.Marshal(c); err == nil {
			b.Sources = append(b.Sources, message.SourceRecord(raw))
		}
	}
	return b
}

// Passages converts hits to citable passages.
func Passages(found *retrieval.Found) []passage.Passage {
	list := make([]passage.Passage, len(found.Hits))
	for i, h := range found.Hits {
		list[i] = passageOf(&h)
		list[i].ArtifactID, list[i].Collection = h.Artifact, h.Collection
		switch n := found.Chunks[i].Document.Metadata["chunk_count"].(type) {
		case int:
			list[i].Last = h.Order == n-1
		case float64:
			list[i].Last = h.Order == int(n)-1
		}
	}
	return list
}

func passageOf(h *index.Hit) passage.Passage {
	title := h.FileName
	if title == "" {
		title = h.Title
	}
	return passage.Passage{Kind: passage.Artifact, Key: "chunk\x00" + h.Collection + "\x00" + h.Artifact + "\x00" + h.ID, Title: title,
		Headings: h.Headings, Page: h.Page, Breaks: h.Breaks,
		Columns: h.Columns, Continues: h.Continues, Text: h.Text, Score: h.Score, Start: h.UTF16Start, ChunkID: h.ID}
}

// brought searches the texts, files and URLs of the contexts, which are read
// for this call and not stored.
func (t *Tool) brought(ctx context.Context, items []message.ContextItem, query string) ([]index.Hit, bool, error) {
	var chunks []index.Chunk
	count, size := 0, 0
	for i, c := range items {
		doc, err := t.read(ctx, c)
		if err != nil {
			return nil, true, err
		}
		if doc == nil {
			continue
		}
		count++
		if size += len(doc.Text); count > maxItems || size > maxBytes {
			return nil, true, fault.New(fault.TooLarge, "a search takes at most %d texts and files of together %d MiB", maxItems, maxBytes>>20)
		}
		name := c.FileName
		if name == "" {
			name = fmt.Sprintf("context %d", i+1)
		}
		// The id identifies the material by content, not by position: another tool of
		// the request may have different material at the same position.
		sum := sha256.Sum256([]byte(name + "\x00" + doc.Text))
		id := "context-" + hex.EncodeToString(sum[:6])
		for _, k := range chunk.Split(doc) {
			chunks = append(chunks, index.Chunk{ID: fmt.Sprintf("%s-%d", id, k.Order), Collection: "scratch", Artifact: name,
				Generation: fmt.Sprintf("%s-%d", id, i),
				Order:      k.Order, Text: k.Text, Start: k.Start, End: k.End, UTF16Start: k.UTF16Start, UTF16End: k.UTF16End, Title: doc.Title,
				FileName: name, ContentType: "text/plain", Headings: k.Headings, Page: k.Page, Breaks: k.Breaks,
				Columns: k.Columns, Continues: k.Continues, Tokens: k.Tokens})
		}
	}
	if count == 0 {
		return nil, false, nil
	}
	result, relevant, err := t.Scratch(ctx, chunks, index.Query{Collection: "scratch", Text: query, Limit: hits})
	if err != nil || !relevant {
		return nil, true, err
	}
	return result.Hits, true, nil
}

func (t *Tool) read(ctx context.Context, c message.ContextItem) (*document.Document, error) {
	switch c.Type {
	case "text":
		return t.Reader.ReadBytes(ctx, "context.txt", "text/plain", []byte(c.Value))
	case "uri":
		return t.Reader.ReadURL(ctx, c.Value)
	case "file":
		data, err := base64.StdEncoding.DecodeString(c.Value)
		if err != nil {
			return nil, fault.New(fault.Invalid, "a file of the tool's context is not valid base64")
		}
		return t.Reader.ReadBytes(ctx, c.FileName, "", data)
	}
	return nil, nil
}
