// Command asm writes the assembly of package minilmembedding: each kernel for
// AVX-512 with VNNI and for AVX2, by avo. It is a module of its own, so that the
// service does not depend on avo.
package main

import (
	"fmt"
	"math"

	. "github.com/mmcloughlin/avo/build"
	. "github.com/mmcloughlin/avo/operand"
	"github.com/mmcloughlin/avo/reg"
)

// wide is a set of instructions, by the width of its registers.
type wide struct {
	suffix string
	lanes  int // float32 in a register
	vec    func(i int) reg.VecPhysical
}

var (
	avx512 = wide{"AVX512", 16, func(i int) reg.VecPhysical { return zmm[i] }}
	avx2   = wide{"AVX2", 8, func(i int) reg.VecPhysical { return ymm[i] }}
)

var zmm = []reg.VecPhysical{reg.Z0, reg.Z1, reg.Z2, reg.Z3, reg.Z4, reg.Z5, reg.Z6, reg.Z7, reg.Z8, reg.Z9, reg.Z10, reg.Z11, reg.Z12, reg.Z13,
	reg.Z14, reg.Z15, reg.Z16, reg.Z17, reg.Z18, reg.Z19, reg.Z20, reg.Z21, reg.Z22, reg.Z23, reg.Z24, reg.Z25, reg.Z26, reg.Z27, reg.Z28,
	reg.Z29, reg.Z30, reg.Z31}

var ymm = []reg.VecPhysical{reg.Y0, reg.Y1, reg.Y2, reg.Y3, reg.Y4, reg.Y5, reg.Y6, reg.Y7, reg.Y8, reg.Y9, reg.Y10, reg.Y11, reg.Y12, reg.Y13,
	reg.Y14, reg.Y15}

var xmm = []reg.VecPhysical{reg.X0, reg.X1, reg.X2, reg.X3, reg.X4, reg.X5, reg.X6, reg.X7, reg.X8, reg.X9, reg.X10, reg.X11, reg.X12, reg.X13,
	reg.X14, reg.X15}

// groupBytes is what one step of four inputs takes of packed weights: 64 outputs
// of four bytes.
const groupBytes = 256

func main() {
	ConstraintExpr("amd64")
	for _, rows := range []int{1, 2, 4, 6} {
		dotVNNI(rows)
	}
	for _, rows := range []int{1, 2, 4} {
		dotAVX2(rows)
	}
	for _, w := range []wide{avx512, avx2} {
		w.product()
		w.softmax()
		w.gelu()
		w.largest()
		w.addNorm()
	}
	avx512.quantise(128, packAVX512)
	avx2.quantise(0, packAVX2)
	Generate()
}

// dotParams are the parameters of the functions that multiply bytes.
const dotParams = "(dst *float32, dstStride uintptr, a *byte, aStride uintptr, w *int8, steps uintptr, rowScale *float32, zero *int32, " +
	"scale *float32, bias *float32)"

// dotVNNI multiplies rows of unsigned bytes with 64 columns of signed ones.
func dotVNNI(rows int) {
	const columns = 4 // registers of 16 outputs
	TEXT(fmt.Sprintf("dot%dAVX512", rows), NOSPLIT, "func"+dotParams)
	Doc(fmt.Sprintf("dot%dAVX512 multiplies %d rows with 64 outputs.", rows, rows))
	a, aStride := Load(Param("a"), GP64()), Load(Param("aStride"), GP64())
	w, steps := Load(Param("w"), GP64()), Load(Param("steps"), GP64())
	second := GP64()
	LEAQ(Mem{Base: aStride, Index: aStride, Scale: 2}, second)
	ADDQ(a, second)
	sum := func(row, column int) reg.VecPhysical { return zmm[row*columns+column] }
	weight := func(column int) reg.VecPhysical { return zmm[24+column] }
	for i := range rows * columns {
		VPXORD(zmm[i], zmm[i], zmm[i])
	}
	loop := fmt.Sprintf("dot%dAVX512loop", rows)
	Label(loop)
	for c := range columns {
		VMOVDQU32(Mem{Base: w, Disp: 64 * c}, weight(c))
	}
	for r := range rows {
		VPBROADCASTD(rowAt(a, second, aStride, r), reg.Z28)
		for c := range columns {
			VPDPBUSD(weight(c), reg.Z28, sum(r, c))
		}
	}
	next(a, second, w, steps, rows, loop)
	finish(avx512, rows, columns, sum)
}

// rowAt is where a row's bytes are; row 3 is at second.
func rowAt(a, second, stride reg.Register, row int) Mem {
	m := Mem{Base: a}
	if row >= 3 {
		m.Base = second
		row -= 3
	}
	if row > 0 {
		m.Index, m.Scale = stride, uint8(row)
	}
	return m
}

func next(a, second, w, steps reg.Register, rows int, loop string) {
	ADDQ(Imm(4), a)
	if rows > 3 {
		ADDQ(Imm(4), second)
	}
	ADDQ(U32(groupBytes), w)
	DECQ(steps)
	JNZ(LabelRef(loop))
}

// dotAVX2 multiplies rows of signed bytes with 16 columns of them. AVX2 multiplies
// unsigned bytes with signed ones and adds two products in 16 bits: the signs of the
// row go to the columns, so that all eight bits fit, unless a byte is -128.
func dotAVX2(rows int) {
	const columns = 2 // registers of 8 outputs
	TEXT(fmt.Sprintf("dot%dAVX2", rows), NOSPLIT, "func"+dotParams)
	Doc(fmt.Sprintf("dot%dAVX2 multiplies %d rows with 16 outputs.", rows, rows))
	a, aStride := Load(Param("a"), GP64()), Load(Param("aStride"), GP64())
	w, steps := Load(Param("w"), GP64()), Load(Param("steps"), GP64())
	second := GP64()
	LEAQ(Mem{Base: aStride, Index: aStride, Scale: 2}, second)
	ADDQ(a, second)
	sum := func(row, column int) reg.VecPhysical { return ymm[row*columns+column] }
	ones := reg.Y15
	VPCMPEQW(ones, ones, ones)
	VPSRLW(Imm(15), ones, ones)
	for i := range rows * columns {
		VPXOR(ymm[i], ymm[i], ymm[i])
	}
	loop := fmt.Sprintf("dot%dAVX2loop", rows)
	Label(loop)
	for c := range columns {
		VMOVDQU(Mem{Base: w, Disp: 32 * c}, ymm[8+c])
	}
	for r := range rows {
		VPBROADCASTD(rowAt(a, second, aStride, r), reg.Y10)
		VPABSB(reg.Y10, reg.Y13)
		for c := range columns {
			t := ymm[11+c]
			VPSIGNB(reg.Y10, ymm[8+c], t)
			VPMADDUBSW(t, reg.Y13, t)
			VPMADDWD(ones, t, t)
			VPADDD(t, sum(r, c), sum(r, c))
		}
	}
	next(a, second, w, steps, rows, loop)
	finish(avx2, rows, columns, sum)
}

// finish turns sums into outputs: (sum - zero) * scale * rowScale + bias.
func finish(w wide, rows, columns int, sum func(row, column int) reg.VecPhysical) {
	dst, stride := Load(Param("dst"), GP64()), Load(Param("dstStride"), GP64())
	rowScale, zero := Load(Param("rowScale"), GP64()), Load(Param("zero"), GP64())
	scale, bias := Load(Param("scale"), GP64()), Load(Param("bias"), GP64())
	t, s := w.vec(rows*columns), w.vec(rows*columns+1)
	for r := range rows {
		VBROADCASTSS(Mem{Base: rowScale, Disp: 4 * r}, s)
		for c := range columns {
			at := 4 * w.lanes * c
			v := sum(r, c)
			VPSUBD(Mem{Base: zero, Disp: at}, v, v)
			VCVTDQ2PS(v, v)
			VMULPS(Mem{Base: scale, Disp: at}, s, t)
			VMULPS(t, v, v)
			VADDPS(Mem{Base: bias, Disp: at}, v, v)
			VMOVUPS(v, Mem{Base: dst, Disp: at})
		}
		if r < rows-1 {
			ADDQ(stride, dst)
		}
	}
	VZEROUPPER()
	RET()
}

// product multiplies matrices of float32: so many rows, with the columns of two
// registers.
func (w wide) product() {
	rows := map[int]int{16: 8, 8: 4}[w.lanes]
	TEXT("product"+w.suffix, NOSPLIT, "func(dst *float32, dstStride uintptr, a *float32, aStride uintptr, b *float32, bStride uintptr, steps uintptr)")
	Doc(fmt.Sprintf("product%s multiplies %d rows with %d columns.", w.suffix, rows, 2*w.lanes))
	a, aStride := Load(Param("a"), GP64()), Load(Param("aStride"), GP64())
	b, bStride := Load(Param("b"), GP64()), Load(Param("bStride"), GP64())
	steps := Load(Param("steps"), GP64())
	bases := []reg.GPVirtual{GP64()} // one for three rows
	MOVQ(a, bases[0])
	for len(bases)*3 < rows {
		p := GP64()
		LEAQ(Mem{Base: aStride, Index: aStride, Scale: 2}, p)
		ADDQ(bases[len(bases)-1], p)
		bases = append(bases, p)
	}
	for i := range 2 * rows {
		VXORPS(w.vec(i), w.vec(i), w.vec(i))
	}
	left, right, one := w.vec(2*rows), w.vec(2*rows+1), w.vec(2*rows+2)
	loop := "product" + w.suffix + "loop"
	Label(loop)
	VMOVUPS(Mem{Base: b}, left)
	VMOVUPS(Mem{Base: b, Disp: 4 * w.lanes}, right)
	for r := range rows {
		m := Mem{Base: bases[r/3]}
		if r%3 > 0 {
			m.Index, m.Scale = aStride, uint8(r%3)
		}
		VBROADCASTSS(m, one)
		VFMADD231PS(left, one, w.vec(2*r))
		VFMADD231PS(right, one, w.vec(2*r+1))
	}
	for _, p := range bases {
		ADDQ(Imm(4), p)
	}
	ADDQ(bStride, b)
	DECQ(steps)
	JNZ(LabelRef(loop))
	dst, dstStride := Load(Param("dst"), GP64()), Load(Param("dstStride"), GP64())
	for r := range rows {
		VMOVUPS(w.vec(2*r), Mem{Base: dst})
		VMOVUPS(w.vec(2*r+1), Mem{Base: dst, Disp: 4 * w.lanes})
		if r < rows-1 {
			ADDQ(dstStride, dst)
		}
	}
	VZEROUPPER()
	RET()
}

// word is a constant in memory.
func word(bits uint32) Mem {
	if _, ok := words[bits]; !ok {
		words[bits] = ConstData(fmt.Sprintf("word%08x", bits), U32(bits))
	}
	return words[bits]
}

var words = map[uint32]Mem{}

func number(v float32) Mem { return word(math.Float32bits(v)) }

// all fills a register with a number.
func (w wide) all(v float32, r reg.VecPhysical) { VBROADCASTSS(number(v), r) }

// across combines the lanes of register i into lane 0 of xmm[i]; j is lost.
func (w wide) across(op func(...Op), i, j int) {
	if w.lanes == 16 {
		VEXTRACTF64X4(Imm(1), zmm[i], ymm[j])
		op(ymm[j], ymm[i], ymm[i])
	}
	VEXTRACTF128(Imm(1), ymm[i], xmm[j])
	op(xmm[j], xmm[i], xmm[i])
	VPERMILPS(Imm(0x4e), xmm[i], xmm[j])
	op(xmm[j], xmm[i], xmm[i])
	VPERMILPS(Imm(0xb1), xmm[i], xmm[j])
	op(xmm[j], xmm[i], xmm[i])
}

// Registers of the constants of exp2.
const (
	expLeast = 6 + iota
	expMagic
	expFirst // six coefficients, of the highest power first
)

// prepareExp2 loads the constants of exp2.
func (w wide) prepareExp2() {
	w.all(-126, w.vec(expLeast))
	w.all(12582912, w.vec(expMagic))
	for i, c := range []float32{.0013333558, .0096181291, .0555041087, .2402265070, .6931471806, 1} {
		w.all(c, w.vec(expFirst+i))
	}
}

// exp2 replaces z with 2^z, for z up to 127; p and t are lost. 2^z is a power of
// two, by the integer next to z, and a polynomial of the rest.
func (w wide) exp2(z, p, t reg.VecPhysical) {
	VMAXPS(w.vec(expLeast), z, z)
	VADDPS(w.vec(expMagic), z, t)
	VSUBPS(w.vec(expMagic), t, p)
	VSUBPS(p, z, z)
	VMOVAPS(w.vec(expFirst), p)
	for i := 1; i < 6; i++ {
		VFMADD213PS(w.vec(expFirst+i), z, p)
	}
	VPSLLD(Imm(23), t, t)
	VPADDD(t, p, z)
}

// each runs body for each register of floats at p; n counts floats.
func (w wide) each(label string, n reg.Register, body func(), pointers ...reg.Register) {
	Label(label)
	body()
	for _, p := range pointers {
		ADDQ(Imm(uint64(4*w.lanes)), p)
	}
	SUBQ(Imm(uint64(w.lanes)), n)
	JNZ(LabelRef(label))
}

// begin loads a pointer and a count.
func (w wide) begin(p, n string) (reg.Register, reg.Register) {
	return Load(Param(p), GP64()), Load(Param(n), GP64())
}

// softmax makes shares of the exponentials of scaled numbers.
func (w wide) softmax() {
	TEXT("softmax"+w.suffix, NOSPLIT, "func(x *float32, n uintptr, scale float32)")
	Doc("softmax" + w.suffix + " replaces numbers with their softmax, after scaling them by scale/ln 2.")
	x, n := w.begin("x", "n")
	most, sum, v := w.vec(0), w.vec(1), w.vec(2)
	VMOVUPS(Mem{Base: x}, most)
	w.each("softmax"+w.suffix+"max", n, func() { VMAXPS(Mem{Base: x}, most, most) }, x)
	w.across(VMAXPS, 0, 2)
	VBROADCASTSS(xmm[0], most)
	x, n = w.begin("x", "n")
	scale, _ := Param("scale").Resolve()
	VBROADCASTSS(scale.Addr, w.vec(14))
	VXORPS(sum, sum, sum)
	w.prepareExp2()
	w.each("softmax"+w.suffix+"exp", n, func() {
		VMOVUPS(Mem{Base: x}, v)
		VSUBPS(most, v, v)
		VMULPS(w.vec(14), v, v)
		w.exp2(v, w.vec(3), w.vec(4))
		VADDPS(v, sum, sum)
		VMOVUPS(v, Mem{Base: x})
	}, x)
	w.across(VADDPS, 1, 2)
	VBROADCASTSS(xmm[1], sum)
	w.all(1, v)
	VDIVPS(sum, v, sum)
	x, n = w.begin("x", "n")
	w.each("softmax"+w.suffix+"share", n, func() {
		VMULPS(Mem{Base: x}, sum, v)
		VMOVUPS(v, Mem{Base: x})
	}, x)
	VZEROUPPER()
	RET()
}

// absolute makes a mask of all bits but the sign.
func (w wide) absolute(r reg.VecPhysical) {
	VBROADCASTSS(word(0x7fffffff), r)
}

// and is VANDPS, or its integer twin, which needs no further extension.
func (w wide) and(a, b, c reg.VecPhysical) {
	if w.lanes == 16 {
		VPANDD(a, b, c)
		return
	}
	VANDPS(a, b, c)
}

// gelu applies x*Phi(x), with the error function by formula 7.1.26 of Abramowitz
// and Stegun.
func (w wide) gelu() {
	if w.lanes == 16 {
		w.geluWith(func(i int) Op { return zmm[16+i] })
		return
	}
	w.geluWith(nil)
}

func (w wide) geluWith(constant func(int) Op) {
	TEXT("gelu"+w.suffix, NOSPLIT, "func(x *float32, n uintptr) float32")
	Doc("gelu" + w.suffix + " applies GELU to numbers and returns the largest magnitude of the results.")
	x, n := w.begin("x", "n")
	most, v, a, z, p := w.vec(0), w.vec(1), w.vec(2), w.vec(3), w.vec(4)
	t := w.vec(5)
	mask := w.vec(14)
	w.prepareExp2()
	w.absolute(mask)
	VXORPS(most, most, most)
	list := []float32{.70710678, .3275911, 1, .5 * 1.061405429, .5 * -1.453152027, .5 * 1.421413741, .5 * -.284496736, .5 * .254829592, -1.44269504}
	operand := func(i int) Op { return constant(i) }
	if constant == nil {
		operand = func(i int) Op {
			w.all(list[i], w.vec(15))
			return w.vec(15)
		}
	} else {
		for i, c := range list {
			VBROADCASTSS(number(c), constant(i))
		}
	}
	w.each("gelu"+w.suffix+"loop", n, func() {
		VMOVUPS(Mem{Base: x}, v)
		w.and(mask, v, a)
		VMULPS(operand(0), a, z)
		VMOVAPS(z, t)
		VMULPS(operand(1), t, t)
		VADDPS(operand(2), t, t)
		one := operand(2)
		VDIVPS(t, one.(reg.VecPhysical), t) // 1/(1+.3275911u)
		VMULPS(z, z, z)
		VMULPS(operand(8), z, z) // -u*u/ln 2
		VMOVAPS(operand(3), p)
		for i := 4; i < 8; i++ {
			VFMADD213PS(operand(i), t, p)
		}
		VMULPS(t, p, p)
		VMULPS(a, p, a) // |x|/2 times the polynomial
		w.exp2(z, p, t)
		VXORPS(p, p, p)
		VMAXPS(p, v, v)
		VFNMADD231PS(a, z, v)
		VMOVUPS(v, Mem{Base: x})
		w.and(mask, v, v)
		VMAXPS(v, most, most)
	}, x)
	w.across(VMAXPS, 0, 1)
	Store(xmm[0], ReturnIndex(0))
	VZEROUPPER()
	RET()
}

// largest finds the largest magnitude.
func (w wide) largest() {
	TEXT("largest"+w.suffix, NOSPLIT, "func(x *float32, n uintptr) float32")
	Doc("largest" + w.suffix + " returns the largest magnitude of numbers.")
	x, n := w.begin("x", "n")
	w.absolute(w.vec(2))
	VXORPS(w.vec(0), w.vec(0), w.vec(0))
	w.each("largest"+w.suffix+"loop", n, func() {
		VMOVUPS(Mem{Base: x}, w.vec(1))
		w.and(w.vec(2), w.vec(1), w.vec(1))
		VMAXPS(w.vec(1), w.vec(0), w.vec(0))
	}, x)
	w.across(VMAXPS, 0, 1)
	Store(xmm[0], ReturnIndex(0))
	VZEROUPPER()
	RET()
}

// width is the length of a vector of the model.
const width = 384

// addNorm adds and normalises a vector of the model.
func (w wide) addNorm() {
	TEXT("addNorm"+w.suffix, NOSPLIT, "func(x *float32, y *float32, gain *float32, bias *float32) float32")
	Doc("addNorm"+w.suffix+" replaces x, of 384 numbers, with the layer norm of x+y, and returns the", "largest magnitude of the results.")
	n := GP64()
	restart := func() reg.Register {
		MOVQ(U32(width), n)
		return Load(Param("x"), GP64())
	}
	x, y := restart(), Load(Param("y"), GP64())
	sum, square, v, mean, most := w.vec(0), w.vec(1), w.vec(2), w.vec(3), w.vec(4)
	VXORPS(sum, sum, sum)
	w.each("addNorm"+w.suffix+"add", n, func() {
		VMOVUPS(Mem{Base: x}, v)
		VADDPS(Mem{Base: y}, v, v)
		VMOVUPS(v, Mem{Base: x})
		VADDPS(v, sum, sum)
	}, x, y)
	w.across(VADDPS, 0, 2)
	VBROADCASTSS(xmm[0], mean)
	w.all(1./width, v)
	VMULPS(v, mean, mean)
	VXORPS(square, square, square)
	x = restart()
	w.each("addNorm"+w.suffix+"square", n, func() {
		VMOVUPS(Mem{Base: x}, v)
		VSUBPS(mean, v, v)
		VFMADD231PS(v, v, square)
	}, x)
	w.across(VADDPS, 1, 2)
	VMULSS(number(1./width), xmm[1], xmm[1])
	VADDSS(number(1e-12), xmm[1], xmm[1])
	VSQRTSS(xmm[1], xmm[1], xmm[1])
	VMOVSS(number(1), xmm[2])
	VDIVSS(xmm[1], xmm[2], xmm[1])
	VBROADCASTSS(xmm[1], w.vec(5))
	w.absolute(w.vec(6))
	VXORPS(most, most, most)
	x = restart()
	gain, bias := Load(Param("gain"), GP64()), Load(Param("bias"), GP64())
	w.each("addNorm"+w.suffix+"norm", n, func() {
		VMOVUPS(Mem{Base: x}, v)
		VSUBPS(mean, v, v)
		VMULPS(w.vec(5), v, v)
		VMOVUPS(Mem{Base: gain}, w.vec(7))
		VFMADD213PS(Mem{Base: bias}, w.vec(7), v)
		VMOVUPS(v, Mem{Base: x})
		w.and(w.vec(6), v, v)
		VMAXPS(v, most, most)
	}, x, gain, bias)
	w.across(VMAXPS, 4, 2)
	Store(xmm[4], ReturnIndex(0))
	VZEROUPPER()
	RET()
}

// quantise makes bytes with a zero of their own. pack stores the lowest byte of each
// lane of register 2.
func (w wide) quantise(zero uint32, pack func(dst reg.Register)) {
	name := "quantise" + w.suffix
	TEXT(name, NOSPLIT, "func(dst *byte, x *float32, n uintptr, factor float32)")
	Doc(fmt.Sprintf("%s makes bytes of x*factor+%d, which have to fit.", name, zero))
	x, n := w.begin("x", "n")
	dst := Load(Param("dst"), GP64())
	factor, _ := Param("factor").Resolve()
	VBROADCASTSS(factor.Addr, w.vec(0))
	VPBROADCASTD(word(zero), w.vec(1))
	w.each(name+"loop", n, func() {
		VMULPS(Mem{Base: x}, w.vec(0), w.vec(2))
		VCVTPS2DQ(w.vec(2), w.vec(2))
		VPADDD(w.vec(1), w.vec(2), w.vec(2))
		pack(dst)
		ADDQ(Imm(uint64(w.lanes)), dst)
	}, x)
	VZEROUPPER()
	RET()
}

func packAVX512(dst reg.Register) { VPMOVDB(reg.Z2, Mem{Base: dst}) }

func packAVX2(dst reg.Register) {
	VEXTRACTI128(Imm(1), reg.Y2, reg.X3)
	VPACKSSDW(reg.X3, reg.X2, reg.X2)
	VPACKSSWB(reg.X2, reg.X2, reg.X2)
	VMOVQ(reg.X2, Mem{Base: dst})
}
