package openai

import (
	"iter"
	"net/http"
	"strings"
	"unicode/utf8"

	"lectern/shared/api/rest"
	"lectern/shared/api/schema"
	"lectern/shared/api/sse"
	"lectern/shared/chat"
	"lectern/shared/message"
)

// response is the answer to a request for a response.
type response struct {
	ID              string          `json:"id"`
	Object          string          `json:"object" enum:"response"`
	CreatedAt       int64           `json:"created_at"`
	Status          string          `json:"status" enum:"in_progress,completed,incomplete,failed"`
	Error           *failed         `json:"error"`
	Incomplete      *incomplete     `json:"incomplete_details"`
	Instructions    *string         `json:"instructions"`
	MaxOutputTokens *int            `json:"max_output_tokens"`
	Model           string          `json:"model"`
	Output          []outputItem    `json:"output"`
	Parallel        bool            `json:"parallel_tool_calls"`
	Previous        *string         `json:"previous_response_id"`
	Reasoning       *reasonSettings `json:"reasoning"`
	Store           bool            `json:"store" doc:"whether it is kept, for LECTERN_RESPONSE_DAYS"`
	Temperature     *float64        `json:"temperature"`
	Text            *textSettings   `json:"text"`
	ToolChoice      any             `json:"tool_choice"`
	Tools           []responseTool  `json:"tools"`
	TopP            *float64        `json:"top_p"`
	Truncation      string          `json:"truncation" enum:"disabled"`
	Usage           *responseUsage  `json:"usage"`
	User            *string         `json:"user"`
	Metadata        message.Object  `json:"metadata"`
}

type incomplete struct {
	Reason string `json:"reason" enum:"max_output_tokens,content_filter"`
}

// outputItem is a message, a call, or what the model thought.
type outputItem struct {
	Type      string         `json:"type" enum:"message,function_call,reasoning"`
	ID        string         `json:"id"`
	Status    string         `json:"status" enum:"in_progress,completed,incomplete"`
	Role      string         `json:"role,omitempty" enum:"assistant"`
	Content   *[]contentPart `json:"content,omitempty"`
	CallID    string         `json:"call_id,omitempty"`
	Name      string         `json:"name,omitempty"`
	Arguments *string        `json:"arguments,omitempty"`
	Summary   *[]contentPart `json:"summary,omitempty"`
}

// contentPart is text with its citations, or a thought.
type contentPart struct {
	Type        string  `json:"type" enum:"output_text,summary_text"`
	Text        string  `json:"text"`
	Annotations *[]note `json:"annotations,omitempty"`
	LogProbs    *[]any  `json:"logprobs,omitempty" doc:"always empty"`
}

type responseUsage struct {
	Input         int            `json:"input_tokens"`
	InputDetails  cachedTokens   `json:"input_tokens_details"`
	Output        int            `json:"output_tokens"`
	OutputDetails reasonedTokens `json:"output_tokens_details"`
	Total         int            `json:"total_tokens"`
}

// responseEvent is an event of a streamed response.
type responseEvent struct {
	Type         string       `json:"type" doc:"such as response.output_text.delta"`
	Sequence     int          `json:"sequence_number"`
	Response     *response    `json:"response,omitempty"`
	OutputIndex  *int         `json:"output_index,omitempty"`
	ItemID       string       `json:"item_id,omitempty"`
	ContentIndex *int         `json:"content_index,omitempty"`
	SummaryIndex *int         `json:"summary_index,omitempty"`
	Item         *outputItem  `json:"item,omitempty"`
	Part         *contentPart `json:"part,omitempty"`
	Delta        *string      `json:"delta,omitempty"`
	Text         *string      `json:"text,omitempty"`
	Arguments    *string      `json:"arguments,omitempty"`
	Name         string       `json:"name,omitempty"`
	Annotation   *note        `json:"annotation,omitempty"`
	NoteIndex    *int         `json:"annotation_index,omitempty"`
	LogProbs     *[]any       `json:"logprobs,omitempty"`
}

// responseWriter builds a response, item by item, and tells each step of it.
type responseWriter struct {
	r        *http.Request
	engine   *chat.Engine
	keeper   *Keeper
	input    items // of the conversation
	reading  *reading
	response response
	tell     func(e responseEvent, more bool) // nil without a stream
	more     bool                             // another step follows at once

	open  *outputItem // nil between items
	text  strings.Builder
	notes []note
	base  int // characters of text before the open item
}

func newResponseWriter(d Deps, r *http.Request, c *chosen, body *responseBody) *responseWriter {
	s := &responseWriter{r: r, engine: d.Engine, keeper: &d.Keeper, input: body.Input, reading: newReading(r), response: response{
		ID: d.Engine.IDs.Fresh(responsePrefix), Object: "response", CreatedAt: d.Now().Unix(), Status: "in_progress", Model: nameOf(c),
		MaxOutputTokens: body.MaxOutputTokens, Output: []outputItem{}, Parallel: body.Parallel == nil || *body.Parallel,
		Reasoning: body.Reasoning, Temperature: body.Temperature, Text: body.Text, ToolChoice: "auto", Tools: body.Tools, TopP: body.TopP,
		Truncation: "disabled", Metadata: body.Metadata,
	}}
	s.response.Store = d.Keeper.For > 0 && (body.Store == nil || *body.Store)
	if body.Previous != "" {
		s.response.Previous = &body.Previous
	}
	if s.response.Text == nil {
		s.response.Text = &textSettings{Format: &textFormat{Type: "text"}}
	}
	if s.response.Tools == nil {
		s.response.Tools = []responseTool{}
	}
	if body.Instructions != "" {
		s.response.Instructions = &body.Instructions
	}
	if body.User != "" {
		s.response.User = &body.User
	}
	switch choice := body.ToolChoice; {
	case choice == nil:
	case choice.Name != "":
		s.response.ToolChoice = map[string]string{"type": "function", "name": choice.Name}
	default:
		s.response.ToolChoice = choice.Mode
	}
	return s
}

// whole answers in one piece.
func (s *responseWriter) whole(w http.ResponseWriter, b *builder, events iter.Seq2[message.Event, error]) error {
	for e, err := range events {
		if err != nil {
			return b.moved(err)
		}
		s.event(&e)
	}
	return rest.Write(w, http.StatusOK, s.response)
}

// stream answers in events. Before the first one an error is a status; after it, the
// event response.failed.
func (s *responseWriter) stream(w http.ResponseWriter, b *builder, events iter.Seq2[message.Event, error]) error {
	out := &sse.Steady{To: w, Ping: silence, Every: pingEvery}
	defer out.Stop()
	var gone error
	sequence := 0
	s.tell = func(e responseEvent, more bool) {
		e.Sequence = sequence
		sequence++
		raw, err := schema.Marshal(e)
		if err == nil {
			err = out.Event(e.Type, raw, more)
		}
		if gone == nil {
			gone = err
		}
	}
	for e, err := range events {
		if err != nil {
			if !out.Begun() {
				return b.moved(err)
			}
			rest.Note(s.r.Context(), err)
			s.response.Status, s.response.Error = "failed", failureOf(s.r, err)
			s.step(responseEvent{Type: "response.failed", Response: &s.response}, false)
			return nil
		}
		if s.event(&e); gone != nil {
			return nil // the client has disconnected
		}
	}
	return nil
}

func (s *responseWriter) step(e responseEvent, more bool) {
	if s.tell != nil {
		s.tell(e, more)
	}
}

// event takes in an event of the answer.
func (s *responseWriter) event(e *message.Event) {
	s.more = e.More
	switch e.Type {
	case message.MessageStart:
		s.step(responseEvent{Type: "response.created", Response: &s.response}, true)
		s.step(responseEvent{Type: "response.in_progress", Response: &s.response}, e.More)
	case message.MessageDelta:
		s.end(e.End)
	default:
		s.reading.read(e, s.piece)
	}
}

func (s *responseWriter) piece(p piece) {
	switch p.kind {
	case textPiece:
		s.into("message", p)
		s.text.WriteString(p.text)
		s.within(responseEvent{Type: "response.output_text.delta", Delta: &p.text, LogProbs: &[]any{}}, s.more)
	case notePiece:
		if s.open == nil || s.open.Type != "message" {
			return // a citation of no text
		}
		p.note.Start, p.note.End = p.note.Start-s.base, p.note.End-s.base
		at := len(s.notes)
		s.notes = append(s.notes, *p.note)
		s.within(responseEvent{Type: "response.output_text.annotation.added", Annotation: p.note, NoteIndex: &at}, s.more)
	case thoughtPiece:
		s.into("reasoning", p)
		s.text.WriteString(p.text)
		s.within(responseEvent{Type: "response.reasoning_summary_text.delta", Delta: &p.text}, s.more)
	case callStart:
		s.into("function_call", p)
	case callPiece:
		s.text.WriteString(p.text)
		s.within(responseEvent{Type: "response.function_call_arguments.delta", Delta: &p.text}, s.more)
	case callEnd:
		s.close(s.more)
	}
}

// within tells a step inside the open item.
func (s *responseWriter) within(e responseEvent, more bool) {
	output, inner := len(s.response.Output), 0
	e.OutputIndex, e.ItemID = &output, s.open.ID
	switch s.open.Type {
	case "message":
		e.ContentIndex = &inner
	case "reasoning":
		e.SummaryIndex = &inner
	}
	s.step(e, more)
}

// prefixes are those of the ids of items.
var prefixes = map[string]string{"message": "msg_", "function_call": "fc_", "reasoning": "rs_"}

// into makes sure that an item of the kind is open.
func (s *responseWriter) into(kind string, p piece) {
	if s.open != nil && s.open.Type == kind && kind != "function_call" {
		return
	}
	s.close(true)
	s.text.Reset()
	s.notes, s.base = nil, s.reading.at-utf8.RuneCountInString(p.text)
	s.open = &outputItem{Type: kind, ID: itemID(prefixes[kind], s.response.ID, len(s.response.Output)), Status: "in_progress"}
	empty := ""
	switch kind {
	case "message":
		s.open.Role, s.open.Content = message.RoleAssistant, &[]contentPart{}
	case "function_call":
		s.open.CallID, s.open.Name, s.open.Arguments = p.id, p.name, &empty
	case "reasoning":
		s.open.Summary = &[]contentPart{}
	}
	output := len(s.response.Output)
	shown := *s.open
	s.step(responseEvent{Type: "response.output_item.added", OutputIndex: &output, Item: &shown}, true)
	switch kind {
	case "message":
		s.within(responseEvent{Type: "response.content_part.added", Part: textPart("", nil)}, true)
	case "reasoning":
		s.within(responseEvent{Type: "response.reasoning_summary_part.added", Part: &contentPart{Type: "summary_text"}}, true)
	}
}

func textPart(text string, notes []note) *contentPart {
	if notes == nil {
		notes = []note{}
	}
	return &contentPart{Type: "output_text", Text: text, Annotations: &notes, LogProbs: &[]any{}}
}

// close completes the open item, if there is one.
func (s *responseWriter) close(more bool) {
	if s.open == nil {
		return
	}
	text := s.text.String()
	switch s.open.Type {
	case "message":
		part := textPart(text, s.notes)
		s.within(responseEvent{Type: "response.output_text.done", Text: &text, LogProbs: &[]any{}}, true)
		s.within(responseEvent{Type: "response.content_part.done", Part: part}, true)
		s.open.Content = &[]contentPart{*part}
	case "reasoning":
		part := &contentPart{Type: "summary_text", Text: text}
		s.within(responseEvent{Type: "response.reasoning_summary_text.done", Text: &text}, true)
		s.within(responseEvent{Type: "response.reasoning_summary_part.done", Part: part}, true)
		s.open.Summary = &[]contentPart{*part}
	case "function_call":
		text = orEmpty(text)
		s.within(responseEvent{Type: "response.function_call_arguments.done", Arguments: &text, Name: s.open.Name}, true)
		s.open.Arguments = &text
	}
	s.open.Status = "completed"
	output := len(s.response.Output)
	done := *s.open
	s.step(responseEvent{Type: "response.output_item.done", OutputIndex: &output, Item: &done}, more)
	s.response.Output = append(s.response.Output, done)
	s.open = nil
}

// end completes the response.
func (s *responseWriter) end(e *message.End) {
	s.close(true)
	u := usageOf(&e.Usage)
	s.response.Usage = &responseUsage{Input: u.Prompt, InputDetails: u.PromptDetails, Output: u.Completion, OutputDetails: u.CompletionDetails,
		Total: u.Total}
	s.response.Status = "completed"
	switch finishReason(e.StopReason) {
	case "length":
		s.response.Status, s.response.Incomplete = "incomplete", &incomplete{"max_output_tokens"}
	case "content_filter":
		s.response.Status, s.response.Incomplete = "incomplete", &incomplete{"content_filter"}
	}
	if s.response.Store {
		var err error
		if s.response.Store, err = s.keeper.keep(s.r.Context(), s.input, &s.response); err != nil {
			s.engine.Log.WarnContext(s.r.Context(), "a response could not be kept", "response", s.response.ID, "error", err)
		}
	}
	s.step(responseEvent{Type: "response." + s.response.Status, Response: &s.response}, false)
}
