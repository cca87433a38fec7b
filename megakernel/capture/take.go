package capture

import (
	"context"
	"fmt"
	"slices"
	"time"

	"vyretop/engine/fault"
	"vyretop/megakernel"
	"vyretop/megakernel/kernel"
	"vyretop/tasks"
)

// Source is a target whose words can be read: a live run or a position in a recording.
type Source interface {
	// Target describes the run as a whole.
	Target() megakernel.Target
	// Now is the newest snapshot.
	Now(ctx context.Context) (*megakernel.Snapshot, error)
	// ReadBuffer copies words of a buffer, from number first on.
	ReadBuffer(ctx context.Context, name string, first int, dst []uint32) error
}

// Options say what is captured.
type Options struct {
	Name  string // of the source, for people
	Task  uint32
	Live  bool // the source runs: its words may change while they are read
	Next  bool // the activation that comes next, also where a breakpoint holds the task at the end of one
	Bytes int  // most bytes of buffers; 0 = DefaultBytes
}

// DefaultBytes bounds the buffers of a capture. Those of more than MaxBytes could not be read.
const DefaultBytes = 256 << 20

// attempts are how often a task that ran in between is captured again.
const attempts = 3

// Take captures a task. Errors are ErrTask where the task does not exist, has ended, or runs all the time, ErrText of
// package kernel, and the source's.
func Take(ctx context.Context, from Source, o Options) (*Capture, error) {
	t := taker{from: from, o: o, target: from.Target()}
	for range attempts {
		c, err := t.once(ctx)
		if c != nil || err != nil {
			return c, err
		}
	}
	return nil, taskError(o.Task, "it runs: its words changed while they were read", "pause it first: vyretop do pause task "+megakernel.TaskName(o.Task)+" --target "+o.Name)
}

func taskError(id uint32, detail, fix string) error {
	return &fault.Error{Kind: ErrTask, Op: "capture", Subject: "task " + megakernel.TaskName(id), Detail: detail, Fix: fix}
}

// missing is the error about a task that no slot holds.
func missing(id uint32, now *megakernel.Snapshot) error {
	if now.Compiling != (megakernel.Compiling{}) {
		return taskError(id, "no slot holds it yet, and a kernel is being compiled", "try again when vyretop stall reports no compilation")
	}
	return taskError(id, "no slot holds it", "vyretop tasks lists the tasks that are there")
}

// taker captures a task of a source.
type taker struct {
	from   Source
	o      Options
	target megakernel.Target
	text   *kernel.Text // that ran in the slice of now
	now    *megakernel.Snapshot
}

// unpack is the text of a kernel with the kernel's own files.
func unpack(packed []byte) (*kernel.Text, error) {
	text, err := kernel.Unpack(packed)
	if err != nil {
		return nil, err
	}
	return text.WithOwn()
}

// once captures the task; nil without an error means that it ran in between.
func (t *taker) once(ctx context.Context) (c *Capture, err error) {
	if t.now, err = t.from.Now(ctx); err != nil {
		return nil, err
	}
	if t.text, err = unpack(t.target.KernelAt(t.now.Slice)); err != nil {
		return nil, err
	}
	slot, ok := t.now.FindTask(t.o.Task, -1)
	if !ok {
		return nil, missing(t.o.Task, t.now)
	}
	if c, err = t.begin(slot); err != nil {
		return nil, err
	}
	if err := t.read(ctx, c); err != nil {
		return nil, err
	}
	if t.o.Live {
		same, err := t.again(ctx, c)
		if err != nil || !same {
			return nil, err
		}
	}
	if err := t.beginAtHit(ctx, c); err != nil {
		return nil, err
	}
	return c, t.admit(c)
}

// begin makes a capture without buffers.
func (t *taker) begin(slot int) (*Capture, error) {
	total := 4 * (megakernel.InboxEntries + min(max(t.text.Config.Slots, 0), megakernel.MaxSlots)*tasks.SlotWords)
	for _, b := range t.target.Buffers {
		total += 4 * min(max(b.Words, 0), MaxBytes)
	}
	if limit := t.o.limit(); total > limit {
		return nil, taskError(t.o.Task, fmt.Sprintf("the target has buffers of %d MiB, and a capture at most %d", total>>20, limit>>20), "raise --limit")
	}
	h := Header{
		Schema: Schema, Target: t.target, Source: t.o.Name, At: t.now.Taken, Task: t.o.Task, Slot: slot,
		Workgroup: t.text.Config.WorkgroupSize,
	}
	if t.now.Workgroup > 0 {
		h.Workgroup = t.now.Workgroup
	}
	h.Target.Kernel, h.Target.Reloads = nil, nil
	return &Capture{Header: h, Text: t.text, Buffers: map[uint32][]uint32{}}, nil
}

func (o Options) limit() int {
	if o.Bytes > 0 {
		return o.Bytes
	}
	return DefaultBytes
}

// snapped are the buffers that a snapshot has.
func snapped(s *megakernel.Snapshot) map[uint32][]uint32 {
	return map[uint32][]uint32{
		megakernel.BindControl: s.Control, megakernel.BindRing: s.Slots, megakernel.BindWorkers: s.WorkerTable,
	}
}

// names of the buffers that a snapshot has, which a live target can also read as they are now.
var names = map[uint32]string{megakernel.BindControl: "control", megakernel.BindRing: "ring", megakernel.BindWorkers: "workers"}

// read copies every buffer that is an input.
func (t *taker) read(ctx context.Context, c *Capture) error {
	for binding, words := range snapped(t.now) {
		c.Buffers[binding] = slices.Clone(words)
		if t.o.Live {
			if err := t.fill(ctx, names[binding], c.Buffers[binding]); err != nil {
				return err
			}
		}
	}
	for _, b := range t.target.Buffers {
		if !IsInput(b.Binding) {
			continue
		}
		c.Buffers[b.Binding] = make([]uint32, b.Words)
		if err := t.fill(ctx, b.Name, c.Buffers[b.Binding]); err != nil {
			return err
		}
	}
	return nil
}

// IsInput reports whether a handler's next activation reads the buffer with a binding.
func IsInput(binding uint32) bool {
	return binding != megakernel.BindLog && binding != megakernel.BindOutbox
}

// page is how many words are read at once; a remote target has a limit.
const page = 1 << 16

func (t *taker) fill(ctx context.Context, name string, dst []uint32) error {
	for at := 0; at < len(dst); at += page {
		if err := t.from.ReadBuffer(ctx, name, at, dst[at:min(at+page, len(dst))]); err != nil {
			return err
		}
	}
	return nil
}

// again reads the task's slot and the workload's buffers a second time. It is false where the task ran in between.
func (t *taker) again(ctx context.Context, c *Capture) (same bool, err error) {
	for _, b := range t.target.Buffers {
		if b.Binding < megakernel.FirstUserBinding {
			continue
		}
		words := make([]uint32, b.Words)
		if err := t.fill(ctx, b.Name, words); err != nil {
			return false, err
		}
		c.Changed = append(c.Changed, changes(b.Name, c.Buffers[b.Binding], words)...)
	}
	var slot [tasks.SlotWords]uint32
	if err := t.from.ReadBuffer(ctx, "ring", c.Slot*tasks.SlotWords, slot[:]); err != nil {
		return false, err
	}
	return slices.Equal(slot[:], c.Buffers[megakernel.BindRing][c.Slot*tasks.SlotWords:][:tasks.SlotWords]), nil
}

// changes compares two readings of a buffer.
func changes(name string, before, now []uint32) []Change {
	c := Change{Buffer: name, First: -1}
	for i, w := range now {
		was := uint32(0) // of a buffer that a capture lacks
		if i < len(before) {
			was = before[i]
		}
		if w != was {
			if c.Words++; c.First < 0 {
				c.First = i
			}
		}
	}
	if c.Words == 0 {
		return nil
	}
	return []Change{c}
}

// admit fills in what the slot says of the task, and refuses one that has ended.
func (t *taker) admit(c *Capture) error {
	state := tasks.State(c.slotWord(tasks.WordState))
	if c.slotWord(tasks.WordTaskID) != t.o.Task || state == tasks.Empty || state == tasks.Done {
		return taskError(t.o.Task, "it has ended", "choose one that waits, is held or has faulted")
	}
	if c.State = state.String(); c.Held != nil {
		c.State = "held at the end of the activation"
	}
	if c.Handler = t.target.Opcodes[c.Opcode()]; c.Handler == "" {
		return taskError(t.o.Task, "the kernel itself carries it out: its opcode has no handler", "choose a task of a handler")
	}
	if state == tasks.Faulted {
		c.Notes = append(c.Notes, "the task has faulted: the buffers have what it wrote before that")
	}
	if len(c.Changed) > 0 {
		c.Notes = append(c.Notes, "other tasks ran while it was captured, and write the same buffers")
	}
	if at := c.At.Truncate(time.Millisecond); t.now.TornBy > 0 && !t.o.Live {
		c.Notes = append(c.Notes, fmt.Sprintf("the snapshot at %s is not of one time: %d activations ended while it was read", at, t.now.TornBy))
	}
	return nil
}
