package schema

import (
	"bytes"
	"encoding/json"
	"sync"
)

// Marshal is json.Marshal without the escaping of <, > and &, which clients
// of an API do not need.
func Marshal(v any) ([]byte, error) {
	e := encoders.Get().(*encoder)
	defer e.free()
	if err := e.json.Encode(v); err != nil {
		return nil, err
	}
	return bytes.Clone(bytes.TrimSuffix(e.buf.Bytes(), []byte{'\n'})), nil
}

// encoder is kept for the next value: its buffer has grown already.
type encoder struct {
	buf  bytes.Buffer
	json *json.Encoder
}

// maxKept bounds a kept buffer, in bytes.
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
