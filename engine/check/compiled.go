package check

import (
	"errors"
	"fmt"
	"io"

	"vyretop/engine"
	"vyretop/engine/glsl/source"
	"vyretop/engine/reference/lower"
)

// CompiledSchema names the document of a check.
const CompiledSchema = "vyretop.check/1"

// Compiled is the JSON document of what the front end found in a kernel.
type Compiled struct {
	Schema      string       `json:"schema"` // CompiledSchema
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
	Image    string `json:"image,omitempty"` // type of the image or texture that it stands for
}

var (
	severities = map[source.Severity]string{source.Error: "error", source.Warning: "warning"}
	kinds      = map[source.Kind]string{source.Malformed: "malformed", source.OutsideSubset: "outside the kernel language", source.Suspicious: "suspicious"}
	accesses   = map[engine.Access]string{engine.ReadWrite: "read-write", engine.ReadOnly: "read-only", engine.WriteOnly: "write-only"}
)

// NewCompiled makes the document of a check; p may be nil when there are errors.
func NewCompiled(kernel string, p *engine.Program, found source.Diagnostics) Compiled {
	c := Compiled{Schema: CompiledSchema, Kernel: kernel, Errors: len(found.Errors()), Warnings: len(found.Warnings()), Diagnostics: []Diagnostic{}}
	for _, d := range found {
		c.Diagnostics = append(c.Diagnostics, Diagnostic{
			File: d.Pos.File, Line: d.Pos.Line, Column: d.Pos.Col, Macro: d.Pos.Macro,
			Severity: severities[d.Severity], Kind: kinds[d.Kind], Construct: d.Construct, Message: d.Message, Fix: d.Fix, text: d.String(),
		})
	}
	if c.OK = c.Errors == 0; c.OK {
		c.Program = newProgramDocument(p)
	}
	return c
}

// TooLarge tells where a kernel needs more than the reference backend has.
func TooLarge(p *engine.Program) source.Diagnostics {
	if p.Tree == nil {
		return nil
	}
	_, err := lower.Lower(p.Tree)
	var limit *lower.LimitError
	if !errors.As(err, &limit) {
		return nil
	}
	return source.Diagnostics{{Pos: limit.Pos, Kind: source.OutsideSubset, Construct: limit.What, Fix: "call large functions from fewer places, or use smaller arrays",
		Message: fmt.Sprintf("the kernel needs more than %d %s on the reference backend, all calls inlined", limit.Limit, limit.What)}}
}

func newProgramDocument(p *engine.Program) *Program {
	out := &Program{Fingerprint: p.Fingerprint(), Workgroup: p.WorkgroupSize, Buffers: []Buffer{}, Operations: p.Operations(), Formats: append([]string{}, p.Formats...)}
	for _, b := range p.Buffers {
		out.Buffers = append(out.Buffers, Buffer{Binding: b.Binding, Name: b.Name, Access: accesses[b.Access], MinBytes: uint64(b.MinWords) * 4, Image: imageOf(p, b.Binding)})
	}
	return out
}

// imageOf is the type of the image or texture at a binding, "" where there is a block.
func imageOf(p *engine.Program, binding uint32) string {
	for _, b := range p.Tree.Buffers {
		if b.Image != nil && uint32(b.Binding) == binding {
			return b.Image.Type
		}
	}
	return ""
}

// WriteCompiled prints for people that a kernel has no errors.
func WriteCompiled(w io.Writer, c Compiled) error {
	p := c.Program
	size := p.Workgroup
	_, err := fmt.Fprintf(w, "%s: ok (workgroup %d x %d x %d, buffers %d, operations %d, debug formats %d, warnings %d)\n",
		c.Kernel, size[0], size[1], size[2], len(p.Buffers), len(p.Operations), len(p.Formats), c.Warnings)
	return err
}
