package dap

import (
	"context"
	"fmt"
	"io"
	"net"
)

// Listen serves the clients that connect to a TCP port, one after the other, until ctx ends, which is not an error. The address
// is written to out when clients can connect, and why a session failed to errs: that ends the session, not the server. Clients of
// other machines are served with remote only. The error is ErrRequest about the address, or that of the system.
func Listen(ctx context.Context, address string, remote bool, programs Programs, out, errs io.Writer) error {
	at, err := net.ResolveTCPAddr("tcp", address)
	switch {
	case err != nil:
		return invalid(fmt.Sprintf("invalid --listen %q: %v", address, err), "write HOST:PORT, such as 127.0.0.1:4711")
	case !remote && !at.IP.IsLoopback():
		return invalid(fmt.Sprintf("--listen %q is reachable from other machines", address), "use 127.0.0.1, or add --allow-remote if you trust everybody who can connect")
	}
	l, err := net.ListenTCP("tcp", at)
	if err != nil {
		return invalid(fmt.Sprintf("cannot listen on %s: %v", address, err), "choose another port, or 0 for a free one")
	}
	defer context.AfterFunc(ctx, func() { l.Close() })()
	fmt.Fprintf(out, "listening on %s\n", l.Addr())
	for {
		conn, err := l.Accept()
		switch {
		case ctx.Err() != nil:
			return nil
		case err != nil:
			return err
		}
		serveConnection(ctx, conn, programs, errs)
	}
}

// serveConnection serves a client.
func serveConnection(ctx context.Context, conn net.Conn, programs Programs, errs io.Writer) {
	defer conn.Close()
	defer context.AfterFunc(ctx, func() { conn.Close() })()
	if err := Serve(ctx, conn, conn, programs); err != nil && ctx.Err() == nil {
		fmt.Fprintln(errs, err)
	}
}
