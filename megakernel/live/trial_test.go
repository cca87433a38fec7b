package live

import (
	"errors"
	"testing"

	"vyretop/megakernel"
	"vyretop/megakernel/tune"
)

// finished is a session that has done its work and is there still.
type finished struct{ fakeSession }

func (f *finished) Snapshot() *megakernel.Snapshot {
	s := f.fakeSession.Snapshot()
	s.Progress = megakernel.Progress{Done: 9, Total: 9, Unit: "B"}
	return s
}

// TestFinishedRunTriesNothing: it is refused at once, without a window and without another shape in force.
func TestFinishedRunTriesNothing(t *testing.T) {
	h := New(&finished{}, megakernel.Target{}, Options{})
	h.sample()
	before := len(h.Events(0, 100))
	trial, err := h.Try(t.Context(), megakernel.Shape{Workers: 4, Lanes: 8})
	if !errors.Is(err, tune.ErrFinished) || tune.Gone(err) || trial.Pairs != 0 || trial.Kept {
		t.Errorf("%+v, %v", trial, err)
	}
	if n := len(h.Events(0, 100)); n != before {
		t.Errorf("%d events more", n-before)
	}
}

// paused is a session whose workers are all paused.
type paused struct{ fakeSession }

func (p *paused) Snapshot() *megakernel.Snapshot {
	s := *p.fakeSession.Snapshot()
	s.Phase, s.Workers, s.Lanes, s.Submitted = megakernel.PhaseResident, 1, 8, 64
	s.WorkerTable = make([]uint32, megakernel.WorkerWords)
	s.WorkerTable[megakernel.WkState] = uint32(megakernel.WorkerPaused)
	return &s
}

// TestHeldRunTriesNothing: it says what holds the target, not that no shape is recommended, before a shape is tried.
func TestHeldRunTriesNothing(t *testing.T) {
	for _, shape := range []megakernel.Shape{{}, {Workers: 4, Lanes: 8}} {
		h := New(&paused{}, megakernel.Target{MaxWorkers: 8, WorkgroupSize: 8}, Options{})
		h.sample()
		if _, err := h.Try(t.Context(), shape); !errors.Is(err, tune.ErrHeld) {
			t.Errorf("%v: %v", shape, err)
		}
	}
}
