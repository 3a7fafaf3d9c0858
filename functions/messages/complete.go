package messages

import (
	"encoding/json"
	"iter"
	"net/http"
	"regexp"
	"strings"

	"lectern/shared/api/rest"
	"lectern/shared/api/sse"
	"lectern/shared/message"
)

// completeBody is the legacy text completion request.
type completeBody struct {
	Model       string            `json:"model" default:"default"`
	Prompt      string            `json:"prompt" required:"true" minlen:"1"`
	MaxTokens   int               `json:"max_tokens_to_sample" required:"true" min:"1"`
	Stop        []string          `json:"stop_sequences,omitempty"`
	Temperature *float64          `json:"temperature,omitempty" min:"0" max:"1"`
	TopK        *int              `json:"top_k,omitempty" min:"0"`
	TopP        *float64          `json:"top_p,omitempty" min:"0" max:"1"`
	Metadata    *message.Metadata `json:"metadata,omitempty"`
	Stream      bool              `json:"stream,omitempty"`
}

type completion struct {
	Type       string  `json:"type"`
	ID         string  `json:"id"`
	Completion string  `json:"completion"`
	StopReason *string `json:"stop_reason" enum:"stop_sequence,max_tokens"`
	Model      string  `json:"model"`
}

var turnMark = regexp.MustCompile(`\n\n(Human|Assistant):`)

// chatOf splits the prompt at its turn markers; a prompt without any is one user
// turn. A final empty assistant turn is dropped.
func (b *completeBody) chatOf() *message.Request {
	req := &message.Request{Model: b.Model, MaxTokens: b.MaxTokens, StopSequences: b.Stop, Temperature: b.Temperature, TopK: b.TopK,
		TopP: b.TopP, Metadata: b.Metadata}
	add := func(role, text string) {
		if text = strings.TrimSpace(text); text != "" {
			req.Messages = append(req.Messages, message.Input{Role: role, Content: message.Content{message.NewText(text)}})
		}
	}
	prompt := b.Prompt
	if strings.HasPrefix(prompt, "Human:") {
		prompt = "\n\n" + prompt
	}
	marks := turnMark.FindAllStringSubmatchIndex(prompt, -1)
	if len(marks) == 0 {
		add(message.RoleUser, prompt)
		return req
	}
	if head := strings.TrimSpace(prompt[:marks[0][0]]); head != "" {
		req.System = message.Systems{{Text: head}}
	}
	for i, m := range marks {
		end := len(prompt)
		if i+1 < len(marks) {
			end = marks[i+1][0]
		}
		role := message.RoleUser
		if prompt[m[2]:m[3]] == "Assistant" {
			role = message.RoleAssistant
		}
		add(role, prompt[m[1]:end])
	}
	return req
}

func (d Deps) complete(w http.ResponseWriter, r *http.Request) error {
	body, err := rest.Decode[completeBody](w, r, rest.SmallBody)
	if err != nil {
		return err
	}
	req := body.chatOf()
	req.Stream = body.Stream
	events := d.Engine.Run(r.Context(), req)
	out := completion{Type: "completion", ID: d.Engine.IDs.Fresh("compl_")}
	if body.Stream {
		return streamCompletion(w, r, out, events)
	}
	m, err := message.Fold(events)
	if err != nil {
		return err
	}
	out.Model = m.Model
	for _, b := range m.Content {
		if t, ok := b.(*message.Text); ok {
			out.Completion += t.Text
		}
	}
	out.StopReason = legacyReason(*m.StopReason)
	return rest.Write(w, http.StatusOK, out)
}

func legacyReason(reason string) *string {
	legacy := "stop_sequence"
	if reason == message.StopMaxTokens {
		legacy = "max_tokens"
	}
	return &legacy
}

func streamCompletion(w http.ResponseWriter, r *http.Request, out completion, events iter.Seq2[message.Event, error]) error {
	var s *sse.Writer
	for e, err := range events {
		if err != nil {
			if s == nil {
				return err
			}
			rest.Note(r.Context(), err)
			return s.Event(string(message.Error), 0, rest.EventData(r.Context(), err))
		}
		if s == nil {
			s = sse.NewWriter(w)
		}
		switch {
		case e.Type == message.MessageStart:
			out.Model = e.Message.Model
			continue
		case e.Type == message.BlockDelta && e.Delta.Type == message.TextDelta:
			out.Completion = e.Delta.Text
		case e.Type == message.MessageDelta:
			out.Completion, out.StopReason = "", legacyReason(e.End.StopReason)
		default:
			continue
		}
		raw, err := json.Marshal(out)
		if err != nil {
			return err
		}
		if s.Event("completion", 0, raw) != nil {
			return nil // the client has disconnected
		}
	}
	return nil
}
