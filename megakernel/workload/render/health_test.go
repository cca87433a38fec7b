package render

import (
	"context"
	"errors"
	"testing"
	"time"

	"vyretop/engine"
	"vyretop/engine/backendtest"
	"vyretop/megakernel"
	"vyretop/megakernel/health"
	"vyretop/megakernel/internal/rig"
	"vyretop/megakernel/resident"
)

// healthyWindows is how many windows a render is judged over.
const healthyWindows = 6

// TestRenderIsHealthy: a render whose tiles yield for seconds without one that ends was called stalled, its worker
// spinning.
func TestRenderIsHealthy(t *testing.T) {
	backendtest.OnEach(t, func(t *testing.T, b engine.Backend) {
		o := small()
		o.samples = 1 << 20 // no tile ends in time
		r := New(rig.Manifest(t, "render"), o)
		ctx, cancel := context.WithCancel(rig.Deadline(t))
		defer cancel()
		_, err := rig.Run(ctx, b, r, rig.Shape{Workers: 1, Lanes: 8, Full: true, Beside: func(ctx context.Context, s *resident.Session) {
			defer cancel()
			judge(ctx, t, s)
		}})
		if !errors.Is(err, context.Canceled) || r.tiles.Load() > 0 {
			t.Errorf("%v, %d tiles ended", err, r.tiles.Load())
		}
	})
}

// judge holds windows of a render in which its tiles yield against what is true of them.
func judge(ctx context.Context, t *testing.T, s *resident.Session) {
	tick := time.NewTicker(20 * time.Millisecond)
	defer tick.Stop()
	before := s.Snapshot()
	for seen := 0; seen < healthyWindows; {
		select {
		case <-ctx.Done():
			t.Errorf("%d windows: %v", seen, ctx.Err())
			return
		case <-tick.C:
		}
		now := s.Snapshot()
		if now.Counters[megakernel.CountYields] < before.Counters[megakernel.CountYields]+wholePasses {
			continue // too soon to tell
		}
		seen++
		report := health.Explain(now, before)
		if report.Kind != health.Working || report.Stalled {
			t.Errorf("%s: %q", report.Kind, report.Health)
		}
		for _, w := range report.Workers {
			if w.Verdict == health.Spinning {
				t.Errorf("worker %d is said to spin: %s", w.ID, w.Why)
			}
		}
		before = now
	}
}

// wholePasses activations in a window: some began and ended within it, though counters lag behind the slots.
const wholePasses = 64
