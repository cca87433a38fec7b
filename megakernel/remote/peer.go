package remote

import (
	"fmt"
	"net"

	"vyretop/engine/fault"
)

// peer is the process at the other end of a connection.
type peer struct {
	uid int
	pid int32
}

// checkPeer returns the process that listens, and rejects one of another user: what it says may be false.
func checkPeer(c net.Conn, path string, uid int) (peer, error) {
	socket, ok := c.(*net.UnixConn)
	if !ok {
		return peer{}, &fault.Error{Kind: ErrUntrusted, Subject: path, Detail: "not a unix socket; not used", Fix: "remove it"}
	}
	p, err := peerOf(socket)
	if err != nil {
		return peer{}, &fault.Error{Kind: ErrUntrusted, Subject: path, Detail: "the user of its process is unknown: " + err.Error() + "; not used", Fix: "attach as the user who started the run"}
	}
	if p.uid != uid {
		return peer{}, &fault.Error{Kind: ErrUntrusted, Subject: path, Detail: fmt.Sprintf("its process belongs to user %d, this one to user %d", p.uid, uid) + "; not used", Fix: "attach as the user who started the run"}
	}
	return p, nil
}
