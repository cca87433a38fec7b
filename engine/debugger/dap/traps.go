package dap

import (
	"slices"

	"github.com/google/go-dap"

	"vyretop/engine/debugger"
)

// trapFilters are the undefined operations before which a run can stop.
var trapFilters = []dap.ExceptionBreakpointsFilter{
	{Filter: "out-of-range", Label: "Accesses out of range", Description: "Stop before reads, writes and atomics of elements that do not exist", Default: true},
	{Filter: "divide-by-zero", Label: "Divisions by zero", Description: "Stop before integer divisions and remainders by zero", Default: true},
}

// traps are the exceptions of a session.
type traps struct {
	last *debugger.Stop // the one that the dispatch stands at, or nil
	kind string         // of a finding of the checkers; else ""
}

// chosenFilters are the filters that a client chooses: those with options are behind the others, as the answer has them. A client
// may send all of them with options, most without a condition, as VS Code does.
func chosenFilters(a dap.SetExceptionBreakpointsArguments) []dap.ExceptionFilterOptions {
	list := make([]dap.ExceptionFilterOptions, 0, len(a.Filters)+len(a.FilterOptions))
	for _, f := range a.Filters {
		list = append(list, dap.ExceptionFilterOptions{FilterId: f})
	}
	return append(list, a.FilterOptions...)
}

// setExceptionBreakpoints chooses which undefined operations stop a run. A dispatch that fails always stops.
func setExceptionBreakpoints(s *server, a dap.SetExceptionBreakpointsArguments) (any, error) {
	s.exceptions = a
	chosen := chosenFilters(a)
	var list []dap.Breakpoint
	var names []string
	known := slices.Concat(trapFilters, checkFilters)
	inRun := s.onRun().liveFilters(chosen)
	for _, f := range chosen {
		b := dap.Breakpoint{Verified: true}
		switch {
		case isLiveFilter(f.FilterId):
			b, inRun = inRun[0], inRun[1:]
		case !slices.ContainsFunc(known, func(k dap.ExceptionBreakpointsFilter) bool { return k.Filter == f.FilterId }):
			b = dap.Breakpoint{Message: "unknown filter " + quote(f.FilterId)}
		case f.Condition != "":
			b = dap.Breakpoint{Message: reason(invalid("filter "+quote(f.FilterId)+" has no condition", "choose it without one"))}
		default:
			names = append(names, f.FilterId)
		}
		list = append(list, b)
	}
	if why := s.stopOnFindings(names); why != "" {
		for i, f := range chosen {
			if isChecker(f.FilterId) {
				list[i] = dap.Breakpoint{Message: why}
			}
		}
	}
	s.stopOnTraps(names)
	return dap.SetExceptionBreakpointsResponseBody{Breakpoints: list}, nil
}

// stopOnTraps chooses which undefined operations stop the session.
func (s *server) stopOnTraps(filters []string) {
	if s.live != nil {
		s.live.filters = filters
	}
	if s.program == nil {
		return
	}
	zero, out := slices.Contains(filters, "divide-by-zero"), slices.Contains(filters, "out-of-range")
	var stops func(debugger.Undefined) bool
	if (zero || out) && !s.launch.NoDebug {
		stops = func(u debugger.Undefined) bool { return zero && u.DivisionByZero() || out && !u.DivisionByZero() }
	}
	debugger.StopOnUndefined(s.program.Session, stops)
}

// exceptionInfo describes the exception that the dispatch stands at.
func exceptionInfo(s *server, _ request) (any, error) {
	stop := s.traps.last
	if stop == nil {
		return nil, invalid("the dispatch does not stand at an exception", "ask after a stop whose reason is exception")
	}
	body := dap.ExceptionInfoResponseBody{ExceptionId: "undefined", Description: stop.Detail, BreakMode: "always"}
	switch {
	case s.traps.kind != "":
		body.ExceptionId = s.traps.kind
	case stop.Reason == debugger.Failed:
		body.ExceptionId, body.BreakMode = "failed", "unhandled"
	}
	body.Details = &dap.ExceptionDetails{Message: stop.Detail, TypeName: body.ExceptionId}
	return body, nil
}
