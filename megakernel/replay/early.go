package replay

import (
	"context"
	"errors"
	"slices"
	"sync"
	"time"

	"vyretop/fixtures"
	"vyretop/megakernel"
	"vyretop/megakernel/resident"
)

// Stop is where a run differs from the recording before its end. It is executed for a while from there, and to its end where that is soon.
type Stop struct {
	Epoch   uint32  `json:"epoch"`
	Seconds float64 `json:"seconds"` // position in the recording at which the task was published, or the epoch was advanced
	Whole   bool    `json:"whole"`   // the run was executed to its end
	State   bool    `json:"state"`   // buffers differ at the end of the epoch; otherwise a task ended otherwise in it
}

// errDiverged ends the execution of a run that differs.
var errDiverged = errors.New("the run differs from its recording")

// grace is how long a run that differs is executed: one that ends soon is compared as a whole.
const grace = 2 * time.Second

// maxEpochStates bounds what is read of the states of epochs, in bytes.
const maxEpochStates = 64 << 20

// early compares a run while it is executed: how its tasks end, as they do, and what its buffers hold where the epoch is advanced. A nil one
// compares nothing.
type early struct {
	plan     *plan
	recorded *results // nil: they are not compared
	states   []fixtures.EpochState
	buffers  map[string][]uint32 // as the states up to now have them
	compared int                 // epochs
	fail     context.CancelCauseFunc

	mu     sync.Mutex // of the others: tasks end beside the inputs
	at     uint32     // the epoch
	stop   *Stop
	differ []place
}

func newEarly(p *plan, rec *fixtures.Recording, recorded *results) *early {
	e := &early{plan: p, states: fixtures.EpochStates(rec, maxEpochStates), buffers: map[string][]uint32{}}
	if !p.header.Start.UnorderedResults && len(recorded.by) > 0 {
		e.recorded = recorded
	}
	if len(e.states) == 0 {
		return e
	}
	for i := range p.header.Start.Buffers {
		if b := &p.header.Start.Buffers[i]; !b.Unordered {
			words := make([]uint32, b.Words)
			copy(words, p.initial[i])
			e.buffers[b.Name] = words
		}
	}
	return e
}

// differs notes the first difference; the run ends within grace.
func (e *early) differs(at Stop, places ...place) {
	e.mu.Lock()
	defer e.mu.Unlock()
	if e.stop != nil {
		return
	}
	if at.Epoch = e.at; at.State {
		at.Epoch-- // the one that was compared
	}
	e.stop, e.differ = &at, places
	time.AfterFunc(grace, func() { e.fail(errDiverged) }) // no effect after the end
}

// result compares how a task ended.
func (e *early) result(c megakernel.Completion) {
	if e == nil || e.recorded == nil {
		return
	}
	was, ok := e.recorded.by[c.Task]
	if !ok {
		return
	}
	c.Worker = 0
	if d, differs := resultsDiffer(was, c); differs {
		_, at := e.plan.published(c.Task)
		e.differs(Stop{Seconds: at.Seconds()}, place{task: d.Task, word: d.Word, recorded: d.Recorded, now: d.Now})
	}
}

// epoch compares what the buffers hold, before the epoch is advanced, with the target at rest.
func (e *early) epoch(ctx context.Context, s *resident.Session) error {
	if e == nil {
		return nil
	}
	now := s.Epoch()
	some := false
	var at time.Duration
	for len(e.states) > 0 && e.states[0].Epoch <= now {
		state := &e.states[0]
		e.states = e.states[1:]
		if words, ok := e.buffers[state.Buffer]; !ok || !state.Apply(words) {
			e.states = nil // what follows rests on it
			return nil
		}
		some, at = some || state.Epoch == now, state.At
	}
	e.mu.Lock()
	e.at = now + 1
	e.mu.Unlock()
	if some {
		return e.compare(ctx, s, at)
	}
	return nil
}

// compare compares all buffers.
func (e *early) compare(ctx context.Context, s *resident.Session, at time.Duration) error {
	var found []place
	for i := range e.plan.header.Start.Buffers {
		b := &e.plan.header.Start.Buffers[i]
		was, ok := e.buffers[b.Name]
		if !ok {
			continue
		}
		is := make([]uint32, b.Words)
		if err := s.ReadBuffer(ctx, b.Name, 0, is); err != nil {
			return err
		}
		if slices.Equal(was, is) {
			continue
		}
		for k := range was {
			if was[k] != is[k] && len(found) < maxPlaces {
				found = append(found, place{buffer: b, index: k, recorded: was[k], now: is[k]})
			}
		}
	}
	e.compared++
	if len(found) > 0 {
		e.differs(Stop{Seconds: at.Seconds(), State: true}, found...)
	}
	return nil
}

// tell fills in where the run differed first, and what, unless its end tells more.
func (e *early) tell(r *Result, whole bool) {
	e.mu.Lock()
	defer e.mu.Unlock()
	if e.stop == nil || whole && !r.Equal() {
		return
	}
	e.stop.Whole = whole
	r.Stopped, r.differ = e.stop, e.differ
	for i := range e.differ {
		d := &e.differ[i]
		if d.buffer == nil {
			r.Results.Different++
			r.Results.First = &ResultDifference{Task: d.task, Word: d.word, Recorded: d.recorded, Now: d.now}
			continue
		}
		n := slices.IndexFunc(r.Buffers, func(b BufferResult) bool { return b.Name == d.buffer.Name && b.Different > 0 })
		if n < 0 {
			first := &Difference{Index: d.index, Name: e.plan.nameOf(d.buffer.Name, d.index), Recorded: d.recorded, Now: d.now}
			r.Buffers = append(r.Buffers, BufferResult{Name: d.buffer.Name, Of: d.buffer.Words, Words: d.buffer.Words, First: first})
			n = len(r.Buffers) - 1
		}
		r.Buffers[n].Different++
	}
}

// before leaves out the inputs that follow where a run stopped.
func (s *Stop) before(p *plan, differ []place) {
	epoch := uint32(0)
	for i, in := range p.inputs {
		ends := s.State && epoch+in.epochs > s.Epoch
		if ends {
			p.inputs = p.inputs[:i]
			return
		}
		epoch += in.epochs
		if s.State {
			continue
		}
		for k := range in.tasks {
			if in.tasks[k].TaskID == differ[0].task {
				p.inputs = p.inputs[:i+1]
				return
			}
		}
	}
}
