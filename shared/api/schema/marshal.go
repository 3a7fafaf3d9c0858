package schema

import (
	"bytes"
	"encoding/json"
	"sync"
)

// Marshal is json.Marshal without escaping <, > and &, which only matters in HTML.
func Marshal(v any) ([]byte, error) {
	e := encoders.Get().(*encoder)
	defer e.free()
	if err := e.json.Encode(v); err != nil {
		return nil, err
	}
	return bytes.Clone(bytes.TrimSuffix(e.buf.Bytes(), []byte{'\n'})), nil
}

// encoder is pooled to reuse its buffer.
type encoder struct {
	buf  bytes.Buffer
	json *json.Encoder
}

// maxKept limits the size of a pooled buffer, in bytes.
const maxKept = 64 << 10

var encoders = sync.Pool{New: func() any {
	e := &encoder{}
	e.json = json.NewEncoder(&e.buf)
	e.json.SetEscapeHTML(false)
	return e
}}

func (e *encoder) free() {
	if e.buf.Cap() <= maxKept {
		e.buf.Reset()
		encoders.Put(e)
	}
}
