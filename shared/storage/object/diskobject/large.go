package diskobject

import (
	"crypto/sha256"
	"encoding/binary"
	"encoding/hex"
	"encoding/json"
	"errors"
	"fmt"
	"hash"
	"hash/crc32"
	"io"
	"io/fs"
	"os"
	"path/filepath"

	"lectern/shared/fault"
	"lectern/shared/storage/object"
)

// headBytes is the size of the block before the body of a large object: a
// checksum, a length and the header. The limits of object keep it within.
const headBytes = 8 << 10

// largePath names a file after its key's hash, since keys may be longer than
// file names and differ by case alone.
func (s *Store) largePath(key string) string {
	sum := sha256.Sum256([]byte(key))
	name := hex.EncodeToString(sum[:20])
	return filepath.Join(s.dir, "large", name[:2], name)
}

func (s *Store) putLarge(h *header, b *source, start []byte, ifAbsent bool) error {
	f, err := os.CreateTemp(filepath.Join(s.dir, "temp"), "put-*")
	if err != nil {
		return fmt.Errorf("put object: %w", err)
	}
	err = s.fillLarge(f, h, b, start, ifAbsent)
	if closeErr := f.Close(); err == nil {
		err = closeErr
	}
	if err != nil {
		// After the rename there is nothing to remove.
		os.Remove(f.Name())
	}
	return err
}

func (s *Store) fillLarge(f *os.File, h *header, b *source, start []byte, ifAbsent bool) error {
	if _, err := f.WriteAt(start, headBytes); err != nil {
		return fmt.Errorf("put object: %w", err)
	}
	if _, err := f.Seek(headBytes+int64(len(start)), io.SeekStart); err != nil {
		return fmt.Errorf("put object: %w", err)
	}
	if _, err := io.CopyBuffer(struct{ io.Writer }{f}, b, make([]byte, 256<<10)); err != nil {
		return err
	}
	if err := f.Sync(); err != nil {
		return fmt.Errorf("put object: %w", err)
	}
	s.complete(h, b)
	s.mu.Lock()
	defer s.mu.Unlock()
	old, exists, err := s.mayPut(h.Key, ifAbsent)
	if err != nil {
		return err
	}
	s.sequence++
	h.Sequence = s.sequence
	if err := s.nameLarge(f, *h); err != nil {
		return fmt.Errorf("put object: %w", err)
	}
	s.replace(h.Key, old, exists, entry{sequence: h.Sequence})
	return nil
}

// nameLarge writes the header and gives the file its final name, durably.
func (s *Store) nameLarge(f *os.File, h header) error {
	text, err := json.Marshal(h)
	if err != nil {
		return err
	}
	head := make([]byte, 8, 8+len(text))
	binary.BigEndian.PutUint32(head, crc32.Checksum(text, crcTable()))
	binary.BigEndian.PutUint32(head[4:], uint32(len(text)))
	head = append(head, text...)
	if len(head) > headBytes {
		return fault.New(fault.Invalid, "an object's head of %d bytes is over the limit of %d", len(head), headBytes)
	}
	if _, err := f.WriteAt(head, 0); err != nil {
		return err
	}
	if err := f.Sync(); err != nil {
		return err
	}
	path := s.largePath(h.Key)
	s.damage.forget(path)
	if err := os.MkdirAll(filepath.Dir(path), 0o700); err != nil {
		return err
	}
	if err := os.Rename(f.Name(), path); err != nil {
		return err
	}
	if err := syncDir(filepath.Dir(path)); err != nil {
		return err
	}
	return syncDir(filepath.Join(s.dir, "large"))
}

func (s *Store) openLarge(key string, offset, length int64) (io.ReadCloser, object.Info, error) {
	f, err := os.Open(s.largePath(key))
	if err != nil {
		return nil, object.Info{}, fmt.Errorf("open object: %w", err)
	}
	h, err := readHead(f)
	if errors.Is(err, errDamaged) {
		s.noteDamage(key, f.Name(), 0)
		err = object.Damaged(key)
	}
	if err != nil {
		return nil, object.Info{}, errors.Join(fmt.Errorf("open object %q: %w", key, err), f.Close())
	}
	offset = min(offset, h.Size)
	if length < 0 || length > h.Size-offset {
		length = h.Size - offset
	}
	b := &largeBody{file: f, at: headBytes + offset, left: length}
	b.wrong = func() error { s.noteDamage(key, f.Name(), b.at); return object.Damaged(key) }
	if length == h.Size {
		b.sum, b.want = sha256.New(), h.ETag
	}
	return b, h.info(), nil
}

// largeBody reads a part of a large object. Who reads all of it gets its end
// only if the content is what was put.
type largeBody struct {
	file     *os.File
	at, left int64
	sum      hash.Hash // nil: only a part is read
	want     string
	wrong    func() error
}

func (b *largeBody) Read(p []byte) (int, error) {
	if b.left == 0 {
		return 0, io.EOF
	}
	n, err := b.file.ReadAt(p[:min(int64(len(p)), b.left)], b.at)
	if n == 0 && err == io.EOF {
		return 0, b.wrong() // the file is shorter than its head says
	}
	if err != nil && err != io.EOF {
		return 0, fmt.Errorf("read an object: %w", err)
	}
	b.at, b.left = b.at+int64(n), b.left-int64(n)
	if b.sum == nil {
		return n, nil
	}
	b.sum.Write(p[:n])
	if b.left == 0 && etagOf(b.sum) != b.want {
		return 0, b.wrong()
	}
	return n, nil
}

// Check implements object.Checker; it comes before the first Read.
func (b *largeBody) Check() error {
	if b.sum == nil {
		return nil
	}
	sum := sha256.New()
	n, err := io.Copy(sum, io.NewSectionReader(b.file, b.at, b.left))
	if err != nil {
		return fmt.Errorf("read an object: %w", err)
	}
	if n < b.left || etagOf(sum) != b.want {
		return b.wrong()
	}
	return nil
}

func (b *largeBody) Close() error { return b.file.Close() }

// readHead reads a large object's head; errDamaged when it is not whole.
func readHead(f *os.File) (header, error) {
	block := make([]byte, headBytes)
	if _, err := f.ReadAt(block, 0); err != nil {
		return header{}, tooShort(err)
	}
	n := binary.BigEndian.Uint32(block[4:])
	if n > headBytes-8 {
		return header{}, errDamaged
	}
	text := block[8 : 8+n]
	if crc32.Checksum(text, crcTable()) != binary.BigEndian.Uint32(block) {
		return header{}, errDamaged
	}
	var h header
	if err := json.Unmarshal(text, &h); err != nil {
		return header{}, errDamaged
	}
	return h, nil
}

func (s *Store) removeLarge(key string) error {
	path := s.largePath(key)
	if err := os.Remove(path); err != nil && !errors.Is(err, fs.ErrNotExist) {
		return err
	}
	return syncDir(filepath.Dir(path))
}

// eachLarge calls fn for every large file whose head can be read, and tells
// whether the file has the length that its head says.
func (s *Store) eachLarge(fn func(path string, h header, whole bool) error) error {
	return filepath.WalkDir(filepath.Join(s.dir, "large"), func(path string, d fs.DirEntry, err error) error {
		if err != nil || d.IsDir() {
			return err
		}
		f, err := os.Open(path)
		if err != nil {
			return err
		}
		h, err := readHead(f)
		info, statErr := f.Stat()
		if err := errors.Join(statErr, f.Close()); err != nil {
			return fmt.Errorf("object file %q: %w", path, err)
		}
		if errors.Is(err, errDamaged) || err == nil && s.largePath(h.Key) != path {
			s.noteDamage(path, path, 0)
			return nil
		}
		if err != nil {
			return fmt.Errorf("object file %q: %w", path, err)
		}
		return fn(path, h, info.Size() == headBytes+h.Size)
	})
}

func (s *Store) clearTemp() error {
	left, err := filepath.Glob(filepath.Join(s.dir, "temp", "put-*"))
	if err != nil {
		return err
	}
	for _, path := range left {
		if err := os.Remove(path); err != nil {
			return err
		}
	}
	return nil
}

func syncDir(dir string) error {
	d, err := os.Open(dir)
	if err != nil {
		return err
	}
	return errors.Join(d.Sync(), d.Close())
}
