package chat_test

import (
	"context"
	"encoding/base64"
	"strings"
	"testing"

	"lectern/shared/chat/model"
	"lectern/shared/chat/model/modeltest"
	"lectern/shared/fault"
	"lectern/shared/message"
)

// closet holds a picture and a letter.
type closet struct{ shelf }

func (closet) Attachment(_ context.Context, _, id string) (name, mediaType string, data []byte, err error) {
	switch id {
	case "picture":
		return "p.png", "image/png", []byte("pixels"), nil
	case "letter":
		return "l.txt", "text/plain", []byte("Dear all"), nil
	}
	return "", "", nil, fault.New(fault.NotFound, "no file")
}

// lane serves a sound and a page, and nothing at private addresses.
type lane struct{}

func (lane) CheckURL(_ context.Context, url string) error {
	if strings.Contains(url, "private") {
		return fault.Field("unreachable_uri", "the address is private")
	}
	return nil
}

func (l lane) FetchURL(ctx context.Context, url string) (data []byte, mediaType string, err error) {
	if err := l.CheckURL(ctx, url); err != nil {
		return nil, "", err
	}
	if strings.HasSuffix(url, ".wav") {
		return []byte("waves"), "audio/wav", nil
	}
	return []byte("<html>"), "text/html", nil
}

// TestMediaReachTheModel: every source of a picture or sound reaches a model
// as its bytes or as an address that may be fetched, and no other does.
func TestMediaReachTheModel(t *testing.T) {
	image := func(s message.Source) message.Block { return &message.Image{Source: &s} }
	audio := func(s message.Source) message.Block { return &message.Audio{Source: &s} }
	inline := func(kind, data string) message.Source {
		return message.Source{Type: "base64", MediaType: kind, Data: base64.StdEncoding.EncodeToString([]byte(data))}
	}
	for _, c := range []struct {
		name  string
		block message.Block
		want  message.Source
		loc   string // of the problem, where there is one
	}{
		{"inline", image(inline("image/png", "x")), inline("image/png", "x"), ""},
		{"address", image(message.Source{Type: "url", URL: "https://a.example/p.png"}), message.Source{Type: "url", URL: "https://a.example/p.png"}, ""},
		{"file", image(message.Source{Type: "file", FileID: "picture"}), inline("image/png", "pixels"), ""},
		{"sound", audio(message.Source{Type: "url", URL: "https://a.example/s.wav"}), inline("audio/wav", "waves"), ""},
		{"private address", image(message.Source{Type: "url", URL: "https://private/p.png"}), message.Source{}, "url"},
		{"private sound", audio(message.Source{Type: "url", URL: "https://private/s.wav"}), message.Source{}, "url"},
		{"no sound", audio(message.Source{Type: "url", URL: "https://a.example/page"}), message.Source{}, "url"},
		{"no image", image(message.Source{Type: "file", FileID: "letter"}), message.Source{}, "file_id"},
		{"no file", image(message.Source{Type: "file", FileID: "none"}), message.Source{}, "file_id"},
		{"text", image(message.Source{Type: "text", Data: "x", MediaType: "text/plain"}), message.Source{}, "type"},
		{"sound of a file", audio(message.Source{Type: "file", FileID: "picture"}), message.Source{}, "type"},
	} {
		t.Run(c.name, func(t *testing.T) {
			scripted := &modeltest.Scripted{Scripts: []modeltest.Script{{Text: []string{"seen"}, Reason: "end_turn"}}}
			e := engine(scripted, &echoTool{})
			e.Models = model.NewCatalog(model.Entry{Model: scripted, Upstream: "main",
				Info: model.Info{ID: "main", MaxTokens: 1000, MaxInputTokens: 10000, Can: model.Capabilities{Images: true, Audio: true}}})
			e.Files, e.Web = closet{}, lane{}
			req := request("What is this?")
			req.Container.ID = "s"
			req.Messages[0].Content = append(req.Messages[0].Content, c.block)
			_, err := message.Fold(e.Run(t.Context(), req))
			if c.loc != "" {
				f := fault.As(err)
				if f == nil || len(f.Problems) != 1 || len(f.Problems[0].Loc) == 0 || f.Problems[0].Loc[len(f.Problems[0].Loc)-1] != c.loc ||
					len(scripted.Requests) != 0 {
					t.Fatalf("err = %#v with %d requests; want one problem at %s and none", f, len(scripted.Requests), c.loc)
				}
				return
			}
			if err != nil {
				t.Fatal(err)
			}
			content := scripted.Requests[0].Messages[0].Content
			var got *message.Source
			switch b := content[len(content)-1].(type) {
			case *message.Image:
				got = b.Source
			case *message.Audio:
				got = b.Source
			}
			if got == nil || got.Type != c.want.Type || got.MediaType != c.want.MediaType || got.Data != c.want.Data || got.URL != c.want.URL {
				t.Errorf("the model saw %+v, want %+v", got, c.want)
			}
		})
	}
}
