package dap

import (
	"slices"

	"github.com/google/go-dap"

	"vyretop/engine/debugger"
	"vyretop/engine/debugger/attach"
)

// capabilities are what the server can do.
var capabilities = dap.Capabilities{
	SupportsConfigurationDoneRequest:   true,
	SupportsConditionalBreakpoints:     true,
	SupportsHitConditionalBreakpoints:  true,
	SupportsLogPoints:                  true,
	SupportsEvaluateForHovers:          true,
	SupportsStepBack:                   true,
	SupportsSetVariable:                true,
	SupportsSetExpression:              true,
	SupportsCompletionsRequest:         true,
	SupportsExceptionInfoRequest:       true,
	SupportsTerminateRequest:           true,
	SupportsRestartRequest:             true,
	SupportsDataBreakpoints:            true,
	SupportsDisassembleRequest:         true,
	SupportsSteppingGranularity:        true,
	SupportsBreakpointLocationsRequest: true,
	SupportsLoadedSourcesRequest:       true,
	SupportsClipboardContext:           true,
	SupportTerminateDebuggee:           true,
	SupportSuspendDebuggee:             true,
	SupportsExceptionFilterOptions:     true,
	ExceptionBreakpointFilters:         slices.Concat(trapFilters, checkFilters, liveFilters),
}

func initialize(s *server, q request) (any, error) {
	a := dap.InitializeRequestArguments{LinesStartAt1: true, ColumnsStartAt1: true}
	if err := into(q, &a); err != nil {
		return nil, err
	}
	if a.PathFormat != "" && a.PathFormat != "path" {
		return nil, invalid("unknown pathFormat "+quote(a.PathFormat), "use path")
	}
	s.client, s.phase = a, initialized
	return capabilities, nil
}

// launch opens the program. The client may set breakpoints when it has: only then do lines mean something.
func launch(s *server, q request) (any, error) {
	l, err := parseLaunch(q.args)
	if err != nil {
		return nil, err
	}
	if s.programs.Start != nil {
		run, err := s.programs.Start(s.ctx, l)
		if err != nil {
			return nil, err
		}
		if run != nil {
			return s.onRun().follow(l, run, attach.Terminate), nil
		}
	}
	p, err := s.programs.Open(s.ctx, l)
	if err != nil {
		return nil, err
	}
	s.phase = launched
	s.take(l, p)
	return afterwards{nil, func() {
		if p.About != "" {
			s.say("console", p.About)
		}
		s.out.event("initialized", nil)
	}}, nil
}

// take makes a program the one that is debugged.
func (s *server) take(l *Launch, p *Program) {
	s.launch, s.program = l, p
	s.threads, s.references = s.listThreads(), references(debugger.Files(p.Session), p.Text)
	p.Session.OnReport(s.reported)
	if p.Outcome == nil {
		before := buffers(p.Session)
		p.Outcome = func(debugger.Stop) string { return before.changes(p.Session) }
	}
}

// configurationDone begins the dispatch.
func configurationDone(s *server, _ request) (any, error) {
	s.phase = configured
	return afterwards{nil, func() {
		if s.live != nil {
			s.onRun().begun()
			return
		}
		s.enter()
	}}, nil
}

// enter stops at the beginning of the dispatch where that was asked for, or lets it run.
func (s *server) enter() {
	if s.launch.StopOnEntry && !s.launch.NoDebug {
		s.stop = s.program.Session.Here("")
		s.standing("entry", "", nil)
		return
	}
	s.begin(s.forward())
}

func disconnect(s *server, a dap.DisconnectArguments) (any, error) {
	s.halt()
	if s.live != nil {
		end := s.live.onLeave
		switch {
		case a.TerminateDebuggee:
			end = attach.Terminate
		case a.SuspendDebuggee:
			end = attach.Leave
		}
		s.onRun().detach(end)
	}
	return afterwards{nil, func() { s.leaving = true }}, nil
}

func terminate(s *server, _ request) (any, error) {
	s.halt()
	return afterwards{nil, func() { s.finish(0) }}, nil
}

// finish tells the client that the dispatch has ended.
func (s *server) finish(status int) {
	if s.phase == over {
		return
	}
	s.phase = over
	s.out.event("exited", dap.ExitedEventBody{ExitCode: status})
	s.out.event("terminated", nil)
	s.serveLater()
}

// say prints a line to the client's console.
func (s *server) say(category, text string) {
	s.out.event("output", dap.OutputEventBody{Category: category, Output: text + "\n"})
}
