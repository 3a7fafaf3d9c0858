package openai

import (
	"iter"
	"net/http"
	"strings"
	"time"

	"lectern/shared/api/rest"
	"lectern/shared/api/schema"
	"lectern/shared/api/sse"
	"lectern/shared/message"
)

// completion is the answer to a chat that is not streamed.
type completion struct {
	ID      string       `json:"id"`
	Object  string       `json:"object" enum:"chat.completion"`
	Created int64        `json:"created"`
	Model   string       `json:"model"`
	Choices []chatChoice `json:"choices"`
	Usage   *chatUsage   `json:"usage"`
}

type chatChoice struct {
	Index        int        `json:"index"`
	Message      chatAnswer `json:"message"`
	LogProbs     any        `json:"logprobs" nullable:"true"`
	FinishReason string     `json:"finish_reason" enum:"stop,length,tool_calls,content_filter"`
}

type chatAnswer struct {
	Role        string       `json:"role" enum:"assistant"`
	Content     *string      `json:"content"`
	Refusal     *string      `json:"refusal"`
	Reasoning   string       `json:"reasoning_content,omitempty" doc:"what the model thought, where it tells"`
	ToolCalls   []callOut    `json:"tool_calls,omitempty"`
	Annotations []annotation `json:"annotations,omitempty"`
}

// annotation is a citation in the form of chat completions.
type annotation struct {
	Type string `json:"type" enum:"url_citation"`
	URL  note   `json:"url_citation"`
}

func annotationOf(n *note) annotation {
	inner := *n
	inner.Type = ""
	return annotation{"url_citation", inner}
}

// callOut is a call of a client's tool, or in a stream a part of one.
type callOut struct {
	Index    *int        `json:"index,omitempty"`
	ID       string      `json:"id,omitempty"`
	Type     string      `json:"type,omitempty" enum:"function"`
	Function functionOut `json:"function"`
}

type functionOut struct {
	Name      string `json:"name,omitempty"`
	Arguments string `json:"arguments"`
}

type chatUsage struct {
	Prompt            int            `json:"prompt_tokens"`
	Completion        int            `json:"completion_tokens"`
	Total             int            `json:"total_tokens"`
	PromptDetails     cachedTokens   `json:"prompt_tokens_details"`
	CompletionDetails reasonedTokens `json:"completion_tokens_details"`
}

type cachedTokens struct {
	Cached int `json:"cached_tokens"`
}

type reasonedTokens struct {
	Reasoning int `json:"reasoning_tokens"`
}

func usageOf(u *message.Usage) *chatUsage {
	prompt := u.InputTokens + u.CacheReadTokens + u.CacheCreationTokens
	return &chatUsage{Prompt: prompt, Completion: u.OutputTokens, Total: prompt + u.OutputTokens,
		PromptDetails: cachedTokens{u.CacheReadTokens}}
}

// chunk is an event of a streamed chat.
type chunk struct {
	ID      string        `json:"id"`
	Object  string        `json:"object" enum:"chat.completion.chunk"`
	Created int64         `json:"created"`
	Model   string        `json:"model"`
	Choices []chunkChoice `json:"choices"`
	Usage   *chatUsage    `json:"usage,omitempty"`
}

type chunkChoice struct {
	Index        int       `json:"index"`
	Delta        chatDelta `json:"delta"`
	LogProbs     any       `json:"logprobs" nullable:"true"`
	FinishReason *string   `json:"finish_reason" enum:"stop,length,tool_calls,content_filter"`
}

type chatDelta struct {
	Role        string       `json:"role,omitempty" enum:"assistant"`
	Content     *string      `json:"content,omitempty"`
	Reasoning   string       `json:"reasoning_content,omitempty"`
	ToolCalls   []callOut    `json:"tool_calls,omitempty"`
	Annotations []annotation `json:"annotations,omitempty"`
}

// finishReason is OpenAI's word for a stop reason.
func finishReason(reason string) string {
	switch reason {
	case message.StopMaxTokens:
		return "length"
	case message.StopToolUse:
		return "tool_calls"
	case message.StopRefusal:
		return "content_filter"
	}
	return "stop"
}

// chatWriter writes the answer of one chat completion.
type chatWriter struct {
	r       *http.Request
	reading *reading
	head    completion // id, time and model
	usage   bool       // a stream ends with the usage
	calls   int        // so far
	bare    bool       // the open call has no arguments yet
}

func newChatWriter(d Deps, r *http.Request, c *chosen, body *chatBody) *chatWriter {
	return &chatWriter{r: r, reading: newReading(r), usage: body.StreamOptions != nil && body.StreamOptions.Usage,
		head: completion{ID: d.Engine.IDs.Fresh("chatcmpl-"), Object: "chat.completion", Created: d.Now().Unix(), Model: nameOf(c)}}
}

// nameOf is the model's name in an answer: the client's, or the id behind "default".
func nameOf(c *chosen) string {
	if c.name == "default" {
		return c.entry.ID
	}
	return c.name
}

// whole answers in one piece.
func (c *chatWriter) whole(w http.ResponseWriter, b *builder, events iter.Seq2[message.Event, error]) error {
	answer := chatAnswer{Role: message.RoleAssistant}
	var text, thoughts, arguments strings.Builder
	for e, err := range events {
		if err != nil {
			return b.moved(err)
		}
		c.reading.read(&e, func(p piece) {
			switch p.kind {
			case textPiece:
				text.WriteString(p.text)
			case thoughtPiece:
				thoughts.WriteString(p.text)
			case notePiece:
				answer.Annotations = append(answer.Annotations, annotationOf(p.note))
			case callStart:
				answer.ToolCalls = append(answer.ToolCalls, callOut{ID: p.id, Type: "function", Function: functionOut{Name: p.name}})
				arguments.Reset()
			case callPiece:
				arguments.WriteString(p.text)
			case callEnd:
				answer.ToolCalls[len(answer.ToolCalls)-1].Function.Arguments = orEmpty(arguments.String())
			}
		})
		if e.Type == message.MessageDelta {
			c.head.Usage = usageOf(&e.End.Usage)
			c.head.Choices = []chatChoice{{FinishReason: finishReason(e.End.StopReason)}}
		}
	}
	if text.Len() > 0 || len(answer.ToolCalls) == 0 {
		s := text.String()
		answer.Content = &s
	}
	answer.Reasoning = thoughts.String()
	c.head.Choices[0].Message = answer
	return rest.Write(w, http.StatusOK, c.head)
}

// orEmpty is the arguments of a call; an object when there are none.
func orEmpty(arguments string) string {
	if arguments == "" {
		return "{}"
	}
	return arguments
}

const pingEvery = 15 * time.Second

// silence is a frame that clients ignore.
var silence = []byte(": ping\n\n")

// stream answers in chunks. Before the first one an error is a status; after it, a
// chunk with an error.
func (c *chatWriter) stream(w http.ResponseWriter, b *builder, events iter.Seq2[message.Event, error]) error {
	out := &sse.Steady{To: w, Ping: silence, Every: pingEvery}
	defer out.Stop()
	for e, err := range events {
		if err != nil {
			if !out.Begun() {
				return b.moved(err)
			}
			out.Stop()
			rest.Note(c.r.Context(), err)
			_ = out.Last("", rest.OpenAIError(c.r.Context(), err)) // an error here means that the client has disconnected
			return nil
		}
		if c.event(out, &e) != nil {
			return nil // the client has disconnected
		}
	}
	out.Stop()
	_ = out.Last("", []byte("[DONE]"))
	return nil
}

// event writes the chunks of an event.
func (c *chatWriter) event(out *sse.Steady, e *message.Event) (err error) {
	send := func(d chatDelta, finish *string, more bool) {
		if err == nil {
			err = c.send(out, []chunkChoice{{Delta: d, FinishReason: finish}}, nil, more)
		}
	}
	switch e.Type {
	case message.MessageStart:
		empty := ""
		send(chatDelta{Role: message.RoleAssistant, Content: &empty}, nil, e.More)
	case message.MessageDelta:
		reason := finishReason(e.End.StopReason)
		send(chatDelta{}, &reason, true)
		if c.usage && err == nil {
			err = c.send(out, []chunkChoice{}, usageOf(&e.End.Usage), true)
		}
	}
	c.reading.read(e, func(p piece) {
		switch p.kind {
		case textPiece:
			send(chatDelta{Content: &p.text}, nil, e.More)
		case thoughtPiece:
			send(chatDelta{Reasoning: p.text}, nil, e.More)
		case notePiece:
			send(chatDelta{Annotations: []annotation{annotationOf(p.note)}}, nil, e.More)
		case callStart:
			at := c.calls
			c.calls, c.bare = c.calls+1, true
			send(chatDelta{ToolCalls: []callOut{{Index: &at, ID: p.id, Type: "function", Function: functionOut{Name: p.name}}}}, nil, e.More)
		case callPiece, callEnd:
			if p.kind == callEnd {
				p.text = "{}"
				if !c.bare {
					return
				}
			}
			at := c.calls - 1
			c.bare = false
			send(chatDelta{ToolCalls: []callOut{{Index: &at, Function: functionOut{Arguments: p.text}}}}, nil, e.More)
		}
	})
	return err
}

func (c *chatWriter) send(out *sse.Steady, choices []chunkChoice, usage *chatUsage, more bool) error {
	raw, err := schema.Marshal(chunk{ID: c.head.ID, Object: "chat.completion.chunk", Created: c.head.Created, Model: c.head.Model,
		Choices: choices, Usage: usage})
	if err != nil {
		return err
	}
	return out.Event("", raw, more)
}
