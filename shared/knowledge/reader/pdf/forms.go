package pdf

import (
	"encoding/binary"
	"hash/crc32"
)

// A form is a piece of content that pages and other forms draw by its name.
// PDFium reads it anew wherever it is drawn, forty levels deep, so that a form
// that draws itself twice, or ten forms of which each draws the next one ten
// times, would be read for years. formGuard bounds that.
const (
	// maxForms limits the forms drawn by one page; maps and plans draw some
	// thousands. Each takes 5 KB and more.
	maxForms = 30_000
	// maxFormDepth is PDFium's own limit, which it does not apply to patterns.
	maxFormDepth = 40
)

// Exports that withLimits adds: globals for the host.
const (
	formsLeftName  = "forms_left" // i32; at zero no form is read any more
	formDepthName  = "form_depth" // i32, how many are being read
	formStackName  = "form_stack" // i32, address of maxFormDepth words, their streams
	formStackBytes = 4 * maxFormDepth
)

// The function of the module that reads a form, CPDF_Form::ParseContent, which
// has no name there: its index and parameters are those of one module, told by
// its checksum. Its first argument is the form, and at formStream of that lies
// the pointer to its stream.
const (
	guardedModule = 0xbfa8d520
	readForm      = 3571
	readFormArgs  = 4
	formStream    = 56
)

// canGuard reports whether the module is the one that readForm is known of.
func canGuard(module []byte) bool { return crc32.ChecksumIEEE(module) == guardedModule }

// formGuard returns the body of a function with the parameters of readForm
// that calls it, function number original, unless the form is being read, or
// lies too deep, or no more may be read. globals is the number of the first of
// formsLeft, formDepth and formStack.
func formGuard(globals, original uint32) []byte {
	const (
		block, loop, end, br, brIf, call               = 0x02, 0x03, 0x0B, 0x0C, 0x0D, 0x10
		localGet, localSet                             = 0x20, 0x21
		globalGet, globalSet                           = 0x23, 0x24
		load, store, constant                          = 0x28, 0x36, 0x41
		eqz, eq, atLeast, add, sub, shiftLeft, nothing = 0x45, 0x46, 0x4F, 0x6A, 0x6B, 0x74, 0x40
	)
	left, depth, stack := globals, globals+1, globals+2
	const key, at = readFormArgs, readFormArgs + 1 // locals
	var b []byte
	op := func(code byte, args ...uint32) {
		b = append(b, code)
		for _, a := range args {
			b = binary.AppendUvarint(b, uint64(a))
		}
	}
	word := func(local bool) { // the address of the word at a depth
		if local {
			op(localGet, at)
		} else {
			op(globalGet, depth)
		}
		op(constant, 2)
		op(shiftLeft)
		op(globalGet, stack)
		op(add)
	}
	count := func(global uint32, how byte) {
		op(globalGet, global)
		op(constant, 1)
		op(how)
		op(globalSet, global)
	}
	b = append(b, 1, 2, 0x7F) // two locals, i32
	op(block, nothing)
	op(globalGet, left)
	op(eqz)
	op(brIf, 0)
	op(globalGet, depth)
	op(constant, maxFormDepth)
	op(atLeast)
	op(brIf, 0)
	op(localGet, 0)
	op(load, 2, formStream)
	op(localSet, key)
	op(globalGet, depth)
	op(localSet, at)
	op(block, nothing)
	op(loop, nothing)
	op(localGet, at)
	op(eqz)
	op(brIf, 1)
	op(localGet, at)
	op(constant, 1)
	op(sub)
	op(localSet, at)
	word(true)
	op(load, 2, 0)
	op(localGet, key)
	op(eq)
	op(brIf, 2)
	op(br, 0)
	op(end)
	op(end)
	word(false)
	op(localGet, key)
	op(store, 2, 0)
	count(depth, add)
	count(left, sub)
	for i := range uint32(readFormArgs) {
		op(localGet, i)
	}
	op(call, original)
	count(depth, sub)
	op(end)
	op(end)
	return b
}
