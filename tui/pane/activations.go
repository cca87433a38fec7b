package pane

import (
	"vyretop/megakernel"
	"vyretop/tasks"
	"vyretop/tui/cells"
	"vyretop/tui/theme"
)

// outcomes is the state in which an activation left its task, by the kernel's event.
var outcomes = map[megakernel.Event]tasks.State{
	megakernel.EventDone: tasks.Done, megakernel.EventFault: tasks.Faulted, megakernel.EventYield: tasks.Yielded,
	megakernel.EventRequeue: tasks.Requeued, megakernel.EventPause: tasks.Paused,
}

// outcome is what a record says of how an activation ended; ok is false for the program's messages.
func outcome(r *megakernel.LogRecord) (s tasks.State, ok bool) {
	if r.Format < megakernel.LogEventBase {
		return 0, false
	}
	s, ok = outcomes[megakernel.Event(r.Format-megakernel.LogEventBase)]
	return s, ok
}

// listedActivations is how many activations have a line of their own.
const listedActivations = 32

// DrawActivations draws the last activations of a worker as far as the debug log tells: a row of
// their outcomes, the newest at the right, and a line for each of the newest. It returns the number of rows.
func (l *Look) DrawActivations(a cells.Area, f *Frame, worker int) int {
	rest := l.title(a, "Last activations", "from the debug log")
	strip, list := rest.SplitTop(1)
	y, shown := 0, a.W-2
	for i := len(f.Log) - 1; i >= 0 && y < shown; i-- {
		r := &f.Log[i]
		state, ok := outcome(r)
		if !ok || int(r.Worker) != worker {
			continue
		}
		legend := theme.OfTask(state)
		strip.Set(shown-y, 0, legend.Symbol(&l.Glyphs), legend.Style)
		if y < min(list.H, listedActivations) {
			l.drawActivation(list.Line(y), f, r, legend)
		}
		y++
	}
	if y == 0 {
		return 1 + l.empty(rest, "The log has none of this worker.")
	}
	return 2 + min(y, listedActivations)
}

func (l *Look) drawActivation(a cells.Area, f *Frame, r *megakernel.LogRecord, legend theme.Legend) {
	var scratch [24]byte
	var message [128]byte
	a.Set(1, 0, legend.Symbol(&l.Glyphs), legend.Style)
	a.Fit(3, 0, 9, appendTask(append(scratch[:0], '#'), r.Task), true, l.Glyphs.Ellipsis, theme.Plain)
	a.Fit(14, 0, 9, f.appendOpcode(scratch[:0], r.Opcode), false, l.Glyphs.Ellipsis, theme.Dim)
	a.Fit(24, 0, a.W-24, r.AppendText(message[:0], f.Target.Formats), false, l.Glyphs.Ellipsis, recordStyle(r))
}
