package remote

import (
	"context"
	"encoding/json"
	"errors"
	"fmt"
	"math"
	"net"
	"os"
	"sync"
	"time"

	"vyretop/engine/fault"
	"vyretop/fixtures"
	"vyretop/megakernel"
	"vyretop/megakernel/breakpoint"
	"vyretop/megakernel/live"
)

// The times of a client that reconnects.
const (
	firstRetry = 100 * time.Millisecond
	lastRetry  = 5 * time.Second
	silence    = 10 * time.Second // a target that says nothing for so long is lost
)

// DialOptions shape a client; the zero value of each field means its default.
type DialOptions struct {
	Dir       string        // of the sockets
	Control   Control       // default ControlNone
	Client    string        // names the client in messages about who has control
	Interval  time.Duration // least time between two snapshots
	Still     time.Duration // least time between two of which nothing but the time differs
	Reconnect bool          // come back when the connection is lost
	Patience  time.Duration // how long to try to come back, without the time of ErrAway; 0 for as long as the client lives
	NoLog     bool          // do not ask for the debug log
	// Connect, when not nil, makes the connection in place of the socket in Dir, and has made sure whose process is at its other end.
	Connect func(ctx context.Context) (net.Conn, error)
	// Each, when not nil, is given every message in order, on the client's goroutine, once the client
	// has it itself, and an event of LinkKind when the connection is lost and there again. While it does not return the target is not read.
	Each func(*fixtures.StreamMessage)
	uid  int                     // of the target's process; tests change it
	wrap func(net.Conn) net.Conn // nil, or what tests put around the connection
}

// Client watches and steers a target of another process. It offers what a live hub offers, and may be
// used from any goroutine.
type Client struct {
	*live.Store
	steering
	name    string
	o       DialOptions
	header  fixtures.Header
	buffers []megakernel.BufferInfo
	first   chan struct{} // closed with the first snapshot
	ended   chan struct{} // closed when nothing more will come
	cancel  context.CancelFunc

	mu       sync.Mutex
	link     *link // nil while there is none
	next     uint64
	waiting  map[uint64]chan reply
	events   int
	logNext  uint64
	err      error
	lost     time.Time // when the connection was lost; zero while there is one
	settings megakernel.Settings
	breaks   []breakpoint.Status
}

// Dial connects to a target by its name. Errors are ErrNoTarget, ErrRefused, ErrLost, and those
// of a stream.
func Dial(ctx context.Context, name string, o DialOptions) (*Client, error) {
	if o.Control == "" {
		o.Control = ControlNone
	}
	if o.uid == 0 {
		o.uid = os.Getuid()
	}
	c := &Client{
		Store: live.NewStore(0, 0), name: name, o: o,
		first: make(chan struct{}), ended: make(chan struct{}), waiting: map[uint64]chan reply{},
	}
	c.steering.client = c
	if o.NoLog {
		c.logNext = math.MaxUint64
	}
	l, err := c.connect(ctx)
	if err != nil {
		return nil, err
	}
	c.header, c.buffers = l.header, l.welcome.Buffers
	c.link = l
	ctx, c.cancel = context.WithCancel(context.WithoutCancel(ctx))
	go c.run(ctx, l)
	return c, nil
}

// Name is the name of the target.
func (c *Client) Name() string { return c.name }

// Header is what the target said of itself when the client first connected.
func (c *Client) Header() fixtures.Header {
	c.mu.Lock()
	defer c.mu.Unlock()
	return c.header
}

// Target is what the target is; only handlers that are reloaded change it.
func (c *Client) Target() megakernel.Target { return c.Header().Target }

// Control reports whether the client may steer now.
func (c *Client) Control() bool {
	c.mu.Lock()
	defer c.mu.Unlock()
	return c.link != nil && c.link.welcome.Control
}

// firstTime bounds how long a target that answers may take for its first snapshot, which it makes by itself within
// milliseconds, even on a host with much else to do.
const firstTime = 3 * silence

// First waits for the first snapshot, for firstTime at most; after that the target counts as lost.
func (c *Client) First(ctx context.Context) (*megakernel.Snapshot, error) {
	select {
	case <-c.first:
		return c.Snapshot(), nil
	case <-c.ended:
		if s := c.Snapshot(); s != nil {
			return s, nil
		}
		if err := c.Err(); err != nil {
			return nil, err
		}
		return nil, Lost(c.name, errors.New("it ended before its first snapshot"))
	case <-time.After(firstTime):
		return nil, Lost(c.name, fmt.Errorf("it has sent no snapshot for %v; its process is stopped, or hangs", firstTime))
	case <-ctx.Done():
		return nil, ctx.Err()
	}
}

// Ended is closed when nothing more will come; Err then says why.
func (c *Client) Ended() <-chan struct{} { return c.ended }

// Err is why the client ended: nil for a run that ended in order, or Close.
func (c *Client) Err() error {
	c.mu.Lock()
	defer c.mu.Unlock()
	return c.err
}

// LostSince is when the connection to the target was lost, or the zero time while there is one, and for a run that has
// ended in order.
func (c *Client) LostSince() time.Time {
	c.mu.Lock()
	defer c.mu.Unlock()
	return c.lost
}

// Lost is the error of a target whose connection is lost, whether or not the client still tries to come back; else nil.
func (c *Client) Lost() error {
	if err := c.Err(); err != nil {
		return err
	}
	if since := c.LostSince(); !since.IsZero() {
		return Lost(c.name, fmt.Errorf("nothing has come from it for %v", time.Since(since).Round(time.Second)))
	}
	return nil
}

// leaveTime bounds how long a client that steers waits until the target has seen that it leaves. Only one that hangs takes
// so long; where a busy one was given less, the next client found the place taken.
const leaveTime = 5 * time.Second

// Close ends the client. Another one that comes afterwards finds that this one does not steer any longer.
func (c *Client) Close() error {
	c.cancel()
	c.leave()
	c.drop()
	<-c.ended
	return nil
}

// leave tells the target that nothing more will come, and waits until it has closed its end. Who only watches holds no
// place, and just goes.
func (c *Client) leave() {
	c.mu.Lock()
	l := c.link
	c.mu.Unlock()
	if l == nil || !l.welcome.Control {
		return
	}
	if half, ok := l.socket.(interface{ CloseWrite() error }); !ok || half.CloseWrite() != nil {
		return
	}
	select {
	case <-c.ended:
	case <-time.After(leaveTime):
	}
}

// drop gives the connection up.
func (c *Client) drop() {
	c.mu.Lock()
	defer c.mu.Unlock()
	if c.link != nil {
		c.link.socket.Close()
		c.link = nil
	}
	for id, answer := range c.waiting {
		close(answer)
		delete(c.waiting, id)
	}
}

// run reads until the target ends or is lost, and reconnects where that is wanted.
func (c *Client) run(ctx context.Context, l *link) {
	defer close(c.ended)
	defer c.Store.Close()
	defer c.cancel()
	for {
		err := c.read(l)
		c.drop()
		l.reader.Close()
		if ctx.Err() != nil || errors.Is(err, errBye) {
			return
		}
		c.mu.Lock()
		c.lost = time.Now()
		c.mu.Unlock()
		if !c.o.Reconnect {
			c.end(Lost(c.name, err))
			return
		}
		linkEvent(c, "lost: "+err.Error())
		c.Notify() // no snapshot comes to show it
		if l, err = c.again(ctx); l == nil {
			c.end(err)
			return
		}
	}
}

func (c *Client) end(err error) {
	c.mu.Lock()
	defer c.mu.Unlock()
	c.err = err
}

// connect makes a connection and greets the target.
func (c *Client) connect(ctx context.Context) (*link, error) {
	var socket net.Conn
	var err error
	if c.o.Connect != nil {
		socket, err = c.o.Connect(ctx)
	} else {
		socket, err = dialSocket(ctx, c.name, &c.o)
	}
	if err != nil {
		return nil, err
	}
	if c.o.wrap != nil {
		socket = c.o.wrap(socket)
	}
	c.mu.Lock()
	hello := Hello{Protocol: Protocol, Control: c.o.Control, Client: c.o.Client, IntervalMs: c.o.Interval.Milliseconds(), StillMs: c.o.Still.Milliseconds(), LogAfter: c.logNext, EventsAfter: c.events}
	c.mu.Unlock()
	return greet(socket, c.name, hello)
}

// read takes messages in until the connection ends.
func (c *Client) read(l *link) error {
	for {
		m, err := l.next()
		if err != nil {
			return err
		}
		switch {
		case m.Topic == topicBye:
			return errBye
		case m.Topic == topicReply:
			err = c.answer(m.Body)
		case m.Topic == topicSettings:
			err = c.keepSettings(m.Body)
		case m.Topic == topicReloaded:
			err = keepReload(c, m)
		case m.Topic == topicBreaks:
			err = c.keepBreaks(m.Body)
		default:
			c.take(m)
			if c.o.Each != nil {
				c.o.Each(m)
			}
		}
		if err != nil {
			return err
		}
	}
}

func (c *Client) keepSettings(body []byte) error {
	c.mu.Lock()
	defer c.mu.Unlock()
	c.settings = megakernel.Settings{}
	return json.Unmarshal(body, &c.settings)
}

func (c *Client) keepBreaks(body []byte) error {
	var list []breakpoint.Status // not into the old one, which others may still read
	if err := json.Unmarshal(body, &list); err != nil {
		return err
	}
	c.mu.Lock()
	defer c.mu.Unlock()
	c.breaks = list
	return nil
}

const errBye fault.Kind = "the run has ended"

// take keeps a message.
func (c *Client) take(m *fixtures.StreamMessage) {
	switch {
	case m.Snapshot != nil:
		if c.Put(m.Snapshot) == nil {
			close(c.first)
		}
		c.Notify()
	case len(m.Log) > 0:
		c.AddLog(megakernel.BlocksOf(m.Log))
		c.mu.Lock()
		c.logNext = m.Log[len(m.Log)-1].Number + 1
		c.mu.Unlock()
	case m.Event != nil:
		c.AddEvent(*m.Event)
		if m.Event.Kind != fixtures.GapKind {
			c.mu.Lock()
			c.events++
			c.mu.Unlock()
		}
	}
}
