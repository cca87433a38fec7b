package inspect

import (
	"encoding/json"
	"fmt"
	"io"
	"strings"

	"vyretop/megakernel"
	"vyretop/megakernel/health"
	"vyretop/megakernel/stats"
)

// workerVerdicts is the table of what workers are about.
var workerVerdicts = Table[health.WorkerReport]{
	{"worker", func(w *health.WorkerReport) any { return num(w.ID) }},
	{"verdict", func(w *health.WorkerReport) any { return string(w.Verdict) }},
	{"slot", func(w *health.WorkerReport) any {
		if w.Slot == megakernel.NoSlot {
			return nil
		}
		return num(w.Slot)
	}},
	{"task", func(w *health.WorkerReport) any {
		if w.Slot == megakernel.NoSlot {
			return nil
		}
		return taskID(w.Task)
	}},
	{"why", func(w *health.WorkerReport) any { return w.Why }},
}

// waits is the table of what tasks wait for.
var waits = Table[health.Wait]{
	{"tasks", func(w *health.Wait) any { return num(w.Count) }},
	{"kind", func(w *health.Wait) any { return string(w.Kind) }},
	{"word", func(w *health.Wait) any { return w.Word }},
	{"value", func(w *health.Wait) any { return num(w.Value) }},
	{"needs", func(w *health.Wait) any { return w.Needs }},
	{"first_slot", func(w *health.Wait) any { return num(w.Slots[0]) }},
	{"first_task", func(w *health.Wait) any { return taskID(w.Tasks[0]) }},
}

// StallDocument is the document of an explanation.
func StallDocument(s Subject, sample *stats.Sample, r *health.Report) json.RawMessage {
	var o object
	o.add("schema", StallSchema)
	o.add("target", targetOf(s))
	o.position(sample)
	o.add("verdict", string(r.Kind))
	o.add("text", r.Health.String())
	if r.Kind != health.Unknown {
		o.add("stalled", r.Stalled)
	}
	if r.Window > 0 {
		o.add("window_ms", r.Window.Milliseconds())
		o.add("done_delta", r.Done)
	}
	o.add("stuck", r.Stuck)
	o.add("queue_depth", r.Depth)
	o.add("workers", objects(workerVerdicts, r.Workers))
	list := make([]json.RawMessage, len(r.Waits))
	for i := range r.Waits {
		w := &r.Waits[i]
		list[i] = waits[:len(waits)-2].Object(w, "slots", w.Slots, "task_ids", w.Tasks)
	}
	o.add("waits", list)
	return o.end()
}

// briefWaits are the columns of waits for 76 columns, as the dashboard has on a terminal of 80. What is needed comes last: where it
// is long, it continues below.
var briefWaits = Table[health.Wait]{waits[0], waits[1], waits[2], waits[3], {"first", waits[6].Get}, waits[4]}

// StallText is what WriteStall prints of two snapshots, with less of each wait; before may be nil.
func StallText(now, before *megakernel.Snapshot) string {
	var b strings.Builder
	_ = writeStall(&b, health.Explain(now, before), briefWaits) // a builder takes everything
	return b.String()
}

// WriteStall prints an explanation: the verdict, what tasks wait for, and what workers do.
func WriteStall(w io.Writer, r *health.Report) error { return writeStall(w, r, waits) }

func writeStall(w io.Writer, r *health.Report, waits Table[health.Wait]) error {
	fmt.Fprintln(w, verdict(r))
	if len(r.Waits) > 0 {
		fmt.Fprintln(w)
		if err := waits.Write(w, ListOf(r.Waits)); err != nil {
			return err
		}
	}
	if len(r.Workers) == 0 {
		return nil
	}
	fmt.Fprintln(w)
	return workerVerdicts.Write(w, ListOf(r.Workers))
}

// verdict says in a line whether the target is stalled and by what, and for which word tasks wait.
func verdict(r *health.Report) string {
	text := r.Health.String()
	if c := r.Culprit(); c != nil && r.Stalled {
		text += fmt.Sprintf("; %d wait for %s, which is %d and needs to be %s: slot %d, task %s first", c.Count, c.Word, c.Value, c.Needs, c.Slots[0], megakernel.TaskName(c.Tasks[0]))
	}
	return text
}
