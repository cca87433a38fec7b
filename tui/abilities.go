package tui

import (
	"vyretop/megakernel/breakpoint"
	"vyretop/megakernel/command"
	"vyretop/tui/pane"
)

// abilities are what a target can do beside what every one can, filled once: nil for what it cannot.
type abilities struct {
	// Of the source.
	timed   TimedSource
	linked  Linked
	meter   Meter
	buffers BufferReader
	again   pane.Executor
	breaks  BreakLister

	// Of the sink, where the dashboard may steer.
	tuner    Tuner
	trier    command.Trier
	ender    Ender
	noter    command.Noter
	recorder command.Recorder
	breaker  command.Breaker
	runner   command.Runner

	// Of the transport.
	run     Reader
	archive Archive
}

// BreakLister is a source that tells its breakpoints to dashboards that may not change them, too.
type BreakLister interface{ Breakpoints() []breakpoint.Status }

func abilitiesOf(source Source, sink Sink, transport Transport) (a abilities) {
	a.timed, _ = source.(TimedSource)
	a.linked, _ = source.(Linked)
	a.meter, _ = source.(Meter)
	a.buffers, _ = source.(BufferReader)
	a.again, _ = source.(pane.Executor)
	a.breaks, _ = source.(BreakLister)
	a.tuner, _ = sink.(Tuner)
	a.trier, _ = sink.(command.Trier)
	a.ender, _ = sink.(Ender)
	a.noter, _ = sink.(command.Noter)
	a.recorder, _ = sink.(command.Recorder)
	a.breaker, _ = sink.(command.Breaker)
	a.runner, _ = sink.(command.Runner)
	if a.breaker != nil {
		a.breaks = a.breaker
	}
	a.run, _ = transport.(Reader)
	a.archive, _ = transport.(Archive)
	return a
}
