package ioservice

import "vyretop/engine/fault"

// ErrRequest is matched by every error of a request.
const ErrRequest fault.Kind = "request of the kernel not served"
