package tune

import (
	"context"
	"errors"
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
