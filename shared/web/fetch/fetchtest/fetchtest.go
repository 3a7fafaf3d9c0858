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

// Trap listens on a port of this machine and closes every connection. met closes the
// listener and returns the number of connections.
func Trap(t *testing.T) (port int, met func() int) {
	t.Helper()
	trap, err := net.Listen("tcp", ":0")
	if err != nil {
		t.Fatal(err)
	}
	count := make(chan int, 1)
	go func() {
		n := 0
		for {
			c, err := trap.Accept()
			if err != nil {
				count <- n
				return
			}
			n++
			c.Close()
		}
	}()
	return trap.Addr().(*net.TCPAddr).Port, func() int {
		trap.Close()
		return <-count
	}
}
