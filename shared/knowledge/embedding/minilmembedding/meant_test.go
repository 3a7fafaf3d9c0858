package minilmembedding

import (
	"context"
	"crypto/sha256"
	"encoding/hex"
	"errors"
	"math"
	"testing"
)

// TestMeantWeights: the file is what scripts/weights makes.
func TestMeantWeights(t *testing.T) {
	const want = "0c878e18cc48b814dcd6633d791afab7e2a14aad9b40d5aa4aaf3364b7f516b4"
	if got := sha256.Sum256([]byte(packedMeant)); hex.EncodeToString(got[:]) != want {
		t.Errorf("meant.bin has the SHA-256 %x, want %s", got, want)
	}
	for _, damaged := range []string{"", "minimeant0", packedMeant[:1000], packedMeant[:len(packedMeant)-1], packedMeant + "\x00"} {
		if _, err := openMeant(damaged, &cross{transformer: transformer{layers: make([]layer, crossLayers)}}, 128); err == nil {
			t.Errorf("openMeant of %d bytes succeeds", len(damaged))
		}
	}
}

// TestMeansReference compares with what an implementation in float32, with the weights before rounding, says of questions, among them
// one that is longer than what is read, and empty ones.
func TestMeansReference(t *testing.T) {
	var cases []struct {
		Question string
		Plain    []string
		LogOdds  []float64 `json:"log_odds"`
	}
	load(t, "meant.json", &cases)
	for _, k := range supported() {
		e, sum, n := open(t, k), 0.0, 0
		for i, c := range cases {
			if k == &portable && (i%6 != 0 || testing.Short()) {
				continue
			}
			if k == &portable {
				c.Plain = c.Plain[:1]
			}
			odds, err := e.Means(t.Context(), c.Question, c.Plain)
			if err != nil || len(odds) != len(c.Plain) {
				t.Fatalf("%s: %v, %v of %d", k.name, odds, err, len(c.Plain))
			}
			for j, v := range odds {
				off := math.Abs(v - c.LogOdds[j])
				if off > .6 {
					t.Errorf("%s: %q of %.60q: %.2f, want %.2f", k.name, c.Plain[j], c.Question, v, c.LogOdds[j])
				}
				sum += off
				n++
			}
		}
		if n > 0 && sum/float64(n) > .15 {
			t.Errorf("%s: mean difference to the reference is %.3f, want at most .15", k.name, sum/float64(n))
		}
		t.Logf("%s: %d questions, mean difference %.3f", k.name, n, sum/float64(n))
	}
}

// TestMeansEnds: none is asked, and a caller who has gone waits for nothing.
func TestMeansEnds(t *testing.T) {
	e := open(t, supported()[0])
	if odds, err := e.Means(t.Context(), "who?", nil); err != nil || len(odds) != 0 {
		t.Errorf("Means of none is %v, %v", odds, err)
	}
	ctx, cancel := context.WithCancel(t.Context())
	cancel()
	if _, err := e.Means(ctx, "who?", []string{"which customer"}); !errors.Is(err, context.Canceled) {
		t.Errorf("Means of a caller who has gone is %v", err)
	}
}
