package remote

import (
	"context"
	"encoding/json"
	"errors"
	"fmt"
	"io"
	"io/fs"
	"net"
	"os"
	"path/filepath"
	"slices"
	"syscall"
	"time"

	"vyretop/engine/fault"
	"vyretop/fixtures"
)

// link is one connection to a target.
type link struct {
	socket  net.Conn
	reader  *fixtures.StreamReader
	header  fixtures.Header
	welcome Welcome
}

func (l *link) close() {
	l.socket.Close()
	l.reader.Close()
}

// next waits for a message, but not for longer than a target that lives can be silent.
func (l *link) next() (*fixtures.StreamMessage, error) {
	if err := l.socket.SetReadDeadline(time.Now().Add(silence)); err != nil {
		return nil, err
	}
	m, err := l.reader.Next()
	if errors.Is(err, io.EOF) {
		err = io.ErrUnexpectedEOF // it did not say bye
	}
	return m, err
}

// greet says hello on a fresh connection and waits for the answer.
func greet(socket net.Conn, name string, hello Hello) (l *link, err error) {
	l = &link{socket: socket}
	defer func() {
		if err != nil {
			socket.Close()
		}
	}()
	line, err := json.Marshal(hello)
	if err != nil {
		return nil, err
	}
	_ = socket.SetWriteDeadline(time.Now().Add(silence))
	if err := writeLine(socket, line); err != nil {
		return nil, Lost(name, err)
	}
	_ = socket.SetReadDeadline(time.Now().Add(silence))
	noted := &noting{Reader: socket}
	l.reader, err = fixtures.NewStreamReader(noted, name)
	if err != nil && errors.Is(noted.err, os.ErrDeadlineExceeded) {
		return nil, Lost(name, fmt.Errorf("it has not answered for %v; its process is stopped, or hangs", silence))
	}
	if err != nil && noted.failed() {
		return nil, Lost(name, noted.err)
	}
	if err != nil && unheard(socket) {
		return nil, Lost(name, errEnded)
	}
	if err != nil {
		return nil, &fault.Error{Kind: ErrRefused, Subject: name + " refused", Detail: "it closed the connection, as for clients of other users, or when it has too many. Fix: attach as the user who started it, and end other clients"}
	}
	m, err := l.next()
	if err != nil {
		err = Lost(name, err)
	} else {
		err = l.welcomed(name, m)
	}
	if err != nil {
		l.reader.Close()
		return nil, fmt.Errorf("attach to %s: %w", name, err)
	}
	l.header = l.reader.Header()
	return l, nil
}

// dialSocket connects to the socket of a target.
func dialSocket(ctx context.Context, name string, o *DialOptions) (net.Conn, error) {
	running, err := Targets(o.Dir)
	if err != nil {
		return nil, err
	}
	path := filepath.Join(o.Dir, name+suffix)
	socket, err := (&net.Dialer{}).DialContext(ctx, "unix", path)
	if err != nil {
		return nil, noTarget(name, slices.DeleteFunc(running, func(n string) bool { return n == name }))
	}
	if _, err := checkPeer(socket, path, o.uid); err != nil {
		socket.Close()
		return nil, err
	}
	return socket, nil
}

// errEnded is why a target is lost that had ended before it could answer.
var errEnded = errors.New("the run has ended")

// unheard reports whether the target at the other end of a connection that it has closed listens no longer.
func unheard(socket net.Conn) bool {
	peer := socket.RemoteAddr()
	if peer == nil || peer.Network() != "unix" {
		return false
	}
	c, err := net.Dial("unix", peer.String())
	if err != nil {
		return errors.Is(err, syscall.ECONNREFUSED) || errors.Is(err, fs.ErrNotExist)
	}
	c.Close()
	return false
}

// writeLine sends a line, whole or not at all.
func writeLine(w io.Writer, line []byte) error {
	n, err := w.Write(append(line, '\n'))
	if err == nil && n <= len(line) {
		err = io.ErrShortWrite
	}
	return err
}

// noting remembers why reading failed.
type noting struct {
	io.Reader
	err error
}

// Read implements io.Reader.
func (n *noting) Read(b []byte) (int, error) {
	got, err := n.Reader.Read(b)
	if err != nil {
		n.err = err
	}
	return got, err
}

// failed reports whether reading failed by itself, and not because the other end closed the connection.
func (n *noting) failed() bool {
	return n.err != nil && !errors.Is(n.err, io.EOF) && !errors.Is(n.err, syscall.ECONNRESET) && !errors.Is(n.err, syscall.EPIPE)
}

// welcomed reads the first message behind the header.
func (l *link) welcomed(name string, m *fixtures.StreamMessage) error {
	switch m.Topic {
	case topicWelcome:
		switch err := json.Unmarshal(m.Body, &l.welcome); {
		case err != nil:
		case l.welcome.Protocol == Protocol:
			return nil
		default:
			detail := fmt.Sprintf("it speaks version %d of the protocol, this client version %d", l.welcome.Protocol, Protocol)
			return &fault.Error{Kind: ErrRefused, Subject: name + " refused", Detail: detail, Fix: "attach with the vyretop that runs the target"}
		}
	case topicRefused:
		var r Refused
		if json.Unmarshal(m.Body, &r) == nil {
			return &fault.Error{Kind: ErrRefused, Subject: name + " refused", Detail: r.Text}
		}
	}
	return &fault.Error{Kind: ErrRefused, Subject: name + " refused", Detail: "unknown greeting", Fix: "attach with the vyretop that runs the target"}
}

// Resolve finds the target that a name means, and for no name the only one that runs. It waits up to a
// time for it to appear. Errors are ErrNoTarget and ErrUntrusted.
func Resolve(ctx context.Context, dir, name string, wait time.Duration) (string, error) {
	const poll = 20 * time.Millisecond
	ctx, cancel := context.WithTimeout(ctx, wait)
	defer cancel()
	for {
		running, err := Targets(dir)
		switch {
		case err != nil:
			return "", err
		case name != "" && slices.Contains(running, name):
			return name, nil
		case name == "" && len(running) == 1:
			return running[0], nil
		case name != "":
			if _, err := knock(filepath.Join(dir, name+suffix)); errors.Is(err, ErrUntrusted) {
				return "", err
			}
		}
		select {
		case <-ctx.Done():
			return "", noTarget(name, running)
		case <-time.After(poll):
		}
	}
}
