package builtin_test

import (
	"cmp"
	"context"
	"slices"
	"testing"
	"time"

	"go.uber.org/goleak"
	"pgregory.net/rapid"

	"vyretop/engine"
	"vyretop/engine/glsl/source"
	"vyretop/megakernel"
	"vyretop/megakernel/builtin"
	"vyretop/megakernel/kernel"
	"vyretop/megakernel/resident"
	"vyretop/tasks"
)

func TestMain(m *testing.M) { goleak.VerifyTestMain(m) }

// patience bounds what a test waits for; no test needs a part of it.
const patience = 5 * time.Minute

func deadline(t testing.TB) context.Context {
	ctx, cancel := context.WithTimeout(context.Background(), patience)
	t.Cleanup(cancel)
	return ctx
}

// The handlers beside the operations: one that does nothing, and others that end otherwise.
const handlers = `
void user(inout Task t) {}
void back(inout Task t) {
    if (t.input_handle != 0u) { t.input_handle--; task_yield(t, 1u, 2u); }
}
void waits(inout Task t) { task_pause(t, HELD_EPOCH, 0u, 0u); }
void until(inout Task t) { if (int(vt_epoch() - t.input_handle) < 0) { task_pause(t, t.input_handle, 0u, 0u); } }
void fails(inout Task t) { task_fault(t, 0x123u); }
`

const automaton = "uint machine(uint state, uint symbol) { return 1000u * state + symbol; }"

const (
	opUser  = 20
	opBack  = 21
	opWaits = 22
	opFails = 23
	opUntil = 24

	observables = 40
	controls    = megakernel.ControlMinWords + observables
)

// machine is the model of a kernel with these handlers.
func machine(control []uint32) *builtin.Machine {
	return &builtin.Machine{
		Control: control, Resident: true,
		Handler:   func(opcode uint32, _ []uint32) bool { return opcode == opUser || opcode == opBack },
		Automaton: func(state, symbol uint32) uint32 { return 1000*state + symbol },
	}
}

// start runs a kernel with the operations.
func start(t testing.TB, b engine.Backend, workers int) *resident.Session {
	return startWith(t, b, resident.Options{Workers: workers, Activation: 512, Observables: observables, Tenants: 4})
}

func startWith(t testing.TB, b engine.Backend, o resident.Options) *resident.Session {
	s, err := tryStart(t, b, o)
	if err != nil {
		t.Fatal(err)
	}
	t.Cleanup(func() {
		if err := s.Close(); err != nil {
			t.Error(err)
		}
	})
	return s
}

// tryStart runs the one kernel of all tests: OpenGL on processors takes seconds for another one.
func tryStart(t testing.TB, b engine.Backend, o resident.Options) (*resident.Session, error) {
	c := kernel.Config{
		Name: "operations", WorkgroupSize: 8, Slots: 256, InboxTasks: 64, Completions: 256, LogRecords: 1024, NoEvents: true,
		Operations: true, Automaton: "machine", Sources: []*source.File{{Name: "handlers.glsl", Text: handlers + sums + automaton}},
	}
	for opcode, name := range map[uint32]string{opUser: "user", opBack: "back", opWaits: "waits", opFails: "fails", opUntil: "until", opSum: "sum", opWalk: "walk"} {
		c.Handlers = append(c.Handlers, kernel.Handler{Opcode: opcode, Name: name, Function: name})
	}
	slices.SortFunc(c.Handlers, func(a, b kernel.Handler) int { return cmp.Compare(a.Opcode, b.Opcode) })
	c.Suit(b.Profile())
	k, err := kernel.Assemble(c)
	if err != nil {
		t.Fatal(err)
	}
	return resident.Start(deadline(t), b, k, o)
}

// one publishes a task and waits for its end.
func one(t rapid.TB, s *resident.Session, task tasks.Task) megakernel.Completion {
	ctx, cancel := context.WithTimeout(context.Background(), patience)
	defer cancel()
	ts := []tasks.Task{task}
	if err := s.Publish(ctx, ts); err != nil {
		t.Fatal(err)
	}
	got, err := s.Collect(ctx, nil)
	if err != nil || len(got) != 1 || got[0].Task != ts[0].TaskID {
		t.Fatalf("%+v, %v", got, err)
	}
	return got[0]
}

// collect waits for the ends of n tasks.
func collect(t testing.TB, s *resident.Session, n int) {
	for got := 0; got < n; {
		cs, err := s.Collect(deadline(t), nil)
		if err != nil {
			t.Fatal(err)
		}
		got += len(cs)
	}
}

// control is the control buffer of a session that has come to rest.
func control(t rapid.TB, s *resident.Session) []uint32 {
	ctx, cancel := context.WithTimeout(context.Background(), patience)
	defer cancel()
	if err := s.AwaitRest(ctx); err != nil {
		t.Fatal(err)
	}
	return s.Snapshot().Control
}
