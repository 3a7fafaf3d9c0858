//go:build !unix

package program

import "os/exec"

// alone does nothing: when the program ends, its child processes may continue.
func alone(*exec.Cmd) {}
