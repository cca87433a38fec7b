package replay

import (
	"fmt"
	"io"
	"strconv"

	"vyretop/megakernel"
	"vyretop/megakernel/units"
)

// Document is the JSON document of a result.
type Document struct {
	Schema      string           `json:"schema"`
	Recording   string           `json:"recording"`
	Workload    string           `json:"workload"`
	Recorded    string           `json:"recorded_on"`
	Backend     string           `json:"backend"`
	Renderer    string           `json:"renderer"`
	Seed        *uint64          `json:"seed,omitempty"` // of the reference's scheduler
	Equal       bool             `json:"equal"`
	Published   int              `json:"published"`
	AnySpawns   bool             `json:"unordered_spawns,omitempty"`
	OtherKernel bool             `json:"other_kernel,omitempty"`
	Tasks       DocumentTasks    `json:"tasks"`
	Faults      []DocumentFault  `json:"faults"`
	Results     DocumentResults  `json:"results"`
	Buffers     []DocumentBuffer `json:"buffers"`
	Divergence  *DocumentFirst   `json:"divergence,omitempty"`
	Seconds     float64          `json:"seconds"`
}

// DocumentTasks are the tasks that ended.
type DocumentTasks struct {
	Done            uint64 `json:"done"`
	RecordedDone    uint64 `json:"recorded_done"`
	Faulted         uint64 `json:"faulted"`
	RecordedFaulted uint64 `json:"recorded_faulted"`
}

// DocumentFault is a task whose faults differ; null stands for none.
type DocumentFault struct {
	Task     uint32  `json:"task"`
	Recorded *uint32 `json:"recorded_code"`
	Now      *uint32 `json:"code"`
}

// DocumentResults are the words with which published tasks ended, or why they were not compared.
type DocumentResults struct {
	Compared  int                     `json:"compared"` // tasks
	Different int                     `json:"different"`
	First     *DocumentTaskDifference `json:"first,omitempty"`
	Skipped   string                  `json:"skipped,omitempty"`
}

// DocumentTaskDifference is a word with which a task ended that differs.
type DocumentTaskDifference struct {
	Task     uint32 `json:"task"`
	Word     string `json:"word"`
	Recorded uint32 `json:"recorded"`
	Now      uint32 `json:"now"`
}

// DocumentFirst is the differing word that was written first, and what wrote it on the interpreter.
type DocumentFirst struct {
	Buffer    string          `json:"buffer,omitempty"`
	Index     int             `json:"index"`
	Name      string          `json:"name"`
	Task      *uint32         `json:"task,omitempty"` // that ended with the word; none for a word of a buffer
	Recorded  uint32          `json:"recorded"`
	Now       uint32          `json:"now"`
	Reference *uint32         `json:"reference,omitempty"` // of a word of a buffer
	Writer    *DocumentWriter `json:"writer,omitempty"`
}

// DocumentWriter is the last write to a word.
type DocumentWriter struct {
	Task       uint32 `json:"task"`
	Activation int    `json:"activation"`
	Handler    string `json:"handler"`
	File       string `json:"file,omitempty"`
	Line       int    `json:"line,omitempty"`
	Old        uint32 `json:"old"`
	New        uint32 `json:"new"`
}

// DocumentBuffer is a buffer that was compared, or why it was not.
type DocumentBuffer struct {
	Name      string              `json:"name"`
	Words     int                 `json:"words"`
	Compared  int                 `json:"compared"`
	SHA256    string              `json:"sha256,omitempty"`
	Different int                 `json:"different"`
	First     *DocumentDifference `json:"first,omitempty"`
	Skipped   string              `json:"skipped,omitempty"`
}

// DocumentDifference is a word that differs.
type DocumentDifference struct {
	Index    int    `json:"index"`
	Name     string `json:"name"`
	Recorded uint32 `json:"recorded"`
	Now      uint32 `json:"now"`
}

// NewDocument makes the document of a result. Seed is nil where the backend has none.
func NewDocument(recording string, seed *uint64, r *Result) *Document {
	d := &Document{
		Schema: "vyretop.verification/1", Recording: recording, Workload: r.Workload, Recorded: r.Recorded, Backend: r.Backend, Renderer: r.Renderer, Seed: seed,
		Equal: r.Equal(), Published: r.Published, AnySpawns: r.AnySpawns, OtherKernel: r.OtherKernel, Tasks: DocumentTasks{r.Tasks.Done, r.Tasks.RecordedDone, r.Tasks.Faulted, r.Tasks.RecordedFaulted},
		Faults: []DocumentFault{}, Buffers: []DocumentBuffer{}, Seconds: r.Elapsed.Seconds(),
	}
	for _, f := range r.Faults {
		d.Faults = append(d.Faults, DocumentFault(f))
	}
	d.Results = DocumentResults{Compared: r.Results.Compared, Different: r.Results.Different, First: (*DocumentTaskDifference)(r.Results.First), Skipped: r.Results.Skipped}
	d.Divergence = documentFirst(r.Divergence)
	for _, b := range r.Buffers {
		d.Buffers = append(d.Buffers, DocumentBuffer{Name: b.Name, Words: b.Of, Compared: b.Words, SHA256: b.SHA256, Different: b.Different, First: (*DocumentDifference)(b.First), Skipped: b.Skipped})
	}
	return d
}

func documentFirst(v *Divergence) *DocumentFirst {
	if v == nil {
		return nil
	}
	d := &DocumentFirst{Buffer: v.Buffer, Index: v.Index, Name: v.Name, Recorded: v.Recorded, Now: v.Now, Writer: (*DocumentWriter)(v.Writer)}
	if v.Buffer == "" {
		d.Task = &v.Task
	} else {
		d.Reference = &v.Reference
	}
	return d
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
	done := versus(d.Tasks.Done, d.Tasks.RecordedDone, "done")
	if d.AnySpawns {
		done = fmt.Sprintf("%d done (with spawned ones, whose number depends on the order; recorded: %d)", d.Tasks.Done, d.Tasks.RecordedDone)
	}
	p.line("  %-10s %d published, %s, %s", "tasks", d.Published, done, versus(d.Tasks.Faulted, d.Tasks.RecordedFaulted, "faulted"))
	for _, f := range d.Faults {
		p.line("  %-10s %s; recorded: %s", "task "+strconv.FormatUint(uint64(f.Task), 10), faultText(f.Now), faultText(f.Recorded))
	}
	p.line("  %-10s %s", "results", d.Results.text())
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

// divergence prints the word that was written first, and what wrote it.
func (p *printer) divergence(v *DocumentFirst) {
	if v == nil {
		return
	}
	name := v.Name
	if v.Task != nil {
		name = fmt.Sprintf("%s of task %s", v.Name, megakernel.TaskName(*v.Task))
	}
	p.line("first divergence: %s is %d, recorded %d", name, v.Now, v.Recorded)
	if v.Writer == nil {
		p.line("  no handler writes it on the reference interpreter")
		return
	}
	p.line("  %s", v.Writer.text())
	switch {
	case v.Reference == nil || *v.Reference == v.Now:
	case *v.Reference == v.Recorded:
		p.line("  the interpreter comes to the recorded value: the backend that executed the run again does not")
	default:
		p.line("  the interpreter came to %d this time: the value depends on the order in which tasks run", *v.Reference)
	}
}

func (w *DocumentWriter) text() string {
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

func (r *DocumentResults) text() string {
	switch {
	case r.Skipped != "":
		return "not compared: " + r.Skipped
	case r.First != nil:
		return fmt.Sprintf("%s of %d ended otherwise, first task %s: %s %d, recorded %d", units.Plural(r.Different, "task"), r.Compared, megakernel.TaskName(r.First.Task), r.First.Word, r.First.Now, r.First.Recorded)
	}
	return "equal of " + units.Plural(r.Compared, "task")
}

func (b *DocumentBuffer) text() string {
	switch {
	case b.Skipped != "":
		return "not compared: " + b.Skipped
	case b.First != nil:
		return fmt.Sprintf("%s of %d differ, first %s: %d, recorded %d", units.Plural(b.Different, "word"), b.Compared, b.First.Name, b.First.Now, b.First.Recorded)
	case b.Compared < b.Words:
		return fmt.Sprintf("first %d of %d words equal; the others are not recorded", b.Compared, b.Words)
	}
	return fmt.Sprintf("%s equal, sha256 %.12s", units.Plural(b.Words, "word"), b.SHA256)
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
