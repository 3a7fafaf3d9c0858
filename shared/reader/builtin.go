package reader

import "lectern/shared/reader/pdf"

// Options are the settings of the built-in readers.
type Options struct {
	// CompileCache is a directory where compiled code is kept between
	// starts, so that only the first PDF ever waits for it (seconds); empty:
	// compile on first use in each process.
	CompileCache string
}

// Builtin returns the readers of this package; the caller closes the set.
func Builtin(o Options) *Set {
	engine := pdf.NewEngine(o.CompileCache)
	set := &Set{closers: []func() error{engine.Close}}
	set.readers = []Reader{
		textReader(),
		markdownReader(),
		htmlReader(),
		csvReader(),
		jsonReader(),
		pdfReader(engine),
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
	return set
}
