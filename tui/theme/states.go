package theme

import (
	"vyretop/megakernel"
	"vyretop/tasks"
	"vyretop/tui/cells"
)

// Legend is how a state is shown: a letter, a glyph, a hue and a word. The letter and the word are
// unique, so that a state can be told without glyph or color.
type Legend struct {
	Letter byte
	Glyph  rune // what a Unicode terminal shows in front of the word
	Style  cells.Style
	Word   string
}

var taskLegends = [tasks.NumStates]Legend{
	tasks.Empty:    {'.', '·', Dim, "empty"},
	tasks.Ready:    {'r', '●', Ready, "ready"},
	tasks.Running:  {'R', '▶', Running, "running"},
	tasks.Done:     {'D', '✓', Done, "done"},
	tasks.Paused:   {'P', '‖', Paused, "paused"},
	tasks.Yielded:  {'Y', '↺', Yielded, "yielded"},
	tasks.Requeued: {'Q', '↻', Yielded, "requeued"},
	tasks.Faulted:  {'F', '✗', Fault, "faulted"},
}

var unknownLegend = Legend{'?', '?', Unknown, "unknown"}

// OfTask is the legend of a task state; a word that is not a state has the legend "unknown".
func OfTask(s tasks.State) Legend {
	if s < tasks.NumStates {
		return taskLegends[s]
	}
	return unknownLegend
}

var workerLegends = map[megakernel.WorkerState]Legend{
	megakernel.WorkerAbsent:  {'-', '-', Dim, "absent"},
	megakernel.WorkerIdle:    {'i', '○', Dim, "idle"},
	megakernel.WorkerRunning: {'R', '▶', Running, "running"},
	megakernel.WorkerPaused:  {'P', '‖', Paused, "PAUSED"},
}

// OfWorker is the legend of a worker state.
func OfWorker(s megakernel.WorkerState) Legend {
	if l, ok := workerLegends[s]; ok {
		return l
	}
	return unknownLegend
}

// Symbol is the glyph where the terminal can show it, else the letter.
func (l Legend) Symbol(g *Glyphs) rune {
	if g.Unicode {
		return l.Glyph
	}
	return rune(l.Letter)
}

// PriorityStyle is the look of a priority: the urgent one stands out, the late ones recede. Red stays
// with faults.
func PriorityStyle(p tasks.Priority) cells.Style {
	switch p {
	case tasks.Critical:
		return Strong
	case tasks.Low, tasks.Idle:
		return Dim
	default:
		return Plain
	}
}
