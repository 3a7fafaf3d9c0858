package pdf

import (
	"encoding/binary"
	"errors"
	"fmt"
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
