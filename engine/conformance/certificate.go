package conformance

import (
	"fmt"
	"io"
	"slices"
	"strings"
	"text/tabwriter"

	"vyretop/engine"
)

// Schema names the JSON document of a certificate.
const Schema = "vyretop.conform/1"

// Certificate says what was compared, on what, and what differed.
type Certificate struct {
	Schema    string          `json:"schema"`  // Schema
	Version   string          `json:"version"` // of vyretop
	Backend   engine.Identity `json:"backend"`
	Reference engine.Identity `json:"reference"`
	Seed      uint64          `json:"seed"` // of the operands and of the random programs

	Cases      int     `json:"cases"` // that ran
	Programs   int     `json:"fuzz_programs"`
	ElapsedMs  float64 `json:"elapsed_ms"`
	Unfinished bool    `json:"unfinished,omitempty"` // it was interrupted: cases or programs are missing
	Operations []Tally `json:"operations"`

	Lacking     []Finding `json:"lacking,omitempty"` // cases that need what the device has not
	Differences []Finding `json:"differences"`
}

// Tally counts the cases of one operation.
type Tally struct {
	Operation string `json:"operation"` // "binary.+", of all types
	Cases     int    `json:"cases"`
	Differ    int    `json:"differ,omitempty"`
}

// Finding is a difference with its case.
type Finding struct {
	Case string `json:"case"`
	*Difference
	Kernel string `json:"kernel,omitempty"` // file with the kernel, where one was written
}

// Operation is what a case is counted under: its name without the types.
func Operation(name string) string {
	head, _, _ := strings.Cut(name, "(")
	return head
}

// Passed reports whether everything was compared, and nothing differed.
func (c *Certificate) Passed() bool { return len(c.Differences) == 0 && !c.Unfinished }

func (c *Certificate) tally(operation string) *Tally {
	i := slices.IndexFunc(c.Operations, func(t Tally) bool { return t.Operation == operation })
	if i < 0 {
		i = len(c.Operations)
		c.Operations = append(c.Operations, Tally{Operation: operation})
	}
	return &c.Operations[i]
}

// add counts a case that ran.
func (c *Certificate) add(name string, d *Difference) {
	if d != nil && d.Lacks != "" {
		c.Lacking = append(c.Lacking, Finding{Case: name, Difference: d})
		return
	}
	t := c.tally(Operation(name))
	t.Cases++
	c.Cases++
	if d != nil {
		t.Differ++
		c.Differences = append(c.Differences, Finding{Case: name, Difference: d})
	}
}

// AddProgram counts a random program. With a difference, kernel names the file that holds it.
func (c *Certificate) AddProgram(name string, d *Difference, kernel string) {
	c.Programs++
	if d != nil {
		c.Differences = append(c.Differences, Finding{Case: name, Difference: d, Kernel: kernel})
	}
}

// Write prints the certificate for people.
func (c *Certificate) Write(w io.Writer) error {
	t := tabwriter.NewWriter(w, 0, 0, 2, ' ', 0)
	fmt.Fprintf(t, "vyretop\t%s\n", c.Version)
	fmt.Fprintf(t, "backend\t%s, %s\n", c.Backend.Name, c.Backend.Version)
	fmt.Fprintf(t, "device\t%s, %s\n", c.Backend.Device, c.Backend.Renderer)
	fmt.Fprintf(t, "driver\t%s\n", c.Backend.Driver)
	fmt.Fprintf(t, "compared with\t%s, %s\n", c.Reference.Name, c.Reference.Driver)
	fmt.Fprintf(t, "seed\t%d\n", c.Seed)
	for _, l := range operationLines(c.Operations) {
		fmt.Fprintf(t, "%s\t%s\n", l.name, l.text)
	}
	for _, l := range lackingLines(c.Lacking) {
		fmt.Fprintf(t, "not run\t%s: %s\n", l.name, l.text)
	}
	for _, f := range c.Differences {
		fmt.Fprintf(t, "DIFFERS\t%s: %s\n", f.Case, f.What)
		if f.Kernel != "" {
			fmt.Fprintf(t, "\tkernel: %s\n", f.Kernel)
		}
	}
	unfinished := ""
	if c.Unfinished {
		unfinished = "; interrupted, the others were not compared"
	}
	fmt.Fprintf(t, "result\t%d cases, %d random programs, %d differences, %.1f s%s\n", c.Cases, c.Programs, len(c.Differences), c.ElapsedMs/1000, unfinished)
	return t.Flush()
}

// line is a name and a list of things under it.
type line struct{ name, text string }

// lineWidth is after how many bytes a list is broken.
const lineWidth = 90

// appendTo adds to the last line of a name, or begins one.
func appendTo(list []line, name, text string) []line {
	for i := len(list) - 1; i >= 0; i-- {
		if list[i].name == name && len(list[i].text) < lineWidth {
			list[i].text += ", " + text
			return list
		}
	}
	return append(list, line{name, text})
}

// lackingLines lists the cases that did not run by what the device has not.
func lackingLines(list []Finding) []line {
	var lines []line
	for _, f := range list {
		lines = appendTo(lines, f.Lacks, f.Case)
	}
	return lines
}

// operationLines lists the operations that ran, with their numbers of cases, by the word before the
// dot.
func operationLines(tallies []Tally) []line {
	var list []line
	for _, t := range tallies {
		name, operation, _ := strings.Cut(t.Operation, ".")
		list = appendTo(list, name, fmt.Sprintf("%s %d", operation, t.Cases))
	}
	slices.SortStableFunc(list, func(a, b line) int { return strings.Compare(a.name, b.name) })
	return list
}
