package breakpoint

import (
	"fmt"
	"strings"

	"vyretop/engine/fault"
)

// Place is where in a handler a breakpoint is hit: at a line, when a watched value has changed, or at an event. One of File with
// Line, Watch and Event is set; kernel.Stop says what they may be.
type Place struct {
	File   string `json:"file,omitempty"`
	Line   int    `json:"line,omitempty"`
	Watch  string `json:"watch,omitempty"` // expression of a value
	Event  string `json:"event,omitempty"`
	Opcode uint32 `json:"opcode,omitempty"` // of a task that is spawned
	If     string `json:"if,omitempty"`     // condition in the kernel language
	Moved  int    `json:"moved,omitempty"`  // line that was asked for, where no statement begins; 0: it is Line
}

// MaxText bounds a condition, an expression and the name of a file, in bytes.
const MaxText = 1024

func (p *Place) validate(program Program) error {
	kinds := 0
	for _, is := range []bool{p.Line != 0, p.Watch != "", p.Event != ""} {
		if is {
			kinds++
		}
	}
	switch {
	case kinds != 1 || len(program) > 0 || p.Line < 0:
		return broken
	case max(len(p.File), len(p.Watch), len(p.If), len(p.Event)) > MaxText:
		return &fault.Error{Kind: ErrCondition, Subject: "breakpoint", Detail: fmt.Sprintf("the condition is longer than %d bytes", MaxText), Fix: "write a shorter one"}
	case strings.ContainsAny(p.If+p.Watch, ";{}#\n"):
		return &fault.Error{Kind: ErrCondition, Subject: "breakpoint", Detail: "a condition is one expression, without ; { } and #", Fix: "write an expression such as i == 5u"}
	}
	return nil
}

// String says where it is, as it can be read again.
func (p *Place) String() string {
	text := p.Event
	switch {
	case p.Line != 0 && p.File != "":
		text = fmt.Sprintf("%s:%d", p.File, p.Line)
	case p.Line != 0:
		text = fmt.Sprint(p.Line)
	case p.Watch != "":
		text = "watch " + p.Watch
	}
	if p.If != "" {
		text += " if " + p.If
	}
	return text
}
