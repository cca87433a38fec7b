package dap

import (
	"fmt"
	"strings"

	"github.com/google/go-dap"

	"vyretop/engine/debugger"
)

// maxBreakpoints bounds the breakpoints of a file and the data breakpoints.
const maxBreakpoints = 1024

// setBreakpoints makes the breakpoints of a file those that the client lists. One that was there before stays what it is,
// with its number.
func setBreakpoints(s *server, a dap.SetBreakpointsArguments) (any, error) {
	body := dap.SetBreakpointsResponseBody{Breakpoints: []dap.Breakpoint{}}
	file, known := s.fileOf(a.Source)
	if !known {
		for range a.Breakpoints {
			body.Breakpoints = append(body.Breakpoints, dap.Breakpoint{Message: "the kernel has no code of this file"})
		}
		return body, nil
	}
	if s.live != nil {
		body.Breakpoints = s.onRun().setLiveBreakpoints(file, a)
		return body, nil
	}
	before := map[*debugger.Breakpoint]bool{}
	for _, b := range s.program.Session.Breakpoints() {
		before[b] = b.File == file && !b.Statement && s.checks.at[b.ID] == nil
	}
	for i, want := range a.Breakpoints {
		if i >= maxBreakpoints {
			body.Breakpoints = append(body.Breakpoints, dap.Breakpoint{Message: fmt.Sprintf("a file can have %d breakpoints", maxBreakpoints)})
			continue
		}
		body.Breakpoints = append(body.Breakpoints, s.setBreakpoint(file, want, before))
	}
	for b, unwanted := range before {
		if unwanted {
			s.program.Session.Clear(b.ID)
		}
	}
	return body, nil
}

// setBreakpoint finds or makes one breakpoint; one that is found is taken out of those to remove.
func (s *server) setBreakpoint(file string, want dap.SourceBreakpoint, before map[*debugger.Breakpoint]bool) dap.Breakpoint {
	if s.launch.NoDebug {
		return dap.Breakpoint{Message: "launched without debugging"}
	}
	line := s.lineIn(want.Line)
	o, err := breakOptions(want)
	if err != nil {
		return dap.Breakpoint{Message: brief(err), Source: s.source(file), Line: want.Line}
	}
	for b, free := range before {
		if free && b.Asked == line && b.BreakOptions == o {
			before[b] = false
			return s.breakpoint(b)
		}
	}
	b, err := s.program.Session.Break(file, line, o)
	if err != nil {
		return dap.Breakpoint{Message: brief(err), Source: s.source(file), Line: want.Line}
	}
	return s.breakpoint(b)
}

// breakOptions reads when a breakpoint stops a run and what it does.
func breakOptions(want dap.SourceBreakpoint) (o debugger.BreakOptions, err error) {
	if max(len(want.Condition), len(want.LogMessage)) > maxExpression {
		return o, invalid("the condition or the message is longer than 4096 bytes", "shorten it")
	}
	o.Condition, o.Log = strings.TrimSpace(want.Condition), want.LogMessage
	if text := strings.TrimSpace(want.HitCondition); text != "" {
		o.Hits, err = debugger.ParseHits(text)
	}
	return o, err
}

// breakpoint describes a breakpoint that is set, where it is.
func (s *view) breakpoint(b *debugger.Breakpoint) dap.Breakpoint {
	out := dap.Breakpoint{Id: b.ID, Verified: true, Source: s.source(b.File), Line: s.lineOut(b.Line)}
	if b.Line != b.Asked {
		out.Message = fmt.Sprintf("line %d has no code, the breakpoint is at line %d", s.lineOut(b.Asked), out.Line)
	}
	return out
}

// breakpointLocations lists the lines with code of a part of a file.
func breakpointLocations(s *server, a *dap.BreakpointLocationsArguments) (any, error) {
	body := dap.BreakpointLocationsResponseBody{Breakpoints: []dap.BreakpointLocation{}}
	if a == nil {
		return body, nil
	}
	file, known := s.fileOf(a.Source)
	if !known {
		return body, nil
	}
	from, to := s.lineIn(a.Line), s.lineIn(max(a.Line, a.EndLine))
	for _, line := range s.lines(file) {
		if line >= from && line <= to {
			body.Breakpoints = append(body.Breakpoints, dap.BreakpointLocation{Line: s.lineOut(line)})
		}
	}
	return body, nil
}
