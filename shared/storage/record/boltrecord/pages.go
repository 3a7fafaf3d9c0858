package boltrecord

import (
	"bytes"
	"encoding/binary"
	"errors"
	"fmt"
	"os"

	"go.etcd.io/bbolt"
)

// The layout of bbolt's file, as far as checking it takes. All numbers have the
// byte order of the machine, little-endian on every one that we build for.
//
// A page begins with its number (8 bytes), flags (2), count of elements (2) and
// number of pages that continue it (4). A branch element is the distance to its
// key (4), the key's length (4) and a page (8); a leaf element is flags (4), the
// distance to key and value (4) and their lengths (4, 4). A bucket is a leaf's
// value: its root page (8), a sequence (8), and with root 0 a page of its own.
// Keys and values follow the elements without a gap, in their order.
const (
	pageHeader = 16
	element    = 16
	bucketHead = 16

	branchPage   = 0x01
	leafPage     = 0x02
	freelistPage = 0x10

	bucketElement = 0x01
	metaBytes     = 64
	noFreelist    = 1<<64 - 1
)

// pages checks a file without believing any number in it: bbolt follows what it
// reads by unsafe pointers, and a process does not survive a wrong one.
type pages struct {
	file *os.File
	size uint64 // of a page
	end  uint64 // first page that does not exist
	root uint64 // page of the list of buckets
	used []bool
}

// checkPages returns what is wrong with the structure of a transaction's pages.
func checkPages(tx *bbolt.Tx, path string) error {
	f, err := os.Open(path)
	if err != nil {
		return err
	}
	defer f.Close()
	info, err := f.Stat()
	if err != nil {
		return err
	}
	p := &pages{file: f, size: uint64(tx.DB().Info().PageSize)}
	meta := make([]byte, metaBytes)
	if _, err := f.ReadAt(meta, int64(uint64(tx.ID())%2*p.size)+pageHeader); err != nil {
		return err
	}
	root, freelist := binary.LittleEndian.Uint64(meta[16:]), binary.LittleEndian.Uint64(meta[32:])
	p.end = binary.LittleEndian.Uint64(meta[40:])
	if p.end < 4 || p.end > uint64(info.Size())/p.size {
		return fmt.Errorf("it has %d bytes and should have %d pages of %d", info.Size(), p.end, p.size)
	}
	p.used = make([]bool, p.end)
	p.used[0], p.used[1] = true, true
	p.root = root
	if err := p.tree(root, nil, nil); err != nil {
		return err
	}
	if freelist == noFreelist {
		return nil
	}
	return p.freelist(freelist)
}

// load reads a page with those that continue it, and takes them.
func (p *pages) load(id uint64) (page []byte, flags uint16, count int, err error) {
	bad := func(what string) ([]byte, uint16, int, error) {
		return nil, 0, 0, fmt.Errorf("page %d %s", id, what)
	}
	if id < 2 || id >= p.end {
		return bad("does not exist")
	}
	head := make([]byte, pageHeader)
	if _, err := p.file.ReadAt(head, int64(id*p.size)); err != nil {
		return nil, 0, 0, err
	}
	more := uint64(binary.LittleEndian.Uint32(head[12:]))
	if binary.LittleEndian.Uint64(head) != id || id+more >= p.end {
		return bad("is not what it says")
	}
	for i := id; i <= id+more; i++ {
		if p.used[i] {
			return bad("is used twice")
		}
		p.used[i] = true
	}
	page = make([]byte, (more+1)*p.size)
	if _, err := p.file.ReadAt(page, int64(id*p.size)); err != nil {
		return nil, 0, 0, err
	}
	return page, binary.LittleEndian.Uint16(head[8:]), int(binary.LittleEndian.Uint16(head[10:])), nil
}

// tree checks the pages below and including id; its keys are at least low, and
// below high when there is one.
func (p *pages) tree(id uint64, low, high []byte) error {
	page, flags, count, err := p.load(id)
	if err != nil {
		return err
	}
	switch flags {
	case leafPage:
		_, err = p.leaf(page, count, low, high)
		if err == nil && count == 0 && id != p.root {
			err = errors.New("it has no elements") // bbolt keeps an empty bucket within its parent
		}
	case branchPage:
		err = p.branch(page, count, low, high)
	default:
		err = errors.New("is of an unknown kind")
	}
	if err != nil {
		return fmt.Errorf("page %d: %w", id, err)
	}
	return nil
}

var errElement = errors.New("an element lies outside of its page, or out of order")

// part returns length bytes of a page at an offset; nil when it has fewer.
func part(page []byte, offset, length uint64) []byte {
	if offset > uint64(len(page)) || length > uint64(len(page))-offset {
		return nil
	}
	return page[offset : offset+length : offset+length]
}

func (p *pages) branch(page []byte, count int, low, high []byte) error {
	if count == 0 || pageHeader+count*element > len(page) {
		return errElement
	}
	keys, children := make([][]byte, count), make([]uint64, count)
	next := uint64(pageHeader + count*element)
	for i := range count {
		at := uint64(pageHeader + i*element)
		pos, n := uint64(binary.LittleEndian.Uint32(page[at:])), uint64(binary.LittleEndian.Uint32(page[at+4:]))
		keys[i], children[i] = part(page, at+pos, n), binary.LittleEndian.Uint64(page[at+8:])
		if keys[i] == nil || at+pos != next || i == 0 && bytes.Compare(keys[i], low) < 0 || i > 0 && bytes.Compare(keys[i], keys[i-1]) <= 0 ||
			high != nil && bytes.Compare(keys[i], high) >= 0 {
			return errElement
		}
		next += n
	}
	for i, child := range children {
		below := high
		if i+1 < count {
			below = keys[i+1]
		}
		if err := p.tree(child, keys[i], below); err != nil {
			return err
		}
	}
	return nil
}

// leaf checks the elements of a page and returns where the last one ends.
func (p *pages) leaf(page []byte, count int, low, high []byte) (end uint64, err error) {
	if pageHeader+count*element > len(page) {
		return 0, errElement
	}
	var last []byte
	next := uint64(pageHeader + count*element)
	for i := range count {
		at := uint64(pageHeader + i*element)
		flags, pos := binary.LittleEndian.Uint32(page[at:]), uint64(binary.LittleEndian.Uint32(page[at+4:]))
		n, m := uint64(binary.LittleEndian.Uint32(page[at+8:])), uint64(binary.LittleEndian.Uint32(page[at+12:]))
		key, value := part(page, at+pos, n), part(page, at+pos+n, m)
		if key == nil || value == nil || at+pos != next || i == 0 && bytes.Compare(key, low) < 0 || i > 0 && bytes.Compare(key, last) <= 0 ||
			high != nil && bytes.Compare(key, high) >= 0 || flags > bucketElement {
			return 0, errElement
		}
		last, next = key, next+n+m
		if flags == bucketElement {
			if err := p.bucket(value); err != nil {
				return 0, err
			}
		}
	}
	return next, nil
}

func (p *pages) bucket(value []byte) error {
	if len(value) < bucketHead {
		return errElement
	}
	if root := binary.LittleEndian.Uint64(value); root != 0 {
		return p.tree(root, nil, nil)
	}
	page := value[bucketHead:]
	if len(page) < pageHeader || binary.LittleEndian.Uint16(page[8:]) != leafPage {
		return errElement
	}
	end, err := p.leaf(page, int(binary.LittleEndian.Uint16(page[10:])), nil, nil)
	if err == nil && end != uint64(len(page)) {
		err = errElement
	}
	return err
}

// freelist checks that every page is either in use or free: what counts as both
// would be overwritten, and what is neither has been lost.
func (p *pages) freelist(id uint64) error {
	page, flags, count, err := p.load(id)
	if err != nil {
		return err
	}
	ids := page[pageHeader:]
	if flags == freelistPage && count == 0xFFFF {
		n := binary.LittleEndian.Uint64(ids)
		if ids = ids[8:]; n > uint64(len(ids)/8) {
			return fmt.Errorf("page %d: the list of free pages is too long", id)
		}
		count = int(n)
	}
	if flags != freelistPage || count > len(ids)/8 {
		return fmt.Errorf("page %d is no list of free pages", id)
	}
	for i := range count {
		free := binary.LittleEndian.Uint64(ids[8*i:])
		if free < 2 || free >= p.end || p.used[free] {
			return fmt.Errorf("page %d is free and in use", free)
		}
		p.used[free] = true
	}
	for id, used := range p.used {
		if !used {
			return fmt.Errorf("page %d is neither in use nor free: something that leads to it is lost", id)
		}
	}
	return nil
}
