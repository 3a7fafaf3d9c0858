// Command lambda is the function of the group tokens. Counting takes what
// answering takes: files, skills and tools are part of the input.
package main

import (
	"lectern/functions/tokens"
	"lectern/shared/app/function"
	"lectern/shared/text/o200k"
)

func main() {
	f := function.Start()
	f.Serve(tokens.Deps{Engine: f.Engine(), Tokens: o200k.Counter()}.Routes(), nil)
}
