package remote

import (
	"net"

	"golang.org/x/sys/unix"
)

// peerOf asks the kernel which process is at the other end of a connection (unix(4), LOCAL_PEERCRED and LOCAL_PEERPID).
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
	cred, err := unix.GetsockoptXucred(fd, unix.SOL_LOCAL, unix.LOCAL_PEERCRED)
	if err != nil {
		return peer{}, err
	}
	pid, err := unix.GetsockoptInt(fd, unix.SOL_LOCAL, unix.LOCAL_PEERPID)
	return peer{uid: int(cred.Uid), pid: int32(pid)}, err
}
