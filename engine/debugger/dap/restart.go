package dap

import (
	"encoding/json"
	"slices"

	"github.com/google/go-dap"

	"vyretop/engine/debugger"
)

// restart opens the program again, with its files as they are now, and begins with the breakpoints of before under their numbers. The
// client may give other arguments of launch. If the program cannot be opened, the session stays as it is.
func restart(s *server, q request) (any, error) {
	if s.live != nil {
		return nil, invalid("a live run cannot be restarted by a debugger", "start it again (vyretop do rerun) and attach again")
	}
	var a struct {
		Arguments json.RawMessage `json:"arguments"`
	}
	if err := into(q, &a); err != nil {
		return nil, err
	}
	l := s.launch
	if len(a.Arguments) > 0 {
		var err error
		if l, err = parseLaunch(a.Arguments); err != nil {
			return nil, err
		}
	}
	p, err := s.programs.Open(s.ctx, l)
	if err != nil {
		return nil, err
	}
	s.halt()
	events := s.restarted(l, p)
	return afterwards{nil, func() {
		if p.About != "" {
			s.say("console", p.About)
		}
		for _, e := range events {
			s.out.event("breakpoint", e)
		}
		s.enter()
		s.serveLater()
	}}, nil
}

// restarted makes a program that was opened again the one that is debugged, and says what became of the client's breakpoints.
func (s *server) restarted(l *Launch, p *Program) (events []dap.BreakpointEventBody) {
	before, same := s.program, sameText(s.program, p)
	list := slices.DeleteFunc(before.Session.Breakpoints(), func(b *debugger.Breakpoint) bool { return b.Statement || s.checks.at[b.ID] != nil })
	for _, lost := range debugger.Rebreak(p.Session, list) {
		events = append(events, dap.BreakpointEventBody{Reason: "changed", Breakpoint: dap.Breakpoint{Id: lost.ID, Message: "the text has no code for it any longer"}})
	}
	s.refs.clear()
	s.stop, s.atEnd, s.traps, s.checks = debugger.Stop{}, false, traps{}, checks{}
	s.take(l, p)
	for _, b := range p.Session.Breakpoints() {
		if i := slices.IndexFunc(list, func(x *debugger.Breakpoint) bool { return x.ID == b.ID }); i >= 0 && list[i].Line != b.Line {
			events = append(events, dap.BreakpointEventBody{Reason: "changed", Breakpoint: s.breakpoint(b)})
		}
	}
	_, _ = setExceptionBreakpoints(s, s.exceptions) // what it answers, the client has been told
	return append(events, s.rewatch(same)...)
}

// rewatch watches the places of before, if the text is the same; in another one their registers and words mean something else.
func (s *server) rewatch(same bool) (events []dap.BreakpointEventBody) {
	var list []*debugger.Watchpoint
	for i, id := range s.data.set {
		if same {
			list = append(list, s.data.known[id])
			continue
		}
		events = append(events, dap.BreakpointEventBody{Reason: "removed", Breakpoint: dap.Breakpoint{Id: firstDataID + i, Message: "the text has changed: select the place again"}})
	}
	if !same {
		s.data = dataPlaces{last: s.data.last}
	}
	debugger.SetWatchpoints(s.program.Session, list...)
	return events
}

// sameText reports whether two programs have the same source files.
func sameText(a, b *Program) bool {
	files := debugger.Files(a.Session)
	return slices.Equal(files, debugger.Files(b.Session)) && !slices.ContainsFunc(files, func(f string) bool { return a.Text(f) != b.Text(f) })
}
