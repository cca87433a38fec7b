package replay

import (
	"fmt"
	"time"

	"vyretop/engine/fault"
	"vyretop/engine/units"
	"vyretop/fixtures"
	"vyretop/megakernel"
	"vyretop/megakernel/kernel"
	"vyretop/tasks"
)

// ErrNotExecutable is matched by errors about a recording whose run cannot be executed again.
const ErrNotExecutable fault.Kind = "the recording cannot be executed again"

// plan is what a recording says of a run: how it began, what the host gave it, and how it ended.
type plan struct {
	name   string // of the file
	header fixtures.Header
	config kernel.Config
	// kernels are those assembled so far: a run is executed many times, with other tasks and seeds.
	kernels *kernels
	// sameKernel: the kernel of this program is the recorded one.
	sameKernel bool
	initial    [][]uint32 // contents of header.Start.Buffers
	inputs     []input
	tasks      int // published
	left       int // tasks that had not ended
	end        *megakernel.Snapshot
	at         time.Duration  // of the end
	pages      *recordedPages // of files that tasks ask for; nil for none
	early      *early         // what is compared while the run is executed; nil for nothing
	advances   func()         // called before the epoch is advanced; nil for nothing
	supposed   *Supposed      // nil for nothing
	later      *later         // handlers from an activation on; nil for none
	stepped    bool           // a slice ends after each activation
}

// input is something that the host gave the target: tasks, or where there are none, an advance of the epoch.
type input struct {
	tasks  []tasks.Task
	epochs uint32
	at     time.Duration      // position in the recording
	reload *megakernel.Reload // other handlers, once nothing can continue; nil for none
	write  *fixtures.Write    // words of a buffer, once nothing can continue; nil for none
}

// newWholePlan is newPlan for a run that is compared by how it ends: ErrNotExecutable also where tasks were left.
func newWholePlan(name string, rec *fixtures.Recording) (*plan, error) {
	p, err := newPlan(name, rec)
	if err == nil && p.left > 0 {
		err = p.cannot(fmt.Sprintf("the run had not ended: %s left", units.Plural(p.left, "task")), again)
	}
	return p, err
}

// newPlan reads what executing a recording again needs. A run that ended with tasks left is executed until none of them can
// continue. Errors are ErrNotExecutable, and those of reading.
func newPlan(name string, rec *fixtures.Recording) (*plan, error) {
	p := &plan{name: name, header: rec.Header(), kernels: new(kernels)}
	if err := p.complete(rec); err != nil {
		return nil, err
	}
	text, err := kernel.Unpack(p.header.Target.Kernel)
	if err != nil {
		return nil, fmt.Errorf("%s: %w", name, err)
	}
	p.config, p.sameKernel = text.WithThisKernel()
	if n := p.rings(); n > mostRings {
		return nil, p.cannot(fmt.Sprintf("the rings of its kernel have %d MiB, and at most %d MiB are executed", n>>20, mostRings>>20), again)
	}
	for i := range p.header.Start.Buffers {
		words, err := rec.Initial(&p.header.Start.Buffers[i])
		if err != nil {
			return nil, fmt.Errorf("%s: %w", name, err)
		}
		p.initial = append(p.initial, words)
	}
	if err := p.readInputs(rec); err != nil {
		return nil, err
	}
	if p.header.Start.Pages != nil {
		p.pages = &recordedPages{read: fixtures.Pages(rec, maxRecordedPages)}
	}
	if d := damaged(rec); d != nil { // reading the inputs has found it
		return nil, p.cannot("it is damaged: "+d.Detail, again)
	}
	return p, nil
}

// damaged is the first damage within a recording; nil for none.
func damaged(rec *fixtures.Recording) *fixtures.Damage {
	for _, d := range rec.Damage() {
		if !d.Behind {
			return d
		}
	}
	return nil
}

const again = "record a whole run with vyretop run WORKLOAD --record FILE"

// mostRings bounds the inbox, the completions and the log of a kernel, in bytes. Those of workloads have some 24 MiB.
const mostRings = 128 << 20

// rings is how many bytes these have.
func (p *plan) rings() int {
	entries := func(n int) int { return min(max(n, 0), mostRings) }
	c := &p.config
	return 4 * (entries(c.InboxTasks)*tasks.SlotWords + entries(c.Completions)*megakernel.CompletionWords + entries(c.LogRecords)*megakernel.LogRecordWords)
}

// complete finds out whether the recording has the whole run.
func (p *plan) complete(rec *fixtures.Recording) (err error) {
	switch s := p.header.Start; {
	case s == nil:
		return p.cannot("it does not say how the run began", again)
	case s.Incomplete != "":
		return p.cannot(s.Incomplete, "record a run on one device, in which buffers begin with, and the host reads or writes, at most 32 MiB")
	case rec.Truncated() || damaged(rec) != nil:
		return p.cannot("it is damaged or was cut short", again)
	}
	_, p.at = rec.Span()
	switch p.end, _, err = rec.SnapshotAt(p.at); {
	case err != nil:
		return fmt.Errorf("%s: %w", p.name, err)
	case p.end == nil:
		return p.cannot("it has no snapshot", again)
	}
	p.left = left(p.end)
	for _, e := range rec.Events(0, p.at, maxEvents) {
		if fixtures.MissingFrom(&e) {
			return p.cannot("parts of it are missing: "+e.Text, gapFixes[e.Kind])
		}
	}
	return nil
}

// gapFixes are what to do about missing parts, by the kind of the event that tells of them.
var gapFixes = map[string]string{
	fixtures.GapKind:    "record it to a faster disk",
	fixtures.CutKind:    "record the run to its end; what there is can be looked at",
	fixtures.LimitKind:  "record a run with fewer or smaller files",
	fixtures.DamageKind: "use a copy of the file from before the damage",
}

// maxEvents bounds the events that are looked through.
const maxEvents = 1 << 20

// left counts the tasks that had not ended.
func left(s *megakernel.Snapshot) (n int) {
	_, waiting := s.StateCounts()
	for _, k := range waiting {
		n += k
	}
	return n + int(uint32(s.Submitted)-s.InboxTaken)
}

func (p *plan) cannot(detail, fix string) error {
	return &fault.Error{Kind: ErrNotExecutable, Subject: p.name + " cannot be executed again", Detail: detail, Fix: fix}
}

// maxEpochs bounds the epochs that commands advance by more than one: the target comes to rest in each, which takes a fraction of a
// millisecond. A workload advances by one at a time.
const maxEpochs = 1 << 16

func (p *plan) readInputs(rec *fixtures.Recording) error {
	epoch, extra := uint32(0), uint64(0)
	for in := range rec.Inputs(0) {
		switch c := in.Command; {
		case in.Write != nil:
			if err := writable(p, in.Write); err != nil {
				return err
			}
			p.inputs = append(p.inputs, input{write: in.Write, at: in.At})
		case c == nil:
			p.inputs, p.tasks = append(p.inputs, input{tasks: in.Tasks, at: in.At}), p.tasks+len(in.Tasks)
		case c.Op == megakernel.OpAdvanceEpoch:
			to := max(epoch+c.Arg, c.Desired)
			if extra += uint64(to - epoch); to != epoch {
				extra--
			}
			if extra > maxEpochs {
				return p.cannot(fmt.Sprintf("the epoch was advanced by %d at %v, and each is executed; commands may skip %d in all", to-epoch, in.At.Round(time.Millisecond), maxEpochs), "record a run in which it is advanced by one at a time")
			}
			p.inputs, epoch = append(p.inputs, input{epochs: to - epoch, at: in.At}), to
		case c.Op == megakernel.OpEditTask || c.Op == megakernel.OpEditControl || c.Op == megakernel.OpEditBuffer:
			return p.cannot(fmt.Sprintf("words were edited at %v, and the order of an edit among activations is not recorded", in.At.Round(time.Millisecond)), "record a run without edits")
		}
	}
	return placeReloads(p)
}
