package scan

import (
	"context"
	"slices"
	"time"

	"vyretop/engine"
	"vyretop/megakernel/workload"
	"vyretop/tasks"
)

// Pacing of the runner's loop while nothing happens.
const (
	minPause = 20 * time.Microsecond
	maxPause = time.Millisecond
	// stall is how long nothing happens before the runner advances the epoch on suspicion. A task can
	// take the ring for full because others hold places that they are about to give back; no task
	// would drain anything for it afterwards. Before any task has ended the device may still compile the kernel, and
	// an epoch would have it wait for the variant that has epochs.
	stall = 50 * time.Millisecond
)

// runner is the host side of a scan while it runs. One goroutine owns it.
type runner struct {
	scan *Scan
	host workload.Host

	text, pieces engine.Words
	ring         ring
	layout       layout
	entries      []*piece // nil where there is none
	unused       []int    // of these
	settling     []*piece // whose task has ended
	byTask       map[uint32]*piece
	queue        []*file          // still to be opened, largest first
	current      *flight          // of which the next segment is cut
	grown        []*flight        // of which more is to be cut than was known
	open         map[*flight]bool // all that are not through
	readers      *readers
	batch        []tasks.Task // read, not yet published
	opcode       uint32
	lastID       uint32
	stride       uint32          // from one task ID to the next
	units        *workload.Units // files of several hosts that do them together, nil for one
	part         workload.Part
	wake         bool // the epoch must be advanced
	begun        bool // a task has ended, or a record has come
}

func newRunner(s *Scan, h workload.Host) (*runner, error) {
	r := &runner{
		scan: s, host: h, byTask: map[uint32]*piece{}, open: map[*flight]bool{},
		text: h.Buffer("text"), pieces: h.Buffer("pieces"),
		layout: s.layout, entries: make([]*piece, s.layout.entries),
		opcode: s.manifest.Opcodes[0].Number, stride: 1,
	}
	r.ring = ring{words: h.Buffer("matches"), capacity: uint32(s.opt.Records)}
	if len(r.text) < s.layout.words() || len(r.pieces) < len(r.entries)*entryWords || len(r.ring.words) < ringHeader+s.opt.Records*recordWords {
		return nil, protocolError("scan", "the host did not map the buffers that scan asked for")
	}
	for i := range r.entries {
		r.unused = append(r.unused, len(r.entries)-1-i)
	}
	return r, nil
}

// inOrder are the files, largest first, so that the small ones fill up pieces at the end.
func (s *Scan) inOrder() []*file {
	list := slices.Clone(s.tree.files)
	slices.SortStableFunc(list, func(a, b *file) int { return int(max(min(b.size-a.size, 1), -1)) })
	return list
}

// run cuts, publishes, drains and settles until every file is through.
func (r *runner) run(ctx context.Context, p *publisher) error {
	timer := time.NewTimer(0)
	defer timer.Stop()
	for pause, idle := minPause, time.Duration(0); r.busy(); {
		progress, err := r.step(ctx, p)
		if err != nil {
			return err
		}
		if progress {
			pause, idle = minPause, 0
			continue
		}
		timer.Reset(pause)
		if err := r.wait(ctx, p, timer); err != nil {
			return err
		}
		if r.begun {
			idle += pause
		}
		if idle >= stall && len(r.byTask)+len(r.settling) > 0 {
			r.wake, idle = true, 0
		}
		pause = min(2*pause, maxPause)
	}
	return nil
}

// busy reports whether a file is not through.
func (r *runner) busy() bool {
	return len(r.queue)+len(r.open) > 0 || r.units != nil && !r.units.Ended()
}

// step does everything that can be done without waiting.
func (r *runner) step(ctx context.Context, p *publisher) (progress bool, err error) {
	if ctx.Err() != nil {
		return false, context.Cause(ctx)
	}
	drained, err := r.ring.drain(r.take)
	if err != nil {
		return false, err
	}
	if drained > 0 {
		r.begun = true
		r.host.Wrote("matches", ringDrained, 1)
	}
	settled, err := r.settle()
	if err != nil {
		return false, err
	}
	received := r.receive()
	staged := r.stage()
	published := len(r.batch) > 0 && p.offer(r.batch)
	if published {
		r.batch = nil
	}
	if r.ring.mustWake() || r.wake {
		r.wake = false
		if err := r.host.AdvanceEpoch(ctx); err != nil {
			return false, err
		}
	}
	return drained > 0 || settled || received || staged || published, nil
}

// receive takes the pieces that have been read.
func (r *runner) receive() (progress bool) {
	r.readers.few()
	for {
		select {
		case p := <-r.readers.read:
			r.received(p)
			progress = true
		default:
			return progress
		}
	}
}

// wait returns on a completion or a piece that has been read, after the pause, or when something failed.
func (r *runner) wait(ctx context.Context, p *publisher, timer *time.Timer) error {
	select {
	case cs, ok := <-r.host.Completions():
		if !ok {
			return protocolError("scan", "the kernel stopped with %d files in flight", len(r.open))
		}
		return r.complete(cs)
	case p := <-r.readers.read:
		r.received(p)
		return nil
	case err := <-p.failed:
		return err
	case <-ctx.Done():
		return context.Cause(ctx)
	case <-timer.C:
		return nil
	}
}

// abandon forgets the files that are not through.
func (r *runner) abandon() {
	for f := range r.open {
		f.close()
		r.scan.progress.add(-f.counted) // another host may begin it again
	}
}
