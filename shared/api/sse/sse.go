// Package sse implements server-sent events: a Writer for answers and a Reader
// for the streams of model providers.
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

// Append appends the frame of one event to out. data must not contain line
// breaks; id is omitted unless positive; name must be a valid field value, and is
// omitted when empty.
func Append(out []byte, name string, id int64, data []byte) []byte {
	if name != "" {
		out = append(out, "event: "...)
		out = append(out, name...)
		out = append(out, '\n')
	}
	if id > 0 {
		out = append(out, "id: "...)
		out = strconv.AppendInt(out, id, 10)
		out = append(out, '\n')
	}
	out = append(out, "data: "...)
	out = append(out, data...)
	return append(out, '\n', '\n')
}

// Event sends one event, as Append frames it.
func (s *Writer) Event(name string, id int64, data []byte) error {
	s.buf = Append(s.buf[:0], name, id, data)
	return s.Send(s.buf)
}

// Send writes frames and flushes. It ignores writers that cannot flush, such as
// some Lambda hosts'.
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
	Data []byte // valid until the next call of Next
}

// maxLine bounds one line of a stream, in bytes.
const maxLine = 16 << 20

// Reader reads the events of a stream.
//
// Source: HTML standard, "Server-sent events", parsing an event stream.
type Reader struct {
	in   *bufio.Reader
	line []byte // a line longer than the buffer
	data []byte
	cr   bool // the last line ended with CR: a LF that follows belongs to it
}

// NewReader reads events from r.
func NewReader(r io.Reader) *Reader { return &Reader{in: bufio.NewReaderSize(r, 4<<10)} }

// More reports whether another whole event is buffered already.
func (r *Reader) More() bool {
	waiting, _ := r.in.Peek(r.in.Buffered())
	return bytes.Contains(waiting, []byte("\n\n")) || bytes.Contains(waiting, []byte("\r\n\r\n"))
}

// Next returns the next event, or io.EOF at the end of the stream. An event without
// its final blank line is dropped, as the standard requires.
func (r *Reader) Next() (Event, error) {
	e := Event{}
	r.data = r.data[:0]
	seen := false
	for {
		line, err := r.readLine()
		if err != nil {
			return Event{}, err
		}
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
}

// readLine returns the next line, ended by LF, CR or CRLF, without its end. It is
// valid until the next call. A last line without an end is dropped.
func (r *Reader) readLine() ([]byte, error) {
	r.line = r.line[:0]
	for {
		if r.in.Buffered() == 0 {
			if _, err := r.in.Peek(1); err != nil {
				return nil, err
			}
		}
		waiting, _ := r.in.Peek(r.in.Buffered())
		if r.cr {
			r.cr = false
			if waiting[0] == '\n' {
				r.in.Discard(1)
				continue
			}
		}
		end := bytes.IndexAny(waiting, "\r\n")
		if end < 0 {
			if len(r.line) > maxLine {
				return nil, bufio.ErrTooLong
			}
			r.line = append(r.line, waiting...)
			r.in.Discard(len(waiting))
			continue
		}
		r.cr = waiting[end] == '\r'
		line := waiting[:end]
		if len(r.line) > 0 {
			r.line = append(r.line, line...)
			line = r.line
		}
		r.in.Discard(end + 1) // peeked bytes stay readable until the next read
		return line, nil
	}
}
