package segindex

import (
	"encoding/binary"
	"math/bits"
)

// interner numbers distinct byte strings from 0 in the order of arrival.
type interner struct {
	table  []uint32 // open addressing: number+1, a power of two long
	hashes []uint32 // by number
	offs   []uint32 // by number, and one more: the end of data
	data   []byte
}

func newInterner(hint int) *interner {
	size := 1 << bits.Len(uint(hint*2|63))
	return &interner{table: make([]uint32, size), offs: append(make([]uint32, 0, hint+1), 0), hashes: make([]uint32, 0, hint)}
}

func (n *interner) len() int { return len(n.hashes) }

func (n *interner) at(i uint32) []byte { return n.data[n.offs[i]:n.offs[i+1]:n.offs[i+1]] }

// add returns the number of s and whether it is new.
func (n *interner) add(s []byte) (id uint32, fresh bool) {
	h := hash32(s)
	mask := uint32(len(n.table) - 1)
	at := h & mask
	for n.table[at] != 0 {
		id := n.table[at] - 1
		if n.hashes[id] == h && string(n.at(id)) == string(s) {
			return id, false
		}
		at = (at + 1) & mask
	}
	id = uint32(len(n.hashes))
	n.hashes = append(n.hashes, h)
	n.data = append(n.data, s...)
	n.offs = append(n.offs, uint32(len(n.data)))
	n.table[at] = id + 1
	if len(n.hashes)*2 > len(n.table) {
		n.grow()
	}
	return id, true
}

func (n *interner) grow() { n.table = hashTable(n.hashes, len(n.table)*2) }

// hashTable makes an open-addressing table of size, a power of two.
func hashTable(hashes []uint32, size int) []uint32 {
	table := make([]uint32, size)
	mask := uint32(size - 1)
	for id, h := range hashes {
		at := h & mask
		for table[at] != 0 {
			at = (at + 1) & mask
		}
		table[at] = uint32(id) + 1
	}
	return table
}

// hash32 is stored on disk; it must not change.
func hash32(s []byte) uint32 {
	h := uint64(len(s)) * 0x9E3779B97F4A7C15
	for len(s) >= 8 {
		h = (h ^ binary.LittleEndian.Uint64(s)) * 0xBF58476D1CE4E5B9
		h ^= h >> 32
		s = s[8:]
	}
	var tail uint64
	for i, c := range s {
		tail |= uint64(c) << (8 * i)
	}
	h = (h ^ tail) * 0x94D049BB133111EB
	h ^= h >> 29
	h *= 0xBF58476D1CE4E5B9
	return uint32(h >> 32)
}

// arena keeps many growing byte lists in one buffer, in chained blocks whose
// sizes double up to 512 bytes. The last four bytes of a block link the next.
type arena struct {
	buf []byte
}

type chain struct {
	head, at, end uint32 // first block; write position; link position of the current block
	size          uint32 // bytes written
	block         uint32 // bytes of the current block
}

func (a *arena) put(c *chain, b byte) {
	if c.at == c.end {
		a.extend(c)
	}
	a.buf[c.at] = b
	c.at++
	c.size++
}

func (a *arena) extend(c *chain) {
	size := min(512, max(12, c.block*2))
	at := uint32(len(a.buf))
	if int(at)+int(size) > cap(a.buf) {
		grown := make([]byte, len(a.buf), max(1<<12, cap(a.buf)*3/2+int(size)))
		copy(grown, a.buf)
		a.buf = grown
	}
	a.buf = a.buf[:at+size]
	if c.block == 0 {
		c.head = at
	} else {
		binary.LittleEndian.PutUint32(a.buf[c.end:], at)
	}
	c.at, c.end, c.block = at, at+size-4, size
}

func (a *arena) putUvarint(c *chain, v uint32) {
	for v >= 0x80 {
		a.put(c, byte(v)|0x80)
		v >>= 7
	}
	a.put(c, byte(v))
}

// appendTo appends the bytes of a chain.
func (a *arena) appendTo(dst []byte, c *chain) []byte {
	at, left, block := c.head, c.size, uint32(12)
	for left > 0 {
		n := min(left, block-4)
		dst = append(dst, a.buf[at:at+n]...)
		if left -= n; left > 0 {
			at = binary.LittleEndian.Uint32(a.buf[at+block-4:])
			block = min(512, block*2)
		}
	}
	return dst
}
