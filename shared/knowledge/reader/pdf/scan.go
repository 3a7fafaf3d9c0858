package pdf

import (
	"bytes"
	"context"
	"image"
	"image/png"
	"runtime"
	"sync"

	"lectern/shared/knowledge/reader/intake"

	"golang.org/x/sync/errgroup"
)

// Limits of page images: resolution in dots per inch, dots per side, and pages
// per file.
const (
	scanDPI  = 200
	scanSide = 3500
	maxScans = 300
)

// scans recognises pages while the next ones are rendered, as many at once as
// there are processors, to limit the images in memory.
type scans struct {
	ctx    context.Context
	cancel context.CancelFunc
	o      intake.PDFOptions
	work   errgroup.Group
	begun  int

	mu    sync.Mutex
	texts map[int]string
	err   error
}

func newScans(ctx context.Context, o intake.PDFOptions) *scans {
	c := &scans{o: o, texts: map[int]string{}}
	c.ctx, c.cancel = context.WithTimeout(ctx, o.ScanTime)
	c.work.SetLimit(runtime.GOMAXPROCS(0))
	return c
}

func (c *scans) add(page int, img *image.Gray) {
	c.begun++
	c.work.Go(func() error {
		var b bytes.Buffer
		encoder := png.Encoder{CompressionLevel: png.BestSpeed}
		err := encoder.Encode(&b, img)
		text := ""
		if err == nil {
			text, err = c.o.Recognise(c.ctx, b.Bytes(), "image/png")
		}
		c.mu.Lock()
		defer c.mu.Unlock()
		c.texts[page] = text
		if c.err == nil {
			c.err = err
		}
		return nil
	})
}

// wait stores the recognised text in the file, which is nil if it could not be read.
func (c *scans) wait(f *File) {
	if f == nil {
		c.cancel()
	}
	_ = c.work.Wait()
	c.cancel()
	if f == nil {
		return
	}
	for page, text := range c.texts {
		f.Pages[page].Scanned = text
	}
	f.ScanErr = c.err
}

// scan renders a page without text, unless it is blank, and starts to recognise
// the image.
func (s *session) scan(handle uint64, number int, p *Page) {
	if s.Recognise == nil || s.scans.begun >= maxScans || s.scans.ctx.Err() != nil || p.Width <= 0 || p.Height <= 0 {
		return
	}
	count := int32(s.call("FPDFPage_CountObjects", handle))
	if count <= 0 || s.oversized(handle, count) {
		return
	}
	scale := min(scanDPI/72.0, scanSide/max(p.Width, p.Height))
	w, h := max(int(p.Width*scale), 1), max(int(p.Height*scale), 1)
	s.refuel()
	const gray = 1
	bitmap := s.call("FPDFBitmap_CreateEx", uint64(w), uint64(h), gray, 0, 0)
	if bitmap == 0 {
		return
	}
	defer s.call("FPDFBitmap_Destroy", bitmap)
	s.call("FPDFBitmap_FillRect", bitmap, 0, 0, uint64(w), uint64(h), 0xFFFFFFFF)
	s.call("FPDF_RenderPageBitmap", bitmap, handle, 0, 0, uint64(w), uint64(h), 0, 0)
	at, stride := uint32(s.call("FPDFBitmap_GetBuffer", bitmap)), int(s.call("FPDFBitmap_GetStride", bitmap))
	if s.err != nil || stride < w {
		return
	}
	pixels, ok := s.module.Memory().Read(at, uint32(stride*h))
	if !ok || blank(pixels) {
		return
	}
	s.scans.add(number, &image.Gray{Pix: bytes.Clone(pixels), Stride: stride, Rect: image.Rect(0, 0, w, h)})
}

// oversized reports whether an image of a page has more dots than any scan.
func (s *session) oversized(handle uint64, count int32) bool {
	const image, mostDots = 3, 100_000_000
	for i := range min(count, 100) {
		object := s.call("FPDFPage_GetObject", handle, uint64(i))
		if object == 0 || s.call("FPDFPageObj_GetType", object) != image {
			continue
		}
		buf := s.scratch(8)
		if s.call("FPDFImageObj_GetImagePixelSize", object, buf, buf+4) == 0 {
			continue
		}
		w, _ := s.module.Memory().ReadUint32Le(s.buf)
		h, _ := s.module.Memory().ReadUint32Le(s.buf + 4)
		if uint64(w)*uint64(h) > mostDots {
			return true
		}
	}
	return false
}

// blank reports whether an image has a single colour.
func blank(pixels []byte) bool {
	return len(pixels) == 0 || bytes.Count(pixels, pixels[:1]) == len(pixels)
}
