package view

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

// DrawActivations draws the last activations of a worker as far as the debug log tells: a row of
// their outcomes, the newest at the right, and a line for each of the newest.
func (l *Look) DrawActivations(a cells.Area, f *Frame, worker int) {
	if a.H < 2 {
		return
	}
	rest := l.title(a, "Last activations", "from the debug log")
	strip, list := rest.SplitTop(1)
	x, y, found := strip.W-2, 0, false
	for i := len(f.Log) - 1; i >= 0 && (x >= 1 || y < list.H); i-- {
		r := &f.Log[i]
		state, ok := outcome(r)
		if !ok || int(r.Worker) != worker {
			continue
		}
		found = true
		legend := theme.OfTask(state)
		if x >= 1 {
			strip.Set(x, 0, legend.Symbol(&l.Glyphs), legend.Style)
			x--
		}
		if y < list.H {
			l.drawActivation(list.Line(y), f, r, legend)
			y++
		}
	}
	if !found {
		l.empty(rest, "The log has none of this worker.")
	}
}

func (l *Look) drawActivation(a cells.Area, f *Frame, r *megakernel.LogRecord, legend theme.Legend) {
	var scratch [24]byte
	var message [128]byte
	a.Set(1, 0, legend.Symbol(&l.Glyphs), legend.Style)
	a.Fit(3, 0, 9, appendTask(append(scratch[:0], '#'), r.Task), true, l.Glyphs.Ellipsis, theme.Plain)
	a.Fit(14, 0, 9, f.appendOpcode(scratch[:0], r.Opcode), false, l.Glyphs.Ellipsis, theme.Dim)
	a.Fit(24, 0, a.W-24, r.AppendText(message[:0], f.Target.Formats), false, l.Glyphs.Ellipsis, recordStyle(r))
}
