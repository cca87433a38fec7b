package inspect

import (
	"cmp"
	"context"
	"fmt"
	"io"
	"slices"
	"time"

	"vyretop/engine/units"
	"vyretop/fixtures"
	"vyretop/megakernel"
	"vyretop/megakernel/health"
	"vyretop/megakernel/words"
)

// PostmortemSchema is the schema of a postmortem document.
const PostmortemSchema = "vyretop.postmortem/1"

// Postmortem is what a recording says about how a run came to its end.
type Postmortem struct {
	Schema   string            `json:"schema"`
	Target   string            `json:"target"`
	Renderer string            `json:"renderer"`
	At       float64           `json:"at_s"`              // of the last snapshot, since launch
	Ended    *float64          `json:"ended_s,omitempty"` // of the work; null where the recording does not tell
	Why      string            `json:"why,omitempty"`     // the recording was kept, where that is known
	Verdict  string            `json:"verdict"`           // on the target at the end
	Trouble  []PostmortemEvent `json:"trouble"`           // faults, undefined accesses, errors: the first ones
	More     int               `json:"more_trouble"`      // that are not listed
	Workers  []LastActivation  `json:"workers"`
	Window   float64           `json:"window_s"` // in which words changed: the last of the work, or of the recording where that is not known
	Changed  []ChangedWords    `json:"changed"`
}

// PostmortemEvent is an event of the run that something was wrong.
type PostmortemEvent struct {
	At   float64 `json:"at_s"`
	Kind string  `json:"kind"`
	Text string  `json:"text"`
}

// LastActivation is what a worker did last, as far as the debug log tells.
type LastActivation struct {
	Worker  int    `json:"worker"`
	Verdict string `json:"verdict"`
	Why     string `json:"why"`
	Last    string `json:"last,omitempty"` // record of the log
	Task    string `json:"task,omitempty"`
	Opcode  string `json:"opcode,omitempty"`
}

// ChangedWords is how many words of a buffer of the protocol changed last, and which was the first of them.
type ChangedWords struct {
	Buffer string `json:"buffer"`
	Words  int    `json:"words"`
	First  string `json:"first"`
}

const (
	postmortemWindow  = time.Second
	postmortemTrouble = 16
	postmortemRecords = 1 << 16
)

// troubles are the kinds of events that say that something was wrong.
var troubles = []string{megakernel.EventFaulted, megakernel.EventUndefined, megakernel.EventVerificationFailed, "error", "recovered"}

// NewPostmortem finds out how a run came to its end.
func NewPostmortem(ctx context.Context, s Subject) (*Postmortem, error) {
	now, before, err := s.Pair(ctx, postmortemWindow)
	if err != nil {
		return nil, err
	}
	target := s.Header().Target
	p := &Postmortem{
		Schema: PostmortemSchema, Target: target.Workload, Renderer: target.Renderer, At: now.Taken.Seconds(),
		Trouble: []PostmortemEvent{}, Workers: []LastActivation{}, Changed: []ChangedWords{},
	}
	if err := s.History(ctx, fixtures.Wanted{Events: true}, p.event); err != nil {
		return nil, err
	}
	r := health.Explain(now, before)
	p.Verdict = verdict(r)
	p.workers(r, s.LastLog(postmortemRecords), &target)
	if now, before, err = p.lastWork(s, now, before); err == nil && before != nil {
		p.Window = (now.Taken - before.Taken).Seconds()
		p.changes(before, now)
	}
	return p, err
}

// lastWork are the two snapshots whose words are compared. What is recorded after the work has ended is its verification, in
// which no word changes.
func (p *Postmortem) lastWork(s Subject, now, before *megakernel.Snapshot) (_, _ *megakernel.Snapshot, err error) {
	past, ok := s.(interface {
		pairAt(at, window time.Duration) (now, before *megakernel.Snapshot, err error)
	})
	if !ok || p.Ended == nil {
		return now, before, nil
	}
	if n, b, err := past.pairAt(time.Duration(*p.Ended*float64(time.Second)), postmortemWindow); err != nil || b != nil {
		return n, b, err
	}
	return now, before, nil // a run shorter than the time between two snapshots
}

func (p *Postmortem) event(m *fixtures.StreamMessage) error {
	e := m.Event
	switch {
	case e == nil:
	case e.Kind == megakernel.EventWork:
		at := e.At.Seconds()
		p.Ended = &at
	case e.Kind == fixtures.EventKept:
		p.Why = e.Text
	case slices.Contains(troubles, e.Kind) && len(p.Trouble) < postmortemTrouble:
		p.Trouble = append(p.Trouble, PostmortemEvent{e.At.Seconds(), e.Kind, e.Text})
	case slices.Contains(troubles, e.Kind):
		p.More++
	}
	return nil
}

// workers finds the newest record of each worker.
func (p *Postmortem) workers(r *health.Report, log []megakernel.LogRecord, target *megakernel.Target) {
	newest := map[int]*megakernel.LogRecord{}
	for i := range log {
		newest[int(log[i].Worker)] = &log[i]
	}
	for _, w := range r.Workers {
		last := LastActivation{Worker: int(w.ID), Verdict: string(w.Verdict), Why: w.Why}
		if record := newest[int(w.ID)]; record != nil {
			last.Last, last.Task = record.Text(target.Formats), megakernel.TaskName(record.Task)
			last.Opcode = cmp.Or(target.Opcodes[record.Opcode], fmt.Sprintf("%#x", record.Opcode))
		}
		p.Workers = append(p.Workers, last)
	}
}

func (p *Postmortem) changes(before, now *megakernel.Snapshot) {
	for _, d := range words.Diff(nil, before, now, false, postmortemRecords).List {
		i := slices.IndexFunc(p.Changed, func(c ChangedWords) bool { return c.Buffer == d.Buffer })
		if i < 0 {
			i = len(p.Changed)
			p.Changed = append(p.Changed, ChangedWords{Buffer: d.Buffer, First: fmt.Sprintf("%s: %d, %d before", d.Name(), d.B, d.A)})
		}
		p.Changed[i].Words++
	}
}

var lastActivations = Table[LastActivation]{
	{"worker", func(w *LastActivation) any { return num(w.Worker) }},
	{"verdict", func(w *LastActivation) any { return w.Verdict }},
	{"why", func(w *LastActivation) any { return w.Why }},
	{"task", func(w *LastActivation) any { return absent(w.Task) }},
	{"opcode", func(w *LastActivation) any { return absent(w.Opcode) }},
	{"last_record", func(w *LastActivation) any { return absent(w.Last) }},
}

func absent(text string) any {
	if text == "" {
		return nil
	}
	return text
}

// Write prints a postmortem for people.
func (p *Postmortem) Write(w io.Writer) error {
	if p.Ended != nil && *p.Ended < p.At {
		fmt.Fprintf(w, "%s on %s, whose work ended %.3g s after its launch; seen until %.3g s\n", p.Target, p.Renderer, *p.Ended, p.At)
	} else {
		fmt.Fprintf(w, "%s on %s, %.3g s after its launch\n", p.Target, p.Renderer, p.At)
	}
	if p.Why != "" {
		fmt.Fprintln(w, "kept       "+p.Why)
	}
	fmt.Fprintln(w, "verdict    "+p.Verdict)
	for _, e := range p.Trouble {
		fmt.Fprintf(w, "%-10s at %.3g s: %s\n", e.Kind, e.At, e.Text)
	}
	if p.More > 0 {
		fmt.Fprintf(w, "%-10s %s\n", "", units.Plural(p.More, "further event")+"; vyretop events lists them")
	}
	of := ""
	if p.Ended != nil {
		of = " of the work"
	}
	for _, c := range p.Changed {
		fmt.Fprintf(w, "changed    %s of %s in the last %.2g s%s, first %s\n", units.Plural(c.Words, "word"), c.Buffer, p.Window, of, c.First)
	}
	fmt.Fprintln(w)
	return lastActivations.Write(w, ListOf(p.Workers))
}
