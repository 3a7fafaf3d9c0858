//go:build unix

package program

import (
	"os/exec"
	"syscall"
)

// alone puts a program into a process group that is killed as a whole.
func alone(cmd *exec.Cmd) {
	cmd.SysProcAttr = &syscall.SysProcAttr{Setpgid: true}
	cmd.Cancel = func() error { return syscall.Kill(-cmd.Process.Pid, syscall.SIGKILL) }
}
