//go:build !linux && !darwin

package remote

import (
	"errors"
	"net"
)

// peerOf fails: this system does not say which process is at the other end of a connection.
func peerOf(*net.UnixConn) (peer, error) { return peer{}, errors.ErrUnsupported }
