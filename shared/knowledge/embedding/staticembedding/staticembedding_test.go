package staticembedding_test

import (
	"encoding/binary"
	"encoding/json"
	"math"
	"math/rand/v2"
	"os"
	"path/filepath"
	"strings"
	"testing"

	"github.com/google/go-cmp/cmp"

	"lectern/shared/knowledge/embedding"
	"lectern/shared/knowledge/embedding/embeddingtest"
	"lectern/shared/knowledge/embedding/staticembedding"
)

type object = map[string]any

// tensor is one tensor of a made-up file.
type tensor struct {
	name, kind string
	shape      []int
	data       []byte
}

func f32(values ...float32) []byte {
	var out []byte
	for _, v := range values {
		out = binary.LittleEndian.AppendUint32(out, math.Float32bits(v))
	}
	return out
}

func u16(values ...uint16) []byte {
	var out []byte
	for _, v := range values {
		out = binary.LittleEndian.AppendUint16(out, v)
	}
	return out
}

func i64(values ...int64) []byte {
	var out []byte
	for _, v := range values {
		out = binary.LittleEndian.AppendUint64(out, uint64(v))
	}
	return out
}

// write makes a model's directory and returns its URL.
func write(t *testing.T, tokenizer, config any, tensors ...tensor) string {
	t.Helper()
	dir := filepath.Join(t.TempDir(), "model")
	head, data := object{"__metadata__": object{"format": "pt"}}, []byte{}
	for _, x := range tensors {
		head[x.name] = object{"dtype": x.kind, "shape": x.shape, "data_offsets": []int{len(data), len(data) + len(x.data)}}
		data = append(data, x.data...)
	}
	text, err := json.Marshal(head)
	if err != nil {
		t.Fatal(err)
	}
	file := append(binary.LittleEndian.AppendUint64(nil, uint64(len(text))), text...)
	if err := os.MkdirAll(dir, 0o755); err != nil {
		t.Fatal(err)
	}
	save := func(name string, raw []byte) {
		if err := os.WriteFile(filepath.Join(dir, name), raw, 0o644); err != nil {
			t.Fatal(err)
		}
	}
	save("model.safetensors", append(file, data...))
	for name, v := range map[string]any{"tokenizer.json": tokenizer, "config.json": config} {
		if v == nil {
			continue
		}
		raw, err := json.Marshal(v)
		if err != nil {
			t.Fatal(err)
		}
		save(name, raw)
	}
	return "static:" + dir
}

func wordPiece(tokens ...string) object {
	vocab := object{}
	for i, w := range tokens {
		vocab[w] = i
	}
	return object{
		"normalizer":    object{"type": "BertNormalizer", "clean_text": true, "handle_chinese_chars": true, "strip_accents": nil, "lowercase": true},
		"pre_tokenizer": object{"type": "BertPreTokenizer"},
		"model":         object{"type": "WordPiece", "unk_token": "[UNK]", "continuing_subword_prefix": "##", "max_input_chars_per_word": 100, "vocab": vocab},
	}
}

func unigram(bytes bool, tokens ...any) object {
	vocab := []any{[]any{"<unk>", 0}}
	for i := 0; i < len(tokens); i += 2 {
		vocab = append(vocab, []any{tokens[i], tokens[i+1]})
	}
	return object{
		"normalizer": object{"type": "Sequence", "normalizers": []any{object{"type": "Precompiled", "precompiled_charsmap": ""},
			object{"type": "Replace", "pattern": object{"Regex": " {2,}"}, "content": " "}}},
		"pre_tokenizer": object{"type": "Metaspace", "replacement": "▁", "prepend_scheme": "always"},
		"model":         object{"type": "Unigram", "unk_id": 0, "vocab": vocab, "byte_fallback": bytes},
	}
}

// axes are n vectors, each along its own axis: an embedding shows which tokens
// a text has.
func axes(n int) tensor {
	values := make([]float32, n*n)
	for i := range n {
		values[i*n+i] = 1
	}
	return tensor{"embeddings", "F32", []int{n, n}, f32(values...)}
}

// tokens embeds a text and tells how often each axis is in it, as a share of
// the least one.
func tokens(t *testing.T, e embedding.Embedder, text string) []int {
	t.Helper()
	list, err := e.Embed(t.Context(), []string{text}, embedding.Document)
	if err != nil {
		t.Fatal(err)
	}
	least := float32(2)
	for _, x := range list[0] {
		if x > 0 {
			least = min(least, x)
		}
	}
	out := make([]int, len(list[0]))
	for i, x := range list[0] {
		out[i] = int(math.Round(float64(x / least)))
	}
	return out
}

func open(t *testing.T, url string) embedding.Embedder {
	t.Helper()
	e, err := staticembedding.Open(url)
	if err != nil {
		t.Fatal(err)
	}
	return e
}

func TestWordPiece(t *testing.T) {
	e := open(t, write(t, wordPiece("[UNK]", "play", "##ing", "##s", "cafe", "!", "東", "京"), object{"hidden_dim": 8, "normalize": true}, axes(8)))
	for text, want := range map[string][]int{
		"Playing plays PLAY":   {0, 3, 1, 1, 0, 0, 0, 0},
		"Café!!":               {0, 0, 0, 0, 1, 2, 0, 0},
		"東京 played play":       {0, 1, 0, 0, 0, 0, 1, 1},
		"\x00play\u200b\tplay": {0, 2, 0, 0, 0, 0, 0, 0},
		"[UNK] ! xyz":          {0, 0, 0, 0, 0, 1, 0, 0},
		"nothing known":        {1, 0, 0, 0, 0, 0, 0, 0},
	} {
		got := tokens(t, e, text)
		if want[1] == 2 && got[1] == 1 {
			got[1] = 2 // alone, a token's count does not show
		}
		if d := cmp.Diff(want, got); d != "" {
			t.Errorf("Embed(%q) (-want +got):\n%s", text, d)
		}
	}
}

func TestUnigram(t *testing.T) {
	vocab := []any{"▁", -3.0, "▁new", -2.0, "▁york", -2.5, "▁new▁york", -3.0, "s", -1.0, "n", -9.0, "▁n", -9.0, "<0xC3>", -20.0, "<0xA9>", -20.0}
	plain := open(t, write(t, unigram(false, vocab...), nil, axes(10)))
	bytes := open(t, write(t, unigram(true, vocab...), nil, axes(10)))
	tests := []struct {
		text         string
		plain, bytes []int
	}{
		{"new  yorks", []int{0, 0, 1, 1, 0, 1, 0, 0, 0, 0}, nil},
		{"ｎｅｗ s", []int{0, 1, 1, 0, 0, 1, 0, 0, 0, 0}, nil}, // full width
		{"é s", []int{0, 2, 0, 0, 0, 1, 0, 0, 0, 0}, []int{0, 2, 0, 0, 0, 1, 0, 0, 1, 1}},
	}
	for _, tt := range tests {
		if tt.bytes == nil {
			tt.bytes = tt.plain
		}
		if d := cmp.Diff(tt.plain, tokens(t, plain, tt.text)); d != "" {
			t.Errorf("Embed(%q) (-want +got):\n%s", tt.text, d)
		}
		if d := cmp.Diff(tt.bytes, tokens(t, bytes, tt.text)); d != "" {
			t.Errorf("with bytes, Embed(%q) (-want +got):\n%s", tt.text, d)
		}
	}
}

// TestTables: weights of tokens, shared rows, and numbers of other types.
func TestTables(t *testing.T) {
	words := wordPiece("[UNK]", "a", "b", "c")
	weights := tensor{"weights", "F32", []int{4}, f32(1, 1, 3, 1)}
	mapping := tensor{"mapping", "I64", []int{4}, i64(0, 0, 1, 1)}
	tests := []struct {
		why     string
		tensors []tensor
		text    string
		want    []float32
	}{
		{"mean", []tensor{{"embeddings", "F32", []int{4, 2}, f32(9, 9, 3, 0, 0, 4, 0, 0)}}, "a b", []float32{.6, .8}},
		{"weights", []tensor{{"embeddings", "F32", []int{4, 2}, f32(9, 9, 4, 0, 0, 1, 0, 0)}, weights}, "a b", []float32{.8, .6}},
		{"shared rows", []tensor{{"embeddings", "F32", []int{2, 2}, f32(3, 0, 0, 2)}, mapping}, "a b c", []float32{.6, .8}},
		{"half", []tensor{{"embeddings", "F16", []int{4, 2}, u16(0, 0, 0x4200, 0, 0x8000, 0x4400, 0, 0)}}, "a b", []float32{.6, .8}},
		{"bfloat", []tensor{{"embeddings", "BF16", []int{4, 2}, u16(0, 0, 0x4040, 0, 0, 0xC080, 0, 0)}}, "a b", []float32{.6, -.8}},
		{"bytes", []tensor{{"embeddings", "I8", []int{4, 2}, []byte{0, 0, 3, 0, 0, 0xFC, 0, 0}}}, "a b", []float32{.6, -.8}},
		{"zero", []tensor{{"embeddings", "F32", []int{4, 2}, f32(9, 9, 4, 0, 0, 1, 0, 0)}}, "c", []float32{1, 0}},
	}
	for _, tt := range tests {
		list, err := open(t, write(t, words, nil, tt.tensors...)).Embed(t.Context(), []string{tt.text}, embedding.Query)
		if err != nil {
			t.Fatal(err)
		}
		for i, x := range list[0] {
			if math.Abs(float64(x-tt.want[i])) > 1e-6 {
				t.Errorf("%s: Embed(%q) = %v, want %v", tt.why, tt.text, list[0], tt.want)
				break
			}
		}
	}
}

func TestBroken(t *testing.T) {
	words := wordPiece("[UNK]", "a")
	bpe := object{"model": object{"type": "BPE", "vocab": object{}}}
	odd := wordPiece("[UNK]", "a")
	odd["normalizer"] = object{"type": "Rot13"}
	tests := []struct {
		url, want string
	}{
		{"static:", "path"},
		{"static:" + filepath.Join(t.TempDir(), "absent"), "no such file"},
		{write(t, nil, nil, axes(2)), "no such file"},
		{write(t, bpe, nil, axes(2)), "BPE"},
		{write(t, odd, nil, axes(2)), "Rot13"},
		{write(t, words, nil, tensor{"other", "F32", []int{1}, f32(1)}), "embeddings"},
		{write(t, words, nil, tensor{"embeddings", "F32", []int{2, 2}, f32(1)}), "does not fit"},
		{write(t, words, nil, tensor{"embeddings", "U4", []int{2, 2}, f32(1)}), "U4"},
		{write(t, words, nil, axes(1)), "knows 2 tokens"},
		{write(t, words, nil, axes(2), tensor{"mapping", "I64", []int{2}, i64(0, 7)}), "row is 7"},
		{write(t, words, object{"hidden_dim": 3}, axes(2)), "3 dimensions"},
	}
	for _, tt := range tests {
		if _, err := staticembedding.Open(tt.url); err == nil || !strings.Contains(err.Error(), tt.want) {
			t.Errorf("Open(%.40q) = %v, want it to speak of %q", tt.url, err, tt.want)
		}
	}
}

// model has a vector of its own for each letter and for some words.
func model(t *testing.T) string {
	list := []string{"[UNK]"}
	for c := 'a'; c <= 'z'; c++ {
		list = append(list, string(c), "##"+string(c))
	}
	for c := '0'; c <= '9'; c++ {
		list = append(list, string(c), "##"+string(c))
	}
	list = append(list, "the", "of", "and", "text", "number", "long", "red", "green", "apples", "pears", "boundary", "layer", "moon")
	random := rand.New(rand.NewPCG(1, 2))
	values := make([]float32, 64*len(list))
	for i := range values {
		values[i] = float32(random.NormFloat64())
	}
	return write(t, wordPiece(list...), nil, tensor{"embeddings", "F32", []int{len(list), 64}, f32(values...)})
}

func TestContract(t *testing.T) {
	url := model(t)
	embeddingtest.Run(t, func(t *testing.T) embedding.Embedder { return open(t, url) })
	if a, b := open(t, url).Name(), open(t, write(t, wordPiece("[UNK]"), nil, axes(2))).Name(); a == b {
		t.Errorf("two models have the name %q", a)
	}
}

func FuzzTokenizer(f *testing.F) {
	f.Add("Playing at the moon", true)
	f.Fuzz(func(t *testing.T, text string, pieces bool) {
		words := wordPiece("[UNK]", "a", "##a", "b")
		if !pieces {
			words = unigram(true, "▁a", -1.0, "b", -2.0, "<0xC3>", -3.0)
		}
		e := open(t, write(t, words, nil, axes(4)))
		list, err := e.Embed(t.Context(), []string{text}, embedding.Document)
		if err != nil || len(list) != 1 || len(list[0]) != 4 {
			t.Errorf("Embed(%q) = %v, %v", text, list, err)
		}
	})
}
