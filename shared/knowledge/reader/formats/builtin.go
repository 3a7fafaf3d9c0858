package formats

import (
	"lectern/shared/knowledge/reader"
	"lectern/shared/knowledge/reader/intake"
	"lectern/shared/knowledge/reader/office"
	"lectern/shared/knowledge/reader/picture"
	"lectern/shared/knowledge/reader/program"
)

// Options are the settings of the built-in readers.
type Options struct {
	// PDF parses PDF files; nil disables them. The set closes it.
	PDF intake.PDF
	// Path is a list of directories, like $PATH, with tesseract and soffice. Empty
	// disables external programs.
	Path string
	// Transcribe reads the text in PNG, JPEG, GIF and WebP images if there is no
	// tesseract; may be nil.
	Transcribe picture.Recognise
}

// What must be configured for formats that these readers cannot parse alone.
const (
	needsSight  = "the program tesseract on the service's PATH, or a chat model that takes images"
	needsPDF    = "the PDF engine, which this process does not carry"
	needsOffice = "the program soffice (LibreOffice) on the service's PATH"
)

// Builtin returns the readers of this package; the caller closes the set.
func Builtin(o Options) *reader.Set {
	set := reader.NewSet(sniff)
	recognise := o.Transcribe
	seen := []string{".png", ".jpg", ".gif", ".webp"}
	if p := program.Find(o.Path, "tesseract"); p != nil {
		recognise = picture.Tesseract(p)
		seen = append(seen, ".tiff", ".bmp")
	}
	set.Add(textReader(), markdownReader(), htmlReader(), csvReader(), jsonReader())
	if o.PDF != nil {
		set.OnClose(o.PDF.Close)
		set.Add(pdfReader(o.PDF, recognise))
	} else {
		set.Lack(needsPDF, ".pdf")
	}
	set.Add(
		docxReader(),
		pptxReader(),
		xlsxReader(),
		openDocumentReader(),
		epubReader(),
		rtfReader(),
		emlReader(set.ForName),
		mboxReader(set.ForName),
		notebookReader(),
		codeReader(),
	)
	for _, names := range imageExtensions() {
		set.Lack(needsSight, names...)
	}
	set.Lack(needsOffice, office.OldExtensions()...)
	if recognise != nil {
		set.Add(imageReader(recognise, seen...))
	}
	if p := program.Find(o.Path, "soffice"); p != nil {
		set.Add(oldOfficeReader(office.NewConverter(p), set.ForName))
	}
	return set
}
