// Package sdk runs the official Go SDK, unchanged, against the service at
// BASE_URL. The previous generation of the SDK runs the same file with its
// import path changed; see scripts/conformance/run.sh.
package sdk

import (
	"encoding/json"
	"errors"
	"fmt"
	"io"
	"net/http"
	"os"
	"strings"
	"testing"
	"time"

	"github.com/anthropics/anthropic-sdk-go/v2"
	"github.com/anthropics/anthropic-sdk-go/v2/option"
	"github.com/anthropics/anthropic-sdk-go/v2/packages/ssestream"
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
	p.Messages = append(p.Messages, m.ToParam(), anthropic.NewUserMessage(anthropic.NewToolResultBlock(m.Content[0].ID, "The weather in Paris is sunny.",
		false)))
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
	count, err := c.Messages.CountTokens(t.Context(), anthropic.MessageCountTokensParams{Model: "default",
		Messages: ask(anthropic.NewTextBlock("Hello")).Messages})
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

// session is a client whose default query names a session and a collection of
// its own.
func session(t *testing.T) anthropic.Client {
	client(t)
	own := fmt.Sprintf("go-%d", time.Now().UnixNano())
	return anthropic.NewClient(option.WithBaseURL(os.Getenv("BASE_URL")), option.WithAPIKey("none"), option.WithMaxRetries(0),
		option.WithQuery("scope_id", own), option.WithQuery("collection", own))
}

func TestFiles(t *testing.T) {
	c := session(t)
	var ids []string
	for _, name := range []string{"a.csv", "b c.csv", "Über.csv"} {
		f, err := c.Beta.Files.Upload(t.Context(), anthropic.BetaFileUploadParams{File: anthropic.File(strings.NewReader("x,y\n1,2\n"), name, "text/csv")})
		if err != nil {
			t.Fatal(err)
		}
		if f.Filename != name || f.SizeBytes != 8 || f.MimeType != "text/csv" || f.CreatedAt.IsZero() {
			t.Errorf("Upload = %s", f.RawJSON())
		}
		ids = append(ids, f.ID)
	}
	pager := c.Beta.Files.ListAutoPaging(t.Context(), anthropic.BetaFileListParams{Limit: anthropic.Int(2)})
	var listed []string
	for pager.Next() {
		listed = append(listed, pager.Current().ID)
	}
	if pager.Err() != nil || strings.Join(listed, " ") != strings.Join(ids, " ") {
		t.Errorf("List = %q, %v; want %q", listed, pager.Err(), ids)
	}
	for _, id := range ids {
		if f, err := c.Beta.Files.GetMetadata(t.Context(), id, anthropic.BetaFileGetMetadataParams{}); err != nil || f.ID != id {
			t.Errorf("GetMetadata(%q) = %v, %v", id, f, err)
		}
		answer, err := c.Beta.Files.Download(t.Context(), id, anthropic.BetaFileDownloadParams{})
		if err != nil {
			t.Fatal(err)
		}
		data, err := io.ReadAll(answer.Body)
		answer.Body.Close()
		if err != nil || string(data) != "x,y\n1,2\n" {
			t.Errorf("Download(%q) = %q, %v", id, data, err)
		}
		if gone, err := c.Beta.Files.Delete(t.Context(), id, anthropic.BetaFileDeleteParams{}); err != nil || gone.ID != id {
			t.Errorf("Delete(%q) = %v, %v", id, gone, err)
		}
		var e *anthropic.Error
		if _, err := c.Beta.Files.GetMetadata(t.Context(), id, anthropic.BetaFileGetMetadataParams{}); !errors.As(err, &e) || e.StatusCode != 404 {
			t.Errorf("GetMetadata of a deleted file: %v", err)
		}
	}
}

func TestSkills(t *testing.T) {
	c := session(t)
	main := func(description string) []io.Reader {
		return []io.Reader{anthropic.File(strings.NewReader("---\nname: make-tea\ndescription: "+description+"\n---\nBoil water.\n"), "tea/SKILL.md",
			"text/markdown"),
			anthropic.File(strings.NewReader("green"), "tea/data/kinds.txt", "text/plain")}
	}
	made, err := c.Beta.Skills.New(t.Context(), anthropic.BetaSkillNewParams{DisplayName: anthropic.String("Tea"), Files: main("One.")})
	if err != nil {
		t.Fatal(err)
	}
	if made.DisplayName != "Tea" || !strings.Contains(made.RawJSON(), `"custom"`) || made.LatestVersionID == "" {
		t.Errorf("New = %s", made.RawJSON())
	}
	second, err := c.Beta.Skills.Versions.New(t.Context(), made.ID, anthropic.BetaSkillVersionNewParams{Files: main("Two.")})
	if err != nil || second.Description != "Two." || second.SkillID != made.ID {
		t.Fatalf("Versions.New = %v, %v", second, err)
	}
	if found, err := c.Beta.Skills.Get(t.Context(), made.ID, anthropic.BetaSkillGetParams{}); err != nil || found.LatestVersionID != second.ID {
		t.Errorf("Get = %v, %v", found, err)
	}
	if v, err := c.Beta.Skills.Versions.Get(t.Context(), second.ID, anthropic.BetaSkillVersionGetParams{SkillID: made.ID}); err != nil ||
		v.Description != "Two." {
		t.Errorf("Versions.Get = %v, %v", v, err)
	}
	var descriptions []string
	versions := c.Beta.Skills.Versions.ListAutoPaging(t.Context(), made.ID, anthropic.BetaSkillVersionListParams{Limit: anthropic.Int(1)})
	for versions.Next() {
		descriptions = append(descriptions, versions.Current().Description)
	}
	if versions.Err() != nil || strings.Join(descriptions, " ") != "Two. One." {
		t.Errorf("Versions.List = %q, %v", descriptions, versions.Err())
	}
	answer, err := c.Beta.Skills.Versions.Download(t.Context(), second.ID, anthropic.BetaSkillVersionDownloadParams{SkillID: made.ID})
	if err != nil {
		t.Fatal(err)
	}
	zip, err := io.ReadAll(answer.Body)
	answer.Body.Close()
	if err != nil || !strings.HasPrefix(string(zip), "PK") {
		t.Errorf("Download = %d bytes, %v", len(zip), err)
	}
	if gone, err := c.Beta.Skills.Versions.Delete(t.Context(), second.ID, anthropic.BetaSkillVersionDeleteParams{SkillID: made.ID}); err != nil ||
		gone.ID != second.ID {
		t.Errorf("Versions.Delete = %v, %v", gone, err)
	}
	n := 0
	for list := c.Beta.Skills.ListAutoPaging(t.Context(), anthropic.BetaSkillListParams{}); list.Next(); {
		n++
	}
	if n != 1 {
		t.Errorf("List = %d skills", n)
	}
	if gone, err := c.Beta.Skills.Delete(t.Context(), made.ID, anthropic.BetaSkillDeleteParams{}); err != nil || gone.ID != made.ID {
		t.Errorf("Delete = %v, %v", gone, err)
	}
	var e *anthropic.Error
	if _, err := c.Beta.Skills.Get(t.Context(), made.ID, anthropic.BetaSkillGetParams{}); !errors.As(err, &e) || e.StatusCode != 404 {
		t.Errorf("Get of a deleted skill: %v", err)
	}
}

// TestAsync: the SDK's stream decoder reads an async message, and its replay
// after an event.
func TestAsync(t *testing.T) {
	c := client(t)
	var started struct {
		ID string `json:"message_id"`
	}
	if err := c.Post(t.Context(), "v1/messages/async", ask(anthropic.NewTextBlock("Hello")), &started); err != nil {
		t.Fatal(err)
	}
	read := func(after string) (kinds []string, folded anthropic.Message) {
		var raw *http.Response
		err := c.Get(t.Context(), "v1/messages/async/"+started.ID+"/stream", nil, &raw, option.WithHeader("Last-Event-ID", after),
			option.WithHeader("Accept", "text/event-stream"))
		stream := ssestream.NewStream[anthropic.MessageStreamEventUnion](ssestream.NewDecoder(raw), err)
		for stream.Next() {
			kinds = append(kinds, string(stream.Current().Type))
			if after == "0" {
				if err := folded.Accumulate(stream.Current()); err != nil {
					t.Fatal(err)
				}
			}
		}
		if err := stream.Err(); err != nil {
			t.Fatal(err)
		}
		return kinds, folded
	}
	all, m := read("0")
	if said(&m) == "" || m.StopReason != "end_turn" || all[0] != "message_start" {
		t.Errorf("the stream is %v, folded %s", all, m.RawJSON())
	}
	if rest, _ := read("1"); len(rest) != len(all)-1 {
		t.Errorf("after the first event come %v", rest)
	}
	var status struct{ Status string }
	if err := c.Get(t.Context(), "v1/messages/async/"+started.ID+"/status", nil, &status); err != nil || status.Status != "completed" {
		t.Errorf("status %+v, %v", status, err)
	}
	err := c.Get(t.Context(), "v1/messages/async/unknown/status", nil, &status)
	var apiErr *anthropic.Error
	if !errors.As(err, &apiErr) || apiErr.StatusCode != 404 {
		t.Errorf("an unknown message: %v", err)
	}
}
