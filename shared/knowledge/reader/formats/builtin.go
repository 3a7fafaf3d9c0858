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
