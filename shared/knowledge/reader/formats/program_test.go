package formats_test

import (
	"bytes"
	"context"
	"errors"
	"fmt"
	"image"
	"image/color"
	"image/gif"
	"image/jpeg"
	"image/png"
	"os"
	"os/signal"
	"path/filepath"
	"runtime"
	"slices"
	"strings"
	"testing"
	"time"

	"lectern/shared/fault"
	"lectern/shared/knowledge/reader"
	"lectern/shared/knowledge/reader/formats"
	"lectern/shared/knowledge/reader/pdf"
)

// TestMain makes this binary stand for the programs that readers call: it is
// linked under their names into directories that tests use as PATH.
func TestMain(m *testing.M) {
	switch filepath.Base(os.Args[0]) {
	case "tesseract":
		os.Exit(tesseract(os.Args[1:]))
	case "soffice":
		os.Exit(soffice(os.Args[1:]))
	}
	os.Exit(m.Run())
}

// tesseract tells the size of a picture.
func tesseract(args []string) int {
	if args[0] == "--list-langs" {
		fmt.Println("List of available languages (3):\nosd\neng\ndeu")
		return 0
	}
	f, err := os.Open(args[0])
	if err != nil || !slices.Equal(args[1:], []string{"stdout", "-l", "eng+deu"}) {
		return 1
	}
	c, kind, err := image.DecodeConfig(f)
	if err != nil {
		fmt.Println("Some words.")
		return 0
	}
	if c.Width == 13 { // never ends
		signals := make(chan os.Signal, 1)
		signal.Notify(signals, os.Interrupt)
		<-signals
	}
	if c.Width != 14 { // sees nothing
		fmt.Printf("A %s of %d\nby %d.\n\nMore words.\f", kind, c.Width, c.Height)
	}
	return 0
}

// soffice makes every file a Word file that tells where it was made.
func soffice(args []string) int {
	in := args[len(args)-1]
	data, err := os.ReadFile(in)
	if bytes.Contains(data, []byte("greedy")) {
		runtime.KeepAlive(make([]byte, 3<<30)) // never touched: where it is granted it costs nothing
	}
	if err != nil || bytes.Contains(data, []byte("damaged")) {
		fmt.Fprintln(os.Stderr, "Error: source file could not be loaded")
		return 0 // as the real one
	}
	dir := args[slices.Index(args, "--outdir")+1]
	name := strings.TrimSuffix(filepath.Base(in), filepath.Ext(in)) + "." + args[slices.Index(args, "--convert-to")+1]
	_, profile, _ := strings.Cut(args[0], "file://")
	_, err = os.Stat(profile + "/user/registrymodifications.xcu")
	text := docx(fmt.Sprintf("<w:p><w:r><w:t>Converted; settings %t.</w:t></w:r></w:p>", err == nil), nil)
	if os.MkdirAll(dir, 0o700) != nil || os.WriteFile(filepath.Join(dir, name), []byte(text), 0o600) != nil {
		return 1
	}
	return 0
}

// programs makes a PATH of this binary under the given names.
func programs(t *testing.T, names ...string) string {
	t.Helper()
	self, err := os.Executable()
	if err != nil {
		t.Fatal(err)
	}
	dir := t.TempDir()
	for _, name := range names {
		if err := os.Symlink(self, filepath.Join(dir, name)); err != nil {
			t.Skip("this system makes no links:", err)
		}
	}
	return dir
}

func opened(t *testing.T, o formats.Options) *reader.Set {
	t.Helper()
	if o.PDF == nil {
		o.PDF = pdf.NewEngine("")
	}
	set := formats.Builtin(o)
	t.Cleanup(func() { set.Close() })
	return set
}

func wantText(t *testing.T, set *reader.Set, name, data, want string) {
	t.Helper()
	d, err := set.Read(t.Context(), reader.Source{Name: name, Data: []byte(data)}, reader.Limits{})
	if err != nil {
		t.Errorf("Read(%s) = %v", name, err)
		return
	}
	check(t, name, d)
	if d.Text != want {
		t.Errorf("Read(%s) = %q, want %q", name, d.Text, want)
	}
}

// wantRefusal reports the message of a refusal of this type.
func wantRefusal(t *testing.T, set *reader.Set, name, data string, limits reader.Limits, want string) string {
	t.Helper()
	_, err := set.Read(t.Context(), reader.Source{Name: name, Data: []byte(data)}, limits)
	f := fault.As(err)
	if f == nil || f.Code != fault.Invalid || len(f.Problems) != 1 || f.Problems[0].Type != want {
		t.Errorf("Read(%s) = %v, want %s", name, err, want)
		return ""
	}
	return f.Problems[0].Msg
}

func picture(t *testing.T, kind string, width, height int) string {
	t.Helper()
	img := image.NewPaletted(image.Rect(0, 0, width, height), color.Palette{color.White, color.Black})
	for i := range img.Pix {
		img.Pix[i] = uint8(i / 3 % 2)
	}
	var b bytes.Buffer
	var err error
	switch kind {
	case "png":
		err = png.Encode(&b, img)
	case "jpeg":
		err = jpeg.Encode(&b, img, nil)
	case "gif":
		err = gif.Encode(&b, img, nil)
	}
	if err != nil {
		t.Fatal(err)
	}
	return b.String()
}

// scanned is a PDF of pages that are pictures, all but the second of three.
func scanned(kinds ...string) string {
	extra := []string{"<< /Type /XObject /Subtype /Image /Width 2 /Height 1 /ColorSpace /DeviceGray /BitsPerComponent 8 /Length 2 >>\nstream\n\x00\xff\nendstream"}
	var pages []*pdfPage
	for _, kind := range kinds {
		p := &pdfPage{}
		switch kind {
		case "picture":
			p.WriteString("q 500 0 0 700 50 50 cm /X0 Do Q\n")
		case "text":
			p.lines(72, 700, 12, "This page has words of its own.")
		}
		pages = append(pages, p)
	}
	return pdfFile("", extra, pages...)
}

const (
	tiffImage = "II*\x00\x08\x00\x00\x00\x02\x00\x00\x01\x03\x00\x01\x00\x00\x00\x40\x00\x00\x00\x01\x01\x04\x00\x01\x00\x00\x00\x40\x00\x00\x00\x00\x00\x00\x00"
	bmpImage  = "BM\x3a\x00\x00\x00\x00\x00\x00\x00\x36\x00\x00\x00\x28\x00\x00\x00\x40\x00\x00\x00\x40\x00\x00\x00\x01\x00\x18\x00"
	webpImage = "RIFF\x1a\x00\x00\x00WEBPVP8L\x0d\x00\x00\x00\x2f\x3f\x00\x10\x00\x00\x00\x00\x00\x00\x00\x00\x00"
)

func TestImages(t *testing.T) {
	set := opened(t, formats.Options{Path: "relative:" + programs(t, "tesseract")})
	wantText(t, set, "a.png", picture(t, "png", 40, 30), "A png of 40\nby 30.\n\nMore words.")
	wantText(t, set, "a.JPEG", picture(t, "jpeg", 40, 30), "A jpeg of 40\nby 30.\n\nMore words.")
	wantText(t, set, "a.gif", picture(t, "gif", 40, 30), "A gif of 40\nby 30.\n\nMore words.")
	for name, data := range map[string]string{"a.tif": tiffImage, "a.bmp": bmpImage, "a.webp": webpImage} {
		wantText(t, set, name, data, "Some words.")
	}
	wantRefusal(t, set, "a.png", picture(t, "png", 14, 14), reader.Limits{}, reader.Empty)
	wantRefusal(t, set, "a.png", picture(t, "png", 40, 30)[:20], reader.Limits{}, reader.Malformed)
	wantRefusal(t, set, "a.png", "words", reader.Limits{}, reader.Mismatched)
	wantRefusal(t, set, "a.tiff", tiffImage[:20], reader.Limits{}, reader.Malformed)
	wantRefusal(t, set, "a.tiff", strings.Replace(tiffImage, "\x40\x00\x00\x00\x00\x00", "\x00\x00\x00\x7f\x00\x00", 1), reader.Limits{}, reader.TooLarge)
	wantRefusal(t, set, "a.png", picture(t, "png", 13, 13), reader.Limits{Time: 100 * time.Millisecond, Program: 100 * time.Millisecond}, reader.Malformed)
}

func TestScannedPages(t *testing.T) {
	set := opened(t, formats.Options{Path: programs(t, "tesseract")})
	d, err := set.Read(t.Context(), reader.Source{Name: "a.pdf", Data: []byte(scanned("picture", "text", "blank", "picture"))}, reader.Limits{})
	if err != nil {
		t.Fatal(err)
	}
	check(t, "a.pdf", d)
	want := "A png of 1700\nby 2200.\n\nMore words.\n\nThis page has words of its own.\n\nA png of 1700\nby 2200.\n\nMore words."
	if d.Text != want {
		t.Errorf("Text = %q, want %q", d.Text, want)
	}
	if n := d.Root.Children; len(n) != 5 || n[2].Page != 2 || n[3].Page != 4 {
		t.Errorf("tree = %s", tree(d))
	}
	if len(d.Warnings) != 1 {
		t.Errorf("Warnings = %q, want one of the blank page", d.Warnings)
	}
	wantRefusal(t, set, "a.pdf", scanned("blank"), reader.Limits{}, reader.Empty)
	if msg := wantRefusal(t, builtin(t), "a.pdf", scanned("picture"), reader.Limits{}, reader.Empty); !strings.Contains(msg, "tesseract") ||
		!strings.Contains(msg, "model") {
		t.Errorf("the refusal of scanned pages names no way: %q", msg)
	}
	failing := opened(t, formats.Options{Transcribe: func(context.Context, []byte, string) (string, error) {
		return "", errors.New("no")
	}})
	wantRefusal(t, failing, "a.pdf", scanned("picture"), reader.Limits{}, reader.Empty)
	wantText(t, failing, "a.pdf", scanned("picture", "text"), "This page has words of its own.")
}

func TestTranscribe(t *testing.T) {
	set := opened(t, formats.Options{Transcribe: func(_ context.Context, image []byte, mediaType string) (string, error) {
		if len(image) == 0 {
			return "", fault.New(fault.Overloaded, "busy")
		}
		return "Seen in " + mediaType, nil
	}})
	wantText(t, set, "a.png", picture(t, "png", 4, 4), "Seen in image/png")
	wantText(t, set, "a.webp", webpImage, "Seen in image/webp")
	wantText(t, set, "a.pdf", scanned("picture"), "Seen in image/png")
	wantRefusal(t, set, "a.tiff", tiffImage, reader.Limits{}, reader.Unknown)
	failing := opened(t, formats.Options{Transcribe: func(context.Context, []byte, string) (string, error) {
		return "", fault.New(fault.Overloaded, "busy")
	}})
	if _, err := failing.Read(t.Context(), reader.Source{Name: "a.png", Data: []byte(picture(t, "png", 4, 4))}, reader.Limits{}); !fault.Is(err,
		fault.Overloaded) {
		t.Errorf("Read with a busy model = %v, want Overloaded", err)
	}
}

func TestOldOffice(t *testing.T) {
	ole := "\xD0\xCF\x11\xE0\xA1\xB1\x1A\xE1" + strings.Repeat("\x00", 512)
	set := opened(t, formats.Options{Path: programs(t, "soffice")})
	wantText(t, set, "a.doc", ole, "Converted; settings true.")
	wantRefusal(t, set, "a.doc", ole+"damaged", reader.Limits{}, reader.Malformed)
	if runtime.GOOS == "linux" { // elsewhere programs are not held to a limit
		wantRefusal(t, set, "a.doc", ole+"greedy", reader.Limits{}, reader.Malformed)
	}
	wantRefusal(t, set, "a.doc", "{\\rtf1 words}", reader.Limits{}, reader.Mismatched)
	// The other kinds come back as what their extension asks for.
	wantRefusal(t, set, "a.xls", ole, reader.Limits{}, reader.Mismatched)
}

// TestMissingPrograms: what cannot be read here is not offered, and says what
// it would take.
func TestMissingPrograms(t *testing.T) {
	set := builtin(t)
	for name, need := range map[string]string{"a.png": "tesseract", "a.tif": "chat model", "a.doc": "soffice", "a.xls": "LibreOffice", "a.ppt": "soffice"} {
		if msg := wantRefusal(t, set, name, "x", reader.Limits{}, reader.Unknown); !strings.Contains(msg, need) {
			t.Errorf("the refusal of %s is %q, without %q", name, msg, need)
		}
		if slices.Contains(set.Extensions(), filepath.Ext(name)) {
			t.Errorf("%s is offered", name)
		}
	}
	set = opened(t, formats.Options{Path: programs(t, "tesseract", "soffice")})
	for _, ext := range []string{".png", ".tif", ".doc", ".xls", ".ppt"} {
		if !slices.Contains(set.Extensions(), ext) {
			t.Errorf("%s is not offered", ext)
		}
	}
}
