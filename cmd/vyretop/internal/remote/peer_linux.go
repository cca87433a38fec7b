package remote

import (
	"net"

	"golang.org/x/sys/unix"
)

// peerOf asks the kernel which process is at the other end of a connection (unix(7), SO_PEERCRED).
func peerOf(c *net.UnixConn) (p peer, err error) {
	raw, err := c.SyscallConn()
	if err != nil {
		return p, err
	}
	var failed error
	err = raw.Control(func(fd uintptr) { p, failed = peerOfSocket(int(fd)) })
	if err == nil {
		err = failed
	}
	return p, err
}

func peerOfSocket(fd int) (peer, error) {
	cred, err := unix.GetsockoptUcred(fd, unix.SOL_SOCKET, unix.SO_PEERCRED)
	if err != nil {
		return peer{}, err
	}
	return peer{uid: int(cred.Uid), pid: cred.Pid}, nil
}
