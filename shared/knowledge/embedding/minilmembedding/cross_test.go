package minilmembedding

import (
	"crypto/sha256"
	"encoding/hex"
	"math"
	"testing"

	"lectern/shared/knowledge/embedding"
)

// TestCrossWeights: the file is what scripts/weights makes.
func TestCrossWeights(t *testing.T) {
	const want = "25b9d9ea39c9bbc726976b83b37aa8cab9ab98c4dd9e6c45e2b901546798bd12"
	if got := sha256.Sum256([]byte(packedCross)); hex.EncodeToString(got[:]) != want {
		t.Errorf("cross.bin has the SHA-256 %x, want %s", got, want)
	}
	for _, damaged := range []string{"", "minicross2", packedCross[:1000], packedCross[:len(packedCross)-1], packedCross + "\x00"} {
		if _, err := openCross(damaged, 128); err == nil {
			t.Errorf("openCross of %d bytes succeeds", len(damaged))
		}
	}
}

// TestCrossReference compares with what an implementation in float32, with the weights before rounding, says of windows, among
// them such that are longer than what is read, and empty ones.
func TestCrossReference(t *testing.T) {
	var cases []struct {
		Question string
		Window   embedding.Window
		LogOdds  []float64 `json:"log_odds"`
	}
	load(t, "cross.json", &cases)
	for _, k := range supported() {
		e, sum, n := open(t, k), 0.0, 0
		for i, c := range cases {
			if k == &portable && (i%6 != 0 || testing.Short()) {
				continue
			}
			odds, err := e.Judge(t.Context(), c.Question, []embedding.Window{c.Window})
			if err != nil {
				t.Fatal(err)
			}
			if len(odds) != 1 || len(odds[0]) != len(c.Window) {
				t.Fatalf("%s: log odds %v of %d sentences", k.name, odds, len(c.Window))
			}
			for j, s := range c.Window {
				off := math.Abs(odds[0][j] - c.LogOdds[j])
				if off > .5 {
					t.Errorf("%s: %q to %.60q: %.2f, want %.2f", k.name, s.Text, c.Question, odds[0][j], c.LogOdds[j])
				}
				sum += off
				n++
			}
		}
		if n > 0 && sum/float64(n) > .1 {
			t.Errorf("%s: mean difference to the reference is %.3f, want at most .1", k.name, sum/float64(n))
		}
		t.Logf("%s: %d sentences, mean difference %.3f", k.name, n, sum/float64(n))
	}
}
