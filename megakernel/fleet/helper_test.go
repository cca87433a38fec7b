package fleet_test

import (
	"context"
	"sync"
	"testing"
	"time"

	"go.uber.org/goleak"

	"vyretop/fixtures"
	"vyretop/megakernel"
	"vyretop/megakernel/fleet"
	"vyretop/megakernel/fleet/broker"
	"vyretop/megakernel/live"
	"vyretop/megakernel/remote"
	"vyretop/megakernel/targets"
	"vyretop/tasks"
)

func TestMain(m *testing.M) { goleak.VerifyTestMain(m) }

// patience bounds what a test waits for; no test needs a part of it.
const patience = time.Minute

// session is a target of a few slots whose words change with every snapshot.
type session struct {
	mu       sync.Mutex
	seq      uint64
	slots    int
	commands []megakernel.Command
	still    bool
}

func (f *session) Snapshot() *megakernel.Snapshot {
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
		Control: control, Slots: make([]uint32, f.slots*tasks.SlotWords), WorkerTable: make([]uint32, 2*megakernel.WorkerWords),
		Progress: megakernel.Progress{Done: int64(changes), Total: 1 << 40, Unit: "samples"},
	}
	s.Counters[megakernel.CountDone] = changes
	for i := range f.slots / 10 { // a tenth of the slots change
		at := (i*10 + int(changes)) % f.slots
		for word := tasks.WordState + 1; word < tasks.WordState+7; word++ {
			s.Slots[at*tasks.SlotWords+word] = uint32(changes) * uint32(at+word)
		}
	}
	return s
}

func (f *session) TakeLog(int) megakernel.LogBlocks { return nil }

func (f *session) Do(_ context.Context, c megakernel.Command) (megakernel.Ack, error) {
	f.mu.Lock()
	defer f.mu.Unlock()
	f.commands = append(f.commands, c)
	return megakernel.Ack{Command: c, Result: megakernel.AckApplied}, nil
}

func (f *session) Retune(context.Context, megakernel.Shape) error { return nil }
func (f *session) Settings() megakernel.Settings                  { return megakernel.Settings{} }
func (f *session) Apply(context.Context, ...megakernel.Setting) ([]megakernel.Change, error) {
	return nil, nil
}
func (f *session) Undo(context.Context) ([]megakernel.Change, error) { return nil, nil }
func (f *session) Drain(context.Context) error                       { return nil }

// target is a run without a device, announced at a hub.
type target struct {
	session *session
	hub     *live.Hub
	server  *remote.Server
	it      *fleet.Publisher
	ticks   chan time.Time
	end     func()
}

func header(workload string) fixtures.Header {
	return fixtures.Header{Target: megakernel.Target{Workload: workload, Backend: "fake", Renderer: "fake device", Protocol: megakernel.ProtocolVersion, Slots: 8, MaxWorkers: 2, Started: time.Unix(1_700_000_000, 0).UTC()}}
}

// announce starts a run that is read when tick is called, and every interval unless that is 0.
func announce(t testing.TB, a fleet.Address, name, host string, o remote.Options) *target {
	t.Helper()
	return announceRun(t, a, header(name), host, o)
}

// announceRun is announce for a run with a header.
func announceRun(t testing.TB, a fleet.Address, h fixtures.Header, host string, o remote.Options) *target {
	t.Helper()
	x := &target{session: &session{slots: 8}, ticks: make(chan time.Time)}
	x.hub = live.New(x.session, h.Target, live.Options{Ticks: x.ticks})
	ctx, cancel := context.WithCancel(context.Background())
	ended := make(chan struct{})
	go func() { defer close(ended); x.hub.Run(ctx) }()
	<-x.hub.Updates()
	var told struct {
		sync.Mutex
		to *fleet.Publisher
	}
	o.Audit = func(e remote.Audited) {
		told.Lock()
		defer told.Unlock()
		told.to.Audit(e)
	}
	x.server = remote.Serve(x.hub, h, o)
	hub, err := fleet.Connect(a, true)
	if err != nil {
		t.Fatal(err)
	}
	what := targets.Describe(&h.Target, func(string) string { return "fake device" })
	what.Host = host
	told.Lock()
	x.it, err = fleet.Publish(hub, x.server, what)
	told.to = x.it
	told.Unlock()
	if err != nil {
		t.Fatal(err)
	}
	x.end = sync.OnceFunc(func() {
		cancel()
		<-ended
		_ = x.server.Close()
		x.it.Close()
	})
	t.Cleanup(x.end)
	return x
}

// tick makes the run be read once more.
func (x *target) tick() {
	x.ticks <- time.Time{}
	<-x.hub.Updates()
}

// start starts a hub on a free port.
func start(t testing.TB, o broker.Options) *broker.Broker {
	t.Helper()
	if o.Listen == "" {
		o.Listen = "127.0.0.1:0"
	}
	b, err := broker.Start(o)
	if err != nil {
		t.Fatal(err)
	}
	t.Cleanup(b.Close)
	return b
}

// watch watches a hub.
func watch(t testing.TB, a fleet.Address) *fleet.Watcher {
	t.Helper()
	w, err := fleet.WatchAll(a, 100*time.Millisecond)
	if err != nil {
		t.Fatal(err)
	}
	t.Cleanup(w.Close)
	return w
}

// until waits until a condition on the targets of a watcher is true.
func until(t testing.TB, w *fleet.Watcher, what string, is func([]*targets.Target) bool) []*targets.Target {
	t.Helper()
	limit := time.After(patience)
	for {
		if list := w.Targets(); is(list) {
			return list
		}
		select {
		case <-w.Updates():
		case <-limit:
			t.Fatalf("not so after %v: %s; targets are %v", patience, what, w.Targets())
		}
	}
}

// dial attaches to a target.
func dial(t testing.TB, a fleet.Address, x *targets.Target, o remote.DialOptions, rights remote.Rights) (*remote.Client, error) {
	t.Helper()
	o.Connect = fleet.Connector(a, x, rights)
	c, err := remote.Dial(t.Context(), x.Title(), o)
	if err == nil {
		t.Cleanup(func() { _ = c.Close() })
		_, err = c.First(t.Context())
	}
	return c, err
}
