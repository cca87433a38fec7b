package capture

import (
	"fmt"
	"io"
	"strings"

	"vyretop/engine/units"
	"vyretop/megakernel"
)

// ComparedSchema names the document of an activation that ran on the interpreter and on the device.
const ComparedSchema = "vyretop.compared/1"

// Compared is the JSON document of such an activation.
type Compared struct {
	Schema   string `json:"schema"` // ComparedSchema
	Target   string `json:"target"`
	Renderer string `json:"renderer"`
	Task     uint32 `json:"task"`
	Handler  string `json:"handler"`
	Comparison
}

// NewCompared makes the document.
func NewCompared(c *Capture, r Comparison) Compared {
	return Compared{Schema: ComparedSchema, Target: c.Source, Renderer: c.Target.Renderer, Task: c.Task, Handler: c.Handler, Comparison: r}
}

// WriteText prints a comparison of an activation of c for people.
func (r *Comparison) WriteText(w io.Writer, c *Capture) error {
	fmt.Fprintln(w, c.About())
	fmt.Fprintf(w, "%s that the activation wrote: equal on the interpreter and %s\n", units.Plural(r.Equal, "word"), c.Target.Renderer)
	for _, d := range r.Differences {
		line := ""
		if d.Line != "" {
			line = ", written at " + d.Line
		}
		fmt.Fprintf(w, "  %s: interpreter %d, device %d, before %d%s\n", d.Name, d.Interpreter, d.Device, d.Before, line)
	}
	if r.More > 0 {
		fmt.Fprintf(w, "  and %d more\n", r.More)
	}
	if r.NoSlot {
		fmt.Fprintln(w, "the task's own words were not compared: the task has ended, and another one has its slot")
	}
	if r.Foreign > 0 {
		fmt.Fprintf(w, "%s changed that the activation does not write: other tasks ran\n", units.Plural(r.Foreign, "word"))
	}
	verdict := "no difference"
	if len(r.Differences) > 0 {
		verdict = fmt.Sprintf("%s. Likely cause: %s", units.Plural(len(r.Differences)+r.More, "difference"), r.Cause)
	}
	_, err := fmt.Fprintf(w, "%s\nthe device has run this activation: the next look at the task is at the one after it\n", verdict)
	return err
}

// About says what was captured, and what may differ from the activation on the device.
func (c *Capture) About() string {
	var b strings.Builder
	fmt.Fprintf(&b, "task %s of %s: handler %s, %s, slot %d", megakernel.TaskName(c.Task), c.Source, c.Handler, c.State, c.Slot)
	if c.Held != nil {
		fmt.Fprintf(&b, "\n%s", c.Held)
	}
	for _, note := range c.Notes {
		fmt.Fprintf(&b, "\nnote: %s", note)
	}
	for _, x := range c.Changed {
		fmt.Fprintf(&b, "\nnote: %s of buffer %s changed, from word %d on", units.Plural(x.Words, "word"), x.Buffer, x.First)
	}
	return b.String()
}
