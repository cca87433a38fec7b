package taskcheck

import (
	"errors"

	"vyretop/engine/check"
	"vyretop/engine/reference"
)

// Execute checks a run that execute executes on the reference interpreter with a watcher, in a shape such as Workers and Lanes.
// The host of that run publishes its tasks without regard to completions, and calls advances before it advances the epoch.
// handlers names the handler of an opcode. Errors are those of execute, with what was found until then, and ErrKernel.
func Execute(handlers func(opcode uint32) string, execute func(w reference.Watcher, advances func()) error) (check.Report, error) {
	m := newModel(false, 0)
	m.handlers = handlers
	err := execute(m.monitor, func() { m.host.add(note{epoch: true}) })
	report, followed := m.monitor.Report()
	if kernel := (*reference.KernelError)(nil); errors.As(err, &kernel) {
		err = nil // it is among the findings
	}
	return report, errors.Join(followed, err)
}
