package reader

import (
	"slices"

	"lectern/shared/reader/intake"
	"lectern/shared/reader/office"
	"lectern/shared/reader/picture"
	"lectern/shared/reader/program"
)

// Options are the settings of the built-in readers.
type Options struct {
	// PDF reads PDF files; nil: nothing does. The set closes it.
	PDF intake.PDF
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
	needsPDF    = "the PDF engine, which this process does not carry"
	needsOffice = "the program soffice (LibreOffice) on the service's PATH"
)

// pdfPlace is where in the list the PDF reader stands.
const pdfPlace = 5

// Builtin returns the readers of this package; the caller closes the set.
func Builtin(o Options) *Set {
	set := &Set{lacks: map[string]string{".pdf": needsPDF}}
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
	if o.PDF != nil {
		set.closers = append(set.closers, o.PDF.Close)
		set.readers = slices.Insert(set.readers, pdfPlace, pdfReader(o.PDF, recognise))
		delete(set.lacks, ".pdf")
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
