package minilmembedding

import (
	"runtime"

	"golang.org/x/sys/cpu"
)

// neon has signed activations, as SDOT multiplies them.
var neon = kernels{
	name: "NEON", levels: 127, zero: 0, columns: 16, productRows: 4, productColumns: 16,
	dots:    []dot{{4, dot4NEON}, {2, dot2NEON}, {1, dot1NEON}},
	product: productNEON, softmax: softmaxNEON, gelu: geluNEON, largest: largestNEON, addNorm: addNormNEON, quantise: quantiseNEON,
}

// supported are the kernels that this processor can run, the fastest first. All
// of Apple's have SDOT, also where the system is too old to say so.
func supported() []*kernels {
	if cpu.ARM64.HasASIMDDP || runtime.GOOS == "darwin" {
		return []*kernels{&neon, &portable}
	}
	return []*kernels{&portable}
}
