package replay

import (
	"fmt"
	"io"
	"strconv"

	"vyretop/engine/units"
	"vyretop/megakernel"
)

// Document is the JSON document of a result.
type Document struct {
	Schema      string            `json:"schema"`
	Recording   string            `json:"recording"`
	Workload    string            `json:"workload"`
	Recorded    string            `json:"recorded_on"`
	Backend     string            `json:"backend"`
	Renderer    string            `json:"renderer"`
	Seed        *uint64           `json:"seed,omitempty"` // of the reference's scheduler
	Equal       bool              `json:"equal"`
	Published   int               `json:"published"`
	AnySpawns   bool              `json:"unordered_spawns,omitempty"`
	OtherKernel bool              `json:"other_kernel,omitempty"`
	Tasks       Counts            `json:"tasks"`
	Faults      []FaultDifference `json:"faults"`
	Results     Results           `json:"results"`
	Buffers     []BufferResult    `json:"buffers"`
	Epochs      int               `json:"epochs,omitempty"` // in which buffers were compared, beside the end
	Stopped     *Stop             `json:"stopped,omitempty"`
	Divergence  *Divergence       `json:"divergence,omitempty"`
	Seconds     float64           `json:"seconds"`
}

// VerificationSchema is that of the document.
const VerificationSchema = "vyretop.verification/1"

// NewDocument makes the document of a result. Seed is nil where the backend has none.
func NewDocument(recording string, seed *uint64, r *Result) *Document {
	return &Document{
		Schema: VerificationSchema, Recording: recording, Workload: r.Workload, Recorded: r.Recorded, Backend: r.Backend, Renderer: r.Renderer, Seed: seed,
		Equal: r.Equal(), Published: r.Published, AnySpawns: r.AnySpawns, OtherKernel: r.OtherKernel, Tasks: r.Tasks,
		Faults: append([]FaultDifference{}, r.Faults...), Results: r.Results, Buffers: append([]BufferResult{}, r.Buffers...), Divergence: r.Divergence, Epochs: r.Epochs, Stopped: r.Stopped, Seconds: r.Elapsed.Seconds(),
	}
}

// WriteText prints a result for people.
func WriteText(w io.Writer, d *Document) error {
	p := &printer{w: w}
	p.line("%s: %s, recorded on %s", d.Recording, d.Workload, d.Recorded)
	on := d.Backend + ", " + d.Renderer
	if d.Seed != nil {
		on += ", seed " + strconv.FormatUint(*d.Seed, 10)
	}
	p.line("executed again on %s in %.3g s", on, d.Seconds)
	if d.OtherKernel {
		p.line("  the recorded handlers run in the kernel of this version of vyretop, which is not the recorded one")
	}
	if d.Stopped == nil || d.Stopped.Whole {
		p.ends(d)
	}
	p.stopped(d)
	for i := range d.Buffers {
		p.line("  %-10s %s", d.Buffers[i].Name, d.Buffers[i].text())
	}
	p.divergence(d.Divergence)
	if d.Equal {
		p.line("verified: the run ends as recorded")
	} else {
		p.line("different: the run does not end as recorded")
	}
	return p.err
}

// ends prints how the tasks ended.
func (p *printer) ends(d *Document) {
	done := versus(d.Tasks.Done, d.Tasks.RecordedDone, "done")
	if d.AnySpawns {
		done = fmt.Sprintf("%d done (with spawned ones, whose number depends on the order; recorded: %d)", d.Tasks.Done, d.Tasks.RecordedDone)
	}
	p.line("  %-10s %d published, %s, %s", "tasks", d.Published, done, versus(d.Tasks.Faulted, d.Tasks.RecordedFaulted, "faulted"))
	for _, f := range d.Faults {
		p.line("  %-10s %s; recorded: %s", "task "+strconv.FormatUint(uint64(f.Task), 10), faultText(f.Now), faultText(f.Recorded))
	}
	p.line("  %-10s %s", "results", d.Results.text())
	if d.Epochs > 0 {
		p.line("  %-10s buffers equal at the end of %s", "epochs", units.Plural(d.Epochs, "epoch"))
	}
}

// stopped prints where the run differed before its end.
func (p *printer) stopped(d *Document) {
	if d.Stopped == nil {
		return
	}
	what := "a task ended otherwise"
	if d.Stopped.State {
		what = "buffers differ at its end"
	}
	rest := ""
	if !d.Stopped.Whole {
		rest = ": the rest was not executed"
	}
	p.line("  %-10s %s in epoch %d, at %.3f s of the recording%s", "differs", what, d.Stopped.Epoch, d.Stopped.Seconds, rest)
	if f := d.Results.First; f != nil {
		p.line("  %-10s %s %d, recorded %d", "task "+megakernel.TaskName(f.Task), f.Word, f.Now, f.Recorded)
	}
}

// divergence prints the word that was written first, and what wrote it.
func (p *printer) divergence(v *Divergence) {
	if v == nil {
		return
	}
	name := v.Name
	if v.Task != nil {
		name = fmt.Sprintf("%s of task %s", v.Name, megakernel.TaskName(*v.Task))
	}
	p.line("first divergence: %s is %d, recorded %d", name, v.Now, v.Recorded)
	if v.Late {
		p.line("  what writes it was not found within %.3g s on the reference interpreter, and was not looked for any longer", v.Within)
		return
	}
	if v.Writer == nil {
		p.line("  no handler writes it on the reference interpreter")
		return
	}
	p.line("  %s", v.Writer.text())
	if v.Input != nil {
		p.line("  in epoch %d, by published task %d, at %.3f s of the recording", v.Writer.Epoch, v.Input.Number, v.Input.Seconds)
	}
	switch {
	case v.Reference == nil || *v.Reference == v.Now:
	case *v.Reference == v.Recorded:
		p.line("  the interpreter comes to the recorded value: the backend that executed the run again does not")
	default:
		p.line("  the interpreter came to %d this time: the value depends on the order in which tasks run", *v.Reference)
	}
}

func (w *Writer) text() string {
	line := ""
	if w.File != "" {
		line = fmt.Sprintf("%s:%d, ", w.File, w.Line)
	}
	text := fmt.Sprintf("written by %shandler %s, task %s, activation %d", line, w.Handler, megakernel.TaskName(w.Task), w.Activation)
	if w.File == "" {
		return text
	}
	return fmt.Sprintf("%s: %d -> %d", text, w.Old, w.New)
}

func (r *Results) text() string {
	switch {
	case r.Skipped != "":
		return "not compared: " + r.Skipped
	case r.First != nil:
		return fmt.Sprintf("%s of %d ended otherwise, first task %s: %s %d, recorded %d", units.Plural(r.Different, "task"), r.Compared, megakernel.TaskName(r.First.Task), r.First.Word, r.First.Now, r.First.Recorded)
	}
	return "equal of " + units.Plural(r.Compared, "task")
}

func (b *BufferResult) text() string {
	switch {
	case b.Skipped != "":
		return "not compared: " + b.Skipped
	case b.First != nil:
		return fmt.Sprintf("%s of %d differ, first %s: %d, recorded %d", units.Plural(b.Different, "word"), b.Words, b.First.Name, b.First.Now, b.First.Recorded)
	case b.Words < b.Of:
		return fmt.Sprintf("first %d of %d words equal; the others are not recorded", b.Words, b.Of)
	}
	return fmt.Sprintf("%s equal, sha256 %.12s", units.Plural(b.Of, "word"), b.SHA256)
}

func versus(now, recorded uint64, what string) string {
	if now == recorded {
		return fmt.Sprintf("%d %s", now, what)
	}
	return fmt.Sprintf("%d %s (recorded: %d)", now, what, recorded)
}

func faultText(code *uint32) string {
	if code == nil {
		return "did not fault"
	}
	return fmt.Sprintf("faulted with code %d", *code)
}

// printer keeps the first error.
type printer struct {
	w   io.Writer
	err error
}

func (p *printer) line(format string, args ...any) {
	if p.err == nil {
		_, p.err = fmt.Fprintf(p.w, format+"\n", args...)
	}
}
