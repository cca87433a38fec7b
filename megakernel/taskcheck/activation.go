package taskcheck

import (
	"context"
	"slices"
	"strings"

	"vyretop/engine/check"
	"vyretop/engine/glsl/tree"
	"vyretop/engine/reference/lower"
	"vyretop/megakernel"
	"vyretop/megakernel/activations"
	"vyretop/megakernel/capture"
)

// Activation checks the activation of a captured task. Other tasks are not in it, so races are those between the lanes of a worker
// that run the task together. Errors are those of Capture.Dispatch and check.Run.
func Activation(ctx context.Context, c *capture.Capture) (check.Report, error) {
	p, buffers, err := c.Dispatch()
	if err != nil {
		return check.Report{}, err
	}
	report, err := check.Run(ctx, check.Target{Program: p, Buffers: buffers, Roles: activationRoles})
	task := &check.Task{ID: c.Task, Name: megakernel.TaskName(c.Task), Opcode: c.Opcode(), Handler: c.Handler}
	for i := range report.Findings {
		for _, a := range []*check.Access{&report.Findings[i].Access, &report.Findings[i].Other} {
			if len(a.Stack) > 0 {
				a.Task, a.Workgroup = task, [3]uint32{uint32(c.Worker)}
			}
		}
	}
	return report, err
}

// activationRoles are those of the instructions of a kernel that runs one activation.
func activationRoles(low *lower.Result) check.Roles {
	c := &code{Code: low.Code, calls: openCalls(low)}
	return check.Roles{
		Handles: c.handles,
		Within:  func(pc int) bool { return c.handles(pc) || slices.ContainsFunc(c.calls[pc], activations.Caller) },
		Inner:   func(name string) bool { return slices.Contains(counters, name) },
		Caller:  activations.Caller,
		Word:    activations.FirstWord,
		Own:     func(x *tree.Variable) bool { return !strings.HasPrefix(x.Pos.File, activations.OwnFiles) },
	}
}

// openCalls are the functions that are open at each instruction, innermost first.
func openCalls(low *lower.Result) [][]string {
	calls := make([][]string, len(low.Code.Instrs))
	for pc := range calls {
		for _, call := range low.Code.Stack(pc) {
			calls[pc] = append(calls[pc], call.Func)
		}
	}
	return calls
}
