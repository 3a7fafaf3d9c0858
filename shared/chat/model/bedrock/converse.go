package bedrock

import (
	"context"
	"encoding/base64"
	"encoding/json"
	"fmt"
	"strings"

	"github.com/aws/aws-sdk-go-v2/aws"
	"github.com/aws/aws-sdk-go-v2/service/bedrockruntime"
	"github.com/aws/aws-sdk-go-v2/service/bedrockruntime/document"
	"github.com/aws/aws-sdk-go-v2/service/bedrockruntime/types"

	"lectern/shared/chat/model"
	"lectern/shared/fault"
	"lectern/shared/message"
	"lectern/shared/provider"
)

// converse streams by the Converse API.
func (m *Model) converse(ctx context.Context, req *model.Request, yield yielder) error {
	input, err := converseInput(req)
	if err != nil {
		return err
	}
	out, err := provider.Retry(ctx, provider.Usual(), func() (*bedrockruntime.ConverseStreamOutput, error) {
		out, err := m.client.ConverseStream(ctx, input)
		return out, refusal(err)
	})
	if err != nil {
		return err
	}
	stream := out.GetStream()
	defer stream.Close()
	c := &conversation{yield: yield}
	for !c.over {
		event, err := next(ctx, stream.Events(), stream.Err)
		if err != nil {
			if c.reason != "" && ctx.Err() == nil { // the stream ended without usage
				c.finish()
				return nil
			}
			return err
		}
		c.more = len(stream.Events()) > 0
		c.take(event)
	}
	return nil
}

// ConverseFields returns the optional fields of a request that reach a model
// through the Converse API.
func ConverseFields() []string { return []string{"temperature", "top_p"} }

func converseInput(req *model.Request) (*bedrockruntime.ConverseStreamInput, error) {
	chat := req.Chat
	in := &bedrockruntime.ConverseStreamInput{ModelId: &req.Model, InferenceConfig: &types.InferenceConfiguration{
		MaxTokens: aws.Int32(int32(min(req.MaxTokens, 1<<30))), StopSequences: chat.StopSequences, Temperature: narrow(chat.Temperature),
		TopP: narrow(chat.TopP),
	}}
	for _, s := range req.System {
		in.System = append(in.System, &types.SystemContentBlockMemberText{Value: s.Text})
		if s.CacheControl != nil {
			in.System = append(in.System, &types.SystemContentBlockMemberCachePoint{Value: types.CachePointBlock{Type: types.CachePointTypeDefault}})
		}
	}
	for _, m := range req.Messages {
		content, err := converseBlocks(m.Content)
		if err != nil {
			return nil, err
		}
		if len(content) > 0 {
			in.Messages = append(in.Messages, types.Message{Role: types.ConversationRole(m.Role), Content: content})
		}
	}
	if len(req.Tools) == 0 {
		return in, nil
	}
	in.ToolConfig = &types.ToolConfiguration{}
	for _, t := range req.Tools {
		schema, err := value(t.InputSchema, `{"type":"object","properties":{}}`)
		if err != nil {
			return nil, err
		}
		spec := types.ToolSpecification{Name: aws.String(t.Name), InputSchema: &types.ToolInputSchemaMemberJson{Value: schema}}
		if t.Description != "" {
			spec.Description = aws.String(t.Description)
		}
		in.ToolConfig.Tools = append(in.ToolConfig.Tools, &types.ToolMemberToolSpec{Value: spec})
	}
	switch req.Choice.Type {
	case "any":
		in.ToolConfig.ToolChoice = &types.ToolChoiceMemberAny{}
	case "tool":
		in.ToolConfig.ToolChoice = &types.ToolChoiceMemberTool{Value: types.SpecificToolChoice{Name: aws.String(req.Choice.Name)}}
	}
	return in, nil
}

func narrow(f *float64) *float32 {
	if f == nil {
		return nil
	}
	return aws.Float32(float32(*f))
}

// value converts JSON text to the SDK's type.
func value(raw message.Object, fallback string) (document.Interface, error) {
	if len(raw) == 0 {
		raw = message.Object(fallback)
	}
	var v any
	if err := json.Unmarshal(raw, &v); err != nil {
		return nil, fmt.Errorf("decode JSON for the provider: %w", err)
	}
	return document.NewLazyDocument(v), nil
}

func converseBlocks(list message.Content) ([]types.ContentBlock, error) {
	var out []types.ContentBlock
	for _, b := range list {
		switch b := b.(type) {
		case *message.Text:
			if strings.TrimSpace(b.Text) != "" { // empty texts are rejected
				out = append(out, &types.ContentBlockMemberText{Value: b.Text})
			}
		case *message.Image:
			image, err := imageOf(b.Source)
			if err != nil {
				return nil, err
			}
			out = append(out, &types.ContentBlockMemberImage{Value: *image})
		case *message.Thinking:
			out = append(out, &types.ContentBlockMemberReasoningContent{Value: &types.ReasoningContentBlockMemberReasoningText{
				Value: types.ReasoningTextBlock{Text: aws.String(b.Thinking), Signature: aws.String(b.Signature)}}})
		case *message.ToolUse:
			input, err := value(b.Input, "{}")
			if err != nil {
				return nil, err
			}
			out = append(out, &types.ContentBlockMemberToolUse{Value: types.ToolUseBlock{
				ToolUseId: aws.String(model.CallID(b.ID)), Name: aws.String(b.Name), Input: input}})
		case *message.ToolResult:
			result, err := resultOf(b)
			if err != nil {
				return nil, err
			}
			out = append(out, &types.ContentBlockMemberToolResult{Value: result})
		}
	}
	return out, nil
}

func imageOf(s *message.Source) (*types.ImageBlock, error) {
	if s.Type != "base64" {
		return nil, fault.Field("value_error", "this model accepts images only as base64", "body", "messages")
	}
	data, err := base64.StdEncoding.DecodeString(s.Data)
	if err != nil {
		return nil, fault.Field("base64", "an image is not valid base64", "body", "messages")
	}
	format := strings.TrimPrefix(s.MediaType, "image/")
	return &types.ImageBlock{Format: types.ImageFormat(format), Source: &types.ImageSourceMemberBytes{Value: data}}, nil
}

func resultOf(b *message.ToolResult) (types.ToolResultBlock, error) {
	out := types.ToolResultBlock{ToolUseId: aws.String(model.CallID(b.ToolUseID)), Content: []types.ToolResultContentBlock{}}
	if b.IsError {
		out.Status = types.ToolResultStatusError
	}
	for _, inner := range b.Content.Blocks {
		switch inner := inner.(type) {
		case *message.Text:
			out.Content = append(out.Content, &types.ToolResultContentBlockMemberText{Value: inner.Text})
		case *message.Image:
			image, err := imageOf(inner.Source)
			if err != nil {
				return out, err
			}
			out.Content = append(out.Content, &types.ToolResultContentBlockMemberImage{Value: *image})
		}
	}
	return out, nil
}

// conversation converts Converse's events to ours. Converse sends no start event for
// text and reasoning.
type conversation struct {
	yield  yielder
	open   message.Block
	more   bool
	over   bool
	reason string
	usage  message.Usage
}

func (c *conversation) send(e model.Event) {
	if !c.over {
		e.More = c.more || e.Kind == model.Start
		c.over = !c.yield(e, nil)
	}
}

func (c *conversation) begin(b message.Block) {
	c.end()
	c.open = b
	c.send(model.Event{Kind: model.Start, Block: b})
}

func (c *conversation) end() {
	if c.open != nil {
		c.send(model.Event{Kind: model.End})
		c.open = nil
	}
}

func (c *conversation) delta(t message.DeltaType, s string) {
	c.send(model.Event{Kind: model.Delta, Delta: message.Delta{Type: t, Text: s}})
}

func (c *conversation) take(event types.ConverseStreamOutput) {
	switch e := event.(type) {
	case *types.ConverseStreamOutputMemberContentBlockStart:
		if use, ok := e.Value.Start.(*types.ContentBlockStartMemberToolUse); ok {
			c.begin(&message.ToolUse{ID: aws.ToString(use.Value.ToolUseId), Name: aws.ToString(use.Value.Name)})
		}
	case *types.ConverseStreamOutputMemberContentBlockDelta:
		c.piece(e.Value.Delta)
	case *types.ConverseStreamOutputMemberContentBlockStop:
		c.end()
	case *types.ConverseStreamOutputMemberMessageStop:
		c.end()
		c.reason = string(e.Value.StopReason)
	case *types.ConverseStreamOutputMemberMetadata:
		if u := e.Value.Usage; u != nil {
			c.usage = message.Usage{InputTokens: int(aws.ToInt32(u.InputTokens)), OutputTokens: int(aws.ToInt32(u.OutputTokens)),
				CacheReadTokens: int(aws.ToInt32(u.CacheReadInputTokens)), CacheCreationTokens: int(aws.ToInt32(u.CacheWriteInputTokens))}
		}
		c.finish() // the usage comes last
	}
}

func (c *conversation) piece(delta types.ContentBlockDelta) {
	switch d := delta.(type) {
	case *types.ContentBlockDeltaMemberText:
		if _, ok := c.open.(*message.Text); !ok {
			c.begin(&message.Text{})
		}
		c.delta(message.TextDelta, d.Value)
	case *types.ContentBlockDeltaMemberToolUse:
		c.delta(message.InputDelta, aws.ToString(d.Value.Input))
	case *types.ContentBlockDeltaMemberReasoningContent:
		if _, ok := c.open.(*message.Thinking); !ok {
			c.begin(&message.Thinking{})
		}
		switch r := d.Value.(type) {
		case *types.ReasoningContentBlockDeltaMemberText:
			c.delta(message.ThinkingDelta, r.Value)
		case *types.ReasoningContentBlockDeltaMemberSignature:
			c.delta(message.SignatureDelta, r.Value)
		}
	}
}

func (c *conversation) finish() {
	c.end()
	reason := c.reason
	switch types.StopReason(reason) {
	case types.StopReasonGuardrailIntervened, types.StopReasonContentFiltered:
		reason = message.StopRefusal
	case types.StopReasonModelContextWindowExceeded:
		reason = message.StopMaxTokens
	case types.StopReasonMalformedModelOutput, types.StopReasonMalformedToolUse, "":
		reason = message.StopEndTurn
	}
	c.send(model.Event{Kind: model.Stop, Reason: reason, Usage: c.usage})
	c.over = true
}
