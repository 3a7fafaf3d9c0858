package openai

import (
	"encoding/json"
	"net/http"
	"net/url"
	"strconv"
	"strings"
	"unicode"
	"unicode/utf8"

	"lectern/shared/api/rest"
	"lectern/shared/message"
)

// kind is what a piece of an answer is.
type kind int

// The kinds of pieces.
const (
	textPiece kind = iota
	thoughtPiece
	notePiece // a citation of the text before it
	callStart
	callPiece // more of a call's arguments
	callEnd
)

// piece is one step of an answer, in terms that both wires have.
type piece struct {
	kind     kind
	text     string // of text, thoughts and arguments
	id, name string // of a call that starts
	note     *note
}

// reading turns the events of an answer into pieces. What the service's own tools
// do is not shown: these wires have no place for it.
type reading struct {
	origins string // before the path of an original

	at    int  // characters of text so far
	from  int  // where the open block of text starts, without white space
	blank bool // the open block holds no other character yet
	apart bool // a tool ran since the last text
	open  message.Block
}

func newReading(r *http.Request) *reading {
	return &reading{origins: rest.BaseURL(r.Context())}
}

// note is a citation: the characters of the answer that it supports, and where that
// is from. Besides the fields of OpenAI's url_citation it has the service's own.
type note struct {
	Type     string   `json:"type,omitempty" enum:"url_citation"`
	Start    int      `json:"start_index"`
	End      int      `json:"end_index"`
	URL      string   `json:"url" doc:"of the original of an ingested document, or of a website"`
	Title    string   `json:"title"`
	Cited    string   `json:"cited_text,omitempty" doc:"the words of the source"`
	Artifact string   `json:"artifact_id,omitempty"`
	In       string   `json:"collection,omitempty"`
	Page     int      `json:"page,omitempty"`
	Headings []string `json:"headings,omitempty"`
}

// read yields the pieces of an event.
func (t *reading) read(e *message.Event, yield func(piece)) {
	switch e.Type {
	case message.BlockStart:
		t.begin(e.Block, yield)
	case message.BlockDelta:
		t.delta(&e.Delta, yield)
	case message.BlockStop:
		if _, ok := t.open.(*message.ToolUse); ok {
			yield(piece{kind: callEnd})
		}
		t.open = nil
	}
}

func (t *reading) begin(b message.Block, yield func(piece)) {
	t.open = b
	switch b := b.(type) {
	case *message.Text:
		if t.apart && t.at > 0 {
			t.text("\n\n", yield)
		}
		t.apart, t.from, t.blank = false, t.at, true
		t.text(b.Text, yield)
	case *message.Thinking:
		if b.Thinking != "" {
			yield(piece{kind: thoughtPiece, text: b.Thinking})
		}
	case *message.ToolUse:
		yield(piece{kind: callStart, id: b.ID, name: b.Name})
		if len(b.Input) > 0 && string(b.Input) != "{}" {
			yield(piece{kind: callPiece, text: string(b.Input)})
		}
	default:
		t.apart = true
	}
}

func (t *reading) text(s string, yield func(piece)) {
	if s == "" {
		return
	}
	if words := strings.TrimLeftFunc(s, unicode.IsSpace); t.blank {
		t.from = t.at + utf8.RuneCountInString(s[:len(s)-len(words)])
		t.blank = words == ""
	}
	t.at += utf8.RuneCountInString(s)
	yield(piece{kind: textPiece, text: s})
}

func (t *reading) delta(d *message.Delta, yield func(piece)) {
	switch d.Type {
	case message.TextDelta:
		if _, ok := t.open.(*message.Text); ok {
			t.text(d.Text, yield)
		}
	case message.ThinkingDelta:
		yield(piece{kind: thoughtPiece, text: d.Text})
	case message.InputDelta:
		if _, ok := t.open.(*message.ToolUse); ok {
			yield(piece{kind: callPiece, text: d.Text})
		}
	case message.CitationDelta:
		yield(piece{kind: notePiece, note: t.note(d.Citation)})
	}
}

// note describes a citation of the open block of text.
func (t *reading) note(c *message.Citation) *note {
	said := struct {
		URL   string `json:"url"`
		Title string `json:"title"`
		message.Citation
	}{Citation: *c}
	if c.Raw != nil { // a provider's, whose fields are those of its API
		var raw struct {
			URL, Source, Title string
			DocumentTitle      string `json:"document_title"`
			CitedText          string `json:"cited_text"`
			DocumentIndex      *int   `json:"document_index"`
			StartPage          int    `json:"start_page_number"`
		}
		_ = json.Unmarshal(c.Raw, &raw) // fields of other types are left out
		said.URL, said.Source, said.Title, said.DocumentTitle = raw.URL, raw.Source, raw.Title, raw.DocumentTitle
		said.CitedText, said.DocumentIndex, said.Page = raw.CitedText, raw.DocumentIndex, raw.StartPage
	}
	n := &note{Type: "url_citation", Start: t.from, End: t.at, Cited: said.CitedText, Artifact: said.ArtifactID, In: said.Collection,
		Page: said.Page, Headings: said.Headings}
	switch {
	case said.ArtifactID != "" && said.Collection != "":
		n.Title = said.DocumentTitle
		n.URL = t.origins + "/v1/artifacts/original?" + url.Values{"collection": {said.Collection}, "artifact": {said.ArtifactID}}.Encode()
		if said.Page > 0 {
			n.URL += "#page=" + strconv.Itoa(said.Page)
		}
	case said.URL != "" || said.Source != "":
		n.URL, n.Title = said.URL, said.Title
		if n.URL == "" {
			n.URL = said.Source
		}
	default:
		index := 0
		if said.DocumentIndex != nil {
			index = *said.DocumentIndex
		}
		n.URL, n.Title = "document:"+strconv.Itoa(index), said.DocumentTitle
	}
	return n
}
