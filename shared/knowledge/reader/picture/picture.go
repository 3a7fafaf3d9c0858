// Package picture reads the text in images, with tesseract or any other
// Recognise, such as a multimodal model.
package picture

import (
	"bytes"
	"context"
	"encoding/binary"
	"errors"
	"fmt"
	"image"
	_ "image/gif"  // sizes of
	_ "image/jpeg" // these
	_ "image/png"  // formats
	"os"
	"path/filepath"
	"slices"
	"strings"
	"sync"

	"lectern/shared/knowledge/reader/program"
)

// Recognise returns the text in an image, with blank lines between paragraphs;
// empty if there is none. Safe for concurrent use.
type Recognise func(ctx context.Context, image []byte, mediaType string) (string, error)

// MaxPixels is the largest image that is recognised: more than A3 at 300 dots
// per inch.
const MaxPixels = 40_000_000

// Types maps the usual extension of each supported image format to its media type.
func Types() map[string]string {
	return map[string]string{
		".png": "image/png", ".jpg": "image/jpeg", ".gif": "image/gif", ".webp": "image/webp", ".tiff": "image/tiff", ".bmp": "image/bmp",
	}
}

// Pixels returns the number of pixels of an image, in TIFF of all pages, from
// its headers only.
func Pixels(data []byte) (int, error) {
	w, h := 0, 0
	switch {
	case bytes.HasPrefix(data, []byte("II*\x00")):
		return tiffPixels(data, binary.LittleEndian)
	case bytes.HasPrefix(data, []byte("MM\x00*")):
		return tiffPixels(data, binary.BigEndian)
	case bytes.HasPrefix(data, []byte("BM")) && len(data) >= 26:
		w, h = int(int32(binary.LittleEndian.Uint32(data[18:]))), int(int32(binary.LittleEndian.Uint32(data[22:])))
		w, h = max(w, -w), max(h, -h)
	case bytes.HasPrefix(data, []byte("RIFF")) && len(data) >= 30:
		w, h = webpSize(data)
	default:
		c, _, err := image.DecodeConfig(bytes.NewReader(data))
		if err != nil {
			return 0, err
		}
		w, h = c.Width, c.Height
	}
	if w <= 0 || h <= 0 {
		return 0, errors.New("the image has no size")
	}
	return w * h, nil
}

// webpSize reads the size from the first chunk, of whichever of three kinds.
func webpSize(data []byte) (w, h int) {
	at := func(i int) int { return int(binary.LittleEndian.Uint16(data[i:])) }
	switch string(data[12:16]) {
	case "VP8 ":
		return at(26) & 0x3FFF, at(28) & 0x3FFF
	case "VP8L":
		bits := binary.LittleEndian.Uint32(data[21:])
		return int(bits&0x3FFF) + 1, int(bits>>14&0x3FFF) + 1
	case "VP8X":
		return at(24) | int(data[26])<<16 + 1, at(27) | int(data[29])<<16 + 1
	}
	return 0, 0
}

func tiffPixels(data []byte, order binary.ByteOrder) (int, error) {
	errCut := errors.New("the image is truncated")
	if len(data) < 8 {
		return 0, errCut
	}
	total := 0
	at := int64(order.Uint32(data[4:]))
	for range 1000 {
		if at == 0 {
			return total, nil
		}
		if at+2 > int64(len(data)) {
			return 0, errCut
		}
		count := int64(order.Uint16(data[at:]))
		if at+2+12*count+4 > int64(len(data)) {
			return 0, errCut
		}
		size := [2]int{}
		for i := range count {
			entry := data[at+2+12*i:]
			tag, kind := order.Uint16(entry), order.Uint16(entry[2:])
			if tag != 256 && tag != 257 {
				continue
			}
			if kind == 3 {
				size[tag-256] = int(order.Uint16(entry[8:]))
			} else {
				size[tag-256] = int(order.Uint32(entry[8:]))
			}
		}
		if size[0] <= 0 || size[1] <= 0 {
			return 0, errors.New("the image has no size")
		}
		if total += size[0] * size[1]; total > MaxPixels {
			return total, nil
		}
		at = int64(order.Uint32(data[at+2+12*count:]))
	}
	return 0, errors.New("the image has too many pages")
}

// Tesseract returns a Recognise that runs the program, with its installed languages.
func Tesseract(p *program.Program) Recognise {
	t := &tesseract{program: p}
	return t.recognise
}

type tesseract struct {
	program *program.Program
	mu      sync.Mutex
	langs   string // cached; empty if unknown
}

// maxLanguages limits the languages tried at once, each of which takes time.
const maxLanguages = 6

// languages lists the installed languages. If there are too many to try, it is
// English if installed.
func (t *tesseract) languages(ctx context.Context, dir string) (string, error) {
	t.mu.Lock()
	defer t.mu.Unlock()
	if t.langs != "" {
		return t.langs, nil
	}
	out, err := t.program.Run(ctx, dir, "--list-langs")
	if err != nil {
		return "", err
	}
	var names []string
	for _, name := range strings.Fields(string(out[bytes.IndexByte(out, '\n')+1:])) {
		if name != "osd" && name != "equ" && !strings.Contains(name, "/") {
			names = append(names, name)
		}
	}
	if len(names) > maxLanguages && slices.Contains(names, "eng") {
		names = []string{"eng"}
	}
	if len(names) == 0 {
		return "", errors.New("tesseract has no languages")
	}
	t.langs = strings.Join(names[:min(len(names), maxLanguages)], "+")
	return t.langs, nil
}

func (t *tesseract) recognise(ctx context.Context, data []byte, mediaType string) (string, error) {
	dir, err := os.MkdirTemp("", "lectern-picture-")
	if err != nil {
		return "", err
	}
	defer os.RemoveAll(dir)
	langs, err := t.languages(ctx, dir)
	if err != nil {
		return "", err
	}
	file := filepath.Join(dir, "image"+strings.Replace(mediaType, "image/", ".", 1))
	if err := os.WriteFile(file, data, 0o600); err != nil {
		return "", err
	}
	out, err := t.program.Run(ctx, dir, file, "stdout", "-l", langs)
	if err != nil {
		return "", fmt.Errorf("recognise text: %w", err)
	}
	return strings.ReplaceAll(string(out), "\f", "\n\n"), nil
}
