package run

import (
	"fmt"
	"io"
	"math"
	"strings"
	"text/tabwriter"
	"time"

	"vyretop/engine"
	"vyretop/engine/units"
	"vyretop/megakernel"
	"vyretop/megakernel/resident"
)

// DocumentSchema names the document of a run.
const DocumentSchema = "vyretop.run/1"

// Document is the JSON document of a run. What was not done or not read is null or absent, never zero, and units are part of the
// name of a member.
type Document struct {
	Schema        string `json:"schema"` // DocumentSchema
	Backend       string `json:"backend"`
	Renderer      string `json:"renderer"`
	Workload      string `json:"workload"`
	Workers       int    `json:"workers"`
	WorkgroupSize int    `json:"workgroup_size"`
	Tasks         Tasks  `json:"tasks"`
	// Devices are what each of several devices did.
	Devices []DeviceShare `json:"devices,omitempty"`

	// Interim is of a run that the interpreter has begun, for --start now.
	Interim *Interim `json:"interim,omitempty"`

	Slices      uint32  `json:"slices"`
	FirstTaskMs float64 `json:"first_task_ms,omitempty"` // from the start of the program to the first task that was done
	ElapsedMs   float64 `json:"elapsed_ms"`              // from the first slice to the end of the work
	PausedMs    float64 `json:"paused_ms,omitempty"`     // of that, how long all workers were paused
	TasksPerS   float64 `json:"tasks_per_s"`             // done tasks over the rest of that time
	Rate        *Rate   `json:"rate,omitempty"`          // of a workload that counts its work
	// Progress is how much work was done by then, of a run that was cut short.
	Progress  *megakernel.Progress `json:"progress,omitempty"`
	Log       Log                  `json:"log"`
	Faults    []string             `json:"faults,omitempty"` // the first ones: task, code, line, handler
	Undefined []Undefined          `json:"undefined,omitempty"`
	Verified  *bool                `json:"verified"` // null when the work was cut short
	Outputs   []Written            `json:"outputs,omitempty"`
	Result    any                  `json:"result"` // the workload's own; null when the work was cut short
}

// Tasks counts what happened to tasks.
type Tasks struct {
	Submitted uint64 `json:"submitted"`
	Done      uint64 `json:"done"`
	Faulted   uint64 `json:"faulted"`
	Yields    uint64 `json:"yields"`
	Requeues  uint64 `json:"requeues"`
	Pauses    uint64 `json:"pauses"`
	Spawned   uint64 `json:"spawned"`
	Left      uint64 `json:"left"` // submitted or spawned, and neither done nor faulted: the run was cut short
}

// Rate is how much of its own work a run did in a second, without the time for which it was paused.
type Rate struct {
	PerS float64 `json:"per_s"`
	Unit string  `json:"unit"` // of megakernel.Progress
}

// Log counts debug-log records.
type Log struct {
	Records uint64 `json:"records"` // written by the kernel
	Lost    uint64 `json:"lost"`    // of them overwritten before they were read,
	// LostKinds is those by kind, of kinds that were lost.
	LostKinds map[string]uint64 `json:"lost_kinds,omitempty"`
}

// Undefined is an operation of the kernel whose result GLSL leaves undefined.
type Undefined struct {
	engine.Undefined

	Place *megakernel.Place `json:"first,omitempty"` // where it happened first; absent where that is not known

	text string
}

// NewDocument makes the document of a run.
func NewDocument(o *Outcome) Document {
	c := o.Summary.Counters
	r := Document{
		Schema: DocumentSchema, Backend: o.Identity.Name, Renderer: o.Identity.Renderer, Workload: o.Workload,
		Workers: o.Shape.Workers, WorkgroupSize: o.Shape.WorkgroupSize, Devices: o.Devices, Interim: o.Interim,
		Tasks: Tasks{
			Submitted: o.Summary.Submitted, Done: c[megakernel.CountDone], Faulted: c[megakernel.CountFaulted],
			Yields: c[megakernel.CountYields], Requeues: c[megakernel.CountRequeues],
			Pauses: c[megakernel.CountPauses], Spawned: c[megakernel.CountSpawned],
		},
		Slices: o.Summary.Slices, ElapsedMs: units.Milliseconds(o.Elapsed), PausedMs: units.Milliseconds(o.Paused),
		Log:    Log{Records: o.LogRead + o.LogLost, Lost: o.LogLost, LostKinds: lostKinds(&o.LogLostKinds)},
		Faults: o.Faults, Outputs: o.Outputs, Result: o.Result,
	}
	for i := range o.Undefined {
		u := &o.Undefined[i]
		var first *megakernel.Place
		if i < len(o.Places) {
			first = o.Places[i]
		}
		r.Undefined = append(r.Undefined, Undefined{Undefined: *u, Place: first, text: resident.UndefinedText(u, first)})
	}
	if made, over := r.Tasks.Submitted+r.Tasks.Spawned, r.Tasks.Done+r.Tasks.Faulted; made > over {
		r.Tasks.Left = made - over
	}
	if s := (o.Elapsed - o.Paused).Seconds(); s > 0 {
		r.TasksPerS = tenths(float64(r.Tasks.Done) / s)
		if p := &o.Progress; p.CountsWork() && p.Done > 0 {
			r.Rate = &Rate{tenths(float64(p.Done) / s), p.Unit}
		}
	}
	if first := o.Summary.FirstDone; !first.IsZero() && !o.Began.IsZero() {
		r.FirstTaskMs = units.Milliseconds(first.Sub(o.Began))
	}
	if !o.Verified && !o.Forgone && o.Progress.Known() {
		r.Progress = &o.Progress
	}
	if o.Verified {
		r.Verified = &o.Verification.OK
	}
	return r
}

func tenths(v float64) float64 { return math.Round(v*10) / 10 }

// timeText is a time in milliseconds for people, who read 62126.1 ms as 1m2.1s.
func timeText(ms float64) string {
	if ms < 10_000 {
		return fmt.Sprintf("%.1f ms", ms)
	}
	return time.Duration(ms * float64(time.Millisecond)).Round(100 * time.Millisecond).String()
}

// WriteSummary prints a run for people.
func WriteSummary(w io.Writer, o *Outcome) error {
	r := NewDocument(o)
	t := tabwriter.NewWriter(w, 0, 0, 2, ' ', 0)
	fmt.Fprintf(t, "%s\ton %s: %s\n", r.Workload, r.Backend, r.Renderer)
	fmt.Fprintf(t, "workers\t%d of %d lanes, %d slices\n", r.Workers, r.WorkgroupSize, r.Slices)
	left := ""
	if r.Tasks.Left > 0 {
		left = fmt.Sprintf(", %d left", r.Tasks.Left)
	}
	fmt.Fprintf(t, "tasks\t%d submitted, %d spawned, %d done, %d faulted%s\n", r.Tasks.Submitted, r.Tasks.Spawned, r.Tasks.Done, r.Tasks.Faulted, left)
	fmt.Fprintf(t, "\t%d yields, %d requeues, %d pauses\n", r.Tasks.Yields, r.Tasks.Requeues, r.Tasks.Pauses)
	for i, d := range r.Devices {
		fmt.Fprintf(t, "%s\t%s\n", heading(i, "devices"), d)
	}
	if r.Interim != nil {
		fmt.Fprintf(t, "begun\t%v\n", r.Interim)
	}
	if r.Progress != nil {
		fmt.Fprintf(t, "work\t%s\n", workText(r.Progress))
	}
	fmt.Fprintf(t, "time\t%s\n", r.timing())
	fmt.Fprintf(t, "debug log\t%d records, %d lost%s\n", r.Log.Records, r.Log.Lost, lostText(&o.LogLostKinds))
	for i, text := range r.Faults {
		fmt.Fprintf(t, "%s\t%s\n", heading(i, "faults"), text)
	}
	if n := int64(r.Tasks.Faulted) - int64(len(r.Faults)); len(r.Faults) > 0 && n > 0 {
		fmt.Fprintf(t, "\tand %d more\n", n)
	}
	for i, u := range r.Undefined {
		least := ""
		if u.AtLeast {
			least = "at least "
		}
		fmt.Fprintf(t, "%s\t%s, %s%d times\n", heading(i, "undefined"), u.text, least, u.Times)
	}
	for i, w := range r.Outputs {
		partial := ""
		if w.Partial {
			partial = ", partial"
		}
		fmt.Fprintf(t, "%s\t%s: buffer %s, %d words%s\n", heading(i, "output"), w.File, w.Buffer, w.Words, partial)
	}
	writeResult(t, r.Result)
	fmt.Fprintf(t, "verified\t%s\n", verdict(o))
	return t.Flush()
}

// timing is how long a run took and how fast it was, for people.
func (r *Document) timing() string {
	text := timeText(r.ElapsedMs)
	if r.PausedMs > 0 {
		text += ", " + timeText(r.PausedMs) + " of it paused"
	}
	text += fmt.Sprintf(", %.1f tasks/s", r.TasksPerS)
	if r.Rate != nil {
		text += fmt.Sprintf(", %s %s/s", units.Count(uint64(r.Rate.PerS)), r.Rate.Unit)
	}
	if r.FirstTaskMs > 0 {
		text += "; the first task was done after " + timeText(r.FirstTaskMs)
	}
	return text
}

// workText says how much of its work a run that was cut short has done.
func workText(p *megakernel.Progress) string {
	if share, ok := p.Share(); ok {
		return fmt.Sprintf("%.1f %% done: %d of %d %s", 100*share, p.Done, p.Total, p.Unit)
	}
	return fmt.Sprintf("%d %s done", p.Done, p.Unit)
}

// heading is the name of a list before its first item, and nothing before the others.
func heading(item int, name string) string {
	if item > 0 {
		return ""
	}
	return name
}

// writeResult prints the fields of a result, one a line, in the order of its JSON form. A list of objects has a line for each.
func writeResult(w io.Writer, result any) {
	for _, f := range units.Members(result) {
		for i, line := range strings.Split(f.Value, "\n") {
			fmt.Fprintf(w, "%s\t%s\n", heading(i, f.Name), line)
		}
	}
}

func verdict(o *Outcome) string {
	switch {
	case o.Forgone:
		return "no, the verification was not waited for"
	case !o.Verified:
		return "no, the work was cut short"
	case o.Verification.OK:
		return "yes: " + o.Verification.Detail
	default:
		return "FAILED: " + o.Verification.Detail
	}
}
