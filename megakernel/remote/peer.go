package remote

import (
	"fmt"
	"net"
)

// peer is the process at the other end of a connection.
type peer struct {
	uid int
	pid int32
}

// checkPeer rejects a listener of another user: what it says may be false.
func checkPeer(c net.Conn, path string, uid int) error {
	socket, ok := c.(*net.UnixConn)
	if !ok {
		return &UntrustedError{Path: path, Detail: "not a unix socket", Fix: "remove it"}
	}
	p, err := peerOf(socket)
	if err != nil {
		return &UntrustedError{Path: path, Detail: "the user of its process is unknown: " + err.Error(), Fix: "attach as the user who started the run"}
	}
	if p.uid != uid {
		return &UntrustedError{Path: path, Detail: fmt.Sprintf("its process belongs to user %d, this one to user %d", p.uid, uid), Fix: "attach as the user who started the run"}
	}
	return nil
}
