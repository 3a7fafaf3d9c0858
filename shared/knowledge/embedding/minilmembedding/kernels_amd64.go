package minilmembedding

import "golang.org/x/sys/cpu"

var vnni = kernels{
	name: "AVX512-VNNI", levels: 127, zero: 128, columns: 64, productRows: 8, productColumns: 32,
	dots:    []dot{{6, dot6AVX512}, {4, dot4AVX512}, {2, dot2AVX512}, {1, dot1AVX512}},
	product: productAVX512, softmax: softmaxAVX512, gelu: geluAVX512, largest: largestAVX512, addNorm: addNormAVX512, quantise: quantiseAVX512,
}

// avx2 have activations that are signed: AVX2 adds products of bytes in 16 bits.
var avx2 = kernels{
	name: "AVX2", levels: 127, zero: 0, columns: 16, productRows: 4, productColumns: 16,
	dots:    []dot{{4, dot4AVX2}, {2, dot2AVX2}, {1, dot1AVX2}},
	product: productAVX2, softmax: softmaxAVX2, gelu: geluAVX2, largest: largestAVX2, addNorm: addNormAVX2, quantise: quantiseAVX2,
}

// supported are the kernels that this processor can run, the fastest first.
func supported() []*kernels {
	var list []*kernels
	x := cpu.X86
	if x.HasAVX512F && x.HasAVX512BW && x.HasAVX512DQ && x.HasAVX512VL && x.HasAVX512VNNI {
		list = append(list, &vnni)
	}
	if x.HasAVX2 && x.HasFMA {
		list = append(list, &avx2)
	}
	return append(list, &portable)
}
