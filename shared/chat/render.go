package chat

import (
	"cmp"
	"context"
	"encoding/base64"
	"encoding/json"
	"fmt"
	"net/url"
	"path"
	"slices"
	"strconv"
	"strings"

	"lectern/shared/chat/model"
	"lectern/shared/fault"
	"lectern/shared/message"
	"lectern/shared/message/passage"
	"lectern/shared/text/chunk"
	"lectern/shared/text/document"
)

// Reader parses the files of a conversation.
type Reader interface {
	// ReadBytes parses a file, by its name's extension or its media type.
	ReadBytes(ctx context.Context, name, mediaType string, data []byte) (*document.Document, error)
	// ReadURL fetches and parses a file.
	ReadURL(ctx context.Context, url string) (*document.Document, error)
}

// Web accesses the URLs that blocks name.
type Web interface {
	// CheckURL rejects a URL that may not be fetched, without fetching it.
	CheckURL(ctx context.Context, url string) error
	// FetchURL fetches a URL.
	FetchURL(ctx context.Context, url string) (data []byte, mediaType string, err error)
}

// Files accesses the files of the session that a request's container names.
type Files interface {
	// Attachment returns a file; NotFound if it does not exist. data is nil for a
	// file that is too large to be read.
	Attachment(ctx context.Context, session, id string) (name, mediaType string, data []byte, err error)
	// Publish converts a file made by a tool as blob_visibility requires.
	Publish(ctx context.Context, session, visibility string, b *message.Binary) (*message.Binary, error)
}

// renderer converts the blocks of a request to blocks that every model accepts,
// and collects their passages.
type renderer struct {
	reader  Reader
	files   Files
	web     Web
	model   *model.Entry
	book    *passage.Book
	cite    bool   // the system prompt enables citations everywhere
	cited   bool   // some block requests citations
	marks   bool   // some passage has an id that the model may cite
	search  int    // search results so far
	session string // the session of file ids
}

// render converts one block to none or more; loc is its location in the request.
func (r *renderer) render(ctx context.Context, b message.Block, loc ...any) (message.Content, error) {
	if d, ok := b.(*message.Document); ok {
		return r.document(ctx, d, loc)
	}
	one, err := r.single(ctx, b, loc)
	if one == nil || err != nil {
		return nil, err
	}
	return message.Content{one}, nil
}

// note converts a block of a system message to text.
func (r *renderer) note(ctx context.Context, b message.Block, loc ...any) (string, error) {
	switch b := b.(type) {
	case *message.Document:
		shown, err := r.converted(ctx, b, loc)
		return plainText(shown), err
	case *message.SearchResult:
		return plainText(message.Content{r.searchResult(b)}), nil
	}
	shown, err := r.render(ctx, b, loc...)
	return plainText(shown), err
}

// single converts a block that is not a document.
func (r *renderer) single(ctx context.Context, b message.Block, loc []any) (message.Block, error) {
	switch b := b.(type) {
	case *message.Text:
		if b.Text == "" {
			return nil, nil
		}
		return b, nil
	case *message.ToolUse, *message.Thinking, *message.RedactedThinking:
		return b, nil
	case *message.Image:
		if !r.model.Can.Images {
			return nil, r.unfit("images", loc)
		}
		source, err := r.picture(ctx, b.Source, append(loc, "source"))
		if err != nil {
			return nil, err
		}
		return &message.Image{Source: source, CacheControl: b.CacheControl}, nil
	case *message.Audio:
		if !r.model.Can.Audio {
			return nil, r.unfit("audio", loc)
		}
		source, err := r.sound(ctx, b.Source, append(loc, "source"))
		if err != nil {
			return nil, err
		}
		return &message.Audio{Source: source, CacheControl: b.CacheControl}, nil
	case *message.ToolResult:
		return r.result(ctx, b, loc)
	case *message.SearchResult:
		if r.model.Can.Native {
			r.cited = r.cited || b.Citations.Enabled
			return b, nil
		}
		return r.searchResult(b), nil
	case *message.ContainerUpload:
		return r.upload(ctx, b, loc)
	}
	return text(describe(b)), nil
}

// picture converts an image's source for a provider: a session file becomes its
// bytes, and a URL must be one that the service itself may fetch.
func (r *renderer) picture(ctx context.Context, s *message.Source, loc []any) (*message.Source, error) {
	switch s.Type {
	case "url":
		if r.web == nil {
			return s, nil
		}
		return s, moved(r.web.CheckURL(ctx, s.URL), append(loc, "url"))
	case "file":
		_, kind, data, err := r.attached(ctx, s.FileID, append(loc, "file_id"))
		if err != nil {
			return nil, err
		}
		kind, _, _ = strings.Cut(kind, ";")
		if data == nil || !slices.Contains(imageTypes, kind) {
			return nil, fault.Field("value_error", "the file is not an image of type "+strings.Join(imageTypes, ", ")+", or too large",
				append(loc, "file_id")...)
		}
		return &message.Source{Type: "base64", MediaType: kind, Data: base64.StdEncoding.EncodeToString(data)}, nil
	}
	return s, nil
}

// sound converts an audio's source for a provider: a URL becomes its bytes.
func (r *renderer) sound(ctx context.Context, s *message.Source, loc []any) (*message.Source, error) {
	if s.Type != "url" {
		return s, nil
	}
	if r.web == nil {
		return nil, fault.New(fault.Unsupported, "this deployment does not fetch URLs")
	}
	data, kind, err := r.web.FetchURL(ctx, s.URL)
	if err != nil {
		return nil, moved(err, append(loc, "url"))
	}
	if !strings.HasPrefix(kind, "audio/") || len(data) == 0 {
		return nil, fault.Field("value_error", "the URL does not serve audio", append(loc, "url")...)
	}
	return &message.Source{Type: "base64", MediaType: kind, Data: base64.StdEncoding.EncodeToString(data)}, nil
}

// takes reports whether the provider reads a document itself: texts, content blocks
// and PDF files.
func (r *renderer) takes(s *message.Source) bool {
	if !r.model.Can.Native {
		return false
	}
	switch s.Type {
	case "text", "content":
		return true
	case "base64":
		return s.MediaType == "application/pdf"
	case "url":
		u, err := url.Parse(s.URL)
		return err == nil && strings.HasSuffix(strings.ToLower(u.Path), ".pdf")
	}
	return false
}

// document passes a document on to a provider that reads it itself and makes its
// citations, or converts it to text.
func (r *renderer) document(ctx context.Context, b *message.Document, loc []any) (message.Content, error) {
	if !r.takes(b.Source) {
		return r.converted(ctx, b, loc)
	}
	source := *b.Source
	if source.Type == "url" && r.web != nil {
		if err := moved(r.web.CheckURL(ctx, source.URL), append(loc, "source", "url")); err != nil {
			return nil, err
		}
	}
	source.Content = nil
	for k, inner := range b.Source.Content {
		shown, err := r.render(ctx, inner, append(slices.Clone(loc), "source", "content", k)...)
		if err != nil {
			return nil, err
		}
		source.Content = append(source.Content, shown...)
	}
	r.book.NextDocument()
	r.cited = r.cited || b.Citations.Enabled
	out := *b
	out.Source, out.Title = &source, cmp.Or(b.Title, fileOf(source.URL))
	return message.Content{&out}, nil
}

func (r *renderer) unfit(what string, loc []any) error {
	return fault.Field("value_error", fmt.Sprintf("model %s does not take %s", r.model.ID, what), append(loc, "type")...)
}

func text(s string) message.Block {
	if s == "" {
		return nil
	}
	return message.NewText(s)
}

// describe renders a block as text.
func describe(b message.Block) string {
	switch b := b.(type) {
	case *message.Text:
		return b.Text
	case *message.Binary:
		return file(b.Filename, b.Source)
	case *message.LocalResource:
		return fmt.Sprintf("[file %s (%s) at %s]", b.Name, b.MimeType, b.FilePath)
	case *message.ResourceLink:
		return fmt.Sprintf("[resource %s at %s] %s", b.Name, b.URI, b.Description)
	case *message.Resource:
		return strings.TrimSpace(fmt.Sprintf("[resource %s at %s] %s\n%s", b.Resource.Name, b.Resource.URI, b.Resource.Description,
			b.Resource.Text))
	case *message.Sources:
		return sources(b.Sources)
	case *message.MidConvSystem:
		return "[system note] " + plainText(b.Content)
	case *message.TLDR:
		return "[summary of earlier turns] " + plainText(b.Content)
	case *message.ToolReference:
		return "[tool " + b.ToolName + "]"
	case *message.SearchResult:
		return b.Title + "\n" + plainText(b.Content)
	}
	return ""
}

// file renders a binary block: its content if its type is textual.
func file(name string, s *message.Source) string {
	if s == nil || s.Type != "base64" || !strings.HasPrefix(s.MediaType, "text/") && s.MediaType != "application/json" {
		return "[file " + name + "]"
	}
	data, err := base64.StdEncoding.DecodeString(s.Data)
	if err != nil {
		return "[file " + name + "]"
	}
	return strings.ToValidUTF8(string(data), "\uFFFD")
}

// sources renders the texts of chunks or websites.
func sources(list []message.SourceRecord) string {
	var parts []string
	for _, raw := range list {
		var one struct{ Text, Content, Title, URL string }
		if json.Unmarshal(raw, &one) == nil {
			parts = append(parts, strings.TrimSpace(one.Title+"\n"+one.URL+"\n"+one.Text+one.Content))
		}
	}
	return strings.Join(parts, "\n\n")
}

func (r *renderer) result(ctx context.Context, b *message.ToolResult, loc []any) (message.Block, error) {
	out := &message.ToolResult{ToolUseID: b.ToolUseID, IsError: b.IsError, CacheControl: b.CacheControl}
	if b.Content.Raw != nil {
		if out.Content.Blocks = r.fetched(ctx, b, loc); out.Content.Blocks != nil {
			return out, nil
		}
		out.Content.Blocks = message.Content{message.NewText(string(b.Content.Raw))}
		return out, nil
	}
	for k, inner := range b.Content.Blocks {
		if _, twice := inner.(*message.Sources); twice && len(b.Content.Blocks) > 1 {
			continue // its texts are in separate blocks
		}
		if b.Tag == "mcp_tool_result" { // possibly called by another model
			inner = readable(inner, r.model)
		}
		shown, err := r.render(ctx, inner, append(slices.Clone(loc), "content", k)...)
		if err != nil {
			return nil, err
		}
		if t, ok := inner.(*message.Text); ok && t.Text != "" {
			r.book.Add(passage.Passage{Text: t.Text})
		}
		out.Content.Blocks = append(out.Content.Blocks, shown...)
	}
	return out, nil
}

// fetched renders the document of an earlier web_fetch as one of the request; nil for
// results that hold none, or none that can be read.
func (r *renderer) fetched(ctx context.Context, b *message.ToolResult, loc []any) message.Content {
	var page struct{ Content *message.Document }
	if b.Tag != "web_fetch_tool_result" || json.Unmarshal(b.Content.Raw, &page) != nil || page.Content == nil || page.Content.Source == nil {
		return nil
	}
	shown, err := r.document(ctx, page.Content, loc)
	if err != nil {
		return nil
	}
	return shown
}

func (r *renderer) searchResult(b *message.SearchResult) message.Block {
	citable := r.cite || b.Citations.Enabled
	r.cited, r.marks = r.cited || citable, r.marks || citable
	var out strings.Builder
	fmt.Fprintf(&out, "<search_result title=%q source=%q>\n", fenced(b.Title), fenced(b.Source))
	for i, c := range b.Content {
		p := r.book.Add(passage.Passage{
			Kind: passage.SearchResult, Key: "search\x00" + strconv.Itoa(r.search) + "\x00" + strconv.Itoa(i) + "\x00" + b.Source,
			Title: b.Title, Source: b.Source, Text: plainText(message.Content{c}), Citable: citable, SearchIndex: r.search, BlockIndex: i,
		})
		r.mark(&out, p)
	}
	r.search++
	out.WriteString("</search_result>")
	return message.NewText(out.String())
}

// mark writes a passage, preceded by its id if it may be cited.
func (r *renderer) mark(out *strings.Builder, p passage.Passage) {
	out.WriteString(marker(p) + fenced(r.book.Defused(p.Text)) + "\n")
}

// converted parses a document and splits it into passages, followed by its images.
func (r *renderer) converted(ctx context.Context, b *message.Document, loc []any) (message.Content, error) {
	loc = append(loc, "source")
	doc, name, err := r.read(ctx, b, loc)
	if err != nil {
		return nil, moved(err, loc)
	}
	named := *b
	named.Title = cmp.Or(b.Title, name)
	paged := doc.Pages > 0 && (b.Source.MediaType == "application/pdf" || strings.EqualFold(path.Ext(cmp.Or(name, b.Title)), ".pdf"))
	out := message.Content{r.passages(&named, doc, paged)}
	for k, inner := range b.Source.Content {
		if _, ok := inner.(*message.Text); ok {
			continue
		}
		shown, err := r.render(ctx, inner, append(slices.Clone(loc), "content", k)...)
		if err != nil {
			return nil, err
		}
		out = append(out, shown...)
	}
	return out, nil
}

// passages renders a parsed document, split into passages; paged says that it is
// cited by pages, as a PDF is.
func (r *renderer) passages(b *message.Document, doc *document.Document, paged bool) message.Block {
	title := cmp.Or(b.Title, doc.Title)
	citable := r.cite || b.Citations.Enabled
	r.cited, r.marks = r.cited || citable, r.marks || citable
	index := r.book.NextDocument()
	var out strings.Builder
	fmt.Fprintf(&out, "<document index=\"%d\" title=%q>\n", index, fenced(title))
	if b.Context != "" {
		fmt.Fprintf(&out, "<context>%s</context>\n", fenced(b.Context))
	}
	chunks := chunk.Split(doc)
	added := make([]passage.Passage, len(chunks))
	for i, c := range chunks {
		added[i] = r.book.Add(passage.Passage{
			Kind: passage.Document, Key: fmt.Sprintf("document\x00%d\x00%d\x00%s", index, c.Start, c.Text),
			Title: title, Page: c.Page, Paged: paged && c.Page > 0, Breaks: c.Breaks, Columns: c.Columns, Continues: c.Continues,
			Last: i == len(chunks)-1, Text: c.Text, Citable: citable, Start: c.UTF16Start, DocumentIndex: index,
		})
	}
	for _, p := range added {
		r.mark(&out, p)
	}
	out.WriteString("</document>")
	return message.NewText(out.String())
}

// read parses a document. name is that of its file, empty if it has none.
func (r *renderer) read(ctx context.Context, b *message.Document, loc []any) (doc *document.Document, name string, err error) {
	s := b.Source
	switch s.Type {
	case "text":
		return plainDocument(s.Data), "", nil
	case "content":
		return plainDocument(plainText(s.Content)), "", nil
	case "base64":
		data, err := base64.StdEncoding.DecodeString(s.Data)
		if err != nil {
			return nil, "", fault.Field("base64", "data is not valid base64", append(loc, "data")...)
		}
		doc, err = r.reader.ReadBytes(ctx, b.Title, s.MediaType, data)
		return doc, "", err
	case "url":
		doc, err = r.reader.ReadURL(ctx, s.URL)
		return doc, fileOf(s.URL), err
	case "file":
		name, kind, data, err := r.attached(ctx, s.FileID, append(loc, "file_id"))
		if err != nil {
			return nil, "", err
		}
		if data == nil {
			return nil, "", fault.Field("too_large", "the file is too large to read", append(loc, "file_id")...)
		}
		doc, err = r.reader.ReadBytes(ctx, name, kind, data)
		return doc, name, err
	}
	return nil, "", fault.Field("value_error", "document source type '"+s.Type+"' is not supported here", append(loc, "type")...)
}

// fileOf returns the name of the file that a URL ends in; empty if it names none.
func fileOf(address string) string {
	u, err := url.Parse(address)
	if err != nil || path.Ext(u.Path) == "" {
		return ""
	}
	return path.Base(u.Path)
}

// moved prefixes the locations of a reader's problems with that of the file.
func moved(err error, loc []any) error {
	f := fault.As(err)
	if f == nil || len(f.Problems) == 0 {
		return err
	}
	problems := slices.Clone(f.Problems)
	for i := range problems {
		if len(problems[i].Loc) < len(loc) || !nested(problems[i].Loc, loc) {
			problems[i].Loc = loc
		}
	}
	return fault.Problems(problems)
}

// plainDocument wraps a text unchanged, so that offsets into it match the client's.
func plainDocument(s string) *document.Document {
	return &document.Document{Text: s, Root: document.Node{ID: "0", Type: document.Root, End: len(s)}}
}

// attached returns a file that a block names; errors of the request become
// problems at loc.
func (r *renderer) attached(ctx context.Context, id string, loc []any) (name, mediaType string, data []byte, err error) {
	if r.files == nil {
		return "", "", nil, &fault.Error{Code: fault.Unavailable, NoRetry: true, Msg: "files are not configured"}
	}
	name, mediaType, data, err = r.files.Attachment(ctx, r.session, id)
	switch {
	case fault.Is(err, fault.NotFound) && r.session == "":
		return "", "", nil, fault.Field("value_error",
			fmt.Sprintf("there is no file %q outside sessions; set container to the scope_id of the one that has it", id), loc...)
	case fault.Is(err, fault.NotFound):
		return "", "", nil, fault.Field("value_error", fmt.Sprintf("container %q has no file %q", r.session, id), loc...)
	}
	return name, mediaType, data, err
}

// upload gives the model the text of an uploaded file or, if no reader supports it,
// a description of the file.
func (r *renderer) upload(ctx context.Context, b *message.ContainerUpload, loc []any) (message.Block, error) {
	name, kind, data, err := r.attached(ctx, b.FileID, append(loc, "file_id"))
	if err != nil {
		return nil, err
	}
	if data != nil {
		doc, err := r.reader.ReadBytes(ctx, name, kind, data)
		if err == nil {
			return r.passages(&message.Document{Title: name}, doc, false), nil
		}
		if f := fault.As(err); f == nil || f.Code == fault.Internal {
			return nil, err
		}
	}
	return message.NewText(fmt.Sprintf("[uploaded file %s (%s), which cannot be read as text]", name, kind)), nil
}
