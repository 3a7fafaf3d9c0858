// Command lambda is the function of the group skills.
package main

import (
	"lectern/functions/skills"
	"lectern/shared/app/function"
)

func main() {
	f := function.Start()
	f.Serve(f.Keep(skills.Deps{Skills: f.Skills()}.Routes()), nil)
}
