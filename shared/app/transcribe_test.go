package app_test

import (
	"testing"

	"lectern/shared/app"
	"lectern/shared/chat/model"
	"lectern/shared/chat/model/modeltest"
	"lectern/shared/message"
)

func TestTranscriber(t *testing.T) {
	blind := model.Entry{Info: model.Info{ID: "blind"}, Model: &modeltest.Scripted{}}
	if app.Transcriber(model.NewCatalog(blind)) != nil {
		t.Error("a model that takes no images transcribes")
	}
	seeing := &modeltest.Scripted{Scripts: []modeltest.Script{{Text: []string{"Two ", "words "}, Reason: message.StopEndTurn},
		{Text: []string{"NONE"}, Reason: message.StopEndTurn}}}
	see := app.Transcriber(model.NewCatalog(blind, model.Entry{Info: model.Info{ID: "z", Can: model.Capabilities{Images: true}}, Model: seeing,
		Upstream: "up"}))
	if see == nil {
		t.Fatal("no model transcribes")
	}
	for _, want := range []string{"Two words", ""} {
		if got, err := see(t.Context(), []byte("abc"), "image/png"); got != want || err != nil {
			t.Errorf("transcribed %q, %v, want %q", got, err, want)
		}
	}
	req := seeing.Requests[0]
	image, ok := req.Messages[0].Content[0].(*message.Image)
	if !ok || image.Source.Data != "YWJj" || image.Source.MediaType != "image/png" || req.Model != "up" {
		t.Errorf("the model was asked %+v", req)
	}
	if _, err := see(t.Context(), []byte("abc"), "image/png"); err == nil {
		t.Error("the error of the model is lost")
	}
}
