package dap

import (
	"context"
	"fmt"
	"slices"
	"time"

	"github.com/google/go-dap"

	"vyretop/engine/check"
	"vyretop/engine/debugger"
	"vyretop/engine/units"
)

// checkFilters are the checkers that find what the interpreter alone does not notice.
var checkFilters = []dap.ExceptionBreakpointsFilter{
	checkFilter(check.Race, "Data races", "accesses to one word that nothing orders"),
	checkFilter(check.Uninitialized, "Reads without a value", "reads of variables and shared words that have no value"),
	checkFilter(check.Incoherent, "Missing coherent", "reads of what another invocation wrote, in a buffer that is not coherent"),
	checkFilter(check.Unvolatile, "Missing volatile", "loops that read until a word changes, in a buffer that is not volatile"),
	checkFilter(check.Ticket, "Unused results of atomics", "reads behind an atomic whose result would have been the value"),
	checkFilter(check.Overflow, "Indexes that wrap around", "indexes whose calculation does not fit 32 bits"),
	checkFilter(check.Shift, "Shifts too far", "shifts by the width of the word or more"),
	checkFilter(check.NaN, "NaN from numbers", "operations on numbers whose result is NaN"),
}

func checkFilter(k check.Kind, label, what string) dap.ExceptionBreakpointsFilter {
	return dap.ExceptionBreakpointsFilter{Filter: string(k), Label: label, Description: "Run the checkers first, and stop where an invocation comes to " + what}
}

func isChecker(filter string) bool {
	return slices.ContainsFunc(checkFilters, func(f dap.ExceptionBreakpointsFilter) bool { return f.Filter == filter })
}

// checkTime bounds the run of the checkers. What they have found until then counts.
const checkTime = 10 * time.Second

// checks are the findings of the checkers, and the breakpoints at their places.
type checks struct {
	done     bool
	findings []check.Finding
	at       map[int]*finding // by the number of a breakpoint
}

// finding is what a checker has found.
type finding struct{ *check.Finding }

// text describes a finding, with the other access of a race.
func (f *finding) text() string {
	text := string(f.Kind) + ": " + f.Text
	if other := f.Other; len(other.Stack) > 0 {
		text += fmt.Sprintf("; the other access: %s in workgroup %s by lane %d at %s:%d", other.What, units.Extent(other.Workgroup), other.Lane, other.Stack[0].File, other.Stack[0].Line)
	}
	return text
}

// stopOnFindings sets breakpoints where the chosen checkers have found something, for the invocation that did it first, and
// removes those that were there. why says why it cannot.
func (s *server) stopOnFindings(filters []string) (why string) {
	if s.live != nil {
		return "the checkers run on compute shaders only: use vyretop check --run for a workload"
	}
	for id := range s.checks.at {
		s.program.Session.Clear(id)
	}
	s.checks.at = map[int]*finding{}
	if !slices.ContainsFunc(filters, isChecker) || s.launch.NoDebug {
		return ""
	}
	if s.program.Check == nil {
		return "the checkers run on compute shaders only: use vyretop check --run for a workload"
	}
	if err := s.check(); err != nil {
		return brief(err)
	}
	for i := range s.checks.findings {
		if f := (&finding{&s.checks.findings[i]}); slices.Contains(filters, string(f.Kind)) {
			s.breakAt(f)
		}
	}
	return ""
}

// check runs the checkers, once a session.
func (s *server) check() error {
	if s.checks.done {
		return nil
	}
	ctx, cancel := context.WithTimeout(s.ctx, checkTime)
	defer cancel()
	report, err := check.Run(ctx, *s.program.Check)
	if err != nil && ctx.Err() == nil {
		return err
	}
	if err != nil {
		s.say("console", fmt.Sprintf("the checkers have not come to the end of the dispatch within %v: what they have not found so far is not stopped at", checkTime))
	}
	s.checks.done, s.checks.findings = true, report.Findings
	for i := range report.Findings {
		f := &finding{&report.Findings[i]}
		if at := f.Access.Stack; len(at) > 0 {
			s.say("console", fmt.Sprintf("%s:%d: %s", at[0].File, at[0].Line, f.text()))
		}
	}
	return nil
}

// breakAt sets a breakpoint where the invocation of a finding comes to its line for the first time.
func (s *server) breakAt(f *finding) {
	if len(f.Access.Stack) == 0 {
		return
	}
	at := f.Access.Stack[0]
	first, err := debugger.ParseHits("1")
	if err != nil {
		panic("BUG: " + err.Error()) // it is the form that clients use
	}
	b, err := s.program.Session.Break(at.File, at.Line, debugger.BreakOptions{Hits: first})
	if err != nil {
		return // the line has no instruction of its own
	}
	b.Only(f.group(s.program.Check.Grid), f.Access.Lane)
	s.checks.at[b.ID] = f
}

// group is the number of the workgroup of a finding in a grid.
func (f *finding) group(grid [3]uint32) uint64 {
	x, y := uint64(max(grid[0], 1)), uint64(max(grid[1], 1))
	w := f.Access.Workgroup
	return uint64(w[0]) + x*(uint64(w[1])+y*uint64(w[2]))
}
