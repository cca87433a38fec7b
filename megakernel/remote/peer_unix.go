//go:build linux || darwin

package remote

import "net"

// peerOf asks the kernel which process is at the other end of a connection.
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
