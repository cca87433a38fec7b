package remote

import (
	"fmt"
	"net"
	"syscall"
)

// sameUser checks that the process at the other end of a connection has a user id.
func sameUser(c *net.UnixConn, uid int) error {
	raw, err := c.SyscallConn()
	if err != nil {
		return err
	}
	var peer *syscall.Ucred
	var failed error
	if err := raw.Control(func(fd uintptr) {
		peer, failed = syscall.GetsockoptUcred(int(fd), syscall.SOL_SOCKET, syscall.SO_PEERCRED)
	}); err != nil {
		return err
	}
	if failed != nil {
		return failed
	}
	if int(peer.Uid) != uid {
		return &RefusedError{Name: "the run", Text: fmt.Sprintf("it belongs to user %d, the client to user %d. Fix: attach as the user who started it", uid, peer.Uid)}
	}
	return nil
}
