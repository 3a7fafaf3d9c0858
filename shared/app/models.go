package app

import (
	"context"
	"fmt"
	"net/url"
	"slices"
	"strconv"
	"strings"
	"time"

	"lectern/shared/chat/model"
	"lectern/shared/chat/model/anthropic"
	"lectern/shared/chat/model/bedrock"
	"lectern/shared/chat/model/extractive"
	"lectern/shared/chat/model/messageswire"
	"lectern/shared/chat/model/openai"
	"lectern/shared/knowledge/embedding"
	"lectern/shared/text/terms"
)

const chatSetting = "LECTERN_CHAT"

// Models opens the chat models of LECTERN_CHAT and the built-in model. It needs
// Embedder, which the catalog lists too.
func Models(ctx context.Context, p *Process) error {
	var entries []model.Entry
	for _, raw := range p.Config.Chat {
		found, err := openModels(ctx, p, raw)
		if err != nil {
			return Of(chatSetting, err)
		}
		for _, entry := range found {
			if slices.ContainsFunc(entries, func(have model.Entry) bool { return have.ID == entry.ID }) {
				return fmt.Errorf("%s: model %q is listed twice", chatSetting, entry.ID)
			}
			entries = append(entries, entry)
		}
	}
	if !slices.ContainsFunc(entries, func(have model.Entry) bool { return have.ID == extractive.ID }) {
		entries = append(entries, extractive.Entry(meaning(p), p.Tables))
	}
	for _, entry := range entries {
		if entry.Fallback != "" && !slices.ContainsFunc(entries, func(have model.Entry) bool {
			return have.ID == entry.Fallback || slices.Contains(have.Aliases, entry.Fallback)
		}) {
			return fmt.Errorf("%s: the fallback of model %q is not in the list", chatSetting, entry.ID)
		}
	}
	entries = append(entries, model.Entry{Info: model.Info{
		ID: p.Embedder.Name(), DisplayName: "Embedder " + p.Embedder.Name(), Created: extractive.Entry(nil, nil).Created, MaxInputTokens: 8192,
		EmbedDimensions: p.Embedder.Dimensions(),
	}})
	p.Models = model.NewCatalog(entries...)
	p.Models.Strict = p.Config.StrictModels
	return nil
}

// local is an embedder that runs in the process.
type local interface {
	embedding.Comparer
	embedding.Monolingual
	Fast() bool
}

// meaning is the built-in embedder, where it is used and fast; sentences are not
// sent to a remote one. In another language than its own it answers nothing.
func meaning(p *Process) extractive.Meaning {
	if e, ok := p.Embedder.(local); ok && e.Fast() {
		return monolingual{e}
	}
	return nil
}

// monolingual compares questions in the language of its embedder.
type monolingual struct{ local }

func (m monolingual) Understands(question string) bool {
	return terms.May(question, terms.Language(m.Language()))
}

// openModels opens one item of the setting: one model, or all models that an
// OpenAI-compatible server lists.
func openModels(ctx context.Context, p *Process, raw string) ([]model.Entry, error) {
	scheme, rest, _ := strings.Cut(raw, ":")
	kind, base, _ := strings.Cut(raw, "+")
	switch {
	case scheme == "extractive":
		return builtIn(p, rest)
	case scheme == "bedrock":
		return bedrockModel(ctx, p, rest)
	case kind == "openai":
		return openaiModels(ctx, p, base)
	case kind == "anthropic":
		return anthropicModel(p, base)
	}
	return nil, UnknownDriver(chatSetting, raw)
}

// builtIn is the built-in model; ?as=name adds an alias.
func builtIn(p *Process, rest string) ([]model.Entry, error) {
	query, asks := strings.CutPrefix(rest, "?")
	q, err := url.ParseQuery(query)
	if err != nil || rest != "" && !asks {
		return nil, fmt.Errorf("%s: the built-in model is extractive: or extractive:?as=name, not extractive:%s", chatSetting, rest)
	}
	if err := checkOptions(chatSetting, q, []string{"as"}); err != nil {
		return nil, err
	}
	entry := extractive.Entry(meaning(p), p.Tables)
	if q.Get("as") != "" {
		entry.Aliases = []string{q.Get("as")}
	}
	return []model.Entry{entry}, nil
}

// chatOptions are the options of a chat model's address, beside those of its provider.
var chatOptions = []string{"as", "fallback", "images", "audio", "thinking", "structured", "window", "max_tokens"}

func bedrockModel(ctx context.Context, p *Process, raw string) ([]model.Entry, error) {
	a, err := parseBedrock(chatSetting, raw, append([]string{"endpoint"}, chatOptions...)...)
	if err != nil {
		return nil, err
	}
	cfg, err := p.AWS(ctx, a.query.Get("region"))
	if err != nil {
		return nil, err
	}
	entry := remote(a, a.model, bedrock.New(cfg, a.query.Get("endpoint")))
	if bedrock.IsClaude(a.model) {
		entry.Can.Native, entry.MaxInputTokens = true, anthropicWindow
		entry.Can.Fields = messageswire.BedrockFields()
	} else {
		entry.Can.Fields = bedrock.ConverseFields()
		entry.Can.StructuredOutputs = false // not native: prompted, validated and repaired instead
	}
	return []model.Entry{entry}, soundless(&entry, a.query)
}

// soundless is applyOverrides for a provider whose API has no audio.
func soundless(entry *model.Entry, q url.Values) error {
	err := applyOverrides(entry, q)
	if err == nil && entry.Can.Audio {
		err = fmt.Errorf("%s: the API of model %q takes no audio", chatSetting, entry.ID)
	}
	return err
}

func anthropicModel(p *Process, raw string) ([]model.Entry, error) {
	a, err := parseAddress(chatSetting, raw, slices.Clone(chatOptions)...)
	if err != nil {
		return nil, err
	}
	if a.model == "" {
		return nil, fmt.Errorf("%s: the URL %s should have a ?model=", chatSetting, a.base)
	}
	entry := remote(a, a.model, anthropic.New(a.base, p.Config.AnthropicKey))
	entry.Can.Native, entry.MaxInputTokens, entry.Can.Fields = true, anthropicWindow, messageswire.Fields()
	return []model.Entry{entry}, soundless(&entry, a.query)
}

func openaiModels(ctx context.Context, p *Process, raw string) ([]model.Entry, error) {
	a, err := parseAddress(chatSetting, raw, slices.Clone(chatOptions)...)
	if err != nil {
		return nil, err
	}
	offers := []openai.Offer{{ID: a.model}}
	if a.model == "" {
		if offers, err = openai.Discover(ctx, a.base, p.Config.OpenAIKey); err != nil {
			return nil, fmt.Errorf("%s: %s has no ?model=, and its models could not be listed: %w", chatSetting, a.base, err)
		}
	}
	driver := openai.New(a.base, p.Config.OpenAIKey)
	var entries []model.Entry
	for _, offer := range offers {
		entry := remote(a, offer.ID, driver)
		entry.Can.Fields = openai.Fields()
		a.as = "" // the alias names the first model only
		if offer.Window > 0 {
			entry.MaxInputTokens = offer.Window
		}
		if err := applyOverrides(&entry, a.query); err != nil {
			return nil, err
		}
		entries = append(entries, entry)
	}
	return entries, nil
}

// Default limits of models whose provider does not report them, in tokens.
const (
	remoteMaxTokens      = 32000
	remoteMaxInputTokens = 128000
	anthropicWindow      = 200000
)

// remote returns a provider's model with the most common capabilities.
func remote(a address, id string, m model.Model) model.Entry {
	entry := model.Entry{
		Info: model.Info{
			ID: id, DisplayName: id, Created: time.Date(2026, 1, 1, 0, 0, 0, 0, time.UTC), MaxTokens: remoteMaxTokens,
			MaxInputTokens: remoteMaxInputTokens,
			Can: model.Capabilities{
				Images: true, PDF: true, Citations: true, StructuredOutputs: true, Thinking: true, Adaptive: true,
				Efforts: []string{"low", "medium", "high", "xhigh", "max"},
			},
		},
		Model: m, Upstream: id, Fallback: a.fallback,
	}
	if a.as != "" {
		entry.Aliases = []string{a.as}
	}
	return entry
}

// applyOverrides applies the operator's settings to a model's capabilities and
// limits.
func applyOverrides(entry *model.Entry, q url.Values) error {
	for name, to := range map[string]*bool{
		"images": &entry.Can.Images, "audio": &entry.Can.Audio, "thinking": &entry.Can.Thinking, "structured": &entry.Can.StructuredOutputs,
	} {
		if q.Has(name) {
			v, err := strconv.ParseBool(q.Get(name))
			if err != nil {
				return fmt.Errorf("%s: %s of model %q should be true or false", chatSetting, name, entry.ID)
			}
			*to = v
		}
	}
	for name, to := range map[string]*int{"window": &entry.MaxInputTokens, "max_tokens": &entry.MaxTokens} {
		if q.Has(name) {
			n, err := strconv.Atoi(q.Get(name))
			if err != nil || n < 1 {
				return fmt.Errorf("%s: %s of model %q should be a number above 0", chatSetting, name, entry.ID)
			}
			*to = n
		}
	}
	if !entry.Can.Thinking {
		entry.Can.Adaptive, entry.Can.Efforts = false, nil
	}
	return nil
}
