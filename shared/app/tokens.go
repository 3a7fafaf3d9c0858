package app

import (
	"sync"

	"github.com/tiktoken-go/tokenizer"
)

// Tokens counts the tokens of a text with the o200k vocabulary, which is
// loaded by the first call.
func Tokens() func(text string) (int, error) {
	load := sync.OnceValues(func() (tokenizer.Codec, error) { return tokenizer.Get(tokenizer.O200kBase) })
	return func(text string) (int, error) {
		codec, err := load()
		if err != nil {
			return 0, err
		}
		return codec.Count(text)
	}
}
