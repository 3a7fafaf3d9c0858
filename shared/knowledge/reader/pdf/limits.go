package pdf

import (
	"encoding/binary"
	"errors"
	"fmt"
	"hash/crc32"
)

// fuelName is the export that withLimits adds: a global that counts down.
const fuelName = "fuel"

// withLimits rewrites a WebAssembly module so that it can be stopped: every loop
// and function decrements a counter set by the host, and traps at zero. The
// runtime's own interruption (WithCloseOnContextDone) leaves the compiled code
// at each loop: a hundred pages then take 1.6 s of processor time, not .5 s.
// With forms, the function that reads a form is replaced by formGuard, which calls it.
func withLimits(module []byte, forms bool) ([]byte, error) {
	r := &wasmReader{data: module}
	if string(r.take(8)) != "\x00asm\x01\x00\x00\x00" {
		return nil, errors.New("not a WebAssembly module")
	}
	out := append(make([]byte, 0, len(module)*5/4), module[:8]...)
	imported, own := importCounts{}, uint32(0)
	for r.pos < len(r.data) && r.err == nil {
		id := r.byte()
		section := &wasmReader{data: r.take(int(r.u32()))}
		content := section.data
		switch id {
		case 2:
			imported = section.imports()
		case 3:
			if forms {
				content = section.functions(readForm - imported.functions)
			}
		case 6:
			own = section.u32()
			content = binary.AppendUvarint(nil, uint64(own)+4)
			content = append(content, section.data[section.pos:]...)
			// i64, mutable, starting with enough for the module's start.
			content = append(content, 0x7E, 1, 0x42, 0x80, 0x80, 0x80, 0x80, 0x80, 0x01, 0x0B)
			for range 3 {
				content = append(content, 0x7F, 1, 0x41, 0, 0x0B) // i32, mutable, 0
			}
		case 7:
			count := section.u32()
			names := []string{fuelName, formsLeftName, formDepthName, formStackName}
			content = binary.AppendUvarint(nil, uint64(count)+uint64(len(names)))
			content = append(content, section.data[section.pos:]...)
			for i, name := range names {
				content = append(content, byte(len(name)))
				content = append(content, name...)
				content = append(content, 3)
				content = binary.AppendUvarint(content, uint64(imported.globals+own)+uint64(i))
			}
		case 10:
			content = section.code(imported, own, forms)
		}
		if section.err != nil {
			return nil, fmt.Errorf("section %d: %w", id, section.err)
		}
		out = append(out, id)
		out = binary.AppendUvarint(out, uint64(len(content)))
		out = append(out, content...)
	}
	if r.err != nil || own == 0 {
		return nil, errors.Join(errors.New("the module has no globals or is truncated"), r.err)
	}
	return out, nil
}

// wasmReader parses a module's binary form. After an error it returns zeros.
type wasmReader struct {
	data []byte
	pos  int
	err  error
}

func (r *wasmReader) take(n int) []byte {
	if r.err != nil || n < 0 || n > len(r.data)-r.pos {
		if r.err == nil {
			r.err = errors.New("the module is truncated")
		}
		r.pos = len(r.data)
		return make([]byte, min(max(n, 0), 16))
	}
	b := r.data[r.pos : r.pos+n]
	r.pos += n
	return b
}

func (r *wasmReader) byte() byte { return r.take(1)[0] }

func (r *wasmReader) u32() uint32 {
	var v uint64
	for shift := 0; shift < 35; shift += 7 {
		b := r.byte()
		v |= uint64(b&0x7F) << shift
		if b < 0x80 {
			return uint32(v)
		}
	}
	r.err = errors.New("number too long")
	return 0
}

// skipNumber skips a number of any size and sign.
func (r *wasmReader) skipNumber() {
	for r.byte() >= 0x80 && r.err == nil {
	}
}

func (r *wasmReader) skipNumbers(n int) {
	for range n {
		r.skipNumber()
	}
}

// importCounts are the numbers of functions and globals that a module imports.
type importCounts struct{ functions, globals uint32 }

func (r *wasmReader) imports() (n importCounts) {
	for range r.u32() {
		r.take(int(r.u32()))
		r.take(int(r.u32()))
		switch r.byte() {
		case 0:
			r.skipNumber()
			n.functions++
		case 1: // table
			r.byte()
			r.limits()
		case 2: // memory
			r.limits()
		case 3:
			r.take(2)
			n.globals++
		default:
			r.err = errors.New("unknown kind of import")
		}
		if r.err != nil {
			break
		}
	}
	return n
}

func (r *wasmReader) limits() {
	if r.byte()&1 != 0 {
		r.skipNumber()
	}
	r.skipNumber()
}

// functions adds to the section of functions' types one more like that of number n.
func (r *wasmReader) functions(n uint32) []byte {
	count := r.u32()
	from, like := r.pos, uint32(0)
	for i := range count {
		if t := r.u32(); i == n {
			like = t
		}
	}
	if n >= count && r.err == nil {
		r.err = errors.New("the module has no function to guard")
	}
	out := binary.AppendUvarint(nil, uint64(count)+1)
	out = append(out, r.data[from:]...)
	return binary.AppendUvarint(out, uint64(like))
}

// code rewrites the bodies of the functions. The guard of forms takes the place of
// the function that reads them, which moves to the end.
func (r *wasmReader) code(imported importCounts, globals uint32, forms bool) []byte {
	fuel := imported.globals + globals
	check := binary.AppendUvarint([]byte{0x23}, uint64(fuel)) // global.get
	check = append(check, 0x42, 1, 0x7D, 0x24)                // i64.const 1, i64.sub, global.set
	check = binary.AppendUvarint(check, uint64(fuel))
	check = binary.AppendUvarint(append(check, 0x23), uint64(fuel))
	check = append(check, 0x50, 0x04, 0x40, 0x00, 0x0B) // i64.eqz, if, unreachable, end
	count := r.u32()
	all := count
	if forms {
		all++
	}
	out := binary.AppendUvarint(make([]byte, 0, len(r.data)*5/4), uint64(all))
	var last []byte
	for i := range count {
		body := &wasmReader{data: r.take(int(r.u32()))}
		for range body.u32() { // groups of locals
			body.skipNumber()
			body.byte()
		}
		rewritten := append([]byte(nil), body.data[:body.pos]...)
		rewritten = append(rewritten, check...)
		for copied := body.pos; body.pos < len(body.data) && body.err == nil; {
			loop := body.instruction()
			if loop || body.pos == len(body.data) {
				rewritten = append(rewritten, body.data[copied:body.pos]...)
				copied = body.pos
			}
			if loop {
				rewritten = append(rewritten, check...)
			}
		}
		if body.err != nil && r.err == nil {
			r.err = body.err
		}
		if forms && i+imported.functions == readForm {
			last, rewritten = rewritten, formGuard(fuel+1, imported.functions+count)
		}
		out = binary.AppendUvarint(out, uint64(len(rewritten)))
		out = append(out, rewritten...)
	}
	if forms {
		out = binary.AppendUvarint(out, uint64(len(last)))
		out = append(out, last...)
	}
	return out
}

// instruction skips an instruction and reports whether it starts a loop.
func (r *wasmReader) instruction() (loop bool) {
	switch op := r.byte(); {
	case op == 0x03:
		r.skipNumber()
		return true
	case op == 0x02, op == 0x04, op == 0x0C, op == 0x0D, op == 0x10, op >= 0x20 && op <= 0x26,
		op == 0x3F, op == 0x40, op == 0x41, op == 0x42, op == 0xD0, op == 0xD2:
		r.skipNumber()
	case op == 0x11, op >= 0x28 && op <= 0x3E:
		r.skipNumbers(2)
	case op == 0x0E:
		r.skipNumbers(int(r.u32()) + 1)
	case op == 0x1C:
		r.take(int(r.u32()))
	case op == 0x43:
		r.take(4)
	case op == 0x44:
		r.take(8)
	case op == 0xFC:
		switch sub := r.u32(); {
		case sub == 8, sub == 10, sub == 12, sub == 14:
			r.skipNumbers(2)
		case sub > 8:
			r.skipNumber()
		}
	case op == 0xFD:
		r.vector()
	case op == 0x06, op == 0x07, op == 0x08, op == 0x09, op == 0x0A, op == 0x12, op == 0x13, op > 0xC4:
		r.err = fmt.Errorf("unknown instruction %#x", op)
	}
	return false
}

// vector skips the rest of a vector instruction.
func (r *wasmReader) vector() {
	switch sub := r.u32(); {
	case sub <= 11, sub == 92, sub == 93:
		r.skipNumbers(2)
	case sub == 12, sub == 13:
		r.take(16)
	case sub >= 21 && sub <= 34:
		r.byte()
	case sub >= 84 && sub <= 91:
		r.skipNumbers(2)
		r.byte()
	}
}

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
