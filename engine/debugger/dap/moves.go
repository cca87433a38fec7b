package dap

import (
	"github.com/google/go-dap"

	"vyretop/engine/debugger"
)

// resume continues. At the end of the dispatch that ends the session.
func resume(s *server, a dap.ContinueArguments) (any, error) {
	if err := s.selectThread(a.ThreadId); err != nil {
		return nil, err
	}
	body := dap.ContinueResponseBody{AllThreadsContinued: true}
	if s.atEnd {
		return afterwards{body, s.goOn}, nil
	}
	return afterwards{body, func() { s.begin(s.forward()) }}, nil
}

func reverseContinue(s *server, a dap.ReverseContinueArguments) (any, error) {
	m := move{resumes: true, do: func() debugger.Stop { return s.program.Session.Continue(debugger.Back) }}
	return s.moved(a.ThreadId, m)
}

func next(s *server, a dap.NextArguments) (any, error) {
	return s.step(a.ThreadId, debugger.Over, debugger.Forward, a.Granularity)
}

func stepIn(s *server, a dap.StepInArguments) (any, error) {
	return s.step(a.ThreadId, debugger.Into, debugger.Forward, a.Granularity)
}

func stepOut(s *server, a dap.StepOutArguments) (any, error) {
	return s.step(a.ThreadId, debugger.Out, debugger.Forward, "")
}

func stepBack(s *server, a dap.StepBackArguments) (any, error) {
	return s.step(a.ThreadId, debugger.Over, debugger.Back, a.Granularity)
}

// step moves a lane by a line or by an instruction. A step forward from the end ends the session.
func (s *server) step(thread int, k debugger.Kind, d debugger.Direction, g dap.SteppingGranularity) (any, error) {
	switch g {
	case "instruction":
		k = debugger.Instruction
	case "", "statement", "line":
	default:
		return nil, invalid("unknown granularity "+quote(string(g)), "use statement, line or instruction")
	}
	if s.atEnd && d == debugger.Forward {
		return afterwards{nil, s.goOn}, nil
	}
	return s.moved(thread, s.stepping(k, d))
}

// moved begins a move of a thread when the request is answered.
func (s *server) moved(thread int, m move) (any, error) {
	if err := s.selectThread(thread); err != nil {
		return nil, err
	}
	return afterwards{nil, func() { s.begin(m) }}, nil
}

// goOn continues from the end of the dispatch: a task of a live run continues, another session ends.
func (s *server) goOn() {
	if s.live != nil {
		s.onRun().proceed()
		return
	}
	s.finish(0)
}

// pause ends a run early. A dispatch that stands still stays.
func pause(s *server, _ request) (any, error) {
	return afterwards{nil, func() {
		if s.live != nil && s.live.waiting != nil {
			s.live.waiting.pausing = true
			s.live.waiting.cancel()
		}
		if s.run != nil {
			s.run.pausing = true
			s.run.cancel()
		}
	}}, nil
}
