package replay

import (
	"context"
	"errors"
	"fmt"
	"slices"
	"time"

	"vyretop/engine/reference"
	"vyretop/fixtures"
	"vyretop/megakernel"
	"vyretop/megakernel/activations"
	"vyretop/tasks"
)

// Divergence is the word that differs and was written first.
type Divergence struct {
	Buffer    string  `json:"buffer,omitempty"` // of the word; "" for a word with which a task ended
	Index     int     `json:"index"`            // in the buffer
	Name      string  `json:"name"`             // of the word
	Task      *uint32 `json:"task,omitempty"`   // that ended with the word; nil for a word of a buffer
	Recorded  uint32  `json:"recorded"`
	Now       uint32  `json:"now"`
	Reference *uint32 `json:"reference,omitempty"` // what the interpreter makes of it, where it is a word of a buffer
	Writer    *Writer `json:"writer,omitempty"`    // on the interpreter; nil where no handler writes it there
	Late      bool    `json:"late,omitempty"`      // looking for the writer took too long, or was interrupted
	Within    float64 `json:"within,omitempty"`    // the seconds after which it was ended then
	Input     *Input  `json:"input,omitempty"`     // the task that wrote it, or that ended with it; nil where a handler spawned it
}

// Writer is the last write to a word.
type Writer struct {
	Task       uint32 `json:"task"`
	Activation int    `json:"activation"` // of the task, from 1
	Epoch      uint32 `json:"epoch"`
	Handler    string `json:"handler"`
	File       string `json:"file,omitempty"` // with Line; "" where it is not known
	Line       int    `json:"line,omitempty"`
	Old        uint32 `json:"old"`
	New        uint32 `json:"new"`
}

// Input is a task that the host published.
type Input struct {
	Number  int     `json:"number"`  // among the published tasks, from 1
	Seconds float64 `json:"seconds"` // position in the recording at which it was published
}

// place is a word that differs: of a buffer, or of a task that ended.
type place struct {
	buffer        *fixtures.StartBuffer // nil for a word of a task
	index         int
	task          uint32
	word          string
	recorded, now uint32
}

// maxPlaces bounds the differing words among which the first is looked for.
const maxPlaces = 1 << 16

func (r *Result) note(p place) {
	if len(r.differ) < maxPlaces {
		r.differ = append(r.differ, p)
	}
}

// locating is how long what wrote the first word that differs is looked for. In a run that was executed to its end it is looked for among all
// words, in an execution that follows each activation.
const (
	locating      = 10 * time.Second
	locatingWhole = time.Minute
	followedRuns  = 4 // times what executing the run took, at least
)

// Locate executes the run once more, on the reference interpreter with a seed of its scheduler, and finds which of the differing words was
// written first, by which task and line. Where the result has no differing word, r.Divergence stays nil. The time for it is limited; where that
// is too short, and where ctx ends, which is an error, the first word alone is told.
func Locate(ctx context.Context, name string, rec *fixtures.Recording, r *Result, seed uint64) error {
	if len(r.differ) == 0 {
		return nil
	}
	p, err := newWholePlan(name, rec)
	if err != nil {
		return err
	}
	limit, find := max(locatingWhole, followedRuns*r.Elapsed), locate
	if r.Stopped != nil {
		limit, find = locating, locateSoon
	}
	return locateWithin(ctx, p, r, seed, limit, find)
}

// finder finds which of the differing words was written first.
type finder func(ctx context.Context, p *plan, r *Result, seed uint64) (*Divergence, error)

// locateWithin has the first word that differs looked for.
func locateWithin(ctx context.Context, p *plan, r *Result, seed uint64, limit time.Duration, find finder) error {
	began := time.Now()
	limited, cancel := context.WithTimeout(ctx, limit)
	defer cancel()
	d, err := find(limited, p, r, seed)
	if err != nil && limited.Err() != nil {
		d, err = late(p, &r.differ[0], time.Since(began)), ctx.Err()
	}
	if d != nil {
		r.Divergence, d.Input = d, p.inputOf(d)
	}
	return err
}

// late is a word of which it is not known what wrote it.
func late(p *plan, first *place, after time.Duration) *Divergence {
	d := &Divergence{Recorded: first.recorded, Now: first.now, Late: true, Within: after.Seconds()}
	if first.buffer == nil {
		d.Task, d.Name = &first.task, "task."+first.word
	} else {
		d.Buffer, d.Index, d.Name = first.buffer.Name, first.index, p.nameOf(first.buffer.Name, first.index)
	}
	return d
}

// locateSoon looks in the part of the run up to where it stopped.
func locateSoon(ctx context.Context, p *plan, r *Result, seed uint64) (*Divergence, error) {
	d, err := locateByItself(ctx, p, r)
	if d == nil && err == nil {
		r.Stopped.before(p, r.differ)
		d, err = locate(ctx, p, r, seed)
	}
	return d, err
}

// locateByItself executes the task that ended otherwise without any other published task: most do not depend on others. Nil where
// a buffer differs, or the task does not come to the value that differs.
func locateByItself(ctx context.Context, p *plan, r *Result) (*Divergence, error) {
	if r.Stopped.State {
		return nil, nil
	}
	single := *p
	single.inputs = only(p.inputs, r.differ[0].task)
	d, err := locateIn(ctx, &single, 0, alone, r.differ[:1])
	if err != nil || !d.explained() {
		return nil, err
	}
	return d, nil
}

// only leaves out all tasks but one.
func only(inputs []input, task uint32) (out []input) {
	for _, in := range inputs {
		if in.tasks != nil {
			i := slices.IndexFunc(in.tasks, func(t tasks.Task) bool { return t.TaskID == task })
			if i < 0 {
				continue
			}
			in.tasks = in.tasks[i : i+1]
		}
		out = append(out, in)
	}
	return out
}

// locate finds the word that was written first.
func locate(ctx context.Context, p *plan, r *Result, seed uint64) (*Divergence, error) {
	// One lane takes a fraction of the time. Where it comes to another value, that depends on the order, which follows from shape and seed.
	d, err := locateIn(ctx, p, 0, alone, r.differ)
	if ctx.Err() == nil && (err != nil || !d.explained()) {
		d, err = locateIn(ctx, p, seed, p.followed(), r.differ)
	}
	return d, err
}

// explained reports whether the interpreter came to the value that differs from the recorded one.
func (d *Divergence) explained() bool {
	if d.Reference != nil {
		return *d.Reference == d.Now
	}
	return d.Writer != nil && d.Writer.New == d.Now
}

// locateIn executes the run in a shape and finds which of the words that differ was written first.
func locateIn(ctx context.Context, p *plan, seed uint64, as shape, differ []place) (d *Divergence, err error) {
	l := newLocator(differ)
	if err := p.follow(ctx, seed, as, l.follower); err != nil {
		return nil, fmt.Errorf("find what wrote the words that differ: %w", err)
	}
	first, at := l.first()
	d = &Divergence{Recorded: first.recorded, Now: first.now}
	if first.buffer == nil {
		d.Task, d.Name = &first.task, "task."+first.word
		d.Writer, err = p.writerOfResult(ctx, seed, as, first.word, at.Activation)
	} else {
		d.Buffer, d.Index, d.Name = first.buffer.Name, first.index, p.nameOf(first.buffer.Name, first.index)
		reference := l.value(p, first)
		d.Reference = &reference
		d.Writer = p.writer(at)
	}
	return d, err
}

// inputOf is the published task with which a divergence began.
func (p *plan) inputOf(d *Divergence) *Input {
	task := d.Task
	if task == nil && d.Writer != nil {
		task = &d.Writer.Task
	}
	if task == nil {
		return nil
	}
	n, at := p.published(*task)
	if n == 0 {
		return nil
	}
	return &Input{Number: n, Seconds: at.Seconds()}
}

// followed is the shape in which activations are followed.
func (p *plan) followed() shape {
	s := p.shape()
	s.single = true
	return s
}

// follow executes the run on the reference interpreter under a follower.
func (p *plan) follow(ctx context.Context, seed uint64, as shape, f *activations.Follower) (err error) {
	b, err := reference.Open(reference.Options{Seed: seed, Watcher: f})
	if err != nil {
		return err
	}
	defer func() { err = errors.Join(err, b.Close()) }()
	s, err := p.start(ctx, b, as)
	if err != nil {
		return err
	}
	_, err = p.execute(ctx, s)
	return errors.Join(err, s.Close())
}

// locator remembers the last write to each word that differs, and the last activation of each task that ended differently.
type locator struct {
	places   []place
	follower *activations.Follower
	writes   map[key]activations.Write
	last     map[uint32]activations.Activation
}

// key is a word of a buffer.
type key struct {
	binding uint32
	word    int
}

func newLocator(places []place) *locator {
	l := &locator{places: places, writes: map[key]activations.Write{}, last: map[uint32]activations.Activation{}}
	for i := range places {
		if p := &places[i]; p.buffer == nil {
			l.last[p.task] = activations.Activation{}
		}
	}
	l.follower = activations.New(l.begins, func(w activations.Write) { l.writes[key{w.Binding, w.Word}] = w })
	for i := range places {
		if p := &places[i]; p.buffer != nil {
			l.follower.Watch(p.buffer.Binding, p.index)
		}
	}
	return l
}

func (l *locator) begins(a activations.Activation, _ activations.Memory) {
	if _, ok := l.last[a.Task]; ok {
		l.last[a.Task] = a
	}
}

// first is the place that was written first, and that write; one that nothing wrote is the first only where all are.
func (l *locator) first() (place, activations.Write) {
	best, by := l.places[0], activations.Write{}
	for _, p := range l.places {
		w := activations.Write{Activation: l.last[p.task]}
		if p.buffer != nil {
			w = l.writes[key{p.buffer.Binding, p.index}]
		}
		if w.Number > 0 && (by.Number == 0 || w.Number < by.Number) {
			best, by = p, w
		}
	}
	return best, by
}

// value is what the interpreter has left in a word of a buffer.
func (l *locator) value(p *plan, at place) uint32 {
	if w, ok := l.writes[key{at.buffer.Binding, at.index}]; ok {
		return w.New
	}
	for i := range p.header.Start.Buffers {
		if initial := p.initial[i]; p.header.Start.Buffers[i].Name == at.buffer.Name && at.index < len(initial) {
			return initial[at.index]
		}
	}
	return 0
}

// writer is nil for a word that nothing wrote.
func (p *plan) writer(w activations.Write) *Writer {
	if w.Number == 0 {
		return nil
	}
	return &Writer{Task: w.Task, Activation: w.Of, Epoch: w.Epoch, Handler: p.handler(w.Opcode), File: w.File, Line: w.Line.Line, Old: w.Old, New: w.New}
}

func (p *plan) handler(opcode uint32) string {
	for _, h := range p.config.Handlers {
		if h.Opcode == opcode {
			return h.Name
		}
	}
	name, _ := megakernel.OpcodeName(opcode)
	return name
}

// writerOfResult finds the line that gave a task's word its last value, in its last activation.
func (p *plan) writerOfResult(ctx context.Context, seed uint64, as shape, word string, last activations.Activation) (*Writer, error) {
	if last.Number == 0 {
		return nil, nil
	}
	w := &Writer{Task: last.Task, Activation: last.Of, Epoch: last.Epoch, Handler: p.handler(last.Opcode)}
	c, err := p.capture(ctx, seed, as, func(a activations.Activation, _ activations.Memory) bool {
		return a.Task == last.Task && a.Of == last.Of
	})
	if c == nil || err != nil {
		return w, err
	}
	a, err := c.Open(ctx)
	if err != nil {
		return w, err
	}
	a.WithContext(ctx)
	w.Old = c.Buffers[megakernel.BindRing][c.Slot*tasks.SlotWords+wordNumber(word)]
	w.File, w.Line = a.LastWrite(word)
	w.New = a.Contents(megakernel.BindRing)[c.Slot*tasks.SlotWords+wordNumber(word)]
	return w, ctx.Err()
}

func wordNumber(name string) int {
	for i, n := range tasks.WordNames {
		if n == name {
			return i
		}
	}
	return 0
}
