package replay

import (
	"context"
	"fmt"
	"math"
	"time"

	"vyretop/engine/fault"
	"vyretop/fixtures"
	"vyretop/megakernel"
	"vyretop/megakernel/activations"
)

// History is what a recorded run wrote up to an activation, or to its end. The run is executed again, on one lane, for each question.
type History struct {
	plan   *plan
	before int           // activations of all tasks up to there
	within time.Duration // how long the run is executed at most; 0: no limit
}

// mostQuickTasks bounds the published tasks of a run whose history is read for a task that was captured without executing the run:
// reading more takes longer than opening the task, and executing them longer than a person waits.
const mostQuickTasks = 1 << 16

// historyOf is what the run of a recording wrote up to its end; nil where it cannot be executed again, or is long.
func historyOf(name string, rec *fixtures.Recording, within time.Duration) *History {
	_, at := rec.Span()
	end, _, err := rec.SnapshotAt(at)
	if err != nil || end == nil || end.Submitted > mostQuickTasks || !Possible(rec) {
		return nil
	}
	p, err := newPlan(name, rec)
	if err != nil {
		return nil
	}
	return &History{plan: p, before: math.MaxInt, within: within}
}

// Writer finds the last write to a word of a buffer, by any task. It is nil where the run begins with the value.
func (h *History) Writer(ctx context.Context, binding uint32, word int) (*Writer, error) {
	var last activations.Write
	if h.within > 0 {
		limited, cancel := context.WithTimeoutCause(ctx, h.within, errLate)
		defer cancel()
		ctx = limited
	}
	stopping, stop := context.WithCancelCause(ctx)
	defer stop(nil)
	f := activations.New(func(a activations.Activation, _ activations.Memory) {
		if a.Number > h.before {
			stop(errCaptured)
		}
	}, func(w activations.Write) {
		if w.Number <= h.before {
			last = w
		}
	})
	f.Watch(binding, word)
	err := h.plan.follow(stopping, 0, alone, f)
	switch cause := context.Cause(stopping); {
	case err != nil && cause == errLate:
		return nil, &fault.Error{Kind: ErrActivation, Subject: h.plan.name, Detail: fmt.Sprintf("executing the run again takes longer than %v", h.within), Fix: "give it longer with --within"}
	case err != nil && cause != errCaptured:
		return nil, err
	}
	return h.plan.writer(last), nil
}

// Earlier tells which activation gave words of a buffer their value: of several words, the first
// that any wrote. The fields are what it tells, by their names in documents. Errors are those of Writer.
func (h *History) Earlier(ctx context.Context, place string, binding uint32, words []int) (text string, fields map[string]any, err error) {
	for _, word := range words {
		w, err := h.Writer(ctx, binding, word)
		if err != nil {
			return "", nil, err
		}
		if w == nil {
			continue
		}
		task := megakernel.TaskName(w.Task)
		text := fmt.Sprintf("%s was written before this activation: %s:%d, handler %s, task %s, activation %d: %d -> %d\nopen it with vyretop debug %s --task %s --activation %d",
			place, w.File, w.Line, w.Handler, task, w.Activation, w.Old, w.New, h.plan.name, task, w.Activation)
		return text, map[string]any{"place": place, "file": w.File, "line": w.Line, "handler": w.Handler, "task": w.Task, "activation": w.Activation, "old": w.Old, "new": w.New}, nil
	}
	return place + " was not written before this activation: the run began with its value", map[string]any{"place": place}, nil
}
