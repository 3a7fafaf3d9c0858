// Package fetchtest lists addresses that no outgoing connection may reach, for
// the tests of every client.
package fetchtest

import (
	"net"
	"strconv"
	"testing"
)

// Hosts are spellings of loopback, private, link-local, metadata and other non-public
// addresses, as in a URL.
func Hosts() []string {
	return []string{
		"127.0.0.1", "127.1", "2130706433", "0x7f000001", "0x7f.0.0.1", "0177.0.0.1", "017700000001", "localhost", "localhost.", "[::1]",
		"[0:0:0:0:0:0:0:1]",
		"[::ffff:127.0.0.1]", "[::ffff:7f00:1]", "0.0.0.0", "[::]", "10.0.0.1", "172.16.0.1", "192.168.1.1", "169.254.169.254",
		"[fd00:ec2::254]", "[fe80::1]",
		"[fd00::1]", "[fec0::1]", "100.64.0.1", "[64:ff9b::7f00:1]", "[2002:7f00:1::]", "224.0.0.1", "255.255.255.255",
	}
}

// Refuses checks that reach fails for every one of the hosts, and that it has not
// connected to this machine.
func Refuses(t *testing.T, reach func(host string, port int) error) {
	t.Helper()
	port, met := Trap(t)
	for _, host := range Hosts() {
		if err := reach(host, port); err == nil {
			t.Errorf("%s was reached", net.JoinHostPort(host, strconv.Itoa(port)))
		}
	}
	if n := met(); n > 0 {
		t.Errorf("%d connections were made to this machine", n)
	}
}

// Trap listens on a port of this machine and closes every connection. met returns the
// number of connections made before it was called, also of those that wait to be
// accepted, and closes the listener.
func Trap(t *testing.T) (port int, met func() int) {
	t.Helper()
	trap, err := net.Listen("tcp", ":0")
	if err != nil {
		t.Fatal(err)
	}
	t.Cleanup(func() { trap.Close() })
	from := make(chan string, 1024)
	go func() {
		for {
			c, err := trap.Accept()
			if err != nil {
				return
			}
			c.Close()
			from <- c.RemoteAddr().String()
		}
	}()
	port = trap.Addr().(*net.TCPAddr).Port
	return port, func() int {
		// Connections are accepted in the order in which they were made: what comes
		// before this one was there.
		last, err := net.Dial("tcp", net.JoinHostPort("127.0.0.1", strconv.Itoa(port)))
		if err != nil {
			t.Fatal(err)
		}
		defer last.Close()
		defer trap.Close()
		n := 0
		for <-from != last.LocalAddr().String() {
			n++
		}
		return n
	}
}
