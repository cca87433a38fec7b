package main

import (
	"context"
	_ "embed"
	"encoding/json"
	"errors"
	"fmt"
	"strings"
	"time"

	"vyretop/fixtures"
	"vyretop/megakernel"
	"vyretop/megakernel/breakpoint"
)

// breakRun is another recording of that workload, with breakpoints: made with breaks.script in the place of mixed.script.
//
//go:embed mixed/breaks.mcap
var breakRun []byte

// breakStatus is what `vyretop breakpoints --json` printed while it was made. Recordings hold the hits as events only.
//
//go:embed mixed/breaks.json
var breakStatus []byte

// breakDocument is the part of that document that is drawn.
type breakDocument struct {
	Taken       int64 `json:"taken_ms"`
	Breakpoints []struct {
		ID               int
		Enabled, Pending bool
		Action           breakpoint.Action
		Condition        string
		Hits             uint64
		Workers          string
		Task             uint32
		Every, After     uint32
		Armed            int64 `json:"armed_us"`
	}
}

// heldBreaks is a target as it was when the document was printed. It cannot be changed.
type heldBreaks struct {
	at   time.Duration
	list []breakpoint.Status
}

func newHeldBreaks() (*heldBreaks, error) {
	var d breakDocument
	if err := json.Unmarshal(breakStatus, &d); err != nil {
		return nil, fmt.Errorf("mixed/breaks.json: %w", err)
	}
	h := &heldBreaks{at: time.Duration(d.Taken) * time.Millisecond}
	for _, b := range d.Breakpoints {
		s := breakpoint.Status{
			ID: b.ID, Enabled: b.Enabled, Pending: b.Pending, Hits: b.Hits, Task: b.Task, Latency: time.Duration(b.Armed) * time.Microsecond,
			Breakpoint: breakpoint.Breakpoint{Condition: b.Condition, Action: b.Action, Every: b.Every, After: b.After},
		}
		for _, text := range strings.Fields(b.Workers) {
			var w breakpoint.WorkerHits
			if _, err := fmt.Sscanf(text, "%d:%d", &w.Worker, &w.Hits); err != nil {
				return nil, fmt.Errorf("mixed/breaks.json: hits %q: %w", text, err)
			}
			s.Workers = append(s.Workers, w)
		}
		h.list = append(h.list, s)
	}
	return h, nil
}

var errHeld = errors.New("a picture cannot be steered")

// Do implements tui.Sink.
func (h *heldBreaks) Do(context.Context, megakernel.Command) (megakernel.Ack, error) {
	return megakernel.Ack{}, errHeld
}

// Retune implements tui.Sink.
func (h *heldBreaks) Retune(context.Context, megakernel.Shape) error { return errHeld }

// Arm implements steer.Breaker.
func (h *heldBreaks) Arm(context.Context, breakpoint.Breakpoint) (breakpoint.Status, error) {
	return breakpoint.Status{}, errHeld
}

// Disarm implements steer.Breaker.
func (h *heldBreaks) Disarm(context.Context, int) error { return errHeld }

// Enable implements steer.Breaker.
func (h *heldBreaks) Enable(context.Context, int, bool) error { return errHeld }

// undated is a recording as a target that is read now: nothing says how long ago it was made.
type undated struct{ *fixtures.Player }

// Target implements tui.Source.
func (u undated) Target() megakernel.Target {
	t := u.Player.Target()
	t.Started = time.Time{}
	return t
}

// Breakpoints implements steer.Breaker.
func (h *heldBreaks) Breakpoints() []breakpoint.Status { return h.list }
