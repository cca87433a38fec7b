package remote

import "golang.org/x/sys/unix"

// peerOfSocket is peerOf by the file descriptor of the connection (unix(7), SO_PEERCRED).
func peerOfSocket(fd int) (peer, error) {
	cred, err := unix.GetsockoptUcred(fd, unix.SOL_SOCKET, unix.SO_PEERCRED)
	if err != nil {
		return peer{}, err
	}
	return peer{uid: int(cred.Uid), pid: cred.Pid}, nil
}
