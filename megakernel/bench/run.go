package bench

import (
	"cmp"
	"context"
	_ "embed"
	"fmt"
	"math/bits"
	"strings"
	"time"

	"vyretop/engine"
	"vyretop/engine/glsl/source"
	"vyretop/megakernel"
	"vyretop/megakernel/kernel"
	"vyretop/megakernel/resident"
	"vyretop/megakernel/run"
	"vyretop/tasks"
)

// suite is the state of one run.
type suite struct {
	backend engine.Backend
	shape   shape // what suits the device

	assembled map[form]*kernel.Kernel

	processes processes
}

// form is a kernel of the benchmarks.
type form struct {
	shape  shape
	others int  // handlers beside those of kernels/handlers.glsl, which no task has
	events bool // as trial.events
	unseen uint32
}

//go:embed kernels/handlers.glsl
var handlersText string

// The opcodes of kernels/handlers.glsl; all are counted in the metrics by opcode.
const (
	opDone uint32 = 16 + iota
	opYield
	opRequeue
	opLog
	opOther // and those behind it
)

// shape is a number of workers, and the lanes of each.
type shape struct{ workers, lanes int }

// Sizes. A slot for twice the lanes lets every worker find tasks while others run.
const (
	leastSlots  = 4096
	mostSlots   = 1 << 17 // larger kernels take long to compile on some drivers
	ringTasks   = 8192
	logSize     = 1 << 18 // what a fast device writes in some milliseconds, so that a busy host does not lose it
	mostTasks   = mostSlots * 3 / 4
	tasksALane  = 2
	leastTasks  = 64
	activations = 16 // loop iterations of an activation; the handlers use at most eight
)

// tasks is how many tasks keep all lanes busy, as far as there can be slots for them.
func (s shape) tasks() int {
	return min(max(leastTasks, tasksALane*s.workers*s.lanes), mostTasks)
}

// slots is the number of slots for those tasks, with room for spawned ones.
func (s shape) slots() int { return min(max(leastSlots, 2*s.tasks()), mostSlots) }

// completions is the size of a ring, a power of two, that has room for all those tasks.
func (s shape) completions() int { return max(ringTasks, 1<<bits.Len(uint(s.tasks()))) }

// otherHandlers is how many handlers the benchmarks of specialized kernels have beside the hot one.
const otherHandlers = 12

// otherHandler is one of them: some arithmetic, a loop, and memory.
const otherHandler = `
void bench_other%[1]d(inout Task t) {
    uint x = t.param + t.continuation_data;
    for (uint i = 0u; i < %[1]du + 2u; ++i) { x = (x ^ x >> 7u) * 2654435769u + t.input_handle; }
    t.output_handle = x;
    if ((x & 7u) == %[1]du) { task_requeue(t, x %% 5u, %[1]du, x); } else { task_yield(t, %[1]du, x); }
}
`

// generic assembles the resident kernel with all handlers of the benchmarks, once for each form.
func (r *suite) generic(f form) (*kernel.Kernel, error) {
	if k := r.assembled[f]; k != nil {
		return k, nil
	}
	s := f.shape
	c := kernel.Config{
		Name: "bench", WorkgroupSize: s.lanes, Slots: s.slots(),
		InboxTasks: ringTasks, Completions: s.completions(), LogRecords: logSize,
		NoEvents: !f.events,
		Sources:  []*source.File{{Name: "handlers.glsl", Text: handlersText}},
		Handlers: []kernel.Handler{
			{Opcode: opDone, Name: "done", Function: "bench_done"},
			{Opcode: opYield, Name: "yield", Function: "bench_yield"},
			{Opcode: opRequeue, Name: "requeue", Function: "bench_requeue"},
			{Opcode: opLog, Name: "log", Function: "bench_log"},
		},
	}
	var others strings.Builder
	for i := range f.others {
		fmt.Fprintf(&others, otherHandler, i)
		name := fmt.Sprintf("other%d", i)
		c.Handlers = append(c.Handlers, kernel.Handler{Opcode: opOther + uint32(i), Name: name, Function: "bench_" + name})
	}
	if f.unseen != 0 {
		fmt.Fprintf(&others, unseenHandler, f.unseen)
		c.Handlers = append(c.Handlers, kernel.Handler{Opcode: opOther, Name: "unseen", Function: "bench_unseen"})
	}
	c.Sources = append(c.Sources, &source.File{Name: "others.glsl", Text: others.String()})
	if f.events {
		c.LogRecords = run.LogRecords
	}
	c.Suit(r.backend.Profile())
	k, err := kernel.Assemble(c)
	if err == nil {
		r.assembled[f] = k
	}
	return k, err
}

// quickest is what the scheduling pass is compiled for where that makes it quicker: a software device runs the code of all
// handlers in each pass (resident_special).
func (r *suite) quickest(opcode uint32) (hot []uint32) {
	if r.backend.Profile().SoftwareDevice.Or(false) {
		hot = []uint32{opcode}
	}
	return hot
}

// trial is one session of a measurement.
type trial struct {
	shape  shape
	most   int                                            // workers that the kernel has slots for; 0: those of the shape
	log    uint32                                         // as resident.Options.Log; 0 for none
	events bool                                           // the kernel can log what becomes of activations, as those of a run do
	burst  uint32                                         // as resident.Options.Burst
	slice  time.Duration                                  // as resident.Options.SliceTime
	opcode uint32                                         // of tasks that keep all lanes busy; 0: there are none at the begin
	others int                                            // handlers that the kernel has beside those that tasks use
	unseen uint32                                         // the number in a handler, of opcode opOther, that no driver has seen; 0: there is none
	hot    []uint32                                       // opcodes for which the kernel is specialized before run; none: it is not
	edit   func(i int, t *tasks.Task)                     // changes those tasks; may be nil
	run    func(context.Context, *resident.Session) error // measures, once those tasks are there
}

// patience is how much longer than its share a measurement may take to come to rest: a driver may compile in the first
// dispatch, on a busy host for a minute.
const patience = 5 * time.Minute

// session makes a trial with the generic kernel. The context of its run ends some time after its
// share, so that nothing waits for ever.
func (r *suite) session(ctx context.Context, share time.Duration, t *tally, tr trial) (err error) {
	t.shape = tr.shape
	k, err := r.generic(form{shape{cmp.Or(tr.most, tr.shape.workers), tr.shape.lanes}, tr.others, tr.events, tr.unseen})
	if err != nil {
		return err
	}
	s, err := resident.Start(ctx, r.backend, k, resident.Options{
		Workers: tr.shape.workers, Activation: activations, Log: cmp.Or(tr.log, resident.NoLog), LogEvery: resident.AutoLog, SliceTime: tr.slice, Burst: tr.burst, Core: resident.CoreOff,
	})
	if err != nil {
		return err
	}
	defer func() {
		if closed := s.Close(); err == nil {
			err = closed
		}
	}()
	ctx, cancel := context.WithTimeout(ctx, 2*share+patience)
	defer cancel()
	if len(tr.hot) > 0 {
		if err := s.Specialize(ctx, tr.hot...); err != nil {
			return err
		}
	}
	if tr.opcode != 0 {
		if err := occupy(ctx, s, fill(tr.shape.tasks(), tr.opcode, tr.edit)); err != nil {
			return err
		}
	}
	return tr.run(ctx, s)
}

// occupy publishes tasks and waits until the kernel has taken all of them.
func occupy(ctx context.Context, s *resident.Session, list []tasks.Task) error {
	if err := s.Publish(ctx, list); err != nil {
		return err
	}
	for s.Summary().Counters[megakernel.CountImported] < uint64(len(list)) {
		if err := sleep(ctx, time.Millisecond); err != nil {
			return err
		}
		if err := s.Err(); err != nil {
			return err
		}
	}
	return nil
}

// fill makes n tasks of one opcode.
func fill(n int, opcode uint32, edit func(i int, t *tasks.Task)) []tasks.Task {
	list := make([]tasks.Task, n)
	for i := range list {
		list[i] = tasks.Task{Opcode: opcode, Priority: tasks.Normal}
		if edit != nil {
			edit(i, &list[i])
		}
	}
	return list
}
