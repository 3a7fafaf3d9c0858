// Command worker makes files of what signed requests have stored in the
// bucket: the function behind the bucket's events.
package main

import (
	"lectern/functions/files"
	"lectern/shared/app/function"
	"lectern/shared/aws/lambdahttp"
)

func main() {
	f := function.Start()
	lambdahttp.StartEvents(files.Deps{Files: f.Files(), Now: f.Now}.Created)
}
