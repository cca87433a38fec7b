package capture

import (
	"slices"

	"vyretop/engine/debugger"
)

// LastWrite runs the activation to its end and finds the line that last changed a word of the handler's task, by the name that package
// tasks has for the word. It is "" where the handler does not write it. The session stands at the end of the activation.
func (a *Activation) LastWrite(word string) (file string, line int) {
	var watched *debugger.Watchpoint
	for _, v := range a.Locals() {
		if w, err := debugger.FindWatchpoint(a.Session, v.Name+"."+word); err == nil {
			watched = w
			break
		}
	}
	if watched != nil {
		debugger.SetWatchpoints(a.Session, watched)
		defer debugger.SetWatchpoints(a.Session)
	}
	for {
		stop := a.Continue(debugger.Forward)
		if ended(stop) {
			return file, line
		}
		if w := stop.Write; w != nil && (line == 0 || !slices.Equal(w.Old.Words, w.New.Words)) { // a call copies the task back unchanged
			file, line = stop.Write.Pos.File, stop.Write.Pos.Line
		}
	}
}
