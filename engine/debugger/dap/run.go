package dap

import (
	"context"
	"fmt"

	"github.com/google/go-dap"

	"vyretop/engine/debugger"
	"vyretop/engine/units"
)

// run is a move of the session under way.
type run struct {
	move    move
	cancel  context.CancelFunc
	done    chan debugger.Stop // gets the one stop that ends the run
	pausing bool               // the client has asked for a pause
}

// move is how a run moves the session.
type move struct {
	resumes bool // an interrupted one continues when it is begun again
	step    bool
	do      func() debugger.Stop
}

func (s *server) forward() move {
	return move{resumes: true, do: func() debugger.Stop { return s.program.Session.Continue(debugger.Forward) }}
}

func (s *server) stepping(k debugger.Kind, d debugger.Direction) move {
	return move{step: true, do: func() debugger.Stop { return s.program.Session.Step(k, d) }}
}

// begin begins a run. References to what was seen at the last stop are not valid afterwards.
func (s *server) begin(m move) {
	s.refs.clear()
	s.atEnd, s.traps = false, traps{}
	s.start(&run{move: m, done: make(chan debugger.Stop, 1)})
}

// start lets a run continue in a goroutine of its own.
func (s *server) start(r *run) {
	ctx, cancel := context.WithCancel(s.ctx)
	r.cancel, s.run = cancel, r
	s.program.Session.WithContext(ctx)
	go func() { r.done <- r.move.do() }()
}

// interrupt serves a request that changes the session while it runs. A step is waited for, so that it stays one step.
func (s *server) interrupt(q request, h handler) {
	r := s.run
	if !r.move.resumes || r.pausing {
		if len(s.later) == maxLater {
			s.out.refuse(q, "notStopped", invalid("too many requests wait for the end of the step", "pause the dispatch"))
			return
		}
		s.later = append(s.later, q)
		return
	}
	r.cancel()
	stop := <-r.done
	s.run = nil
	s.answer(q, h)
	if stop.Reason == debugger.Interrupt {
		s.start(r)
		return
	}
	s.stopped(stop)
}

// serveLater serves what has waited for the end of a run.
func (s *server) serveLater() {
	list := s.later
	s.later = nil
	for _, q := range list {
		s.serve(q)
	}
}

// stopped takes note of the end of a run and tells the client.
func (s *server) stopped(stop debugger.Stop) {
	var r run
	if s.run != nil {
		r = *s.run
		s.run.cancel()
	}
	before := s.stop
	s.run, s.stop = nil, stop
	s.reportUndefined()
	session := s.program.Session
	switch {
	case stop.Reason == debugger.Ended, stop.Reason == debugger.LaneEnded && debugger.Finished(session):
		s.ended(stop, r.move.step)
	case stop.Reason == debugger.LaneEnded && s.live != nil:
		s.ended(stop, r.move.step)
	case stop.Reason == debugger.LaneEnded:
		s.standing("step", fmt.Sprintf("workgroup %d has ended", stop.Group), nil)
	case stop.Reason == debugger.Failed && before.Reason == debugger.Failed && before.Time == stop.Time, stop.Reason == debugger.Failed && s.launch.NoDebug:
		s.say("stderr", stop.Detail)
		s.finish(1)
	case stop.Reason == debugger.Failed, stop.Reason == debugger.Trapped:
		s.traps.last = &stop
		s.standing("exception", stop.Detail, nil)
	case stop.Reason == debugger.Written:
		w := stop.Write
		s.standing("data breakpoint", fmt.Sprintf("%s: %v -> %v", w.Expr, w.Old, w.New), s.data.ids(w.At))
	case stop.Reason == debugger.AtBreak && s.checks.at[stop.Breakpoint] != nil:
		f := s.checks.at[stop.Breakpoint]
		stop.Detail = f.text()
		s.traps = traps{&stop, string(f.Kind)}
		s.standing("exception", stop.Detail, nil)
	case stop.Reason == debugger.AtBreak:
		s.standing("breakpoint", "", s.clientIDs(stop.Breakpoint))
	case stop.Reason == debugger.AtStart:
		s.standing("entry", "the start of the dispatch", nil)
	case stop.Reason == debugger.Limited:
		s.standing("step", "the step has run long without coming to another line", nil)
	case r.move.step && stop.Reason != debugger.Interrupt:
		s.standing("step", "", nil)
	default:
		s.standing("pause", "", nil)
	}
	s.serveLater()
}

// clientIDs are the client's breakpoints of one of the session.
func (s *server) clientIDs(id int) []int {
	if s.live == nil {
		return []int{id}
	}
	if own, ok := s.live.mirror[id]; ok {
		return []int{own}
	}
	return nil // a breakpoint(CONDITION) statement
}

// ended stops at the end of the dispatch, or leaves it.
func (s *server) ended(stop debugger.Stop, stepped bool) {
	if text := s.program.Outcome(stop); text != "" {
		s.say("console", text)
	}
	if s.onRun().continuesRun(stepped) {
		s.onRun().proceed()
		return
	}
	if !s.launch.stopsAtEnd() {
		s.finish(0)
		return
	}
	s.atEnd = true
	text := "the dispatch has ended: step back, or continue to end the session"
	if s.live != nil {
		text = "the activation has ended: step back, or continue to let the task continue"
	}
	s.standing("end", text, nil)
}

// standing tells the client that the dispatch stands still.
func (s *server) standing(reason, text string, breakpoints []int) {
	s.threads = s.listThreads()
	description := text
	if reason == "exception" {
		description = "Paused on " + text
	}
	thread := firstWorker
	if s.program != nil {
		thread = s.threadID(debugger.Selected(s.program.Session))
	}
	s.out.event("stopped", dap.StoppedEventBody{
		Reason: reason, Description: description, Text: text, HitBreakpointIds: breakpoints, ThreadId: thread, AllThreadsStopped: true,
	})
}

// reported prints the message of a breakpoint, during a run.
func (s *server) reported(r debugger.Report) {
	line, by := r.Pos.Line, fmt.Sprintf("workgroup %d, lane %d", r.Group, r.Lane)
	if s.live != nil {
		by = "task " + s.live.opened.Task
	}
	s.out.event("output", dap.OutputEventBody{
		Category: "stdout", Output: fmt.Sprintf("%s (%s)\n", r.Text, by),
		Source: s.source(r.Pos.File), Line: s.lineOut(line),
	})
}

// reportUndefined prints which undefined operations have been seen for the first time.
func (s *server) reportUndefined() {
	for _, u := range s.program.Session.TakeUndefined() {
		text := fmt.Sprintf("undefined: %v in workgroup %s by lane %d; the dispatch continues with a defined result\n", u, units.Extent(u.Workgroup), u.Lane)
		s.out.event("output", dap.OutputEventBody{Category: "stderr", Output: text, Source: s.source(u.Pos.File), Line: s.lineOut(u.Pos.Line)})
	}
}
