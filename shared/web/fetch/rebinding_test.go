package fetch_test

import (
	"context"
	"encoding/binary"
	"fmt"
	"io"
	"net"
	"net/netip"
	"net/url"
	"sync/atomic"
	"testing"

	"golang.org/x/net/dns/dnsmessage"

	"lectern/shared/fault"
	"lectern/shared/web/fetch"
	"lectern/shared/web/fetch/fetchtest"
)

// names resolves every name to one address, which may change.
type names struct {
	at    atomic.Pointer[netip.Addr]
	asked atomic.Int64
}

// resolve has the process ask n for the test's duration.
func (n *names) resolve(t *testing.T) {
	before := net.DefaultResolver
	t.Cleanup(func() { net.DefaultResolver = before })
	net.DefaultResolver = &net.Resolver{PreferGo: true, Dial: func(context.Context, string, string) (net.Conn, error) {
		client, server := net.Pipe()
		go n.serve(server)
		return client, nil
	}}
}

// serve answers the questions of one connection, each behind its length, as
// DNS over TCP has it.
func (n *names) serve(c net.Conn) {
	defer c.Close()
	for {
		var size uint16
		if binary.Read(c, binary.BigEndian, &size) != nil {
			return
		}
		raw := make([]byte, size)
		if _, err := io.ReadFull(c, raw); err != nil {
			return
		}
		answer, err := n.answer(raw)
		if err != nil {
			return
		}
		if _, err := c.Write(append(binary.BigEndian.AppendUint16(nil, uint16(len(answer))), answer...)); err != nil {
			return
		}
	}
}

func (n *names) answer(raw []byte) ([]byte, error) {
	var m dnsmessage.Message
	if err := m.Unpack(raw); err != nil {
		return nil, err
	}
	q, at := m.Questions[0], *n.at.Load()
	m.Response, m.Additionals = true, nil
	head := dnsmessage.ResourceHeader{Name: q.Name, Type: q.Type, Class: q.Class}
	switch {
	case q.Type == dnsmessage.TypeA && at.Is4():
		n.asked.Add(1)
		m.Answers = []dnsmessage.Resource{{Header: head, Body: &dnsmessage.AResource{A: at.As4()}}}
	case q.Type == dnsmessage.TypeAAAA && at.Is6():
		n.asked.Add(1)
		m.Answers = []dnsmessage.Resource{{Header: head, Body: &dnsmessage.AAAAResource{AAAA: at.As16()}}}
	}
	return m.Pack()
}

// TestRebinding: a name that is public while it is checked, and private when
// it is dialled, is refused then, whichever way out it goes.
func TestRebinding(t *testing.T) {
	n := &names{}
	n.resolve(t)
	ways := map[string]func(c *fetch.Client, host string, port int) error{
		"Get": func(c *fetch.Client, host string, port int) error {
			_, err := c.Get(t.Context(), fmt.Sprintf("http://%s:%d/", host, port), "x")
			return err
		},
		"HTTP": func(c *fetch.Client, host string, port int) error {
			resp, err := c.HTTP().Get(fmt.Sprintf("http://%s:%d/", host, port))
			if err == nil {
				resp.Body.Close()
			}
			if refused := c.Refused(err, host); refused != nil {
				return refused
			}
			return err
		},
		"Dial": func(c *fetch.Client, host string, port int) error {
			conn, err := c.Dial(t.Context(), "tcp", fmt.Sprintf("%s:%d", host, port))
			if err == nil {
				conn.Close()
			}
			return err
		},
	}
	public := netip.MustParseAddr("93.184.216.34")
	const host = "rebinds.example"
	for way, reach := range ways {
		for _, private := range []string{"127.0.0.1", "::1", "::ffff:127.0.0.1"} {
			c := fetch.New(nil)
			port, met := fetchtest.Trap(t)
			n.at.Store(&public)
			if err := c.CheckAddress(t.Context(), &url.URL{Scheme: "http", Host: host}); err != nil {
				t.Fatalf("CheckAddress = %v, while the name is public", err)
			}
			to, asked := netip.MustParseAddr(private), n.asked.Load()
			n.at.Store(&to)
			err := reach(c, host, port)
			if came := met(); !fault.Is(err, fault.Forbidden) || came > 0 {
				t.Errorf("%s, when the name has become %s: %v and %d connections, want Forbidden and none", way, private, err, came)
			}
			if n.asked.Load() == asked {
				t.Errorf("%s did not ask for the name again", way)
			}
		}
		// Where the operator lets it, the same name is reached.
		port, met := fetchtest.Trap(t)
		to := netip.MustParseAddr("127.0.0.1")
		n.at.Store(&to)
		err := reach(fetch.New([]string{"127.0.0.0/8"}), host, port)
		if came := met(); came == 0 {
			t.Errorf("%s, where loopback is allowed: %v and no connection", way, err)
		}
	}
}
