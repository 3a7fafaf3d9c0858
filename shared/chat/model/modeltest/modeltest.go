// Package modeltest is the contract suite of model drivers over HTTP. A driver's test
// provides a Wire, which writes a script in the format of its provider.
package modeltest

import (
	"context"
	"io"
	"net/http"
	"net/http/httptest"
	"strings"
	"sync/atomic"
	"testing"
	"time"

	"github.com/google/go-cmp/cmp"

	"lectern/shared/chat/model"
	"lectern/shared/fault"
	"lectern/shared/message"
)

// Script is a provider's output in one turn.
type Script struct {
	Thinking []string // pieces, before the text
	Text     []string // pieces
	Calls    []Call
	Reason   string // a message.Stop… value
	Input    int    // tokens
	Output   int
	Cut      bool // disconnect before the end
	Hang     bool // hang before the end
}

// Call is a tool call; Pieces join to its input.
type Call struct {
	ID, Name string
	Pieces   []string
}

// Wire is the protocol of one provider.
type Wire interface {
	// Open returns the driver under test for a provider at url, with fast retries.
	Open(url string) model.Model
	// Write answers in the provider's format. flush sends what was written.
	Write(w io.Writer, s *Script, flush func())
}

// Request returns a small turn to answer.
func Request() *model.Request {
	return &model.Request{Model: "m", MaxTokens: 100, Chat: &message.Request{Stream: true}, Messages: []message.Input{
		{Role: message.RoleUser, Content: message.Content{message.NewText("hello")}}}}
}

// Said is the outcome of a turn.
type Said struct {
	Thinking, Text string
	Calls          []Call
	Reason         string
	Input, Output  int
}

// Collect runs a turn and checks the order of its events.
func Collect(ctx context.Context, m model.Model, req *model.Request) (Said, error) {
	var out Said
	var open message.Block
	var text strings.Builder
	for e, err := range m.Stream(ctx, req) {
		if err != nil {
			return out, err
		}
		switch e.Kind {
		case model.Start:
			if open != nil {
				return out, io.ErrNoProgress // a block inside a block
			}
			open = e.Block
			text.Reset()
		case model.Delta:
			if e.Delta.Type != message.SignatureDelta && e.Delta.Type != message.CitationDelta {
				text.WriteString(e.Delta.Text)
			}
		case model.End:
			switch b := open.(type) {
			case *message.Text:
				out.Text += b.Text + text.String()
			case *message.Thinking:
				out.Thinking += b.Thinking + text.String()
			case *message.ToolUse:
				out.Calls = append(out.Calls, Call{b.ID, b.Name, []string{string(b.Input) + text.String()}})
			}
			open = nil
		case model.Stop:
			out.Reason, out.Input, out.Output = e.Reason, e.Usage.InputTokens, e.Usage.OutputTokens
		}
	}
	return out, nil
}

// serve starts a provider that answers with f.
func serve(t *testing.T, w Wire, f http.HandlerFunc) model.Model {
	server := httptest.NewServer(f)
	t.Cleanup(server.Close)
	return w.Open(server.URL)
}

func (s *Script) play(w Wire) http.HandlerFunc {
	return func(rw http.ResponseWriter, r *http.Request) {
		io.Copy(io.Discard, r.Body)
		rw.Header().Set("Content-Type", "text/event-stream")
		rw.WriteHeader(http.StatusOK)
		flush := rw.(http.Flusher).Flush
		flush()
		w.Write(rw, s, flush)
		if s.Hang {
			flush()
			<-r.Context().Done()
		}
	}
}

// Run runs the suite.
func Run(t *testing.T, w Wire) {
	t.Run("Answers", func(t *testing.T) { answers(t, w) })
	t.Run("Refusals", func(t *testing.T) { refusals(t, w) })
	t.Run("Retries", func(t *testing.T) { retries(t, w) })
	t.Run("BreaksOff", func(t *testing.T) { breaksOff(t, w) })
	t.Run("Cancels", func(t *testing.T) { cancels(t, w) })
	t.Run("Garbage", func(t *testing.T) { garbage(t, w) })
}

// garbage: an undecodable answer is a failure of the provider, never of the request.
func garbage(t *testing.T, w Wire) {
	for _, tc := range []struct{ kind, body string }{
		{"text/html", "<html>gateway error</html>"}, {"application/json", `{"choices": [`}, {"application/json", ""},
		{"application/json", "[1,2]"},
		{"application/json", `{"choices":[],"content":[]}`}, {"text/event-stream", "data: <html>\n\n"},
		{"text/event-stream", `data: {"choices":[{"delta":{"content":"hel`}, {"text/event-stream", "event: message_start\ndata: {\"type\":5}\n\n"},
		{"application/vnd.amazon.eventstream", "no frames"},
	} {
		m := serve(t, w, func(rw http.ResponseWriter, _ *http.Request) {
			rw.Header().Set("Content-Type", tc.kind)
			io.WriteString(rw, tc.body)
		})
		_, err := Collect(t.Context(), m, Request())
		if fault.CodeOf(err) != fault.Upstream {
			t.Errorf("%s %q: Stream = %v, want Upstream", tc.kind, tc.body, err)
		}
	}
}

func answers(t *testing.T, w Wire) {
	tests := []struct {
		name   string
		script Script
		want   Said
	}{
		{"text", Script{Text: []string{"Hel", "lo ", "wörld\n"}, Reason: "end_turn", Input: 7, Output: 3},
			Said{Text: "Hello wörld\n", Reason: "end_turn", Input: 7, Output: 3}},
		{"length", Script{Text: []string{"a"}, Reason: "max_tokens", Input: 1, Output: 1},
			Said{Text: "a", Reason: "max_tokens", Input: 1, Output: 1}},
		{"thinking", Script{Thinking: []string{"hm", "m"}, Text: []string{"a"}, Reason: "end_turn", Input: 1, Output: 2},
			Said{Thinking: "hmm", Text: "a", Reason: "end_turn", Input: 1, Output: 2}},
		{"calls", Script{Text: []string{"Let me see."}, Calls: []Call{{"c1", "f", []string{`{"a"`, `:[1,`, `2]}`}},
			{"c2", "g", []string{`{}`}}}, Reason: "tool_use", Input: 5, Output: 9},
			Said{Text: "Let me see.", Calls: []Call{{"c1", "f", []string{`{"a":[1,2]}`}}, {"c2", "g", []string{`{}`}}}, Reason: "tool_use",
				Input: 5, Output: 9}},
		{"a call alone", Script{Calls: []Call{{"c1", "f", []string{`{"q":"x"}`}}}, Reason: "tool_use", Input: 5, Output: 9},
			Said{Calls: []Call{{"c1", "f", []string{`{"q":"x"}`}}}, Reason: "tool_use", Input: 5, Output: 9}},
	}
	for _, tc := range tests {
		got, err := Collect(t.Context(), serve(t, w, tc.script.play(w)), Request())
		if err != nil {
			t.Errorf("%s: Stream = %v", tc.name, err)
			continue
		}
		if diff := cmp.Diff(tc.want, got); diff != "" {
			t.Errorf("%s (-want +got):\n%s", tc.name, diff)
		}
	}
}

// secret is part of every error of the provider; it must not become public.
const secret = "sk-secret-key"

func refusals(t *testing.T, w Wire) {
	for status, want := range map[int]fault.Code{
		400: fault.Upstream, 401: fault.Upstream, 403: fault.Upstream, 404: fault.Upstream, 413: fault.TooLarge, 422: fault.Upstream,
		429: fault.RateLimited, 500: fault.Upstream, 503: fault.Upstream, 529: fault.Overloaded,
	} {
		m := serve(t, w, func(rw http.ResponseWriter, _ *http.Request) {
			rw.Header().Set("Retry-After-Ms", "1")
			http.Error(rw, `{"error":{"message":"bad `+secret+`"}}`, status)
		})
		_, err := Collect(t.Context(), m, Request())
		f := fault.As(err)
		if f == nil || f.Code != want {
			t.Errorf("status %d gives %v, want code %v", status, err, want)
			continue
		}
		if strings.Contains(f.Msg, secret) {
			t.Errorf("status %d shows the provider's text: %q", status, f.Msg)
		}
	}
}

func retries(t *testing.T, w Wire) {
	var calls atomic.Int32
	script := Script{Text: []string{"ok"}, Reason: "end_turn", Input: 1, Output: 1}
	m := serve(t, w, func(rw http.ResponseWriter, r *http.Request) {
		if calls.Add(1) < 3 {
			rw.Header().Set("Retry-After-Ms", "1")
			rw.WriteHeader(529)
			return
		}
		script.play(w)(rw, r)
	})
	if got, err := Collect(t.Context(), m, Request()); err != nil || got.Text != "ok" || calls.Load() != 3 {
		t.Errorf("after two refusals: %+v, %v, %d calls", got, err, calls.Load())
	}
}

func breaksOff(t *testing.T, w Wire) {
	var calls atomic.Int32
	script := Script{Text: []string{"half", " an answer"}, Reason: "end_turn", Cut: true}
	m := serve(t, w, func(rw http.ResponseWriter, r *http.Request) {
		calls.Add(1)
		script.play(w)(rw, r)
	})
	_, err := Collect(t.Context(), m, Request())
	if fault.CodeOf(err) != fault.Upstream || calls.Load() != 1 {
		t.Errorf("a broken stream gives %v after %d calls, want Upstream after 1", err, calls.Load())
	}
}

func cancels(t *testing.T, w Wire) {
	freed := make(chan struct{})
	script := Script{Text: []string{"one"}, Reason: "end_turn", Hang: true}
	m := serve(t, w, func(rw http.ResponseWriter, r *http.Request) {
		script.play(w)(rw, r)
		close(freed)
	})
	for e, err := range m.Stream(t.Context(), Request()) {
		if err != nil {
			t.Fatal(err)
		}
		if e.Kind == model.Delta {
			break
		}
	}
	select {
	case <-freed:
	case <-time.After(5 * time.Second):
		t.Error("the provider's call was not freed when the loop ended")
	}
}
