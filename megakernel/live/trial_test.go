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
	if !errors.Is(err, tune.ErrEnded) || tune.Gone(err) || trial.Pairs != 0 || trial.Kept {
		t.Errorf("%+v, %v", trial, err)
	}
	if n := len(h.Events(0, 100)); n != before {
		t.Errorf("%d events more", n-before)
	}
}
