package dap

import (
	"context"
	"errors"
	"fmt"
	"sync"
	"time"

	"github.com/google/go-dap"

	"vyretop/engine/debugger"
	"vyretop/engine/debugger/attach"
	"vyretop/engine/fault"
)

// live is a session with a live run. While no task of it is open, threads are the run's workers, and nothing can be evaluated.
type live struct {
	run     attach.Run
	onLeave attach.End

	breaks  []*liveBreak
	lastID  int
	results chan liveSet   // of breakpoints that were set
	changes sync.WaitGroup // of breakpoints, that are under way
	filters []string       // of exceptions, for the next task that is opened

	waiting *waiting     // nil while a task is open, and at the end
	opened  *attach.Stop // the task that is open; nil for none
	mirror  map[int]int  // breakpoints of the client by that of the open session
	failed  int          // waits in a row that ended with an error
	paused  bool         // all workers were paused before, and are to be resumed by the client
}

// attached is a server that is attached to a live run.
type attached struct{ *server }

func (s *server) onRun() attached { return attached{s} }

// waiting is a wait for a task.
type waiting struct {
	cancel  context.CancelFunc
	done    chan found
	pausing bool // the client has asked for a pause
}

// found is what a wait ended with.
type found struct {
	stop *attach.Stop
	err  error
}

// detachTime bounds what leaving a run takes: a worker may be in the middle of a long activation.
const detachTime = 30 * time.Second

// attachTo attaches to a live run. Other programs are launched: a recording has tasks, too.
func attachTo(s *server, q request) (any, error) {
	l, err := parseLaunch(q.args)
	if err != nil {
		return nil, err
	}
	end, err := endOf(l.OnDetach)
	if err != nil || s.programs.Attach == nil {
		return launch(s, q)
	}
	run, err := s.programs.Attach(s.ctx, l)
	if err != nil {
		return nil, err
	}
	if run == nil {
		return launch(s, q)
	}
	return s.onRun().follow(l, run, end), nil
}

// follow makes a run the one that is debugged.
func (s attached) follow(l *Launch, run attach.Run, end attach.End) afterwards {
	s.launch, s.phase = l, launched
	s.live = &live{run: run, onLeave: end, results: make(chan liveSet, 1)}
	s.references = references(run.Files(), run.Text)
	s.threads = s.listWorkers()
	run.OnReport(s.onRun().liveReported)
	return afterwards{nil, func() {
		s.say("console", "attached to "+run.Name()+": breakpoints hold its tasks; workers run on"+controlOf(run))
		s.out.event("capabilities", map[string]any{"capabilities": map[string]any{"supportsRestartRequest": false}}) // clients attach again
		s.out.event("initialized", nil)
	}}
}

// controlOf says whether the run is steered from here.
func controlOf(run attach.Run) string {
	if run.Steers() {
		return "; this debugger has control of the run until it disconnects"
	}
	return "; another client has control of the run, and breakpoints are refused. Fix: attach with \"control\": true"
}

// endOf reads onDetach.
func endOf(text string) (attach.End, error) {
	switch text {
	case "", "resume":
		return attach.Resume, nil
	case "leave":
		return attach.Leave, nil
	}
	return 0, invalid("unknown onDetach "+quote(text), "use resume or leave")
}

// firstWorker keeps the numbers of workers apart from those of lanes.
const firstWorker = 1 << 20

// listWorkers lists the workers of a run, which are the threads while no task is open.
func (s *view) listWorkers() []dap.Thread {
	list := []dap.Thread{}
	for w := range max(s.live.run.Workers(), 1) {
		list = append(list, dap.Thread{Id: firstWorker + w, Name: fmt.Sprintf("worker %d", w)})
	}
	return list
}

// await waits for a task in a goroutine of its own, which f does.
func (s attached) await(f func(ctx context.Context) (*attach.Stop, error)) {
	ctx, cancel := context.WithCancel(s.ctx)
	w := &waiting{cancel: cancel, done: make(chan found, 1)}
	s.live.waiting, s.program, s.live.opened = w, nil, nil
	s.refs.clear()
	s.atEnd, s.traps, s.data = false, traps{}, dataPlaces{}
	s.threads = s.listWorkers()
	go func() {
		stop, err := f(ctx)
		w.done <- found{stop, err}
	}()
}

// begun opens the task that the client names or that stands still already, or waits for one.
func (s attached) begun() {
	run := s.live.run
	if _, resumes := run.(attach.Resumer); resumes && s.live.onLeave == attach.Terminate { // the client has started it: its tasks run when the breakpoints are in force
		s.start()
		return
	}
	if !s.launch.NoDebug {
		stop, err := run.Standing(s.ctx, string(s.launch.Task))
		if err != nil {
			s.say("stderr", err.Error())
		}
		if stop != nil {
			s.openTask(stop)
			return
		}
		if p, ok := run.(attach.Resumer); ok && run.Steers() && p.AllPaused() {
			s.live.paused = true
			s.say("console", "all workers are paused, so no task runs: pause, and then continue, resumes them")
		}
	}
	s.await(run.Wait)
}

// start has the workers of a run that the client has started begin, once its breakpoints are in force.
func (s attached) start() {
	run, all := s.live.run, s.live.run.(attach.Resumer)
	s.await(func(ctx context.Context) (*attach.Stop, error) {
		set := make(chan struct{})
		go func() {
			s.live.changes.Wait()
			close(set)
		}()
		select {
		case <-set:
		case <-ctx.Done():
			return nil, ctx.Err()
		}
		if err := all.ResumeAll(ctx); err != nil {
			return nil, err
		}
		return run.Wait(ctx)
	})
}

// proceed lets the open task continue, and waits for the next one.
func (s attached) proceed() {
	run := s.live.run
	all, ok := run.(attach.Resumer)
	resume := ok && s.live.paused // not after a pause of the client's own: tasks that breakpoints hold by then would be resumed, too
	s.live.paused = false
	s.await(func(ctx context.Context) (*attach.Stop, error) {
		err := run.Release(ctx)
		if err == nil && resume {
			err = all.ResumeAll(ctx)
		}
		if err != nil {
			return nil, err
		}
		return run.Wait(ctx)
	})
}

// holdNow ends a wait by pausing the workers.
func (s attached) holdNow() {
	s.live.failed = 0
	s.await(s.live.run.Hold)
}

// maxFailed is how many waits in a row may fail before the session ends.
const maxFailed = 4

// foundTask takes note of the end of a wait.
func (s attached) foundTask(f found) {
	w := s.live.waiting
	w.cancel()
	s.live.waiting = nil
	switch {
	case f.stop != nil:
		s.live.failed = 0
		s.openTask(f.stop)
	case s.phase == over:
	case w.pausing:
		s.holdNow()
		return
	case errors.Is(f.err, attach.ErrRun):
		s.say("console", f.err.Error())
		code := 0
		if errors.Is(f.err, attach.ErrResult) || errors.Is(f.err, attach.ErrLost) {
			code = 1
		}
		s.finish(code)
	default:
		s.say("stderr", f.err.Error())
		if s.live.failed++; s.live.failed >= maxFailed {
			s.finish(1)
			return
		}
		s.await(s.live.run.Wait)
	}
	s.serveLater()
}

// openTask shows a task that stands still.
func (s attached) openTask(stop *attach.Stop) {
	s.takeResults()
	run := s.live.run
	s.live.opened = stop
	if stop.Session == nil {
		s.say("console", stop.About)
		s.atEnd = true
		s.stop = debugger.Stop{Detail: stop.About}
		s.traps = traps{&s.stop, stop.Break.Event}
		_, _, ids := s.whyStopped(stop)
		s.standing("exception", stop.About, ids)
		return
	}
	s.program = &Program{Session: stop.Session, Text: run.Text, About: stop.About, Outcome: stop.Outcome}
	stop.Session.WithContext(s.ctx)
	stop.Session.OnReport(s.reported)
	s.stop = stop.At
	s.mirrorBreaks()
	s.stopOnTraps(s.live.filters)
	s.say("console", stop.About)
	reason, text, ids := s.whyStopped(stop)
	if reason == "exception" {
		s.stop.Detail = text
		s.traps = traps{&s.stop, stop.Break.Event}
	}
	s.standing(reason, text, ids)
}

// whyStopped says why a task is shown: reason is a word of the protocol.
func (s attached) whyStopped(stop *attach.Stop) (reason, text string, ids []int) {
	on := fmt.Sprintf("task %s (%s) on worker %d", stop.Task, stop.Handler, stop.Worker)
	if stop.Break == nil {
		reason = map[attach.Why]string{attach.Found: "entry", attach.Paused: "pause"}[stop.Why]
		return reason, on, nil
	}
	if b := s.breakOf(*stop.Break); b != nil {
		ids = []int{b.id}
	}
	switch b := stop.Break; {
	case b.Watch != "":
		return "data breakpoint", fmt.Sprintf("%s: %s by %s", b.Watch, stop.Left, on), ids
	case b.Event != "":
		return "exception", b.Event + ": " + on, ids
	}
	return "breakpoint", fmt.Sprintf("%s by %s", stop.Break, on), ids
}

// liveReported prints the message of a breakpoint of the run. It is called by the goroutine that waits.
func (s attached) liveReported(r attach.Report) {
	body := dap.OutputEventBody{Category: "stdout", Output: fmt.Sprintf("%s (task %s)\n", r.Text, r.Task)}
	if r.Break.Line != 0 {
		body.Source, body.Line = s.source(r.Break.File), s.lineOut(r.Break.Line)
	}
	s.out.event("output", body)
}

// detach leaves the run; what fails is printed.
func (s attached) detach(e attach.End) {
	if s.live == nil || s.live.run == nil {
		return
	}
	s.halt()
	run := s.live.run
	s.live.run = left{run}
	ctx, cancel := context.WithTimeout(context.WithoutCancel(s.ctx), detachTime)
	defer cancel()
	s.clearPending(ctx, run)
	if err := run.Detach(ctx, e); err != nil {
		s.say("stderr", err.Error())
	}
}

// left is a run that the session has left: it can still be looked at, and not be left again.
type left struct{ attach.Run }

// Detach implements attach.Run.
func (left) Detach(context.Context, attach.End) error { return nil }

// Set implements attach.Run.
func (left) Set(context.Context, attach.Break) (attach.Break, error) { return attach.Break{}, errLeft }

var errLeft = &fault.Error{Kind: ErrRequest, Detail: "the session has left the run", Fix: "attach again"}

// continuesRun reports whether the end of an activation is not a stop of its own: the task continues.
func (s attached) continuesRun(stepped bool) bool {
	return s.live != nil && !stepped && (s.launch.StopOnEnd == nil || !*s.launch.StopOnEnd)
}

// laneName names the thread of a lane of the task that is open.
func (l *live) laneName(lane int) string {
	return fmt.Sprintf("worker %d, lane %d: task %s (%s)", l.opened.Worker, lane, l.opened.Task, l.opened.Handler)
}

// listLanes lists the lanes that run the task that is open.
func (s *view) listLanes() []dap.Thread {
	at := debugger.Selected(s.program.Session)
	var list []dap.Thread
	for lane, active := range s.program.Session.Active() {
		if s.live.opened.Alone && lane != at.Lane {
			continue
		}
		name := s.live.laneName(lane)
		if !active && !s.live.opened.Alone {
			name += " (inactive)"
		}
		list = append(list, dap.Thread{Id: s.threadID(debugger.Context{Group: at.Group, Lane: lane}), Name: name})
	}
	return list
}
