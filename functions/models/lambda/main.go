// Command lambda is the function of the group models.
package main

import (
	"lectern/functions/models"
	"lectern/shared/app/function"
)

func main() {
	f := function.Start()
	f.Serve(models.Deps{Models: f.Models()}.Routes(), nil)
}
