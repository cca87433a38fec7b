package live

import (
	"context"
	"fmt"
	"strings"

	"vyretop/engine/fault"
	"vyretop/megakernel"
)

// Target is what the target is; only handlers that are reloaded change it.
func (h *Hub) Target() megakernel.Target {
	if t := h.reloaded.Load(); t != nil {
		return *t
	}
	return h.target
}

// Do gives the target a command and waits for its answer, which becomes an event.
func (h *Hub) Do(ctx context.Context, c megakernel.Command) (megakernel.Ack, error) {
	if h.o.Recorder != nil {
		h.o.Recorder.Command(h.now(), c)
	}
	ack, err := h.session.Do(ctx, c)
	defer h.sample()
	if err != nil {
		h.Event("error", fmt.Sprintf("%s: %v", describe(c, h.Buffers()), err))
		return ack, err
	}
	h.Tell(megakernel.HostEvent{Kind: "ack", Text: describe(c, h.Buffers()) + ": " + ack.Result.String(), Latency: ack.Latency})
	return ack, nil
}

// Retune changes the number of workers and lanes and waits until the change is in force.
func (h *Hub) Retune(ctx context.Context, s megakernel.Shape) error {
	err := h.session.Retune(ctx, s)
	defer h.sample()
	if err != nil {
		h.Event("error", fmt.Sprintf("retune to %d workers of %d lanes: %v", s.Workers, s.Lanes, err))
	}
	return err
}

// Settings are those in force.
func (h *Hub) Settings() megakernel.Settings { return h.session.Settings() }

// Apply changes settings of the target, all or none, and waits until they are in force; it returns what
// they replaced. The target reports each change as an event.
func (h *Hub) Apply(ctx context.Context, list ...megakernel.Setting) ([]megakernel.Change, error) {
	changes, err := h.session.Apply(ctx, list...)
	defer h.sample()
	if err != nil {
		h.Event("error", fmt.Sprintf("set %s: %v", settingsText(list), err))
	}
	return changes, err
}

// Undo takes back what the last Apply or Retune has changed, if it still holds.
func (h *Hub) Undo(ctx context.Context) ([]megakernel.Change, error) {
	changes, err := h.session.Undo(ctx)
	defer h.sample()
	if err != nil {
		h.Event("error", err.Error())
	}
	return changes, err
}

// Drain has the target take no new tasks, and waits until those that are there have ended or cannot continue
// by themselves.
func (h *Hub) Drain(ctx context.Context) error {
	h.Event("drain", "no new tasks are taken")
	err := h.session.Drain(ctx)
	if err != nil {
		h.Event("error", fmt.Sprintf("drain: %v", err))
	}
	return err
}

// Stop ends the run, which is not over yet when it returns.
func (h *Hub) Stop(context.Context) error {
	h.Event("stop", "the run was asked to stop")
	h.o.Stop()
	return nil
}

// Note adds a remark to the events.
func (h *Hub) Note(_ context.Context, text string) error {
	h.Event(megakernel.EventNote, text)
	h.Notify()
	return nil
}

// errNoRecording is the kind of the error of a target that cannot be recorded while it runs.
const errNoRecording fault.Kind = "this target cannot be recorded from here on. Fix: record it with vyretop record"

// Record begins or ends a recording, as command.Recorder says. It has a snapshot of now.
func (h *Hub) Record(ctx context.Context, file string) (text string, err error) {
	if h.o.Record == nil {
		return "", errNoRecording
	}
	h.sample()
	text, err = h.o.Record(ctx, file)
	h.sample()
	return text, err
}

func settingsText(list []megakernel.Setting) string {
	words := make([]string, len(list))
	for i, s := range list {
		words[i] = s.String()
	}
	return strings.Join(words, " ")
}

// Quiet stops reading the target, or continues, so that what reading costs can be measured. The log goes
// on in the meantime; what does not fit is lost and counted.
func (h *Hub) Quiet(on bool) { h.quiet.Store(on) }

// Work is how much work is done, as megakernel.Snapshot.Work says it. It reads the totals only, where the session
// can do that.
func (h *Hub) Work() (done uint64, unit string) {
	if w, ok := h.session.(interface{ Work() (uint64, string) }); ok {
		return w.Work()
	}
	return h.session.Snapshot().Work()
}

// bufferReader is a session whose buffers can be read.
type bufferReader interface {
	Buffers() []megakernel.BufferInfo
	ReadBuffer(ctx context.Context, name string, first int, dst []uint32) error
}

// Buffers describes the buffers that ReadBuffer can read, nil where there are none.
func (h *Hub) Buffers() []megakernel.BufferInfo {
	if r, ok := h.session.(bufferReader); ok {
		return r.Buffers()
	}
	return nil
}

// ReadBuffer copies words of a buffer, from number first on. Errors are the session's.
func (h *Hub) ReadBuffer(ctx context.Context, name string, first int, dst []uint32) error {
	if r, ok := h.session.(bufferReader); ok {
		return r.ReadBuffer(ctx, name, first, dst)
	}
	return errNoBuffers
}

const errNoBuffers fault.Kind = "cannot read the buffers of this target. Fix: read the control, ring and workers buffers"
