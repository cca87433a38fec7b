package render

import (
	"context"
	"math"
	"testing"
	"time"

	"pgregory.net/rapid"

	"vyretop/engine"
	"vyretop/engine/backendtest"
	"vyretop/engine/reference"
	"vyretop/megakernel/internal/rig"
	"vyretop/megakernel/resident"
)

// TestProgressCountsEverySample holds the few pixels that Progress looks at against all of them, in pictures whose
// tiles are at any point of their work.
func TestProgressCountsEverySample(t *testing.T) {
	rapid.Check(t, func(t *rapid.T) {
		small := func(name string) int { return rapid.IntRange(1, 9).Draw(t, name) }
		r := &Render{opt: Options{picture: picture{width: small("width"), height: small("height"), tile: small("tile"), samples: 1 << 20}}}
		image := make(engine.Words, 4*r.opt.width*r.opt.height)
		want := int64(0)
		for tile := range r.opt.tiles() {
			left, top, wide, high := r.opt.area(tile)
			done := rapid.IntRange(0, 5*wide*high).Draw(t, "samples of a tile")
			want += int64(done)
			for pixel := range wide * high {
				n := done / (wide * high)
				if pixel < done%(wide*high) {
					n++
				}
				image[4*((top+pixel/wide)*r.opt.width+left+pixel%wide)+3] = math.Float32bits(float32(n))
			}
		}
		r.image.Store(&image)
		if done, _, unit := r.Progress(); done != want || unit != "samples" {
			t.Fatalf("%d %s, want %d", done, unit, want)
		}
	})
}

// TestProgressGrowsWhileTilesYield: no tile ends before its last sample, and the picture gets better all the same.
func TestProgressGrowsWhileTilesYield(t *testing.T) {
	o := small()
	o.samples = 64
	r := New(rig.Manifest(t, "render"), o)
	partial := 0
	_, err := rig.Run(rig.Deadline(t), backendtest.Reference(t, reference.Options{}), r, rig.Shape{Workers: 1, Lanes: 8, Beside: func(ctx context.Context, _ *resident.Session) {
		last := int64(0)
		for tick := time.NewTicker(time.Millisecond); ; {
			done, total, _ := r.Progress()
			if done < last || done > total {
				t.Errorf("%d of %d samples after %d", done, total, last)
			}
			if done > last && done < total && r.tiles.Load() == 0 {
				partial++
			}
			last = done
			select {
			case <-ctx.Done():
				return
			case <-tick.C:
			}
		}
	}})
	if err != nil {
		t.Fatal(err)
	}
	if done, total, _ := r.Progress(); done != total || partial < 2 {
		t.Errorf("%d of %d samples at the end, progress seen %d times before the first tile ended", done, total, partial)
	}
}
