package dap

import (
	"slices"
	"strings"

	"github.com/google/go-dap"

	"vyretop/engine/debugger/attach"
)

// liveFilters are the events of activations behind which a run holds their tasks.
var liveFilters = []dap.ExceptionBreakpointsFilter{
	{Filter: "fault", Label: "Faults of a run", Description: "Attached to a run: hold a task behind the activation that faults"},
	{Filter: "undefined", Label: "Accesses out of range in a run", Description: "Attached to a run: hold a task behind an activation that uses an index out of range on the device"},
	{Filter: "statement", Label: "breakpoint() statements in a run", Description: "Attached to a run: hold a task behind an activation that comes to breakpoint(CONDITION), where CONDITION holds"},
	{Filter: "verification", Label: "Failed verification of a run", Description: "Attached to a run: hold the run behind its end if its result fails the verification"},
	{Filter: "spawn", Label: "Spawned tasks in a run", Description: "Attached to a run: hold a task behind an activation that spawns a task of an opcode", SupportsCondition: true, ConditionDescription: "name or number of the opcode"},
}

func isLiveFilter(filter string) bool {
	return slices.ContainsFunc(liveFilters, func(f dap.ExceptionBreakpointsFilter) bool { return f.Filter == filter })
}

// liveFilters sets the breakpoints of a live run at events, and answers for them in the order of the client.
func (s attached) liveFilters(chosen []dap.ExceptionFilterOptions) []dap.Breakpoint {
	var list []wantedBreak
	for _, f := range chosen {
		if isLiveFilter(f.FilterId) {
			list = append(list, eventBreak(f.FilterId, f.Condition))
		}
	}
	if s.live != nil {
		return s.list(exceptions, list)
	}
	out := make([]dap.Breakpoint, len(list))
	for i := range out {
		out[i].Message = "it is of a live run: attach to one"
	}
	return out
}

func eventBreak(filter, condition string) wantedBreak {
	w := wantedBreak{Break: attach.Break{Event: strings.TrimSpace(filter + " " + condition)}}
	if filter == "spawn" && strings.TrimSpace(condition) == "" {
		w.err = invalid("say which opcode", "give the filter a condition: the name or number of an opcode")
	}
	return w
}
