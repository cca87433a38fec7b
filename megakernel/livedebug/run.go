package livedebug

import (
	"context"
	"errors"
	"slices"
	"sync"
	"sync/atomic"

	"vyretop/engine/debugger/attach"
	"vyretop/engine/fault"
	"vyretop/engine/glsl"
	"vyretop/megakernel"
	"vyretop/megakernel/breakpoint"
	"vyretop/megakernel/capture"
	"vyretop/tasks"
)

// Target is a live run.
type Target interface {
	capture.Device
	// Snapshot is the newest one; nil before the first.
	Snapshot() *megakernel.Snapshot
	Updates() <-chan struct{} // when there is a newer one; closed when none will come
	// Enable switches a breakpoint on or off. It keeps its hits.
	Enable(ctx context.Context, id int, on bool) error
	// Breakpoints lists them with their hits, by ID.
	Breakpoints() []breakpoint.Status
	// Stop ends the run.
	Stop(ctx context.Context) error
	Err() error // why no newer snapshot will come, nil for a run that ended in order
}

// Options say how a run is debugged.
type Options struct {
	Name   string // of the run
	Bytes  int    // most bytes of buffers that are captured of a task; 0: capture.DefaultBytes
	Closed func() error
	Steers bool // the run takes commands of this debugger
}

// Run is a live run under the debugger. It implements attach.Run.
type Run struct {
	reloader
	steering
	workers
	others
	target  Target
	o       Options
	texts   texts
	passing passing

	mu      sync.Mutex
	own     map[int]attach.Break // by number in the run
	setting int                  // breakpoints that are being set
	report  func(attach.Report)

	// Of the goroutine that waits:
	passed map[int][tasks.SlotWords]uint32 // by slot: words of tasks that stand still for another reason, or could not be opened
	failed bool                            // it has been told that the verification failed

	opened atomic.Pointer[opened] // nil: no task is open
}

// steering says whether the run takes commands of this debugger.
type steering bool

// Steers implements attach.Run.
func (s steering) Steers() bool { return bool(s) }

// opened is the task that is open, and what is to be resumed when it is released.
type opened struct {
	task    uint32
	slot    int
	own     bool  // a breakpoint of this debugger holds it
	result  bool  // no task: the run is held because of its result
	workers []int // that were paused for it
}

// Open begins to debug a run. The error is kernel.ErrText where its kernel's text cannot be had.
func Open(target Target, o Options) (*Run, error) {
	r := &Run{
		steering: steering(o.Steers), target: target, o: o, own: map[int]attach.Break{}, passing: passing{spent: map[int]bool{}, silent: map[int]bool{}}, passed: map[int][tasks.SlotWords]uint32{},
	}
	r.texts.target, r.reloader.of, r.workers.of, r.others.of = target, target, target, r
	if err := r.texts.now(); err != nil {
		return nil, err
	}
	return r, nil
}

// Name implements attach.Run.
func (r *Run) Name() string { return r.o.Name }

// Files implements attach.Run.
func (r *Run) Files() []string {
	return slices.DeleteFunc(slices.Clone(r.texts.kernel().Program.Files), capture.IsKernelFile)
}

// Text implements attach.Run.
func (r *Run) Text(file string) string {
	text, _ := r.texts.text().File(file)
	return text
}

// Lines implements attach.Run.
func (r *Run) Lines(file string) []int {
	k := r.texts.kernel()
	if k.Program.Tree == nil {
		return nil
	}
	return glsl.StatementLines(k.Program.Tree, file)
}

// Workers implements attach.Run.
func (r *Run) Workers() int {
	if s := r.target.Snapshot(); s != nil {
		return s.Workers
	}
	return 0
}

// OnReport implements attach.Run.
func (r *Run) OnReport(f func(attach.Report)) {
	r.mu.Lock()
	defer r.mu.Unlock()
	r.report = f
}

// ended is the error about a run that sends nothing any longer.
func (r *Run) ended() error {
	if err := r.target.Err(); err != nil {
		return &fault.Error{Kind: attach.ErrRun, Subject: r.o.Name, Detail: "it is lost", Cause: &fault.Error{Kind: attach.ErrLost, Cause: err}, Fix: "see vyretop list"}
	}
	ended := &fault.Error{Kind: attach.ErrRun, Subject: r.o.Name, Detail: "it has ended", Fix: "start it again, and attach while it runs"}
	switch known, wrong := verdict(r.target); {
	case wrong != "":
		ended.Detail, ended.Cause = "it has ended", &fault.Error{Kind: attach.ErrResult, Detail: "its verification failed" + wrong}
	case known:
		ended.Detail = "it has ended, and its result is verified"
	}
	return ended
}

// Detach implements attach.Run.
func (r *Run) Detach(ctx context.Context, e attach.End) error {
	var failed []error
	if e == attach.Terminate {
		failed = append(failed, r.target.Stop(ctx))
	} else {
		failed = append(failed, r.clearAll(ctx), r.leave(ctx, e))
	}
	if r.o.Closed != nil {
		failed = append(failed, r.o.Closed())
	}
	err := errors.Join(failed...)
	if over(r.target) {
		return nil // nothing is left of what was set
	}
	return err
}

// over reports whether the run has ended.
func over(target Target) bool {
	ended, ok := target.(interface{ Ended() <-chan struct{} })
	if !ok {
		return false
	}
	select {
	case <-ended.Ended():
		return true
	default:
		return false
	}
}
