package report

import (
	"encoding/json"
	"fmt"
	"io"
	"strings"

	"vyretop/engine/check"
)

// FindingsSchema names the document of a checked run.
const FindingsSchema = "vyretop.check.run/1"

// Findings is the JSON document of a run under the checkers.
type Findings struct {
	Schema   string          `json:"schema"` // FindingsSchema
	Kernel   string          `json:"kernel"` // as it was named
	OK       bool            `json:"ok"`     // nothing was found in a run that came to its end
	Findings []check.Finding `json:"findings"`
	Left     int             `json:"left,omitempty"` // findings beyond those listed
	// Incomplete says why not everything was checked; "" if it was.
	Incomplete string `json:"incomplete,omitempty"`
	CutShort   bool   `json:"cut_short,omitempty"` // the run did not come to its end
}

// NewFindings makes the document.
func NewFindings(kernel string, r check.Report) Findings {
	d := Findings{Schema: FindingsSchema, Kernel: kernel, OK: len(r.Findings) == 0, Findings: append([]check.Finding{}, r.Findings...), Left: r.Left}
	if r.Unwatched {
		d.Incomplete = "there were too many words or tasks to look for data races among all of them"
	}
	return d
}

// Cut notes that the run did not come to its end; what names it, such as "the dispatch".
func (d *Findings) Cut(what string) {
	d.OK, d.CutShort = false, true
	d.Incomplete = what + " did not come to its end, so not everything was checked"
}

// WriteFindings prints findings as compilers do, each with its accesses and their calls.
func WriteFindings(w io.Writer, d Findings) error {
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

func writeAccess(out *strings.Builder, a *check.Access) {
	fmt.Fprintf(out, "    %s by %s", a.What, doer(a))
	for _, f := range a.Stack {
		fmt.Fprintf(out, "\n        in %s at %s:%d:%d", f.Func, f.File, f.Line, f.Col)
	}
	out.WriteByte('\n')
}

// doer says who did an access.
func doer(a *check.Access) string {
	id := a.Workgroup
	if t := a.Task; t != nil {
		return fmt.Sprintf("task %d, opcode %d (%s), on worker %d lane %d", t.ID, t.Opcode, t.Handler, id[0], a.Lane)
	}
	return fmt.Sprintf("workgroup %d,%d,%d lane %d", id[0], id[1], id[2], a.Lane)
}

// The parts of SARIF 2.1.0 (OASIS) that findings need.
type (
	sarifLog struct {
		Schema  string     `json:"$schema"`
		Version string     `json:"version"`
		Runs    []sarifRun `json:"runs"`
	}
	sarifRun struct {
		Tool    sarifTool     `json:"tool"`
		Results []sarifResult `json:"results"`
	}
	sarifTool struct {
		Driver sarifDriver `json:"driver"`
	}
	sarifDriver struct {
		Name    string      `json:"name"`
		Version string      `json:"version"`
		Rules   []sarifRule `json:"rules"`
	}
	sarifRule struct {
		ID string `json:"id"`
	}
	sarifResult struct {
		RuleID    string          `json:"ruleId"`
		Level     string          `json:"level"`
		Message   sarifText       `json:"message"`
		Locations []sarifLocation `json:"locations"`
		Related   []sarifLocation `json:"relatedLocations,omitempty"`
		Count     int             `json:"occurrenceCount"`
	}
	sarifText struct {
		Text string `json:"text"`
	}
	sarifLocation struct {
		Physical sarifPhysical `json:"physicalLocation"`
		Message  *sarifText    `json:"message,omitempty"`
	}
	sarifPhysical struct {
		Artifact sarifArtifact `json:"artifactLocation"`
		Region   sarifRegion   `json:"region"`
	}
	sarifArtifact struct {
		URI string `json:"uri"`
	}
	sarifRegion struct {
		Line   int `json:"startLine"`
		Column int `json:"startColumn"`
	}
)

// WriteSARIF writes findings for code hosts and editors, as SARIF 2.1.0.
func WriteSARIF(w io.Writer, d Findings, version string) error {
	run := sarifRun{Tool: sarifTool{sarifDriver{Name: "vyretop", Version: version}}, Results: []sarifResult{}}
	for _, k := range check.Kinds {
		run.Tool.Driver.Rules = append(run.Tool.Driver.Rules, sarifRule{string(k)})
	}
	for i := range d.Findings {
		f := &d.Findings[i]
		r := sarifResult{RuleID: string(f.Kind), Level: "error", Message: sarifText{f.Text + "; " + f.Access.What + " by " + doer(&f.Access)}, Count: f.Count, Locations: []sarifLocation{sarifPlace(f.Access.Stack[0], nil)}}
		if len(f.Other.Stack) > 0 {
			r.Related = []sarifLocation{sarifPlace(f.Other.Stack[0], &sarifText{"the other access, a " + f.Other.What + " by " + doer(&f.Other)})}
		}
		run.Results = append(run.Results, r)
	}
	e := json.NewEncoder(w)
	e.SetIndent("", "  ")
	return e.Encode(sarifLog{Schema: "https://json.schemastore.org/sarif-2.1.0.json", Version: "2.1.0", Runs: []sarifRun{run}})
}

func sarifPlace(f check.Frame, text *sarifText) sarifLocation {
	return sarifLocation{Physical: sarifPhysical{sarifArtifact{f.File}, sarifRegion{f.Line, f.Col}}, Message: text}
}
