package segindex

import (
	"math"
	"math/bits"
)

// codeWords is the length of a code: one bit per dimension, padded to a power
// of two of at least 64.
func codeWords(dims int) int { return max(64, 1<<bits.Len(uint(dims-1))) / 64 }

// quantise scales a vector to length one and its components to int8; scale
// turns them back. A vector of zeros gives nil.
func quantise(v []float32) (q []int8, scale float32) {
	var sum, top float64
	for _, x := range v {
		sum += float64(x) * float64(x)
		top = max(top, math.Abs(float64(x)))
	}
	if sum == 0 || math.IsNaN(sum) || math.IsInf(sum, 0) {
		return nil, 0
	}
	q = make([]int8, len(v))
	for i, x := range v {
		q[i] = int8(math.RoundToEven(float64(x) * 127 / top))
	}
	return q, float32(top / 127 / math.Sqrt(sum))
}

// dot is the inner product of two quantised vectors of the same length.
func dot(a, b []int8) int32 {
	var s0, s1, s2, s3 int32
	b = b[:len(a)]
	i := 0
	for ; i+4 <= len(a); i += 4 {
		s0 += int32(a[i]) * int32(b[i])
		s1 += int32(a[i+1]) * int32(b[i+1])
		s2 += int32(a[i+2]) * int32(b[i+2])
		s3 += int32(a[i+3]) * int32(b[i+3])
	}
	for ; i < len(a); i++ {
		s0 += int32(a[i]) * int32(b[i])
	}
	return s0 + s1 + s2 + s3
}

// encode makes the code of a vector: the signs after three rounds of random
// sign flips and Walsh-Hadamard transforms. The rotation spreads a sparse
// vector over all bits; the flips come from a fixed seed because codes are
// stored.
func encode(v []float32) []uint64 {
	words := codeWords(len(v))
	x := make([]float32, 64*words)
	copy(x, v)
	state := uint64(0x6C65637465726E)
	for range 3 {
		for i := 0; i < len(x); i += 64 {
			state += 0x9E3779B97F4A7C15
			flips := state
			flips = (flips ^ flips>>30) * 0xBF58476D1CE4E5B9
			flips = (flips ^ flips>>27) * 0x94D049BB133111EB
			flips ^= flips >> 31
			for j := range 64 {
				if flips>>j&1 != 0 {
					x[i+j] = -x[i+j]
				}
			}
		}
		hadamard(x)
	}
	code := make([]uint64, words)
	for i, f := range x {
		if f > 0 {
			code[i>>6] |= 1 << (i & 63)
		}
	}
	return code
}

func hadamard(x []float32) {
	for h := 1; h < len(x); h *= 2 {
		for i := 0; i < len(x); i += 2 * h {
			a, b := x[i:i+h], x[i+h:i+2*h]
			for j := range a {
				p, q := a[j], b[j]
				a[j], b[j] = p+q, p-q
			}
		}
	}
}

func distance(a, b []uint64) int {
	n := 0
	b = b[:len(a)]
	for i, x := range a {
		n += bits.OnesCount64(x ^ b[i])
	}
	return n
}
