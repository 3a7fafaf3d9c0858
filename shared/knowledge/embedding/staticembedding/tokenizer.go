package staticembedding

import (
	"encoding/json"
	"errors"
	"fmt"
	"iter"
	"regexp"
	"strings"
	"unicode"

	"golang.org/x/text/unicode/norm"
)

// tokenizer converts a text to the ids of its known tokens.
//
// Source: tokenizer.json of github.com/huggingface/tokenizers.
type tokenizer struct {
	size      int // tokens, the highest number plus one
	normalize []func(string) string
	split     []func([]string) []string
	pieces    func(word string, emit func(id int) bool) bool // false: stop
}

// part is a nested object in tokenizer.json; each kind uses some of the fields.
type part struct {
	Type          string `json:"type"`
	Normalizers   []part `json:"normalizers"`
	PreTokenizers []part `json:"pretokenizers"`

	CleanText    *bool `json:"clean_text"`
	Chinese      *bool `json:"handle_chinese_chars"`
	StripAccents *bool `json:"strip_accents"`
	Lowercase    *bool `json:"lowercase"`

	Pattern struct{ String, Regex string } `json:"pattern"`
	Content string                         `json:"content"`
	Prepend string                         `json:"prepend"`

	Replacement string `json:"replacement"`
	Scheme      string `json:"prepend_scheme"`
	AddPrefix   *bool  `json:"add_prefix_space"`
	Split       *bool  `json:"split"`
}

type model struct {
	Type         string          `json:"type"`
	Vocab        json.RawMessage `json:"vocab"`
	Unknown      string          `json:"unk_token"`
	UnknownID    *int            `json:"unk_id"`
	Prefix       *string         `json:"continuing_subword_prefix"`
	MaxChars     int             `json:"max_input_chars_per_word"`
	ByteFallback bool            `json:"byte_fallback"`
}

func parseTokenizer(raw []byte) (*tokenizer, error) {
	var file struct {
		Normalizer   *part `json:"normalizer"`
		PreTokenizer *part `json:"pre_tokenizer"`
		Model        model `json:"model"`
	}
	if err := json.Unmarshal(raw, &file); err != nil {
		return nil, fmt.Errorf("tokenizer.json: %w", err)
	}
	t := &tokenizer{}
	err := errors.Join(t.addNormalizer(file.Normalizer), t.addSplitter(file.PreTokenizer))
	switch file.Model.Type {
	case "WordPiece", "": // old files have no type
		err = errors.Join(err, t.wordPiece(&file.Model))
	case "Unigram":
		err = errors.Join(err, t.unigram(&file.Model))
	default:
		err = errors.Join(err, fmt.Errorf("tokenizer.json: unsupported tokenizer type %q; supported are WordPiece and Unigram",
			file.Model.Type))
	}
	return t, err
}

// all yields the known tokens of a text.
func (t *tokenizer) all(text string) iter.Seq[int] {
	return func(yield func(int) bool) {
		for _, f := range t.normalize {
			text = f(text)
		}
		words := []string{text}
		for _, f := range t.split {
			words = f(words)
		}
		for _, w := range words {
			if w != "" && !t.pieces(w, yield) {
				return
			}
		}
	}
}

func on(b *bool, standard bool) bool {
	if b == nil {
		return standard
	}
	return *b
}

func (t *tokenizer) addNormalizer(p *part) error {
	if p == nil {
		return nil
	}
	add := func(f func(string) string) { t.normalize = append(t.normalize, f) }
	switch p.Type {
	case "Sequence":
		for i := range p.Normalizers {
			if err := t.addNormalizer(&p.Normalizers[i]); err != nil {
				return err
			}
		}
	case "BertNormalizer":
		lower := on(p.Lowercase, true)
		if on(p.CleanText, true) {
			add(clean)
		}
		if on(p.Chinese, true) {
			add(spaceIdeographs)
		}
		if on(p.StripAccents, lower) {
			add(stripAccents)
		}
		if lower {
			add(strings.ToLower)
		}
	case "Lowercase":
		add(strings.ToLower)
	case "StripAccents":
		add(stripAccents)
	case "NFC":
		add(norm.NFC.String)
	case "NFD":
		add(norm.NFD.String)
	case "NFKC", "Nmt", "Precompiled": // a precompiled map is nearly NFKC
		add(norm.NFKC.String)
	case "NFKD":
		add(norm.NFKD.String)
	case "Strip":
		add(strings.TrimSpace)
	case "Prepend":
		add(func(s string) string { return p.Prepend + s })
	case "Replace":
		if p.Pattern.Regex == "" {
			add(func(s string) string { return strings.ReplaceAll(s, p.Pattern.String, p.Content) })
			return nil
		}
		re, err := regexp.Compile(p.Pattern.Regex)
		if err != nil {
			return fmt.Errorf("tokenizer.json: normalizer Replace: %w", err)
		}
		add(func(s string) string { return re.ReplaceAllLiteralString(s, p.Content) })
	default:
		return fmt.Errorf("tokenizer.json: unsupported normalizer type %q", p.Type)
	}
	return nil
}

func (t *tokenizer) addSplitter(p *part) error {
	if p == nil {
		return nil
	}
	each := func(f func(word string, out []string) []string) {
		t.split = append(t.split, func(words []string) []string {
			var out []string
			for _, w := range words {
				out = f(w, out)
			}
			return out
		})
	}
	switch p.Type {
	case "Sequence":
		for i := range p.PreTokenizers {
			if err := t.addSplitter(&p.PreTokenizers[i]); err != nil {
				return err
			}
		}
	case "BertPreTokenizer":
		each(func(w string, out []string) []string {
			for _, f := range strings.Fields(w) {
				out = isolate(f, punctuation, out)
			}
			return out
		})
	case "Punctuation":
		each(func(w string, out []string) []string { return isolate(w, punctuation, out) })
	case "WhitespaceSplit":
		each(func(w string, out []string) []string { return append(out, strings.Fields(w)...) })
	case "Whitespace":
		each(func(w string, out []string) []string {
			for _, f := range strings.Fields(w) {
				out = runs(f, out)
			}
			return out
		})
	case "Metaspace":
		mark := p.Replacement
		if mark == "" {
			mark = "▁"
		}
		first := p.Scheme != "never" && (p.Scheme != "" || on(p.AddPrefix, true))
		each(func(w string, out []string) []string {
			w = strings.ReplaceAll(w, " ", mark)
			if first && !strings.HasPrefix(w, mark) {
				w = mark + w
			}
			if !on(p.Split, true) {
				return append(out, w)
			}
			for len(w) > 0 {
				n := len(w)
				if i := strings.Index(w[len(mark):], mark); i >= 0 && strings.HasPrefix(w, mark) {
					n = i + len(mark)
				} else if i := strings.Index(w, mark); i > 0 {
					n = i
				}
				out, w = append(out, w[:n]), w[n:]
			}
			return out
		})
	default:
		return fmt.Errorf("tokenizer.json: unsupported pre-tokenizer type %q", p.Type)
	}
	return nil
}

// clean removes control characters and replaces every space by a plain one.
func clean(s string) string {
	return strings.Map(func(r rune) rune {
		switch {
		case unicode.IsSpace(r):
			return ' '
		case r == 0 || r == unicode.ReplacementChar || unicode.IsControl(r) || unicode.Is(unicode.Cf, r):
			return -1
		}
		return r
	}, s)
}

// spaceIdeographs makes each Chinese character a word.
func spaceIdeographs(s string) string {
	var out strings.Builder
	for _, r := range s {
		if r >= 0x4E00 && r <= 0x9FFF || r >= 0x3400 && r <= 0x4DBF || r >= 0x20000 && r <= 0x2CEAF || r >= 0xF900 && r <= 0xFAFF ||
			r >= 0x2F800 && r <= 0x2FA1F {
			out.WriteByte(' ')
			out.WriteRune(r)
			out.WriteByte(' ')
			continue
		}
		out.WriteRune(r)
	}
	return out.String()
}

func stripAccents(s string) string {
	return strings.Map(func(r rune) rune {
		if unicode.Is(unicode.Mn, r) {
			return -1
		}
		return r
	}, norm.NFD.String(s))
}

// punctuation is BERT's: all of ASCII's marks count.
func punctuation(r rune) bool {
	return r >= 33 && r <= 47 || r >= 58 && r <= 64 || r >= 91 && r <= 96 || r >= 123 && r <= 126 || unicode.IsPunct(r)
}

// isolate splits a word around each character for which f is true.
func isolate(w string, f func(rune) bool, out []string) []string {
	from := 0
	for i, r := range w {
		if f(r) {
			if i > from {
				out = append(out, w[from:i])
			}
			from = i + len(string(r))
			out = append(out, w[i:from])
		}
	}
	if from < len(w) {
		out = append(out, w[from:])
	}
	return out
}

// runs splits a word between letters or digits and everything else.
func runs(w string, out []string) []string {
	from, last := 0, -1
	for i, r := range w {
		kind := 0
		if unicode.IsLetter(r) || unicode.IsDigit(r) || unicode.IsMark(r) || r == '_' {
			kind = 1
		}
		if kind != last && i > from {
			out = append(out, w[from:i])
			from = i
		}
		last = kind
	}
	return append(out, w[from:])
}
