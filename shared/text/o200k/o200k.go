// Package o200k counts tokens with the o200k vocabulary. It is a package of its
// own because whoever imports it carries 11 MB.
package o200k

import (
	"sync"

	"github.com/tiktoken-go/tokenizer"
)

// Counter returns a function that counts the tokens of a text with the o200k vocabulary, which its
// first call loads.
func Counter() func(text string) (int, error) {
	load := sync.OnceValues(func() (tokenizer.Codec, error) { return tokenizer.Get(tokenizer.O200kBase) })
	return func(text string) (int, error) {
		codec, err := load()
		if err != nil {
			return 0, err
		}
		return codec.Count(text)
	}
}
