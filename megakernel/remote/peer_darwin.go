package remote

import "golang.org/x/sys/unix"

// peerOfSocket is peerOf by the file descriptor of the connection (unix(4), LOCAL_PEERCRED and LOCAL_PEERPID).
func peerOfSocket(fd int) (peer, error) {
	cred, err := unix.GetsockoptXucred(fd, unix.SOL_LOCAL, unix.LOCAL_PEERCRED)
	if err != nil {
		return peer{}, err
	}
	pid, err := unix.GetsockoptInt(fd, unix.SOL_LOCAL, unix.LOCAL_PEERPID)
	return peer{uid: int(cred.Uid), pid: int32(pid)}, err
}
