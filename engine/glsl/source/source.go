// Package source owns what every stage of the kernel-language front end shares: files, exact
// positions in them, tokens and diagnostics. It imports nothing of the project.
//
// Lines and columns count from 1; a column counts bytes. A position inside a macro expansion is
// the place where the macro was used, with Macro naming it, because that is the line a person
// can set a breakpoint on.
package source

import (
	"fmt"
	"strings"
)

// File is one source text as the user sees it: a path on disk, or a name such as
// "vyretop/log.glsl" for a text embedded in the program.
type File struct {
	Name string // as shown in positions
	Text string
}

// Pos is a place in a source text. The zero Pos means "no position".
type Pos struct {
	File  string // File.Name, or the name given by a #line directive
	Line  int    // from 1
	Col   int    // from 1, in bytes
	Macro string // name of the outermost macro whose expansion produced this place, or ""
}

// IsValid reports whether p names a place.
func (p Pos) IsValid() bool { return p.Line > 0 }

// String gives "file:line:column", the form compilers and editors understand.
func (p Pos) String() string {
	if !p.IsValid() {
		return "-"
	}
	return fmt.Sprintf("%s:%d:%d", p.File, p.Line, p.Col)
}

// MarshalText gives the same, for JSON.
func (p Pos) MarshalText() ([]byte, error) { return []byte(p.String()), nil }

// Severity tells errors from warnings.
type Severity uint8

// The severities of a Diagnostic.
const (
	Error Severity = iota
	Warning
)

// Kind says what sort of problem a Diagnostic reports.
type Kind uint8

// The kinds of a Diagnostic. Malformed text is wrong in any GLSL compiler; OutsideSubset is valid
// GLSL that the kernel language does not cover, so an OpenGL driver may still run it.
const (
	Malformed Kind = iota
	OutsideSubset
	Suspicious // warnings: legal, and probably not meant
)

// DeclareFix is the advice about a name that nothing declares. Where nothing can be declared, such as in an expression of a
// debugger, it is to be replaced.
const DeclareFix = "declare it before its first use, or correct the spelling"

// Diagnostic is one problem found in a kernel text.
type Diagnostic struct {
	Pos       Pos
	Severity  Severity
	Kind      Kind
	Construct string // what was met, e.g. "sampler2D", "while", "binary +"
	Message   string // one sentence without the position and without the fix
	Fix       string // what to do about it, without the words "Fix: "
}

// String renders the diagnostic on one line: position, message, fix.
func (d Diagnostic) String() string {
	sev := "error"
	if d.Severity == Warning {
		sev = "warning"
	}
	s := fmt.Sprintf("%s: %s: %s", d.Pos, sev, d.Message)
	if d.Fix != "" {
		s += ". Fix: " + d.Fix
	}
	return s
}

// Diagnostics is a list of problems in source order; as an error it carries all of them.
type Diagnostics []Diagnostic

// Error renders one diagnostic a line.
func (ds Diagnostics) Error() string {
	lines := make([]string, len(ds))
	for i, d := range ds {
		lines[i] = d.String()
	}
	return strings.Join(lines, "\n")
}

// Errors returns the diagnostics of severity Error.
func (ds Diagnostics) Errors() Diagnostics { return ds.only(Error) }

// Warnings returns the diagnostics of severity Warning.
func (ds Diagnostics) Warnings() Diagnostics { return ds.only(Warning) }

func (ds Diagnostics) only(s Severity) Diagnostics {
	var out Diagnostics
	for _, d := range ds {
		if d.Severity == s {
			out = append(out, d)
		}
	}
	return out
}
