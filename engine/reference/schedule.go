package reference

import (
	"math/rand/v2"
	"runtime"

	"vyretop/engine/reference/vm"
)

// Trace identifies the interleaving of a deterministic dispatch: equal traces mean that the same
// workgroups ran the same slices in the same order.
type Trace struct {
	Hash   uint64 // FNV-1a over workgroup and instructions of each slice
	Slices uint64
}

func (t *Trace) add(group, instructions uint64) {
	if t.Slices == 0 {
		t.Hash = 14695981039346656037
	}
	t.Hash = (t.Hash ^ group) * 1099511628211
	t.Hash = (t.Hash ^ instructions) * 1099511628211
	t.Slices++
}

// slicesPerYield is after how many slices other goroutines get the processor.
const slicesPerYield = 16

// work hands out the workgroups of a dispatch in order.
type work struct {
	d       *Dispatch
	session *session
	next    uint64 // linear number of the next workgroup
}

// resident is a workgroup under way.
type resident struct {
	*vm.Group
	number uint64
}

// begin starts the next workgroup on g, or on a group from the session when g is nil; ok is false
// when none is left.
func (w *work) begin(g *vm.Group) (r resident, ok bool) {
	if w.next >= w.d.launch.Workgroups() {
		if g != nil {
			w.session.groups = append(w.session.groups, g)
		}
		return resident{}, false
	}
	if g == nil {
		g = w.session.group(&w.d.reporter)
	}
	grid := w.d.launch.Grid
	n := w.next
	w.next++
	id := [3]uint32{uint32(n % uint64(grid[0])), uint32(n / uint64(grid[0]) % uint64(grid[1])), uint32(n / uint64(grid[0]) / uint64(grid[1]))}
	g.Start(id, grid, w.d.cfg.IterationBudget)
	if watcher := w.d.pipeline.backend.opts.Watcher; watcher != nil {
		watcher.Begin(g)
	}
	return resident{g, n}, true
}

// fill starts workgroups until limit are under way.
func (w *work) fill(limit int) []resident {
	var list []resident
	for len(list) < limit {
		r, ok := w.begin(nil)
		if !ok {
			break
		}
		list = append(list, r)
	}
	return list
}

// scheduler runs all workgroups of a dispatch on one goroutine.
type scheduler struct {
	*work
	rng     *rand.Rand
	running []resident
}

func (d *Dispatch) runDeterministic(s *session) error {
	opts := d.pipeline.backend.opts
	sched := &scheduler{work: &work{d: d, session: s}, rng: rand.New(rand.NewPCG(opts.Seed, 0))}
	sched.running = sched.fill(d.together())
	defer func() { s.keepGroups(sched.running) }()
	for len(sched.running) > 0 {
		if err := sched.round(d.timeSlice()); err != nil {
			return err
		}
	}
	return nil
}

// round gives each workgroup one slice, in a new order. When all that are left wait at a grid barrier,
// they have passed it.
func (s *scheduler) round(slice int) error {
	s.rng.Shuffle(len(s.running), func(i, k int) { s.running[i], s.running[k] = s.running[k], s.running[i] })
	waiting := 0
	for i := 0; i < len(s.running); i++ {
		if s.running[i].State() == vm.Running {
			if err := s.slice(s.running[i], 1+s.rng.IntN(2*slice-1)); err != nil {
				return err
			}
			i -= s.replace(i)
		} else {
			waiting++
		}
	}
	if waiting == len(s.running) {
		release(s.running)
	}
	return nil
}

// replace puts the next workgroup in the place of one that has ended, and one more beside one that has
// come to a grid barrier. It returns how many workgroups there are fewer.
func (s *scheduler) replace(i int) int {
	switch s.running[i].State() {
	case vm.Waiting:
		if next, ok := s.begin(nil); ok {
			s.running = append(s.running, next)
		}
	case vm.Ended:
		s.d.progress.ended.Add(1)
		if next, ok := s.begin(s.running[i].Group); ok {
			s.running[i] = next
			return 0
		}
		last := len(s.running) - 1
		s.running[i] = s.running[last]
		s.running = s.running[:last]
		return 1
	}
	return 0
}

// release lets workgroups continue that wait at a grid barrier.
func release(list []resident) {
	for _, r := range list {
		r.Release()
	}
}

// keepGroups puts workgroups back that did not end.
func (s *session) keepGroups(running []resident) {
	for _, r := range running {
		s.groups = append(s.groups, r.Group)
	}
}

// slice runs one workgroup for a while.
func (s *scheduler) slice(r resident, limit int) error {
	d := s.d
	if err := d.halted(); err != nil {
		return err
	}
	var n uint64
	if debugger := d.debugger.Load(); debugger != nil {
		n = uint64(debugger.run(s, r, limit))
	} else {
		n = uint64(r.Run(limit))
	}
	d.progress.instructions.Add(n)
	d.trace.add(r.number, n)
	if d.trace.Slices%slicesPerYield == 0 {
		runtime.Gosched()
	}
	if r.State() == vm.Failed {
		if w := d.pipeline.backend.opts.Watcher; w != nil {
			w.Failed(r.Group)
		}
	}
	if r.State() == vm.Failed {
		return d.failure(r.Group)
	}
	return nil
}

// failure explains why a workgroup failed.
func (d *Dispatch) failure(g *vm.Group) error {
	kinds := [...]error{vm.FaultBudget: ErrIterationBudget, vm.FaultBarrier: ErrDivergentBarrier}
	f := g.Fault()
	code := g.Code()
	kind := kinds[f.Kind]
	return dispatchFailed(d.cfg.Label, &KernelError{
		Kind: kind, Pos: code.Site(f.PC).Pos, Stack: code.Stack(f.PC), Workgroup: g.ID(), Rounds: g.Rounds(),
	}, kernelFixes[kind])
}
