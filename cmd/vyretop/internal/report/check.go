package report

import (
	"fmt"
	"io"

	"vyretop/engine"
	"vyretop/engine/glsl/source"
)

// CheckSchema names the document of a check.
const CheckSchema = "vyretop.check/1"

// Check is the JSON document of what the front end found in a kernel.
type Check struct {
	Schema      string       `json:"schema"` // CheckSchema
	Kernel      string       `json:"kernel"` // as it was named
	OK          bool         `json:"ok"`     // no errors: every backend can run it
	Errors      int          `json:"errors"`
	Warnings    int          `json:"warnings"`
	Diagnostics []Diagnostic `json:"diagnostics"`
	Program     *Program     `json:"program"` // null when there are errors
}

// Diagnostic is one problem.
type Diagnostic struct {
	File      string `json:"file"`
	Line      int    `json:"line"`
	Column    int    `json:"column"`          // from 1, in bytes
	Macro     string `json:"macro,omitempty"` // whose expansion produced the place
	Severity  string `json:"severity"`        // "error" or "warning"
	Kind      string `json:"kind"`            // "malformed", "outside the kernel language" or "suspicious"
	Construct string `json:"construct"`
	Message   string `json:"message"`
	Fix       string `json:"fix,omitempty"`
	text      string
}

// String gives the line for people: position, severity, message and fix.
func (d Diagnostic) String() string { return d.text }

// Program is what the front end knows of a kernel without errors.
type Program struct {
	Fingerprint string    `json:"fingerprint"`
	Workgroup   [3]uint32 `json:"workgroup"`
	Buffers     []Buffer  `json:"buffers"`
	Operations  []string  `json:"operations"`
	Formats     []string  `json:"debug_formats"`
}

// Buffer is one storage block of a kernel.
type Buffer struct {
	Binding  uint32 `json:"binding"`
	Name     string `json:"name"`
	Access   string `json:"access"` // "read-write", "read-only" or "write-only"
	MinBytes uint64 `json:"min_bytes"`
}

var (
	severities = map[source.Severity]string{source.Error: "error", source.Warning: "warning"}
	kinds      = map[source.Kind]string{source.Malformed: "malformed", source.OutsideSubset: "outside the kernel language", source.Suspicious: "suspicious"}
	accesses   = map[engine.Access]string{engine.ReadWrite: "read-write", engine.ReadOnly: "read-only", engine.WriteOnly: "write-only"}
)

// NewCheck makes the document of a check; p may be nil when there are errors.
func NewCheck(kernel string, p *engine.Program, found source.Diagnostics) Check {
	c := Check{Schema: CheckSchema, Kernel: kernel, Errors: len(found.Errors()), Warnings: len(found.Warnings()), Diagnostics: []Diagnostic{}}
	for _, d := range found {
		c.Diagnostics = append(c.Diagnostics, Diagnostic{
			File: d.Pos.File, Line: d.Pos.Line, Column: d.Pos.Col, Macro: d.Pos.Macro,
			Severity: severities[d.Severity], Kind: kinds[d.Kind], Construct: d.Construct, Message: d.Message, Fix: d.Fix, text: d.Error(),
		})
	}
	if c.OK = c.Errors == 0; c.OK {
		c.Program = newProgram(p)
	}
	return c
}

func newProgram(p *engine.Program) *Program {
	out := &Program{Fingerprint: p.Fingerprint(), Workgroup: p.WorkgroupSize, Buffers: []Buffer{}, Operations: p.Operations(), Formats: append([]string{}, p.Formats...)}
	for _, b := range p.Buffers {
		out.Buffers = append(out.Buffers, Buffer{Binding: b.Binding, Name: b.Name, Access: accesses[b.Access], MinBytes: uint64(b.MinWords) * 4})
	}
	return out
}

// WriteCheck prints for people that a kernel has no errors.
func WriteCheck(w io.Writer, c Check) error {
	p := c.Program
	_, err := fmt.Fprintf(w, "%s: ok (workgroup %s, buffers %d, operations %d, debug formats %d, warnings %d)\n",
		c.Kernel, extent(p.Workgroup), len(p.Buffers), len(p.Operations), len(p.Formats), c.Warnings)
	return err
}
