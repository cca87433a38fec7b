package fleet

import (
	"errors"
	"io"
	"net"
	"os"
	"sync"
	"time"

	"vyretop/engine/fault"
)

// The times of a connection; tests shorten them.
type connTimes struct{ ping, silence time.Duration }

var defaultTimes = connTimes{ping: 2 * time.Second, silence: 10 * time.Second}

// Conn is a stream of bytes in both directions over the hub. It implements net.Conn, and CloseWrite.
type Conn struct {
	send  func(frame []byte) error // publishes; does not keep the frame
	leave func()                   // ends the subscription
	local address
	far   address
	times connTimes
	done  chan struct{} // closed with the connection

	mu     sync.Mutex
	turn   sync.Cond
	in     []byte // received and not read
	got    uint64 // position behind in
	read   uint64 // position of in
	told   uint64 // read as of the last acknowledgement
	sent   uint64 // position of the next byte to send
	acked  uint64 // by the other side
	ended  bool   // the other side sends no more
	half   bool   // this side sends no more
	err    error  // why the connection is over; nil while it is not
	heard  time.Time
	limits [2]deadline // of reading, of writing
	frame  []byte
}

// deadline is when waiting ends.
type deadline struct {
	at    time.Time
	timer *time.Timer
}

// The deadlines of a connection.
const (
	reading = iota
	writing
)

// address is one end of a connection.
type address string

// Network implements net.Addr.
func (address) Network() string { return "nats" }

// String implements net.Addr.
func (a address) String() string { return string(a) }

// newConn makes a connection whose frames come in by take. It lives until it is closed, and pings until then.
func newConn(send func([]byte) error, leave func(), local, far string, t connTimes) *Conn {
	c := &Conn{send: send, leave: leave, local: address(local), far: address(far), times: t, done: make(chan struct{}), heard: time.Now()}
	c.turn.L = &c.mu
	go c.ping()
	return c
}

// ping says that this side lives, and ends the connection when the other one does not seem to.
func (c *Conn) ping() {
	t := time.NewTicker(c.times.ping)
	defer t.Stop()
	for {
		select {
		case <-c.done:
			return
		case <-t.C:
		}
		c.mu.Lock()
		if quiet := time.Since(c.heard); quiet > c.times.silence {
			c.fail(&fault.Error{Kind: ErrBroken, Detail: "nothing was heard of the other side for " + quiet.Round(time.Second).String()})
		}
		c.emit(framePing, c.sent, nil)
		c.mu.Unlock()
	}
}

// emit sends a frame; the caller holds mu.
func (c *Conn) emit(kind byte, position uint64, data []byte) {
	if c.err != nil {
		return
	}
	c.frame = appendFrame(c.frame[:0], kind, position, data)
	if err := c.send(c.frame); err != nil {
		c.fail(&fault.Error{Kind: ErrBroken, Cause: err})
	}
}

// fail ends the connection; the caller holds mu. What was received can still be read.
func (c *Conn) fail(err error) {
	if c.err != nil {
		return
	}
	c.err = err
	close(c.done)
	c.turn.Broadcast()
	go c.leave() // it may wait for take, which waits for mu
}

// take is given each frame that comes.
func (c *Conn) take(message []byte) {
	kind, position, data, ok := parseFrame(message)
	c.mu.Lock()
	defer c.mu.Unlock()
	if c.err != nil {
		return
	}
	c.heard = time.Now()
	broken := func(detail string) { c.fail(&fault.Error{Kind: ErrBroken, Detail: detail}) }
	switch {
	case !ok:
		broken("a message makes no sense")
	case kind == frameAck && position >= c.acked && position <= c.sent:
		c.acked = position
		c.turn.Broadcast()
	case kind == frameAck:
		broken("what was never sent was acknowledged")
	case position != c.got:
		broken("a part of what was sent was lost")
	case kind == frameData && (len(c.in)+len(data) > window || c.ended):
		broken("more was sent than was asked for")
	case kind == frameData:
		c.in = append(c.in, data...)
		c.got += uint64(len(data))
		c.turn.Broadcast()
	case kind == frameEnd:
		c.ended = true
		c.turn.Broadcast()
	case kind == frameClose:
		c.ended = true
		c.fail(&fault.Error{Kind: ErrBroken, Detail: "the other side closed it", Cause: io.EOF})
	}
}

// Read implements net.Conn.
func (c *Conn) Read(b []byte) (int, error) {
	c.mu.Lock()
	defer c.mu.Unlock()
	for len(c.in) == 0 {
		switch {
		case c.ended:
			return 0, io.EOF
		case c.err != nil:
			return 0, c.err
		case c.expired(reading):
			return 0, os.ErrDeadlineExceeded
		}
		c.turn.Wait()
	}
	n := copy(b, c.in)
	c.in = c.in[n:]
	c.read += uint64(n)
	if len(c.in) == 0 {
		c.in = nil // what was read would stay in front of what comes
	}
	if c.read-c.told >= window/4 || len(c.in) == 0 {
		c.told = c.read
		c.emit(frameAck, c.read, nil)
	}
	return n, nil
}

// Write implements net.Conn. It waits while the other side is behind by the window.
func (c *Conn) Write(b []byte) (n int, err error) {
	c.mu.Lock()
	defer c.mu.Unlock()
	for len(b) > 0 {
		free := window - int(c.sent-c.acked)
		switch {
		case c.err != nil:
			return n, c.err
		case c.half:
			return n, net.ErrClosed
		case c.expired(writing):
			return n, os.ErrDeadlineExceeded
		case free == 0:
			c.turn.Wait()
			continue
		}
		part := b[:min(len(b), free, maxFrame)]
		c.emit(frameData, c.sent, part)
		if c.err != nil {
			return n, c.err
		}
		c.sent += uint64(len(part))
		n, b = n+len(part), b[len(part):]
	}
	return n, nil
}

// CloseWrite ends what this side sends.
func (c *Conn) CloseWrite() error {
	c.mu.Lock()
	defer c.mu.Unlock()
	c.emit(frameEnd, c.sent, nil)
	c.half = true
	return c.err
}

// Close implements net.Conn.
func (c *Conn) Close() error {
	c.mu.Lock()
	defer c.mu.Unlock()
	if c.err != nil && errors.Is(c.err, net.ErrClosed) {
		return nil
	}
	c.emit(frameClose, c.sent, nil)
	c.fail(net.ErrClosed)
	c.ended, c.in = false, nil
	c.err = net.ErrClosed
	for i := range c.limits {
		c.limits[i].stop()
	}
	return nil
}

// LocalAddr implements net.Conn.
func (c *Conn) LocalAddr() net.Addr { return c.local }

// RemoteAddr implements net.Conn.
func (c *Conn) RemoteAddr() net.Addr { return c.far }

// SetDeadline implements net.Conn.
func (c *Conn) SetDeadline(t time.Time) error {
	return errors.Join(c.limit(reading, t), c.limit(writing, t))
}

// SetReadDeadline implements net.Conn.
func (c *Conn) SetReadDeadline(t time.Time) error { return c.limit(reading, t) }

// SetWriteDeadline implements net.Conn.
func (c *Conn) SetWriteDeadline(t time.Time) error { return c.limit(writing, t) }

func (c *Conn) limit(which int, t time.Time) error {
	c.mu.Lock()
	defer c.mu.Unlock()
	if errors.Is(c.err, net.ErrClosed) {
		return c.err // one that the other side closed can still be read
	}
	d := &c.limits[which]
	d.stop()
	d.at = t
	if !t.IsZero() {
		d.timer = time.AfterFunc(time.Until(t), c.turn.Broadcast)
	}
	c.turn.Broadcast()
	return nil
}

func (d *deadline) stop() {
	if d.timer != nil {
		d.timer.Stop()
		d.timer = nil
	}
}

func (c *Conn) expired(which int) bool {
	at := c.limits[which].at
	return !at.IsZero() && !time.Now().Before(at)
}
