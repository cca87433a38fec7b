package bench

import (
	"context"
	_ "embed"
	"time"

	"vyretop/engine"
	"vyretop/engine/glsl/source"
	"vyretop/megakernel"
	"vyretop/megakernel/kernel"
	"vyretop/megakernel/resident"
	"vyretop/tasks"
)

// run is the state of one run.
type run struct {
	backend engine.Backend
	profile engine.DeviceProfile
	workers int // what suits the device
	lanes   int

	assembled map[int]*kernel.Kernel // the generic kernel by workgroup size
}

//go:embed kernels/handlers.glsl
var handlersText string

// The opcodes of kernels/handlers.glsl; all are counted in the metrics by opcode.
const (
	opDone uint32 = 16 + iota
	opYield
	opRequeue
	opLog
)

// Sizes of the rings. A slot for twice the lanes lets every worker find tasks while others run.
const (
	leastSlots  = 4096
	ringTasks   = 8192
	logSize     = 1 << 16
	tasksALane  = 2
	leastTasks  = 64
	activations = 16 // loop iterations of an activation; the handlers use at most eight
)

// taskCount is how many tasks keep so many lanes busy.
func taskCount(workers, lanes int) int { return max(leastTasks, tasksALane*workers*lanes) }

// slotCount is the number of slots for those tasks, room for spawned ones included.
func slotCount(workers, lanes int) int {
	return min(max(leastSlots, 2*taskCount(workers, lanes)), megakernel.MaxSlots)
}

// generic assembles the resident kernel with all handlers of the benchmarks, once for each size.
func (r *run) generic(lanes int) (*kernel.Kernel, error) {
	if k := r.assembled[lanes]; k != nil {
		return k, nil
	}
	k, err := kernel.Assemble(kernel.Config{
		Name: "bench", WorkgroupSize: lanes, Slots: slotCount(r.workers, lanes),
		InboxTasks: ringTasks, Completions: ringTasks, LogRecords: logSize,
		LoopLimit: r.profile.LoopIterationLimit.Or(0),
		Sources:   []*source.File{{Name: "handlers.glsl", Text: handlersText}},
		Handlers: []kernel.Handler{
			{Opcode: opDone, Name: "done", Function: "bench_done"},
			{Opcode: opYield, Name: "yield", Function: "bench_yield"},
			{Opcode: opRequeue, Name: "requeue", Function: "bench_requeue"},
			{Opcode: opLog, Name: "log", Function: "bench_log"},
		},
	})
	if err == nil {
		r.assembled[lanes] = k
	}
	return k, err
}

// withSession starts the generic kernel and hands the session to f; o may leave Workers and Log out.
// The context of f ends some time after its share, so that nothing waits for ever.
func (r *run) withSession(ctx context.Context, share time.Duration, lanes int, o resident.Options, t *tally, f func(context.Context, *resident.Session) error) (err error) {
	if o.Workers == 0 {
		o.Workers = r.workers
	}
	if o.Log == 0 {
		o.Log = resident.NoLog
	}
	o.Activation = activations
	t.workers, t.lanes = o.Workers, lanes
	k, err := r.generic(lanes)
	if err != nil {
		return err
	}
	s, err := resident.Start(ctx, r.backend, k, o)
	if err != nil {
		return err
	}
	ctx, cancel := context.WithTimeout(ctx, 2*share+patience)
	defer cancel()
	err = f(ctx, s)
	if closed := s.Close(); err == nil {
		err = closed
	}
	return err
}

// patience is how much longer than its share a measurement may take to come to rest.
const patience = 30 * time.Second

// withTasks is withSession with tasks that keep all lanes busy; f runs once they do.
func (r *run) withTasks(ctx context.Context, share time.Duration, lanes int, o resident.Options, opcode uint32, edit func(int, *tasks.Task), t *tally, f func(context.Context, *resident.Session) error) error {
	return r.withSession(ctx, share, lanes, o, t, func(ctx context.Context, s *resident.Session) error {
		list := fill(taskCount(r.workers, lanes), opcode, edit)
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
		return f(ctx, s)
	})
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
