package mail

import (
	"bytes"
	"context"
	"regexp"
	"strconv"

	"lectern/shared/fault"
	"lectern/shared/knowledge/reader"
	"lectern/shared/knowledge/reader/intake"
	"lectern/shared/text/document"
)

// ReadMailbox reads the mails of a mailbox file one after the other, each as a section of
// its own. A mail that cannot be read, and what Thunderbird deleted but left in the file,
// is left out.
//
// Source: RFC 4155, appendix A; ">From " is unescaped at any depth, as qmail writes it.
func ReadMailbox(ctx context.Context, data []byte, limits intake.Limits, others func(fileName string) []reader.Reader) (*document.Document,
	error) {
	w := &writer{ctx: ctx, limits: limits, others: others, b: &document.Builder{Most: limits.TextBytes}, left: limits.TextBytes,
		sent: map[string]string{}}
	unread, deleted := 0, 0
	for rest := data; len(rest) > 0; {
		var message []byte
		message, rest = cutMessage(rest)
		if message = bytes.TrimSpace(message); len(message) == 0 {
			continue
		}
		if isDeleted(message) {
			deleted++
			continue
		}
		w.parts = 0
		before := w.b.Len()
		switch err := w.message(unescape(message), 0); {
		case ctx.Err() != nil:
			return nil, ctx.Err()
		case isTooLarge(err):
			return nil, err
		case err != nil && w.b.Len() == before:
			unread++
		}
		if err := limits.Check(w.b.Len(), w.b.Nodes()); err != nil {
			return nil, err
		}
	}
	if unread > 0 {
		w.b.Warn("%d messages of the mailbox are no mails, and left out", unread)
	}
	if deleted > 0 {
		w.b.Warn("%d deleted mails of the mailbox are left out", deleted)
	}
	w.b.Title("")
	return w.b.Document(), nil
}

func isTooLarge(err error) bool {
	f := fault.As(err)
	return f != nil && len(f.Problems) > 0 && f.Problems[0].Type == intake.TooLarge
}

// separator matches the line before a mail: an address, and a day with its time and year.
var separator = regexp.MustCompile(`^From [^\r\n]{0,300}?\d{1,2}:\d{2}[^\r\n]{0,40}\d{4}|` +
	`^From [^\r\n]{0,300}?\d{4}[^\r\n]{0,20}\d{1,2}:\d{2}`)

var separatorStart = []byte("From ")

// IsMailbox reports whether data begins with a line as stands before a mail, and a field of
// its header.
func IsMailbox(data []byte) bool {
	line, rest, more := bytes.Cut(data, []byte("\n"))
	return more && separator.Match(line) && beginsHeader(rest)
}

// beginsHeader reports whether data begins with a field of a header.
func beginsHeader(data []byte) bool {
	name, _, ok := bytes.Cut(data[:min(len(data), 200)], []byte(":"))
	return ok && len(name) > 0 && bytes.IndexFunc(name, func(r rune) bool { return r <= ' ' || r > '~' }) < 0 ||
		bytes.HasPrefix(data, []byte(">From "))
}

// cutMessage cuts the first message, with or without the line before it, off the rest of a
// mailbox. A line of a text that begins with "From" is no separator.
func cutMessage(data []byte) (message, rest []byte) {
	if IsMailbox(data) {
		data = data[bytes.IndexByte(data, '\n')+1:]
	}
	for at := 0; ; {
		n := bytes.Index(data[at:], separatorStart)
		if n < 0 {
			return data, nil
		}
		at += n
		if at > 0 && data[at-1] == '\n' && IsMailbox(data[at:]) {
			return data[:at], data[at:]
		}
		at += len(separatorStart)
	}
}

var escaped = regexp.MustCompile(`(?m)^>(>*From )`)

// unescape undoes what a mailbox does to lines that begin with "From ".
func unescape(message []byte) []byte {
	message = bytes.TrimPrefix(message, []byte(">")) // another program's separator, escaped
	if bytes.HasPrefix(message, separatorStart) {
		_, message, _ = bytes.Cut(message, []byte("\n"))
	}
	if !bytes.Contains(message, []byte("\n>")) {
		return message
	}
	return escaped.ReplaceAll(message, []byte("$1"))
}

var mozillaStatus = regexp.MustCompile(`(?m)^X-Mozilla-Status: ([0-9A-Fa-f]{4})\r?$`)

// isDeleted reports whether Thunderbird marked a mail as deleted.
func isDeleted(message []byte) bool {
	const expunged = 0x0008
	header := message[:min(len(message), 4096)]
	if end := bytes.Index(header, []byte("\n\n")); end >= 0 {
		header = header[:end]
	}
	found := mozillaStatus.FindSubmatch(header)
	if found == nil {
		return false
	}
	status, err := strconv.ParseUint(string(found[1]), 16, 16)
	return err == nil && status&expunged != 0
}
