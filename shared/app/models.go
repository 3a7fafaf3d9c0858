package app

import (
	"context"
	"fmt"
	"net/url"
	"slices"
	"strconv"
	"strings"
	"time"

	"lectern/shared/app/config"
	"lectern/shared/chat/model"
	"lectern/shared/chat/model/anthropic"
	"lectern/shared/chat/model/extractive"
	"lectern/shared/chat/model/openai"
	"lectern/shared/knowledge/embedding"
)

// provider is what a model or embedding URL says.
type provider struct {
	base     string // without the settings that are ours
	model    string
	as       string
	fallback string
	dims     int
	can      url.Values // what the operator says of the model
}

// parseProvider reads http://host/v1?model=m&as=name&fallback=other&dims=n.
func parseProvider(setting, raw string) (provider, error) {
	u, err := url.Parse(raw)
	if err != nil || u.Scheme != "http" && u.Scheme != "https" || u.Host == "" {
		return provider{}, fmt.Errorf("%s: the address of a provider should be an http URL", setting)
	}
	q := u.Query()
	p := provider{model: q.Get("model"), as: q.Get("as"), fallback: q.Get("fallback")}
	if d := q.Get("dims"); d != "" {
		if p.dims, err = strconv.Atoi(d); err != nil || p.dims < 1 {
			return p, fmt.Errorf("%s: dims should be a number above 0", setting)
		}
	}
	p.can = q
	u.RawQuery = ""
	p.base = u.String()
	return p, nil
}

// told changes what is assumed of a model to what the operator says.
func told(entry *model.Entry, q url.Values) error {
	for name, to := range map[string]*bool{"images": &entry.Can.Images, "audio": &entry.Can.Audio, "thinking": &entry.Can.Thinking, "structured": &entry.Can.StructuredOutputs} {
		if q.Has(name) {
			v, err := strconv.ParseBool(q.Get(name))
			if err != nil {
				return fmt.Errorf("LECTERN_CHAT: %s of model %q should be true or false", name, entry.ID)
			}
			*to = v
		}
	}
	for name, to := range map[string]*int{"window": &entry.MaxInputTokens, "max_tokens": &entry.MaxTokens} {
		if q.Has(name) {
			n, err := strconv.Atoi(q.Get(name))
			if err != nil || n < 1 {
				return fmt.Errorf("LECTERN_CHAT: %s of model %q should be a number above 0", name, entry.ID)
			}
			*to = n
		}
	}
	if !entry.Can.Thinking {
		entry.Can.Adaptive, entry.Can.Efforts = false, nil
	}
	return nil
}

// Models makes the catalog of chat models, the first of the setting being the
// default, and of the embedder. The built-in model is always there. A server
// for which no model is named is asked which it has.
func Models(ctx context.Context, c *config.Config, e embedding.Embedder) (*model.Catalog, error) {
	var entries []model.Entry
	for _, raw := range c.Chat {
		found, err := chatModels(ctx, c, raw)
		if err != nil {
			return nil, err
		}
		for _, entry := range found {
			if slices.ContainsFunc(entries, func(have model.Entry) bool { return have.ID == entry.ID }) {
				return nil, fmt.Errorf("LECTERN_CHAT: model %q is named twice", entry.ID)
			}
			entries = append(entries, entry)
		}
	}
	if !slices.ContainsFunc(entries, func(have model.Entry) bool { return have.ID == extractive.ID }) {
		entries = append(entries, extractive.Entry())
	}
	for _, entry := range entries {
		if entry.Fallback != "" && !slices.ContainsFunc(entries, func(have model.Entry) bool {
			return have.ID == entry.Fallback || slices.Contains(have.Aliases, entry.Fallback)
		}) {
			return nil, fmt.Errorf("LECTERN_CHAT: the fallback of %q is no model of the list", entry.ID)
		}
	}
	entries = append(entries, model.Entry{Info: model.Info{
		ID: e.Name(), DisplayName: "Embedder " + e.Name(), Created: extractive.Entry().Created, MaxInputTokens: 8192, EmbedDimensions: e.Dimensions(),
	}})
	return model.NewCatalog(entries...), nil
}

func chatModels(ctx context.Context, c *config.Config, raw string) ([]model.Entry, error) {
	scheme, rest, _ := strings.Cut(raw, ":")
	if scheme == "extractive" {
		entry := extractive.Entry()
		if q, err := url.ParseQuery(strings.TrimPrefix(rest, "?")); err == nil && q.Get("as") != "" {
			entry.Aliases = []string{q.Get("as")}
		}
		return []model.Entry{entry}, nil
	}
	if scheme == "bedrock" {
		entry, err := bedrockModel(ctx, rest)
		return []model.Entry{entry}, err
	}
	kind, address, ok := strings.Cut(raw, "+")
	if !ok || kind != "openai" && kind != "anthropic" {
		return nil, unknown("LECTERN_CHAT", raw)
	}
	p, err := parseProvider("LECTERN_CHAT", address)
	if err != nil {
		return nil, err
	}
	var driver model.Model
	if kind == "anthropic" {
		driver = anthropic.New(p.base, c.AnthropicKey)
	} else {
		driver = openai.New(p.base, c.OpenAIKey)
	}
	offers := []openai.Offer{{ID: p.model}}
	if p.model == "" && kind == "openai" {
		if offers, err = openai.Discover(ctx, p.base, c.OpenAIKey); err != nil {
			return nil, fmt.Errorf("LECTERN_CHAT: %s names no ?model= and cannot be asked which it has: %w", p.base, err)
		}
	} else if p.model == "" {
		return nil, fmt.Errorf("LECTERN_CHAT: the address %s should name a ?model=", p.base)
	}
	var entries []model.Entry
	for i, offer := range offers {
		q := p
		q.model = offer.ID
		if i > 0 {
			q.as = ""
		}
		entry := remote(q, driver)
		if offer.Window > 0 {
			entry.MaxInputTokens = offer.Window
		}
		if kind == "anthropic" {
			entry.Can.Native, entry.MaxInputTokens = true, anthropicWindow
		}
		if err := told(&entry, p.can); err != nil {
			return nil, err
		}
		entries = append(entries, entry)
	}
	return entries, nil
}

// Limits assumed of a model that its provider does not describe.
const (
	remoteMaxTokens      = 32000
	remoteMaxInputTokens = 128000
	anthropicWindow      = 200000
)

// remote is the catalog entry of a provider's model. What it can do is not
// known for certain: images are let through, because servers refuse them
// clearly themselves, unless the operator says otherwise.
func remote(p provider, m model.Model) model.Entry {
	entry := model.Entry{
		Info: model.Info{
			ID: p.model, DisplayName: p.model, Created: time.Date(2026, 1, 1, 0, 0, 0, 0, time.UTC), MaxTokens: remoteMaxTokens, MaxInputTokens: remoteMaxInputTokens,
			Can: model.Capabilities{Images: true, PDF: true, Citations: true, StructuredOutputs: true, Thinking: true, Adaptive: true, Efforts: []string{"low", "medium", "high", "xhigh", "max"}},
		},
		Model: m, Upstream: p.model, Fallback: p.fallback,
	}
	if p.as != "" {
		entry.Aliases = []string{p.as}
	}
	return entry
}
