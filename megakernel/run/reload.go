package run

import (
	"context"
	"errors"
	"fmt"
	"slices"
	"strings"
	"sync"
	"time"

	"vyretop/engine/fault"
	"vyretop/engine/units"
	"vyretop/megakernel"
	"vyretop/megakernel/resident"
	"vyretop/megakernel/workload"
)

// ErrReload is the kind of errors about handlers that a run cannot read again.
const ErrReload fault.Kind = "the handlers cannot be read again"

// ErrOvertaken is the kind of the error of a reload whose handlers were edited again while they were compiled.
const ErrOvertaken fault.Kind = "the handlers were edited again"

// reloads reads handlers again, one text at a time: the newest.
type reloads struct {
	mu     sync.Mutex
	cancel context.CancelCauseFunc // of the reload under way; nil for none

	turn    sync.Mutex
	now     *workload.Setup // whose handlers run; guarded by turn, as
	refused string          // why the last ones were not taken; "" where they were
	read    func() (*workload.Setup, error)
	first   *workload.Setup // as it was read at launch, with the sizes of the manifest; nil where it could not be read then
}

// begin notes the handlers of the launch, and how they are read again: nil for a workload without a folder.
func (x *reloads) begin(setup *workload.Setup, read func() (*workload.Setup, error)) {
	x.now, x.read = setup, read
	if read == nil {
		return
	}
	x.first, _ = read()
}

// start notes a reload, and gives up the one before.
func (x *reloads) start(ctx context.Context) (context.Context, context.CancelCauseFunc) {
	ctx, cancel := context.WithCancelCause(ctx)
	x.mu.Lock()
	defer x.mu.Unlock()
	if x.cancel != nil {
		x.cancel(&fault.Error{Kind: ErrOvertaken, Op: "reload", Detail: "they were edited again, or reloaded again, before they were compiled", Fix: "see what came of the newest text"})
	}
	x.cancel = cancel
	return ctx, cancel
}

// Reload has the run take its handlers as they are on disk, and says what came of it. A reload that is not in force gives way to
// a later one: ErrOvertaken. What cannot be read or compiled leaves the handlers that run.
func (r *steering) Reload(ctx context.Context) (text string, err error) {
	text, _, err = r.Reread(ctx)
	return text, err
}

// Reread is Reload; changed is false where the handlers are those that were read last.
func (r *steering) Reread(ctx context.Context) (text string, changed bool, err error) {
	if r.run.group.of.Several() {
		return "", false, oneDevice("reload")
	}
	x := &r.reloads
	ctx, end := x.start(ctx)
	defer end(nil)
	x.turn.Lock()
	defer x.turn.Unlock()
	text, moved, changed, err := r.reload(ctx)
	if cause := context.Cause(ctx); err != nil && errors.Is(cause, ErrOvertaken) {
		return "", true, cause
	}
	switch {
	case err != nil && ctx.Err() == nil:
		changed = x.refused != err.Error() // an editor that writes in several steps may bring it about twice
		x.refused = err.Error()
		r.run.hub.Event(megakernel.EventReloadRefused, x.refused)
	case changed:
		x.refused = ""
		r.run.hub.Event(megakernel.EventReloaded, text)
		for _, m := range moved {
			r.run.hub.Event(breakEvents[m.Gone], m.Text)
			text += "; " + m.Text
		}
	case x.refused != "": // it was taken back
		x.refused, changed = "", true
	}
	return text, changed, err
}

// breakEvents are the kinds of events about breakpoints that a reload has moved, or removed: true.
var breakEvents = map[bool]string{false: megakernel.EventBreakMoved, true: megakernel.EventBreakRemoved}

// reload reads the handlers and has the session take them. The caller holds turn.
func (r *steering) reload(ctx context.Context) (text string, moved []resident.MovedBreak, changed bool, err error) {
	if err := context.Cause(ctx); err != nil {
		return "", nil, false, err
	}
	x := &r.reloads
	if x.read == nil {
		return "", nil, false, x.noFolder(r.run.group.target.Workload)
	}
	next, err := x.read()
	if err != nil {
		return "", nil, false, err
	}
	if a, ok := r.run.workload.(workload.Adapter); ok {
		a.AdaptHandlers(next)
	}
	list := x.now.Unlike(next)
	if x.first != nil {
		list = append(list, next.Resized(x.first)...)
	}
	if len(list) > 0 {
		return "", nil, false, &fault.Error{Kind: ErrReload, Op: "reload", Subject: workload.ManifestName, Detail: "it differs in what a running kernel cannot change: " + strings.Join(list, "; "), Fix: "start the run again (rerun), or undo these changes"}
	}
	files := x.now.ChangedFiles(next)
	if len(files) == 0 && slices.Equal(x.now.Handlers, next.Handlers) {
		return "the handlers are as they were", nil, false, nil
	}
	if len(files) == 0 {
		files = []string{workload.ManifestName}
	}
	r.run.hub.Event(megakernel.EventReloadCompiles, strings.Join(files, ", "))
	c := next.Config()
	done, err := r.run.group.first().Session.Reload(ctx, c.Handlers, c.Sources)
	if err != nil {
		return "", nil, false, next.WithExcerpt(err)
	}
	x.now = next
	text = fmt.Sprintf("%s: slice %d runs the new text, after %s", strings.Join(files, ", "), done.Slice, units.Duration(done.Took.Round(time.Millisecond)))
	return text, done.Moved, true, nil
}

// noFolder is the error about a workload that is part of the program.
func (x *reloads) noFolder(name string) error {
	return &fault.Error{Kind: ErrReload, Op: "reload", Subject: "workload " + name, Detail: "it is part of the program and has no folder", Fix: "copy its folder out of the source tree (megakernel/workload/shipped), and run that"}
}
