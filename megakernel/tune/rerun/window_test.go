package rerun

import (
	"math"
	"testing"
	"time"

	"vyretop/engine/backendtest"
	"vyretop/engine/reference"
	"vyretop/megakernel/run"
	"vyretop/megakernel/workload"
)

// inPieces is a workload whose progress grows by whole pieces.
type inPieces struct {
	workload.Workload
	piece int64
}

func (w inPieces) Progress() (done, total int64, unit string) {
	done, total, unit = w.Workload.Progress()
	return done - done%w.piece, total, unit
}

// TestWindowsAreNoShorterThanThePiecesOfTheWork: windows that were shorter had nothing in them, and of most comparisons tune
// could not tell which shape is faster.
func TestWindowsAreNoShorterThanThePiecesOfTheWork(t *testing.T) {
	d, err := run.OpenWorkload("collatz")
	if err != nil {
		t.Fatal(err)
	}
	const piece, window = 500, time.Millisecond
	live := NewLive(Config{
		Backend: backendtest.Reference(t, reference.Options{Seed: 1, Resident: 3}), WorkgroupSize: 4,
		New: func() (workload.Workload, error) {
			w, err := d.New(map[string]string{"count": "2000"})
			return inPieces{w, piece}, err
		},
	})
	defer func() {
		if err := live.Close(); err != nil {
			t.Error(err)
		}
	}()
	if err := live.prepare(t.Context(), nil, false); err != nil {
		t.Fatal(err)
	}
	s, err := live.watchPieces(t.Context(), window, time.Hour)
	if err != nil || s.Work < piece || math.Mod(s.Work, piece) != 0 || s.Time < window {
		t.Errorf("%+v, %v; want whole pieces of %d in %v or more", s, err, piece, window)
	}
}
