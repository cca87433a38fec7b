package remote

import (
	"fmt"
	"net"
	"syscall"
)

// peerOf asks the kernel who is at the other end of a connection (unix(7), SO_PEERCRED).
func peerOf(c *net.UnixConn) (*syscall.Ucred, error) {
	raw, err := c.SyscallConn()
	if err != nil {
		return nil, err
	}
	var peer *syscall.Ucred
	var failed error
	if err := raw.Control(func(fd uintptr) {
		peer, failed = syscall.GetsockoptUcred(int(fd), syscall.SOL_SOCKET, syscall.SO_PEERCRED)
	}); err != nil {
		return nil, err
	}
	return peer, failed
}

// checkPeer rejects a listener of another user: what it says may be false.
func checkPeer(c net.Conn, path string, uid int) error {
	socket, ok := c.(*net.UnixConn)
	if !ok {
		return &UntrustedError{Path: path, Detail: "not a unix socket", Fix: "remove it"}
	}
	peer, err := peerOf(socket)
	if err != nil {
		return &UntrustedError{Path: path, Detail: "the user of its process is unknown: " + err.Error(), Fix: "attach as the user who started the run"}
	}
	if int(peer.Uid) != uid {
		return &UntrustedError{Path: path, Detail: fmt.Sprintf("its process belongs to user %d, this one to user %d", peer.Uid, uid), Fix: "attach as the user who started the run"}
	}
	return nil
}
