package tune

import (
	"context"
	"errors"
	"slices"
	"strings"
	"testing"
	"time"

	"vyretop/megakernel"
)

// shaped is a target whose rate is what its shape gives.
type shaped struct {
	now  megakernel.Snapshot
	rate func(megakernel.Shape) int64
	in   megakernel.Shape
}

func (s *shaped) Snapshot() *megakernel.Snapshot {
	s.now.Taken += 100 * time.Millisecond
	s.now.Progress = megakernel.Progress{Unit: "B", Done: s.now.Progress.Done + s.rate(s.in)}
	out := s.now
	return &out
}

func (s *shaped) Apply(_ context.Context, list ...megakernel.Setting) ([]megakernel.Change, error) {
	s.in = megakernel.Shape{Workers: int(list[0].Value), Lanes: int(list[1].Value)}
	return nil, nil
}

// TestSlowerShapeIsTakenBack: a shape that was tried stays only where it is faster.
func TestSlowerShapeIsTakenBack(t *testing.T) {
	from, to := megakernel.Shape{Workers: 1, Lanes: 8}, megakernel.Shape{Workers: 1, Lanes: 1}
	for _, tt := range []struct {
		name     string
		fromRate int64
		toRate   int64
		kept     bool
		err      error
	}{
		{"slower", 800, 240, false, nil}, {"faster", 800, 1600, true, nil}, {"the same", 800, 800, false, nil}, {"idle", 0, 0, false, ErrCannotTell},
	} {
		s := &shaped{in: from, rate: func(now megakernel.Shape) int64 {
			if now == to {
				return tt.toRate
			}
			return tt.fromRate
		}}
		got, err := Try(t.Context(), s, from, to)
		want := from
		if tt.kept {
			want = to
		}
		if !errors.Is(err, tt.err) || got.Kept != tt.kept || s.in != want {
			t.Errorf("%s: %+v, %v; in force is %v", tt.name, got, err, s.in)
		}
		if tt.err == nil && got.Ratio != float64(tt.toRate)/float64(tt.fromRate) {
			t.Errorf("%s: %+v", tt.name, got)
		}
	}
}

// TestATrialRefusesAllButTheShapeInForce: after a trial that kept 2x8, the slower 4x8 was recommended again in its place.
func TestATrialRefusesAllButTheShapeInForce(t *testing.T) {
	from, to, other := megakernel.Shape{Workers: 1, Lanes: 1}, megakernel.Shape{Workers: 2, Lanes: 8}, megakernel.Shape{Workers: 4, Lanes: 8}
	trial := Trial{From: from, To: to, Kept: true, Pairs: 14, Ratio: 4.21, Low: 2.77, High: 5.97, RateTo: 523_000, RateFrom: 126_000, Unit: "samples", Others: []Tried{{other, 2}}}
	if got := trial.Refused(); trial.InForce() != to || !slices.Equal(got, []megakernel.Shape{other, from}) {
		t.Errorf("kept: %v is in force, %v are refused", trial.InForce(), got)
	}
	if got, want := trial.String(), "2×8 kept: 4.21 times as fast as 1×1 (2.77 to 5.97; 523k samples/s, was 126k); also measured: 4×8 2.00"; got != want {
		t.Errorf("%q, want %q", got, want)
	}
	trial.Kept = false
	if got := trial.Refused(); trial.InForce() != from || !slices.Equal(got, []megakernel.Shape{other, to}) {
		t.Errorf("taken back: %v is in force, %v are refused", trial.InForce(), got)
	}
	trial.Pairs = 0
	if got := trial.Refused(); got != nil {
		t.Errorf("not measured: %v are refused", got)
	}
}

// TestATrialSaysWhatItsIntervalShows: a shape was taken back as "1.02 times as fast (0.65 to 1.4)", as if that were measured.
func TestATrialSaysWhatItsIntervalShows(t *testing.T) {
	for _, tt := range []struct {
		low, ratio, high float64
		kept             bool
		want             string
	}{
		{0.65, 1.02, 1.4, false, "4×8 taken back, 2×8 is in force: cannot tell which is faster, 1.02 times as fast as 2×8 (0.65 to 1.40;"},
		{0.95, 1.01, 1.05, false, "in force: no difference, 1.01 times"},
		{0.5, 0.6, 0.7, false, "in force: 0.60 times"},
		{0.99, 1.3, 1.6, true, "4×8 kept: probably faster, 1.30 times"},
		{1.2, 1.3, 1.4, true, "4×8 kept: 1.30 times"},
	} {
		x := Trial{From: megakernel.Shape{Workers: 2, Lanes: 8}, To: megakernel.Shape{Workers: 4, Lanes: 8}, Kept: tt.kept, Pairs: 14, Unit: "B"}
		x.Verdict, x.Low, x.Ratio, x.High = verdictOf(tt.low, tt.high), tt.low, tt.ratio, tt.high
		if got := x.String(); !strings.Contains(got, tt.want) {
			t.Errorf("%v to %v: %q, want %q", tt.low, tt.high, got, tt.want)
		}
	}
}
