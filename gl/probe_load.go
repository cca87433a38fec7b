//go:build cgo && egl

package gl

import (
	"context"
	"errors"
	"time"

	"vyretop/engine"
)

// Bounds of the concurrency probe.
const (
	meetFirstLooks = 20_000
	meetMostLooks  = 50_000
	meetStay       = 500 * time.Microsecond // how long a workgroup stays; enough for the others to begin
	meetFewGroups  = 64                     // the first grid; on a busy CPU device the second thread may come in late
	meetMostGroups = 16_384
	meetRepeats    = 2
)

// Words of the meeting.
const (
	wordLooks = 0
	wordPeak  = 2
)

// probeConcurrency counts how many workgroups of 64 invocations run at the same time, and finds on
// the way whether the dispatch call blocks. The grid grows until not all of it fits.
func (b *Backend) probeConcurrency(ctx context.Context) (err error) {
	l, err := b.lab(ctx, "meet", 64, labBuffer{4, engine.DeviceLocal})
	if err != nil {
		return err
	}
	defer func() { err = errors.Join(err, l.close()) }()
	looks, err := b.calibrate(l)
	if err != nil {
		return err
	}
	var peak uint32
	for groups := uint32(meetFewGroups); groups <= min(meetMostGroups, b.limits.MaxWorkgroups[0]); groups *= 4 {
		for range meetRepeats {
			n, err := meet(l, looks, groups)
			if err != nil {
				return err
			}
			peak = max(peak, n)
		}
		if peak < groups {
			b.profile.ConcurrentWorkgroups = engine.Known(peak)
			break
		}
	}
	if b.profile.SoftwareDevice.Or(false) {
		b.profile.HostThreads = b.profile.ConcurrentWorkgroups
	}
	return nil
}

// calibrate finds the number of looks that takes about meetStay without the cost of the dispatch
// itself, and compares what the dispatch call took with the whole.
func (b *Backend) calibrate(l *lab) (uint32, error) {
	if _, err := timeMeet(l, 1); err != nil { // compiles it to the end
		return 0, err
	}
	none, err := quickestMeet(l, 1)
	if err != nil {
		return 0, err
	}
	some, err := quickestMeet(l, meetFirstLooks)
	if err != nil {
		return 0, err
	}
	blocks := b.profile.SoftwareDevice.Or(insideTheCall(none, some))
	b.profile.DispatchBlocks = engine.Known(blocks)
	b.profile.SoftwareDevice = engine.Known(blocks) // only a CPU device works inside the call
	took := max(1, some.wall-none.wall)
	return uint32(min(meetMostLooks, max(1, meetFirstLooks*meetStay/took))), nil
}

// meetTimings is how often a dispatch is timed; the least counts, because on a busy host the threads
// of this process wait for a core, some time or other, for longer than the kernel runs.
const meetTimings = 5

// meetTime is what a dispatch took, and its call.
type meetTime struct{ wall, call time.Duration }

// insideTheCall reports whether what a kernel does longer takes the call longer. What every dispatch takes says
// nothing: on a busy host that is mostly waiting for a core behind the call.
func insideTheCall(none, some meetTime) bool { return some.call-none.call > (some.wall-none.wall)/2 }

// quickestMeet returns the least time that such a dispatch took, and the least that its call took.
func quickestMeet(l *lab, looks uint32) (least meetTime, err error) {
	for i := range meetTimings {
		t, err := timeMeet(l, looks)
		if err != nil {
			return least, err
		}
		took := meetTime{t.Wall.Or(0), t.Enqueue.Or(0)}
		if i == 0 {
			least = took
		}
		least = meetTime{min(least.wall, took.wall), min(least.call, took.call)}
	}
	return least, nil
}

func timeMeet(l *lab, looks uint32) (engine.Timing, error) {
	if err := l.buffers[0].Upload(l.ctx, wordLooks, []uint32{looks}); err != nil {
		return engine.Timing{}, err
	}
	return l.run(1)
}

func meet(l *lab, looks, groups uint32) (peak uint32, err error) {
	buf := l.buffers[0]
	if err := buf.Upload(l.ctx, wordLooks, []uint32{looks, 0, 0, 0}); err != nil {
		return 0, err
	}
	if _, err := l.run(groups); err != nil {
		return 0, err
	}
	var out [1]uint32
	err = buf.Download(l.ctx, wordPeak, out[:])
	return out[0], err
}

// Bounds of the placement probe: 1 MiB read by 4,096 invocations. It crosses PCIe in about 40 us
// and device memory in about 1 us.
const (
	readWords   = 1 << 18
	readGroups  = 64
	readRepeats = 4
	// sameMemory is how much slower host-visible memory may be read and still count as the same.
	sameMemory = 1.5
)

// probePlacement decides whether device-local memory is worth having: on a device that is the CPU, and
// where reading it is not faster than reading mapped memory, every buffer is mapped.
func (b *Backend) probePlacement(ctx context.Context) error {
	var took [2]time.Duration
	for _, class := range []engine.Placement{engine.HostVisible, engine.DeviceLocal} {
		d, err := b.timeReads(ctx, class)
		if err != nil {
			return err
		}
		took[class] = d
	}
	if local := took[engine.DeviceLocal]; local > 0 {
		b.profile.BytesPerSecond = engine.Known(readWords * wordBytes / local.Seconds())
	}
	b.unified = b.profile.SoftwareDevice.Or(false) || float64(took[engine.HostVisible]) <= sameMemory*float64(took[engine.DeviceLocal])
	b.profile.BufferPlacement = b.placements()
	return nil
}

// placements tells where a buffer of each class ends up.
func (b *Backend) placements() map[string]string {
	local := engine.DeviceLocal
	if b.unified {
		local = engine.HostVisible
	}
	return map[string]string{
		engine.HostVisible.String(): engine.HostVisible.String(),
		engine.DeviceLocal.String(): local.String(),
	}
}

// timeReads returns the shortest time in which a kernel read a buffer of a class, by the device's
// clock where it has one.
func (b *Backend) timeReads(ctx context.Context, class engine.Placement) (best time.Duration, err error) {
	l, err := b.lab(ctx, "read", 64, labBuffer{readWords, class}, labBuffer{1, engine.HostVisible})
	if err != nil {
		return 0, err
	}
	defer func() { err = errors.Join(err, l.close()) }()
	for i := range readRepeats + 1 {
		t, err := l.run(readGroups)
		if err != nil {
			return 0, err
		}
		if d := t.Device.Or(t.Wall.Or(0)); i == 1 || i > 1 && d < best {
			best = d
		}
	}
	return best, nil
}
