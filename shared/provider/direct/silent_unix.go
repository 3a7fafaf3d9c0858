//go:build unix

package direct

import (
	"net"
	"syscall"
)

// silent reports whether a connection that nobody reads is open and has nothing
// to say: neither its end nor bytes that no request asked for.
func silent(c net.Conn) bool {
	sc, ok := c.(syscall.Conn)
	if !ok {
		return true
	}
	raw, err := sc.SyscallConn()
	if err != nil {
		return false
	}
	still := false
	err = raw.Read(func(fd uintptr) bool {
		var one [1]byte
		_, _, err := syscall.Recvfrom(int(fd), one[:], syscall.MSG_PEEK)
		still = err == syscall.EAGAIN
		return true
	})
	return err == nil && still
}
