package render

import (
	"context"
	"sync"
	"sync/atomic"
	"time"

	"vyretop/engine"
	"vyretop/megakernel/workload"
	"vyretop/tasks"
)

var _ workload.Sharer = (*Render)(nil)

// shared is a picture that several hosts make: each tile is made by one of them, and copied when it is complete, so that the loss
// of a device takes no tile that was.
type shared struct {
	units   *workload.Units                // tiles
	images  []atomic.Pointer[engine.Words] // by host; nil before it runs and after it was lost
	drawing sync.Mutex                     // held while --out is written
}

// Share implements workload.Sharer.
func (r *Render) Share(hosts int) {
	r.shared = &shared{
		units: workload.NewUnits(r.opt.tiles(), hosts), images: make([]atomic.Pointer[engine.Words], hosts),
	}
	picture := make(engine.Words, 4*r.opt.width*r.opt.height)
	r.image.Store(&picture)
}

// RunShare implements workload.Sharer.
func (r *Render) RunShare(ctx context.Context, h workload.Host, part workload.Part) error {
	image, err := r.imageOf(h)
	if err != nil {
		return err
	}
	s := r.shared
	s.images[part.Host].Store(&image)
	ticker := time.NewTicker(redraw)
	defer ticker.Stop()
	for inFlight, last := 0, 0; ; {
		changed := s.units.Changed()
		if s.units.Ended() {
			return nil
		}
		if inFlight <= max(last/2, 2*part.AtOnce()) {
			list := s.units.Take(part.Host, part.AtOnce(), r.opt.tiles())
			if err := h.Publish(ctx, r.tasks(list)); err != nil {
				return err
			}
			if last = len(list); last > 0 {
				inFlight += last
				continue
			}
		}
		select {
		case cs, ok := <-h.Completions():
			if !ok {
				return r.stopped()
			}
			if err := check(cs); err != nil {
				return err
			}
			r.keep(part.Host, image, cs)
			inFlight -= len(cs)
		case <-ticker.C:
			if err := r.redraw(); err != nil {
				return err
			}
		case <-changed:
		case <-ctx.Done():
			return context.Cause(ctx)
		}
	}
}

// tasks are those of some tiles.
func (r *Render) tasks(tiles []int) []tasks.Task {
	list := make([]tasks.Task, len(tiles))
	for i, tile := range tiles {
		list[i] = r.task(tile)
	}
	return list
}

// keep copies tiles that a host has completed, and then counts them.
func (r *Render) keep(host int, image engine.Words, cs []workload.Completion) {
	picture, row := *r.image.Load(), make([]uint32, 4*r.opt.tile)
	for _, c := range cs {
		tile := int(c.TaskID - 1)
		left, top, wide, high := r.opt.area(tile)
		for y := range high {
			at := 4 * ((top+y)*r.opt.width + left)
			image.CopyTo(row[:4*wide], at)
			picture.CopyFrom(at, row[:4*wide])
		}
		r.shared.units.Finish(host, tile)
		r.tiles.Add(1)
	}
}

// redraw writes --out while the picture gets better, unless another host does.
func (r *Render) redraw() error {
	if r.opt.Out == "" || !r.shared.drawing.TryLock() {
		return nil
	}
	defer r.shared.drawing.Unlock()
	return r.writeOut()
}

// Lose implements workload.Sharer.
func (r *Render) Lose(host int) int {
	r.shared.images[host].Store(nil)
	return len(r.shared.units.Lose(host, nil))
}

// Joined implements workload.Sharer.
func (r *Render) Joined() error {
	if r.opt.Out == "" {
		return nil
	}
	return r.writeOut()
}

// samples counts the samples of all tiles, of which each host has some.
func (s *shared) samples(r *Render) (done int64) {
	for tile := range r.opt.tiles() {
		most := int64(0)
		for i := range s.images {
			if image := s.images[i].Load(); image != nil {
				most = max(most, r.tileSamples(*image, tile))
			}
		}
		done += most
	}
	return done
}
