package app

import (
	"context"
	"encoding/base64"
	"strings"

	"lectern/shared/chat/model"
	"lectern/shared/message"
)

const transcribePrompt = "Transcribe all text in this image, word for word, in reading order, with a blank line between paragraphs. " +
	"Write nothing else. If there is no text in it, answer with the single word NONE."

const transcribeTokens = 8192

// Transcriber returns a function that reads the text of images with the default
// chat model, or else the first one that accepts images; nil if none does.
func Transcriber(c *model.Catalog) func(ctx context.Context, image []byte, mediaType string) (string, error) {
	entry, err := c.Find(context.Background(), "default")
	for _, e := range c.All() {
		if err == nil && entry.Can.Images {
			break
		}
		if e.Model != nil && e.Can.Images {
			entry, err = e, nil
		}
	}
	if err != nil || entry.Model == nil || !entry.Can.Images {
		return nil
	}
	return func(ctx context.Context, image []byte, mediaType string) (string, error) {
		picture := &message.Image{Source: &message.Source{Type: "base64", MediaType: mediaType, Data: base64.StdEncoding.EncodeToString(image)}}
		req := &model.Request{
			Model: entry.Upstream, MaxTokens: transcribeTokens, Chat: &message.Request{MaxTokens: transcribeTokens},
			Messages: []message.Input{{Role: message.RoleUser, Content: message.Content{picture, &message.Text{Text: transcribePrompt}}}},
		}
		text, err := said(ctx, entry.Model, req)
		if err != nil {
			return "", err
		}
		if s := strings.TrimSpace(text); s != "NONE" {
			return s, nil
		}
		return "", nil
	}
}
