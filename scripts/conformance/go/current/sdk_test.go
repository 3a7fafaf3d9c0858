// Package sdk runs the official Go SDK, unchanged, against the service at
// BASE_URL. The previous generation of the SDK runs the same file with its
// import path changed; see scripts/conformance/run.sh.
package sdk

import (
	"encoding/json"
	"errors"
	"os"
	"strings"
	"testing"

	"github.com/anthropics/anthropic-sdk-go/v2"
	"github.com/anthropics/anthropic-sdk-go/v2/option"
)

const text = "Cats sleep fourteen hours a day. They were first tamed in the Near East around 7500 BC. A group of cats is called a clowder."

func client(t *testing.T) anthropic.Client {
	base := os.Getenv("BASE_URL")
	if base == "" {
		t.Skip("BASE_URL names no running service")
	}
	return anthropic.NewClient(option.WithBaseURL(base), option.WithAPIKey("none"), option.WithMaxRetries(0))
}

func ask(blocks ...anthropic.ContentBlockParamUnion) anthropic.MessageNewParams {
	return anthropic.MessageNewParams{Model: "default", MaxTokens: 400, Messages: []anthropic.MessageParam{anthropic.NewUserMessage(blocks...)}}
}

func said(m *anthropic.Message) string {
	var out strings.Builder
	for _, b := range m.Content {
		out.WriteString(b.Text)
	}
	return out.String()
}

func TestCreateAndStream(t *testing.T) {
	c := client(t)
	m, err := c.Messages.New(t.Context(), ask(anthropic.NewTextBlock("Hello")))
	if err != nil {
		t.Fatal(err)
	}
	if m.StopReason != "end_turn" || said(m) == "" || m.Usage.OutputTokens == 0 {
		t.Errorf("New = %s", m.RawJSON())
	}
	stream := c.Messages.NewStreaming(t.Context(), ask(anthropic.NewTextBlock("Hello")))
	var folded anthropic.Message
	for stream.Next() {
		if err := folded.Accumulate(stream.Current()); err != nil {
			t.Fatal(err)
		}
	}
	if err := stream.Err(); err != nil {
		t.Fatal(err)
	}
	if said(&folded) != said(m) {
		t.Errorf("streamed %q, want %q", said(&folded), said(m))
	}
}

func TestTools(t *testing.T) {
	c := client(t)
	p := ask(anthropic.NewTextBlock("What is the weather in Paris?"))
	p.Tools = []anthropic.ToolUnionParam{anthropic.ToolUnionParamOfTool(anthropic.ToolInputSchemaParam{
		Properties: map[string]any{"location": map[string]any{"type": "string"}}, Required: []string{"location"},
	}, "get_weather")}
	p.ToolChoice = anthropic.ToolChoiceParamOfTool("get_weather")
	m, err := c.Messages.New(t.Context(), p)
	if err != nil {
		t.Fatal(err)
	}
	var input struct{ Location string }
	if m.StopReason != "tool_use" || json.Unmarshal(m.Content[0].Input, &input) != nil || input.Location != "Paris" {
		t.Fatalf("forced tool: %s", m.RawJSON())
	}
	p.Messages = append(p.Messages, m.ToParam(), anthropic.NewUserMessage(anthropic.NewToolResultBlock(m.Content[0].ID, "The weather in Paris is sunny.", false)))
	p.ToolChoice = anthropic.ToolChoiceUnionParam{}
	if m, err = c.Messages.New(t.Context(), p); err != nil || !strings.Contains(said(m), "sunny") {
		t.Errorf("after the result: %v, %v", m, err)
	}
}

func TestDocumentsAreCited(t *testing.T) {
	c := client(t)
	doc := anthropic.NewDocumentBlock(anthropic.PlainTextSourceParam{Data: text})
	doc.OfDocument.Citations.Enabled = anthropic.Bool(true)
	m, err := c.Messages.New(t.Context(), ask(doc, anthropic.NewTextBlock("When were cats first tamed?")))
	if err != nil {
		t.Fatal(err)
	}
	cited := 0
	for _, b := range m.Content {
		for _, k := range b.Citations {
			cited++
			if got := text[k.StartCharIndex:k.EndCharIndex]; got != k.CitedText {
				t.Errorf("citation quotes %q, the document has %q there", k.CitedText, got)
			}
		}
	}
	if cited == 0 {
		t.Errorf("no citation in %s", m.RawJSON())
	}
}

func TestThinking(t *testing.T) {
	c := client(t)
	p := ask(anthropic.NewTextBlock("Hello"))
	p.MaxTokens = 4000
	p.Thinking = anthropic.ThinkingConfigParamOfEnabled(1024)
	m, err := c.Messages.New(t.Context(), p)
	if err != nil {
		t.Fatal(err)
	}
	if m.Content[0].Type != "thinking" || m.Content[0].Signature == "" {
		t.Errorf("thinking: %s", m.RawJSON())
	}
}

func TestModelsAndCounts(t *testing.T) {
	c := client(t)
	pager := c.Models.ListAutoPaging(t.Context(), anthropic.ModelListParams{Limit: anthropic.Int(1)})
	n := 0
	for pager.Next() {
		n++
	}
	if pager.Err() != nil || n < 2 {
		t.Errorf("models: %d, %v", n, pager.Err())
	}
	count, err := c.Messages.CountTokens(t.Context(), anthropic.MessageCountTokensParams{Model: "default", Messages: ask(anthropic.NewTextBlock("Hello")).Messages})
	if err != nil || count.InputTokens == 0 {
		t.Errorf("CountTokens = %v, %v", count, err)
	}
}

func TestErrors(t *testing.T) {
	c := client(t)
	p := ask(anthropic.NewTextBlock("Hello"))
	p.Model = "gpt-none"
	_, err := c.Messages.New(t.Context(), p)
	var e *anthropic.Error
	if !errors.As(err, &e) || e.StatusCode != 404 || !strings.HasPrefix(e.RequestID, "req_") {
		t.Errorf("unknown model: %v", err)
	}
	p = ask(anthropic.NewTextBlock("Hello"))
	if _, err := c.Messages.New(t.Context(), p, option.WithJSONSet("temperature", 3)); !errors.As(err, &e) || e.StatusCode != 422 {
		t.Errorf("bad temperature: %v", err)
	}
}
