package remote

import (
	"bufio"
	"context"
	"encoding/json"
	"errors"
	"fmt"
	"io"
	"math"
	"net"
	"os"
	"reflect"
	"sync"
	"time"

	"vyretop/fixtures"
	"vyretop/megakernel"
	"vyretop/megakernel/breakpoint"
	"vyretop/megakernel/live"
)

const (
	maxPending   = 64               // requests of a client that are not answered yet
	helloTimeout = 10 * time.Second // for the first line
	writeTimeout = 30 * time.Second // a client that takes nothing for so long is given up
	queuedBytes  = 64 << 20         // of snapshots that wait for a client

	// After a snapshot a client rests that many times as long as it took, so that it costs the run no more
	// than a fifth of a core however large the ring is, but no longer than maxRest.
	restPerWork = 4
	maxRest     = 200 * time.Millisecond
	logBatch    = 1 << 14     // records in a message
	lastAnswers = time.Second // for requests that are under way when the run ends
)

// conn is one client of a server. Its goroutine writes; another one reads requests, and each request
// has a goroutine of its own, because a command may wait long for its answer.
type conn struct {
	server  *Server
	socket  net.Conn
	replies chan reply
	pending chan struct{} // a place for each request under way
	peer    Peer
	steers  bool // has control; guarded by the server, as is the next one
	// outranked: control was taken from it by one of its kind, as the server counts that; 0 where it was not.
	outranked int

	deadline sync.Mutex
	leaving  bool // guarded by deadline

	out     *fixtures.StreamWriter
	hello   Hello
	reloads int      // number of the newest text that the client has
	log     int      // position of the next record to send
	events  int      // number of the next event
	last    struct { // sent
		seq      uint64
		taken    time.Duration
		snap     *megakernel.Snapshot // nil: the next one goes out in any case
		settings megakernel.Settings
		breaks   []breakpoint.Status
	}
}

// run serves the client to its end.
func (c *conn) run() {
	ctx, cancel := context.WithCancel(c.server.ctx)
	var group sync.WaitGroup
	defer group.Wait()
	defer c.socket.Close()
	defer c.server.leave(c) // before the client sees the end: who comes next may steer
	defer cancel()

	lines := bufio.NewReaderSize(c.socket, MaxLine)
	if !c.greet(lines) {
		return
	}
	ended := make(chan struct{})
	group.Go(func() {
		defer close(ended)
		c.read(ctx, &group, lines)
	})
	c.send(ended)
}

// leave gives the client a short time to take what is left.
func (c *conn) leave(within time.Duration) {
	c.deadline.Lock()
	defer c.deadline.Unlock()
	c.leaving = true
	_ = c.socket.SetDeadline(time.Now().Add(within))
}

// extend gives the client time to take the next messages.
func (c *conn) extend() {
	c.deadline.Lock()
	defer c.deadline.Unlock()
	if !c.leaving {
		_ = c.socket.SetWriteDeadline(time.Now().Add(writeTimeout))
	}
}

// greet reads the Hello and answers it; false where there is nothing more to say.
func (c *conn) greet(lines *bufio.Reader) bool {
	_ = c.socket.SetReadDeadline(time.Now().Add(helloTimeout))
	line, err := readLine(lines)
	if err != nil {
		return false
	}
	_ = c.socket.SetReadDeadline(time.Time{})
	c.extend()
	header := c.server.header
	header.Target = withReloads(header.Target, c.server.hub.Target())
	c.reloads = newestText(&header.Target)
	c.out, err = fixtures.NewStreamWriter(c.socket, header, topics...)
	if err != nil {
		return false
	}
	if why := c.hello.read(line); why != "" {
		_ = c.out.Message(topicRefused, Refused{Text: why})
		_ = c.out.Flush()
		return false
	}
	c.log, c.events = c.server.hub.LogPosition(c.hello.LogAfter), c.hello.EventsAfter
	control := c.server.grant(c, c.hello.Control)
	err = c.out.Message(topicWelcome, Welcome{Protocol: Protocol, Name: c.server.name, PID: os.Getpid(), Control: control, Buffers: c.server.hub.Buffers()})
	return err == nil && c.out.Flush() == nil
}

// withReloads is the target of a header with the handlers that the run has now.
func withReloads(t, now megakernel.Target) megakernel.Target {
	t.Formats, t.Opcodes, t.Reloads = now.Formats, now.Opcodes, now.Reloads
	return t
}

// newestText is the number of the text that a target runs.
func newestText(t *megakernel.Target) int {
	if n := len(t.Reloads); n > 0 {
		return t.Reloads[n-1].Text
	}
	return 0
}

// sendReloads sends the handlers that were reloaded.
func (c *conn) sendReloads() error {
	now := c.server.hub.Target()
	for _, r := range now.Reloads {
		if r.Text <= c.reloads {
			continue
		}
		c.reloads = r.Text
		if err := c.out.Message(topicReloaded, r); err != nil {
			return err
		}
	}
	return nil
}

// read decodes the first line of a client and says what is wrong with it.
func (h *Hello) read(line []byte) (why string) {
	*h = Hello{Control: ControlNone}
	switch err := json.Unmarshal(line, h); {
	case err != nil:
		return "invalid first line, a hello is expected: " + err.Error() + ". Fix: use a client of this version"
	case h.Protocol < Protocol:
		return fmt.Sprintf("the client speaks version %d of the protocol, this run version %d. Fix: attach with the vyretop that runs the target", h.Protocol, Protocol)
	case !h.Control.valid():
		return "control must be auto, ask, allowed or none. Fix: use a client of this version"
	case h.IntervalMs < 0 || h.StillMs < 0 || h.EventsAfter < 0:
		return "a number is negative. Fix: use a client of this version"
	}
	return ""
}

// readLine reads a line of at most MaxLine bytes.
func readLine(r *bufio.Reader) ([]byte, error) {
	line, err := r.ReadSlice('\n')
	if err != nil && !(errors.Is(err, io.EOF) && len(line) > 0) {
		return nil, err
	}
	return line, nil
}

// send writes snapshots and answers until the client or the run has ended.
func (c *conn) send(clientEnded <-chan struct{}) {
	c.server.hub.Attend()
	sub := c.server.hub.Subscribe(queueLength(c.server.hub.Snapshot()))
	defer sub.Close()
	var newest *megakernel.Snapshot // to be sent when it is due
	rested := time.NewTimer(0)
	defer rested.Stop()
	due := false
	for {
		var err error
		select {
		case <-clientEnded:
			return
		case s, ok := <-sub.Snapshots():
			if !ok {
				c.extend()
				_ = c.bye(sub)
				return
			}
			newest = c.pick(newest, s)
		case <-rested.C:
			due = true
		case r := <-c.replies:
			c.extend()
			err = c.out.Message(topicReply, r)
			if s := c.server.hub.Snapshot(); s != nil && s.Seq > c.last.seq {
				newest, c.last.snap = s, nil // the client waits for one that shows what came of its request
			}
		}
		if due && newest != nil {
			rested.Reset(c.paced(func() { err = errors.Join(err, c.snapshot(sub, newest)) }))
			newest, due = nil, false
		}
		if err != nil || c.out.Flush() != nil {
			return
		}
	}
}

// pick returns what is to be sent: s instead of newest, if it is later and worth sending. A snapshot that a request asked
// for overtakes those of the subscription; they are not sent after it.
func (c *conn) pick(newest, s *megakernel.Snapshot) *megakernel.Snapshot {
	switch {
	case newest != nil && s.Seq > newest.Seq:
		return s
	case newest == nil && (c.last.taken == 0 || s.Seq > c.last.seq) && c.tells(s):
		return s
	}
	return newest
}

// tells reports whether a snapshot is worth sending to a client that wants few of a target at rest.
func (c *conn) tells(s *megakernel.Snapshot) bool {
	before := c.last.snap
	return c.hello.StillMs == 0 || before == nil || s.Taken-before.Taken >= time.Duration(c.hello.StillMs)*time.Millisecond ||
		!s.Still(before) || c.news()
}

// news reports whether there is something besides snapshots that the client does not have.
func (c *conn) news() bool {
	_, events := c.server.hub.EventsSince(c.events, 1)
	return events != c.events || c.server.hub.Settings() != c.last.settings || c.breaksChanged(c.server.hub.Breakpoints())
}

// paced sends a snapshot and returns how long to rest before the next one.
func (c *conn) paced(send func()) time.Duration {
	c.extend()
	began := time.Now()
	send()
	return max(time.Duration(c.hello.IntervalMs)*time.Millisecond, min(restPerWork*time.Since(began), maxRest))
}

// queueLength is how many snapshots of a size may wait for a client: a short time, or fewer big ones.
func queueLength(s *megakernel.Snapshot) int {
	const least, most = 2, 16
	if s == nil {
		return least
	}
	return min(max(queuedBytes/(1+4*len(s.Slots)), least), most)
}

// snapshot writes what is new: records, events, what was left out, and the snapshot.
func (c *conn) snapshot(sub *live.Subscription, s *megakernel.Snapshot) error {
	gap := fixtures.Gap{From: c.last.taken, To: s.Taken, Snapshots: sub.Dropped()}
	c.last.seq, c.last.taken, c.last.snap = s.Seq, s.Taken, s
	if err := errors.Join(c.sendReloads(), c.sendLog(s.Taken, &gap), c.sendEvents(&gap), c.sendSettings(), c.sendBreaks()); err != nil {
		return err
	}
	if !gap.Empty() {
		if err := c.out.Gap(gap); err != nil {
			return err
		}
	}
	return c.out.Snapshot(s)
}

// sendLog writes the records there are that the client does not have, and counts those that the hub does not
// have any longer. What comes in the meantime is for the next snapshot: a client that reads slower than the device writes would
// never get this one. What the device itself lost is in the snapshot's count.
func (c *conn) sendLog(at time.Duration, gap *fixtures.Gap) error {
	for end := c.server.hub.LogEnd(); c.log < end && c.hello.LogAfter < math.MaxUint64; {
		c.extend()
		blocks, next := c.server.hub.LogSince(c.log, min(logBatch, end-c.log))
		gap.LogRecords += next - c.log - blocks.Len()
		c.log = next
		if len(blocks) == 0 {
			return nil
		}
		if err := c.out.LogBlocks(at, blocks); err != nil {
			return err
		}
	}
	return nil
}

func (c *conn) sendEvents(gap *fixtures.Gap) error {
	events, next := c.server.hub.EventsSince(c.events, math.MaxInt)
	gap.Events += next - c.events - len(events)
	c.events = next
	for _, e := range events {
		if err := c.out.Event(e); err != nil {
			return err
		}
	}
	return nil
}

func (c *conn) sendSettings() error {
	now := c.server.hub.Settings()
	if now == c.last.settings {
		return nil
	}
	c.last.settings = now
	return c.out.Message(topicSettings, now)
}

// sendBreaks sends the breakpoints, if they have changed.
func (c *conn) sendBreaks() error {
	now := c.server.hub.Breakpoints()
	if !c.breaksChanged(now) {
		return nil
	}
	c.last.breaks = now
	return c.out.Message(topicBreaks, now)
}

func (c *conn) breaksChanged(now []breakpoint.Status) bool {
	return len(now)+len(c.last.breaks) > 0 && !reflect.DeepEqual(now, c.last.breaks)
}

// bye writes what came last, and that nothing more will come.
func (c *conn) bye(sub *live.Subscription) error {
	if err := c.answers(); err != nil {
		return err
	}
	if s := c.server.hub.Snapshot(); s != nil && (s.Seq != c.last.seq || c.last.taken == 0) {
		if err := c.snapshot(sub, s); err != nil {
			return err
		}
	}
	return errors.Join(c.out.Message(topicBye, Bye{Text: "the run has ended"}), c.out.Flush())
}
