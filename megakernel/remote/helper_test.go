package remote

import (
	"context"
	"errors"
	"sync"
	"testing"
	"time"

	"go.uber.org/goleak"

	"vyretop/engine/fault"
	"vyretop/fixtures"
	"vyretop/megakernel"
	"vyretop/megakernel/breakpoint"
	"vyretop/megakernel/layout"
	"vyretop/megakernel/live"
	"vyretop/megakernel/resident"
	"vyretop/tasks"
)

func TestMain(m *testing.M) { goleak.VerifyTestMain(m) }

// patience bounds what a test waits for; no test needs a part of it.
const patience = 3 * time.Minute

// fakeSession is a target of a few slots whose words change with every snapshot.
type fakeSession struct {
	mu       sync.Mutex
	seq      uint64
	logged   uint64
	pending  []megakernel.LogRecord
	commands []megakernel.Command
	hold     chan struct{} // commands wait for it when it is not nil
	settings megakernel.Settings
	breaks   []breakpoint.Status
	err      error
	still    bool   // nothing changes but the time
	ends     func() // called by commands, when it is not nil
}

func (f *fakeSession) Snapshot() *megakernel.Snapshot {
	f.mu.Lock()
	defer f.mu.Unlock()
	f.seq++
	control, _ := megakernel.EncodeControl(1, 0)
	changes := f.seq
	if f.still {
		changes = 1
	}
	control[megakernel.CtrlEpoch] = uint32(changes)
	s := &megakernel.Snapshot{
		Seq: f.seq, Taken: time.Duration(f.seq) * time.Second, Consistent: true, Phase: megakernel.PhaseResident, Workers: 2, Lanes: 4,
		Control: control, Slots: make([]uint32, 8*tasks.SlotWords), WorkerTable: make([]uint32, 2*megakernel.WorkerWords),
		Progress: megakernel.Progress{Done: int64(changes), Total: 1 << 40, Unit: "samples"},
	}
	s.Slots[changes%uint64(len(s.Slots))] = uint32(changes)
	return s
}

func (f *fakeSession) TakeLog(limit int) megakernel.LogBlocks {
	f.mu.Lock()
	defer f.mu.Unlock()
	n := min(limit, len(f.pending))
	out := megakernel.BlocksOf(f.pending[:n])
	f.pending = f.pending[n:]
	return out
}

func (f *fakeSession) log(n int) {
	f.mu.Lock()
	defer f.mu.Unlock()
	for range n {
		f.pending = append(f.pending, megakernel.LogRecord{Number: f.logged, Format: uint32(f.logged), ArgCount: 1})
		f.logged++
	}
}

func (f *fakeSession) Do(ctx context.Context, c megakernel.Command) (megakernel.Ack, error) {
	if f.hold != nil {
		select {
		case <-f.hold:
		case <-ctx.Done():
			return megakernel.Ack{}, ctx.Err()
		}
	}
	if f.ends != nil {
		f.ends()
	}
	f.mu.Lock()
	defer f.mu.Unlock()
	f.commands = append(f.commands, c)
	return megakernel.Ack{Command: c, Result: megakernel.AckApplied, Slot: 3, Detail: 4, Latency: 5 * time.Microsecond}, f.err
}

func (f *fakeSession) Retune(context.Context, megakernel.Shape) error { return f.err }

func (f *fakeSession) Settings() megakernel.Settings {
	f.mu.Lock()
	defer f.mu.Unlock()
	return f.settings
}

func (f *fakeSession) Apply(_ context.Context, list ...megakernel.Setting) (out []megakernel.Change, err error) {
	f.mu.Lock()
	defer f.mu.Unlock()
	for _, s := range list {
		out = append(out, megakernel.Change{Setting: s, Old: f.settings.Get(s.ID, s.Index)})
		err = errors.Join(err, f.settings.Set(s))
	}
	return out, err
}

func (f *fakeSession) Undo(context.Context) ([]megakernel.Change, error) {
	return []megakernel.Change{{Old: 7}}, f.err
}

func (f *fakeSession) Buffers() []megakernel.BufferInfo {
	return []megakernel.BufferInfo{{Name: "table", Binding: 8, Words: 3000, Layout: &layout.Type{Name: "Table", Words: 3000, Kind: layout.None, Members: []layout.Member{{Name: "table", Type: &layout.Type{
		Name: "uint[3000]", Words: 3000, Elem: &layout.Type{Name: "uint", Words: 1, Kind: layout.Uint, Width: 1}, Len: 3000, Stride: 1}}}}}}
}

func (f *fakeSession) ReadBuffer(_ context.Context, name string, first int, dst []uint32) error {
	if name != "table" {
		return &fault.Error{Kind: resident.ErrOption, Subject: "buffer = " + name, Detail: "there is none", Fix: "use another"}
	}
	for i := range dst {
		dst[i] = uint32(first + i)
	}
	return nil
}

func (f *fakeSession) Drain(context.Context) error { return f.err }

// run is a hub with a server.
type run struct {
	t       *testing.T
	session *fakeSession
	hub     *live.Hub
	server  *Server
	dir     string
	ticks   chan time.Time
	end     func() // ends the hub
}

var started = time.Unix(1_700_000_000, 0).UTC()

func header(workload string) fixtures.Header {
	return fixtures.Header{
		Target: megakernel.Target{Workload: workload, Backend: "fake", Protocol: megakernel.ProtocolVersion, Slots: 8, MaxWorkers: 2, Started: started},
		Host:   "here", Version: "test", Kernel: []fixtures.Source{{Name: "a.glsl", Text: "void main() {}"}},
	}
}

// newRun starts a hub and a server in a directory of their own.
func newRun(t *testing.T, o Options, keep live.Options) *run {
	t.Helper()
	return newRunIn(t, t.TempDir()+"/run", o, keep, header("fake"))
}

func newRunIn(t *testing.T, dir string, o Options, keep live.Options, h fixtures.Header) *run {
	t.Helper()
	r := &run{t: t, session: &fakeSession{}, dir: dir, ticks: make(chan time.Time)}
	o.Dir, keep.Ticks = dir, r.ticks
	keep.Now = func() time.Time { return started.Add(time.Second) }
	r.hub = live.New(r.session, h.Target, keep)
	ctx, cancel := context.WithCancel(context.Background())
	ended := make(chan struct{})
	go func() { defer close(ended); r.hub.Run(ctx) }()
	<-r.hub.Updates()
	r.end = sync.OnceFunc(func() { cancel(); <-ended })
	t.Cleanup(r.end)
	var err error
	if r.server, err = Listen(r.hub, h, o); err != nil {
		t.Fatal(err)
	}
	t.Cleanup(func() { _ = r.server.Close() })
	return r
}

// rest lets nothing change any longer, or something again.
func (r *run) rest(still bool) {
	r.session.mu.Lock()
	defer r.session.mu.Unlock()
	r.session.still = still
}

// tick makes the hub read once more.
func (r *run) tick() {
	r.ticks <- time.Time{}
	<-r.hub.Updates()
}

// dial connects a client that ends with the test.
func (r *run) dial(o DialOptions) *Client {
	r.t.Helper()
	o.Dir = r.dir
	c, err := Dial(r.t.Context(), r.server.Name(), o)
	if err != nil {
		r.t.Fatal(err)
	}
	r.t.Cleanup(func() { _ = c.Close() })
	return c
}

// until waits for a snapshot of at least a number.
func (r *run) until(c *Client, seq uint64) *megakernel.Snapshot {
	r.t.Helper()
	timeout := time.After(patience)
	for {
		if s := c.Snapshot(); s != nil && s.Seq >= seq {
			return s
		}
		select {
		case _, open := <-c.Updates():
			if !open && (c.Snapshot() == nil || c.Snapshot().Seq < seq) {
				r.t.Fatalf("the client ended before snapshot %d: %v", seq, c.Err())
			}
		case <-timeout:
			r.t.Fatalf("snapshot %d did not come", seq)
		}
	}
}

// ended waits for the end of a client and returns why.
func ended(t *testing.T, c *Client) error {
	t.Helper()
	select {
	case <-c.Ended():
		return c.Err()
	case <-time.After(patience):
		t.Fatal("the client does not end")
		return nil
	}
}

var errFake = errors.New("the device is lost. Fix: buy another one")
