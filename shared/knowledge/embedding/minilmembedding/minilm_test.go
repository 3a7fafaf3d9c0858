package minilmembedding

import (
	"crypto/sha256"
	"encoding/binary"
	"encoding/hex"
	"encoding/json"
	"math"
	"math/rand/v2"
	"os"
	"slices"
	"strings"
	"testing"

	"lectern/shared/knowledge/embedding"
	"lectern/shared/knowledge/embedding/embeddingtest"
	"lectern/shared/knowledge/safetensors"
)

func open(t testing.TB, k *kernels) *Embedder {
	t.Helper()
	e, err := newWith(k)
	if err != nil {
		t.Fatal(err)
	}
	return e
}

func load(t *testing.T, name string, v any) {
	t.Helper()
	raw, err := os.ReadFile("testdata/" + name)
	if err != nil {
		t.Fatal(err)
	}
	if err := json.Unmarshal(raw, v); err != nil {
		t.Fatal(err)
	}
}

func TestContract(t *testing.T) {
	if !open(t, supported()[0]).Fast() {
		t.Skip("the portable kernels take minutes; TestReference has them")
	}
	embeddingtest.Run(t, func(t *testing.T) embedding.Embedder { return open(t, supported()[0]) })
}

func TestOpen(t *testing.T) {
	if _, err := Open("minilm:large"); err == nil || !strings.Contains(err.Error(), "minilm:") {
		t.Errorf("Open(minilm:large) = %v, want an error that names minilm:", err)
	}
	if e, err := Open("minilm:"); err != nil || e.Kernels() != supported()[0].name {
		t.Errorf("Open(minilm:) = %v, want the fastest kernels", err)
	}
}

// TestWeights: the file is what scripts/weights makes.
func TestWeights(t *testing.T) {
	const want = "8ad2c8da5e32a364692525de38bee16230f1a61263cfc5066a98cce7fe6c68bb"
	if got := sha256.Sum256([]byte(packed)); hex.EncodeToString(got[:]) != want {
		t.Errorf("weights.bin has the SHA-256 %x, want %s", got, want)
	}
	for _, damaged := range []string{"", "minilm00", packed[:1000], packed[:len(packed)-10]} {
		if _, err := openModel(damaged, 128); err == nil {
			t.Errorf("openModel of %d bytes succeeds", len(damaged))
		}
	}
}

// TestReference compares with vectors that an implementation in float32, with
// the original weights, made of 100 texts.
func TestReference(t *testing.T) {
	var texts []string
	load(t, "reference.json", &texts)
	want, err := os.ReadFile("testdata/reference.bin") // half floats
	if err != nil || len(want) != len(texts)*width*2 || len(texts) != 100 {
		t.Fatalf("%d texts, %d bytes of vectors: %v", len(texts), len(want), err)
	}
	for _, k := range supported() {
		e, sum, n := open(t, k), 0.0, 0
		for i, text := range texts {
			ids, _ := e.model.wordPieces(text)
			if len(ids) < 3 || k == &portable && (i%5 != 0 || len(ids) > 100 || testing.Short() && len(ids) > 20) {
				continue
			}
			list, err := e.Embed(t.Context(), []string{text}, embedding.Document)
			if err != nil {
				t.Fatal(err)
			}
			cosine := 0.0
			for j, x := range list[0] {
				cosine += float64(x) * float64(safetensors.Half(binary.LittleEndian.Uint16(want[2*(i*width+j):])))
			}
			if cosine < .985 {
				t.Errorf("%s: cosine of %.40q to the reference is %.4f", k.name, text, cosine)
			}
			sum += cosine
			n++
		}
		// With activations of seven bits it is .993, which loses one answer of twenty.
		if sum/float64(n) < .995 {
			t.Errorf("%s: mean cosine to the reference is %.4f, want .995", k.name, sum/float64(n))
		}
		t.Logf("%s: mean cosine %.4f of %d texts", k.name, sum/float64(n), n)
	}
}

// TestWordPieces compares with Hugging Face's tokenizer.
func TestWordPieces(t *testing.T) {
	var list [][2]json.RawMessage
	load(t, "tokens.json", &list)
	m := open(t, &portable).model
	for _, row := range list {
		var text string
		var want []int32
		if json.Unmarshal(row[0], &text) != nil || json.Unmarshal(row[1], &want) != nil {
			t.Fatal("tokens.json cannot be read")
		}
		if got, _ := m.wordPieces(text); !slices.Equal(got, want) {
			t.Errorf("wordPieces(%.40q) = %v, want %v", text, got, want)
		}
	}
}

// TestKernels compares each function of each set of kernels with the portable one.
func TestKernels(t *testing.T) {
	random := rand.New(rand.NewPCG(1, 2))
	floats := func(n int, scale float32) []float32 {
		list := make([]float32, n)
		for i := range list {
			list[i] = scale * float32(random.NormFloat64())
		}
		return list
	}
	near := func(t *testing.T, what string, got, want []float32, tolerance float64) {
		t.Helper()
		for i := range want {
			if math.Abs(float64(got[i]-want[i])) > tolerance*max(1, math.Abs(float64(want[i]))) {
				t.Fatalf("%s: number %d is %v, want %v", what, i, got[i], want[i])
			}
		}
	}
	for _, k := range supported() {
		t.Run(k.name, func(t *testing.T) {
			const inputs, outputs, most = 384, 128, 13
			m := matrix{inputs: inputs, outputs: outputs, weights: make([]int8, inputs*outputs), zero: make([]int32, outputs),
				scale: floats(outputs, .01), bias: floats(outputs, 1)}
			again := m
			again.zero = make([]int32, outputs)
			for n := range outputs {
				for i := range inputs {
					v := int8(random.IntN(255) - 127)
					m.weights[(n/groupOutputs*inputs/4+i/4)*groupOutputs*4+n%groupOutputs*4+i%4] = v
					m.zero[n] += k.zero * int32(v)
					again.zero[n] += portable.zero * int32(v)
				}
			}
			w := &scratch{bytes: make([]byte, most*inputs), scales: floats(most, .01)}
			other := &scratch{bytes: make([]byte, most*inputs), scales: w.scales}
			for i := range w.bytes {
				v := int32(random.IntN(int(2*k.levels)+1)) - int32(k.levels)
				if i < 2 {
					v = int32(k.levels)
				}
				w.bytes[i], other.bytes[i] = byte(k.zero+v), byte(portable.zero+v)
			}
			for _, rows := range []int{1, 2, 3, 4, 7, most} {
				got, want := make([]float32, rows*outputs), make([]float32, rows*outputs)
				w.multiply(k, &m, got, rows)
				other.multiply(&portable, &again, want, rows)
				near(t, "dot", got, want, 1e-4)
			}

			a, b := floats(16*40, 1), floats(40*64, 1)
			got, want := make([]float32, 16*64), make([]float32, 16*64)
			for _, x := range []struct {
				k   *kernels
				dst []float32
			}{{k, got}, {&portable, want}} {
				for row := 0; row < 16; row += x.k.productRows {
					for c := 0; c < 64; c += x.k.productColumns {
						x.k.product(&x.dst[row*64+c], 4*64, &a[row*40], 4*40, &b[c], 4*64, 40)
					}
				}
			}
			near(t, "product", got, want, 1e-4)

			for _, scale := range []float32{.1, 1, 20} {
				x := floats(384, scale)
				x[5], x[6], x[7] = 0, 30, -30
				again := slices.Clone(x)
				if got, want := k.largest(&x[0], 384), portable.largest(&x[0], 384); got != want {
					t.Errorf("largest = %v, want %v", got, want)
				}
				k.softmax(&x[0], 384, .3)
				portable.softmax(&again[0], 384, .3)
				near(t, "softmax", x, again, 1e-5)
				x = floats(384, scale)
				again = slices.Clone(x)
				got, want := k.gelu(&x[0], 384), portable.gelu(&again[0], 384)
				near(t, "gelu", append(x, got), append(again, want), 1e-5)
				x, y, gain, bias := floats(384, scale), floats(384, 1), floats(384, 1), floats(384, 1)
				again = slices.Clone(x)
				got, want = k.addNorm(&x[0], &y[0], &gain[0], &bias[0]), portable.addNorm(&again[0], &y[0], &gain[0], &bias[0])
				near(t, "addNorm", append(x, got), append(again, want), 1e-3)
				bytes := make([]byte, 384)
				factor := k.levels / k.largest(&x[0], 384)
				k.quantise(&bytes[0], &x[0], 384, factor)
				for i, v := range x {
					got := int(bytes[i]) - int(k.zero)
					if k.zero == 0 {
						got = int(int8(bytes[i]))
					}
					if want := float64(v * factor); math.Abs(float64(got)-want) > .51 {
						t.Fatalf("quantise(%v) = %d, want %v", v, got, want)
					}
				}
			}
		})
	}
}

func FuzzWordPieces(f *testing.F) {
	f.Add("Can I bring my puppy?")
	f.Add("한국 \xff\x00é\u0301")
	m, err := openModel(packed, 128)
	if err != nil {
		f.Fatal(err)
	}
	f.Fuzz(func(t *testing.T, text string) {
		ids, _ := m.wordPieces(text)
		if len(ids) < 2 || len(ids) > maxTokens || ids[0] != firstToken || ids[len(ids)-1] != lastToken {
			t.Errorf("wordPieces(%q) = %v", text, ids)
		}
	})
}

func BenchmarkForward(b *testing.B) {
	passage := strings.Repeat("The quick brown fox jumps over the lazy dog near the river bank while the sun sets. ", 11)
	for _, k := range supported() {
		e := open(b, k)
		for name, text := range map[string]string{"query": "what is the rate limit of the messages api here today", "passage": passage} {
			b.Run(k.name+"/"+name, func(b *testing.B) {
				ids, _ := e.model.wordPieces(text)
				w := &batch{}
				w.add(ids...)
				for b.Loop() {
					e.embed(w, 1)
				}
				b.ReportMetric(float64(len(ids)), "tokens")
			})
		}
	}
}
