package reader

import (
	"lectern/shared/reader/office"
	"lectern/shared/reader/pdf"
	"lectern/shared/reader/picture"
	"lectern/shared/reader/program"
)

// Options are the settings of the built-in readers.
type Options struct {
	// CompileCache is a directory where compiled code is kept between
	// starts, so that only the first PDF ever waits for it (seconds); empty:
	// compile on first use in each process.
	CompileCache string
	// Path is a list of directories, as $PATH is, in which tesseract and
	// soffice are looked for. Empty: programs are not used.
	Path string
	// Transcribe finds the text in PNG, JPEG, GIF and WebP images, where
	// there is no tesseract; nil: nothing does.
	Transcribe picture.Recognise
}

// What reading takes that these readers cannot do alone.
const (
	needsSight  = "the program tesseract on the service's PATH, or a chat model that takes images"
	needsOffice = "the program soffice (LibreOffice) on the service's PATH"
)

// Builtin returns the readers of this package; the caller closes the set.
func Builtin(o Options) *Set {
	engine := pdf.NewEngine(o.CompileCache)
	set := &Set{closers: []func() error{engine.Close}, lacks: map[string]string{}}
	recognise := o.Transcribe
	seen := []string{".png", ".jpg", ".gif", ".webp"}
	if p := program.Find(o.Path, "tesseract"); p != nil {
		recognise = picture.Tesseract(p)
		seen = append(seen, ".tiff", ".bmp")
	}
	set.readers = []Reader{
		textReader(),
		markdownReader(),
		htmlReader(),
		csvReader(),
		jsonReader(),
		pdfReader(engine, recognise),
		docxReader(),
		pptxReader(),
		xlsxReader(),
		openDocumentReader(),
		epubReader(),
		rtfReader(),
		emlReader(set.ForName),
		notebookReader(),
		codeReader(),
	}
	for _, names := range imageExtensions() {
		for _, ext := range names {
			set.lacks[ext] = needsSight
		}
	}
	for _, ext := range office.OldExtensions() {
		set.lacks[ext] = needsOffice
	}
	if recognise != nil {
		set.readers = append(set.readers, imageReader(recognise, seen...))
	}
	if p := program.Find(o.Path, "soffice"); p != nil {
		set.readers = append(set.readers, oldOfficeReader(office.NewConverter(p), set.ForName))
	}
	return set
}
