package live

import (
	"context"

	"vyretop/engine/fault"
	"vyretop/megakernel"
)

// Runner is what a run does of command.Runner.
type Runner interface {
	// Reload reads the handlers again and puts them in force. text says what has changed, for people, as in the next one.
	Reload(ctx context.Context) (text string, err error)
	// Spawn adds a task of the user's own.
	Spawn(ctx context.Context, t megakernel.Injected) (text string, err error)
	// Rerun ends the run, and has it start again with the same inputs and breakpoints.
	Rerun(ctx context.Context) (text string, err error)
}

// steering is what a hub passes on to its run.
type steering struct{ hub *Hub }

// Reloaded notes and records handlers that are in force from here on.
func (h *steering) Reloaded(r megakernel.Reload) {
	r.At = h.hub.now()
	now := h.hub.Target()
	now = now.WithReload(r)
	now.TrimReloads()
	h.hub.reloaded.Store(&now)
	if h.hub.o.Recorder != nil {
		h.hub.o.Recorder.Reloaded(r)
	}
}

// errNoRunner is the kind of the error of a target whose run takes no such requests.
const errNoRunner fault.Kind = "this target cannot be reloaded, extended or started again. Fix: use a run of vyretop run"

// Reload has the run take other handlers, as command.Runner says.
func (h *steering) Reload(ctx context.Context) (string, error) {
	return h.steer(func(r Runner) (string, error) { return r.Reload(ctx) })
}

// Spawn adds a task, as command.Runner says.
func (h *steering) Spawn(ctx context.Context, t megakernel.Injected) (string, error) {
	return h.steer(func(r Runner) (string, error) { return r.Spawn(ctx, t) })
}

// Rerun starts the run again, as command.Runner says.
func (h *steering) Rerun(ctx context.Context) (string, error) {
	return h.steer(func(r Runner) (string, error) { return r.Rerun(ctx) })
}

func (h *steering) steer(do func(Runner) (string, error)) (string, error) {
	if h.hub.o.Runner == nil {
		return "", errNoRunner
	}
	defer h.hub.sample()
	return do(h.hub.o.Runner)
}
