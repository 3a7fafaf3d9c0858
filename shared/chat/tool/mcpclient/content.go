package mcpclient

import (
	"encoding/base64"
	"encoding/json"
	"path"
	"slices"
	"strings"

	"github.com/modelcontextprotocol/go-sdk/mcp"

	"lectern/shared/message"
)

// content converts a result to content blocks. Data without text is shown as text.
func content(answer *mcp.CallToolResult) message.Content {
	var out message.Content
	for _, c := range answer.Content {
		if b := block(c); b != nil {
			out = append(out, b)
		}
	}
	if len(out) == 0 && answer.StructuredContent != nil {
		if raw, err := json.Marshal(answer.StructuredContent); err == nil {
			out = append(out, message.NewText(string(raw)))
		}
	}
	return out
}

func block(c mcp.Content) message.Block {
	switch c := c.(type) {
	case *mcp.TextContent:
		if c.Text != "" {
			return message.NewText(strings.ToValidUTF8(c.Text, "\uFFFD"))
		}
	case *mcp.ImageContent:
		return media(c.MIMEType, "image", c.Data)
	case *mcp.AudioContent:
		return media(c.MIMEType, "audio", c.Data)
	case *mcp.ResourceLink:
		return &message.ResourceLink{URI: c.URI, Name: named(c.Name, c.URI), Description: c.Description, MimeType: c.MIMEType}
	case *mcp.EmbeddedResource:
		return resource(c.Resource)
	}
	return nil
}

func resource(r *mcp.ResourceContents) message.Block {
	switch {
	case r == nil:
		return nil
	case r.Blob != nil:
		return media(r.MIMEType, named("", r.URI), r.Blob)
	}
	return &message.Resource{Resource: &message.ResourceRecord{
		URI: r.URI, Name: named("", r.URI), MimeType: r.MIMEType, Text: strings.ToValidUTF8(r.Text, "\uFFFD"),
	}}
}

var pictures = []string{"image/jpeg", "image/png", "image/gif", "image/webp"}

// media returns an image, a sound, or else a file block.
func media(kind, name string, data []byte) message.Block {
	kind = strings.ToLower(kind)
	source := &message.Source{Type: "base64", MediaType: kind, Data: base64.StdEncoding.EncodeToString(data)}
	switch {
	case len(data) == 0:
		return nil
	case slices.Contains(pictures, kind):
		return &message.Image{Source: source}
	case strings.HasPrefix(kind, "audio/"):
		return &message.Audio{Source: source}
	case kind == "":
		source.MediaType = "application/octet-stream"
	}
	return &message.Binary{Source: source, Filename: name}
}

// named returns a name for a resource, which requires one.
func named(name, uri string) string {
	if name != "" {
		return name
	}
	if base := path.Base(uri); base != "." && base != "/" {
		return base
	}
	return "resource"
}
