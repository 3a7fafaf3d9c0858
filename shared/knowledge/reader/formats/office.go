package formats

import (
	"context"

	"lectern/shared/knowledge/reader"
	"lectern/shared/knowledge/reader/intake"
	"lectern/shared/knowledge/reader/office"
	"lectern/shared/text/document"
)

// officeReader reads one of the formats of package office. Truncated Office
// files cannot be told apart, so each reader accepts them.
func officeReader(name string, extensions []string, sniffed []string,
	read func(context.Context, []byte, intake.Limits) (*document.Document, error)) reader.Reader {
	return &format{
		name: name, extensions: extensions, accepts: is(sniffed...),
		read: func(ctx context.Context, src intake.Source, limits intake.Limits) (*document.Document, error) {
			return read(ctx, src.Data, limits)
		},
	}
}

func docxReader() reader.Reader {
	return officeReader("docx", []string{".docx", ".docm", ".dotx"}, []string{".docx", ".ooxml"}, office.DOCX)
}

func pptxReader() reader.Reader {
	return officeReader("pptx", []string{".pptx", ".pptm", ".ppsx"}, []string{".pptx", ".ooxml"}, office.PPTX)
}

func xlsxReader() reader.Reader {
	return officeReader("xlsx", []string{".xlsx", ".xlsm", ".xltx"}, []string{".xlsx", ".ooxml"}, office.XLSX)
}

func openDocumentReader() reader.Reader {
	return officeReader("opendocument", []string{".odt", ".ods", ".odp", ".ott", ".ots", ".otp"}, []string{".odt", ".ods", ".odp"},
		office.OpenDocument)
}

// oldOfficeReader lets soffice convert old formats and reads the result.
func oldOfficeReader(c *office.Converter, readers func(fileName string) []reader.Reader) reader.Reader {
	return &format{
		name: "libreoffice", extensions: office.OldExtensions(), accepts: office.OldContent, slow: true,
		read: func(ctx context.Context, src intake.Source, limits intake.Limits) (*document.Document, error) {
			name, data, err := c.Convert(ctx, reader.Ext(src.Name), src.Data, limits)
			if err != nil {
				return nil, err
			}
			return readers(name)[0].Read(ctx, intake.Source{Name: name, Data: data}, limits)
		},
	}
}

func epubReader() reader.Reader {
	return officeReader("epub", []string{".epub"}, []string{".epub"}, office.EPUB)
}
