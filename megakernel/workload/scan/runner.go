package scan

import (
	"context"
	"fmt"
	"slices"
	"time"

	"vyretop/engine"
	"vyretop/megakernel"
	"vyretop/megakernel/workload"
	"vyretop/tasks"
)

// Pacing of the runner's loop while nothing happens.
const (
	minPause = 20 * time.Microsecond
	maxPause = time.Millisecond
	// stall is how long nothing happens before the runner advances the epoch on suspicion. A task can
	// take the ring for full because others hold places that they are about to give back; no task
	// would drain anything for it afterwards.
	stall = 50 * time.Millisecond

	stageBytes = 4 << 20 // read at most that much before looking at the ring again
	stageFiles = 256
)

// runner is the host side of a scan while it runs. One goroutine owns it.
type runner struct {
	scan *Scan
	host workload.Host

	text, parts engine.Words
	ring        ring
	arena       *arena
	entries     []entry
	unused      []int // entries without a file
	active      []int // entries whose task may need the host: streaming, or settling
	byTask      map[uint32]int
	queue       []*file      // still to be staged, largest first
	batch       []tasks.Task // staged, not yet published
	opcode      uint32
	lastID      uint32
	stride      uint32          // from one task ID to the next
	units       *workload.Units // files of several hosts that do them together, nil for one
	part        workload.Part
	buf         []byte
	wake        bool // the epoch must be advanced
}

func newRunner(s *Scan, h workload.Host) (*runner, error) {
	r := &runner{
		scan: s, host: h, byTask: map[uint32]int{},
		text: h.Buffer("text"), parts: h.Buffer("parts"),
		entries: make([]entry, s.opt.entries()),
		opcode:  s.manifest.Opcodes[0].Number,
	}
	r.ring = ring{words: h.Buffer("matches"), capacity: uint32(s.opt.Records)}
	if len(r.text) < s.opt.ArenaBytes/4 || len(r.parts) < len(r.entries)*partWords || len(r.ring.words) < ringHeader+s.opt.Records*recordWords {
		return nil, protocolError("scan", "the host did not map the buffers that scan asked for")
	}
	r.arena = newArena(uint32(s.opt.ArenaBytes / 4 / granuleWords))
	r.buf = make([]byte, int(largestBlock(r.arena.total))*s.automaton.granuleBytes())
	for i := range r.entries {
		r.unused = append(r.unused, len(r.entries)-1-i)
	}
	r.stride = 1
	return r, nil
}

// inOrder are the files, largest first: the longest file bounds the end of the scan, and lanes that run side by side then have
// about equally much to do.
func (s *Scan) inOrder() []*file {
	list := slices.Clone(s.tree.files)
	slices.SortStableFunc(list, func(a, b *file) int { return int(max(min(b.size-a.size, 1), -1)) })
	return list
}

// run stages, publishes, drains and settles until every file is through.
func (r *runner) run(ctx context.Context, p *publisher) error {
	timer := time.NewTimer(0)
	defer timer.Stop()
	defer r.closeSources()
	defer r.scan.progress.begin(r.parts[:len(r.entries)*partWords], r.scan.automaton.stride)()
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
		if idle += pause; idle >= stall && len(r.unused) < len(r.entries) {
			r.wake, idle = true, 0
		}
		pause = min(2*pause, maxPause)
	}
	return nil
}

// busy reports whether a file is in flight or still to be staged.
func (r *runner) busy() bool {
	return len(r.queue) > 0 || len(r.unused) < len(r.entries) || r.units != nil && !r.units.Ended()
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
		r.host.Wrote("matches", ringDrained, 1)
	}
	settled, err := r.settle()
	if err != nil {
		return false, err
	}
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
	return drained > 0 || settled || staged || published, nil
}

// wait returns on a completion, after the pause, or when something failed.
func (r *runner) wait(ctx context.Context, p *publisher, timer *time.Timer) error {
	select {
	case cs, ok := <-r.host.Completions():
		if !ok {
			return protocolError("scan", "the kernel stopped with %d files in flight", len(r.entries)-len(r.unused))
		}
		return r.complete(cs)
	case err := <-p.failed:
		return err
	case <-ctx.Done():
		return context.Cause(ctx)
	case <-timer.C:
		return nil
	}
}

// take attributes one record to its file.
func (r *runner) take(rec record) error {
	if int(rec.entry) >= len(r.entries) || r.entries[rec.entry].file == nil {
		return protocolError("scan", "a match names entry %d, which holds no file", rec.entry)
	}
	e, a := &r.entries[rec.entry], r.scan.automaton
	state := int(rec.row) / a.width
	if int(rec.at) >= a.granules(e.length)*granuleSymbols || state >= a.States() {
		return protocolError(e.file.path, "a match ends in symbol %d of %d, after state %d of %d", rec.at, a.granules(e.length)*granuleSymbols, state, a.States())
	}
	e.drained++
	offset := e.base + int64(rec.at)*int64(a.stride)
	before := len(e.file.matches)
	e.file.matches = a.expand(e.file.matches, uint32(state), symbol(r.text[e.block.words():], rec.at), offset)
	if r.scan.found.Add(int64(len(e.file.matches)-before)) > MaxMatches {
		return workload.Failure(workload.ErrInput, e.file.path, fmt.Sprintf("with it there are more than %d matches, which is all that fits", MaxMatches), nil, "give fewer or longer patterns, or scan fewer files")
	}
	return nil
}

// complete notes the tasks that have ended.
func (r *runner) complete(cs []workload.Completion) error {
	for _, c := range cs {
		i, ok := r.byTask[c.TaskID]
		if !ok {
			return protocolError("scan", "task %d ended, but was not published or had ended before", c.TaskID)
		}
		delete(r.byTask, c.TaskID)
		e := &r.entries[i]
		if c.State != tasks.Done {
			code := megakernel.FaultCode(c.Code)
			return workload.Failure(workload.ErrTaskFaulted, e.file.path, fmt.Sprintf("its task ended in a fault: %s", code), nil, "look at the debug log of the run")
		}
		if e.source != nil {
			return protocolError(e.file.path, "its task ended before the file did")
		}
		if !e.settling {
			r.active = append(r.active, i)
		}
		e.settling, e.ended, e.expect = true, true, c.Output
	}
	return nil
}

func (r *runner) closeSources() {
	for i := range r.entries {
		e := &r.entries[i]
		if e.source != nil {
			e.source.Close()
		}
		r.scan.progress.add(-e.counted) // of a file that another host may begin again
	}
}
