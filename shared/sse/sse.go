// Package sse frames server-sent events: a Writer for answers and a Reader
// for the streams of model providers. What the events mean is the callers'
// business.
package sse

import (
	"bufio"
	"bytes"
	"errors"
	"io"
	"net/http"
	"strconv"
)

// Writer writes events to a response, each flushed at once. Not safe for
// concurrent use.
type Writer struct {
	w   http.ResponseWriter
	rc  *http.ResponseController
	buf []byte
}

// NewWriter sends the headers of an event stream, status 200.
func NewWriter(w http.ResponseWriter) *Writer {
	h := w.Header()
	h.Set("Content-Type", "text/event-stream; charset=utf-8")
	h.Set("Cache-Control", "no-cache")
	h.Set("X-Accel-Buffering", "no")
	w.WriteHeader(http.StatusOK)
	return &Writer{w: w, rc: http.NewResponseController(w)}
}

// Append appends the frame of one event to out. data must be free of line
// breaks; id is left out when it is not positive. name must be a word of the
// caller's own.
func Append(out []byte, name string, id int64, data []byte) []byte {
	out = append(out, "event: "...)
	out = append(out, name...)
	if id > 0 {
		out = append(out, "\nid: "...)
		out = strconv.AppendInt(out, id, 10)
	}
	out = append(out, "\ndata: "...)
	out = append(out, data...)
	return append(out, '\n', '\n')
}

// Event sends one event, as Append frames it.
func (s *Writer) Event(name string, id int64, data []byte) error {
	s.buf = Append(s.buf[:0], name, id, data)
	return s.Send(s.buf)
}

// Send sends frames. A writer that cannot flush, as some Lambda hosts' cannot,
// is no error.
func (s *Writer) Send(frames []byte) error {
	if len(frames) == 0 {
		return nil
	}
	if _, err := s.w.Write(frames); err != nil {
		return err
	}
	if err := s.rc.Flush(); err != nil && !errors.Is(err, http.ErrNotSupported) {
		return err
	}
	return nil
}

// Event is one event of a stream.
type Event struct {
	Name string
	ID   string
	Data []byte // good until the next call of Next
}

// maxLine bounds one line of a stream, in bytes.
const maxLine = 16 << 20

// Reader reads the events of a stream.
//
// Source: HTML standard, "Server-sent events", parsing an event stream.
type Reader struct {
	scan *bufio.Scanner
	data []byte
	err  error
}

// NewReader reads events from r.
func NewReader(r io.Reader) *Reader {
	scan := bufio.NewScanner(r)
	scan.Buffer(make([]byte, 0, 1024), maxLine)
	scan.Split(splitLines)
	return &Reader{scan: scan}
}

// Next returns the next event. At the end of the stream it is io.EOF; an event
// that its blank line never ended is dropped, as the standard says.
func (r *Reader) Next() (Event, error) {
	e := Event{}
	r.data = r.data[:0]
	seen := false
	for r.scan.Scan() {
		line := r.scan.Bytes()
		if len(line) == 0 {
			if !seen {
				e = Event{}
				continue
			}
			e.Data = r.data[:len(r.data)-1]
			return e, nil
		}
		name, value, _ := bytes.Cut(line, []byte{':'})
		value = bytes.TrimPrefix(value, []byte{' '})
		switch string(name) {
		case "event":
			e.Name = string(value)
		case "id":
			e.ID = string(value)
		case "data":
			r.data = append(append(r.data, value...), '\n')
			seen = true
		}
	}
	if err := r.scan.Err(); err != nil {
		return Event{}, err
	}
	return Event{}, io.EOF
}

// splitLines ends lines at LF, CR or CRLF.
func splitLines(data []byte, atEOF bool) (advance int, token []byte, err error) {
	i := bytes.IndexAny(data, "\r\n")
	switch {
	case i < 0:
		return 0, nil, nil // the last line without an end is dropped
	case data[i] == '\n':
		return i + 1, data[:i], nil
	case i+1 < len(data):
		if data[i+1] == '\n' {
			return i + 2, data[:i], nil
		}
		return i + 1, data[:i], nil
	case atEOF:
		return i + 1, data[:i], nil
	}
	return 0, nil, nil // a CR at the end: wait for what follows
}
