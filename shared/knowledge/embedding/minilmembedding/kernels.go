package minilmembedding

import "math"

// kernels are the functions in which the time goes, for one kind of processor.
// They leave out bounds checks: forward.go sizes all buffers.
type kernels struct {
	name   string
	levels float32 // of an activation's byte on either side of zero
	zero   int32   // byte of an activation of 0

	// dots multiply rows of activations with so many outputs of a matrix, most
	// rows first; the last one multiplies a single row.
	dots    []dot
	columns int // outputs of a call

	// product multiplies matrices of productRows rows and productColumns columns.
	product                     func(dst *float32, dstStride uintptr, a *float32, aStride uintptr, b *float32, bStride uintptr, steps uintptr)
	productRows, productColumns int

	softmax  func(x *float32, n uintptr, scale float32)
	gelu     func(x *float32, n uintptr) float32
	largest  func(x *float32, n uintptr) float32
	addNorm  func(x, y, gain, bias *float32) float32
	quantise func(dst *byte, x *float32, n uintptr, factor float32)
}

type dot struct {
	rows int
	run  func(dst *float32, dstStride uintptr, a *byte, aStride uintptr, w *int8, steps uintptr, rowScale *float32, zero *int32,
		scale *float32, bias *float32)
}

// padColumns and padRows are multiples of what any kernels need.
const padColumns, padRows = 32, 8

// portable are kernels in Go: right everywhere, and slow.
var portable = kernels{
	name: "portable", levels: 127, zero: 128, columns: 16, productRows: 1, productColumns: 16,
	dots: []dot{{1, dotPortable}}, product: productPortable, softmax: softmaxPortable, gelu: geluPortable, largest: largestPortable,
	addNorm: addNormPortable, quantise: quantisePortable,
}

func dotPortable(dst *float32, _ uintptr, a *byte, _ uintptr, w *int8, steps uintptr, rowScale *float32, zero *int32, scale *float32,
	bias *float32) {
	const columns = 16
	inputs, weights := slice(a, 4*int(steps)), slice(w, groupOutputs*4*(int(steps)-1)+4*columns)
	var sums [columns]int32
	for k := 0; k < len(inputs); k += 4 {
		a0, a1, a2, a3 := int32(inputs[k]), int32(inputs[k+1]), int32(inputs[k+2]), int32(inputs[k+3])
		row := weights[k*groupOutputs:][:4*columns]
		for n := range sums {
			v := row[4*n : 4*n+4 : 4*n+4]
			sums[n] += a0*int32(v[0]) + a1*int32(v[1]) + a2*int32(v[2]) + a3*int32(v[3])
		}
	}
	out, zeros, scales, biases := slice(dst, columns), slice(zero, columns), slice(scale, columns), slice(bias, columns)
	for n := range out {
		out[n] = float32(sums[n]-zeros[n])*scales[n]**rowScale + biases[n]
	}
}

func productPortable(dst *float32, _ uintptr, a *float32, _ uintptr, b *float32, bStride uintptr, steps uintptr) {
	const columns = 16
	stride := int(bStride / 4)
	left, right := slice(a, int(steps)), slice(b, stride*(int(steps)-1)+columns)
	var sums [columns]float32
	for k, v := range left {
		row := right[k*stride:][:columns]
		for n := range sums {
			sums[n] += v * row[n]
		}
	}
	copy(slice(dst, columns), sums[:])
}

func softmaxPortable(x *float32, n uintptr, scale float32) {
	list := slice(x, int(n))
	most := list[0]
	for _, v := range list {
		most = max(most, v)
	}
	var sum float32
	for i, v := range list {
		list[i] = float32(math.Exp2(float64((v - most) * scale)))
		sum += list[i]
	}
	for i := range list {
		list[i] /= sum
	}
}

func geluPortable(x *float32, n uintptr) float32 {
	list := slice(x, int(n))
	var most float32
	for i, v := range list {
		v := float32(float64(v) * .5 * math.Erfc(-float64(v)*math.Sqrt2/2))
		list[i] = v
		most = max(most, v, -v)
	}
	return most
}

func largestPortable(x *float32, n uintptr) float32 {
	var most float32
	for _, v := range slice(x, int(n)) {
		most = max(most, v, -v)
	}
	return most
}

func addNormPortable(x, y, gain, bias *float32) float32 {
	list, other, gains, biases := slice(x, width), slice(y, width), slice(gain, width), slice(bias, width)
	var sum, square float32
	for i := range list {
		list[i] += other[i]
		sum += list[i]
	}
	mean := sum / width
	for _, v := range list {
		square += (v - mean) * (v - mean)
	}
	factor := float32(1 / math.Sqrt(float64(square)/width+1e-12))
	var most float32
	for i, v := range list {
		v := (v-mean)*factor*gains[i] + biases[i]
		list[i] = v
		most = max(most, v, -v)
	}
	return most
}

func quantisePortable(dst *byte, x *float32, n uintptr, factor float32) {
	out := slice(dst, int(n))
	for i, v := range slice(x, int(n)) {
		out[i] = byte(int32(math.RoundToEven(float64(v*factor))) + 128)
	}
}
