package segindex

import (
	"math"
	"math/bits"
	"slices"
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

// encode makes the code of a vector: the signs of its components after the
// rotation.
func encode(v []float32) []uint64 { return signs(rotated(v)) }

func signs(x []float32) []uint64 {
	code := make([]uint64, len(x)/64)
	for i, f := range x {
		if f > 0 {
			code[i>>6] |= 1 << (i & 63)
		}
	}
	return code
}

// rotated is a vector, padded, after three rounds of random sign flips and
// Walsh-Hadamard transforms. The rotation spreads a sparse vector over all
// components; the flips come from a fixed seed because codes are stored.
func rotated(v []float32) []float32 {
	x := make([]float32, 64*codeWords(len(v)))
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
	return x
}

// planeCount is the bits that a component of a query has in a probe.
const planeCount = 4

// probe is a query as codes are compared with it: its own code, for a first
// distance, and its rotated components in four bits each, bit by bit.
//
// Source: J. Gao, C. Long, "RaBitQ", SIGMOD 2024: the query need not be as
// coarse as what is stored.
type probe struct {
	code      []uint64
	planes    [planeCount][]uint64
	low, step float32 // the components are low + step times what the planes say
}

func newProbe(v []float32) *probe {
	x := rotated(v)
	p := &probe{code: signs(x), low: slices.Min(x)}
	p.step = max((slices.Max(x)-p.low)/(1<<planeCount-1), math.SmallestNonzeroFloat32)
	for i := range p.planes {
		p.planes[i] = make([]uint64, len(p.code))
	}
	for i, f := range x {
		level := int((f-p.low)/p.step + .5)
		for k := range p.planes {
			p.planes[k][i>>6] |= uint64(level>>k&1) << (i & 63)
		}
	}
	return p
}

// product grows with the inner product of the query and the signs of a code: it
// is the sum of the query's components where the sign is positive.
func (p *probe) product(code []uint64) float32 {
	var ones, sum int
	p0, p1, p2, p3 := p.planes[0][:len(code)], p.planes[1][:len(code)], p.planes[2][:len(code)], p.planes[3][:len(code)]
	for i, c := range code {
		ones += bits.OnesCount64(c)
		sum += bits.OnesCount64(c&p0[i]) + bits.OnesCount64(c&p1[i])<<1 + bits.OnesCount64(c&p2[i])<<2 + bits.OnesCount64(c&p3[i])<<3
	}
	return p.low*float32(ones) + p.step*float32(sum)
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
