package formats

import (
	"context"
	"errors"
	"strings"

	"lectern/shared/fault"
	"lectern/shared/knowledge/reader"
	"lectern/shared/knowledge/reader/intake"
	"lectern/shared/knowledge/reader/picture"
	"lectern/shared/text/document"
)

// imageExtensions lists file extensions of images by the extension that sniff
// returns.
func imageExtensions() map[string][]string {
	return map[string][]string{
		".png": {".png"}, ".jpg": {".jpg", ".jpeg"}, ".gif": {".gif"}, ".webp": {".webp"}, ".tiff": {".tiff", ".tif"}, ".bmp": {".bmp"},
	}
}

// imageReader reads the text in images of the sniffed formats.
func imageReader(recognise picture.Recognise, formats ...string) reader.Reader {
	var extensions []string
	for _, f := range formats {
		extensions = append(extensions, imageExtensions()[f]...)
	}
	return &format{
		name: "image", extensions: extensions, accepts: is(formats...), slow: true,
		read: func(ctx context.Context, src intake.Source, _ intake.Limits) (*document.Document, error) {
			pixels, err := picture.Pixels(src.Data)
			if err != nil {
				return nil, errors.Join(intake.Refuse(intake.Malformed, "the image is damaged"), err)
			}
			if pixels > picture.MaxPixels {
				return nil, intake.Refuse(intake.TooLarge, "the image of %d pixels is over the limit of %d", pixels, picture.MaxPixels)
			}
			text, err := recognise(ctx, src.Data, picture.Types()[sniff(src.Data)])
			if err != nil {
				if f := fault.As(err); f != nil {
					return nil, err
				}
				return nil, errors.Join(intake.Refuse(intake.Malformed, "the text in the image could not be recognised"), err)
			}
			var b document.Builder
			for para := range strings.SplitSeq(document.Clean(text), "\n\n") {
				b.Paragraph(para)
			}
			d := b.Document()
			if d.Text == "" {
				return nil, intake.Refuse(intake.Empty, "no text was found in the image")
			}
			return d, nil
		},
	}
}
