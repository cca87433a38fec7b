package check

import (
	"fmt"
	"io"
	"strings"

	"vyretop/engine/units"
)

// DocumentSchema names the document of a checked run.
const DocumentSchema = "vyretop.check.run/1"

// Document is the JSON document of a run under the checkers.
type Document struct {
	Schema   string    `json:"schema"` // DocumentSchema
	Kernel   string    `json:"kernel"` // as it was named
	OK       bool      `json:"ok"`     // nothing was found in a run that came to its end, with a right result
	Findings []Finding `json:"findings"`
	Left     int       `json:"left,omitempty"` // findings beyond those listed
	// Incomplete says why not everything was checked; "" if it was.
	Incomplete string `json:"incomplete,omitempty"`
	CutShort   bool   `json:"cut_short,omitempty"` // the run did not come to its end
	// Verification says what is wrong with the result of a workload that came to its end; "" if nothing is.
	Verification string `json:"verification,omitempty"`
}

// NewDocument makes the document.
func NewDocument(kernel string, r Report) Document {
	d := Document{Schema: DocumentSchema, Kernel: kernel, OK: len(r.Findings) == 0, Findings: append([]Finding{}, r.Findings...), Left: r.Left}
	var limits []string
	if r.Unwatched {
		limits = append(limits, "there were too many words or tasks to look for data races among all of them")
	}
	if r.Passed > 0 {
		limits = append(limits, "what comes behind a barrier that not all invocations reached was checked as if they had, so it may find what follows from that, and miss what they do instead")
	}
	if r.Stopped {
		d.CutShort = true
		limits = append(limits, "the loop does not end, so what comes behind it, and what other workgroups would have done, was not checked")
	}
	d.Incomplete = strings.Join(limits, "; ")
	return d
}

// Cut notes that the run did not come to its end; what names it, such as "the dispatch".
func (d *Document) Cut(what string) {
	d.OK, d.CutShort = false, true
	cut := what + " did not come to its end, so not everything was checked"
	if d.Incomplete != "" {
		cut = d.Incomplete + "; " + cut
	}
	d.Incomplete = cut
}

// FailVerification notes that the result of the run is wrong.
func (d *Document) FailVerification(detail string) { d.OK, d.Verification = false, detail }

// WriteText prints findings as compilers do, each with its accesses and their calls.
func WriteText(w io.Writer, d Document) error {
	var out strings.Builder
	for _, f := range d.Findings {
		times := ""
		if f.Count > 1 {
			times = fmt.Sprintf(" (%d times)", f.Count)
		}
		at := f.Access.Stack[0]
		fmt.Fprintf(&out, "%s:%d:%d: %s: %s%s\n", at.File, at.Line, at.Col, f.Kind, f.Text, times)
		writeAccess(&out, &f.Access)
		if len(f.Other.Stack) > 0 {
			writeAccess(&out, &f.Other)
		}
	}
	switch n := len(d.Findings); {
	case n == 0 && d.CutShort:
		fmt.Fprintf(&out, "%s: cut short; no problems found until then\n", d.Kernel)
	case n == 0:
		fmt.Fprintf(&out, "%s: no problems found\n", d.Kernel)
	case d.Left > 0:
		fmt.Fprintf(&out, "%s: %d problems found, and %d more that are not listed\n", d.Kernel, n, d.Left)
	case n == 1:
		fmt.Fprintf(&out, "%s: 1 problem found\n", d.Kernel)
	default:
		fmt.Fprintf(&out, "%s: %d problems found\n", d.Kernel, n)
	}
	if d.Incomplete != "" {
		fmt.Fprintf(&out, "%s: %s\n", d.Kernel, d.Incomplete)
	}
	_, err := io.WriteString(w, out.String())
	return err
}

func writeAccess(out *strings.Builder, a *Access) {
	fmt.Fprintf(out, "    %s by %s", a.What, doer(a))
	for _, f := range a.Stack {
		fmt.Fprintf(out, "\n        in %s at %s:%d:%d", f.Func, f.File, f.Line, f.Col)
	}
	out.WriteByte('\n')
}

// doer says who did an access.
func doer(a *Access) string {
	id := a.Workgroup
	if t := a.Task; t != nil {
		return fmt.Sprintf("task %s, opcode %d (%s), on worker %d lane %d", t.Name, t.Opcode, t.Handler, id[0], a.Lane)
	}
	return fmt.Sprintf("workgroup %s lane %d", units.Extent(id), a.Lane)
}
