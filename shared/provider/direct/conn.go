package direct

import (
	"bufio"
	"context"
	"errors"
	"fmt"
	"io"
	"math"
	"net"
	"net/http"
	"sync"
	"time"
)

const (
	readBuffer  = 4 << 10
	writeBuffer = 4 << 10
	// maxInline bounds a body that is written before the answer is read, in
	// bytes: it fits the buffers of any socket, so that a server which answers
	// without reading it cannot hold us up.
	maxInline = 16 << 10
	// lateAnswer is how long the answer of a server that stopped reading is
	// waited for.
	lateAnswer = time.Second
)

// conn is one connection, used by one request at a time.
type conn struct {
	net.Conn
	owner    *Transport
	address  string
	in       *bufio.Reader
	left     int64 // bytes of an answer's head that may still come; there is no bound for its body
	answered bool  // a byte of the present answer has come
	since    time.Time
}

var errLongHead = errors.New("direct: the answer's head is too long")

// Read bounds the head of an answer.
func (c *conn) Read(p []byte) (int, error) {
	if c.left <= 0 {
		return 0, errLongHead
	}
	n, err := c.Conn.Read(p[:min(int64(len(p)), c.left)])
	c.left -= int64(n)
	c.answered = c.answered || n > 0
	return n, err
}

var writers = sync.Pool{New: func() any { return bufio.NewWriterSize(nil, writeBuffer) }}

// drop closes a connection that is of no use, however that goes.
func (c *conn) drop() { _ = c.Close() }

func (c *conn) send(req *http.Request) error {
	out := writers.Get().(*bufio.Writer)
	defer writers.Put(out)
	defer out.Reset(nil)
	out.Reset(c.Conn)
	if err := req.Write(out); err != nil {
		return err
	}
	return out.Flush()
}

// exchange sends the request and reads the head of its answer.
func (c *conn) exchange(req *http.Request) (*http.Response, error) {
	ctx := req.Context()
	c.answered = false
	b := &body{conn: c, ctx: ctx, stop: context.AfterFunc(ctx, c.drop)}
	var err error
	if req.ContentLength < 0 || req.ContentLength > maxInline {
		b.sent = make(chan error, 1)
		go c.sendBeside(req, b.sent)
	} else {
		err = c.send(req)
	}
	var resp *http.Response
	if err == nil {
		resp, err = c.receive(req)
	}
	if err != nil {
		if b.sent != nil {
			c.drop() // ends the sending
			if serr := <-b.sent; serr != nil && !errors.Is(serr, net.ErrClosed) {
				err = serr
			}
		}
		b.end(err)
		return nil, b.err
	}
	b.ReadCloser, resp.Body = resp.Body, b
	b.last = resp.Close || req.Close
	return resp, nil
}

// sendBeside sends a request while its answer is read already: a server may
// answer, and stop reading, before it has seen all of a large body.
func (c *conn) sendBeside(req *http.Request, sent chan<- error) {
	err := c.send(req)
	if err != nil {
		_ = c.SetReadDeadline(time.Now().Add(lateAnswer)) // where it fails, so does the read
	}
	sent <- err
}

// receive reads the head of an answer.
func (c *conn) receive(req *http.Request) (*http.Response, error) {
	c.left = maxHeadBytes
	if t := c.owner.HeaderTimeout; t > 0 {
		if err := c.SetReadDeadline(time.Now().Add(t)); err != nil {
			return nil, err
		}
		defer func() { _ = c.SetReadDeadline(time.Time{}) }() // a connection that is closed needs none
	}
	for range maxInterim {
		resp, err := http.ReadResponse(c.in, req)
		if err != nil {
			return nil, err
		}
		if resp.StatusCode >= http.StatusOK {
			c.left = math.MaxInt64
			return resp, nil
		}
		if resp.StatusCode == http.StatusSwitchingProtocols {
			return nil, errors.New("direct: the server changed the protocol unasked")
		}
	}
	return nil, fmt.Errorf("direct: more than %d interim answers", maxInterim)
}

// body is an answer's body; its end gives the connection back.
type body struct {
	io.ReadCloser
	conn *conn // nil after the end
	ctx  context.Context
	stop func() bool
	sent chan error // of a request that is sent beside; nil otherwise
	last bool       // the server closes the connection after it
	rest bool       // only its end is looked for, within a deadline
	err  error      // what ended it
}

func (b *body) Read(p []byte) (int, error) {
	if b.conn == nil {
		return 0, b.err
	}
	n, err := b.ReadCloser.Read(p)
	if err != nil {
		b.end(err)
		err = b.err
	}
	return n, err
}

// end gives the connection back after a whole answer, and up after any other.
func (b *body) end(err error) {
	c := b.conn
	free := b.stop()
	whole := errors.Is(err, io.EOF)
	if !free && !whole {
		err = context.Cause(b.ctx)
	}
	b.conn, b.err = nil, err
	if !free || !whole || b.last || c.in.Buffered() > 0 || !b.wasSent() || b.rest && c.SetReadDeadline(time.Time{}) != nil {
		c.drop()
		return
	}
	c.owner.keep(c)
}

// wasSent reports whether all of the request was sent. A sender that has ended
// may not have said so yet.
func (b *body) wasSent() bool {
	if b.sent == nil {
		return true
	}
	select {
	case err := <-b.sent:
		return err == nil
	case <-time.After(restTime):
		return false
	}
}

// What Close reads in the hope for the end: a stream's reader leaves after its
// last event, and the mark of the body's end follows that.
const (
	restTime  = time.Millisecond
	restBytes = 1 << 10
)

// Close ends the answer. The connection is kept when nothing of the answer is
// missing but its end, and that comes at once.
func (b *body) Close() error {
	if b.conn != nil && !b.last && b.ctx.Err() == nil {
		b.rest = true
		if b.conn.SetReadDeadline(time.Now().Add(restTime)) == nil {
			_, _ = io.CopyN(io.Discard, b, restBytes)
		}
	}
	if b.conn != nil {
		b.end(http.ErrBodyReadAfterClose)
	}
	return nil
}
