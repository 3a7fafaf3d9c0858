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
	const want = "86ae1d75c6ba09992f991f142c6a33c1c500cc1c7fe9bca0e0ed55a671d360c3"
	if got := sha256.Sum256([]byte(packedCross)); hex.EncodeToString(got[:]) != want {
		t.Errorf("cross.bin has the SHA-256 %x, want %s", got, want)
	}
	for _, damaged := range []string{"", "minicross1", packedCross[:1000], packedCross[:len(packedCross)-1], packedCross + "\x00"} {
		if _, err := openCross(damaged, 128); err == nil {
			t.Errorf("openCross of %d bytes succeeds", len(damaged))
		}
	}
}

// TestCrossReference compares with what an implementation in float32, with the weights before rounding, says of pairs, among
// them such that are longer than what is read, and empty ones.
func TestCrossReference(t *testing.T) {
	var pairs []struct {
		Question, Text string
		LogOdds        float64 `json:"log_odds"`
	}
	load(t, "cross.json", &pairs)
	for _, k := range supported() {
		e, sum, n := open(t, k), 0.0, 0
		for i, p := range pairs {
			if k == &portable && (i%6 != 0 || testing.Short()) {
				continue
			}
			texts := []embedding.Text{{Text: p.Text, Judged: true}, {Text: p.Text}, {Text: p.Text, OnlyJudged: true}}
			near, err := e.Compare(t.Context(), embedding.Text{Text: p.Question}, texts)
			if err != nil {
				t.Fatal(err)
			}
			off := math.Abs(near[0].Answers - p.LogOdds)
			if off > 1 {
				t.Errorf("%s: %q to %.60q: %.2f, want %.2f", k.name, p.Text, p.Question, near[0].Answers, p.LogOdds)
			}
			if near[1].Answers != 0 {
				t.Errorf("%s: %.2f of a text that is not judged", k.name, near[1].Answers)
			}
			if near[2].Answers != near[0].Answers || near[2].Whole != 0 {
				t.Errorf("%s: %+v of a text that is only judged, %.2f of the same", k.name, near[2], near[0].Answers)
			}
			sum += off
			n++
		}
		if n > 0 && sum/float64(n) > .4 {
			t.Errorf("%s: mean difference to the reference is %.3f, want at most .4", k.name, sum/float64(n))
		}
		t.Logf("%s: %d pairs, mean difference %.3f", k.name, n, sum/float64(n))
	}
}
