package formats

import (
	"context"

	"lectern/shared/knowledge/reader"
	"lectern/shared/knowledge/reader/intake"
	"lectern/shared/knowledge/reader/mail"
	"lectern/shared/text/document"
)

// emlReader reads mails; others reads their attachments.
func emlReader(others func(fileName string) []reader.Reader) reader.Reader {
	return &format{
		name:       "eml",
		extensions: []string{".eml", ".mht", ".mhtml"},
		accepts:    isText,
		read: func(ctx context.Context, src intake.Source, limits intake.Limits) (*document.Document, error) {
			return mail.Read(ctx, src.Data, limits, others)
		},
	}
}

// mboxReader reads mailboxes; others reads the attachments of their mails.
func mboxReader(others func(fileName string) []reader.Reader) reader.Reader {
	return &format{
		name:       "mbox",
		extensions: []string{".mbox"},
		accepts:    isText,
		read: func(ctx context.Context, src intake.Source, limits intake.Limits) (*document.Document, error) {
			return mail.ReadMailbox(ctx, src.Data, limits, others)
		},
	}
}
