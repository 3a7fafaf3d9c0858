package chat

import (
	"cmp"
	"context"
	"fmt"
	"regexp"
	"strconv"
	"strings"
	"sync"

	"go.opentelemetry.io/otel/attribute"

	"lectern/shared/chat/model"
	"lectern/shared/chat/tool"
	"lectern/shared/fault"
	"lectern/shared/fault/trace"
	"lectern/shared/message"
	"lectern/shared/message/passage"
	"lectern/shared/web"
)

// call is one call of a tool that the service runs.
type call struct {
	id     string
	name   string // as the model wrote it
	input  message.Object
	tool   *declared // nil when the model may not call a tool of this name
	spent  bool      // the request's limit of uses is reached
	broken bool      // the input is not a JSON object
}

// server returns the MCP server that runs the call; empty for the service's own
// tools.
func (c *call) server() string {
	if c.tool == nil || c.tool.function == nil {
		return ""
	}
	return c.tool.function.Server
}

// shown returns the block that shows the call to the client.
func (c *call) shown() message.Block {
	if server := c.server(); server != "" {
		return &message.MCPToolUse{ID: c.id, Name: c.name, ServerName: server}
	}
	return &message.ServerToolUse{ID: c.id, Name: c.name}
}

// outcome is the result of one call.
type outcome struct {
	call   *call
	result tool.Result
}

// callAll runs the calls concurrently, or in sequence if the request says so,
// sends their results in the order of the calls, and returns the results as the
// model sees them.
func (a *answer) callAll(ctx context.Context, calls []*call) message.Content {
	outcomes := make([]chan outcome, len(calls))
	var group sync.WaitGroup
	defer group.Wait()
	for i, call := range calls {
		call.count()
		outcomes[i] = make(chan outcome, 1)
		if !a.talk.next.Choice.DisableParallel {
			group.Go(func() { outcomes[i] <- outcome{call, a.call(ctx, call)} })
		}
	}
	var results message.Content
	for i, call := range calls {
		a.out.call(call.shown(), call.input)
		a.out.flush()
		if a.talk.next.Choice.DisableParallel {
			outcomes[i] <- outcome{call, a.call(ctx, call)}
		}
		o := <-outcomes[i]
		if err := ctx.Err(); err != nil {
			a.out.fail(err)
			return nil
		}
		if d := o.call.tool; d != nil && d.kit != nil && d.kit.Saw != nil {
			d.kit.Saw(d.function.Name, o.call.input, !o.result.IsError)
		}
		a.charge(o.result.Use)
		shown, seen := a.present(ctx, o)
		a.out.whole(shown)
		results = append(results, seen)
	}
	return results
}

// count records one more use of a tool with a limit.
func (c *call) count() {
	if c.tool == nil || c.tool.spec.MaxUses == nil {
		return
	}
	c.spent = c.tool.uses >= *c.tool.spec.MaxUses
	c.tool.uses++
}

// charge adds a tool's usage to the answer's.
func (a *answer) charge(use message.ServerUse) {
	if use == (message.ServerUse{}) {
		return
	}
	if a.usage.ServerToolUse == nil {
		a.usage.ServerToolUse = &message.ServerUse{}
	}
	a.usage.ServerToolUse.WebFetch += use.WebFetch
	a.usage.ServerToolUse.WebSearch += use.WebSearch
}

// call runs one tool. Every failure becomes a result with is_error.
func (a *answer) call(ctx context.Context, c *call) (result tool.Result) {
	defer func() {
		if p := recover(); p != nil {
			a.engine.Log.ErrorContext(ctx, "tool panicked", "tool", c.name, "panic", p)
			result = c.refused("unavailable", "the tool failed")
		}
	}()
	if c.tool == nil {
		return tool.Failed(fmt.Sprintf("there is no tool named %q", c.name))
	}
	if c.spent {
		return c.refused("max_uses_exceeded", fmt.Sprintf("the request allows %d uses of this tool, and no more", *c.tool.spec.MaxUses))
	}
	if c.broken {
		return c.refused("invalid_tool_input", "the tool's input is not a JSON object")
	}
	limited, cancel := context.WithTimeout(ctx, toolTimeout)
	defer cancel()
	limited, span := trace.Start(limited, "execute_tool "+c.name, attribute.String("gen_ai.operation.name", "execute_tool"),
		attribute.String("gen_ai.tool.name", c.name))
	result, err := c.tool.function.Run(limited, tool.Call{
		Spec: specOf(a.talk.request, c.tool.spec), Input: c.input, Cite: a.talk.cite, Model: a.talk.entry.ID,
		Given: a.talk.given(c.tool),
	})
	if result.IsError {
		span.Fail("tool_error")
	}
	span.End(err)
	if err == nil {
		return result
	}
	if limited.Err() != nil && ctx.Err() == nil {
		return c.refused("unavailable", "the tool did not answer in time")
	}
	if fault.CodeOf(err) != fault.Internal {
		return c.refused("unavailable", fault.Public(err))
	}
	a.engine.Log.ErrorContext(ctx, "tool failed", "tool", c.name, "error", err)
	return c.refused("unavailable", "the tool failed")
}

// given returns the addresses in what the model was told, for a tool that needs them.
func (c *conversation) given(d *declared) web.Addresses {
	if d.tool == nil || !d.tool.Describe().Addresses {
		return nil
	}
	found := web.Addresses{}
	found.Find(c.next.SystemText())
	for _, m := range c.next.Messages {
		if m.Role != message.RoleAssistant {
			findAddresses(found, m.Content)
		}
	}
	return found
}

func findAddresses(found web.Addresses, content message.Content) {
	for _, b := range content {
		switch b := b.(type) {
		case *message.Text:
			found.Find(b.Text)
		case *message.ToolResult:
			findAddresses(found, b.Content.Blocks)
		case *message.SearchResult:
			found.Find(b.Source)
			findAddresses(found, b.Content)
		case *message.Document:
			if b.Source != nil {
				found.Find(b.Source.URL)
				if b.Source.Type == "text" {
					found.Find(b.Source.Data)
				}
				findAddresses(found, b.Source.Content)
			}
		}
	}
}

// refused is an error result, with its code where the tool's results have one.
func (c *call) refused(code, why string) tool.Result {
	if c.tool != nil && c.tool.tool != nil {
		if tag := c.tool.tool.Describe().Results; tag != "" {
			return tool.Refused(tag, code, why)
		}
	}
	return tool.Failed(why)
}

// present returns the client's view of a result and the model's. In both,
// passages are marked with their ids; the client's view includes the service's
// own blocks only if the request shows them, the model's says where each passage
// is from.
func (a *answer) present(ctx context.Context, o outcome) (shown, seen *message.ToolResult) {
	shown = &message.ToolResult{ToolUseID: o.call.id, IsError: o.result.IsError}
	if o.call.server() != "" {
		shown.Tag = "mcp_tool_result"
	}
	seen = &message.ToolResult{ToolUseID: o.call.id, IsError: o.result.IsError}
	for _, b := range o.result.Content {
		published := a.publish(ctx, b)
		if a.talk.system.vendor || !vendorOnly(b) {
			shown.Content.Blocks = append(shown.Content.Blocks, published)
		}
		if !vendorOnly(b) || o.call.server() != "" {
			seen.Content.Blocks = append(seen.Content.Blocks, readable(b, &a.talk.entry))
		}
	}
	added := make([]passage.Passage, len(o.result.Material))
	for i, p := range o.result.Material {
		p.Citable = a.talk.cite && p.Kind != passage.Plain
		added[i] = a.talk.book.Add(p)
	}
	for _, p := range added {
		shown.Content.Blocks = append(shown.Content.Blocks, message.NewText(markedText(p)))
		p.Text = a.talk.book.Defused(p.Text)
		seen.Content.Blocks = append(seen.Content.Blocks, message.NewText(quotedText(p)))
	}
	if len(shown.Content.Blocks) == 0 {
		shown.Content.Blocks = message.Content{message.NewText("(no output)")}
		seen.Content.Blocks = shown.Content.Blocks
	}
	if len(o.result.Material) == 0 && !o.result.IsError {
		for _, b := range seen.Content.Blocks {
			if t, ok := b.(*message.Text); ok && len(o.result.Content) > 0 && !o.result.Nothing {
				a.talk.book.Add(passage.Passage{Text: t.Text})
			}
		}
	}
	if own := o.result.Own; own != nil {
		if shown.Tag = own.Tag; !a.talk.system.vendor || shown.IsError {
			shown.Content = message.ResultContent{Raw: own.Content}
		}
	}
	return shown, seen
}

// publish converts a file, an image or a sound as the request's blob_visibility
// requires.
func (a *answer) publish(ctx context.Context, b message.Block) message.Block {
	if a.engine.Files == nil || a.talk.system.blobs == "" {
		return b
	}
	switch b := b.(type) {
	case *message.Binary:
		return a.published(ctx, b, func(s *message.Binary) message.Block { return s })
	case *message.Image:
		return a.published(ctx, a.fileOf(b.Source), func(f *message.Binary) message.Block {
			return &message.Image{Base: b.Base, Source: f.Source}
		})
	case *message.Audio:
		return a.published(ctx, a.fileOf(b.Source), func(f *message.Binary) message.Block {
			return &message.Audio{Base: b.Base, Source: f.Source}
		})
	}
	return b
}

// fileOf names an image or a sound by its type.
func (a *answer) fileOf(s *message.Source) *message.Binary {
	kind, ext, _ := strings.Cut(s.MediaType, "/")
	return &message.Binary{Source: s, Filename: a.engine.IDs.Fresh(kind+"_") + "." + ext}
}

func (a *answer) published(ctx context.Context, file *message.Binary, block func(*message.Binary) message.Block) message.Block {
	shown, err := a.engine.Files.Publish(ctx, a.talk.request.Container.ID, a.talk.system.blobs, file)
	if err != nil {
		a.engine.Log.ErrorContext(ctx, "tool file could not be published", "error", err)
		return message.NewText("(the file " + file.Filename + " could not be kept)")
	}
	return block(shown)
}

// readable converts a block of a result to one that the model accepts.
func readable(b message.Block, m *model.Entry) message.Block {
	switch b.(type) {
	case *message.Text:
		return b
	case *message.Image:
		if m.Can.Images {
			return b
		}
		return message.NewText("[picture, which this model cannot see]")
	case *message.Audio:
		if m.Can.Audio {
			return b
		}
		return message.NewText("[sound, which this model cannot hear]")
	}
	return message.NewText(describe(b))
}

func markedText(p passage.Passage) string { return marker(p) + p.Text }

// marker stands before a passage that may be cited.
func marker(p passage.Passage) string {
	if p.ID == "" || !p.Citable {
		return ""
	}
	return "[" + p.ID + "] "
}

// quotedText is a passage as a model reads it: marked, with the document, the
// section and the page that it is from, and fenced. Passages that are no quotations,
// such as the result of a computation, stay as they are.
func quotedText(p passage.Passage) string {
	if p.Kind == passage.Plain {
		return markedText(p)
	}
	var out strings.Builder
	out.WriteString(marker(p) + "<passage")
	attribute := func(name, value string) {
		if value = strings.Join(strings.Fields(value), " "); value != "" {
			out.WriteString(" " + name + `="` + attributes.Replace(value) + `"`)
		}
	}
	attribute("document", cmp.Or(p.Title, p.ArtifactID))
	attribute("source", p.Source)
	attribute("section", strings.Join(p.Headings, " > "))
	if p.Page > 0 {
		attribute("page", strconv.Itoa(p.Page))
	}
	attribute("columns", p.Columns)
	out.WriteString(">\n" + fenced(p.Text) + "\n</passage>")
	return out.String()
}

// attributes keeps a value inside its quotation marks.
var attributes = strings.NewReplacer(`"`, "'", "<", "‹")

// fences matches the tags around quoted material.
var fences = sync.OnceValue(func() *regexp.Regexp {
	return regexp.MustCompile(`(?i)<(\s*/?\s*(?:passage|document|search_result)\b)`)
})

// fenced keeps a text from ending the quotation that it stands in.
func fenced(text string) string {
	if strings.IndexByte(text, '<') < 0 {
		return text
	}
	return fences().ReplaceAllString(text, "‹$1")
}

// vendorOnly reports whether a block type is an extension of the service.
func vendorOnly(b message.Block) bool {
	switch b.(type) {
	case *message.Sources, *message.Binary, *message.TLDR:
		return true
	}
	return false
}
